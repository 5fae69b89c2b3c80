//! The trait and the types behind it.

use retrograde::{Differentiable, gradient};

#[gradient]
pub trait Model {
    fn energy(&self, x: &[f64]) -> f64;

    fn kick(&mut self, by: f64);

    /// Without derivative.
    fn size(&self) -> usize;

    /// Not of a `dyn`.
    fn order() -> usize
    where
        Self: Sized,
    {
        1
    }

    fn twice(&self, x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..2 {
            sum += self.energy(x) * x[i] + self.energy(&x[..i]);
        }
        sum
    }

    fn kick_twice(&mut self, by: f64) {
        self.kick(by);
        self.kick(by * by);
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Spring {
    pub stiffness: f64,
    pub steps: usize,
}

#[gradient]
impl Model for Spring {
    fn energy(&self, x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for v in x {
            sum += 0.5 * self.stiffness * v * v;
        }
        sum
    }

    fn kick(&mut self, by: f64) {
        self.stiffness += 0.1 * by * by * self.stiffness.sin();
        self.steps += 1;
    }

    fn size(&self) -> usize {
        1
    }
}

/// Another number of parameters, of other types.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Layer {
    pub weights: Vec<f64>,
    pub bias: f32,
    pub half: Option<f64>,
}

#[gradient]
impl Model for Layer {
    fn energy(&self, x: &[f64]) -> f64 {
        let mut sum = self.bias as f64;
        for i in 0..x.len().min(self.weights.len()) {
            sum += self.weights[i] * x[i].sin();
        }
        sum * sum
    }

    fn kick(&mut self, by: f64) {
        for w in self.weights.iter_mut() {
            *w += 0.1 * by * *w;
        }
    }

    fn size(&self) -> usize {
        self.weights.len()
    }
}

/// No parameters.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Nothing;

#[gradient]
impl Model for Nothing {
    fn energy(&self, x: &[f64]) -> f64 {
        let mut product = 1.0;
        for v in x {
            product *= v;
        }
        product
    }

    fn kick(&mut self, _: f64) {}

    fn size(&self) -> usize {
        0
    }
}

/// Borrows its data.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Weights<'w> {
    pub w: &'w [f64],
    pub scale: f64,
}

#[gradient]
impl<'w> Model for Weights<'w> {
    fn energy(&self, x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len().min(self.w.len()) {
            sum += self.scale * self.w[i] * x[i].cos();
        }
        sum
    }

    fn kick(&mut self, by: f64) {
        self.scale *= by;
    }

    fn size(&self) -> usize {
        self.w.len()
    }
}

/// Holds others, also of its own kind.
#[derive(Differentiable)]
pub struct Sum {
    pub parts: Vec<Box<dyn Model>>,
    pub scale: f64,
}

#[gradient]
impl Model for Sum {
    fn energy(&self, x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for part in &self.parts {
            sum += self.scale * part.energy(x);
        }
        sum
    }

    fn kick(&mut self, by: f64) {
        self.scale *= by;
        for part in self.parts.iter_mut() {
            part.kick(by);
        }
    }

    fn size(&self) -> usize {
        let mut sum = 0;
        for part in &self.parts {
            sum += part.size();
        }
        sum
    }
}
