//! `#[gradient]` on a trait (`definition`), and on an `impl` of one.
//!
//! | trait | what it gets |
//! |---|---|
//! | a sum or product | nothing that runs: callers see its body (`sums`) |
//! | an operator of `std::ops` | a rule that rustc finds by the types of the operands (`operators`) |
//! | any other one | what methods get, beside those of the type itself (`methods`) |
//! | the same for a type of the language or of std | what the trait has, in the `impl` itself (`language`) |
//!
//! A trait that can be made into an object has sweeps of its `dyn`, too (`objects`).
//!
//! The `impl` of an operator may be of a foreign type (`impl Mul<V> for f64`), which can have no functions beside
//! those of the trait. So its functions are differentiated as associated functions of a hidden type (`carrier`).

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "the user's syntax has more forms than are asked for"
)]

mod carrier;
mod conversions;
mod definition;
mod functions;
mod inherited;
mod language;
mod method;
mod methods;
mod objects;
mod operators;
mod overridden;
mod parameters;
mod private;
mod provided;
mod sums;

pub(crate) use carrier::{peeled, without_associated};
pub(crate) use definition::define;
pub(crate) use language::{is_of_language, with_items, within};
pub(crate) use method::number_of_trait;
pub(crate) use methods::{beside, is_of_a_type};
pub(crate) use operators::{differentiate_each, is_operator};
pub(crate) use overridden::written_again;
pub(crate) use parameters::say_constants;
