//! The forms of each kernel that are timed side by side.

use std::hint::black_box;
use std::rc::Rc;

use retrograde::{Flat, Tape};

use super::bodies::{Body, BodyTangent, Vec3};
use super::layer::{Layer, LayerTangent};
use super::{bodies, gravity, heat1d, layer, slices, somier};
use crate::numbers::Numbers;

/// The gradient of a kernel in one form: value and gradient into buffers that it keeps, and the gradient as a list.
pub struct Form {
    /// What it is written over.
    pub name: &'static str,
    /// Value and gradient.
    pub run: Box<dyn FnMut() -> f64>,
    /// The gradient of the last run.
    pub gradient: Rc<std::cell::RefCell<Vec<f64>>>,
}

/// A kernel in its forms; the others are compared with the first one.
pub struct Forms {
    /// The name of the kernel.
    pub name: &'static str,
    /// One after the other takes its turn.
    pub forms: Vec<Form>,
}

/// A form whose gradient is a list of numbers after the call.
fn form<B: 'static>(
    name: &'static str,
    buffers: B,
    call: impl Fn(&mut Tape, &mut B) -> f64 + 'static,
    flat: impl Fn(&B) -> Vec<f64> + 'static,
) -> Form {
    let gradient = Rc::new(std::cell::RefCell::new(Vec::new()));
    let (mut tape, mut buffers, out, mut first) = (Tape::new(), buffers, gradient.clone(), true);
    let run = move || {
        let value = call(&mut tape, &mut buffers);
        if std::mem::take(&mut first) {
            *out.borrow_mut() = flat(&buffers);
        }
        value
    };
    Form {
        name,
        run: Box::new(run),
        gradient,
    }
}

/// heat1d over 2,000 cells.
pub fn heat() -> Forms {
    let steps = black_box(200);
    let u = Rc::new(black_box(Numbers::new().vec(2_000, 0.5, 1.5)));
    let zeros = vec![0.0; u.len()];
    let [u1, u2, u3] = [u.clone(), u.clone(), u];
    Forms {
        name: "heat1d",
        forms: vec![
            form(
                "slices",
                zeros.clone(),
                move |tape, du| slices::heat1d::heat1d_grad_into(tape, &u1, du, steps),
                Vec::clone,
            ),
            form(
                "structs",
                zeros.clone(),
                move |tape, du| heat1d::heat1d_grad_into(tape, &u2, du, steps),
                Vec::clone,
            ),
            form(
                "slices, one function",
                zeros,
                move |tape, du| crate::heat1d::heat1d_grad_into(tape, &u3, du, steps),
                Vec::clone,
            ),
        ],
    }
}

/// somier with 12 × 12 × 12 nodes.
pub fn springs() -> Forms {
    let (n, steps) = black_box((12_usize, 10));
    let nodes = n * n * n;
    let mut numbers = Numbers::new();
    let mut x0 = vec![0.0; 3 * nodes];
    for p in 0..nodes {
        for (d, at) in [p / (n * n), p / n % n, p % n].into_iter().enumerate() {
            x0[d * nodes + p] = at as f64 + numbers.draw(-0.1, 0.1);
        }
    }
    let x = Rc::new(black_box(x0));
    let zeros = vec![0.0; x.len()];
    let [x1, x2, x3] = [x.clone(), x.clone(), x];
    Forms {
        name: "somier",
        forms: vec![
            form(
                "slices",
                zeros.clone(),
                move |tape, dx| slices::somier::somier_grad_into(tape, &x1, dx, n, steps),
                Vec::clone,
            ),
            form(
                "structs",
                zeros.clone(),
                move |tape, dx| somier::somier_grad_into(tape, &x2, dx, n, steps),
                Vec::clone,
            ),
            form(
                "slices, one function",
                zeros,
                move |tape, dx| crate::somier::somier_grad_into(tape, &x3, dx, n, steps),
                Vec::clone,
            ),
        ],
    }
}

/// gravity with 64 bodies.
pub fn cluster() -> Forms {
    let (n, steps) = black_box((64, 4));
    let mut numbers = Numbers::new();
    let q = Rc::new(numbers.vec(3 * n, -1.0, 1.0));
    let v = Rc::new(numbers.vec(3 * n, -0.1, 0.1));
    let mass = Rc::new(numbers.vec(n, 0.5, 1.5));
    let target = Rc::new(numbers.vec(3 * n, -1.0, 1.0));
    let zeros = (vec![0.0; 3 * n], vec![0.0; 3 * n]);
    let both = |(dq, dv): &(Vec<f64>, Vec<f64>)| [dq.as_slice(), dv].concat();
    let start = |k: usize| {
        let at = |of: &[f64]| Vec3 {
            x: of[k],
            y: of[n + k],
            z: of[2 * n + k],
        };
        Body {
            position: at(&q),
            velocity: at(&v),
        }
    };
    let bodies_: Vec<Body> = (0..n).map(start).collect();
    let targets: Vec<Vec3> = (0..n)
        .map(|k| Vec3 {
            x: target[k],
            y: target[n + k],
            z: target[2 * n + k],
        })
        .collect();
    let by_coordinate = move |bodies: &Vec<BodyTangent>| {
        let coordinates: [fn(&BodyTangent) -> f64; 6] = [
            |b| b.position.x,
            |b| b.position.y,
            |b| b.position.z,
            |b| b.velocity.x,
            |b| b.velocity.y,
            |b| b.velocity.z,
        ];
        let list = coordinates.iter().flat_map(|get| bodies.iter().map(get));
        list.collect()
    };
    let tangents = vec![BodyTangent::default(); n];
    let mass4 = mass.clone();
    let [of_slices, of_structs, of_one] =
        std::array::from_fn(|_| (q.clone(), v.clone(), mass.clone(), target.clone()));
    Forms {
        name: "gravity",
        forms: vec![
            form(
                "slices",
                zeros.clone(),
                move |tape, (dq, dv)| {
                    let (q, v, mass, target) = &of_slices;
                    slices::gravity::gravity_grad_into(tape, q, dq, v, dv, mass, target, steps)
                },
                both,
            ),
            form(
                "structs",
                zeros.clone(),
                move |tape, (dq, dv)| {
                    let (q, v, mass, target) = &of_structs;
                    gravity::gravity_grad_into(tape, q, dq, v, dv, mass, target, steps)
                },
                both,
            ),
            form(
                "slices, one function",
                zeros,
                move |tape, (dq, dv)| {
                    let (q, v, mass, target) = &of_one;
                    crate::gravity::gravity_grad_into(tape, q, dq, v, dv, mass, target, steps)
                },
                both,
            ),
            form(
                "bodies with operators",
                tangents,
                move |tape, gradient| {
                    bodies::gravity_grad_into(tape, &bodies_, gradient, &mass4, &targets, steps)
                },
                by_coordinate,
            ),
        ],
    }
}

/// The network of `nn`, 784-80-10.
pub fn layers() -> Forms {
    let (inputs, hidden, outputs, label) = black_box((784, 80, 10, 3));
    let mut numbers = Numbers::new();
    let img = Rc::new(numbers.vec(inputs, 0.0, 1.0));
    let (w1, b1) = (
        numbers.vec(hidden * inputs, -0.1, 0.1),
        numbers.vec(hidden, -0.1, 0.1),
    );
    let (w2, b2) = (
        numbers.vec(outputs * hidden, -0.1, 0.1),
        numbers.vec(outputs, -0.1, 0.1),
    );
    let zeros: [Vec<f64>; 4] = [&w1, &b1, &w2, &b2].map(|part| vec![0.0; part.len()]);
    let flat = |parts: &[Vec<f64>; 4]| parts.concat();
    let two = Rc::new([
        Layer {
            weights: w1.clone(),
            biases: b1.clone(),
        },
        Layer {
            weights: w2.clone(),
            biases: b2.clone(),
        },
    ]);
    let weights = Rc::new([w1, b1, w2, b2]);
    let tangents = || {
        let tangent = |weights: &Vec<f64>, biases: &Vec<f64>| LayerTangent {
            weights: vec![0.0; weights.len()],
            biases: vec![0.0; biases.len()],
        };
        two.each_ref()
            .map(|layer| tangent(&layer.weights, &layer.biases))
    };
    let of_layers =
        |layers: &[LayerTangent; 2]| [layers[0].to_flat(), layers[1].to_flat()].concat();
    let (buffers1, buffers2) = (tangents(), tangents());
    let [i1, i2, i3, i4] = std::array::from_fn(|_| img.clone());
    let ([p1, p3], [p2, p4]) = (
        std::array::from_fn(|_| weights.clone()),
        std::array::from_fn(|_| two.clone()),
    );
    Forms {
        name: "network",
        forms: vec![
            form(
                "slices",
                zeros.clone(),
                move |tape, [dw1, db1, dw2, db2]| {
                    let [w1, b1, w2, b2] = &*p1;
                    slices::layers::nn_grad_into(
                        tape, &i1, w1, dw1, b1, db1, w2, dw2, b2, db2, label,
                    )
                },
                flat,
            ),
            form(
                "structs",
                buffers1,
                move |tape, [first, second]| {
                    layer::nn_grad_into(tape, &i2, &p2[0], first, &p2[1], second, label)
                },
                of_layers,
            ),
            form(
                "slices, one function",
                zeros,
                move |tape, [dw1, db1, dw2, db2]| {
                    let [w1, b1, w2, b2] = &*p3;
                    crate::nn::nn_grad_into(tape, &i3, w1, dw1, b1, db1, w2, dw2, b2, db2, label)
                },
                flat,
            ),
            form(
                "structs, one function",
                buffers2,
                move |tape, [first, second]| {
                    layer::network_grad_into(tape, &i4, &p4[0], first, &p4[1], second, label)
                },
                of_layers,
            ),
        ],
    }
}
