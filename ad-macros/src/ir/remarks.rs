//! What transformations say of the loops of a function: where one applies, and which condition keeps another from it.
//!
//! A remark is data; the report puts those of a loop together. Both texts follow "`jam`: ", name things as the user
//! does, in backticks, and have no full stop. A refusal gives the first condition that does not hold, as something that
//! the user could change.
//!
//! ```ignore
//! remarks.applied(stmt.span, Transform::Jam, "two iterations at a time");
//! remarks.refused(stmt.span, Transform::Jam, format!("`{name}` is written by each iteration"));
//! ```

use proc_macro2::Span;

use super::Transform;

/// One transformation and one loop.
#[derive(Clone, Debug)]
pub(crate) struct Remark {
    /// The loop's. A loop that a transformation makes keeps the span of the one that it was.
    pub(crate) span: Span,
    pub(crate) transform: Transform,
    /// How it applies (to what, or how far), or why it does not.
    pub(crate) verdict: Result<String, String>,
}

/// All remarks, in the order in which they were made.
#[derive(Clone, Default, Debug)]
pub(crate) struct Remarks {
    made: Vec<Remark>,
}

impl Remarks {
    /// A transformation applies to the loop at `span`.
    pub(crate) fn applied(&mut self, span: Span, transform: Transform, how: impl Into<String>) {
        let verdict = Ok(how.into());
        self.made.push(Remark {
            span,
            transform,
            verdict,
        });
    }

    /// A transformation does not apply to the loop at `span`.
    pub(crate) fn refused(&mut self, span: Span, transform: Transform, why: impl Into<String>) {
        let verdict = Err(why.into());
        self.made.push(Remark {
            span,
            transform,
            verdict,
        });
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Remark> {
        self.made.iter()
    }
}
