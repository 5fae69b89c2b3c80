//! Aliases for other files.

pub(crate) type Real = f64;
pub(crate) type Period = u16;
pub(crate) type Row = [f64; 3];
pub(crate) type Span = (f64, f64);
