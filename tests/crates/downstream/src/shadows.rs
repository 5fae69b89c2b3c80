//! A function without `#[gradient]` that has the name of one with it: never the gradient of the wrong one.

use retrograde::gradient;

mod glob {
    use kernels_lib::physics::*;
    use retrograde::gradient;

    /// Hides the function of the glob, but not its companion.
    fn drag(v: f64) -> f64 {
        10.0 * v
    }

    /// Calls the plain function.
    #[gradient]
    pub fn beside_a_glob(v: f64) -> f64 {
        drag(v) + spring(1.0, v)
    }
}
pub use glob::{beside_a_glob, beside_a_glob_grad};

mod import {
    use kernels_lib::physics::*;
    use kernels_lib::plain::drag;
    use retrograde::gradient;

    /// Calls the plain function.
    #[gradient]
    pub fn by_a_use(v: f64) -> f64 {
        drag(v) + spring(1.0, v)
    }
}
pub use import::{by_a_use, by_a_use_grad};

mod body {
    use kernels_lib::physics::drag;
    use retrograde::gradient;

    /// Calls the plain function.
    #[gradient]
    pub fn in_the_body(v: f64) -> f64 {
        use kernels_lib::plain::drag;
        drag(v)
    }

    /// Calls the function with `#[gradient]`.
    #[gradient]
    pub fn outside_of_it(v: f64) -> f64 {
        drag(v)
    }
}
pub use body::{in_the_body, in_the_body_grad, outside_of_it_grad};

/// A function with `#[gradient]` may hide another one that has it.
#[gradient]
pub fn both_have_gradients(v: f64) -> f64 {
    use chosen::*;
    drag(v)
}

mod chosen {
    use retrograde::gradient;

    #[gradient]
    pub fn drag(v: f64) -> f64 {
        v * v * v
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::close;
    use std::panic::catch_unwind;

    /// The text of the panic, which names both functions.
    fn refusal(f: fn(f64) -> (f64, f64)) -> String {
        let payload =
            catch_unwind(|| f(2.0)).expect_err("a plain function hides one with a gradient");
        payload
            .downcast_ref::<String>()
            .expect("a panic with a text")
            .clone()
    }

    #[test]
    fn a_plain_function_that_hides_one_is_noticed() {
        for (f, plain) in [
            (beside_a_glob_grad as fn(f64) -> (f64, f64), "glob::drag"),
            (by_a_use_grad, "plain::drag"),
            (in_the_body_grad, "plain::drag"),
        ] {
            let text = refusal(f);
            assert!(
                text.contains(plain) && text.contains("kernels_lib::physics::drag"),
                "{text}"
            );
        }
    }

    #[test]
    fn the_primal_is_untouched() {
        assert!(
            close(beside_a_glob(2.0), 30.0)
                && close(by_a_use(2.0), 210.0)
                && close(in_the_body(2.0), 200.0)
        );
    }

    #[test]
    fn what_is_not_hidden_works() {
        assert!(close(outside_of_it_grad(2.0).1, 2.0));
        assert!(close(both_have_gradients_grad(2.0).1, 12.0));
    }
}
