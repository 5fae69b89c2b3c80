//! Copies of what does not change, which the reverse sweep makes again, and of what does, which it must not.

use crate::twins::{agree, both, numbers, twins};

const FACES: [[usize; 4]; 6] = [
    [0, 1, 2, 3],
    [0, 4, 5, 1],
    [1, 5, 6, 2],
    [2, 6, 7, 3],
    [3, 7, 4, 0],
    [4, 7, 6, 5],
];
const PAIRS: [((usize, f64), [[usize; 2]; 2]); 2] =
    [((3, 0.5), [[0, 2], [1, 7]]), ((6, -2.0), [[5, 5], [4, 0]])];

struct Mesh {
    nodes: Vec<[usize; 4]>,
}

twins! {
    /// applied `recompute`
    pub(super) fn faces_of_a_constant(x: &[f64; 8]) -> f64 {
        let mut s = 1.0;
        for face in 0..6 {
            let [a, b, c, d] = FACES[face];
            s *= x[a] * x[b] - x[c] * x[d];
        }
        s
    }

    /// applied `recompute`
    pub(super) fn nested_parts_of_a_constant(x: &[f64; 8]) -> f64 {
        let mut s = 1.0;
        for k in 0..2 {
            let ((a, weight), [[b, c], [d, e]]) = PAIRS[k];
            s *= weight * x[a] * x[b] - x[c] * x[d] * x[e];
        }
        s
    }

    /// applied `recompute`
    pub(super) fn faces_of_a_parameter(x: &[f64; 8], faces: &[[usize; 4]]) -> f64 {
        let mut s = 1.0;
        for face in 0..faces.len() {
            let [a, b, c, d] = faces[face];
            s *= x[a] * x[b] - x[c] * x[d];
        }
        s
    }

    /// applied `recompute`
    pub(super) fn nodes_of_a_mesh(from: &[f64; 8], #[constant] mesh: &Mesh) -> f64 {
        let mut x = from.to_vec();
        let mut s = 1.0;
        for k in 0..mesh.nodes.len() {
            let nodes = mesh.nodes[k];
            for i in 0..4 {
                x[nodes[i]] *= s;
            }
            s += x[nodes[0]] * x[nodes[3]];
        }
        s
    }

    /// The row is copied before it changes: what is copied is recorded.
    ///
    /// not applied `reslice`
    pub(super) fn rows_that_change(from: &[[f64; 3]; 5]) -> f64 {
        let mut x = *from;
        let mut s = 1.0;
        for k in 0..x.len() {
            let [a, b, c] = x[k];
            let row = x[k];
            x[k] = [s, c, a];
            s *= a * b + row[1] * row[2] - x[k][2];
        }
        s
    }

    /// The index changes between the copy and the use.
    ///
    /// not applied `reslice`
    pub(super) fn an_index_that_changes(x: &[f64; 8]) -> f64 {
        let (mut s, mut face) = (1.0, 0);
        while face < 6 {
            let [a, b, c, d] = FACES[face];
            face += 1;
            s *= x[a] * x[b] - x[c] * x[d];
        }
        s
    }

    /// not applied `reslice`
    pub(super) fn faces_that_change(x: &[f64; 8], faces: &mut [[usize; 4]]) -> f64 {
        let mut s = 1.0;
        for face in 0..faces.len() {
            let [a, b, c, d] = faces[face];
            faces[face] = [d, a, a, b];
            s *= x[a] * x[b] - x[c] * x[d];
        }
        s
    }
}

/// The product over all faces, and its derivatives, by hand.
fn by_faces(x: &[f64; 8]) -> (f64, [f64; 8]) {
    let factor = |[a, b, c, d]: [usize; 4]| x[a] * x[b] - x[c] * x[d];
    let mut gradient = [0.0; 8];
    for (face, [a, b, c, d]) in FACES.into_iter().enumerate() {
        let others = |(k, of): (usize, &[usize; 4])| if k == face { 1.0 } else { factor(*of) };
        let rest: f64 = FACES.iter().enumerate().map(others).product();
        for (at, with) in [(a, x[b]), (b, x[a]), (c, -x[d]), (d, -x[c])] {
            gradient[at] += rest * with;
        }
    }
    (FACES.into_iter().map(factor).product(), gradient)
}

#[test]
fn what_patterns_take_from_constants_and_parameters() {
    for seed in 0..4 {
        let x: [f64; 8] = numbers(8, seed).try_into().expect("eight");
        let (value, gradient) = by_faces(&x);
        for (got, grad) in [
            on::faces_of_a_constant_grad(&x),
            on::faces_of_a_parameter_grad(&x, &FACES),
            on::an_index_that_changes_grad(&x),
        ] {
            assert!((got - value).abs() <= 1e-14 * value.abs());
            crate::twins::near(&grad, &gradient);
        }
        both!(faces_of_a_constant, faces_of_a_constant_grad, (&x));
        both!(
            nested_parts_of_a_constant,
            nested_parts_of_a_constant_grad,
            (&x)
        );
        both!(
            faces_of_a_parameter,
            faces_of_a_parameter_grad,
            (&x, &FACES)
        );
        both!(faces_of_a_parameter, faces_of_a_parameter_grad, (&x, &[]));
        both!(an_index_that_changes, an_index_that_changes_grad, (&x));
        both!(
            faces_that_change,
            faces_that_change_grad,
            (&x, &mut FACES.clone())
        );
        let mesh = Mesh {
            nodes: FACES.to_vec(),
        };
        both!(nodes_of_a_mesh, nodes_of_a_mesh_grad, (&x, &mesh));
        let rows = [0, 1, 2, 3, 4].map(|k| [x[k], x[k + 1], x[k + 2]]);
        both!(rows_that_change, rows_that_change_grad, (&rows));
    }
}
