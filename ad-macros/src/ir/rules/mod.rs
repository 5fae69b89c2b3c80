//! The derivative of each operation on numbers, as data.
//!
//! An operation has a *term* for each operand: a [`Map`] that is linear in its seed, written in the operands and the
//! result of the operation. Reverse mode gives it the adjoint of the result, and gets what is added to the adjoint of
//! the operand; forward mode gives it the tangent of the operand, and gets what is added to the tangent of the result.
//! [`linearize`] takes the terms of an expression from here.
//!
//! | file | what it says |
//! |---|---|
//! | `functions` | the methods of floats: name, cost, terms |
//! | `operators` | the operators: cost, terms |
//! | `names` | the rules of the runtime that terms are written with: name, parameters, guard |
//! | `linear` | the terms of an expression |
//!
//! The maps of scalars are their own transposes, but for conversions. In the terms of a function `x`, `y` and `z` are
//! its operands, `r` is its result, which is computed once, whichever terms read it.

mod functions;
mod linear;
mod names;
mod operators;

pub(crate) use functions::MathFn;
pub(crate) use linear::{Linear, linearize, negated, rule};
pub(crate) use names::Rule;

/// What it takes to evaluate an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cost {
    /// A few instructions.
    Cheap,
    /// A call of the math library (rule 7 of the IR).
    Libm,
}

/// A value of the operation that a map reads beside its seed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    /// The operand of that number.
    Operand(usize),
    Result,
}

/// A map that is linear in its seed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Map {
    /// The seed.
    Identity,
    /// The negative of the seed.
    Negate,
    /// The product of the seed with a value.
    Times(Value),
    /// A rule of the runtime, which takes the seed first. It says whether the map is guarded.
    Rule(Rule, &'static [Value]),
    /// The seed in the other type of a cast.
    Convert,
}

/// An operation on numbers.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) cost: Cost,
    /// One for each operand; `None` where the derivative is zero everywhere.
    pub(crate) terms: &'static [Option<Map>],
}

/// An [`Entry`]: its cost, and its terms as `seed`, `negated`, `zero`, `times(value)` or the variant of a [`Rule`] with
/// the values that it takes.
macro_rules! entry {
    ($cost:ident [$($term:ident $(($($value:ident),*))?),* $(,)?]) => {
        &$crate::ir::rules::Entry {
            cost: $crate::ir::rules::Cost::$cost,
            terms: &[$($crate::ir::rules::entry!(@term $term $(($($value),*))?)),*],
        }
    };
    (@term zero) => { None };
    (@term seed) => { Some($crate::ir::rules::Map::Identity) };
    (@term negated) => { Some($crate::ir::rules::Map::Negate) };
    (@term times($value:ident)) => {
        Some($crate::ir::rules::Map::Times($crate::ir::rules::entry!(@value $value)))
    };
    (@term $rule:ident) => {
        Some($crate::ir::rules::Map::Rule($crate::ir::rules::Rule::$rule, &[]))
    };
    (@term $rule:ident($($value:ident),*)) => {
        Some($crate::ir::rules::Map::Rule(
            $crate::ir::rules::Rule::$rule,
            &[$($crate::ir::rules::entry!(@value $value)),*],
        ))
    };
    (@value x) => { $crate::ir::rules::Value::Operand(0) };
    (@value y) => { $crate::ir::rules::Value::Operand(1) };
    (@value z) => { $crate::ir::rules::Value::Operand(2) };
    (@value r) => { $crate::ir::rules::Value::Result };
}
use entry;
