//! Aliases that features choose between.

#![allow(unexpected_cfgs, reason = "a feature that is never there")]

/// Of one width or the other.
#[cfg(not(feature = "retrograde_single"))]
pub(crate) type Measure = f64;
#[cfg(feature = "retrograde_single")]
#[allow(missing_docs)]
pub(crate) type Measure = f32;
