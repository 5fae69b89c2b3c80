//! Callees reached by every form of path and `use`.

use crate::support::check_exact;
use retrograde::gradient;

mod physics {
    use retrograde::gradient;

    #[gradient]
    pub fn force(x: f64) -> f64 {
        -x * x
    }

    pub mod deep {
        use retrograde::gradient;

        #[gradient]
        pub(crate) fn energy(x: f64) -> f64 {
            super::force(x) * x + self::half(x) + crate::paths::outside(x)
        }

        #[gradient]
        fn half(x: f64) -> f64 {
            0.5 * x
        }
    }

    mod private {
        use retrograde::gradient;

        #[gradient]
        pub fn hidden(x: f64) -> f64 {
            x.exp()
        }
    }

    pub use private::hidden;
    pub use private::hidden as shown;
}

#[gradient]
fn outside(x: f64) -> f64 {
    7.0 * x
}

mod by_path {
    #[retrograde::gradient]
    pub(super) fn f(x: f64) -> f64 {
        super::physics::force(x) + crate::paths::physics::deep::energy(x)
    }
}

mod by_use {
    use super::physics::deep::energy;
    use super::physics::force;
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: f64) -> f64 {
        force(x) + energy(x)
    }
}

mod by_rename {
    use super::physics::{deep as d, force as push};
    use retrograde::gradient as differentiable;

    #[differentiable]
    pub(super) fn f(x: f64) -> f64 {
        push(x) + d::energy(x)
    }
}

mod by_glob {
    use super::physics::deep::*;
    use super::physics::*;
    use retrograde::*;

    #[gradient]
    pub(super) fn f(x: f64) -> f64 {
        force(x) + energy(x)
    }
}

mod by_body_use {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: f64) -> f64 {
        use super::physics::deep::energy as e;
        use super::physics::force;
        force(x) + e(x)
    }
}

mod re_exports {
    pub(super) use super::physics::deep::energy;
    pub(super) use super::physics::force as renamed;
}

mod by_re_export {
    use super::re_exports;
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: f64) -> f64 {
        re_exports::renamed(x) + re_exports::energy(x)
    }
}

#[test]
fn every_form_of_path_finds_the_callee() {
    let forms: [(fn(f64) -> f64, fn(f64) -> (f64, f64)); 6] = [
        (by_path::f, by_path::f_grad),
        (by_use::f, by_use::f_grad),
        (by_rename::f, by_rename::f_grad),
        (by_glob::f, by_glob::f_grad),
        (by_body_use::f, by_body_use::f_grad),
        (by_re_export::f, by_re_export::f_grad),
    ];
    // -x² + (-x³ + x/2 + 7x)
    let want = |p: &[f64]| vec![-2.0 * p[0] - 3.0 * p[0] * p[0] + 7.5];
    for (primal, gradient) in forms {
        check_exact(
            |p| primal(p[0]),
            |p| gradient(p[0]),
            want,
            &[&[0.7], &[-1.5]],
        );
    }
}

#[gradient]
fn through_private_module(x: f64) -> f64 {
    physics::hidden(x) * physics::shown(2.0 * x)
}

#[test]
fn re_export_from_a_private_module() {
    check_exact(
        |p| through_private_module(p[0]),
        |p| through_private_module_grad(p[0]),
        |p| vec![3.0 * (3.0 * p[0]).exp()],
        &[&[0.1], &[-0.5]],
    );
}

mod std_free {
    #![no_implicit_prelude]

    #[::retrograde::gradient]
    pub(super) fn f(x: f64, n: usize) -> f64 {
        let mut r = x;
        for i in 0..n {
            if r > 10.0 {
                return r;
            }
            r = r * x + i as f64;
        }
        r
    }
}

#[test]
fn without_names_of_std_in_scope() {
    let (value, g) = std_free::f_grad(1.5, 3);
    assert_eq!(value, std_free::f(1.5, 3));
    assert!((g - (4.0 * 1.5_f64.powi(3) + 1.0)).abs() < 1e-12, "{g}");
}

mod names {
    use retrograde::gradient;

    /// Names that generated code might want for itself.
    #[gradient]
    #[allow(non_snake_case)]
    pub(super) fn f(tape: f64, x_bar: f64, result: f64, r#type: f64) -> f64 {
        let seed = tape * x_bar;
        let value = seed + result;
        let tape = value * tape;
        let MODE = tape * r#type;
        let x_bar = MODE + x_bar;
        let record = x_bar * result;
        record * seed
    }
}

#[test]
fn names_that_look_generated() {
    crate::support::check(
        |p| names::f(p[0], p[1], p[2], p[3]),
        |p| names::f_grad(p[0], p[1], p[2], p[3]),
        &[&[0.7, 0.4, -0.3, 1.2], &[-1.3, 0.9, 1.1, 0.6]],
    );
}
