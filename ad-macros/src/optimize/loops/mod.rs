//! Passes over loops.

pub(crate) mod defer;
pub(crate) mod fuse;
pub(crate) mod interchange;
pub(crate) mod jam;
pub(crate) mod order;
pub(crate) mod time_tiling;
pub(super) mod versions;
pub(crate) mod windows;
