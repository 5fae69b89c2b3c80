//! How many digits of a result agree with the certified one.

/// The certified values have eleven digits, so no more can be confirmed.
pub(crate) const CERTIFIED: f64 = 11.0;

/// Digits of `value` that agree with `certified`: −log₁₀ of the relative error, from 0 to
/// [`CERTIFIED`]. A value that is not a number has none.
pub(crate) fn of(value: f64, certified: f64) -> f64 {
    let error = ((value - certified) / certified).abs();
    if error.is_nan() {
        0.0
    } else {
        (-error.log10()).clamp(0.0, CERTIFIED)
    }
}

/// Digits of the worst parameter.
pub(crate) fn worst(values: &[f64], certified: &[f64]) -> f64 {
    values
        .iter()
        .zip(certified)
        .map(|(&value, &certified)| of(value, certified))
        .fold(CERTIFIED, f64::min)
}
