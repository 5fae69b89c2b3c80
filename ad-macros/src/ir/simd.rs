//! Bodies that take as many iterations at once as registers hold, and the cells of arrays that they add to.

use super::registers::RegisterRun;
use super::{Block, Expr, Place, Ty, VarId};

/// A loop whose body runs on the numbers of several iterations at once, as many as registers hold. An element of a
/// window in the body stands for as many from there on.
#[derive(Clone, Debug)]
pub(crate) struct Simd {
    /// The numbers.
    pub(crate) ty: Ty,
    /// One behind the other, each for the iterations that those before it have left.
    pub(crate) runs: Vec<RegisterRun>,
    /// How many iterations there are, and how many are done.
    pub(crate) n: VarId,
    pub(crate) done: VarId,
    /// Has the sums when it is done.
    pub(crate) totals: VarId,
    pub(crate) reads: Vec<VarId>,
    pub(crate) edits: Vec<VarId>,
    /// The arrays that are added to, as cells, and where in them.
    pub(crate) arrays: Vec<(VarId, Place)>,
    pub(crate) cells: Vec<Cells>,
    /// Those of them that are added up before they go to memory.
    pub(crate) near: Vec<Near>,
    /// What is the same for all iterations.
    pub(crate) fixed: Vec<(VarId, Expr)>,
    /// What all iterations add to, declared as zero.
    pub(crate) sums: Vec<VarId>,
    pub(crate) body: Block,
}

/// Elements of an array that others may share.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    pub(crate) var: VarId,
    pub(crate) extent: VarId,
    pub(crate) array: VarId,
}

/// Cells of one array that lie a few elements apart: the body adds to them one after the other, and what they get is
/// one sum in a register.
#[derive(Clone, Debug)]
pub(crate) struct Near {
    /// All elements from the first one of the first cells to the last one of the last.
    pub(crate) cells: VarId,
    /// The sum so far.
    pub(crate) sum: VarId,
    pub(crate) first: VarId,
    /// In the order of where they are.
    pub(crate) others: Vec<Shift>,
}

/// Cells behind the first ones of [`Near`].
#[derive(Clone, Debug)]
pub(crate) struct Shift {
    pub(crate) cells: VarId,
    /// How many elements they lie behind the first ones.
    pub(crate) by: usize,
    /// What they have been given that belongs to the next iterations.
    pub(crate) waiting: VarId,
}
