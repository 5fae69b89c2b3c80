//! `tangent = Self`: the gradient of a `Vec3` is a `Vec3`.

use std::marker::PhantomData;
use std::ops::{Add, Mul};

use retrograde::{Differentiable, FixedShape, Tangent, gradient};

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
