//! Functions under `#[gradient]` for other crates to call from theirs.

#![deny(warnings, missing_docs)]

use diff::gradient;

pub mod grid;
pub mod linear;
pub mod loss;
pub mod physics;
pub mod plain;

pub use loss::loss;
pub use physics::drag;

/// The same functions under another path.
pub mod prelude {
    pub use crate::linear::{dot, matrix_vector, scale};
    pub use crate::physics::*;
}

/// At the crate's root, with a symbol that must exist once.
#[gradient(crate = ::diff)]
#[no_mangle]
#[must_use]
pub fn kernels_lib_cube(x: f64) -> f64 {
    x * x * x
}

/// Calls itself: xⁿ by squaring.
#[gradient(crate = ::diff)]
#[must_use]
pub fn power(x: f64, n: u32) -> f64 {
    if n == 0 {
        return 1.0;
    }
    let half = power(x, n / 2);
    if n.is_multiple_of(2) {
        half * half
    } else {
        half * half * x
    }
}

/// The facade, for [`polynomial`].
#[doc(hidden)]
pub use ::diff;

/// Defines a polynomial under `#[gradient]` in the crate that calls the macro, which need not know the facade.
#[macro_export]
macro_rules! polynomial {
    ($name:ident: $($coefficient:literal)*) => {
        #[$crate::diff::gradient(crate = $crate::diff)]
        pub fn $name(x: f64) -> f64 {
            let mut value = 0.0;
            $(value = value * x + $coefficient;)*
            value
        }
    };
}
