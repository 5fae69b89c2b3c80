//! Functions of floats under the names of the sweeps of a type's own functions.
//!
//! Generated code that calls `Real::sqrt(x)` asks `Real` for the sweeps of a function `sqrt`. Where that is a name for
//! a float, as a `type` far away may say, these are found.

use crate::rules;
use crate::tape::Tape;

/// One function: of its arguments the names of their adjoints, and what the seed contributes; `r` is the value.
macro_rules! functions {
    ($($name:ident $witness:ident $forward:ident $reverse:ident
        |$s:ident, $r:ident| $x:ident $x_bar:ident: $by_x:expr $(, $y:ident $y_bar:ident: $by_y:expr)?;)*) => {
        /// The sweeps of functions of floats.
        pub trait FloatFunctions: Sized {$(
            /// Says that there are sweeps.
            fn $witness() {}
            /// The value.
            fn $forward(self $(, $y: Self)?, tape: &mut Tape) -> Self;
            /// Adds to the adjoints.
            fn $reverse(
                self,
                $($y: Self,)?
                $x_bar: &mut Self,
                $($y_bar: &mut Self,)?
                seed: Option<&Self>,
                tape: &mut Tape,
            );
        )*}

        functions! { @of f64 $($name $forward $reverse |$s, $r| $x $x_bar: $by_x $(, $y $y_bar: $by_y)?;)* }
        functions! { @of f32 $($name $forward $reverse |$s, $r| $x $x_bar: $by_x $(, $y $y_bar: $by_y)?;)* }
    };
    (@of $float:ident $($name:ident $forward:ident $reverse:ident
        |$s:ident, $r:ident| $x:ident $x_bar:ident: $by_x:expr $(, $y:ident $y_bar:ident: $by_y:expr)?;)*) => {
        impl FloatFunctions for $float {$(
            #[inline(always)]
            fn $forward(self $(, $y: Self)?, _: &mut Tape) -> Self {
                self.$name($($y)?)
            }

            #[inline(always)]
            fn $reverse(
                self,
                $($y: Self,)?
                $x_bar: &mut Self,
                $($y_bar: &mut Self,)?
                seed: Option<&Self>,
                _: &mut Tape,
            ) {
                if let Some(&$s) = seed {
                    let ($x, $r) = (self, self.$name($($y)?));
                    let _ = ($x, $r);
                    *$x_bar += $by_x;
                    $(*$y_bar += $by_y;)?
                }
            }
        )*}
    };
}

/// The derivative of what is constant between its jumps.
#[inline(always)]
fn nowhere<F: crate::Float>(_: F) -> F {
    F::lit(0.0)
}

functions! {
    acos __derivative_of_acos __derivative_of_acos_forward __derivative_of_acos_reverse
        |s, r| x x_bar: rules::acos(s, x);
    acosh __derivative_of_acosh __derivative_of_acosh_forward __derivative_of_acosh_reverse
        |s, r| x x_bar: rules::acosh(s, x);
    asin __derivative_of_asin __derivative_of_asin_forward __derivative_of_asin_reverse
        |s, r| x x_bar: rules::asin(s, x);
    asinh __derivative_of_asinh __derivative_of_asinh_forward __derivative_of_asinh_reverse
        |s, r| x x_bar: rules::asinh(s, x);
    atan __derivative_of_atan __derivative_of_atan_forward __derivative_of_atan_reverse
        |s, r| x x_bar: rules::atan(s, x);
    atanh __derivative_of_atanh __derivative_of_atanh_forward __derivative_of_atanh_reverse
        |s, r| x x_bar: rules::atanh(s, x);
    cbrt __derivative_of_cbrt __derivative_of_cbrt_forward __derivative_of_cbrt_reverse
        |s, r| x x_bar: rules::cbrt(s, r);
    cos __derivative_of_cos __derivative_of_cos_forward __derivative_of_cos_reverse
        |s, r| x x_bar: rules::cos(s, x);
    cosh __derivative_of_cosh __derivative_of_cosh_forward __derivative_of_cosh_reverse
        |s, r| x x_bar: rules::cosh(s, x);
    exp __derivative_of_exp __derivative_of_exp_forward __derivative_of_exp_reverse
        |s, r| x x_bar: rules::exp(s, r);
    exp2 __derivative_of_exp2 __derivative_of_exp2_forward __derivative_of_exp2_reverse
        |s, r| x x_bar: rules::exp2(s, r);
    exp_m1 __derivative_of_exp_m1 __derivative_of_exp_m1_forward __derivative_of_exp_m1_reverse
        |s, r| x x_bar: rules::exp_m1(s, r);
    abs __derivative_of_abs __derivative_of_abs_forward __derivative_of_abs_reverse
        |s, r| x x_bar: rules::abs(s, x);
    ln __derivative_of_ln __derivative_of_ln_forward __derivative_of_ln_reverse
        |s, r| x x_bar: rules::ln(s, x);
    log10 __derivative_of_log10 __derivative_of_log10_forward __derivative_of_log10_reverse
        |s, r| x x_bar: rules::log10(s, x);
    ln_1p __derivative_of_ln_1p __derivative_of_ln_1p_forward __derivative_of_ln_1p_reverse
        |s, r| x x_bar: rules::ln_1p(s, x);
    log2 __derivative_of_log2 __derivative_of_log2_forward __derivative_of_log2_reverse
        |s, r| x x_bar: rules::log2(s, x);
    sin __derivative_of_sin __derivative_of_sin_forward __derivative_of_sin_reverse
        |s, r| x x_bar: rules::sin(s, x);
    sinh __derivative_of_sinh __derivative_of_sinh_forward __derivative_of_sinh_reverse
        |s, r| x x_bar: rules::sinh(s, x);
    sqrt __derivative_of_sqrt __derivative_of_sqrt_forward __derivative_of_sqrt_reverse
        |s, r| x x_bar: rules::sqrt(s, r);
    tan __derivative_of_tan __derivative_of_tan_forward __derivative_of_tan_reverse
        |s, r| x x_bar: rules::tan(s, r);
    tanh __derivative_of_tanh __derivative_of_tanh_forward __derivative_of_tanh_reverse
        |s, r| x x_bar: rules::tanh(s, r);
    ceil __derivative_of_ceil __derivative_of_ceil_forward __derivative_of_ceil_reverse
        |s, r| x x_bar: nowhere(s);
    floor __derivative_of_floor __derivative_of_floor_forward __derivative_of_floor_reverse
        |s, r| x x_bar: nowhere(s);
    round __derivative_of_round __derivative_of_round_forward __derivative_of_round_reverse
        |s, r| x x_bar: nowhere(s);
    trunc __derivative_of_trunc __derivative_of_trunc_forward __derivative_of_trunc_reverse
        |s, r| x x_bar: nowhere(s);
    atan2 __derivative_of_atan2 __derivative_of_atan2_forward __derivative_of_atan2_reverse
        |s, r| x x_bar: rules::atan2_lhs(s, x, y), y y_bar: rules::atan2_rhs(s, x, y);
    hypot __derivative_of_hypot __derivative_of_hypot_forward __derivative_of_hypot_reverse
        |s, r| x x_bar: rules::hypot_lhs(s, x, r), y y_bar: rules::hypot_rhs(s, y, r);
    max __derivative_of_max __derivative_of_max_forward __derivative_of_max_reverse
        |s, r| x x_bar: rules::max_lhs(s, x, y), y y_bar: rules::max_rhs(s, x, y);
    min __derivative_of_min __derivative_of_min_forward __derivative_of_min_reverse
        |s, r| x x_bar: rules::min_lhs(s, x, y), y y_bar: rules::min_rhs(s, x, y);
    powf __derivative_of_powf __derivative_of_powf_forward __derivative_of_powf_reverse
        |s, r| x x_bar: rules::powf_base(s, x, y, r), y y_bar: rules::powf_exponent(s, x, y, r);
    copysign __derivative_of_copysign __derivative_of_copysign_forward __derivative_of_copysign_reverse
        |s, r| x x_bar: rules::copysign(s, x, y), y y_bar: nowhere(s);
}
