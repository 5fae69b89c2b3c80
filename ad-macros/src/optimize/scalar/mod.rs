//! Passes over single statements.

pub(crate) mod assign;
pub(crate) mod factors;
pub(crate) mod inverses;
mod like_terms;
pub(crate) mod mul_add;
pub(crate) mod simplify;
pub(in crate::optimize) mod sink;
