//! What later passes would make of a loop, for a pass that is worth it or not by that.
//!
//! The only place where a pass asks about others. What answers is the part of the other pass that looks at a loop and
//! changes nothing, so it says of this loop what the pass itself is going to find. A question costs as many statements
//! as it is about; once a function has used up what it may ask, the answer is [`TOO_LONG`], and who asked leaves the
//! loop as it is.

use std::cell::Cell;

use crate::ir::{Func, Stmt};

use super::loops::windows::Around;
use super::loops::{interchange, jam, windows};

/// How many statements the questions of a function may be about: a limit on the time that long functions take.
const MOST: usize = 1 << 16;

/// Why there is no answer.
pub(in crate::optimize) const TOO_LONG: &str = "the function is too long to look at all of it";

/// Questions about the loops of a function.
pub(in crate::optimize) struct Speculation<'a> {
    func: &'a Func,
    around: &'a Around<'a>,
    /// How many statements questions may still be about.
    left: Cell<usize>,
}

/// What a question is answered with, or why it is not.
type Answer<T> = Result<T, String>;

impl<'a> Speculation<'a> {
    pub(in crate::optimize) fn new(func: &'a Func, around: &'a Around<'a>) -> Self {
        Speculation {
            func,
            around,
            left: Cell::new(MOST),
        }
    }

    /// Whether the loop, one of either sweep, will run on slices.
    pub(in crate::optimize) fn runs_on_slices(&self, stmt: &Stmt) -> Answer<bool> {
        self.pay(stmt)?;
        Ok(windows::runs_on_slices(self.func, stmt, self.around))
    }

    /// Whether a loop whose iterations run forward and in reverse will run in blocks of one length; if not, why.
    pub(in crate::optimize) fn runs_in_whole_blocks(
        &self,
        stmt: &Stmt,
    ) -> Answer<Result<(), String>> {
        self.pay(stmt)?;
        Ok(windows::runs_in_whole_blocks(self.func, stmt, self.around))
    }

    /// Whether several iterations of the loop are going to run at once.
    pub(in crate::optimize) fn is_jammed(&self, stmt: &Stmt) -> Answer<bool> {
        self.pay(stmt)?;
        let transforms = self.around.transforms;
        Ok(jam::would_jam(self.func, transforms, stmt))
    }

    /// Whether the loop is going to change places with the one inside. `before`: the code in front of it.
    pub(in crate::optimize) fn is_interchanged<'s>(
        &self,
        before: impl IntoIterator<Item = &'s Stmt>,
        stmt: &Stmt,
    ) -> Answer<bool> {
        self.pay(stmt)?;
        let transforms = self.around.transforms;
        Ok(interchange::would_interchange(
            self.func, transforms, before, stmt,
        ))
    }

    /// Takes what a question costs.
    fn pay(&self, stmt: &Stmt) -> Answer<()> {
        let left = self.left.get().checked_sub(statements(stmt));
        let left = left.ok_or(TOO_LONG)?;
        self.left.set(left);
        Ok(())
    }
}

/// The statements of a loop, itself included.
fn statements(stmt: &Stmt) -> usize {
    let blocks = stmt.kind.blocks().into_iter();
    let inner = blocks.flat_map(|block| &block.stmts);
    1 + inner.map(statements).sum::<usize>()
}
