//! Types of the language and of std, of which a user's `impl` of a trait with `#[gradient]` is.
//!
//! Such an `impl` can give nothing that stands beside it: `f64` has no functions of the user's, and no local type takes
//! part in `Sweeps for f64`. So its sweeps stand in the `impl` itself, in place of those that the trait has for types
//! of the user's. What a trait asks of all that implement it is here, and has no derivative.

use super::of_traits::{HasGradient, Sweeps, SweepsMut, SweepsOf};
use crate::differentiable::Differentiable;
use crate::dynamic::DynTangent;
use crate::flat::FlatNames;
use crate::shape::ShapeError;
use crate::tape::Tape;

/// Nothing has a derivative through `dyn` here.
#[cold]
#[track_caller]
fn behind_dyn<T: ?Sized>() -> ! {
    let ty = std::any::type_name::<T>();
    panic!(
        "retrograde: a `{ty}` is behind a `dyn` trait, and types of the language and of std have no derivatives there; \
         put it into a struct of your own"
    );
}

/// What a trait has for functions whose types name its associated types. Compiles only where nobody asks for it.
#[cold]
pub fn known_types_alone<T>() -> ! {
    const {
        assert!(
            size_of::<T>() == usize::MAX,
            "this function of a trait has a derivative where the type is known, and not through a type parameter: its \
             types name an associated type, or it takes `self` by value in a trait that may be a `dyn`"
        );
    }
    unreachable!("does not compile")
}

/// A type of the language or of std, whose `impl` of a trait has its sweeps where the trait can ask for none.
#[diagnostic::on_unimplemented(
    message = "by its trait alone, this function has no derivative for `{Self}`",
    label = "it has one where it is called on a type that is known",
    note = "nothing says of a parameter of the trait that it is `Differentiable`: `trait Model<V: Differentiable>`"
)]
pub trait OfLanguage {}

macro_rules! of_language {
    ($([$($params:tt)*] $ty:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($params)*> OfLanguage for $ty {}

        #[diagnostic::do_not_recommend]
        impl<const TRAIT: u64, Arguments, $($params)*> HasGradient<TRAIT, Arguments> for $ty {
            fn __copy(&self) -> Self {
                behind_dyn::<Self>()
            }

            fn __zero_tangent(&self) -> DynTangent {
                behind_dyn::<Self>()
            }

            fn __step(&mut self, _: f64, _: &DynTangent) {
                behind_dyn::<Self>()
            }

            fn __check_shape(&self, _: &DynTangent) -> Result<(), ShapeError> {
                behind_dyn::<Self>()
            }

            fn __len_flat(&self) -> usize {
                behind_dyn::<Self>()
            }

            fn __write_front<'a>(&self, _: &'a mut [f64]) -> &'a mut [f64] {
                behind_dyn::<Self>()
            }

            fn __read_front<'a>(&mut self, _: &'a [f64]) -> &'a [f64] {
                behind_dyn::<Self>()
            }

            fn __name_parts(&self, _: &mut FlatNames) {
                behind_dyn::<Self>()
            }
        }

        of_language! { @sweeps Sweeps &Self [$($params)*] $ty }
        of_language! { @sweeps SweepsMut &mut Self [$($params)*] $ty }

        #[diagnostic::do_not_recommend]
        impl<const METHOD: u64, Of, Args, Bars, R, Seed, $($params)*> SweepsOf<METHOD, Of, Args, Bars, R, Seed>
            for $ty
        {
            fn __name() -> &'static str {
                of_language! { @without METHOD $ty }
            }

            fn __forward(_: Args, _: &mut Tape) -> R {
                of_language! { @without METHOD $ty }
            }

            fn __reverse(_: Args, _: Bars, _: Option<&Seed>, _: &mut Tape) {
                of_language! { @without METHOD $ty }
            }
        }
    )*};
    // Compiles only where nobody asks for the sweeps: an `impl` that has some does not come here.
    (@without $method:ident $ty:ty) => {{
        const {
            assert!(
                $method.wrapping_add(1) == $method,
                concat!(
                    "the `impl` of a trait for `",
                    stringify!($ty),
                    "` has no `#[gradient]`, and its derivative is asked for: put the attribute above that `impl`"
                )
            );
        }
        unreachable!("does not compile")
    }};
    (@sweeps $name:ident $this:ty [$($params:tt)*] $ty:ty) => {
        #[diagnostic::do_not_recommend]
        impl<const METHOD: u64, Of, Args, Bars, R, Seed, $($params)*> $name<METHOD, Of, Args, Bars, R, Seed> for $ty {
            fn __there() {
                of_language! { @without METHOD $ty }
            }

            fn __name() -> &'static str {
                behind_dyn::<Self>()
            }

            fn __forward(self: $this, _: Args, _: &mut Tape) -> R {
                behind_dyn::<Self>()
            }

            fn __reverse(
                self: $this,
                _: Args,
                _: &mut <Self as Differentiable>::Tangent,
                _: Bars,
                _: Option<&Seed>,
                _: &mut Tape,
            ) where
                Self: Differentiable,
            {
                behind_dyn::<Self>()
            }

            fn __reverse_erased(
                self: $this,
                _: Args,
                _: &mut DynTangent,
                _: Bars,
                _: Option<&Seed>,
                _: &mut Tape,
            ) {
                behind_dyn::<Self>()
            }
        }
    };
}

of_language! {
    [] f64;
    [] f32;
    [] i8;
    [] i16;
    [] i32;
    [] i64;
    [] i128;
    [] isize;
    [] u8;
    [] u16;
    [] u32;
    [] u64;
    [] u128;
    [] usize;
    [] bool;
    [] char;
    [] String;
    [T, const N: usize] [T; N];
    [T] Vec<T>;
    [T] Option<T>;
    [] ();
    [A] (A,);
    [A, B] (A, B);
    [A, B, C] (A, B, C);
    [A, B, C, D] (A, B, C, D);
    [A, B, C, D, E] (A, B, C, D, E);
    [A, B, C, D, E, F] (A, B, C, D, E, F);
    [A, B, C, D, E, F, G] (A, B, C, D, E, F, G);
    [A, B, C, D, E, F, G, H] (A, B, C, D, E, F, G, H);
}
