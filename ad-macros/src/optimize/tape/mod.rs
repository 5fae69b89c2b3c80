//! Passes over what is recorded.

pub(crate) mod strips;
