//! `#[gradient]` on functions that a macro writes.

use ad::gradient;

macro_rules! polynomial {
    ($(#[$attribute:meta])* $vis:vis $name:ident: $($coefficient:expr),+) => {
        $(#[$attribute])*
        #[gradient(crate = ::ad)]
        #[must_use]
        $vis fn $name(x: f64) -> f64 {
            let mut value = 0.0;
            $(value = value * x + $coefficient;)+
            value
        }
    };
}

polynomial! {
    /// x² − 3 x + 2
    pub quadratic: 1.0, -3.0, 1.0 + 1.0
}
polynomial!(#[allow(clippy::redundant_pub_crate)] pub(crate) line: 2.0, 1.0);

/// A name of the macro's own and the same name from the call are different variables.
macro_rules! scaled {
    ($name:ident($x:ident) $body:expr) => {
        /// `10 · x` plus what the call says.
        #[gradient(crate = ::ad)]
        #[must_use]
        pub fn $name($x: f64) -> f64 {
            let t = 10.0 * $x;
            let scaled = t;
            {
                let t = $body;
                scaled + t
            }
        }
    };
}

scaled!(shifted(t) t * t);

/// Types, lengths and whole bodies from the call.
macro_rules! with_parts {
    ($name:ident, $ty:ty, $length:literal, $operation:tt, $($statement:tt)*) => {
        /// Folds with an operator, from what the statements say.
        #[gradient(crate = ::ad)]
        #[must_use]
        pub fn $name(values: &[$ty; $length]) -> $ty {
            let mut folded: $ty = values[0];
            $($statement)*
            for i in 1..$length {
                folded $operation values[i];
            }
            folded
        }
    };
}

with_parts!(sum_of_three, f64, 3, +=,);
with_parts!(product_of_two, f32, 2, *=, assert!(cfg!(all()), "always"););

/// A macro that defines the function inside another function.
macro_rules! local {
    ($x:expr, $a:expr) => {{
        #[gradient(crate = ::ad)]
        fn local(x: f64, a: f64) -> f64 {
            a * x * x
        }
        local_grad($x, $a)
    }};
}

/// Value and derivative of `a · x²`.
#[must_use]
pub fn in_place(x: f64, a: f64) -> (f64, f64) {
    let (value, (dx, _)) = local!(x, a);
    (value, dx)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{all_close, close};

    #[test]
    fn polynomials() {
        let (value, dx) = quadratic_grad(5.0);
        assert!(close(value, 12.0) && close(dx, 7.0));
        assert!(close(line(2.0), 5.0) && close(line_grad(2.0).1, 2.0));
    }

    #[test]
    fn hygiene() {
        let (value, dt) = shifted_grad(3.0);
        assert!(close(value, shifted(3.0)) && close(value, 39.0) && close(dt, 16.0));
    }

    #[test]
    fn parts() {
        let (value, d) = sum_of_three_grad(&[1.0, 2.0, 3.0]);
        assert!(close(value, 6.0) && all_close(&d, &[1.0; 3]));
        let (value, d) = product_of_two_grad(&[3.0, 5.0]);
        assert_eq!(value.to_bits(), 15.0_f32.to_bits());
        assert_eq!(d.map(f32::to_bits), [5.0_f32.to_bits(), 3.0_f32.to_bits()]);
    }

    #[test]
    fn inside_a_function() {
        let (value, dx) = in_place(3.0, 2.0);
        assert!(close(value, 18.0) && close(dx, 12.0));
    }
}
