//! The link between a push and its pop.

use std::fmt;
use std::marker::PhantomData;

/// A zero-sized value that gives a push and its pop one record type.
///
/// The forward sweep pushes to a site, the reverse sweep pops from it, and inference does the
/// rest: neither has to name the type.
///
/// ```
/// use ad_runtime::{Site, Tape};
///
/// let mut tape = Tape::new();
/// let site = Site::new();
/// tape.push(site, (1.5, 2_u32));
/// let (x, n) = tape.pop(site);
/// assert_eq!((x, n), (1.5, 2));
/// ```
pub struct Site<T> {
    record: PhantomData<fn(T) -> T>,
}

impl<T> Site<T> {
    /// A site of any record type.
    #[inline(always)]
    #[must_use]
    pub const fn new() -> Self {
        Self {
            record: PhantomData,
        }
    }
}

impl<T> Clone for Site<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Site<T> {}

impl<T> Default for Site<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> fmt::Debug for Site<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Site<{}>", std::any::type_name::<T>())
    }
}
