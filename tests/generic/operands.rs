//! Functions and blocks that are generic over what is added and scaled: numbers as well as vectors.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use num_traits::Float;
use retrograde::{Differentiable, Record, gradient};

use crate::support::{check, check_exact};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Vector {
    x: f64,
    y: f64,
}

#[gradient]
impl Add for Vector {
    type Output = Vector;

    fn add(self, other: Vector) -> Vector {
        Vector {
            x: self.x + other.x,
            y: self.y + other.y,
        }
    }
}

#[gradient]
impl Sub for Vector {
    type Output = Vector;

    fn sub(self, other: Vector) -> Vector {
        Vector {
            x: self.x - other.x,
            y: self.y - other.y,
        }
    }
}

/// Not what it looks like: the rule of the type counts.
#[gradient]
impl Mul<f64> for Vector {
    type Output = Vector;

    fn mul(self, by: f64) -> Vector {
        Vector {
            x: self.x * by,
            y: self.y * by.sin(),
        }
    }
}

#[gradient]
impl Neg for Vector {
    type Output = Vector;

    fn neg(self) -> Vector {
        Vector {
            x: -self.x,
            y: -2.0 * self.y,
        }
    }
}

#[gradient]
impl AddAssign for Vector {
    fn add_assign(&mut self, other: Vector) {
        self.x += other.x;
        self.y += other.y * other.y;
    }
}

#[gradient]
fn lerp<V: Copy + Add<Output = V> + Mul<f64, Output = V>>(a: V, b: V, t: f64) -> V {
    a * (1.0 - t) + b * t
}

/// As integrators are written: a clause, a state, a difference.
#[gradient]
fn step<V>(at: V, slopes: [V; 3], h: f64) -> V
where
    V: Copy + Add<V, Output = V> + Sub<V, Output = V> + Mul<f64, Output = V> + Neg<Output = V>,
{
    let mut next = at;
    for k in 0..3 {
        next = next + slopes[k] * (h / (k as f64 + 1.0));
    }
    next - -at * 0.5
}

#[gradient]
fn sum<V: Copy + AddAssign + Mul<f64, Output = V>>(start: V, all: &[V], weight: f64) -> V {
    let mut sum = start;
    for v in all {
        sum += *v * weight;
    }
    sum
}

/// The scale is a parameter itself.
#[gradient]
fn between<S: Float, V: Copy + Add<Output = V> + Mul<S, Output = V>>(a: V, b: V, t: S) -> V {
    a * (S::one() - t) + b * t
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Curve<V> {
    from: V,
    ctrl: V,
    to: V,
}

#[gradient]
impl<V: Copy + Add<Output = V> + Mul<f64, Output = V>> Curve<V> {
    fn sample(&self, t: f64) -> V {
        let u = 1.0 - t;
        self.from * (u * u) + self.ctrl * (2.0 * u * t) + self.to * (t * t)
    }
}

impl<V> Curve<V>
where
    V: Copy + Add<Output = V> + Mul<f64, Output = V>,
{
    #[gradient]
    fn chord(&self) -> V {
        self.to + self.from * -1.0
    }
}

#[gradient]
fn of_vectors(a: Vector, b: Vector, t: f64) -> f64 {
    let p = lerp(a, b, t * t);
    let q = step(p, [a, b, p], t);
    let c = Curve {
        from: q,
        ctrl: a,
        to: b,
    };
    let s = c.sample(0.25);
    let r = between(s, c.chord(), t);
    r.x * r.y + s.x
}

#[gradient]
fn of_numbers(a: f64, b: f64, t: f64) -> f64 {
    let p = lerp(a, b, t * t);
    let q = step(p, [a, b, p], t);
    let c = Curve {
        from: q,
        ctrl: a,
        to: b,
    };
    sum(between(c.sample(0.25), c.chord(), t), &[a, b], t)
}

#[gradient]
fn summed(start: Vector, all: &[Vector], weight: f64) -> f64 {
    let s = sum(start, all, weight);
    s.x * s.y
}

fn vector(p: &[f64]) -> Vector {
    Vector { x: p[0], y: p[1] }
}

#[test]
fn vectors_and_numbers() {
    let points: &[&[f64]] = &[
        &[0.5, 1.5, -2.0, 0.25, 0.7],
        &[-1.0, 2.0, 0.75, 0.1, 1.3],
        &[4.0, 0.5, 0.5, -0.3, -0.2],
    ];
    check(
        |p| of_vectors(vector(p), vector(&p[2..]), p[4]),
        |p| {
            let (value, (a, b, t)) = of_vectors_grad(vector(p), vector(&p[2..]), p[4]);
            (value, [a.x, a.y, b.x, b.y, t])
        },
        points,
    );
    check(
        |p| of_numbers(p[0], p[1], p[2]),
        |p| of_numbers_grad(p[0], p[1], p[2]),
        &[&[0.5, 1.5, 0.7], &[-1.0, 2.0, 1.3]],
    );
    check(
        |p| summed(vector(p), &[vector(&p[2..]), vector(p)], p[4]),
        |p| {
            let (value, (s, all, w)) = summed_grad(vector(p), &[vector(&p[2..]), vector(p)], p[4]);
            let (a, b) = (&all[0], &all[1]);
            (value, [s.x + b.x, s.y + b.y, a.x, a.y, w])
        },
        points,
    );
}

#[test]
fn from_plain_code() {
    let (a, b) = (vector(&[1.0, 2.0]), vector(&[3.0, 4.0]));
    let (mut tape, mut da, mut db, mut dt) = (
        retrograde::Tape::new(),
        VectorTangent { x: 0.0, y: 0.0 },
        VectorTangent { x: 0.0, y: 0.0 },
        0.0,
    );
    let seed = VectorTangent { x: 1.0, y: 0.0 };
    let value = lerp_adjoint(&mut tape, a, &mut da, b, &mut db, 0.25, &mut dt, seed);
    assert_eq!(value, lerp(a, b, 0.25));
    assert_eq!((da.x, db.x, dt), (0.75, 0.25, 2.0));
    check_exact(
        |p| {
            Curve {
                from: p[0],
                ctrl: p[1],
                to: p[2],
            }
            .sample(p[3])
        },
        |p| {
            let c = Curve {
                from: p[0],
                ctrl: p[1],
                to: p[2],
            };
            let (mut d, mut t) = (c.zero_tangent(), 0.0);
            let value = c.sample_adjoint(&mut retrograde::Tape::new(), &mut d, p[3], &mut t, 1.0);
            (value, [d.from, d.ctrl, d.to, t])
        },
        |p| {
            let (t, u) = (p[3], 1.0 - p[3]);
            let slope = -2.0 * u * p[0] + 2.0 * (u - t) * p[1] + 2.0 * t * p[2];
            vec![u * u, 2.0 * u * t, t * t, slope]
        },
        &[&[1.0, 2.0, -1.0, 0.25], &[0.5, 0.25, 3.0, 0.75]],
    );
}
