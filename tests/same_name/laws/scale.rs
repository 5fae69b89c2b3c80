//! A function in a module of its name, which another one re-exports.

#[retrograde::gradient]
pub(crate) fn scale(x: f64) -> f64 {
    x * x
}
