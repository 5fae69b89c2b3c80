//! A private constant field, and one of the same name, with a derivative, behind a `Deref`.

use std::ops::Deref;

use inner::Outer;
use retrograde::{Differentiable, gradient};

#[derive(Differentiable)]
pub struct Behind {
    pub scale: f64,
}

mod inner {
    use super::Behind;

    #[derive(retrograde::Differentiable)]
    pub struct Outer {
        pub x: Vec<f64>,
        #[constant]
        scale: f64,
        pub behind: Behind,
    }

    impl Outer {
        pub fn hidden(&self) -> f64 {
            self.scale
        }
    }
}

impl Deref for Outer {
    type Target = Behind;

    fn deref(&self) -> &Behind {
        &self.behind
    }
}

#[gradient]
fn sum(s: &Outer) -> f64 {
    let mut sum = 0.0;
    for i in 0..s.x.len() {
        sum += s.x[i] * s.scale;
    }
    sum
}

#[gradient]
fn twice(s: &Outer) -> f64 {
    let mut sum = sum(s);
    for i in 0..s.x.len() {
        sum += s.x[i] * s.scale;
    }
    sum
}

#[gradient]
fn alone(s: &Outer, by: &[f64]) -> f64 {
    let mut sum = sum(s);
    for i in 0..by.len() {
        sum += by[i] * s.scale;
    }
    sum
}

fn main() {}
