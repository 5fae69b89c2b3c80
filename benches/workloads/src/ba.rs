//! The Jacobian of the reprojection errors of a bundle adjustment: eleven parameters of a camera, a point and a weight
//! for each observation, two rows each. GradBench's `ba`, after ADBench.

mod best;

use crate::workload::Workload;
use retrograde::{Tape, gradient};
use retrograde_kernels::numbers::Numbers;
use retrograde_kernels::{Gradient, Kernel};

#[gradient(seeds)]
fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

#[gradient(seeds)]
fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// A rotation about the direction of `rotation` by its length, in radians: Rodrigues' formula.
#[gradient(seeds)]
fn rotate(rotation: &[f64; 3], x: &[f64; 3]) -> [f64; 3] {
    let square = dot(rotation, rotation);
    if square == 0.0 {
        let turned = cross(rotation, x);
        return [x[0] + turned[0], x[1] + turned[1], x[2] + turned[2]];
    }
    let angle = square.sqrt();
    let (sine, cosine) = angle.sin_cos();
    let axis = [
        rotation[0] / angle,
        rotation[1] / angle,
        rotation[2] / angle,
    ];
    let turned = cross(&axis, x);
    let along = dot(&axis, x) * (1.0 - cosine);
    let mut rotated = [0.0; 3];
    for i in 0..3 {
        rotated[i] = x[i] * cosine + turned[i] * sine + axis[i] * along;
    }
    rotated
}

/// What a camera (rotation, centre, focal length, principal point, radial distortion) misses of a feature, weighted.
#[gradient(seeds)]
pub fn reprojection(
    camera: &[f64; 11],
    point: &[f64; 3],
    weight: f64,
    #[constant] feature: &[f64; 2],
) -> [f64; 2] {
    let rotation = [camera[0], camera[1], camera[2]];
    let seen = [
        point[0] - camera[3],
        point[1] - camera[4],
        point[2] - camera[5],
    ];
    let rotated = rotate(&rotation, &seen);
    let mut projected = [rotated[0] / rotated[2], rotated[1] / rotated[2]];
    let square = projected[0] * projected[0] + projected[1] * projected[1];
    let distortion = 1.0 + camera[9] * square + camera[10] * square * square;
    for i in 0..2 {
        projected[i] = projected[i] * distortion * camera[6] + camera[7 + i];
    }
    [
        weight * (projected[0] - feature[0]),
        weight * (projected[1] - feature[1]),
    ]
}

struct Inputs {
    cameras: Vec<[f64; 11]>,
    points: Vec<[f64; 3]>,
    weights: Vec<f64>,
    features: Vec<[f64; 2]>,
    /// Camera and point of each observation.
    observed: Vec<[usize; 2]>,
}

/// What a row of the Jacobian has: camera, point, weight.
const ROW: usize = 15;

/// The sum of all errors, so that there is one value to compare.
fn errors(i: &Inputs) -> f64 {
    let mut sum = 0.0;
    for (at, [camera, point]) in i.observed.iter().enumerate() {
        let (camera, point) = (&i.cameras[*camera], &i.points[*point]);
        let error = reprojection(camera, point, i.weights[at], &i.features[at]);
        sum += error[0];
        sum += error[1];
    }
    sum
}

/// Both rows of each observation, from one forward and one reverse sweep.
fn jacobian(i: &Inputs, tape: &mut Tape, buffers: &mut Gradient) -> f64 {
    let mut sum = 0.0;
    let rows = buffers[0].chunks_exact_mut(2 * ROW);
    for (at, (rows, [camera, point])) in rows.zip(&i.observed).enumerate() {
        let (camera, point) = (&i.cameras[*camera], &i.points[*point]);
        let (mut of_camera, mut of_point, mut of_weight) =
            ([[0.0; 11]; 2], [[0.0; 3]; 2], [0.0; 2]);
        let error = reprojection_vjp_n(
            tape,
            camera,
            point,
            i.weights[at],
            &i.features[at],
            [[1.0, 0.0], [0.0, 1.0]],
            of_camera.each_mut(),
            of_point.each_mut(),
            of_weight.each_mut(),
        );
        for (k, row) in rows.chunks_exact_mut(ROW).enumerate() {
            row[..11].copy_from_slice(&of_camera[k]);
            row[11..14].copy_from_slice(&of_point[k]);
            row[14] = of_weight[k];
        }
        sum += error[0];
        sum += error[1];
    }
    sum
}

/// Cameras, points, observations.
pub fn kernel([cameras, points, observations]: [usize; 3]) -> Kernel {
    let mut numbers = Numbers::new();
    let camera = |numbers: &mut Numbers| {
        let [ox, oy, oz, cx, cy, cz] = std::array::from_fn(|_| numbers.draw(-0.5, 0.5));
        let [f, px, py] = [numbers.draw(0.8, 1.2), numbers.draw(-0.1, 0.1), 0.05];
        [
            ox,
            oy,
            oz,
            cx,
            cy,
            cz - 6.0,
            f,
            px,
            py,
            numbers.draw(-0.1, 0.1),
            0.02,
        ]
    };
    let inputs = Inputs {
        cameras: (0..cameras).map(|_| camera(&mut numbers)).collect(),
        points: (0..points)
            .map(|_| std::array::from_fn(|_| numbers.draw(-1.0, 1.0)))
            .collect(),
        weights: numbers.vec(observations, 0.5, 1.5),
        features: (0..observations)
            .map(|_| std::array::from_fn(|_| numbers.draw(-0.3, 0.3)))
            .collect(),
        observed: (0..observations)
            .map(|at| [at % cameras, at * 7 % points])
            .collect(),
    };
    Workload::new("ba", &[2 * ROW * observations], inputs, errors, jacobian)
        .by_hand(0, best::jacobian)
        .twin("ba", |i, c| {
            let floats: [&[f64]; 4] = [
                i.cameras.as_flattened(),
                i.points.as_flattened(),
                &i.weights,
                i.features.as_flattened(),
            ];
            c(&floats, &[i.observed.as_flattened()], &[i.observed.len()])
        })
        .kernel()
}
