//! `remove` and its like on a field, whose type the text does not show: rustc checks that it is a `Vec`.

use retrograde::{Differentiable, Record, gradient};

use crate::support::check;

#[derive(Clone, Differentiable, Record)]
struct Samples {
    values: Vec<f64>,
    rows: Vec<Vec<f64>>,
}

impl Samples {
    #[gradient]
    fn without(&mut self, at: usize, x: f64) -> f64 {
        let removed = self.values.remove(at);
        self.rows.swap_remove(0);
        removed * x + self.values[at] * self.rows[0][0]
    }
}

#[test]
fn elements_of_fields_are_removed() {
    let samples = |p: &[f64]| Samples {
        values: p[..3].to_vec(),
        rows: vec![vec![1.0], vec![2.0], vec![p[3]]],
    };
    let without = |p: &[f64]| {
        let mut bar = Samples {
            values: p[1..3].to_vec(),
            rows: vec![vec![1.0], vec![2.0]],
        }
        .zero_tangent();
        let mut dx = 0.0;
        let mut of = samples(p);
        let tape = &mut retrograde::Tape::new();
        let value = of.without_adjoint(tape, &mut bar, 1, p[4], &mut dx, 1.0);
        (value, [bar.values, vec![bar.rows[2][0], dx]].concat())
    };
    check(
        |p| samples(p).without(1, p[4]),
        without,
        &[&[0.5, 1.5, -2.0, 0.75, 3.0]],
    );
}
