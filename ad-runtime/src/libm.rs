//! The rules of the functions of the crate `libm`.
//!
//! For each there is a type of its name, with the sweeps that `#[gradient]` declares in one beside a function. The
//! value is that of the function that was called, which the sweeps are given. The partials are computed with the
//! functions of std.

use std::f64::consts::{FRAC_2_SQRT_PI, LN_10};

use crate::functions::{Bound, Text};
use crate::outputs::Returned;
use crate::rules;
use crate::seeds::Lend;
use crate::tape::Tape;

/// The sweeps of one function of floats. `s` is the seed, `r` a closure with the value; for each argument its adjoint,
/// and what the seed contributes.
macro_rules! function {
    ($name:ident $float:ident ($s:ident, $r:ident) $($arg:ident $bar:ident $life:lifetime $partial:expr),+) => {
        #[doc = concat!("The sweeps of `libm::", stringify!($name), "`.")]
        #[allow(non_camel_case_types)]
        #[derive(Debug)]
        pub enum $name {}

        #[allow(clippy::too_many_arguments, reason = "those of the function, and their adjoints")]
        impl $name {
            /// The value is computed again rather than recorded.
            pub const REPEATABLE: bool = true;

            /// The value.
            #[inline]
            pub fn forward(
                callee: impl Fn($(function!(@float $arg $float)),+) -> $float,
                _: impl Sized,
                _: &mut Tape,
                $($arg: $float),+
            ) -> $float {
                callee($($arg),+)
            }

            /// Adds to the adjoints.
            #[inline]
            pub fn reverse(
                callee: impl Fn($(function!(@float $arg $float)),+) -> $float,
                _: impl Sized,
                _: &mut Tape,
                $($arg: $float,)+
                $($bar: &mut $float,)+
                seed: Option<&$float>,
            ) {
                if let Some(&$s) = seed {
                    let $r = || callee($($arg),+);
                    let _ = &$r;
                    $(*$bar += $partial;)+
                }
            }

            /// The value.
            #[inline]
            pub fn forward_with_gradient_seeds(
                callee: impl Fn($(function!(@float $arg $float)),+) -> $float,
                tape: &mut Tape,
                $($arg: $float),+
            ) -> $float {
                Self::forward(callee, Returned::<true>, tape, $($arg),+)
            }

            /// Adds to the adjoints of each seed.
            #[inline]
            pub fn reverse_with_gradient_seeds<const N: usize>(
                callee: impl Fn($(function!(@float $arg $float)),+) -> $float,
                tape: &mut Tape,
                $($arg: $float,)+
                $(mut $bar: impl Lend<$float, N>,)+
                seed: Option<[&$float; N]>,
            ) {
                $(let $bar = $bar.lend();)+
                for n in 0..N {
                    let seed = seed.map(|seeds| seeds[n]);
                    Self::reverse(&callee, Returned::<true>, tape, $($arg,)+ $(&mut *$bar[n],)+ seed);
                }
            }

            /// As an argument of a function.
            #[inline]
            pub fn argument<F>(callee: F) -> Bound<Self, (F,), ()>
            where
                F: Fn($(function!(@float $arg $float)),+) -> $float + Copy,
            {
                Bound::new((callee,))
            }
        }

        impl<$($life,)+ F>
            Text<(F,), (), ($(function!(@float $arg $float),)+), ($(&$life mut $float,)+), $float, $float> for $name
        where
            F: Fn($(function!(@float $arg $float)),+) -> $float + Copy,
        {
            #[inline]
            fn forward(
                tape: &mut Tape,
                (callee,): (F,),
                ($($arg,)+): ($(function!(@float $arg $float),)+),
            ) -> $float {
                Self::forward(callee, Returned::<true>, tape, $($arg),+)
            }

            #[inline]
            fn reverse(
                tape: &mut Tape,
                (callee,): (F,),
                ($($arg,)+): ($(function!(@float $arg $float),)+),
                _: &mut (),
                ($($bar,)+): ($(&$life mut $float,)+),
                seed: Option<&$float>,
            ) {
                Self::reverse(callee, Returned::<true>, tape, $($arg,)+ $($bar,)+ seed);
            }
        }
    };
    (@float $arg:ident $float:ident) => { $float };
}

/// Functions of one argument, for `f64` and for `f32`.
macro_rules! unary {
    ($($name:ident $narrow:ident: |$s:ident, $x:ident, $r:ident| $partial:expr;)*) => {$(
        function! { $name f64 ($s, $r) $x x_bar 'x $partial }
        function! { $narrow f32 ($s, $r) $x x_bar 'x $partial }
    )*};
}

/// Functions of two arguments.
macro_rules! binary {
    ($($name:ident $narrow:ident: |$s:ident, $x:ident, $y:ident, $r:ident| $by_x:expr, $by_y:expr;)*) => {$(
        function! { $name f64 ($s, $r) $x x_bar 'x $by_x, $y y_bar 'y $by_y }
        function! { $narrow f32 ($s, $r) $x x_bar 'x $by_x, $y y_bar 'y $by_y }
    )*};
}

unary! {
    acos acosf: |s, x, r| rules::acos(s, x);
    acosh acoshf: |s, x, r| rules::acosh(s, x);
    asin asinf: |s, x, r| rules::asin(s, x);
    asinh asinhf: |s, x, r| rules::asinh(s, x);
    atan atanf: |s, x, r| rules::atan(s, x);
    atanh atanhf: |s, x, r| rules::atanh(s, x);
    cbrt cbrtf: |s, x, r| rules::cbrt(s, r());
    ceil ceilf: |s, x, r| nowhere(s, x);
    cos cosf: |s, x, r| rules::cos(s, x);
    cosh coshf: |s, x, r| rules::cosh(s, x);
    exp expf: |s, x, r| rules::exp(s, r());
    exp2 exp2f: |s, x, r| rules::exp2(s, r());
    expm1 expm1f: |s, x, r| rules::exp_m1(s, r());
    fabs fabsf: |s, x, r| rules::abs(s, x);
    floor floorf: |s, x, r| nowhere(s, x);
    log logf: |s, x, r| rules::ln(s, x);
    log10 log10f: |s, x, r| rules::log10(s, x);
    log1p log1pf: |s, x, r| rules::ln_1p(s, x);
    log2 log2f: |s, x, r| rules::log2(s, x);
    rint rintf: |s, x, r| nowhere(s, x);
    round roundf: |s, x, r| nowhere(s, x);
    roundeven roundevenf: |s, x, r| nowhere(s, x);
    sin sinf: |s, x, r| rules::sin(s, x);
    sinh sinhf: |s, x, r| rules::sinh(s, x);
    sqrt sqrtf: |s, x, r| rules::sqrt(s, r());
    tan tanf: |s, x, r| rules::tan(s, r());
    tanh tanhf: |s, x, r| rules::tanh(s, r());
    trunc truncf: |s, x, r| nowhere(s, x);
}

function! { erf f64 (s, r) x x_bar 'x s * (FRAC_2_SQRT_PI * (-x * x).exp()) }
function! { erff f32 (s, r) x x_bar 'x s * (FRAC_2_SQRT_PI as f32 * (-x * x).exp()) }
function! { erfc f64 (s, r) x x_bar 'x -s * (FRAC_2_SQRT_PI * (-x * x).exp()) }
function! { erfcf f32 (s, r) x x_bar 'x -s * (FRAC_2_SQRT_PI as f32 * (-x * x).exp()) }
function! { exp10 f64 (s, r) x x_bar 'x s * (LN_10 * r()) }
function! { exp10f f32 (s, r) x x_bar 'x s * (LN_10 as f32 * r()) }

binary! {
    atan2 atan2f: |s, x, y, r| rules::atan2_lhs(s, x, y), rules::atan2_rhs(s, x, y);
    copysign copysignf: |s, x, y, r| rules::copysign(s, x, y), nowhere(s, y);
    fmax fmaxf: |s, x, y, r| rules::max_lhs(s, x, y), rules::max_rhs(s, x, y);
    fmin fminf: |s, x, y, r| rules::min_lhs(s, x, y), rules::min_rhs(s, x, y);
    fmod fmodf: |s, x, y, r| s, rules::rem_rhs(s, x, y);
    hypot hypotf: |s, x, y, r| rules::hypot_lhs(s, x, r()), rules::hypot_rhs(s, y, r());
    pow powf: |s, x, y, r| rules::powf_base(s, x, y), rules::powf_exponent(s, x, y, r());
}

function! { fma f64 (s, r) x x_bar 'x s * y, y y_bar 'y s * x, z z_bar 'z s }
function! { fmaf f32 (s, r) x x_bar 'x s * y, y y_bar 'y s * x, z z_bar 'z s }

/// The derivative of a function that is constant between its jumps.
#[inline(always)]
fn nowhere<F: crate::Float>(_seed: F, _x: F) -> F {
    F::lit(0.0)
}
