//! The rules of the functions of the crate `libm`.
//!
//! For each there is a type of its name, with the sweeps that `#[gradient]` declares in one beside a function. The
//! value is that of the function that was called, which the sweeps are given. The partials are computed with the
//! functions of std.

use std::f64::consts::{FRAC_2_SQRT_PI, LN_10};

use crate::digamma::digamma;
use crate::functions::{Bound, Text};
use crate::outputs::Returned;
use crate::rules;
use crate::seeds::Lend;
use crate::tape::Tape;

/// The sweeps of one function. `s` is the seed, `r` the result and its adjoint, `f` the function; for each argument its
/// type, its adjoint, and what the seed contributes to it.
macro_rules! function {
    (
        $name:ident ($s:ident, $f:ident) -> $result:ty [$tangent:ty]:
        $($arg:ident $of:ident $bar:ident $life:lifetime $partial:expr),+
    ) => {
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
                callee: impl Fn($($of),+) -> $result,
                _: impl Sized,
                _: &mut Tape,
                $($arg: $of),+
            ) -> $result {
                callee($($arg),+)
            }

            /// Adds to the adjoints.
            #[inline]
            pub fn reverse(
                callee: impl Fn($($of),+) -> $result,
                _: impl Sized,
                _: &mut Tape,
                $($arg: $of,)+
                $($bar: &mut function!(@adjoint $of),)+
                seed: Option<&$tangent>,
            ) {
                if let Some(&$s) = seed {
                    let $f = &callee;
                    let _ = ($f, $($arg),+);
                    $(function!(@add $of $bar $partial);)+
                }
            }

            /// The value.
            #[inline]
            pub fn forward_with_gradient_seeds(
                callee: impl Fn($($of),+) -> $result,
                tape: &mut Tape,
                $($arg: $of),+
            ) -> $result {
                Self::forward(callee, Returned::<true>, tape, $($arg),+)
            }

            /// Adds to the adjoints of each seed.
            #[inline]
            pub fn reverse_with_gradient_seeds<const N: usize>(
                callee: impl Fn($($of),+) -> $result,
                tape: &mut Tape,
                $($arg: $of,)+
                $(mut $bar: impl Lend<function!(@adjoint $of), N>,)+
                seed: Option<[&$tangent; N]>,
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
                F: Fn($($of),+) -> $result + Copy,
            {
                Bound::new((callee,))
            }
        }

        impl<$($life,)+ F>
            Text<(F,), (), ($($of,)+), ($(&$life mut function!(@adjoint $of),)+), $result, $tangent> for $name
        where
            F: Fn($($of),+) -> $result + Copy,
        {
            #[inline]
            fn forward(
                tape: &mut Tape,
                (callee,): (F,),
                ($($arg,)+): ($($of,)+),
            ) -> $result {
                Self::forward(callee, Returned::<true>, tape, $($arg),+)
            }

            #[inline]
            fn reverse(
                tape: &mut Tape,
                (callee,): (F,),
                ($($arg,)+): ($($of,)+),
                _: &mut (),
                ($($bar,)+): ($(&$life mut function!(@adjoint $of),)+),
                seed: Option<&$tangent>,
            ) {
                Self::reverse(callee, Returned::<true>, tape, $($arg,)+ $($bar,)+ seed);
            }
        }
    };
    (@adjoint i32) => { () };
    (@adjoint $float:ident) => { $float };
    (@add i32 $bar:ident $partial:expr) => { let () = *$bar; };
    (@add $float:ident $bar:ident $partial:expr) => { *$bar += $partial };
}

/// Functions of one argument, for `f64` and for `f32`. `r` is a closure with the value.
macro_rules! unary {
    ($($name:ident $narrow:ident: |$s:ident, $x:ident, $r:ident| $partial:expr;)*) => {$(
        unary! { @one $name f64 |$s, $x, $r| $partial }
        unary! { @one $narrow f32 |$s, $x, $r| $partial }
    )*};
    (@one $name:ident $float:ident |$s:ident, $x:ident, $r:ident| $partial:expr) => {
        function! { $name ($s, f) -> $float [$float]: $x $float x_bar 'x {
            let $r = || f($x);
            let _ = &$r;
            $partial
        } }
    };
}

/// Functions of two arguments.
macro_rules! binary {
    ($($name:ident $narrow:ident: |$s:ident, $x:ident, $y:ident, $r:ident| $by_x:expr, $by_y:expr;)*) => {$(
        binary! { @one $name f64 |$s, $x, $y, $r| $by_x, $by_y }
        binary! { @one $narrow f32 |$s, $x, $y, $r| $by_x, $by_y }
    )*};
    (@one $name:ident $float:ident |$s:ident, $x:ident, $y:ident, $r:ident| $by_x:expr, $by_y:expr) => {
        function! { $name ($s, f) -> $float [$float]:
            $x $float x_bar 'x {
                let $r = || f($x, $y);
                let _ = &$r;
                $by_x
            },
            $y $float y_bar 'y {
                let $r = || f($x, $y);
                let _ = &$r;
                $by_y
            }
        }
    };
}

/// Functions that yield two numbers, with the type of the second and of its tangent; such as scale by a power of two.
macro_rules! others {
    ($($name:ident $float:ident [$second:ty, $tangent:ty] |$s:ident, $x:ident, $f:ident| $partial:expr;)*) => {$(
        function! { $name ($s, $f) -> ($float, $second) [($float, $tangent)]: $x $float x_bar 'x $partial }
    )*};
    ($($name:ident $float:ident |$s:ident, $n:ident, $f:ident| $partial:expr;)*) => {$(
        function! { $name ($s, $f) -> $float [$float]: x $float x_bar 'x $partial, $n i32 n_bar 'n () }
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
    lgamma lgammaf: |s, x, r| ln_gamma(s, x);
    log2 log2f: |s, x, r| rules::log2(s, x);
    rint rintf: |s, x, r| nowhere(s, x);
    round roundf: |s, x, r| nowhere(s, x);
    roundeven roundevenf: |s, x, r| nowhere(s, x);
    sin sinf: |s, x, r| rules::sin(s, x);
    sinh sinhf: |s, x, r| rules::sinh(s, x);
    sqrt sqrtf: |s, x, r| rules::sqrt(s, r());
    tan tanf: |s, x, r| rules::tan(s, r());
    tanh tanhf: |s, x, r| rules::tanh(s, r());
    tgamma tgammaf: |s, x, r| gamma(s, x, r());
    trunc truncf: |s, x, r| nowhere(s, x);
}

function! { erf (s, f) -> f64 [f64]: x f64 x_bar 'x s * (FRAC_2_SQRT_PI * (-x * x).exp()) }
function! { erff (s, f) -> f32 [f32]: x f32 x_bar 'x s * (FRAC_2_SQRT_PI as f32 * (-x * x).exp()) }
function! { erfc (s, f) -> f64 [f64]: x f64 x_bar 'x -s * (FRAC_2_SQRT_PI * (-x * x).exp()) }
function! { erfcf (s, f) -> f32 [f32]: x f32 x_bar 'x -s * (FRAC_2_SQRT_PI as f32 * (-x * x).exp()) }
function! { exp10 (s, f) -> f64 [f64]: x f64 x_bar 'x s * (LN_10 * f(x)) }
function! { exp10f (s, f) -> f32 [f32]: x f32 x_bar 'x s * (LN_10 as f32 * f(x)) }

binary! {
    atan2 atan2f: |s, x, y, r| rules::atan2_lhs(s, x, y), rules::atan2_rhs(s, x, y);
    copysign copysignf: |s, x, y, r| rules::copysign(s, x, y), nowhere(s, y);
    fdim fdimf: |s, x, y, r| excess(s, x, y), -excess(s, x, y);
    fmax fmaxf: |s, x, y, r| rules::max_lhs(s, x, y), rules::max_rhs(s, x, y);
    fmin fminf: |s, x, y, r| rules::min_lhs(s, x, y), rules::min_rhs(s, x, y);
    fmod fmodf: |s, x, y, r| s, rules::rem_rhs(s, x, y);
    hypot hypotf: |s, x, y, r| rules::hypot_lhs(s, x, r()), rules::hypot_rhs(s, y, r());
    pow powf: |s, x, y, r| rules::powf_base(s, x, y, r()), rules::powf_exponent(s, x, y, r());
    remainder remainderf: |s, x, y, r| s, by_divisor(s, x, y, r());
}

function! { fma (s, f) -> f64 [f64]: x f64 x_bar 'x s * y, y f64 y_bar 'y s * x, z f64 z_bar 'z s }
function! { fmaf (s, f) -> f32 [f32]: x f32 x_bar 'x s * y, y f32 y_bar 'y s * x, z f32 z_bar 'z s }

others! {
    frexp f64 [i32, ()] |s, x, f| mantissa(s.0, x, f(x).0);
    frexpf f32 [i32, ()] |s, x, f| mantissa(s.0, x, f(x).0);
    lgamma_r f64 [i32, ()] |s, x, f| ln_gamma(s.0, x);
    lgammaf_r f32 [i32, ()] |s, x, f| ln_gamma(s.0, x);
    modf f64 [f64, f64] |s, x, f| s.0;
    modff f32 [f32, f32] |s, x, f| s.0;
    sincos f64 [f64, f64] |s, x, f| { let (sin, cos) = f(x); s.0 * cos - s.1 * sin };
    sincosf f32 [f32, f32] |s, x, f| { let (sin, cos) = f(x); s.0 * cos - s.1 * sin };
}

function! { remquo (s, f) -> (f64, i32) [(f64, ())]:
x f64 x_bar 'x s.0, y f64 y_bar 'y by_divisor(s.0, x, y, f(x, y).0) }
function! { remquof (s, f) -> (f32, i32) [(f32, ())]:
x f32 x_bar 'x s.0, y f32 y_bar 'y by_divisor(s.0, x, y, f(x, y).0) }

// They are linear.
others! {
    ldexp f64 |s, n, f| f(s, n);
    ldexpf f32 |s, n, f| f(s, n);
    scalbn f64 |s, n, f| f(s, n);
    scalbnf f32 |s, n, f| f(s, n);
}

/// The derivative of a function that is constant between its jumps.
#[inline(always)]
fn nowhere<F: crate::Float>(_seed: F, _x: F) -> F {
    F::lit(0.0)
}

/// Of `x − y` where that is positive, which is zero elsewhere; NaN where one is.
#[inline(always)]
fn excess<F: crate::Float>(s: F, x: F, y: F) -> F {
    if x > y {
        s
    } else if x <= y {
        F::lit(0.0)
    } else {
        rules::unless_dead(s, x + y)
    }
}

/// Of the remainder `r` of `x` by `y`: what is taken off are whole times `y`.
#[inline(always)]
fn by_divisor<F: crate::Float>(s: F, x: F, y: F, r: F) -> F {
    let quotient = (x - r) / y;
    let half = F::lit(0.5) * quotient.signum();
    rules::unless_dead(s, -(s * (quotient + half).trunc()))
}

/// Of Γ(x), which is `r`.
#[inline(always)]
fn gamma<F: crate::Float>(s: F, x: F, r: F) -> F {
    rules::unless_dead(s, s * (r * F::lit(digamma(x.to_f64()))))
}

/// Of ln |Γ(x)|.
#[inline(always)]
fn ln_gamma<F: crate::Float>(s: F, x: F) -> F {
    rules::unless_dead(s, s * F::lit(digamma(x.to_f64())))
}

/// Of the mantissa `m` of `x`, with a fixed exponent; that of zero has the exponent zero.
#[inline(always)]
fn mantissa<F: crate::Float>(s: F, x: F, m: F) -> F {
    if x == F::lit(0.0) { s } else { s * (m / x) }
}
