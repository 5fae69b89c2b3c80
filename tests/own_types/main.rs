//! `#[derive(Differentiable)]`: the tangents of all forms of types, and gradients with respect to them.

#![forbid(unsafe_code)]

#[path = "../support/mod.rs"]
mod support;

mod elsewhere;
mod enums;
mod flat;
mod functions;
mod generic;
mod own;
mod structs;
