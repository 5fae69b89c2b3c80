//! Conversions by `From` and `Into`: their sweeps are found by the types of target and source.

use std::pin::Pin;

use crate::differentiable::Differentiable;
use crate::tangent::Tangent;
use crate::tape::Tape;

/// The sweeps of `impl From<Source>` for a type. Their names are those of the sweeps of a function `from` of the type
/// itself, which a call of that name would mean.
#[diagnostic::on_unimplemented(
    message = "the conversion of `{Source}` to `{Self}` has no derivative",
    label = "a value with a derivative is converted here",
    note = "put `#[gradient]` above the `impl` of `From`, or write `no_gradient(…)` around what is constant"
)]
pub trait Conversion<Source>: Sized {
    /// The adjoint of the source.
    type Bar: ?Sized;
    /// The adjoint of the result.
    type Seed;

    /// The result.
    fn __derivative_of_from_forward(source: Source, tape: &mut Tape) -> Self;

    /// Adds to the adjoint of the source.
    fn __derivative_of_from_reverse(
        source: Source,
        bar: &mut Self::Bar,
        seed: Option<&Self::Seed>,
        tape: &mut Tape,
    );
}

/// As std has it.
#[diagnostic::do_not_recommend]
impl<T: Differentiable> Conversion<T> for T {
    type Bar = T::Tangent;
    type Seed = T::Tangent;

    #[inline(always)]
    fn __derivative_of_from_forward(source: T, _: &mut Tape) -> T {
        source
    }

    #[inline(always)]
    fn __derivative_of_from_reverse(
        _: T,
        bar: &mut T::Tangent,
        seed: Option<&T::Tangent>,
        _: &mut Tape,
    ) {
        if let Some(seed) = seed {
            bar.accumulate(seed);
        }
    }
}

/// Nothing is converted so. With one `impl` alone, the one above, rustc would take the target for what a value of
/// another type has to be, instead of saying that its conversion has no derivative. A crate may still write one for
/// every source that fits, as this source is no other crate's where the target is its own.
#[diagnostic::do_not_recommend]
impl<T> Conversion<Pin<&'static mut T>> for T {
    type Bar = ();
    type Seed = ();

    #[cold]
    fn __derivative_of_from_forward(_: Pin<&'static mut T>, _: &mut Tape) -> T {
        unreachable!("a pinned reference is converted")
    }

    #[cold]
    fn __derivative_of_from_reverse(
        _: Pin<&'static mut T>,
        (): &mut (),
        _: Option<&()>,
        _: &mut Tape,
    ) {
        unreachable!("a pinned reference is converted")
    }
}

impl Conversion<f32> for f64 {
    type Bar = f32;
    type Seed = f64;

    #[inline(always)]
    fn __derivative_of_from_forward(source: f32, _: &mut Tape) -> f64 {
        source.into()
    }

    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "adjoints of an `f32` round like it"
    )]
    fn __derivative_of_from_reverse(_: f32, bar: &mut f32, seed: Option<&f64>, _: &mut Tape) {
        if let Some(seed) = seed {
            *bar += *seed as f32;
        }
    }
}

/// Numbers without derivative.
macro_rules! constants {
    ($($float:ident: $($number:ident)*;)*) => {$($(
        #[diagnostic::do_not_recommend]
        impl Conversion<$number> for $float {
            type Bar = ();
            type Seed = $float;

            #[inline(always)]
            fn __derivative_of_from_forward(source: $number, _: &mut Tape) -> $float {
                source.into()
            }

            #[inline(always)]
            fn __derivative_of_from_reverse(
                _: $number,
                (): &mut (),
                _: Option<&$float>,
                _: &mut Tape,
            ) {
            }
        }
    )*)*};
}

constants! {
    f64: bool u8 u16 u32 i8 i16 i32;
    f32: bool u8 u16 i8 i16;
}

#[cfg(test)]
mod tests {
    use super::Conversion;
    use crate::tape::Tape;

    fn slope<S, T: Conversion<S, Seed = T>>(source: S, mut bar: T::Bar, seed: &T) -> (T, T::Bar)
    where
        S: Copy,
        T::Bar: Sized,
    {
        let mut tape = Tape::new();
        let value = T::__derivative_of_from_forward(source, &mut tape);
        T::__derivative_of_from_reverse(source, &mut bar, Some(seed), &mut tape);
        T::__derivative_of_from_reverse(source, &mut bar, None, &mut tape);
        (value, bar)
    }

    #[test]
    fn those_of_std_have_sweeps() {
        assert_eq!(slope::<f64, f64>(2.0, 1.0, &3.0), (2.0, 4.0));
        assert_eq!(slope::<f32, f64>(2.5, 1.0, &3.0), (2.5, 4.0));
        assert_eq!(slope::<i32, f64>(-2, (), &3.0), (-2.0, ()));
        assert_eq!(slope::<u8, f32>(2, (), &3.0), (2.0, ()));
    }
}
