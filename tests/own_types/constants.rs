//! Fields under `#[constant]`: calculated with, and given to functions whose parameters are constant.

use retrograde::{Differentiable, gradient};

use crate::support::{assert_close, assert_same_value, differences};

/// Neither has a tangent.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Product,
    Difference,
}

#[derive(Clone, Debug)]
struct Settings {
    terms: usize,
}

#[derive(Clone, Debug, Differentiable)]
struct Model {
    #[constant]
    settings: Settings,
    #[constant]
    kind: Kind,
    weights: Vec<f64>,
    /// A float.
    #[constant]
    rate: f64,
    offset: f64,
}

#[gradient]
fn pair(#[constant] kind: Kind, a: f64, b: f64) -> f64 {
    match kind {
        Kind::Product => a * b,
        Kind::Difference => a * a - b,
    }
}

#[gradient]
fn squares(#[constant] settings: &Settings, weights: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..settings.terms {
        sum += weights[i] * weights[i];
    }
    sum
}

#[gradient]
fn scaled(rate: f64, x: f64) -> f64 {
    rate * x * x
}

#[gradient]
fn apply(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(x)
}

#[gradient]
fn given(m: &Model, x: f64) -> f64 {
    pair(m.kind, m.offset, x) + squares(&m.settings, &m.weights)
}

#[gradient]
fn bound(m: &Model, x: f64) -> f64 {
    let kind = m.kind;
    let settings = &m.settings;
    let mut sum = squares(settings, &m.weights);
    for _ in 0..2 {
        sum *= pair(kind, m.offset, x);
    }
    sum
}

#[gradient]
fn calculated(m: &Model, x: f64) -> f64 {
    m.rate * x * m.offset + scaled(m.rate, m.weights[0]) - (m.rate + x).sin() * m.rate
}

#[gradient]
fn closed(m: &Model, x: f64) -> f64 {
    let named = |t: f64| pair(m.kind, t, m.weights[1]);
    named(x) + apply(|t: f64| pair(m.kind, m.offset, t), x)
}

#[gradient]
fn method(m: &Model, x: f64) -> f64 {
    m.value(x)
}

#[gradient]
impl Model {
    fn value(&self, x: f64) -> f64 {
        squares(&self.settings, &self.weights) * self.part(self.kind, x) + self.rate * x
    }

    fn part(&self, #[constant] kind: Kind, x: f64) -> f64 {
        pair(kind, self.weights[1], x) * self.rate
    }
}

fn model(kind: Kind, p: &[f64]) -> Model {
    Model {
        settings: Settings { terms: 2 },
        kind,
        weights: p[..2].to_vec(),
        rate: 0.75,
        offset: p[2],
    }
}

#[test]
fn constant_fields_are_calculated_with_and_given_on() {
    for kind in [Kind::Product, Kind::Difference] {
        for p in [
            [0.5, -1.5, 2.0, 0.25],
            [-1.0, 0.0, 3.0, 1.0],
            [2.0, 0.125, -0.5, -0.75],
        ] {
            let m = model(kind, &p);
            for (f, g) in [
                (
                    given as fn(&Model, f64) -> f64,
                    given_grad as fn(&Model, f64) -> _,
                ),
                (bound, bound_grad),
                (calculated, calculated_grad),
                (closed, closed_grad),
                (method, method_grad),
            ] {
                let (value, (slope, by_x)): (f64, (ModelTangent, f64)) = g(&m, p[3]);
                assert_same_value(value, f(&m, p[3]));
                let () = slope.rate;
                let got = [slope.weights[0], slope.weights[1], slope.offset, by_x];
                let want = differences(|q| f(&model(kind, q), q[3]), &p);
                assert_close(&got, &want, 1e-8, &p);
            }
        }
    }
}
