//! Methods that return `&mut self`, each with the attribute of its own.

use num_traits::Float;
use retrograde::{Differentiable, Record, Tape, gradient};

use crate::support::check;

#[derive(Clone, Differentiable, Record)]
struct Controller {
    gains: [f64; 2],
    limit: f64,
    sum: f64,
}

impl Controller {
    #[gradient]
    fn gain(&mut self, by: f64, limit: impl Into<f64>) -> &mut Self {
        self.gains[0] *= by;
        self.limit = limit.into();
        self
    }

    #[gradient]
    pub fn reset(&mut self) -> &mut Self {
        for k in 0..2 {
            if self.gains[k] > self.limit {
                self.gains[k] = self.limit * self.gains[k].sqrt();
            }
        }
        self.sum = self.gains.iter().sum();
        self
    }

    #[gradient]
    fn output(&mut self, error: f64) -> f64 {
        self.gain(error, 1.5);
        self.reset();
        self.sum * error
    }
}

#[derive(Clone, Differentiable, Record)]
struct Scaled<T: Float> {
    by: T,
    limit: T,
}

impl<T: Float> Scaled<T> {
    #[gradient]
    fn set(&mut self, by: impl Into<T>, limit: T) -> &mut Self {
        self.by = self.by * by.into();
        self.limit = limit;
        self
    }
}

#[gradient]
fn controlled(gain: f64, other: f64, error: f64) -> f64 {
    let mut controller = Controller {
        gains: [gain, other],
        limit: 1.0,
        sum: 0.0,
    };
    let first = controller.output(error);
    first * controller.output(0.5 * error) + controller.gains[1]
}

#[gradient]
fn scaled(by: f64, limit: f64) -> f64 {
    let mut scaled = Scaled { by, limit: 2.0 };
    scaled.set(3.0 * by, limit);
    scaled.by * scaled.limit
}

#[test]
fn called_for_their_effect() {
    check(
        |p| controlled(p[0], p[1], p[2]),
        |p| {
            let (value, (dgain, dother, derror)) = controlled_grad(p[0], p[1], p[2]);
            (value, [dgain, dother, derror])
        },
        &[&[0.5, 1.25, 0.75], &[2.5, 3.0, 1.5]],
    );
    check(
        |p| scaled(p[0], p[1]),
        |p| {
            let (value, (dby, dlimit)) = scaled_grad(p[0], p[1]);
            (value, [dby, dlimit])
        },
        &[&[0.5, 1.25]],
    );
}

/// The adjoint of the receiver is in-out, and nothing comes back.
#[test]
fn adjoints_by_hand() {
    let mut controller = Controller {
        gains: [2.0, 0.5],
        limit: 9.0,
        sum: 0.0,
    };
    let mut bar = controller.zero_tangent();
    (bar.gains, bar.limit) = ([1.0, 1.0], 1.0);
    let (mut dby, mut dlimit) = (0.0, 0.0);
    controller.gain_adjoint(
        &mut Tape::new(),
        &mut bar,
        3.0,
        &mut dby,
        1.5,
        &mut dlimit,
        (),
    );
    assert_eq!((controller.gains, controller.limit), ([6.0, 0.5], 1.5));
    assert_eq!(
        (bar.gains, bar.limit, dby, dlimit),
        ([3.0, 1.0], 0.0, 2.0, 1.0)
    );
}

impl Controller {
    fn made(k: f64) -> Self {
        Controller {
            gains: [k, 2.0 * k],
            limit: 3.0,
            sum: 0.0,
        }
    }
}

#[gradient]
fn one_behind_the_other(start: &Controller, x: f64) -> f64 {
    let mut c = start.clone();
    c.gain(x, 2.0).reset().gain(x * x, 1.0);
    for _ in 0..2 {
        c.gain(x, 1.5).reset();
    }
    c.gain(x, 0.5).output(x)
}

#[gradient]
fn one_by_one(start: &Controller, x: f64) -> f64 {
    let mut c = start.clone();
    c.gain(x, 2.0);
    c.reset();
    c.gain(x * x, 1.0);
    for _ in 0..2 {
        c.gain(x, 1.5);
        c.reset();
    }
    c.gain(x, 0.5);
    c.output(x)
}

/// A chain that begins with a value, and one on a constant.
#[gradient]
fn from_a_value(start: &Controller, x: f64) -> f64 {
    let mut plain = Controller::made(2.0);
    plain.gain(1.5, 0.5).reset();
    start.clone().gain(x, 2.0).reset().output(plain.sum)
}

#[test]
fn chains() {
    for (k, x) in [(1.5, 0.75), (4.0, 1.25), (-0.5, 2.0)] {
        let start = Controller::made(k);
        let (value, (d, dx)) = one_behind_the_other_grad(&start, x);
        assert_eq!(value, one_behind_the_other(&start, x));
        let (same, (expected, of_x)) = one_by_one_grad(&start, x);
        assert_eq!(
            (value, d.gains, d.limit, dx),
            (same, expected.gains, expected.limit, of_x)
        );
    }
    let (start, x, h) = (Controller::made(4.0), 1.25, 1e-6);
    let (value, (d, dx)) = from_a_value_grad(&start, x);
    assert_eq!(value, from_a_value(&start, x));
    let moved = |h: f64| {
        let mut start = start.clone();
        start.gains[1] += h;
        from_a_value(&start, x)
    };
    assert!((d.gains[1] - (moved(h) - moved(-h)) / (2.0 * h)).abs() < 1e-7);
    let along = (from_a_value(&start, x + h) - from_a_value(&start, x - h)) / (2.0 * h);
    assert!((dx - along).abs() < 1e-7, "{dx} {along}");
}
