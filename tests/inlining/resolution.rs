//! Which function a call means: where the text does not show it, the call stays.

use retrograde::{Tape, gradient};

use crate::is_right;

/// This module has functions of the same names as others.
mod other {
    use retrograde::gradient;

    #[gradient]
    pub fn wave(v: f64) -> f64 {
        v.cos() + 40.0
    }

    #[gradient]
    pub fn glob(v: f64) -> f64 {
        v * v * v
    }
}

use other::*;

// A local function comes before one of a glob.
#[gradient]
fn wave(v: f64) -> f64 {
    v.sin() * v
}

/// applied `inline`: `wave`
#[gradient]
fn beside_a_glob(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += wave(x[i]);
    }
    sum
}

/// not applied `inline`: `glob` is not declared in this module, by its text
#[gradient]
fn through_a_glob(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += glob(x[i]);
    }
    sum
}

/// Not of this module.
///
/// not applied `inline`
#[gradient]
fn by_path(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += other::wave(x[i]) + self::wave(x[i]);
    }
    sum
}

mod inner {
    use super::*;

    /// In the module around.
    ///
    /// not applied `inline`
    #[gradient]
    pub(super) fn of_the_module_around(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += wave(x[i]);
        }
        sum
    }
}

mod with_its_own {
    use super::*;

    /// applied `inline`: `wave`
    #[gradient]
    pub(super) fn of_its_own_module(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += wave(x[i]);
        }
        sum
    }

    #[gradient]
    fn wave(v: f64) -> f64 {
        v * v - 7.0
    }
}

/// A function in the body.
///
/// not applied `inline`
#[gradient]
fn in_the_body(x: &[f64]) -> f64 {
    fn wave(v: f64) -> f64 {
        v * 3.0
    }
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += wave(x[i]);
    }
    sum
}

/// A closure.
///
/// not applied `inline`
#[gradient]
fn a_closure(x: &[f64]) -> f64 {
    let wave = |v: f64| v * 5.0;
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += wave(x[i]);
    }
    sum
}

/// An import in the body.
///
/// not applied `inline`
#[gradient]
fn an_import(x: &[f64]) -> f64 {
    use self::other::wave;
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += wave(x[i]);
    }
    sum
}

/// A function that is given.
#[gradient]
fn given(x: &[f64], wave: impl Fn(f64) -> f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += wave(x[i]);
    }
    sum
}

#[gradient]
fn gives(x: &[f64]) -> f64 {
    given(x, |v| v * 0.5 + 1.0) + given(x, other::wave)
}

#[gradient]
fn recursive(v: f64) -> f64 {
    if v <= 2.0 { v * recursive(v + 1.5) } else { v }
}

/// not applied `inline`: `recursive` is recursive
#[gradient]
fn of_a_recursive_one(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += recursive(x[i]);
    }
    sum
}

#[gradient]
fn ping(v: f64) -> f64 {
    if v <= 2.0 { v * pong(v + 1.5) } else { v }
}

#[gradient]
fn pong(v: f64) -> f64 {
    if v <= 3.0 { ping(v + 0.5) } else { v * v }
}

/// not applied `inline`
#[gradient]
fn of_two_in_a_circle(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += ping(x[i]);
    }
    sum
}

/// It calls itself.
///
/// not applied `inline`
#[gradient]
fn itself(x: f64, n: usize) -> f64 {
    let mut sum = x;
    for i in 0..n {
        sum += x * itself(0.5 * x, i);
    }
    sum
}

#[cfg(any())]
#[gradient]
fn configured(v: f64) -> f64 {
    v * 100.0
}

#[cfg(not(any()))]
#[gradient]
fn configured(v: f64) -> f64 {
    v * v
}

/// not applied `inline`
#[gradient]
fn of_one_of_two(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += configured(x[i]);
    }
    sum
}

macro_rules! declared {
    ($name:ident, $by:literal) => {
        #[gradient]
        fn $name(v: f64) -> f64 {
            v * v * $by
        }
    };
}

declared!(by_a_macro, 2.0);

macro_rules! as_it_is {
    ($($item:item)*) => { $($item)* };
}

as_it_is! {
    struct Unused {}

    #[gradient]
    fn in_a_macro(v: f64) -> f64 {
        v * v * 3.0
    }
}

macro_rules! replaced {
    ($($item:tt)*) => {
        #[gradient]
        fn in_another_macro(v: f64) -> f64 {
            v * 17.0
        }
    };
}

replaced!(
    struct Unused {}

    #[gradient]
    fn in_another_macro(v: f64) -> f64 {
        v * v * 3.0
    }
);

/// not applied `inline`
#[gradient]
fn of_macros(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += by_a_macro(x[i]) + in_a_macro(x[i]) + in_another_macro(x[i]);
    }
    sum
}

// #[gradient] fn decoy(v: f64) -> f64 { 99.0 * v }
/* #[gradient]
fn decoy(v: f64) -> f64 { 98.0 * v } */
const TEXT: &str = "
#[gradient]
fn decoy(v: f64) -> f64 { 97.0 * v }
";

/// ```text
/// fn decoy(v: f64) -> f64 { 96.0 * v }
/// ```
#[inline]
#[must_use]
#[gradient]
pub(crate) fn decoy(/* v: f32, */ v: f64) -> f64 {
    // return 95.0 * v;
    v * v /* + 1.0 */ + 0.5 * v
}

/// applied `inline`: `decoy`
#[gradient]
fn beside_comments(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += decoy(x[i]);
    }
    sum
}

#[gradient(name = renamed)]
fn with_a_name(v: f64) -> f64 {
    v * v
}

#[gradient(no(fuse))]
fn with_options(v: f64) -> f64 {
    v * v * v
}

#[inline(never)]
#[gradient]
fn never(v: f64) -> f64 {
    v * v * 0.5
}

/// not applied `inline`: `never` has attributes beside a plain `#[gradient]`
/// not applied `inline`: `with_a_name` has attributes beside a plain `#[gradient]`
/// not applied `inline`: `with_options` has attributes beside a plain `#[gradient]`
#[gradient]
fn of_functions_with_attributes(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += never(x[i]) + with_a_name(x[i]) * with_options(x[i]);
    }
    sum
}

#[gradient]
fn with_a_constant(v: f64, #[constant] w: f64) -> f64 {
    v * w
}

#[gradient]
fn with_a_region(v: f64) -> f64 {
    let w = #[checkpoint]
    {
        v * v
    };
    w * v
}

#[gradient]
fn with_a_cut(v: f64) -> f64 {
    v * retrograde::no_gradient(v)
}

#[gradient]
fn with_a_loop(v: f64, n: usize) -> f64 {
    let mut w = 1.0;
    for _ in 0..n {
        w *= v;
    }
    w
}

#[gradient]
fn with_a_macro(v: f64) -> f64 {
    assert!(v < 1e9);
    v * v
}

#[gradient]
fn of_a_vec(v: &Vec<f64>) -> f64 {
    v[0] * v[0]
}

/// not applied `inline`
#[gradient]
fn of_functions_that_do_more(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += with_a_constant(x[i], x[i]) + with_a_region(x[i]) + with_a_cut(x[i]);
        sum += with_a_loop(x[i], 3) + with_a_macro(x[i]) + of_a_vec(&x[i..].to_vec());
    }
    sum
}

/// A rule of the user's own is what the derivative is.
fn ruled(v: f64) -> f64 {
    v * v
}

#[retrograde::derivative_of(ruled)]
fn rule(v: f64, seed: f64, v_bar: &mut f64) {
    *v_bar += 10.0 * v * seed;
}

/// not applied `inline`
#[gradient]
fn of_a_rule(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += ruled(x[i]);
    }
    sum
}

#[derive(Clone, retrograde::Differentiable)]
struct Model {
    rate: f64,
}

#[gradient]
impl Model {
    /// A method of the same name.
    pub fn wave(&self, v: f64) -> f64 {
        v * self.rate
    }

    pub fn run(&self, x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += self.wave(x[i]) + wave(x[i]);
        }
        sum
    }
}

/// A function in a test.
#[test]
fn in_a_function() {
    #[gradient]
    fn wave(v: f64) -> f64 {
        v * 9.0
    }
    #[gradient]
    fn local(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += wave(x[i]);
        }
        sum
    }
    is_right(local, local_grad);
}

/// A name with a keyword in it, raw.
#[gradient]
fn r#in(v: f64) -> f64 {
    v * v + v
}

/// applied `inline`
#[gradient]
fn of_a_raw_name(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += r#in(x[i]);
    }
    sum
}

#[test]
fn the_function_that_is_meant() {
    is_right(beside_a_glob, beside_a_glob_grad);
    is_right(through_a_glob, through_a_glob_grad);
    is_right(by_path, by_path_grad);
    is_right(
        inner::of_the_module_around,
        inner::of_the_module_around_grad,
    );
    is_right(
        with_its_own::of_its_own_module,
        with_its_own::of_its_own_module_grad,
    );
    is_right(in_the_body, in_the_body_grad);
    is_right(a_closure, a_closure_grad);
    is_right(an_import, an_import_grad);
    is_right(gives, gives_grad);
    is_right(of_a_recursive_one, of_a_recursive_one_grad);
    is_right(of_two_in_a_circle, of_two_in_a_circle_grad);
    is_right(of_one_of_two, of_one_of_two_grad);
    is_right(of_macros, of_macros_grad);
    is_right(beside_comments, beside_comments_grad);
    is_right(
        of_functions_with_attributes,
        of_functions_with_attributes_grad,
    );
    is_right(of_a_raw_name, of_a_raw_name_grad);
}

#[test]
fn what_stays_a_call_keeps_its_meaning() {
    let x = [0.4, -0.6];
    // The second factor of `with_a_cut`, and the second argument of `with_a_constant`, count as constants.
    let (value, dx) = of_functions_that_do_more_grad(&x);
    assert_eq!(value.to_bits(), of_functions_that_do_more(&x).to_bits());
    for (v, d) in x.iter().zip(dx) {
        let want = v + 3.0 * v * v + v + 3.0 * v * v + 2.0 * v + 2.0 * v;
        assert!((d - want).abs() < 1e-12, "{d} {want}");
    }
    let (value, dx) = of_a_rule_grad(&x);
    assert_eq!(value.to_bits(), of_a_rule(&x).to_bits());
    assert_eq!(dx, x.map(|v| 10.0 * v));
    let (value, dx) = itself_grad(0.7, 4);
    assert_eq!(value.to_bits(), itself(0.7, 4).to_bits());
    let want = crate::differences(|x| itself(x[0], 4), &[0.7]);
    assert!((dx - want[0]).abs() < 1e-8);
    let model = Model { rate: 1.5 };
    let (value, _) = model.run_grad(&x);
    assert_eq!(value.to_bits(), model.run(&x).to_bits());
}
