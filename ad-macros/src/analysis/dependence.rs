//! What code touches, and which parts of it depend on one another.
//!
//! All of it is read off one walk over statements, [`shallow_touches`](crate::ir::shallow_touches): each place that a
//! statement reads, measures, adds to, overwrites, changes or declares. Assumes that two roots never alias, which the
//! borrow checker sees to.
//!
//! | question | answered by |
//! |---|---|
//! | may two statements change places? | [`footprint`]: if neither changes what the other touches; additions may |
//! | what goes from iteration to iteration of a loop? | [`carried`] |
//! | can two places of different iterations be the same element? | [`disjoint`] |
//! | does an iteration have a variable for itself? | [`private`] |
//! | does an iteration write what earlier ones have read? | [`later`], [`instances`] |
//! | which elements does a place mean over all iterations? | [`reach`] |
//!
//! Facts are kept by root variable: an array is one thing unless indices tell its elements apart.

mod anchored;
mod bounds;
pub(crate) mod carried;
pub(crate) mod disjoint;
pub(crate) mod footprint;
pub(crate) mod instances;
pub(crate) mod later;
pub(crate) mod private;
pub(crate) mod reach;
