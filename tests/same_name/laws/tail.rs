//! A function in a private module of its name, of which all is re-exported.

#[retrograde::gradient]
pub fn tail(x: f64) -> f64 {
    (-x * x).exp()
}
