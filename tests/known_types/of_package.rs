//! Modules that are called like crates whose types carry no derivative.

/// Not the crate of this name.
pub mod time {
    use retrograde::Differentiable;

    #[derive(Clone, Copy, Debug, Differentiable)]
    pub struct Date(pub f64);
}

pub mod orbit {
    use super::{time, time::Date};

    #[retrograde::gradient]
    pub fn phase(d: time::Date, by: f64) -> f64 {
        (d.0 * by).sin()
    }

    #[retrograde::gradient]
    pub fn age(d: Date) -> f64 {
        d.0 * d.0
    }
}

#[test]
fn types_of_such_modules_have_derivatives() {
    let (value, (dd, dby)) = orbit::phase_grad(time::Date(0.5), 3.0);
    assert_eq!(value, 1.5_f64.sin());
    assert_eq!((dd.0, dby), (3.0 * 1.5_f64.cos(), 0.5 * 1.5_f64.cos()));
    assert_eq!(orbit::age_grad(time::Date(3.0)).1.0, 6.0);
}
