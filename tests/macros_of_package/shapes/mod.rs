//! What stands between the root and the functions.

pub mod deep;
