//! The models, and where their fits start.

use std::f64::consts::{LN_2, PI};

use retrograde::gradient;

/// A curve with parameters.
#[derive(Debug)]
pub(crate) struct Model {
    /// What it is asked for by.
    pub(crate) name: &'static str,
    /// In words of mathematics, with the names of the parameters.
    pub(crate) formula: &'static str,
    /// Names of the parameters, in their order.
    pub(crate) parameters: &'static [&'static str],
    /// Its value: parameters, abscissa.
    pub(crate) value: fn(&[f64], f64) -> f64,
    /// Its value, and the gradient with respect to the parameters.
    pub(crate) gradient: fn(&[f64], f64) -> (f64, Vec<f64>),
    /// Parameters from which a fit to these points, ordered by abscissa, is likely to succeed.
    pub(crate) guess: fn(&[Point]) -> Vec<f64>,
}

/// Abscissa and ordinate.
pub(crate) type Point = (f64, f64);

pub(crate) const MODELS: &[Model] = &[
    Model {
        name: "decay",
        formula: "a exp(-k x) + c",
        parameters: &["a", "k", "c"],
        value: decay,
        gradient: decay_grad,
        guess: guess_decay,
    },
    Model {
        name: "logistic",
        formula: "a / (1 + exp(-(x - m) / s))",
        parameters: &["a", "m", "s"],
        value: logistic,
        gradient: logistic_grad,
        guess: guess_logistic,
    },
    Model {
        name: "oscillation",
        formula: "a exp(-k x) cos(w x + p) + c",
        parameters: &["a", "k", "w", "p", "c"],
        value: oscillation,
        gradient: oscillation_grad,
        guess: guess_oscillation,
    },
    Model {
        name: "peak",
        formula: "a exp(-((x - m) / s)² / 2) + c",
        parameters: &["a", "m", "s", "c"],
        value: peak,
        gradient: peak_grad,
        guess: guess_peak,
    },
    Model {
        name: "saturation",
        formula: "v x / (k + x)",
        parameters: &["v", "k"],
        value: saturation,
        gradient: saturation_grad,
        guess: guess_saturation,
    },
];

/// The model of this name.
///
/// # Errors
///
/// The names that there are, if it is none of them.
pub(crate) fn by_name(name: &str) -> Result<&'static Model, String> {
    let found = MODELS.iter().find(|model| model.name == name);
    found.ok_or_else(|| {
        let names: Vec<_> = MODELS.iter().map(|model| model.name).collect();
        format!("the models are {}", names.join(", "))
    })
}

/// A line for each model.
pub(crate) fn help() -> String {
    let lines = MODELS
        .iter()
        .map(|model| format!("  {:<12} {}\n", model.name, model.formula));
    format!("Models:\n{}", lines.collect::<String>())
}

#[gradient]
fn decay(b: &[f64], #[constant] x: f64) -> f64 {
    b[0] * (-b[1] * x).exp() + b[2]
}

#[gradient]
fn logistic(b: &[f64], #[constant] x: f64) -> f64 {
    b[0] / (1.0 + (-(x - b[1]) / b[2]).exp())
}

#[gradient]
fn oscillation(b: &[f64], #[constant] x: f64) -> f64 {
    b[0] * (-b[1] * x).exp() * (b[2] * x + b[3]).cos() + b[4]
}

#[gradient]
fn peak(b: &[f64], #[constant] x: f64) -> f64 {
    let distance = (x - b[1]) / b[2];
    b[0] * (-0.5 * distance * distance).exp() + b[3]
}

#[gradient]
fn saturation(b: &[f64], #[constant] x: f64) -> f64 {
    b[0] * x / (b[1] + x)
}

/// The first, the last, the lowest and the highest point.
struct Ends {
    first: Point,
    last: Point,
    lowest: Point,
    highest: Point,
}

impl Ends {
    fn of(points: &[Point]) -> Ends {
        let by_height = |a: &&Point, b: &&Point| a.1.total_cmp(&b.1);
        Ends {
            first: points[0],
            last: points[points.len() - 1],
            lowest: *points.iter().min_by(by_height).unwrap_or(&points[0]),
            highest: *points.iter().max_by(by_height).unwrap_or(&points[0]),
        }
    }

    /// The width of the data, which is not zero.
    fn span(&self) -> f64 {
        (self.last.0 - self.first.0).max(f64::MIN_POSITIVE)
    }
}

/// Where the points first pass a height, seen from the first of them.
fn crossing(points: &[Point], height: f64) -> f64 {
    let above = points[0].1 >= height;
    let passed = points.iter().find(|point| (point.1 >= height) != above);
    passed.unwrap_or(&points[points.len() / 2]).0
}

fn guess_decay(points: &[Point]) -> Vec<f64> {
    let ends = Ends::of(points);
    let drop = ends.first.1 - ends.last.1;
    let half = crossing(points, ends.last.1 + 0.5 * drop) - ends.first.0;
    let rate = LN_2 / half.max(1e-3 * ends.span());
    vec![drop * (rate * ends.first.0).exp(), rate, ends.last.1]
}

fn guess_logistic(points: &[Point]) -> Vec<f64> {
    let ends = Ends::of(points);
    let rises = if ends.last.1 >= ends.first.1 {
        1.0
    } else {
        -1.0
    };
    let middle = crossing(points, 0.5 * ends.highest.1);
    vec![ends.highest.1, middle, rises * 0.1 * ends.span()]
}

fn guess_oscillation(points: &[Point]) -> Vec<f64> {
    let ends = Ends::of(points);
    let mean = points.iter().map(|point| point.1).sum::<f64>() / points.len() as f64;
    let above = points.windows(2).filter(|pair| {
        // A zero between two points is half of a period.
        (pair[0].1 >= mean) != (pair[1].1 >= mean)
    });
    let frequency = PI * above.count().max(1) as f64 / ends.span();
    let height = 0.5 * (ends.highest.1 - ends.lowest.1);
    let phase = -frequency * ends.highest.0;
    vec![height, 0.1 / ends.span(), frequency, phase, mean]
}

fn guess_peak(points: &[Point]) -> Vec<f64> {
    let ends = Ends::of(points);
    let height = ends.highest.1 - ends.lowest.1;
    let upper: Vec<f64> = (points.iter())
        .filter(|point| point.1 >= ends.lowest.1 + 0.5 * height)
        .map(|point| point.0)
        .collect();
    // The width at half of the height is 2.35 standard deviations.
    let width = (upper[upper.len() - 1] - upper[0]) / 2.35;
    let width = width.max(0.02 * ends.span());
    vec![height, ends.highest.0, width, ends.lowest.1]
}

fn guess_saturation(points: &[Point]) -> Vec<f64> {
    let ends = Ends::of(points);
    vec![1.2 * ends.highest.1, crossing(points, 0.6 * ends.highest.1)]
}
