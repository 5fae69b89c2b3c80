//! Names: of the generated functions, of parameters, and of everything that could be in the way.

use ad::gradient;

/// Another prefix, since `height_grad` is taken.
#[gradient(crate = ::ad, name = height_of)]
#[must_use]
pub fn height(x: f64, y: f64) -> f64 {
    x * x * y
}

/// The slope that somebody wrote by hand.
#[must_use]
pub fn height_grad(x: f64, y: f64) -> (f64, f64) {
    (2.0 * x * y, x * x)
}

/// Beside a module of the same name, the companion needs another one.
#[gradient(crate = ::ad, companion = Area)]
#[must_use]
pub fn area(a: f64, b: f64) -> f64 {
    a * b
}

/// What the function above is measured in.
pub mod area {
    /// Square metres.
    pub const UNIT: &str = "m²";
}

/// Both, in another order and with a comma at the end.
#[gradient(name = volume_of, companion = Volume, crate = ::ad,)]
#[must_use]
pub fn volume(a: f64) -> f64 {
    a * a * a
}

/// Keywords, letters outside of ASCII, and the names that generated code would choose itself.
#[gradient(crate = ::ad)]
#[must_use]
#[allow(clippy::similar_names, clippy::too_many_arguments)]
pub fn r#match(
    r#type: f64,
    λ: f64,
    tape: f64,
    seed: f64,
    value: f64,
    guard: f64,
    callee: f64,
    result: f64,
) -> f64 {
    let r#loop = r#type * λ;
    let jump = tape * seed;
    let before = value * guard;
    r#loop + jump + before + callee * result
}

/// Parameters that look like the buffers of other parameters.
#[gradient(crate = ::ad)]
#[must_use]
pub fn buffers(x: f64, dx: f64, x_bar: f64, x_adj: f64, record: f64, site: f64) -> f64 {
    x * dx * x_bar * x_adj + record * site
}

/// Two letters that differ in case, and variables of one name.
#[gradient(crate = ::ad)]
#[must_use]
#[allow(non_snake_case)]
pub fn shadowed(a: f64, A: f64) -> f64 {
    let x = a * A;
    let x = x * x;
    {
        let x = x.sin();
        let a = x;
        a * A
    }
}

/// Nothing of `std` is in scope by name, and what is has another meaning.
pub mod bare {
    #![no_implicit_prelude]
    #![allow(dead_code)]

    use ::ad::gradient;

    mod core {}
    mod std {}
    mod alloc {}
    mod ad {}
    mod retrograde {}
    struct Option;
    struct Some;
    struct None;
    struct Vec;
    struct Box;
    struct Result;
    struct Default;
    struct Clone;
    struct Tape;
    struct Iterator;

    /// A loop with a record, a vector, a branch and a callee.
    #[gradient(crate = ::ad)]
    #[must_use]
    pub fn walk(values: &[f64], start: f64) -> f64 {
        let mut x = start;
        for v in values {
            if *v > 0.0 {
                x = x.powi(2) * v;
            } else {
                x += step(*v, x);
            }
        }
        x
    }

    /// A callee with a result of two.
    #[gradient(crate = ::ad)]
    #[must_use]
    #[allow(clippy::needless_pass_by_value)]
    pub fn both(a: f64, list: ::std::vec::Vec<f64>) -> (f64, ::std::option::Option<f64>) {
        let mut sum = 0.0;
        for v in &list {
            sum += v * a;
        }
        (sum, ::std::option::Option::Some(sum * a))
    }

    #[gradient(crate = ::ad)]
    fn step(a: f64, b: f64) -> f64 {
        a * b
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{all_close, close};

    #[test]
    fn another_prefix() {
        let (value, (dx, dy)) = height_of_grad(2.0, 3.0);
        assert!(
            close(value, height(2.0, 3.0))
                && close(dx, height_grad(2.0, 3.0).0)
                && close(dy, height_grad(2.0, 3.0).1)
        );
    }

    #[test]
    fn another_companion() {
        assert_eq!(area::UNIT, "m²");
        let (value, (da, db)) = area_grad(2.0, 3.0);
        assert!(close(value, area(2.0, 3.0)) && close(da, 3.0) && close(db, 2.0));
        assert!(close(volume_of_grad(2.0).1, 12.0) && close(volume(2.0), 8.0));
    }

    #[test]
    fn odd_names() {
        let (value, d) = match_grad(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0);
        assert!(close(
            value,
            r#match(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0)
        ));
        assert!(all_close(
            &[d.0, d.1, d.2, d.3, d.4, d.5, d.6, d.7],
            &[2.0, 1.0, 4.0, 3.0, 6.0, 5.0, 8.0, 7.0]
        ));
        let (value, d) = buffers_grad(1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
        assert!(close(value, buffers(1.0, 2.0, 3.0, 4.0, 5.0, 6.0)));
        assert!(all_close(
            &[d.0, d.1, d.2, d.3, d.4, d.5],
            &[24.0, 12.0, 8.0, 6.0, 6.0, 5.0]
        ));
    }

    #[test]
    fn one_name_many_variables() {
        let (a, b) = (0.5_f64, 0.75_f64);
        let square = a * a * b * b;
        let (value, (da, db)) = shadowed_grad(a, b);
        assert!(close(value, shadowed(a, b)) && close(value, square.sin() * b));
        assert!(close(da, square.cos() * 2.0 * a * b * b * b));
        assert!(close(db, square.cos() * 2.0 * a * a * b * b + square.sin()));
    }

    #[test]
    fn without_a_prelude() {
        let (value, (dvalues, dstart)) = bare::walk_grad(&[2.0, -0.5], 3.0);
        assert!(close(value, bare::walk(&[2.0, -0.5], 3.0)) && close(value, 9.0));
        assert!(all_close(&dvalues, &[4.5, 18.0]) && close(dstart, 6.0));
    }

    #[test]
    fn results_without_a_prelude() {
        let (mut tape, list) = (ad::Tape::new(), vec![1.0, 2.0]);
        let (mut da, mut dlist) = (0.0, vec![0.0; 2]);
        let (sum, scaled) =
            bare::both_adjoint(&mut tape, 3.0, &mut da, list, &mut dlist, (1.0, Some(10.0)));
        assert!(close(sum, 9.0) && scaled.is_some_and(|s| close(s, 27.0)));
        // sum = 3 a, scaled = 3 a².
        assert!(close(da, 3.0 + 180.0) && all_close(&dlist, &[93.0, 93.0]));
    }
}
