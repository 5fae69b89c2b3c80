//! Where a function can stand, and who can see it.

use ad::gradient;

/// Public functions in modules of modules.
pub mod physics {
    /// Springs.
    pub mod springs {
        use ad::gradient;

        /// The energy of a spring.
        #[gradient(crate = ::ad)]
        #[must_use]
        pub fn energy(stiffness: f64, x: f64) -> f64 {
            0.5 * stiffness * super::squared(x)
        }

        /// Two springs in a row, by every form of path.
        #[gradient(crate = ::ad)]
        #[must_use]
        #[allow(unused_qualifications)]
        pub fn chain(x: f64, y: f64) -> f64 {
            energy(2.0, x)
                + self::energy(3.0, y)
                + super::springs::energy(4.0, x - y)
                + crate::places::physics::springs::energy(1.0, x + y)
        }
    }

    use ad::gradient;

    /// Seen by the module and what is in it.
    #[gradient(crate = ::ad)]
    #[allow(clippy::needless_pub_self)]
    pub(self) fn squared(x: f64) -> f64 {
        x * x
    }

    /// Seen by the crate.
    #[gradient(crate = ::ad)]
    pub(crate) fn gravity(mass: f64, height: f64) -> f64 {
        9.81 * mass * height
    }

    /// Seen by the parent.
    #[gradient(crate = ::ad)]
    pub(super) fn drag(v: f64) -> f64 {
        0.47 * squared(v)
    }

    /// Seen by a named ancestor.
    #[gradient(crate = ::ad)]
    pub(in crate::places) fn lift(v: f64) -> f64 {
        0.1 * squared(v)
    }
}

/// A module that nobody outside sees, with functions that are seen through a re-export.
mod hidden {
    use ad::gradient;

    /// Seen as `places::shown`.
    #[gradient(crate = ::ad)]
    #[must_use]
    pub fn shown(x: f64) -> f64 {
        x.exp()
    }
}
pub use hidden::{
    shown, shown_adjoint, shown_grad, shown_grad_into, shown_try_adjoint, shown_try_grad_into,
};

#[gradient(crate = ::ad)]
fn private(x: f64) -> f64 {
    x.ln()
}

/// Only its gradient is ever called.
#[gradient(crate = ::ad)]
fn only_the_gradient(x: f64) -> f64 {
    x.cos()
}

/// Calls by name, renamed import, glob and re-export.
#[gradient(crate = ::ad)]
#[must_use]
pub fn imported(x: f64) -> f64 {
    use physics::springs::energy as spring;

    spring(2.0, x)
        + physics::drag(x)
        + physics::lift(x)
        + physics::gravity(2.0, x)
        + private(x)
        + shown(x)
}

/// A function in the body of a function.
#[must_use]
pub fn in_a_body(x: f64) -> (f64, f64) {
    #[gradient(crate = ::ad)]
    fn inner(x: f64) -> f64 {
        deeper(x) * x
    }

    #[gradient(crate = ::ad)]
    fn deeper(x: f64) -> f64 {
        x.sin()
    }

    let (value, d) = inner_grad(x);
    (value, d + only_the_gradient_grad(x).1 * 0.0)
}

/// A type, so that there is a body of a method.
#[derive(Clone, Copy, Debug)]
pub struct Lens {
    /// Focal length.
    pub focus: f64,
}

impl Lens {
    /// The slope of the image's distance.
    #[must_use]
    pub fn slope(self, distance: f64) -> f64 {
        #[gradient(crate = ::ad)]
        fn image(focus: f64, distance: f64) -> f64 {
            1.0 / (1.0 / focus - 1.0 / distance)
        }

        let slope = || image_grad(self.focus, distance).1.1;
        slope()
    }
}

/// In the initialiser of a constant's neighbour: a block.
#[must_use]
pub fn in_a_block(x: f64) -> f64 {
    let slope = {
        #[gradient(crate = ::ad)]
        fn cube(x: f64) -> f64 {
            x * x * x
        }
        cube_grad(x).1
    };
    slope + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::close;

    #[test]
    fn paths() {
        let (value, (dx, dy)) = physics::springs::chain_grad(1.0, 2.0);
        assert!(
            close(value, physics::springs::chain(1.0, 2.0)) && close(value, 1.0 + 6.0 + 2.0 + 4.5)
        );
        assert!(close(dx, 2.0 - 4.0 + 3.0) && close(dy, 6.0 + 4.0 + 3.0));
    }

    #[test]
    fn imports() {
        let x = 1.5_f64;
        let (value, dx) = imported_grad(x);
        assert!(close(value, imported(x)));
        assert!(close(
            dx,
            2.0 * x + 2.0 * 0.47 * x + 0.2 * x + 9.81 * 2.0 + 1.0 / x + x.exp()
        ));
        assert!(
            close(physics::gravity_grad(2.0, 3.0).1.0, 29.43)
                && close(shown_grad(1.0).1, 1.0_f64.exp())
        );
    }

    #[test]
    fn bodies() {
        let x = 0.5_f64;
        let (value, dx) = in_a_body(x);
        assert!(close(value, x * x.sin()) && close(dx, x.sin() + x * x.cos()));
        assert!(close(in_a_block(2.0), 12.0));
        let lens = Lens { focus: 2.0 };
        assert!(close(
            lens.slope(6.0),
            -(2.0 / (6.0 - 2.0) * 2.0 / (6.0 - 2.0))
        ));
    }
}
