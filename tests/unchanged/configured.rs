//! Aliases that features choose between.

#![allow(unexpected_cfgs, reason = "a feature that is never there")]

/// Of one width or the other.
#[cfg(not(feature = "retrograde_single"))]
pub(crate) type Measure = f64;
#[cfg(feature = "retrograde_single")]
#[allow(missing_docs)]
pub(crate) type Measure = f32;

/// Of several widths.
#[cfg(not(any(
    feature = "retrograde_a_feature_with_a_long_name",
    feature = "retrograde_wide",
    feature = "retrograde_single"
)))]
#[allow(missing_docs)]
pub(crate) type Ticks = u16;
#[cfg(feature = "retrograde_wide")]
pub(crate) type Ticks = u32;
#[cfg(all(feature = "retrograde_single", not(feature = "retrograde_wide")))]
pub(crate) type Ticks = u8;
