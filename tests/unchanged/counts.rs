//! Methods that count in another type than `usize`, and conversions that std does not have.

use retrograde::{Differentiable, Record, gradient};

use crate::support::{assert_same_value, check, check_exact};
use crate::types::{Angle, Limits, Mean};

/// What it stands for is not seen.
type MeanType = Mean;

#[derive(Clone, Debug, Differentiable, Record)]
struct Variance {
    avg: MeanType,
    sum: f64,
}

#[gradient]
impl Variance {
    fn population(&self) -> f64 {
        let n = self.avg.len();
        if n == 0 {
            return f64::NAN;
        }
        self.sum / n as f64
    }

    fn sample(&self) -> f64 {
        if self.avg.count() < 2 {
            return 0.0 * self.sum;
        }
        self.sum * self.avg.mean / (self.avg.count() - 1) as f64 + f64::from(self.avg.capacity())
    }

    fn add(&mut self, x: f64) {
        let before = self.avg.mean;
        self.avg.add(x);
        // What counts is overwritten by the next call.
        let n = self.avg.len();
        self.sum += (x - before) * (x - self.avg.mean) * n as f64;
    }
}

#[gradient]
fn spread(x: &[f64]) -> f64 {
    let mut v = Variance {
        avg: Mean { mean: 0.0, n: 0 },
        sum: 0.0,
    };
    for t in x {
        v.add(*t);
    }
    v.population() * v.sample() + v.avg.len() as f64
}

fn variance(n: u64, x: &[f64]) -> Variance {
    Variance {
        avg: Mean { mean: x[0], n },
        sum: x[1],
    }
}

const TWO: &[&[f64]] = &[&[1.5, -0.7], &[0.2, 3.0], &[-4.0, 1.0]];

#[test]
fn integers_of_any_type_count() {
    for n in [1, 2, 7, 1 << 40] {
        let primal = |x: &[f64]| variance(n, x).population();
        let gradient = |x: &[f64]| {
            let (value, dv) = variance(n, x).population_grad();
            (value, vec![dv.avg.mean, dv.sum])
        };
        check_exact(primal, gradient, |_| vec![0.0, 1.0 / n as f64], TWO);
    }
    let (value, dv) = variance(0, TWO[0]).population_grad();
    assert!(value.is_nan());
    assert_eq!((dv.avg.mean, dv.sum), (0.0, 0.0));
    let (value, dv) = variance(5, TWO[0]).sample_grad();
    assert_same_value(value, 1.5 * -0.7 / 4.0 + 3.0);
    assert!((dv.avg.mean + 0.7 / 4.0).abs() < 1e-15 && (dv.sum - 1.5 / 4.0).abs() < 1e-15);
}

#[test]
fn counts_that_change_in_a_loop() {
    check(
        spread,
        spread_grad,
        &[&[1.0, 2.5, -0.5, 4.0], &[0.3, 0.1], &[-1.0, 2.0, 0.5]],
    );
    assert_eq!(spread_grad(&[2.0]).1.len(), 1);
}

#[derive(Clone, Copy, Debug, Differentiable, Record)]
struct Pose {
    heading: Angle,
    x: f64,
}

#[gradient]
impl Pose {
    fn measure(&self) -> f64 {
        self.heading.as_radians().sin() * self.x
            + self.heading.into_degrees() * self.heading.as_turns()
            + self.heading.into_array()[1]
    }
}

#[test]
fn conversions_of_ones_own() {
    let primal = |x: &[f64]| {
        let heading = Angle { radians: x[0] };
        Pose { heading, x: x[1] }.measure()
    };
    let gradient = |x: &[f64]| {
        let heading = Angle { radians: x[0] };
        let (value, pose) = Pose { heading, x: x[1] }.measure_grad();
        (value, vec![pose.heading.radians, pose.x])
    };
    check(primal, gradient, TWO);
}

#[derive(Clone, Debug, Differentiable, Record)]
struct Plan {
    limits: Option<Limits>,
}

#[gradient]
impl Plan {
    fn kept(&self, values: &Vec<f64>) -> f64 {
        let kept = match &self.limits {
            Some(limits) => limits.filter(&values),
            None => values.clone(),
        };
        kept.iter().map(|v| v * v).sum()
    }
}

#[test]
fn a_method_called_filter_that_takes_no_function() {
    let plan = |x: &[f64]| Plan {
        limits: Some(Limits {
            upper: x[2..].to_vec(),
        }),
    };
    let primal = |x: &[f64]| plan(x).kept(&x[..2].to_vec());
    let gradient = |x: &[f64]| {
        let (value, (plan, values)) = plan(x).kept_grad(&x[..2].to_vec());
        (value, [values, plan.limits.unwrap().upper].concat())
    };
    check(
        primal,
        gradient,
        &[&[1.0, 5.0, 2.0, 3.0], &[0.5, -1.0, 0.7, 2.0]],
    );
    let (value, (dplan, dvalues)) = Plan { limits: None }.kept_grad(&vec![3.0]);
    assert_eq!(
        (value, dvalues, dplan.limits.is_none()),
        (9.0, vec![6.0], true)
    );
}

/// As `num-traits` has it.
trait ToPrimitive {
    fn to_f64(&self) -> Option<f64>;
    fn as_float(self) -> f64;
}

impl ToPrimitive for u64 {
    fn to_f64(&self) -> Option<f64> {
        Some(*self as f64)
    }
    fn as_float(self) -> f64 {
        self as f64
    }
}

#[derive(Clone, Debug, Differentiable)]
struct Moments {
    sum: f64,
    n: u64,
}

#[gradient]
impl Moments {
    fn variance(&self) -> f64 {
        if self.n < 2 {
            return f64::NAN;
        }
        self.sum / (self.n - 1).to_f64().unwrap()
    }
}

#[gradient]
fn of_a_variable(x: f64, n: u64) -> f64 {
    let count = n.as_float();
    let fewer = n.saturating_sub(1).max(1).as_float();
    (x / count) * x + count * fewer - x / n.to_f64().unwrap()
}

/// A method of a trait on an integer may yield a float, which what it is calculated with is, too.
#[test]
fn integers_as_floats() {
    for n in [2, 3, 1 << 50] {
        let primal = |x: &[f64]| Moments { sum: x[0], n }.variance();
        let gradient = |x: &[f64]| {
            let (value, d) = Moments { sum: x[0], n }.variance_grad();
            (value, d.sum)
        };
        check_exact(
            primal,
            gradient,
            |_| vec![1.0 / (n - 1) as f64],
            &[&[3.0], &[-0.7]],
        );
        let primal = |x: &[f64]| of_a_variable(x[0], n);
        let gradient = |x: &[f64]| of_a_variable_grad(x[0], n);
        let want = |x: &[f64]| vec![(2.0 * x[0] - 1.0) / n as f64];
        check_exact(primal, gradient, want, &[&[3.0], &[-0.7], &[0.0]]);
    }
}
