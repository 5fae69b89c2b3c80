//! Functions of a slice that may have no value: what they yield, and the gradient, beside differences.

use std::fmt;
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};

use retrograde::{Tape, gradient};

/// What a function yields, as far as there is a value.
pub(crate) trait Of {
    fn value(self) -> Option<f64>;
}

impl Of for f64 {
    fn value(self) -> Option<f64> {
        Some(self)
    }
}

impl Of for Option<f64> {
    fn value(self) -> Option<f64> {
        self
    }
}

impl<E> Of for Result<f64, E> {
    fn value(self) -> Option<f64> {
        self.ok()
    }
}

/// What its gradient function yields.
pub(crate) trait Taken {
    fn outcome(self) -> Option<(f64, Vec<f64>)>;
}

impl Taken for (f64, Vec<f64>) {
    fn outcome(self) -> Option<(f64, Vec<f64>)> {
        Some(self)
    }
}

impl<E> Taken for Result<(f64, Vec<f64>), E> {
    fn outcome(self) -> Option<(f64, Vec<f64>)> {
        self.ok()
    }
}

/// The value and the adjoint of a function that yields an `Option`, by its `f_adjoint`.
pub(crate) fn adjoint(
    adjoint: impl Fn(&mut Tape, &[f64], &mut [f64], Option<f64>) -> Option<f64>,
    x: &[f64],
) -> Option<(f64, Vec<f64>)> {
    let mut slopes = vec![0.0; x.len()];
    let value = adjoint(&mut Tape::new(), x, &mut slopes, Some(1.0));
    value.map(|value| (value, slopes))
}

const INPUTS: [[f64; 6]; 4] = [
    [0.7, 1.3, 2.1, 0.4, 1.9, 0.85],
    [-0.6, 0.9, -1.7, 2.2, 0.3, -0.45],
    [3.1, 2.7, 1.6, 0.75, 0.2, -1.3],
    [1.1, 1.2, 1.4, 1.7, 2.3, 3.9],
];

/// Compares value and gradient with the function and its differences. Where there is no value, or a panic, there must
/// be none, or one.
#[track_caller]
pub(crate) fn compare(
    primal: impl Fn(&[f64]) -> Option<f64>,
    gradient: impl Fn(&[f64]) -> Option<(f64, Vec<f64>)>,
) {
    let mut values = 0;
    for x in INPUTS {
        let run = |x: &[f64]| catch_unwind(AssertUnwindSafe(|| primal(black_box(x))));
        let got = catch_unwind(AssertUnwindSafe(|| gradient(black_box(&x))));
        match (run(&x), got) {
            (Err(_), Err(_)) | (Ok(None), Ok(None)) => {}
            (Ok(Some(value)), Ok(Some((got, slopes)))) => {
                values += 1;
                super::support::assert_same_value(got, value);
                for i in 0..x.len() {
                    let slope = |h: f64| {
                        let (mut up, mut down) = (x, x);
                        up[i] += h;
                        down[i] -= h;
                        let [up, down] = [up, down].map(|x| primal(&x).expect("a value nearby"));
                        (up - down) / (2.0 * h)
                    };
                    let want = (4.0 * slope(1e-4) - slope(2e-4)) / 3.0;
                    super::support::assert_close(&[slopes[i]], &[want], 1e-8, &x);
                }
            }
            (value, got) => panic!("the function: {value:?}, the gradient: {got:?}, at {x:?}"),
        }
    }
    assert!(values > 0, "no input has a value");
}

/// An error that can neither be copied nor cloned nor recorded.
#[derive(Debug, PartialEq)]
#[allow(missing_docs, reason = "their names say it")]
pub enum Fault {
    Negative(f64),
    Missing,
    Other(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl std::error::Error for Fault {}

/// A square root with a domain.
#[gradient]
pub fn root(x: f64) -> Result<f64, Fault> {
    if x < 0.0 {
        return Err(Fault::Negative(x));
    }
    Ok(x.sqrt())
}

/// A logarithm with a domain.
#[gradient]
pub fn logo(x: f64) -> Option<f64> {
    if x > 0.0 { Some(x.ln()) } else { None }
}
