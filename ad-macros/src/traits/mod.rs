//! `#[gradient]` on an `impl` of a trait.
//!
//! | trait | what it gets |
//! |---|---|
//! | an operator of `std::ops` | a rule that rustc finds by the types of the operands (`operators`) |
//!
//! Such an `impl` may be of a foreign type (`impl Mul<V> for f64`), which can have no functions beside those of the
//! trait. So its functions are differentiated as associated functions of a hidden type (`carrier`).

mod carrier;
mod operators;

pub(crate) use operators::{differentiate, is_operator};
