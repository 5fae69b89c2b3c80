//! Receivers.

use retrograde::{Differentiable, Record, gradient};

use crate::types::{Resets, Swaps, check};

#[gradient]
impl Swaps {
    fn eaten(self, x: f64) -> f64 {
        self.a * self.a * self.b * x
    }

    fn rebuilt(self, x: f64) -> Self {
        Swaps {
            a: self.b * x,
            b: self.a,
        }
    }

    fn changed(&mut self, x: f64) {
        let old = self.a;
        self.a = self.b * x;
        self.b = old * old;
    }

    fn all(mut self, x: f64) -> f64 {
        self.changed(x);
        let n = self.rebuilt(x);
        n.a * n.a * n.b
    }
}

#[gradient]
fn receivers(x: f64, y: f64) -> f64 {
    let mut n = Swaps { a: x, b: y };
    n.changed(x);
    let m = n.rebuilt(y);
    m.eaten(x)
}

#[gradient]
fn in_a_loop(x: f64, y: f64) -> f64 {
    let mut n = Swaps { a: x, b: y };
    for _ in 0..3 {
        n = n.rebuilt(x);
        n.changed(y);
    }
    n.eaten(y)
}

#[test]
fn receivers_are_copied() {
    check(receivers, receivers_grad);
    check(in_a_loop, in_a_loop_grad);
    check(
        |x, y| Swaps { a: x, b: y }.all(x),
        |x, y| {
            let (value, (n, dx)) = Swaps { a: x, b: y }.all_grad(x);
            (value, (n.a + dx, n.b))
        },
    );
}
