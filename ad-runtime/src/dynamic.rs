//! Trait objects: the tangent of a `dyn Trait`, and what generated code needs of the value behind one.

mod erased;
mod generated;

pub use erased::{Of, OfAnything, OfDifferentiable, OfFlat, OfFlatValue, OfOther};

use crate::differentiable::Differentiable;
use crate::duplicate::Duplicate;
use crate::flat::{Flat, FlatNames};
use crate::shape::ShapeError;
use crate::tangent::{Tangent, lengths_differ};

/// The tangent of a `dyn Trait`: the numbers of the tangent of the value behind it, as a flat list.
///
/// `#[gradient]` above a trait gives `dyn Trait` (also with `Send` and `Sync`) this tangent, and `Box<dyn Trait>` one
/// in a box. It comes from [`zero_tangent`](crate::Differentiable::zero_tangent) and from gradients, is the tangent of
/// values of one type, and knows which that is. What the numbers are called says the value, by
/// [`names_flat`](Flat::names_flat).
///
/// The calculations of [`Tangent`] are done in `f64`, those in the sweeps of the value's own methods in its own types.
///
/// ```
/// use ad_runtime::{DynTangent, Tangent};
///
/// fn clip(gradient: &mut DynTangent, norm: f64) {
///     let factor = norm / gradient.norm();
///     if factor < 1.0 {
///         gradient.scale(factor);
///     }
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DynTangent {
    of: &'static str,
    numbers: Vec<f64>,
}

impl DynTangent {
    /// The name of the type of the value, for messages: two types may have one name.
    #[must_use]
    pub fn of(&self) -> &'static str {
        self.of
    }

    /// The numbers.
    #[must_use]
    pub fn as_slice(&self) -> &[f64] {
        &self.numbers
    }

    /// The numbers, to be written.
    pub fn as_mut_slice(&mut self) -> &mut [f64] {
        &mut self.numbers
    }

    /// The tangent of a value of type `T`, by its own tangent.
    fn erased<T: ?Sized>(own: &impl Flat) -> Self {
        DynTangent {
            of: std::any::type_name::<T>(),
            numbers: own.to_flat(),
        }
    }

    /// Whether it is one of a value of type `T` whose own tangent has `len` numbers.
    fn check<T: ?Sized>(&self, len: usize) -> Result<(), ShapeError> {
        ShapeError::compare_variants(std::any::type_name::<T>(), self.of)?;
        ShapeError::compare_lengths(len, self.numbers.len())
    }
}

#[track_caller]
fn check_alike(what: &str, a: &DynTangent, b: &DynTangent) {
    assert!(
        a.of == b.of,
        "retrograde: {what} of a `{}` and of a `{}`; they must be of one type",
        a.of,
        b.of
    );
    if a.numbers.len() != b.numbers.len() {
        lengths_differ(what, a.numbers.len(), b.numbers.len());
    }
}

impl Tangent for DynTangent {
    /// # Panics
    ///
    /// If the other one is of a value of another type or shape.
    fn accumulate(&mut self, other: &Self) {
        check_alike("sum of tangents", self, other);
        self.numbers.accumulate(&other.numbers);
    }

    fn scale(&mut self, factor: f64) {
        self.numbers.scale(factor);
    }

    fn set_zero(&mut self) {
        self.numbers.set_zero();
    }

    /// # Panics
    ///
    /// If the other one is of a value of another type or shape.
    fn dot(&self, other: &Self) -> f64 {
        check_alike("scalar product of tangents", self, other);
        self.numbers.dot(&other.numbers)
    }
}

/// The names of the numbers are their indices: the value has better ones.
impl Flat for DynTangent {
    fn len_flat(&self) -> usize {
        self.numbers.len()
    }

    fn write_front<'a>(&self, out: &'a mut [f64]) -> &'a mut [f64] {
        self.numbers.write_front(out)
    }

    fn read_front<'a>(&mut self, numbers: &'a [f64]) -> &'a [f64] {
        self.numbers.read_front(numbers)
    }

    fn name_parts(&self, names: &mut FlatNames) {
        self.numbers.name_parts(names);
    }
}

impl Duplicate for DynTangent {
    fn duplicate(&self) -> Self {
        self.clone()
    }

    fn is_duplicate(&self, of: &Self) -> bool {
        self.of == of.of && self.numbers.is_duplicate(&of.numbers)
    }
}

/// A `dyn Trait` in a signature.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no derivative",
    label = "nothing is known of the types behind this trait",
    note = "put `#[gradient]` above the trait and above each `impl` of it, or mark the parameter `#[constant]`",
    note = "a trait with supertraits of your own, which may not allow `dyn`, needs `#[gradient(dyn)]`; one with \
            constants or types has no derivative through `dyn`"
)]
pub trait Dynamic {
    /// That of all of them.
    type Tangent;
}

/// What is behind a `Box<dyn Trait>` cannot be compared.
///
/// # Panics
///
/// Always.
#[cold]
#[track_caller]
pub fn incomparable(of: &str) -> bool {
    panic!(
        "retrograde: `clone` is called on a `{of}`, and nothing tells whether what is behind it is copied; pass the \
         clone to the function instead"
    );
}

/// The adjoint of an argument `dyn Trait`, from that which the caller has: a caller that knows the type has one of that
/// type.
#[must_use]
pub fn opened<T>(value: &T, given: &impl Flat) -> DynTangent
where
    T: Differentiable<Tangent = DynTangent> + ?Sized,
{
    let mut tangent = value.zero_tangent();
    tangent.set_flat(&given.to_flat());
    tangent
}

/// Gives it back.
pub fn closed(tangent: &DynTangent, given: &mut impl Flat) {
    given.set_flat(&tangent.numbers);
}

/// Runs the reverse sweep of what is written behind a `dyn Trait`, and keeps the value.
pub trait Keep {
    /// Runs it, and puts the value back that was there before.
    fn keep(&mut self, run: &mut dyn FnMut(&mut Self));
}
