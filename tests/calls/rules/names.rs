//! How calls find rules: by name, through imports and globs, across modules.

use crate::support::{check, panic_message};

/// Rules in a module of their own, imported in all ways.
mod library {
    use super::super::foreign;
    use retrograde::derivative_of;

    pub fn bell(x: f64) -> f64 {
        (-x * x).exp()
    }

    #[derivative_of(bell)]
    pub fn bell_rule(x: f64, #[result] y: f64) -> f64 {
        -2.0 * x * y
    }

    #[derivative_of(super::super::foreign::wave)]
    pub(crate) fn of_wave(x: f64) -> f64 {
        foreign::wave_slope(x)
    }
}

mod by_name {
    use super::library::bell as hump;

    #[retrograde::gradient]
    pub(super) fn f(x: f64) -> f64 {
        hump(x) + super::library::bell(2.0 * x)
    }
}

mod by_glob {
    use super::super::foreign::wave;
    use super::library::*;

    #[retrograde::gradient]
    pub(super) fn f(x: f64) -> f64 {
        bell(wave(x))
    }
}

mod by_parts {
    use super::super::foreign::wave as w;
    use super::library::wave as w;

    #[retrograde::gradient]
    pub(super) fn f(x: f64) -> f64 {
        w(x)
    }
}

#[test]
fn names_find_rules() {
    let inputs: &[&[f64]] = &[&[0.3], &[-1.1]];
    check(|p| by_name::f(p[0]), |p| by_name::f_grad(p[0]), inputs);
    check(|p| by_glob::f(p[0]), |p| by_glob::f_grad(p[0]), inputs);
    check(|p| by_parts::f(p[0]), |p| by_parts::f_grad(p[0]), inputs);
}

/// The name means one function, and the rule in scope is for another.
mod shadowed {
    use super::library::*;

    fn bell(x: f64) -> f64 {
        x
    }

    #[retrograde::gradient]
    pub(super) fn f(x: f64) -> f64 {
        bell(x)
    }
}

#[test]
fn the_rule_of_another_function_panics() {
    let message = panic_message(|| {
        shadowed::f_grad(1.0);
    });
    assert!(
        message.contains("shadowed::bell") && message.contains("library::bell"),
        "{message}"
    );
}

/// A module has the name of the function.
mod named_twice {
    pub mod hill {
        pub fn hill(x: f64) -> f64 {
            x * x * x
        }
    }
    use hill::hill as the_hill;
    mod rules {
        #[retrograde::derivative_of(super::hill::hill, companion = hill_sweeps)]
        pub(super) fn rule(x: f64) -> f64 {
            3.0 * x * x
        }
    }
    use rules::hill_sweeps as the_hill;

    #[retrograde::gradient]
    pub(super) fn f(x: f64) -> f64 {
        the_hill(x)
    }
}

#[test]
fn a_companion_of_another_name() {
    assert_eq!(named_twice::f_grad(2.0), (8.0, 12.0));
}
