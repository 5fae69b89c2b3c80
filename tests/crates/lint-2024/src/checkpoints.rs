//! Helper attributes inside the body: `#[checkpoint]` on a block, an expression and a loop.

use ad::{gradient, no_gradient};

/// A block.
#[gradient(crate = ::ad)]
#[must_use]
pub fn block(x: f64) -> f64 {
    let mut y = x;
    #[checkpoint]
    {
        y *= x;
        y = y.sin();
    }
    y * x
}

/// A block as a value.
#[gradient(crate = ::ad)]
#[must_use]
pub fn value(x: f64) -> f64 {
    let y = #[checkpoint]
    {
        let s = x.sin();
        s * s
    };
    y * x
}

/// A loop.
#[gradient(crate = ::ad)]
#[must_use]
pub fn steps(mut x: f64, rate: f64, count: usize) -> f64 {
    #[checkpoint]
    for _ in 0..count {
        x -= rate * x * x;
    }
    x
}

/// A derivative that is cut on purpose.
#[gradient(crate = ::ad)]
#[must_use]
pub fn cut(x: f64) -> f64 {
    x * no_gradient(x.abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::close;

    #[test]
    fn gradients() {
        let x = 0.7_f64;
        assert!(close(
            block_grad(x).1,
            (x * x).sin() + x * (x * x).cos() * 2.0 * x
        ));
        assert!(close(
            value_grad(x).1,
            x.sin() * x.sin() + 2.0 * x * x.sin() * x.cos()
        ));
        assert!(close(cut_grad(-x).1, x));
    }

    #[test]
    fn a_loop_of_steps() {
        let (value, (dx, drate)) = steps_grad(0.5, 0.25, 2);
        let first = 0.5 - 0.25 * 0.25;
        assert!(close(value, steps(0.5, 0.25, 2)) && close(value, first - 0.25 * first * first));
        let last = 1.0 - 0.5 * first;
        assert!(close(dx, last * (1.0 - 0.25)) && close(drate, -first * first - last * 0.25));
    }
}
