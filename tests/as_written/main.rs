//! Functions as people write them before they have read a manual: plain predicates in conditions, `no_gradient` around
//! whatever is in the way, variables assigned later, constants passed on, counters and orders written through `&mut`.

#![allow(
    clippy::all,
    clippy::pedantic,
    unused,
    unreachable_pub,
    reason = "the functions are written as users write them"
)]

mod constants;
mod cuts;
mod deferred;
mod in_out;
mod modules;
mod names;
mod predicates;
mod removed;
#[path = "../support/mod.rs"]
mod support;
mod unchecked;
