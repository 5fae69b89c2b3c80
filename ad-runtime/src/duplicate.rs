//! Copies that are equal in every field, whatever `Clone` does.

pub(crate) mod choice;
mod std_types;
#[cfg(test)]
mod tests;

/// A value that can be copied field by field.
///
/// The sweeps have to keep values that the function moves or overwrites, and take the copy for the value. `Clone` may
/// do anything: reset a cache, count, draw a number. So they copy by this trait instead, and where a function calls
/// `clone` itself, they compare what it returns with the value: its derivative is that of the identity only if nothing
/// differs.
///
/// `#[derive(Differentiable)]` includes it, `#[derive(Duplicate)]` is for types that implement
/// [`Differentiable`](crate::Differentiable) by hand. It is provided for numbers, text, references, and containers of
/// the standard library. Types that are `Copy`, and [records](crate::Record), need no implementation for the sweeps to
/// copy them.
///
/// # Contract
///
/// An implementation by hand gives a value that is equal in every field that a differentiated function can read, and
/// `is_duplicate` says whether another one is. Nothing checks that; a wrong one makes gradients wrong.
///
/// ```
/// use ad_runtime::Duplicate;
///
/// struct Counted {
///     value: f64,
///     clones: u32,
/// }
///
/// impl Clone for Counted {
///     fn clone(&self) -> Self {
///         Counted { value: self.value, clones: self.clones + 1 }
///     }
/// }
///
/// impl Duplicate for Counted {
///     fn duplicate(&self) -> Self {
///         let Counted { value, clones } = self;
///         Counted { value: value.duplicate(), clones: clones.duplicate() }
///     }
///
///     fn is_duplicate(&self, of: &Self) -> bool {
///         self.value.is_duplicate(&of.value) && self.clones.is_duplicate(&of.clones)
///     }
/// }
///
/// let one = Counted { value: f64::NAN, clones: 0 };
/// assert!(one.duplicate().is_duplicate(&one));
/// assert!(!one.clone().is_duplicate(&one));
/// ```
#[diagnostic::on_unimplemented(
    message = "the sweeps cannot copy a `{Self}` field by field",
    label = "the sweeps need a copy of this value, and do not take `Clone` for one",
    note = "derive it: `#[derive(Duplicate)]`, or `#[derive(Differentiable)]`, which includes it",
    note = "types that are `Copy` and records can be copied as they are, and `Rc` and `Arc` of anything"
)]
pub trait Duplicate {
    /// Whether `Clone` is known to copy: of types of the language and of std alone.
    #[doc(hidden)]
    const CLONE_COPIES: bool = false;

    /// A value equal in every field.
    fn duplicate(&self) -> Self
    where
        Self: Sized;

    /// Whether the value is equal to another in every field: floats in their bits, any NaN to any other.
    fn is_duplicate(&self, of: &Self) -> bool;
}
