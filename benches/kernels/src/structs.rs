//! Kernels over structs with methods and operators, beside the same over slices.

pub mod bodies;
pub mod gravity;
pub mod heat1d;
pub mod layer;
pub mod pairs;
pub mod slices;
pub mod somier;
pub mod table;

pub use pairs::{Form, Forms};

/// All of them.
pub const FORMS: [fn() -> Forms; 4] = [pairs::heat, pairs::springs, pairs::cluster, pairs::layers];
