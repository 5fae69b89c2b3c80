//! What an `impl` of a trait with `#[gradient]` gives, for callers that know the trait alone.

use crate::differentiable::Differentiable;
use crate::dynamic::DynTangent;
use crate::flat::FlatNames;
use crate::shape::ShapeError;
use crate::tape::Tape;

/// Stands in a trait with `#[gradient]` as a supertrait: each `impl` of it has `#[gradient]`, too. `TRAIT` is the
/// number of its name, `Arguments` is a tuple of its arguments.
#[diagnostic::on_unimplemented(
    message = "`{Self}` implements a trait that has `#[gradient]`, and this `impl` of it has none",
    label = "an `impl` without `#[gradient]`, or of a trait by another name than its own",
    note = "put `#[gradient]` above the `impl`, and write the trait by its own name; one that is generic over a float, \
            `impl<T: Float>`, has to be one for `f64` instead"
)]
pub trait HasGradient<const TRAIT: u64, Arguments> {
    /// Compiles only if the `impl` fits the trait.
    fn __checks()
    where
        Self: Sized,
    {
    }

    /// A copy.
    fn __copy(&self) -> Self
    where
        Self: Sized;

    /// See [`Differentiable`]; these five are of a `dyn` of the trait.
    fn __zero_tangent(&self) -> DynTangent;
    /// See [`Differentiable`].
    fn __step(&mut self, scale: f64, tangent: &DynTangent);
    /// See [`Differentiable`].
    fn __check_shape(&self, tangent: &DynTangent) -> Result<(), ShapeError>;
    /// See [`Flat`](crate::Flat); these four, too.
    fn __len_flat(&self) -> usize;
    /// See [`Flat`](crate::Flat).
    fn __write_front<'a>(&self, out: &'a mut [f64]) -> &'a mut [f64];
    /// See [`Flat`](crate::Flat).
    fn __read_front<'a>(&mut self, numbers: &'a [f64]) -> &'a [f64];
    /// See [`Flat`](crate::Flat).
    fn __name_parts(&self, names: &mut FlatNames);
}

/// The name of a function, with the way to it.
#[inline(always)]
pub fn name_of<F>(_: &F) -> &'static str {
    std::any::type_name::<F>()
}

/// Two traits of one name may have one number, if one `impl` of them is without `#[gradient]`.
///
/// # Panics
///
/// If the sweeps are those of the method of another trait.
#[inline(always)]
pub fn check_method(called: &str, own: &str) {
    if called != own {
        of_another_trait(called, own);
    }
}

#[cold]
#[inline(never)]
fn of_another_trait(called: &str, own: &str) -> ! {
    panic!(
        "`{called}` has no derivative, and `{own}` has one: put `#[gradient]` above that `impl`, and give one of \
         the two traits another name"
    );
}

/// Says that the trait has a body for a method, and which: by a number for the text of both.
#[derive(Clone, Copy, Debug)]
pub struct OfTheTrait<const BODY: u64>;

/// Says that it has none.
#[derive(Clone, Copy, Debug)]
pub struct OfTheType;

/// What says who writes the body of a method.
#[diagnostic::on_unimplemented(
    message = "this `impl` writes a method for which the trait has a body with a derivative",
    label = "through the trait, the derivative would be that of the trait's body",
    note = "leave the body out of the trait, or the method out of this `impl`"
)]
pub trait ByTheType {}

impl ByTheType for OfTheType {}

/// Compiles only if the trait has no body for the method.
pub fn written_by_the_type<T: ByTheType>(_: T) {}

/// Compiles only if the body in the trait is this one.
pub fn written_by_the_trait<const BODY: u64>(_: OfTheTrait<BODY>) {}

macro_rules! sweeps {
    ($($name:ident $this:ty, $text:literal;)*) => {$(
        #[doc = concat!("The sweeps of a method of a trait with `", $text, "`, for callers that know the trait alone.")]
        ///
        /// `METHOD` is the number of trait and method, `Of` are the arguments of the trait; the others are the types of
        /// the method's arguments, of their adjoints, of its result, and of that one's adjoint.
        #[diagnostic::on_unimplemented(
            message = "`{Self}` implements a trait that has `#[gradient]`, and this `impl` of it has none",
            label = "an `impl` without `#[gradient]`, or whose method is left out of it",
            note = "put `#[gradient]` above the `impl`, and write the types of arguments as the trait does"
        )]
        pub trait $name<const METHOD: u64, Of, Args, Bars, R, Seed> {
            /// Compiles only if there are sweeps.
            #[inline(always)]
            fn __there()
            where
                Self: Sized,
            {
            }

            /// The name of the method, with those of type and trait.
            fn __name() -> &'static str
            where
                Self: Sized;

            /// The forward sweep.
            fn __forward(self: $this, args: Args, tape: &mut Tape) -> R;

            /// The reverse sweep.
            fn __reverse(
                self: $this,
                args: Args,
                bar: &mut Self::Tangent,
                bars: Bars,
                seed: Option<&Seed>,
                tape: &mut Tape,
            ) where
                Self: Sized + Differentiable;

            /// The reverse sweep of what is behind a `dyn` of the trait.
            fn __reverse_erased(
                self: $this,
                args: Args,
                bar: &mut DynTangent,
                bars: Bars,
                seed: Option<&Seed>,
                tape: &mut Tape,
            );
        }
    )*};
}

sweeps! {
    Sweeps &Self, "&self";
    SweepsMut &mut Self, "&mut self";
}

/// The sweeps of a function of a trait whose types mention `Self`, or that takes `self` by value or not at all, for
/// callers that know the trait alone. The receiver is the first argument.
#[diagnostic::on_unimplemented(
    message = "`{Self}` implements a trait that has `#[gradient]`, and this `impl` of it has none",
    label = "an `impl` without `#[gradient]`, or whose function is left out of it",
    note = "put `#[gradient]` above the `impl`, and write the types of arguments as the trait does"
)]
pub trait SweepsOf<const METHOD: u64, Of, Args, Bars, R, Seed> {
    /// The name of the function, with those of type and trait.
    fn __name() -> &'static str
    where
        Self: Sized;

    /// The forward sweep.
    fn __forward(args: Args, tape: &mut Tape) -> R
    where
        Self: Sized;

    /// The reverse sweep.
    fn __reverse(args: Args, bars: Bars, seed: Option<&Seed>, tape: &mut Tape)
    where
        Self: Sized;
}
