//! Methods and associated functions.

use retrograde::{Differentiable, Tape, gradient};

#[derive(Clone, Debug, Differentiable)]
struct Spring {
    rest: f64,
    stiffness: f64,
}

#[gradient]
impl Spring {
    #[gradient(seeds)]
    fn force(&self, x: f64) -> [f64; 2] {
        let stretch = x - self.rest;
        let energy = Self::energy_of(self.stiffness, stretch);
        [-self.stiffness * stretch, energy]
    }

    #[gradient(seeds)]
    fn energy_of(stiffness: f64, stretch: f64) -> f64 {
        0.5 * stiffness * stretch * stretch
    }

    fn steps(&self, x: f64) -> usize {
        if x > self.rest { 2 } else { 1 }
    }

    #[gradient(seeds)]
    fn settle(&mut self, x: f64, n: usize) -> f64 {
        let mut at = x;
        for _ in 0..n * self.steps(x) {
            let both = self.force(at);
            at += 0.1 * both[0] - 0.01 * both[1];
            self.rest = self.rest * 0.9 + at * 0.1;
        }
        at
    }
}

#[test]
fn methods_call_each_other() {
    let spring = Spring {
        rest: 1.0,
        stiffness: 2.0,
    };
    let mut tape = Tape::new();
    let tangent = |rest, stiffness| SpringTangent { rest, stiffness };
    let mut bars = [tangent(1.0, 0.0), tangent(0.0, 0.3)];
    let mut dx = [0.0; 2];
    let seeds = [0.0, 1.0];
    let mut moved = spring.clone();
    let value = moved.settle_vjp_n(&mut tape, 1.7, 4, seeds, bars.each_mut(), dx.each_mut());
    let mut plain = spring.clone();
    assert_eq!(value, plain.settle(1.7, 4));
    assert_eq!((moved.rest, moved.stiffness), (plain.rest, plain.stiffness));
    for (k, start) in [tangent(1.0, 0.0), tangent(0.0, 0.3)]
        .into_iter()
        .enumerate()
    {
        let (mut bar, mut d) = (start, 0.0);
        let mut one = spring.clone();
        one.settle_adjoint(&mut tape, &mut bar, 1.7, &mut d, 4, seeds[k]);
        let close = |a: f64, b: f64| (a - b).abs() < 1e-14;
        assert!(close(bar.rest, bars[k].rest) && close(bar.stiffness, bars[k].stiffness));
        assert!(close(d, dx[k]));
    }
}
