//! A type that is imported by its name, and another one of that name, with the derive, that comes by `*`.

use retrograde::gradient;

mod by_hand {
    use retrograde::{Differentiable, Duplicate};

    #[derive(Duplicate)]
    pub struct Domain {
        pub x: Vec<f64>,
    }

    impl Differentiable for Domain {
        type Tangent = super::derived::DomainTangent;

        fn zero_tangent(&self) -> Self::Tangent {
            let x = self.x.clone();
            super::derived::Domain { x }.zero_tangent()
        }

        fn step(&mut self, scale: f64, tangent: &Self::Tangent) {
            self.x.step(scale, &tangent.x);
        }
    }
}

mod derived {
    #[derive(retrograde::Differentiable)]
    pub struct Domain {
        pub x: Vec<f64>,
    }
}

use by_hand::Domain;
use derived::*;

#[gradient]
fn sum(s: &Domain) -> f64 {
    let mut sum = 0.0;
    for i in 0..s.x.len() {
        sum += s.x[i];
    }
    sum
}

fn main() {
    sum_grad(&Domain { x: Vec::new() });
}
