//! Names in the body of a function that is inlined: they mean what they mean where it stands.

use retrograde::gradient;

use crate::is_right;

const RATE: f64 = 0.75;
#[allow(non_upper_case_globals)]
const shift: f64 = 0.25;

#[gradient]
fn rated(v: f64) -> f64 {
    RATE * v * v + shift * v
}

/// Its variable is called as a constant of the function.
///
/// applied `inline`: `rated`
#[gradient]
fn a_variable_of_that_name(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += rated(x[i]);
    }
    sum
}

/// A constant of the caller's own, of the same name: the call stays.
///
/// not applied `inline`: `rated` names `RATE`, which is declared in the caller
#[gradient]
fn a_constant_of_that_name(x: &[f64]) -> f64 {
    const RATE: f64 = -3.0;
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += rated(x[i]) * RATE;
    }
    sum
}

/// In an inner block, too.
///
/// not applied `inline`
#[gradient]
fn a_constant_of_a_block(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        const RATE: f64 = -3.0;
        sum += rated(x[i]) * RATE;
    }
    sum
}

const N: usize = 3;

#[gradient]
fn nth(v: f64) -> f64 {
    v * N as f64 + v * v
}

/// A parameter of the caller's.
///
/// not applied `inline`
#[gradient]
fn a_parameter_of_that_name<const N: usize>(x: &[f64; N]) -> f64 {
    let mut sum = 0.0;
    for i in 0..N {
        sum += nth(x[i]) * N as f64;
    }
    sum
}

/// Another parameter.
///
/// applied `inline`: `nth`
#[gradient]
fn another_parameter<const M: usize>(x: &[f64; M]) -> f64 {
    let mut sum = 0.0;
    for i in 0..M {
        sum += nth(x[i]) * M as f64;
    }
    sum
}

#[gradient]
fn cast(v: f64) -> f64 {
    v * (v as Real)
}

type Real = f64;

/// A type of the caller's own, of the same name.
///
/// not applied `inline`
#[gradient]
fn a_type_of_that_name(x: &[f64]) -> f64 {
    type Real = usize;
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += cast(x[i]) * (i as Real) as f64;
    }
    sum
}

/// A function of the caller's own that the body would call.
#[gradient]
fn squared(v: f64) -> f64 {
    v * v
}

#[gradient]
fn through_another(v: f64) -> f64 {
    squared(v) + v
}

/// not applied `inline`
#[gradient]
fn a_function_of_that_name(x: &[f64]) -> f64 {
    fn squared(v: f64) -> f64 {
        -1000.0 * v
    }
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += through_another(x[i]) + squared(x[i]);
    }
    sum
}

/// A variable that is a closure of that name is no function of the body's.
///
/// applied `inline`: `through_another`
#[gradient]
fn another_squared(x: &[f64]) -> f64 {
    let cubed = |v: f64| v * v * v;
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += through_another(x[i]) + cubed(x[i]);
    }
    sum
}

/// An import, which may be of a trait with methods.
mod loud {
    pub trait Loud {
        fn abs(self) -> f64;
        fn louder(self) -> f64;
    }
    impl Loud for f64 {
        fn abs(self) -> f64 {
            1000.0
        }
        fn louder(self) -> f64 {
            2000.0
        }
    }
}

#[gradient]
fn magnitude(v: f64) -> f64 {
    v.abs() * v
}

/// not applied `inline`
#[gradient]
fn an_import(x: &[f64]) -> f64 {
    use self::loud::Loud as _;
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += magnitude(x[i]);
    }
    sum
}

mod with_the_trait_in_scope {
    use super::loud::Loud as _;
    use retrograde::gradient;

    #[gradient]
    fn magnitude(v: f64) -> f64 {
        v.abs() * v + f64::abs(v)
    }

    /// A method of floats comes before one of a trait.
    ///
    /// applied `inline`: `magnitude`
    #[gradient]
    pub(super) fn floats_come_first(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += magnitude(x[i]);
        }
        sum
    }
}

/// The function's variable has the name of one of its caller's, and of the array.
#[gradient]
fn x_of_its_own(i: f64) -> f64 {
    let x = i * i;
    let sum = x + i;
    sum * x
}

/// applied `inline`: `x_of_its_own`
#[gradient]
fn variables_apart(x: &[f64]) -> f64 {
    let mut sum = 0.5;
    for i in 0..x.len() {
        sum = 0.5 * sum + x_of_its_own(x[i] + 0.1 * sum);
    }
    sum
}

#[test]
fn names_mean_what_they_mean_where_the_function_stands() {
    is_right(a_variable_of_that_name, a_variable_of_that_name_grad);
    is_right(a_constant_of_that_name, a_constant_of_that_name_grad);
    is_right(a_constant_of_a_block, a_constant_of_a_block_grad);
    is_right(a_type_of_that_name, a_type_of_that_name_grad);
    is_right(a_function_of_that_name, a_function_of_that_name_grad);
    is_right(another_squared, another_squared_grad);
    is_right(an_import, an_import_grad);
    is_right(
        with_the_trait_in_scope::floats_come_first,
        with_the_trait_in_scope::floats_come_first_grad,
    );
    is_right(variables_apart, variables_apart_grad);
    is_right(shadowed_by_variables, shadowed_by_variables_grad);
    let x = [0.3, -0.7];
    assert_eq!(
        a_parameter_of_that_name_grad(&x).0.to_bits(),
        a_parameter_of_that_name(&x).to_bits()
    );
    let x = [0.3, -0.7, 0.2, 0.9, -0.4];
    for (got, want) in [
        (
            a_parameter_of_that_name_grad(&x),
            (
                a_parameter_of_that_name(&x),
                x.map(|v| 5.0 * (3.0 + 2.0 * v)),
            ),
        ),
        (
            another_parameter_grad(&x),
            (another_parameter(&x), x.map(|v| 5.0 * (3.0 + 2.0 * v))),
        ),
    ] {
        assert_eq!(got.0.to_bits(), want.0.to_bits());
        for (a, b) in got.1.iter().zip(want.1) {
            assert!((a - b).abs() < 1e-12, "{a} {b}");
        }
    }
}

#[gradient]
fn offset(v: f64) -> f64 {
    v * HALF + v * v
}

const HALF: f64 = 0.5;

/// Its variables have names of constants of the function: generated code calls them something else.
///
/// applied `inline`: `offset`
#[gradient]
fn shadowed_by_variables(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        let half = x[i] * 3.0;
        sum += offset(half) * half;
    }
    sum
}
