//! Macros of the file whose text could be read in two ways: what counts is how rustc reads it.

use super::support::checked_by_name;
use retrograde::gradient;

const POINTS: &[&[f64]] = &[
    &[0.7, -1.3, 2.1, 0.4],
    &[-0.2, 0.9, 0.3, 1.7],
    &[1.6, 0.5, -0.8, -0.3],
];

macro_rules! combined {
    (sum $a:expr, $b:expr) => {
        $a + $b
    };
    ($how:ident $a:expr, $b:expr) => {
        $a * $b
    };
}

macro_rules! through {
    ($a:expr, $b:expr) => {
        combined!(sum $a, $b)
    };
}

/// A word of a template is one that the next macro asks for.
#[gradient]
fn words_of_templates(x: &[f64]) -> f64 {
    through!(x[0], x[1]) * x[2] + combined!(product x[2], x[3])
}

macro_rules! squares {
    (@go $sum:expr;) => { $sum };
    (@go $sum:expr; $head:expr $(, $rest:expr)*) => { squares!(@go $sum + $head * $head; $($rest),*) };
    ($($each:expr),*) => { squares!(@go 0.0; $($each),*) };
}

#[gradient]
fn rules_of_its_own(x: &[f64]) -> f64 {
    squares!(x[0], x[1], x[2]) * 2.0 + squares!()
}

macro_rules! above {
    ($a:expr, $b:expr) => {
        if $a > 0.0 {
            $a
        } else {
            1.0
        }
        -$b
    };
}

macro_rules! difference {
    ($a:expr, $b:expr) => {{
        $a
    }
    -$b};
}

macro_rules! chosen {
    ($a:expr, $b:expr) => {
        match $a > 0.3 {
            true => $b,
            false => 2.0 * $b,
        }
        *$a
    };
}

/// At the end of a block, a call is an expression, however it begins.
#[gradient]
fn begins_like_a_statement(x: &[f64]) -> f64 {
    let a = { difference!(x[0], x[1]) };
    let f = |t: f64| above!(t, 2.0);
    let b = {
        let t = x[3];
        chosen!(t, a)
    };
    b + f(x[2]) - difference!(a, x[2])
}

#[gradient]
fn is_the_result(x: &[f64]) -> f64 {
    above!(x[0], x[1])
}

macro_rules! doubled {
    ($x:expr) => {
        $x * 2.0
    };
}

macro_rules! doubled {
    ($x:expr) => {
        $x * 7.0
    };
}

macro_rules! tripled {
    ($x:expr) => {
        $x * 3.0
    };
}

macro_rules! r#tripled {
    ($x:expr) => {
        $x * 5.0
    };
}

macro_rules! halved {
    ($x:expr) => {
        $x * 0.5
    };
}

macro_rules! swallowed {
    ($($t:tt)*) => {};
}

swallowed!({} macro_rules! halved { ($x:expr) => { $x * 11.0 }; });

/// Definitions are found, whatever stands between their words, and what a macro is given is none.
#[gradient]
fn definitions(x: &[f64]) -> f64 {
    doubled!(x[0]) * tripled!(x[1]) + halved!(x[2])
}

macro_rules! half_of_type {
    ($t:ty; $e:expr) => {{
        let v: $t = $e;
        let both: Vec<$t> = vec![v; 2];
        both[0] * both[1] * 0.5
    }};
}

macro_rules! given_on {
    ($t:ty, $e:expr) => {
        half_of_type!($t; $e) + half_of_type!(f64; $e * $e)
    };
}

#[gradient]
fn fragments_given_on(x: &[f64]) -> f64 {
    given_on!(f64, x[0] + x[1]) * x[2]
}

macro_rules! kind {
    (0) => {
        10.0
    };
    ($n:literal) => {
        $n
    };
    ($e:expr) => {
        $e * 3.0
    };
}

macro_rules! kind_of_tree {
    ($n:tt) => {
        kind!($n)
    };
}

#[gradient]
fn first_arm_that_matches(x: &[f64]) -> f64 {
    x[0] * kind!(0) + kind_of_tree!(0) * x[1] + kind!(x[2]) * kind!(-2.5)
}

/// How an argument is written is no call.
#[gradient]
fn spelled(x: &[f64]) -> f64 {
    x[0] * stringify!(doubled!(x[1])).len() as f64 + x[1] * stringify!(x[0]).len() as f64
}

macro_rules! total_over {
    ($v:ident in $range:expr => $e:expr) => {{
        let mut total = 0.0;
        for $v in $range {
            total += $e;
        }
        total
    }};
}

/// One expansion in the argument of another of the same macro.
#[gradient]
fn nested(x: &[f64]) -> f64 {
    let total = x[3];
    total_over!(i in 0..3 => total_over!(k in 0..=i => x[i] * x[k] * total))
}

checked_by_name! {
    words_of_templates words_of_templates_grad
    rules_of_its_own rules_of_its_own_grad
    begins_like_a_statement begins_like_a_statement_grad
    is_the_result is_the_result_grad
    definitions definitions_grad
    fragments_given_on fragments_given_on_grad
    first_arm_that_matches first_arm_that_matches_grad
    spelled spelled_grad
    nested nested_grad
}
