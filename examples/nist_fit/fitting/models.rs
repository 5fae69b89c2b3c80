//! The models of the 27 problems: plain Rust functions under `#[gradient]`.
//!
//! `b` holds the parameters, numbered from 0 where the archive numbers from 1; the predictors are
//! constants. `#[gradient]` adds `<model>_grad`, which returns the value and the gradient with
//! respect to `b`: one row of the Jacobian.

use std::f64::consts::PI;

use retrograde::gradient;

use super::archive::Problem;
use super::error::Error;

#[gradient]
fn misra1a(b: &[f64; 2], #[constant] x: f64) -> f64 {
    b[0] * (1.0 - (-b[1] * x).exp())
}

#[gradient]
fn misra1b(b: &[f64; 2], #[constant] x: f64) -> f64 {
    b[0] * (1.0 - (1.0 + b[1] * x / 2.0).powi(-2))
}

#[gradient]
fn misra1c(b: &[f64; 2], #[constant] x: f64) -> f64 {
    b[0] * (1.0 - (1.0 + 2.0 * b[1] * x).sqrt().recip())
}

#[gradient]
fn misra1d(b: &[f64; 2], #[constant] x: f64) -> f64 {
    let bx = b[1] * x;
    b[0] * bx / (1.0 + bx)
}

/// `Chwirut1` and `Chwirut2`.
#[gradient]
fn chwirut(b: &[f64; 3], #[constant] x: f64) -> f64 {
    (-b[0] * x).exp() / (b[1] + b[2] * x)
}

/// `Lanczos1` to `Lanczos3`: three decaying exponentials.
#[gradient]
fn lanczos(b: &[f64; 6], #[constant] x: f64) -> f64 {
    let mut sum = 0.0;
    for term in 0..3 {
        sum += b[2 * term] * (-b[2 * term + 1] * x).exp();
    }
    sum
}

/// A Gaussian peak, as `Gauss1` to `Gauss3` have two of.
#[gradient]
fn peak(height: f64, centre: f64, width: f64, #[constant] x: f64) -> f64 {
    let distance = (x - centre) / width;
    height * (-distance * distance).exp()
}

/// `Gauss1` to `Gauss3`: two peaks on a decaying baseline.
#[gradient]
fn gauss(b: &[f64; 8], #[constant] x: f64) -> f64 {
    let baseline = b[0] * (-b[1] * x).exp();
    baseline + peak(b[2], b[3], b[4], x) + peak(b[5], b[6], b[7], x)
}

#[gradient]
fn danwood(b: &[f64; 2], #[constant] x: f64) -> f64 {
    b[0] * x.powf(b[1])
}

/// `c[0] + c[1] x + c[2] x² + …` by Horner's rule.
#[gradient]
fn polynomial(c: &[f64], #[constant] x: f64) -> f64 {
    let mut value = 0.0;
    for k in (0..c.len()).rev() {
        value = value * x + c[k];
    }
    value
}

/// Quadratic over quadratic.
#[gradient]
fn kirby2(b: &[f64; 5], #[constant] x: f64) -> f64 {
    polynomial(&b[..3], x) / (1.0 + x * polynomial(&b[3..], x))
}

/// Cubic over cubic, the powers of `x` built up term by term.
#[gradient]
fn hahn1(b: &[f64; 7], #[constant] x: f64) -> f64 {
    let mut numerator = b[0];
    let mut denominator = 1.0;
    let mut power = 1.0;
    for k in 1..4 {
        power *= x;
        numerator += b[k] * power;
        denominator += b[k + 3] * power;
    }
    numerator / denominator
}

/// Predicts the logarithm of the response.
#[gradient]
fn nelson(b: &[f64; 3], #[constant] time: f64, #[constant] temperature: f64) -> f64 {
    b[0] - b[1] * time * (-b[2] * temperature).exp()
}

#[gradient]
fn mgh17(b: &[f64; 5], #[constant] x: f64) -> f64 {
    b[0] + b[1] * (-x * b[3]).exp() + b[2] * (-x * b[4]).exp()
}

#[gradient]
fn roszman1(b: &[f64; 4], #[constant] x: f64) -> f64 {
    b[0] - b[1] * x - (b[2] / (x - b[3])).atan() / PI
}

/// A cycle of the given period in months: cosine and sine with their amplitudes.
#[gradient]
fn cycle(period: f64, cosine: f64, sine: f64, #[constant] month: f64) -> f64 {
    let (s, c) = (2.0 * PI * month / period).sin_cos();
    cosine * c + sine * s
}

/// A constant, the annual cycle and two cycles of unknown periods.
#[gradient]
fn enso(b: &[f64; 9], #[constant] month: f64) -> f64 {
    let mut pressure = b[0] + cycle(12.0, b[1], b[2], month);
    for k in [3, 6] {
        pressure += cycle(b[k], b[k + 1], b[k + 2], month);
    }
    pressure
}

#[gradient]
fn mgh09(b: &[f64; 4], #[constant] x: f64) -> f64 {
    let square = x * x;
    b[0] * (square + x * b[1]) / (square + x * b[2] + b[3])
}

#[gradient]
fn thurber(b: &[f64; 7], #[constant] x: f64) -> f64 {
    let numerator = b[0] + x * (b[1] + x * (b[2] + x * b[3]));
    let denominator = 1.0 + x * (b[4] + x * (b[5] + x * b[6]));
    numerator / denominator
}

/// The same curve as Misra1a's, written with `exp_m1`.
#[gradient]
fn boxbod(b: &[f64; 2], #[constant] x: f64) -> f64 {
    -b[0] * (-b[1] * x).exp_m1()
}

#[gradient]
fn rat42(b: &[f64; 3], #[constant] x: f64) -> f64 {
    b[0] / (1.0 + (b[1] - b[2] * x).exp())
}

#[gradient]
fn mgh10(b: &[f64; 3], #[constant] x: f64) -> f64 {
    b[0] * (b[1] / (x + b[2])).exp()
}

#[gradient]
fn eckerle4(b: &[f64; 3], #[constant] x: f64) -> f64 {
    let [area, width, centre] = *b;
    area / width * (-0.5 * ((x - centre) / width).powi(2)).exp()
}

#[gradient]
fn rat43(b: &[f64; 4], #[constant] x: f64) -> f64 {
    b[0] / (1.0 + (b[1] - b[2] * x).exp()).powf(1.0 / b[3])
}

#[gradient]
fn bennett5(b: &[f64; 3], #[constant] x: f64) -> f64 {
    b[0] * (b[1] + x).powf(-1.0 / b[2])
}

/// Value of a model at parameters `b` and predictors `x`; `None` if their numbers do not fit.
type Value = Box<dyn Fn(&[f64], &[f64]) -> Option<f64>>;

/// Value and gradient with respect to `b`.
type Gradient = Box<dyn Fn(&[f64], &[f64]) -> Option<(f64, Vec<f64>)>>;

/// A model, ready for data of any problem that uses it.
pub(crate) struct Model {
    /// The problem, which names the data file too.
    pub(crate) problem: &'static str,
    /// The model as written.
    pub(crate) value: Value,
    /// What `#[gradient]` made of it.
    pub(crate) gradient: Gradient,
    /// What is fitted: the response as measured, or its logarithm.
    pub(crate) response: Response,
    parameters: usize,
    predictors: usize,
}

/// What a model predicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Response {
    /// The measured response.
    Measured,
    /// Its natural logarithm.
    Logarithm,
}

impl Response {
    /// The fitted quantity for a measured `y`.
    pub(crate) fn of(self, y: f64) -> f64 {
        match self {
            Response::Measured => y,
            Response::Logarithm => y.ln(),
        }
    }
}

impl Model {
    /// A model of one predictor.
    fn curve<const N: usize>(
        problem: &'static str,
        value: fn(&[f64; N], f64) -> f64,
        gradient: fn(&[f64; N], f64) -> (f64, [f64; N]),
    ) -> Model {
        Model {
            problem,
            value: Box::new(move |b, x| Some(value(b.try_into().ok()?, *x.first()?))),
            gradient: Box::new(move |b, x| {
                let (value, row) = gradient(b.try_into().ok()?, *x.first()?);
                Some((value, row.to_vec()))
            }),
            response: Response::Measured,
            parameters: N,
            predictors: 1,
        }
    }

    /// Nelson's model, the only one of two predictors and of a logarithm.
    fn nelson() -> Model {
        Model {
            problem: "Nelson",
            value: Box::new(|b, x| Some(nelson(b.try_into().ok()?, *x.first()?, *x.get(1)?))),
            gradient: Box::new(|b, x| {
                let (value, row) = nelson_grad(b.try_into().ok()?, *x.first()?, *x.get(1)?);
                Some((value, row.to_vec()))
            }),
            response: Response::Logarithm,
            parameters: 3,
            predictors: 2,
        }
    }

    /// Checks the model against its problem.
    ///
    /// # Errors
    ///
    /// When the file has another number of parameters or predictors than the model.
    pub(crate) fn check(&self, problem: &Problem) -> Result<(), Error> {
        let counts = [
            ("parameters", self.parameters, problem.certified.len()),
            ("predictors", self.predictors, problem.predictors.len()),
        ];
        match counts.into_iter().find(|(_, model, file)| model != file) {
            None => Ok(()),
            Some((what, model, file)) => Err(Error::Mismatch {
                problem: problem.name.clone(),
                what: format!("the model has {model} {what}, the file {file}"),
            }),
        }
    }
}

/// All models, in the archive's order: lower, average and higher level of difficulty.
pub(crate) fn all() -> Vec<Model> {
    vec![
        Model::curve("Misra1a", misra1a, misra1a_grad),
        Model::curve("Chwirut2", chwirut, chwirut_grad),
        Model::curve("Chwirut1", chwirut, chwirut_grad),
        Model::curve("Lanczos3", lanczos, lanczos_grad),
        Model::curve("Gauss1", gauss, gauss_grad),
        Model::curve("Gauss2", gauss, gauss_grad),
        Model::curve("DanWood", danwood, danwood_grad),
        Model::curve("Misra1b", misra1b, misra1b_grad),
        Model::curve("Kirby2", kirby2, kirby2_grad),
        Model::curve("Hahn1", hahn1, hahn1_grad),
        Model::nelson(),
        Model::curve("MGH17", mgh17, mgh17_grad),
        Model::curve("Lanczos1", lanczos, lanczos_grad),
        Model::curve("Lanczos2", lanczos, lanczos_grad),
        Model::curve("Gauss3", gauss, gauss_grad),
        Model::curve("Misra1c", misra1c, misra1c_grad),
        Model::curve("Misra1d", misra1d, misra1d_grad),
        Model::curve("Roszman1", roszman1, roszman1_grad),
        Model::curve("ENSO", enso, enso_grad),
        Model::curve("MGH09", mgh09, mgh09_grad),
        Model::curve("Thurber", thurber, thurber_grad),
        Model::curve("BoxBOD", boxbod, boxbod_grad),
        Model::curve("Rat42", rat42, rat42_grad),
        Model::curve("MGH10", mgh10, mgh10_grad),
        Model::curve("Eckerle4", eckerle4, eckerle4_grad),
        Model::curve("Rat43", rat43, rat43_grad),
        Model::curve("Bennett5", bennett5, bennett5_grad),
    ]
}
