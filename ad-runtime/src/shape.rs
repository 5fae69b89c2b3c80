//! Whether a tangent has the shape of a value: the lengths at every depth, what is `Some`, the variants of enums.

use std::fmt;

use crate::differentiable::Differentiable;

/// Where the shape of a tangent is not that of a value, and how they differ there; from
/// [`Differentiable::check_shape`].
///
/// ```
/// use ad_runtime::Differentiable;
///
/// let rows = vec![(1.0, vec![2.0]), (3.0, vec![4.0, 5.0])];
/// let error = rows.check_shape(&vec![(0.0, vec![0.0]); 2]).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "a value of length 2 has a tangent of length 1, at `[1].1`"
/// );
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShapeError(Box<Difference>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Difference {
    /// The way to the part, as one would write it behind the value.
    path: String,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Lengths {
        value: usize,
        tangent: usize,
    },
    /// `Some` or `None`, or of an enum.
    Variants {
        value: &'static str,
        tangent: &'static str,
    },
}

impl ShapeError {
    /// Compares the length of a value with that of its tangent.
    ///
    /// # Errors
    ///
    /// If they differ.
    #[inline]
    pub fn compare_lengths(value: usize, tangent: usize) -> Result<(), Self> {
        if value == tangent {
            return Ok(());
        }
        Err(Self::new(Kind::Lengths { value, tangent }))
    }

    /// Compares whether a value and its tangent are there.
    ///
    /// # Errors
    ///
    /// If one is and the other is not.
    #[inline]
    pub fn compare_presence(value: bool, tangent: bool) -> Result<(), Self> {
        Self::compare_variants(presence(value), presence(tangent))
    }

    /// Compares the variant that a value of an enum has with that of its tangent, by name.
    ///
    /// # Errors
    ///
    /// If they differ.
    #[inline]
    pub fn compare_variants(value: &'static str, tangent: &'static str) -> Result<(), Self> {
        if value == tangent {
            return Ok(());
        }
        Err(Self::new(Kind::Variants { value, tangent }))
    }

    #[cold]
    fn new(kind: Kind) -> Self {
        let path = String::new();
        Self(Box::new(Difference { path, kind }))
    }

    /// The error as it is in a value that has the differing one as a part: `part` is what leads there, `.points` or
    /// `[3]`.
    #[cold]
    #[must_use]
    pub fn within(mut self, part: impl fmt::Display) -> Self {
        self.0.path = format!("{part}{}", self.0.path);
        self
    }

    /// Panics, with names for the value and its tangent.
    #[cold]
    #[inline(never)]
    #[track_caller]
    pub(crate) fn raise(&self, value: fmt::Arguments<'_>, tangent: fmt::Arguments<'_>) -> ! {
        let Difference { path, kind } = &*self.0;
        let (at, there) = match path.as_str() {
            "" => (String::new(), ""),
            path => (format!(" at `{path}`"), " there"),
        };
        match kind {
            Kind::Lengths {
                value: wanted,
                tangent: found,
            } => panic!(
                "retrograde: {value} has length {wanted}{at}, but {tangent} has length {found}{there}; they must be \
                 equal"
            ),
            Kind::Variants {
                value: wanted,
                tangent: found,
            } => panic!(
                "retrograde: {value} is `{wanted}`{at}, but {tangent} is `{found}`{there}; they must be alike"
            ),
        }
    }
}

fn presence(is_some: bool) -> &'static str {
    if is_some { "Some" } else { "None" }
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.kind {
            Kind::Lengths { value, tangent } => {
                write!(
                    f,
                    "a value of length {value} has a tangent of length {tangent}"
                )?;
            }
            Kind::Variants { value, tangent } => write!(
                f,
                "a value that is `{value}` has a tangent that is `{tangent}`"
            )?,
        }
        match self.0.path.as_str() {
            "" => Ok(()),
            path => write!(f, ", at `{path}`"),
        }
    }
}

impl std::error::Error for ShapeError {}

/// Compares the shapes of values and tangents, element by element.
#[inline]
pub(crate) fn check_all<T: Differentiable>(
    values: &[T],
    tangents: &[T::Tangent],
) -> Result<(), ShapeError> {
    check_each(values.len(), values.iter(), tangents)
}

/// The same for `len` values of any container.
pub(crate) fn check_each<'v, T: Differentiable + 'v>(
    len: usize,
    values: impl Iterator<Item = &'v T>,
    tangents: &[T::Tangent],
) -> Result<(), ShapeError> {
    ShapeError::compare_lengths(len, tangents.len())?;
    for (k, (value, tangent)) in values.zip(tangents).enumerate() {
        if let Err(error) = value.check_shape(tangent) {
            return Err(error.within(format_args!("[{k}]")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text<T: Differentiable>(value: &T, tangent: &T::Tangent) -> String {
        value
            .check_shape(tangent)
            .map_or_else(|e| e.to_string(), |()| "alike".to_owned())
    }

    #[test]
    fn the_first_difference_is_named_with_its_place() {
        let value = (
            vec![[Some(1.0), None]; 2],
            Box::new(vec![vec![1_u8; 3]]),
            2.0_f32,
        );
        let right = value.zero_tangent();
        assert_eq!(text(&value, &right), "alike");
        let wrong = |change: &dyn Fn(&mut _)| {
            let mut tangent = right.clone();
            change(&mut tangent);
            text(&value, &tangent)
        };
        let mut seen = wrong(&|t| t.0[1][0] = None);
        assert_eq!(
            seen,
            "a value that is `Some` has a tangent that is `None`, at `.0[1][0]`"
        );
        seen = wrong(&|t| t.0[1][1] = Some(0.0));
        assert_eq!(
            seen,
            "a value that is `None` has a tangent that is `Some`, at `.0[1][1]`"
        );
        seen = wrong(&|t| t.0.clear());
        assert_eq!(
            seen,
            "a value of length 2 has a tangent of length 0, at `.0`"
        );
        seen = wrong(&|t| t.1[0].push(()));
        assert_eq!(
            seen,
            "a value of length 3 has a tangent of length 4, at `.1[0]`"
        );
        assert_eq!(
            text(&vec![1.0; 3], &vec![]),
            "a value of length 3 has a tangent of length 0"
        );
    }
}
