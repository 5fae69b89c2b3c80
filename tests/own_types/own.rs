//! `tangent = Self`: the gradient of a `Vec3` is a `Vec3`.

use std::marker::PhantomData;
use std::ops::{Add, Mul};

use retrograde::{Differentiable, FixedShape, Flat, Tangent, gradient};

#[derive(Differentiable, Clone, Copy, Debug, PartialEq, Default)]
#[differentiable(tangent = Self)]
struct Vec3 {
    x: f64,
    y: f64,
    z: f64,
}

impl Add for Vec3 {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Vec3 {
            x: self.x + other.x,
            y: self.y + other.y,
            z: self.z + other.z,
        }
    }
}

impl Mul<Vec3> for f64 {
    type Output = Vec3;
    fn mul(self, v: Vec3) -> Vec3 {
        Vec3 {
            x: self * v.x,
            y: self * v.y,
            z: self * v.z,
        }
    }
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
#[differentiable(tangent = Self)]
struct State<Frame> {
    position: Vec3,
    others: Vec<Vec3>,
    matrix: [[f64; 40]; 2],
    last: Option<Box<Vec3>>,
    none: (),
    frame: PhantomData<Frame>,
}

#[gradient]
fn energy(v: &Vec3, w: f64) -> f64 {
    w * v.x * v.x + v.y * v.z
}

#[test]
fn the_gradient_is_of_the_type_itself() {
    let v = Vec3 {
        x: 1.0,
        y: 2.0,
        z: 3.0,
    };
    let (value, (dv, dw)) = energy_grad(&v, 0.5);
    assert_eq!((value, dw), (6.5, 1.0));
    assert_eq!(
        dv,
        Vec3 {
            x: 1.0,
            y: 3.0,
            z: 2.0
        }
    );
    // The arithmetic of the type works on it.
    let mut moved = v;
    moved.step(-0.1, &dv);
    assert_eq!(moved, v + -0.1 * dv);
}

#[test]
fn it_is_a_tangent() {
    let state = State::<u8> {
        position: Vec3 {
            x: 1.0,
            y: 2.0,
            z: 3.0,
        },
        others: vec![Vec3::default(); 2],
        matrix: [[1.0; 40]; 2],
        last: Some(Box::new(Vec3 {
            x: 1.0,
            y: 0.0,
            z: 0.0,
        })),
        none: (),
        frame: PhantomData,
    };
    let mut zero: State<u8> = state.zero_tangent();
    zero.accumulate(&state);
    assert_eq!(zero, state);
    zero.scale(2.0);
    assert_eq!(zero.dot(&state), 2.0 * (14.0 + 80.0 + 1.0));
    zero.others.pop();
    assert_eq!(
        state.check_shape(&zero).unwrap_err().to_string(),
        "a value of length 2 has a tangent of length 1, at `.others`"
    );
    assert_eq!(Vec3::zero(), Vec3::default());
}

/// Of any float, or of whatever else is its own tangent.
#[derive(Differentiable, Clone, Debug, PartialEq)]
#[differentiable(tangent = Self)]
struct Pair<T> {
    first: T,
    rest: Vec<Pair<T>>,
}

trait Scalar {
    type Number;
}

impl Scalar for u8 {
    type Number = f32;
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
#[differentiable(tangent = Self)]
struct Of<S: Scalar>(S::Number, [S::Number; 2])
where
    S::Number: Clone;

#[test]
fn generic_types_may_be_their_own_tangents() {
    let leaf = |first| Pair {
        first,
        rest: vec![],
    };
    let mut tree = Pair {
        first: Vec3::default(),
        rest: vec![leaf(Vec3 {
            x: 1.0,
            y: 2.0,
            z: 3.0,
        })],
    };
    tree.step(2.0, &tree.clone());
    assert_eq!(
        tree.rest[0].first,
        Vec3 {
            x: 3.0,
            y: 6.0,
            z: 9.0
        }
    );
    let single = Pair {
        first: 1.0_f32,
        rest: vec![],
    };
    assert_eq!(single.zero_tangent().first, 0.0);
    assert_eq!(
        tree.names_flat()[3..],
        ["rest[0].first.x", "rest[0].first.y", "rest[0].first.z"]
    );

    let mut of = Of::<u8>(1.0, [2.0, 3.0]);
    of.accumulate(&Of(1.0, [1.0, 1.0]));
    assert_eq!(of.to_flat(), [2.0, 3.0, 4.0]);
}
