//! Constants among the arguments of a trait: `impl<const N: usize> Layer<N> for Leaky<N>`.

use retrograde::{Differentiable, gradient};

use crate::support::check;

#[gradient]
trait Layer<const N: usize> {
    fn forward(&self, x: [f64; N]) -> [f64; N];

    fn twice(&self, x: [f64; N]) -> [f64; N] {
        self.forward(self.forward(x))
    }
}

#[derive(Differentiable, Clone)]
struct Leaky<const N: usize> {
    slope: f64,
}

#[derive(Differentiable, Clone)]
struct Scaled<const N: usize> {
    by: [f64; N],
}

#[gradient]
impl<const N: usize> Layer<N> for Leaky<N> {
    fn forward(&self, x: [f64; N]) -> [f64; N] {
        x.map(|v| if v < 0.0 { self.slope * v } else { v })
    }
}

#[gradient]
impl<const N: usize> Layer<N> for Scaled<N> {
    fn forward(&self, x: [f64; N]) -> [f64; N] {
        let mut y = x;
        for i in 0..N {
            y[i] *= self.by[i];
        }
        y
    }
}

#[gradient]
fn through<L: Layer<3>>(layer: &L, x: [f64; 3]) -> f64 {
    let y = layer.twice(x);
    y[0] * y[1] + y[2]
}

#[gradient]
fn both(x: &[f64]) -> f64 {
    let at = [x[0], x[1], x[2]];
    let leaky: Leaky<3> = Leaky { slope: x[3] };
    let scaled = Scaled {
        by: [x[1], x[2], x[3]],
    };
    through(&leaky, at) * through(&scaled, at)
}

#[test]
fn traits_are_given_constants() {
    check(
        both,
        |x| both_grad(x),
        &[&[0.5, -1.5, 0.7, 0.1], &[-0.3, 0.8, -2.0, 0.4]],
    );
}
