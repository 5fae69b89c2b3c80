//! The items that users and other generated code call: the companion type of a function or what stands beside a method,
//! the public functions, their signatures and their documentation. What stands in the bodies of the sweeps is printed
//! by `emit`.
//!
//! `item` puts them together: `companion` is the type that carries the sweeps, `witness` says that there are any,
//! `sweeps` the functions whose bodies they are, `rule` that type of a function whose derivative the user writes,
//! `gradient` the functions on top, `docs` their documentation; `lints` is what generated code does not obey;
//! `arguments` gives the function to others as an argument, `literal` a closure in plain code; `outputs` has sweeps
//! that leave their outputs beside those that put them back; `shape`, `signature` and `types` are what the signature
//! gives.

mod arguments;
mod companion;
mod docs;
mod gradient;
mod item;
mod lints;
mod literal;
mod outputs;
mod rule;
mod seeds;
mod shape;
mod signature;
mod sweeps;
mod types;
mod witness;

pub(crate) use companion::{Zero, placed, zero};
pub(crate) use item::{Portion, Surface, items, outside, stubs};
pub(crate) use lints::{allow, allowed};
pub(crate) use literal::literal;
pub(crate) use outputs::may_leave;
pub(crate) use rule::{RuleResult, RuleSeed, RuleSurface, rule};
pub(crate) use shape::{Home, Turbofish};
pub(crate) use signature::{MethodTypes, method_types, name_arguments};
pub(crate) use witness::{
    OfTrait, arguments_of_trait, import, is_forwarded, type_of_const, type_of_lifetime,
};

use crate::emit::{Emitter, Runtime, Sibling, adj, count, mode, own};
