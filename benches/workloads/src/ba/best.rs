//! The Jacobian in closed form, both rows from one evaluation.

use super::{Inputs, ROW, cross, dot};
use retrograde_kernels::Gradient;

/// A rotation with what its adjoint needs.
struct Rotation {
    axis: [f64; 3],
    angle: f64,
    sine: f64,
    cosine: f64,
}

impl Rotation {
    fn new(rotation: &[f64; 3]) -> Self {
        let angle = dot(rotation, rotation).sqrt();
        let (sine, cosine) = angle.sin_cos();
        Self {
            axis: rotation.map(|r| r / angle),
            angle,
            sine,
            cosine,
        }
    }

    fn of(&self, x: &[f64; 3]) -> [f64; 3] {
        let turned = cross(&self.axis, x);
        let along = dot(&self.axis, x) * (1.0 - self.cosine);
        std::array::from_fn(|i| x[i] * self.cosine + turned[i] * self.sine + self.axis[i] * along)
    }

    /// The adjoints of the rotation and of what it rotates.
    fn adjoint(&self, x: &[f64; 3], bar: &[f64; 3]) -> [[f64; 3]; 2] {
        let Self {
            axis: u,
            angle,
            sine,
            cosine,
        } = self;
        let rest = 1.0 - cosine;
        let (ux, ub) = (dot(u, x), dot(u, bar));
        let (u_bar, x_bar) = (cross(u, bar), cross(x, bar));
        let of_x: [f64; 3] =
            std::array::from_fn(|i| bar[i] * cosine - u_bar[i] * sine + u[i] * (ub * rest));
        let of_angle = cosine * dot(u, &x_bar) + sine * (ux * ub - dot(x, bar));
        let of_u: [f64; 3] =
            std::array::from_fn(|i| sine * x_bar[i] + rest * (ux * bar[i] + ub * x[i]));
        let along = dot(u, &of_u);
        let of_rotation =
            std::array::from_fn(|i| (of_u[i] - u[i] * along) / angle + of_angle * u[i]);
        [of_rotation, of_x]
    }
}

pub(super) fn jacobian(i: &Inputs, buffers: &mut Gradient) -> f64 {
    let mut sum = 0.0;
    let rows = buffers[0].chunks_exact_mut(2 * ROW);
    for (at, (rows, [camera, point])) in rows.zip(&i.observed).enumerate() {
        let (camera, point) = (&i.cameras[*camera], &i.points[*point]);
        let (weight, feature) = (i.weights[at], &i.features[at]);
        let seen = std::array::from_fn(|i| point[i] - camera[3 + i]);
        let rotation = Rotation::new(&[camera[0], camera[1], camera[2]]);
        let rotated = rotation.of(&seen);
        let projected = [rotated[0] / rotated[2], rotated[1] / rotated[2]];
        let square = projected[0] * projected[0] + projected[1] * projected[1];
        let distortion = 1.0 + camera[9] * square + camera[10] * square * square;
        let slope = 2.0 * (camera[9] + 2.0 * camera[10] * square);
        for (e, row) in rows.chunks_exact_mut(ROW).enumerate() {
            let missed = projected[e] * distortion * camera[6] + camera[7 + e] - feature[e];
            sum += weight * missed;
            let scale = weight * camera[6];
            let mut projected_bar = projected.map(|p| scale * projected[e] * slope * p);
            projected_bar[e] += scale * distortion;
            let [a, b] = projected_bar.map(|bar| bar / rotated[2]);
            let depth = -(a * projected[0] + b * projected[1]);
            let [of_rotation, of_point] = rotation.adjoint(&seen, &[a, b, depth]);
            row[..3].copy_from_slice(&of_rotation);
            row[3..6].copy_from_slice(&of_point.map(|bar| -bar));
            row[6] = weight * projected[e] * distortion;
            row[7] = 0.0;
            row[8] = 0.0;
            row[7 + e] = weight;
            row[9] = scale * projected[e] * square;
            row[10] = scale * projected[e] * square * square;
            row[11..14].copy_from_slice(&of_point);
            row[14] = missed;
        }
    }
    sum
}
