//! Numbers whose types the text does not show go through the same rules.

use retrograde::{Differentiable, Record, gradient};

use crate::support::check;

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct State {
    a: f64,
    b: f64,
    xs: Vec<f64>,
    n: usize,
    single: f32,
}

#[gradient]
impl State {
    fn step(&mut self, dt: f64) {
        self.a += self.b * dt;
        self.b -= self.a * dt;
        self.a *= self.b;
        self.b /= self.a + 3.0;
        for i in 0..self.xs.len() {
            self.xs[i] *= self.a;
            self.xs[i] += self.xs[(i + 1) % self.n] * self.b;
            self.xs[i] %= self.b;
        }
    }

    fn energy(&self) -> f64 {
        let product = self.a * self.b;
        let quotient = self.a / self.b;
        let negative = -self.a;
        let mut sum = product + quotient - negative * self.xs[0];
        for x in &self.xs {
            let twice = x * self.b;
            sum += twice - x;
        }
        sum
    }

    fn after(mut self, dt: f64, n: usize) -> f64 {
        for _ in 0..n {
            self.step(dt);
        }
        self.energy()
    }
}

#[test]
fn fields_that_are_floats() {
    let of = |p: &[f64]| State {
        a: p[0],
        b: p[1],
        xs: p[2..4].to_vec(),
        n: 2,
        single: 1.0,
    };
    for n in [0, 1, 3] {
        check(
            |p| of(p).after(p[4], n),
            |p| {
                let (value, (d, dt)) = of(p).after_grad(p[4], n);
                (value, [d.a, d.b, d.xs[0], d.xs[1], dt])
            },
            &[&[0.7, 1.3, 0.4, -0.6, 0.1], &[1.2, -0.8, 0.5, 0.25, 0.3]],
        );
    }
}
