//! Results under a name: aliases of `Result` that another module of the package declares, or the same one.

use std::hint::black_box;

use std::io::Result as IoResult;

use retrograde::{Differentiable, Record, gradient};

use super::outcomes::{Of, Taken, compare};
use super::{Fault, MathResult, Paired, Res, Turned};

/// Without parameters, of this module.
type Answer = Result<f64, String>;

#[gradient]
fn log(x: f64) -> MathResult<f64> {
    if x <= 0.0 {
        return Err(Fault::Negative(x));
    }
    Ok(x.ln())
}

#[gradient]
fn asked(x: &[f64]) -> MathResult<f64> {
    let first = log(x[0])?;
    let scale = match log(x[1] + 1.0) {
        Ok(v) => v,
        Err(_) => return Err(Fault::Small),
    };
    if scale < 0.1 {
        return Err(Fault::Small);
    }
    let third = log(x[2]).map_err(|_| Fault::Small)?;
    Ok(first * scale + third * x[3])
}

#[test]
fn asked_has_its_derivative() {
    compare(|x| asked(x).value(), |x| asked_grad(x).outcome());
}

#[gradient]
fn by_path(x: &[f64]) -> super::MathResult<f64> {
    let logs = x
        .iter()
        .map(|v| log(v + 0.5))
        .collect::<MathResult<Vec<f64>>>()?;
    let twice = |v: f64| -> MathResult<f64> {
        let v = log(v)?;
        Ok(2.0 * v)
    };
    Ok(logs.iter().map(|v| v * v).sum::<f64>() + twice(x[0])?)
}

#[test]
fn by_path_has_its_derivative() {
    compare(|x| by_path(x).value(), |x| by_path_grad(x).outcome());
}

#[gradient]
fn without(x: &[f64]) -> Answer {
    let all: MathResult<f64> = log(x[0]);
    let first = all.map_err(|e| e.to_string())?;
    if first > 0.6 {
        Ok(first * x[1])
    } else {
        Err("small".to_owned())
    }
}

#[test]
fn without_has_its_derivative() {
    compare(|x| without(x).value(), |x| without_grad(x).outcome());
}

#[gradient]
fn turned(x: &[f64]) -> Turned<u32, f64> {
    let half: Res<f64> = if x[0] > 1.0 {
        Ok(x[0] * x[1])
    } else {
        Err(Fault::Small)
    };
    match half {
        Ok(v) => Ok(v * x[2]),
        Err(_) => Err(7),
    }
}

#[gradient]
fn of_turned(x: &[f64]) -> f64 {
    match turned(x) {
        Ok(v) => v * v,
        Err(code) => x[3] * f64::from(code),
    }
}

#[test]
fn turned_has_its_derivative() {
    compare(|x| turned(x).value(), |x| turned_grad(x).outcome());
    compare(|x| of_turned(x).value(), |x| of_turned_grad(x).outcome());
}

#[gradient]
fn both(x: &[f64]) -> Paired<f64> {
    Ok([log(x[0])?, x[1] * x[2]])
}

#[gradient]
fn of_both(x: &[f64]) -> Res<f64, Fault> {
    let [a, b] = both(x)?;
    Ok(a * b)
}

#[test]
fn both_has_its_derivative() {
    compare(|x| of_both(x).value(), |x| of_both_grad(x).outcome());
}

#[gradient]
trait Law {
    fn density(&self, x: f64) -> MathResult<f64>;

    fn twice(&self, x: f64) -> MathResult<f64> {
        Ok(2.0 * self.density(x)?)
    }
}

#[derive(Differentiable, Clone)]
struct Decay {
    rate: f64,
}

#[gradient]
impl Decay {
    fn half(&self) -> MathResult<f64> {
        Ok(log(self.rate)? / 2.0)
    }
}

#[gradient]
impl Law for Decay {
    fn density(&self, x: f64) -> MathResult<f64> {
        if x < 0.5 {
            return Err(Fault::Small);
        }
        Ok(self.rate * (-self.rate * x).exp() + self.half()?)
    }
}

#[gradient]
fn of_law(x: &[f64]) -> MathResult<f64> {
    let law = Decay { rate: x[0] };
    Ok(law.twice(x[1])? * law.density(x[2])?)
}

#[test]
fn of_law_has_its_derivative() {
    compare(|x| of_law(x).value(), |x| of_law_grad(x).outcome());
}

#[gradient]
fn generic<T: num_traits::Float>(x: T, y: T) -> MathResult<T> {
    if y < T::zero() {
        return Err(Fault::Small);
    }
    Ok(x * y.sqrt())
}

#[test]
fn generic_has_its_derivative() {
    let (x, y) = (black_box(1.5), black_box(4.0));
    assert_eq!(generic_grad(x, y), Ok((3.0, (2.0, 0.375))));
    assert_eq!(generic_grad(1.0_f32, 4.0), Ok((2.0, (2.0, 0.25))));
    assert_eq!(generic_grad(x, -1.0), Err(Fault::Small));
}

/// What another crate may call so.
mod units {
    pub(crate) use std::fmt::Error;
    pub(crate) type UnitResult<T> = Result<T, Error>;
}

/// Under a name that an import gives to that of another crate.
#[gradient]
fn of_other_crate(x: &[f64]) -> IoResult<f64> {
    if x[0] < 0.5 {
        return Err(std::io::Error::other("too small"));
    }
    let mut sum = 0.0;
    for v in x {
        sum += v.cos() * x[0];
    }
    Ok(sum)
}

#[gradient]
fn passed_on(x: &[f64]) -> IoResult<f64> {
    of_other_crate(&x[1..])
}

#[gradient]
fn by_path_of_other_crate(x: &[f64]) -> units::UnitResult<f64> {
    let passed = passed_on(x).map_err(|_| std::fmt::Error)?;
    let scaled = |v: f64| -> units::UnitResult<f64> { Ok(v * passed) };
    Ok(scaled(x[2])? + of_other_crate(x).unwrap_or(0.25))
}

#[test]
fn results_of_other_crates_have_their_derivatives() {
    compare(
        |x| of_other_crate(x).value(),
        |x| of_other_crate_grad(x).outcome(),
    );
    compare(|x| passed_on(x).value(), |x| passed_on_grad(x).outcome());
    compare(
        |x| by_path_of_other_crate(x).value(),
        |x| by_path_of_other_crate_grad(x).outcome(),
    );
}

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct Tensor {
    shape: Vec<usize>,
    data: Vec<f64>,
}

/// The type of a number that counts is the one that is written, where the fields are not seen.
#[gradient]
fn rows_of(tensor: &Tensor, axis: usize) -> Result<Tensor, String> {
    let outer: usize = tensor.shape[..axis].iter().product();
    let all: usize = tensor.shape.iter().sum();
    let mut data = tensor.data.clone();
    for i in 0..outer {
        data[i] = tensor.data[i] * tensor.data[i] * all as f64;
    }
    Ok(Tensor {
        shape: tensor.shape.clone(),
        data,
    })
}

#[gradient]
fn sum_of_rows(x: &[f64]) -> Result<f64, String> {
    let tensor = Tensor {
        shape: vec![2, 3],
        data: x.to_vec(),
    };
    let rows = rows_of(&tensor, 1)?;
    Ok(rows.data.iter().sum::<f64>() * x[5])
}

#[test]
fn sum_of_rows_has_its_derivative() {
    compare(
        |x| sum_of_rows(x).value(),
        |x| sum_of_rows_grad(x).outcome(),
    );
}
