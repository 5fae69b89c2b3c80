//! The two types that arithmetic is differentiated in.

use crate::{Differentiable, FixedShape, Flat, Record};

/// `f32` and `f64`; sealed.
///
/// Generated code asserts it ([`assert_float`]) where it emitted plain arithmetic for a value whose
/// type the macro could not see.
#[diagnostic::on_unimplemented(
    message = "retrograde cannot differentiate arithmetic on `{Self}`",
    label = "arithmetic on a value whose type retrograde could not see, and which is not `f32` or \
             `f64`",
    note = "annotate its type with `let x: T = …`"
)]
pub trait Float: sealed::Arithmetic {}

impl Float for f32 {}
impl Float for f64 {}

/// What a type parameter that stands for a float is replaced by, with all that its gradients need of it.
#[diagnostic::on_unimplemented(
    message = "gradients of functions that are generic over a float are those for `f32` and `f64`, not for `{Self}`",
    label = "neither `f32` nor `f64`",
    note = "in a generic function, call the function itself under `#[gradient]` instead of its gradient"
)]
pub trait Width: Float + Differentiable<Tangent = Self> + FixedShape + Record + Flat {}

impl Width for f32 {}
impl Width for f64 {}

/// What a function returns that has `f_grad`, with the adjoint of it.
#[diagnostic::on_unimplemented(
    message = "there is no gradient of a function that returns `{Self}`",
    label = "this function does not return a float",
    note = "call `f_adjoint` with the adjoint of the result instead"
)]
pub trait Seed<T> {
    /// The adjoint of the result with respect to itself.
    fn one() -> T;
}

impl Seed<f32> for f32 {
    fn one() -> f32 {
        1.0
    }
}

impl Seed<f64> for f64 {
    fn one() -> f64 {
        1.0
    }
}

/// The primitive numbers; sealed. Generated code asserts it where such a value is an operand of differentiated
/// arithmetic or of a method such as `min`, and the macro could not see its type.
#[diagnostic::on_unimplemented(
    message = "retrograde cannot differentiate with a value of type `{Self}`",
    label = "retrograde could not see the type of this value, and it is not a primitive number",
    note = "of a type of your own, multiply by an `f64` rather than an integer, and write out what operators on an \
            `f64` that are your own do; a method of your own type that has the name of one of std's is called by its \
            path: `V::abs(&v)`"
)]
pub trait Number: sealed::Number {}

/// The integers of the language.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`len`, `count` or `capacity` yields a value of type `{Self}` here, whose derivative would be lost",
    label = "methods of these names are taken for those of collections, which count",
    note = "put the method where the text shows it, in the block or the file of the caller, or call it by its path: \
            `Segment::len(&s)`"
)]
pub trait Integer: sealed::Integer {}

/// Compiles only if the value is an `f32` or `f64`; does nothing.
///
/// ```
/// ad_runtime::assert_float(&1.0_f32);
/// ```
///
/// ```compile_fail
/// ad_runtime::assert_float(&1_i32);
/// ```
#[inline(always)]
pub fn assert_float<T: Float>(value: &T) {
    let _ = value;
}

/// `a * b + c`, rounded once where the target has an instruction for it, else twice: for adjoints only.
#[inline(always)]
pub fn mul_add<F: Float>(a: F, b: F, c: F) -> F {
    if cfg!(target_feature = "fma") {
        a.mul_add(b, c)
    } else {
        a * b + c
    }
}

pub(crate) mod sealed {
    use std::cell::Cell;
    use std::ops::{Add, Div, Mul, Neg, Rem, Sub};
    use std::sync::{Mutex, PoisonError};

    use crate::kernels::products::spare::Buffers;
    use crate::spare::Spare;

    pub trait Number {}

    macro_rules! numbers {
        ($($t:ty)*) => { $(impl Number for $t {} impl super::Number for $t {})* };
    }
    numbers!(f32 f64 u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

    pub trait Integer {}

    macro_rules! integers {
        ($($t:ty)*) => { $(impl Integer for $t {} impl super::Integer for $t {})* };
    }
    integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

    /// What the derivative rules compute with.
    pub trait Arithmetic:
        Copy
        + PartialOrd
        + Add<Output = Self>
        + Sub<Output = Self>
        + Mul<Output = Self>
        + Div<Output = Self>
        + Rem<Output = Self>
        + Neg<Output = Self>
    {
        /// From this magnitude on, `x² ± 1` rounds to `x²`.
        const LARGE: Self;

        /// The smallest positive number of full precision.
        const MIN_POSITIVE: Self;

        fn lit(value: f64) -> Self;
        fn to_f64(self) -> f64;
        fn from_i32(value: i32) -> Self;
        fn is_nan(self) -> bool;
        fn is_finite(self) -> bool;
        fn is_sign_negative(self) -> bool;
        fn abs(self) -> Self;
        fn signum(self) -> Self;
        fn trunc(self) -> Self;
        fn sqrt(self) -> Self;
        fn sin(self) -> Self;
        fn cos(self) -> Self;
        fn sinh(self) -> Self;
        fn cosh(self) -> Self;
        fn ln(self) -> Self;
        fn powi(self, n: i32) -> Self;
        fn powf(self, y: Self) -> Self;
        fn mul_add(self, a: Self, b: Self) -> Self;
        fn to_degrees(self) -> Self;
        fn to_radians(self) -> Self;

        /// Calls `f` with what this thread has that nothing uses; with nothing if the thread ends.
        fn with_spare<R>(f: impl FnOnce(&mut Spare<Self>) -> R) -> R;

        /// Calls `f` with the buffers for all threads that nothing uses.
        fn with_shared<R>(f: impl FnOnce(&mut Vec<Buffers<Self>>) -> R) -> R;
    }

    macro_rules! arithmetic {
        ($($float:ident $large:literal)*) => {$(
            impl Arithmetic for $float {
                const LARGE: Self = $large;
                const MIN_POSITIVE: Self = $float::MIN_POSITIVE;

                #[inline(always)]
                fn lit(value: f64) -> Self {
                    value as $float
                }

                #[inline(always)]
                fn to_f64(self) -> f64 {
                    self as f64
                }

                #[inline(always)]
                fn from_i32(value: i32) -> Self {
                    value as $float
                }

                arithmetic!(@delegate $float is_nan bool, is_finite bool, is_sign_negative bool,
                    abs $float, signum $float, trunc $float, sqrt $float, sin $float, cos $float,
                    sinh $float, cosh $float, ln $float, to_degrees $float, to_radians $float);

                #[inline(always)]
                fn mul_add(self, a: Self, b: Self) -> Self {
                    <$float>::mul_add(self, a, b)
                }

                fn with_shared<R>(f: impl FnOnce(&mut Vec<Buffers<Self>>) -> R) -> R {
                    static SHARED: Mutex<Vec<Buffers<$float>>> = Mutex::new(Vec::new());
                    f(&mut SHARED.lock().unwrap_or_else(PoisonError::into_inner))
                }

                fn with_spare<R>(f: impl FnOnce(&mut Spare<Self>) -> R) -> R {
                    thread_local! {
                        static SPARE: Cell<Spare<$float>> = const { Cell::new(Spare::NONE) };
                    }
                    let mut spare = SPARE.try_with(Cell::take).unwrap_or_default();
                    let result = f(&mut spare);
                    // A thread that ends drops them.
                    let _ = SPARE.try_with(|cell| cell.set(spare));
                    result
                }

                #[inline(always)]
                fn powi(self, n: i32) -> Self {
                    $float::powi(self, n)
                }

                #[inline(always)]
                fn powf(self, y: Self) -> Self {
                    $float::powf(self, y)
                }
            }
        )*};
        (@delegate $float:ident $($name:ident $result:ident),*) => {$(
            #[inline(always)]
            fn $name(self) -> $result {
                $float::$name(self)
            }
        )*};
    }

    arithmetic! { f32 8192.0 f64 134_217_728.0 }
}
