//! Every form of name for a callee in another crate.

use retrograde::gradient;

/// By its full path.
#[gradient]
pub fn full_path(v: f64) -> f64 {
    v * kernels_lib::physics::drag(v)
}

/// By a path from the root of all crates.
#[gradient]
pub fn absolute_path(v: f64) -> f64 {
    v * ::kernels_lib::physics::drag(v)
}

mod with_use {
    use kernels_lib::physics::spring;
    use retrograde::gradient;

    /// By `use`.
    #[gradient]
    pub fn by_use(k: f64, x: f64) -> f64 {
        spring(k, x) * x
    }
}
pub use with_use::{by_use, by_use_grad};

mod with_module {
    use kernels_lib::physics as mechanics;
    use retrograde::gradient;

    /// By a renamed module.
    #[gradient]
    pub fn by_module(k: f64, x: f64) -> f64 {
        mechanics::spring(k, x) * x
    }
}
pub use with_module::{by_module, by_module_grad};

mod with_rename {
    use kernels_lib::physics::{drag as resistance, spring as bounce};
    use retrograde::gradient;

    /// By `use … as …`.
    #[gradient]
    pub fn by_rename(k: f64, x: f64) -> f64 {
        bounce(k, x) + resistance(x)
    }
}
pub use with_rename::{by_rename, by_rename_grad};

mod with_glob {
    use kernels_lib::prelude::*;
    use retrograde::gradient;

    /// By a glob over re-exports that are globs themselves.
    #[gradient]
    pub fn by_glob(k: f64, x: f64) -> f64 {
        spring(k, x) + drag(x)
    }
}
pub use with_glob::{by_glob, by_glob_grad};

/// Hands on what comes from the other crate.
pub mod exported {
    pub use kernels_lib::drag as air_drag;
    pub use kernels_lib::prelude::spring;
}

/// By a re-export of a re-export.
#[gradient]
pub fn by_export(k: f64, x: f64) -> f64 {
    crate::forms::exported::spring(k, x) + self::exported::air_drag(x)
}

/// By a `use` in the body.
#[gradient]
pub fn by_inner_use(k: f64, x: f64) -> f64 {
    use kernels_lib::physics::spring;
    spring(k, x) * x
}

extern crate kernels_lib as other_name;

/// By another name of the crate.
#[gradient]
pub fn by_crate_name(v: f64) -> f64 {
    other_name::drag(v) + other_name::kernels_lib_cube(v)
}

mod with_companion {
    // The function and its companion have different names; here they get one.
    use kernels_lib::loss::{loss, loss_sweeps as loss};
    use retrograde::gradient;

    /// The callee names its companion.
    #[gradient]
    pub fn companion_by_hand(x: f64) -> f64 {
        loss(x * x, 1.0)
    }
}
pub use with_companion::{companion_by_hand, companion_by_hand_grad};

/// The same function through other names is still the same function.
#[gradient]
pub fn all_at_once(x: f64) -> f64 {
    use kernels_lib::physics::drag as first;
    use kernels_lib::prelude::drag as second;
    first(x) + second(x) + kernels_lib::drag(x) + exported::air_drag(x)
}

kernels_lib::polynomial!(from_a_macro: 1.0 -3.0 2.0);

/// What a macro of the other crate has written.
#[gradient]
pub fn of_a_macro(x: f64) -> f64 {
    from_a_macro(x * x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::close;

    fn drag_slope(v: f64) -> f64 {
        v.abs()
    }

    #[test]
    fn paths() {
        let v = -1.5;
        for (value, dv) in [full_path_grad(v), absolute_path_grad(v)] {
            assert!(close(value, full_path(v)) && close(dv, 0.5 * v * v.abs() + v * drag_slope(v)));
        }
    }

    #[test]
    fn uses() {
        let (k, x) = (2.0, 0.75);
        for (value, (dk, dx)) in [
            by_use_grad(k, x),
            by_module_grad(k, x),
            by_inner_use_grad(k, x),
        ] {
            assert!(close(value, by_use(k, x)));
            assert!(close(dk, x * x + x.powi(4)) && close(dx, k * (2.0 * x + 4.0 * x.powi(3))));
        }
    }

    #[test]
    fn renames_globs_and_exports() {
        let (k, x) = (2.0, -0.75);
        for (value, (dk, dx)) in [
            by_rename_grad(k, x),
            by_glob_grad(k, x),
            by_export_grad(k, x),
        ] {
            assert!(close(value, by_rename(k, x)));
            assert!(close(dk, x + x.powi(3)) && close(dx, k * (1.0 + 3.0 * x * x) + drag_slope(x)));
        }
        assert!(close(all_at_once_grad(x).1, 4.0 * drag_slope(x)));
    }

    #[test]
    fn names_of_crates_and_companions() {
        let v = 1.25;
        assert!(close(by_crate_name_grad(v).1, drag_slope(v) + 3.0 * v * v));
        assert!(close(companion_by_hand_grad(v).1, (v * v - 1.0) * 2.0 * v));
        assert!(close(kernels_lib::loss::loss_grad(v, 1.0).1.0, 0.25));
    }

    #[test]
    fn macros_of_the_other_crate() {
        let x = 1.5;
        assert!(close(from_a_macro_grad(x).1, 2.0 * x - 3.0));
        assert!(close(of_a_macro_grad(x).1, (2.0 * x * x - 3.0) * 2.0 * x));
    }
}
