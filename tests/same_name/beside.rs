//! Callers of functions that have a module of their name beside them, or are re-exported beside one, elsewhere.

use retrograde::gradient;

use crate::laws::{cdf, scale};
use crate::{laws, support::check};

#[gradient]
fn imported(x: f64) -> f64 {
    cdf(x) + x * scale(3.0 * x) + cdf::both(x)
}

#[gradient]
fn by_path(x: f64) -> f64 {
    laws::spread(x) * crate::laws::scale(x) + laws::spread::width(x)
}

mod inner {
    use retrograde::gradient;

    use super::laws::*;

    /// Through a glob.
    #[gradient]
    pub(super) fn all(x: f64) -> f64 {
        spread(x) + cdf(x) * scale(x)
    }
}

mod other {
    use retrograde::gradient;

    use crate::laws::spread as wide;

    /// Under another name.
    #[gradient]
    pub(super) fn renamed(x: f64) -> f64 {
        wide(x) * x
    }
}

#[test]
fn callers_have_their_derivatives() {
    let inputs: &[&[f64]] = &[&[0.3], &[-1.2], &[0.0]];
    check(|p| imported(p[0]), |p| imported_grad(p[0]), inputs);
    check(|p| by_path(p[0]), |p| by_path_grad(p[0]), inputs);
    check(|p| inner::all(p[0]), |p| inner::all_grad(p[0]), inputs);
    check(
        |p| other::renamed(p[0]),
        |p| other::renamed_grad(p[0]),
        inputs,
    );
}

/// All of a private module is re-exported, with the function what carries its sweeps.
mod of_a_private_module {
    use crate::laws::tail;
    use retrograde::gradient;

    #[gradient]
    pub fn imported(x: f64) -> f64 {
        tail(x) * x
    }

    #[gradient]
    pub fn by_path(x: f64) -> f64 {
        crate::laws::tail(x) + imported(x)
    }
}

#[test]
fn all_of_a_private_module() {
    let points: &[&[f64]] = &[&[0.7], &[-0.4]];
    let (value, gradient) = (
        of_a_private_module::by_path,
        of_a_private_module::by_path_grad,
    );
    check(|p| value(p[0]), |p| gradient(p[0]), points);
}
