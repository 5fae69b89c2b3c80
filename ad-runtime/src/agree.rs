//! Whether what the traits of a type parameter offer is what `f32` and `f64` have under the same names.
//!
//! A function that is generic over a float is differentiated with `f64` in place of the parameter: `x.sin()` is then
//! that of `f64`, and `T::zero()` is 0. With `num_traits::Float` they are the same. A trait of the user's own may mean
//! something else by these names, so both are computed, once, for a few numbers, and compared bit for bit.

use std::any::Any;
use std::hint::black_box;
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
    ($($none:ident)*; $($one:ident)*; $($two:ident)*) => {
        /// The methods of floats on whatever has none of that name. They take `&self`, so those of a bound come first,
        /// however these take it.
        pub trait Absent {
            $(
                /// Not there.
                fn $none(&self) -> Absence {
                    Absence
                }
            )*
            $(
                /// Not there.
                fn $one<A>(&self, _: A) -> Absence {
                    Absence
                }
            )*
            $(
                /// Not there.
                fn $two<A, B>(&self, _: A, _: B) -> Absence {
                    Absence
                }
            )*
        }
    };
}
absent! {
    abs acos acosh asin asinh atan atanh cbrt ceil cos cosh exp exp2 exp_m1 floor fract is_finite is_infinite is_nan
    is_normal is_sign_negative is_sign_positive is_subnormal ln ln_1p log10 log2 next_down next_up recip round
    round_ties_even signum sin sin_cos sinh sqrt tan tanh to_degrees to_f32 to_f64 to_radians trunc;
    abs_sub atan2 copysign div_euclid hypot log max midpoint min powf powi rem_euclid;
    clamp mul_add
}

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

#[cold]
#[inline(never)]
fn compare<F: Sample>(float: &str, probes: &[Probe<F>]) {
    // Guards against zero, overflow and NaN are what such traits differ in.
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
