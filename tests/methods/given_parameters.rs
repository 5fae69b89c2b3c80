//! Methods of `self` that are given parameters: `self.pass::<true>(x)`.

use retrograde::{Differentiable, Record, gradient};

use crate::support::check;

#[derive(Differentiable, Record, Clone)]
struct Weights {
    by: [f64; 2],
    seen: u32,
}

impl Weights {
    #[gradient]
    fn pass<const INVERSE: bool>(&self, x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            let w = self.by[i % 2];
            y[i] = if INVERSE { x[i] / w } else { x[i] * w };
        }
    }

    #[gradient]
    fn there<const INVERSE: bool>(&mut self, x: f64) -> f64 {
        self.seen += 1;
        let (mut y, z) = ([0.0; 2], [x, x * x]);
        self.pass::<INVERSE>(&z, &mut y);
        self.by[0] *= y[0];
        y[0] * y[1]
    }

    #[gradient]
    fn around(mut self, x: f64) -> f64 {
        let mut y = [0.0; 2];
        let first = self.there::<true>(x);
        self.pass::<false>(&[first, x], &mut y);
        y[0] * self.by[0] + y[1] * self.there::<false>(y[1])
    }
}

#[gradient]
impl Weights {
    fn power<const N: i32>(&self, x: f64) -> f64 {
        self.by[0] * x.powi(N)
    }

    fn powers(&self, x: f64) -> f64 {
        self.power::<2>(x) * self.power::<3>(self.by[1] * x)
    }
}

#[gradient]
fn all(x: &[f64]) -> f64 {
    let weights = Weights {
        by: [x[0], x[1]],
        seen: 0,
    };
    weights.powers(x[2]) + weights.around(x[2])
}

#[test]
fn parameters_are_given() {
    check(
        all,
        |x| all_grad(x),
        &[&[1.5, 0.7, 0.9], &[-0.8, 2.0, 1.3], &[0.4, 1.1, -0.6]],
    );
}
