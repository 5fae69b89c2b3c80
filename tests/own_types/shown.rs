//! Methods of own types that floats have by their names, too, on fields, elements, variables and results: the text says
//! of which type they are.

use retrograde::{Differentiable, Flat, Record, gradient};

use super::shown_parts::{Complex, Gain, Stage};
use crate::support::check;

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct Chain {
    stages: Vec<Stage>,
    poles: [Complex; 2],
    last: Option<Complex>,
    pair: (Complex, f64),
    spare: Box<Complex>,
}

#[gradient]
impl Stage {
    fn size(&self) -> f64 {
        self.z.abs() + self.gain.abs() * self.load.abs()
    }

    fn response(&self) -> Complex {
        let grown = self.z.exp();
        if grown.abs() > 1e9 {
            return self.load;
        }
        grown.max(&self.load)
    }

    fn advance(&mut self, by: f64) {
        self.z = self.z.powi(2);
        self.gain = self.gain.abs().sqrt() * by;
        self.load = (self.z - self.load).exp();
    }
}

#[gradient]
fn fields(s: &Stage) -> f64 {
    s.size() * s.response().abs() + s.z.exp().re * s.gain.powi(3)
}

#[gradient]
fn changed(s: &Stage, by: f64) -> f64 {
    let mut now = s.clone();
    now.advance(by);
    now.advance(by * by);
    now.z.exp().abs() + (now.load - now.z).abs().ln_1p() + now.gain
}

#[gradient]
fn elements(c: &Chain) -> f64 {
    let first = &c.stages[0];
    let mut sum = c.poles[1].abs() * first.z.abs() + c.pair.0.abs() * c.pair.1.abs();
    for s in &c.stages {
        sum += s.z.exp().abs() * s.gain.abs();
    }
    for (i, pole) in c.poles.iter().enumerate() {
        sum += (i + 1) as f64 * pole.abs();
    }
    sum += c.stages.iter().map(|s| s.load.abs()).sum::<f64>();
    sum + c.spare.abs()
}

#[gradient]
fn variables(c: &Chain, x: f64) -> f64 {
    let z = Complex::new(x, 0.5);
    let w = z.exp();
    let product = w * c.poles[0];
    let Stage { z: inner, gain, .. } = &c.stages[1];
    let held = match c.last {
        Some(last) => last.abs(),
        None => 0.0,
    };
    // The product of two is a number.
    (w + z).abs() * product.abs() + inner.abs() * gain.abs() + held + z.max(&w).re
}

/// Names of std's.
#[gradient]
fn of_containers(c: &Chain, by: f64) -> f64 {
    let mut now = c.clone();
    now.poles[0].push(by);
    now.stages[0].z.push(now.poles[0].im);
    let first = now.stages[1].load.first() * now.stages[1].load.first();
    let sum = now.stages.iter().map(|s| s.z.sum()).sum::<f64>();
    let scaled = now.poles[1].map(|x| x * by).sum();
    let total = (now.poles[0] + now.poles[1]).map(f64::sin).sum();
    first + sum * scaled + total * now.stages[1].load.re + c.poles.iter().map(|z| z.re).sum::<f64>()
}

/// Of one name there may be several variables, of different types: then nothing is taken for granted.
#[gradient]
fn twice(c: &Chain) -> f64 {
    let mut sum = 0.0;
    {
        let v: f64 = c.poles[0].re;
        sum += v.abs();
    }
    let v: Gain = c.poles[1].im;
    sum * v.abs()
}

fn stage() -> Stage {
    Stage {
        z: Complex::new(0.3, 0.7),
        load: Complex::new(-0.4, 0.6),
        gain: 1.3,
    }
}

fn chain() -> Chain {
    Chain {
        stages: vec![stage(); 2],
        poles: [Complex::new(1.0, 2.0); 2],
        last: Some(Complex::new(0.5, -1.5)),
        pair: (Complex::new(0.25, 0.75), -2.0),
        spare: Box::new(Complex::new(-0.6, 0.1)),
    }
}

/// The value with other numbers.
fn with<T: Flat + Clone>(value: &T, numbers: &[f64]) -> T {
    let mut value = value.clone();
    value.set_flat(numbers);
    value
}

/// Points that differ in each number.
fn points(len: usize) -> Vec<Vec<f64>> {
    let at = |from: f64, by: f64| {
        let numbers = (0..len).map(|k| from + 0.9 * (by * (k + 1) as f64).sin());
        numbers.collect::<Vec<f64>>()
    };
    vec![at(0.1, 1.0), at(-0.2, 2.3), at(0.35, 0.7)]
}

#[test]
fn fields_of_other_types() {
    let points = points(stage().len_flat() + 1);
    let all: Vec<&[f64]> = points.iter().map(|p| &p[..5]).collect();
    check(
        |p| fields(&with(&stage(), p)),
        |p| {
            let (value, d) = fields_grad(&with(&stage(), p));
            (value, d.to_flat())
        },
        &all,
    );
    let all: Vec<&[f64]> = points.iter().map(Vec::as_slice).collect();
    check(
        |p| changed(&with(&stage(), &p[..5]), p[5]),
        |p| {
            let (value, (d, by)) = changed_grad(&with(&stage(), &p[..5]), p[5]);
            (value, [d.to_flat(), vec![by]].concat())
        },
        &all,
    );
}

#[test]
fn elements_and_variables() {
    let len = chain().len_flat();
    let points = points(len + 1);
    let all: Vec<&[f64]> = points.iter().map(|p| &p[..len]).collect();
    check(
        |p| elements(&with(&chain(), p)),
        |p| {
            let (value, d) = elements_grad(&with(&chain(), p));
            (value, d.to_flat())
        },
        &all,
    );
    check(
        |p| twice(&with(&chain(), p)),
        |p| {
            let (value, d) = twice_grad(&with(&chain(), p));
            (value, d.to_flat())
        },
        &all,
    );
    let all: Vec<&[f64]> = points.iter().map(Vec::as_slice).collect();
    check(
        |p| of_containers(&with(&chain(), &p[..len]), p[len]),
        |p| {
            let (value, (d, x)) = of_containers_grad(&with(&chain(), &p[..len]), p[len]);
            (value, [d.to_flat(), vec![x]].concat())
        },
        &all,
    );
    check(
        |p| variables(&with(&chain(), &p[..len]), p[len]),
        |p| {
            let (value, (d, x)) = variables_grad(&with(&chain(), &p[..len]), p[len]);
            (value, [d.to_flat(), vec![x]].concat())
        },
        &all,
    );
}
