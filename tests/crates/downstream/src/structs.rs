//! Loops over the fields of a struct of another crate.

use kernels_lib::grid::Grid as Mesh;
use retrograde::gradient;

/// By an import under another name.
#[gradient]
pub fn steepness(mesh: &Mesh) -> f64 {
    let mut sum = 0.0;
    for i in 1..mesh.values.len() {
        let slope = (mesh.values[i] - mesh.values[i - 1]) / mesh.cell.width;
        sum += slope * slope;
    }
    sum
}

/// By a path, and written.
#[gradient]
pub fn smooth(mesh: &mut kernels_lib::grid::Grid, rate: f64) {
    for i in 1..mesh.values.len() {
        mesh.values[i] += rate * (mesh.values[i - 1] - mesh.values[i]);
    }
}

/// A method of that crate beside a loop.
#[gradient]
pub fn weighed(mesh: &Mesh) -> f64 {
    let mut sum = mesh.energy();
    for i in 0..mesh.values.len() {
        sum += mesh.values[i];
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{all_close, close};
    use kernels_lib::grid::Grid;

    fn mesh() -> Grid {
        Grid::new(&[1.0, 2.0, 4.0], 0.5, 3.0)
    }

    #[test]
    fn by_import() {
        let (value, d) = steepness_grad(&mesh());
        assert!(close(value, 4.0 + 16.0));
        assert!(all_close(&d.values, &[-8.0, 8.0 - 16.0, 16.0]));
        assert!(close(d.cell.width, -2.0 * 20.0 / 0.5));
    }

    #[test]
    fn by_path() {
        let (mut at, mut tape) = (mesh(), retrograde::Tape::new());
        let mut bar = retrograde::Differentiable::zero_tangent(&at);
        bar.values = vec![0.0, 0.0, 1.0];
        let mut rate = 0.0;
        smooth_adjoint(&mut tape, &mut at, &mut bar, 0.5, &mut rate, ());
        assert!(all_close(&at.values, &[1.0, 1.5, 2.75]));
        assert!(all_close(&bar.values, &[0.25, 0.25, 0.5]));
        // d/dr of v2 + r (v1' - v2), with v1' = v1 + r (v0 - v1)
        assert!(close(rate, (1.5 - 4.0) + 0.5 * (1.0 - 2.0)));
    }

    #[test]
    fn beside_a_method() {
        let (value, d) = weighed_grad(&mesh());
        assert!(close(value, 21.0 * 1.5 + 7.0));
        assert!(all_close(&d.values, &[2.5, 4.0, 7.0]));
    }
}
