//! Whether what the traits of a type parameter offer is what `f32` and `f64` have under the same names.
//!
//! A function that is generic over a float is differentiated with `f64` in place of the parameter: `x.sin()` is then
//! that of `f64`, and `T::zero()` is 0. With `num_traits::Float` they are the same. A trait of the user's own may mean
//! something else by these names, so both are computed, once, for a few numbers, and compared bit for bit.

use std::any::Any;
use std::hint::black_box;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a method, function or constant yields.
#[derive(Debug, Clone, Copy)]
pub enum Answer {
    /// The traits of the parameter do not have it.
    Absent,
    /// The bits of floats; of several, one behind the other.
    Bits([u64; 2]),
    /// Nothing that is compared.
    Other,
}

impl Answer {
    fn agrees_with(self, plain: Self) -> bool {
        match (self, plain) {
            (Answer::Bits(own), Answer::Bits(plain)) => own == plain,
            (Answer::Absent | Answer::Other, _) => true,
            (Answer::Bits(_), Answer::Absent | Answer::Other) => false,
        }
    }
}

/// The bits of a value; all NaN are one.
pub fn answer<A: 'static>(value: A) -> Answer {
    fn bits(wide: f64, exact: u64) -> u64 {
        if wide.is_nan() {
            f64::NAN.to_bits()
        } else {
            exact
        }
    }
    let f64 = |x: f64| bits(x, x.to_bits());
    let f32 = |x: f32| bits(f64::from(x), u64::from(x.to_bits()));
    let value: &dyn Any = &value;
    if let Some(x) = value.downcast_ref::<f64>() {
        Answer::Bits([f64(*x), 0])
    } else if let Some(x) = value.downcast_ref::<f32>() {
        Answer::Bits([f32(*x), 0])
    } else if let Some((x, y)) = value.downcast_ref::<(f64, f64)>() {
        Answer::Bits([f64(*x), f64(*y)])
    } else if let Some((x, y)) = value.downcast_ref::<(f32, f32)>() {
        Answer::Bits([f32(*x), f32(*y)])
    } else if let Some(x) = value.downcast_ref::<bool>() {
        Answer::Bits([u64::from(*x), 1])
    } else if value.is::<Absence>() {
        Answer::Absent
    } else {
        Answer::Other
    }
}

/// What a method yields that is not there.
#[derive(Debug)]
pub struct Absence;

impl Absence {
    /// As of the `Option` that a conversion yields.
    pub fn unwrap(self) -> Self {
        self
    }
}

macro_rules! absent {
    ($(#[$doc:meta])* $name:ident $this:ty; $($none:ident)*; $($one:ident)*; $($two:ident)*) => {
        $(#[$doc])*
        pub trait $name {
            $(
                /// Not there.
                fn $none(self: $this) -> Absence {
                    Absence
                }
            )*
            $(
                /// Not there.
                fn $one<A>(self: $this, _: A) -> Absence {
                    Absence
                }
            )*
            $(
                /// Not there.
                fn $two<A, B>(self: $this, _: A, _: B) -> Absence {
                    Absence
                }
            )*
        }
    };
}

macro_rules! methods {
    ($($head:tt)*) => {
        absent! {
            $($head)*;
            abs acos acosh asin asinh atan atanh cbrt ceil cos cosh exp exp2 exp_m1 floor fract is_finite is_infinite
            is_nan is_normal is_sign_negative is_sign_positive is_subnormal ln ln_1p log10 log2 next_down next_up recip
            round round_ties_even signum sin sin_cos sinh sqrt tan tanh to_degrees to_f32 to_f64 to_radians trunc;
            abs_sub atan2 copysign div_euclid hypot log max midpoint min powf powi rem_euclid;
            clamp mul_add
        }
    };
}

methods! {
    /// The methods of floats on whatever has none of that name. They take `&self`, so those of a bound come first,
    /// however these take it.
    Absent &Self
}

methods! {
    /// The methods of floats on references to them. They come behind those that traits have there, and in front of
    /// those of the floats themselves, which take `self`.
    AbsentBehind &mut Self
}

impl AbsentBehind for &f32 {}
impl AbsentBehind for &f64 {}
impl AbsentBehind for &mut f32 {}
impl AbsentBehind for &mut f64 {}

impl<T: ?Sized> Absent for T {}

/// A name, what the traits of the parameter mean by it, and what the float does.
pub type Probe<F> = (
    &'static str,
    fn(F, F, F, f64) -> Answer,
    fn(F, F, F, f64) -> Answer,
);

/// Whether the traits of a function's parameter have been asked.
#[derive(Debug, Default)]
pub struct Agreement(AtomicBool);

impl Agreement {
    /// Not yet.
    pub const fn new() -> Self {
        Agreement(AtomicBool::new(false))
    }

    /// Asks once.
    ///
    /// # Panics
    ///
    /// If they mean something else.
    #[inline]
    pub fn check<F: Sample>(&self, float: &str, probes: &[Probe<F>]) {
        if !self.0.load(Ordering::Relaxed) {
            compare(float, probes);
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// What a call on a reference yields.
pub fn yielded<F, A>(_: &impl Fn(F, F, F) -> A) -> PhantomData<A> {
    PhantomData
}

/// No trait has the method there: the float's own is called.
#[derive(Debug)]
pub struct OfTheFloat;

/// A trait has one.
#[derive(Debug)]
pub struct OfATrait;

/// Of what is absent.
pub trait IsAbsent {
    /// Says so.
    #[inline(always)]
    fn __found(&self) -> OfTheFloat {
        OfTheFloat
    }
}

impl IsAbsent for PhantomData<Absence> {}

/// Of anything else.
pub trait IsThere {
    /// Says so.
    #[inline(always)]
    fn __found(&self) -> OfATrait {
        OfATrait
    }
}

impl<A> IsThere for &PhantomData<A> {}

impl OfTheFloat {
    /// There is nothing to compare.
    #[inline(always)]
    pub fn compare<O, P>(self, _: &Agreement, _: &str, _: O, _: P) {}
}

impl OfATrait {
    /// Compares the methods, once.
    ///
    /// # Panics
    ///
    /// If that of the trait means something else.
    #[inline]
    pub fn compare<F: Sample, A: 'static, B: 'static>(
        self,
        asked: &Agreement,
        name: &str,
        own: impl Fn(F, F, F) -> A,
        plain: impl Fn(F, F, F) -> B,
    ) {
        if !asked.0.load(Ordering::Relaxed) {
            compare_behind(name, own, plain);
            asked.0.store(true, Ordering::Relaxed);
        }
    }
}

/// Guards against zero, overflow and NaN are what such traits differ in.
const NUMBERS: [[f64; 4]; 12] = [
    [0.3, 0.7, 1.9, 0.1],
    [1.7, 2.3, 3.1, 1234.5],
    [-0.45, 0.2, 0.8, -3.0],
    [-2.6, -1.3, 5.5, 1e-9],
    [0.0, 1.0, 2.0, 0.0],
    [37.25, 0.6, 12.5, 2.0],
    [-0.0, 0.25, 0.5, -0.75],
    [1e3, -2e3, 4e3, 65.0],
    [-1e3, 1e-30, 1e30, 1e6],
    [1e-30, -1.0, 1.0, 7.25],
    [f64::INFINITY, 0.5, 1.5, 3.0],
    [f64::NAN, 0.5, 1.5, 100.0],
];

#[cold]
#[inline(never)]
fn compare<F: Sample>(float: &str, probes: &[Probe<F>]) {
    for (name, own, plain) in probes {
        for [x, y, z, w] in NUMBERS {
            let [x, y, z] = [x, y, z].map(|v| black_box(F::sample(v)));
            let own = black_box(*own)(x, y, z, black_box(w));
            let plain = black_box(*plain)(x, y, z, black_box(w));
            assert!(
                own.agrees_with(plain),
                "`{name}` of a trait of this function's type parameter is not what `{float}` has under that name, \
                 so its gradient would be that of another function; rename it in the trait, or write the function for \
                 `{float}`"
            );
        }
    }
}

#[cold]
#[inline(never)]
fn compare_behind<F: Sample, A: 'static, B: 'static>(
    name: &str,
    own: impl Fn(F, F, F) -> A,
    plain: impl Fn(F, F, F) -> B,
) {
    for [x, y, z, _] in NUMBERS {
        let [x, y, z] = [x, y, z].map(|v| black_box(F::sample(v)));
        let (own, plain) = (answer(own(x, y, z)), answer(plain(x, y, z)));
        let agrees =
            matches!((own, plain), (Answer::Bits(own), Answer::Bits(plain)) if own == plain);
        assert!(
            agrees,
            "`{name}` of a reference to a number is that of a trait in scope, and not what numbers have under that \
             name, so the gradient would be that of another function: call it on the number, `(*x).{name}(…)`, or \
             rename it in the trait"
        );
    }
}

/// Compares what traits in scope have for references under the name of a method of floats.
#[doc(hidden)]
#[macro_export]
macro_rules! __behind_a_reference {
    ($float:ident [$($reference:tt)*] $name:ident $arguments:tt) => {
        $crate::__behind_a_reference! {
            @with $float [$($reference)*] $name $arguments (__first __second __third)
        }
    };
    (@with $float:ident $reference:tt $name:ident none ($x:ident $y:ident $z:ident)) => {
        $crate::__behind_a_reference! { @ask $float $reference $name [] $x $y $z }
    };
    (@with $float:ident $reference:tt $name:ident one ($x:ident $y:ident $z:ident)) => {
        $crate::__behind_a_reference! { @ask $float $reference $name [$y] $x $y $z }
    };
    (@with $float:ident $reference:tt $name:ident two ($x:ident $y:ident $z:ident)) => {
        $crate::__behind_a_reference! { @ask $float $reference $name [$y, $z] $x $y $z }
    };
    (@with $float:ident $reference:tt $name:ident integer ($x:ident $y:ident $z:ident)) => {
        $crate::__behind_a_reference! { @ask $float $reference $name [3] $x $y $z }
    };
    (@ask $float:ident [$($reference:tt)*] $name:ident [$($arguments:tt)*] $x:ident $y:ident $z:ident) => {{
        use $crate::__rt::agree::{AbsentBehind as _, IsAbsent as _, IsThere as _};
        static ASKED: $crate::__rt::agree::Agreement = $crate::__rt::agree::Agreement::new();
        let own = |mut $x: $float, $y: $float, $z: $float| {
            let mut $x = $($reference)* $x;
            $x.$name($($arguments)*)
        };
        let plain = |$x: $float, $y: $float, $z: $float| $x.$name($($arguments)*);
        (&$crate::__rt::agree::yielded(&own)).__found().compare(&ASKED, stringify!($name), own, plain);
    }};
}

/// `f32` and `f64`.
pub trait Sample: Copy {
    /// The number, rounded.
    fn sample(value: f64) -> Self;
}

impl Sample for f64 {
    fn sample(value: f64) -> f64 {
        value
    }
}

impl Sample for f32 {
    fn sample(value: f64) -> f32 {
        value as f32
    }
}
