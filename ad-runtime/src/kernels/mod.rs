//! Kernels: what generated code calls in and around its loops.

pub(crate) mod assignment;
pub(crate) mod column_panels;
pub(crate) mod contribution_rows;
pub(crate) mod contributions;
pub(crate) mod index;
pub(crate) mod products;
pub(crate) mod reductions;
pub(crate) mod search;
pub(crate) mod simd;
pub(crate) mod time_tiling;
pub(crate) mod transpose4;
pub(crate) mod windows;
