//! Methods of traits, called on types that the caller knows.

use retrograde::{Differentiable, Record, gradient};

use crate::support::{check, check_exact};

mod physics {
    /// What a library for differential equations may ask for.
    pub trait System<V> {
        type Parameter;
        const ORDER: usize;
        fn system(&self, t: f64, y: &V, dy: &mut V);
        fn scale(&self, by: Self::Parameter) -> f64;
        fn name(&self) -> &str {
            "a system"
        }
    }
}

pub trait Potential {
    fn energy(&self, x: f64) -> f64;
    fn kick(&mut self, by: f64);
    fn consumed(self, x: f64) -> f64;
    fn count(&self) -> usize;
}

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
pub struct Spring {
    pub stiffness: f64,
    pub rest: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
pub struct State {
    pub x: f64,
    pub v: f64,
}

#[gradient]
impl Potential for Spring {
    fn energy(&self, x: f64) -> f64 {
        0.5 * self.stiffness * (x - self.rest).powi(2) * self.count() as f64
    }

    fn kick(&mut self, by: f64) {
        self.rest += by * self.energy(by);
    }

    fn consumed(mut self, x: f64) -> f64 {
        self.kick(x);
        self.energy(x) + Self::energy(&self, 2.0)
    }

    fn count(&self) -> usize {
        3
    }
}

#[gradient]
impl physics::System<State> for Spring {
    type Parameter = f64;
    const ORDER: usize = 2;

    fn system(&self, t: f64, y: &State, dy: &mut State) {
        dy.x = y.v;
        dy.v = -self.stiffness * (y.x - self.rest)
            + (t * <Self as physics::System<State>>::ORDER as f64).sin();
    }

    fn scale(&self, by: Self::Parameter) -> f64 {
        self.stiffness * by
    }
}

/// Another type with methods of the same names.
#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
pub struct Well {
    pub depth: f64,
}

#[gradient]
impl Potential for Well {
    fn energy(&self, x: f64) -> f64 {
        -self.depth * (-x * x).exp()
    }

    fn kick(&mut self, by: f64) {
        self.depth *= by;
    }

    fn consumed(self, x: f64) -> f64 {
        self.energy(x)
    }

    fn count(&self) -> usize {
        1
    }
}

#[test]
fn methods_have_gradients() {
    let spring = Spring {
        stiffness: 2.0,
        rest: 0.5,
    };
    let (value, (d, dx)) = spring.energy_grad(1.5);
    assert_eq!((value, d.stiffness, d.rest, dx), (3.0, 1.5, -6.0, 6.0));
}

#[gradient]
fn total(spring: &Spring, well: Well, x: f64) -> f64 {
    let mut well = well;
    well.kick(spring.energy(x));
    let mut moved = spring.clone();
    moved.kick(x);
    let copy: Spring = spring.clone();
    moved.energy(x) * well.energy(0.3 * x) + copy.consumed(x) + Spring::energy(spring, x * x)
}

#[test]
fn calls_on_concrete_types() {
    let of = |p: &[f64]| {
        (
            Spring {
                stiffness: p[0],
                rest: p[1],
            },
            Well { depth: p[2] },
        )
    };
    check(
        |p| total(&of(p).0, of(p).1, p[3]),
        |p| {
            let (value, (s, w, x)) = total_grad(&of(p).0, of(p).1, p[3]);
            (value, [s.stiffness, s.rest, w.depth, x])
        },
        &[&[2.0, 0.5, 1.1, 0.7], &[0.3, -0.4, 2.0, -0.2]],
    );
}

#[gradient]
fn euler(spring: &Spring, start: State, dt: f64, n: usize) -> f64 {
    use physics::System;
    let mut y = start;
    let mut dy = State { x: 0.0, v: 0.0 };
    for k in 0..n {
        spring.system(k as f64 * dt, &y, &mut dy);
        y.x += dy.x * dt;
        y.v += dy.v * dt;
    }
    y.x * y.x + spring.scale(y.v)
}

#[test]
fn a_foreign_trait() {
    let of = |p: &[f64]| {
        (
            Spring {
                stiffness: p[0],
                rest: p[1],
            },
            State { x: p[2], v: p[3] },
        )
    };
    for n in [0, 1, 5] {
        check(
            |p| euler(&of(p).0, of(p).1, p[4], n),
            |p| {
                let (value, (s, y, dt)) = euler_grad(&of(p).0, of(p).1, p[4], n);
                (value, [s.stiffness, s.rest, y.x, y.v, dt])
            },
            &[&[2.0, 0.5, 1.1, 0.7, 0.1], &[0.3, -0.4, 2.0, -0.2, 0.3]],
        );
    }
}

/// A type with a parameter and a lifetime, and a trait with a generic method left out.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Table<'a, const N: usize> {
    rows: [f64; N],
    offsets: &'a [f64],
}

trait Lookup {
    fn at(&self, i: usize, x: f64) -> f64;
    fn show<W: std::fmt::Write>(&self, to: W);
}

#[gradient]
impl<'a, const N: usize> Lookup for Table<'a, N> {
    fn at(&self, i: usize, x: f64) -> f64 {
        self.rows[i % N] * x + self.offsets[i]
    }

    #[no_gradient]
    fn show<W: std::fmt::Write>(&self, _: W) {}
}

#[gradient]
fn looked_up(t: &Table<'_, 2>, x: f64) -> f64 {
    let mut sum = x;
    for i in 0..3 {
        sum = t.at(i, sum) * sum;
    }
    sum
}

#[test]
fn types_with_parameters() {
    check(
        |p| {
            looked_up(
                &Table {
                    rows: [p[0], p[1]],
                    offsets: &p[2..5],
                },
                p[5],
            )
        },
        |p| {
            let (value, (t, x)) = looked_up_grad(
                &Table {
                    rows: [p[0], p[1]],
                    offsets: &p[2..5],
                },
                p[5],
            );
            (
                value,
                [
                    t.rows[0],
                    t.rows[1],
                    t.offsets[0],
                    t.offsets[1],
                    t.offsets[2],
                    x,
                ],
            )
        },
        &[&[0.5, 0.7, 0.2, -0.3, 0.4, 0.9]],
    );
}
