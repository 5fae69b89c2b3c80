//! The link between a push and its pop.

use std::fmt;
use std::marker::PhantomData;

/// A value that gives a push and its pop one record type; without the feature `report`, of size zero.
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
    #[cfg(feature = "report")]
    place: &'static std::panic::Location<'static>,
}

impl<T> Site<T> {
    /// A site of any record type.
    #[inline(always)]
    #[must_use]
    #[cfg_attr(feature = "report", track_caller)]
    pub const fn new() -> Self {
        Self {
            record: PhantomData,
            #[cfg(feature = "report")]
            place: std::panic::Location::caller(),
        }
    }

    /// The same site, made here: the place of a method call is that of its name, which generated code takes from the
    /// user's.
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    #[cfg_attr(feature = "report", track_caller)]
    pub const fn here(self) -> Self {
        #[cfg(feature = "report")]
        return Self::new();
        #[cfg(not(feature = "report"))]
        self
    }

    /// Where the site was made.
    #[cfg(feature = "report")]
    #[inline(always)]
    pub(super) fn place(self) -> &'static std::panic::Location<'static> {
        self.place
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
    #[cfg_attr(feature = "report", track_caller)]
    fn default() -> Self {
        Self::new()
    }
}

impl<T> fmt::Debug for Site<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Site<{}>", std::any::type_name::<T>())
    }
}
