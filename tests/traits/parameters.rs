//! Methods of a trait, called on type parameters: each instance has the derivative of its own type.

use retrograde::{Differentiable, Record, gradient};

use crate::support::{check, check_exact};

#[gradient]
pub trait Model {
    const ORDER: u32;
    type Label;

    fn energy(&self, x: &[f64]) -> f64;

    fn kick(&mut self, by: f64);

    /// Without derivative.
    fn label(&self) -> Self::Label;

    fn twice(&self, x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..2 {
            sum += self.energy(x) * x[i] + self.energy(&x[..i]);
        }
        sum * Self::ORDER as f64
    }

    fn kick_twice(&mut self, by: f64) {
        self.kick(by);
        self.kick(by * by);
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
pub struct Spring {
    pub stiffness: f64,
}

#[gradient]
impl Model for Spring {
    const ORDER: u32 = 2;
    type Label = &'static str;

    fn energy(&self, x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for v in x {
            sum += 0.5 * self.stiffness * v.powi(Self::ORDER as i32);
        }
        sum
    }

    fn kick(&mut self, by: f64) {
        self.stiffness += by * by;
    }

    fn label(&self) -> &'static str {
        "spring"
    }
}

/// Borrows its data.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Weights<'w> {
    w: &'w [f64],
    scale: f64,
}

#[gradient]
impl<'w> Model for Weights<'w> {
    const ORDER: u32 = 1;
    type Label = usize;

    fn energy(&self, x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += self.scale * self.w[i] * x[i].sin();
        }
        sum
    }

    fn kick(&mut self, by: f64) {
        self.scale *= by;
    }

    fn label(&self) -> usize {
        1
    }
}

#[gradient]
fn loss<M: Model>(m: &M, x: &[f64], k: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..3 {
        let part = m.energy(&x[..i]);
        sum += part * part + k * m.energy(x);
    }
    sum
}

#[gradient]
fn kicked<M>(m: &M, x: &[f64], by: f64) -> f64
where
    M: Model + Clone + Record,
{
    let mut m = m.clone();
    for _ in 0..2 {
        m.kick(by * x[0]);
    }
    m.energy(x) + loss(&m, x, by)
}

#[gradient]
fn both<A: Model, B: Model>(a: &A, b: &B, x: &[f64]) -> f64 {
    a.energy(x) * b.energy(x) + loss::<A>(a, x, 0.5)
}

const AT: &[&[f64]] = &[&[2.0, 0.5, 1.1, 0.7], &[0.3, -0.4, 2.0, -0.2]];

#[test]
fn a_generic_function_at_two_types() {
    let spring = |p: &[f64]| Spring { stiffness: p[0] };
    check(
        |p| loss(&spring(p), &p[1..3], p[3]),
        |p| {
            let (value, (s, x, k)) = loss_grad(&spring(p), &p[1..3], p[3]);
            (value, [s.stiffness, x[0], x[1], k])
        },
        AT,
    );
    check(
        |p| {
            loss(
                &Weights {
                    w: &p[1..3],
                    scale: p[0],
                },
                &[0.4, 0.9],
                p[3],
            )
        },
        |p| {
            let (value, (d, _, k)) = loss_grad(
                &Weights {
                    w: &p[1..3],
                    scale: p[0],
                },
                &[0.4, 0.9],
                p[3],
            );
            (value, [d.scale, d.w[0], d.w[1], k])
        },
        AT,
    );
}

#[test]
fn methods_that_change_the_receiver() {
    check(
        |p| kicked(&Spring { stiffness: p[0] }, &p[1..3], p[3]),
        |p| {
            let (value, (s, x, k)) = kicked_grad(&Spring { stiffness: p[0] }, &p[1..3], p[3]);
            (value, [s.stiffness, x[0], x[1], k])
        },
        AT,
    );
}

#[test]
fn two_parameters() {
    check(
        |p| {
            both(
                &Spring { stiffness: p[0] },
                &Weights {
                    w: &p[1..3],
                    scale: p[3],
                },
                &p[1..3],
            )
        },
        |p| {
            let spring = Spring { stiffness: p[0] };
            let weights = Weights {
                w: &p[1..3],
                scale: p[3],
            };
            let (value, (s, w, x)) = both_grad(&spring, &weights, &p[1..3]);
            (value, [s.stiffness, w.w[0] + x[0], w.w[1] + x[1], w.scale])
        },
        AT,
    );
}

#[gradient]
fn known(spring: &Spring, x: &[f64]) -> f64 {
    loss(spring, x, 2.0) * spring.energy(x)
}

#[test]
fn a_caller_that_knows_the_type() {
    check(
        |p| known(&Spring { stiffness: p[0] }, &p[1..3]),
        |p| {
            let (value, (s, x)) = known_grad(&Spring { stiffness: p[0] }, &p[1..3]);
            (value, [s.stiffness, x[0], x[1]])
        },
        &[&[2.0, 0.5, 1.1], &[0.3, -0.4, 2.0]],
    );
}

#[gradient]
fn through_provided<M: Model + Clone + Record>(m: &M, x: &[f64], by: f64) -> f64 {
    let mut copy = m.clone();
    copy.kick_twice(by);
    copy.twice(x) * m.energy(x) + m.twice(x)
}

#[gradient]
fn provided_of_a_type(spring: &Spring, x: &[f64]) -> f64 {
    let mut moved = spring.clone();
    moved.kick(x[0]);
    twice_of(&moved, x) * twice_of(spring, x)
}

#[gradient]
fn twice_of<M: Model>(m: &M, x: &[f64]) -> f64 {
    m.twice(x)
}

#[test]
fn methods_with_a_body_in_the_trait() {
    check(
        |p| through_provided(&Spring { stiffness: p[0] }, &p[1..3], p[3]),
        |p| {
            let (value, (s, x, k)) =
                through_provided_grad(&Spring { stiffness: p[0] }, &p[1..3], p[3]);
            (value, [s.stiffness, x[0], x[1], k])
        },
        AT,
    );
    check(
        |p| provided_of_a_type(&Spring { stiffness: p[0] }, &p[1..3]),
        |p| {
            let (value, (s, x)) = provided_of_a_type_grad(&Spring { stiffness: p[0] }, &p[1..3]);
            (value, [s.stiffness, x[0], x[1]])
        },
        &[&[2.0, 0.5, 1.1], &[0.3, -0.4, 2.0]],
    );
    let weights = Weights {
        w: &[2.0, 1.0],
        scale: 3.0,
    };
    assert_eq!(
        twice_of_grad(&weights, &[0.5, 0.0]).0,
        weights.twice(&[0.5, 0.0])
    );
}

trait Rate {
    fn rate(&self, x: f64) -> f64;
}

/// Neither a tangent nor a derivative.
struct Table(Vec<f64>);

impl Rate for Table {
    fn rate(&self, x: f64) -> f64 {
        self.0[x as usize]
    }
}

#[gradient]
fn decay<M: Rate>(#[constant] model: &M, x: f64) -> f64 {
    x * x * model.rate(2.0)
}

#[test]
fn a_parameter_of_constants() {
    let table = Table(vec![1.0, 2.0, 4.0]);
    check_exact(
        |p| decay(&table, p[0]),
        |p| decay_grad(&table, p[0]),
        |p| vec![8.0 * p[0]],
        &[&[1.5], &[-2.0]],
    );
}

mod one {
    #[retrograde::gradient]
    pub trait Law {
        fn law(&self, x: f64) -> f64;
    }
}

mod other {
    #[retrograde::gradient]
    pub trait Law {
        fn law(&self, x: f64) -> f64;
    }
}

#[gradient]
impl one::Law for Spring {
    fn law(&self, x: f64) -> f64 {
        self.stiffness * x
    }
}

/// By name and types it looks as if it had the derivative of the other one.
impl other::Law for Spring {
    fn law(&self, x: f64) -> f64 {
        self.stiffness * x * x
    }
}

#[gradient]
fn of_one<L: one::Law>(law: &L, x: f64) -> f64 {
    law.law(x)
}

#[gradient]
fn of_other<L: other::Law>(law: &L, x: f64) -> f64 {
    law.law(x)
}

#[test]
fn two_traits_of_one_name() {
    let spring = Spring { stiffness: 3.0 };
    assert_eq!(of_one_grad(&spring, 2.0).0, 6.0);
    let message = crate::support::panic_message(|| {
        let _ = of_other_grad(&spring, 2.0);
    });
    assert!(
        message.contains("other::Law>::law` has no derivative"),
        "{message}"
    );
}
