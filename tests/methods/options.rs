//! Methods that return an option or a result, and what is done with it where they are called.

use super::support::checked_by_name;
use retrograde::{Differentiable, Record, gradient};

const POINTS: &[&[f64]] = &[&[0.7, -1.3, 2.1], &[-0.2, 0.9, 0.3], &[1.6, 0.5, -0.8]];

#[derive(Clone, Copy, Debug, Differentiable, Record)]
struct Sample {
    n: u64,
    m: f64,
}

#[derive(Clone, Copy, Debug, Differentiable, Record)]
struct Both {
    first: Sample,
    second: Sample,
}

#[gradient]
impl Sample {
    fn variance(&self) -> Option<f64> {
        if self.n < 2 {
            None
        } else {
            Some(self.m / (self.n - 1) as f64)
        }
    }

    fn checked(&self) -> Result<f64, String> {
        if self.m < 0.0 {
            Err("negative".into())
        } else {
            Ok(self.m * self.m)
        }
    }

    fn of(m: f64) -> Option<Sample> {
        if m > -9.0 {
            Some(Sample { n: 3, m })
        } else {
            None
        }
    }

    fn power(&self, n: i32) -> Option<f64> {
        let v = self.variance()?;
        Some(v.powi(n))
    }
}

#[gradient]
fn asked(x: &[f64]) -> f64 {
    let s = Sample { n: 3, m: x[0] };
    let few = Sample { n: 1, m: x[1] };
    let a = s.variance().unwrap_or(f64::NAN) + few.variance().unwrap_or(x[2]);
    let b = s.checked().unwrap_or(x[1]) + s.variance().unwrap();
    let c = if let Some(v) = s.power(2) { v } else { 0.0 };
    let d = match few.checked() {
        Ok(v) => v * 2.0,
        Err(_) => x[2],
    };
    let e = s.variance().unwrap_or_default() + few.power(3).unwrap_or_else(|| x[2] * x[0]);
    let f = s.power(2).map_or(0.0, |v| v.sin()) + few.variance().map(|v| v * 2.0).unwrap_or(x[1]);
    let g = Sample::of(x[1]).unwrap().m;
    a + b * c + d + e + f * g
}

#[gradient]
fn fields(x: &[f64]) -> f64 {
    let both = Both {
        first: Sample { n: 3, m: x[0] },
        second: Sample { n: 1, m: x[1] },
    };
    let some = both.first.variance().is_some() && both.second.variance().is_none();
    both.first.variance().unwrap_or(1.0) * both.second.checked().unwrap_or(x[2])
        + f64::from(u8::from(some))
}

#[gradient]
fn through(s: &Sample, x: f64) -> Option<f64> {
    let v = s.variance()?;
    let w = s.power(2).filter(|w| *w > 0.1)?;
    Some(v * w * x)
}

#[gradient]
fn passed_on(x: &[f64]) -> f64 {
    through(&Sample { n: 2, m: x[0] }, x[1]).unwrap_or(x[2])
}

checked_by_name! {
    asked asked_grad
    fields fields_grad
    passed_on passed_on_grad
}
