//! A plain function can shadow a gradient function's name in the value namespace alone, so that the caller's sweeps
//! would find another function than its body calls. Each form must panic (or fail to compile), never give the
//! gradient of the wrong function.

use crate::support::panic_message;
use retrograde::gradient;

mod library {
    use retrograde::gradient;

    #[gradient]
    pub fn g(x: f64) -> f64 {
        x * x
    }
}

mod plain {
    pub fn g(x: f64) -> f64 {
        1000.0 * x
    }
}

mod local_function_beside_a_glob {
    use super::library::*;
    use retrograde::gradient;

    fn g(x: f64) -> f64 {
        1000.0 * x
    }

    #[gradient]
    pub(super) fn f(x: f64) -> f64 {
        g(x) + 1.0
    }
}

mod use_in_the_body {
    use super::library::g;
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: f64) -> f64 {
        use super::plain::g;
        g(x) + 1.0
    }
}

mod function_in_the_body {
    use super::library::g;
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: f64) -> f64 {
        fn g(x: f64) -> f64 {
            1000.0 * x
        }
        g(x) + 1.0
    }
}

#[track_caller]
fn must_not_answer(primal: fn(f64) -> f64, gradient: fn(f64) -> (f64, f64)) {
    assert_eq!(primal(2.0), 2001.0, "the body calls the plain function");
    let message = panic_message(|| {
        let answer = gradient(2.0);
        println!("{answer:?}");
    });
    assert!(
        message.contains('g'),
        "the message names the function: {message}"
    );
}

#[test]
fn local_function_beside_a_glob_import() {
    must_not_answer(
        local_function_beside_a_glob::f,
        local_function_beside_a_glob::f_grad,
    );
}

#[test]
fn plain_function_imported_in_the_body() {
    must_not_answer(use_in_the_body::f, use_in_the_body::f_grad);
}

#[test]
fn plain_function_declared_in_the_body() {
    assert_eq!(function_in_the_body::f(2.0), 2001.0);
    // It is seen, and inlined.
    assert_eq!(function_in_the_body::f_grad(2.0), (2001.0, 1000.0));
}

#[gradient]
fn not_shadowed(x: f64) -> f64 {
    use library::g;
    g(x) + 1.0
}

#[test]
fn the_guard_lets_the_right_function_pass() {
    assert_eq!(not_shadowed_grad(3.0), (10.0, 6.0));
}
