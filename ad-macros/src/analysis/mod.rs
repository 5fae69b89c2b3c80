//! Facts about the primal, kept beside the IR.
//!
//! | analysis | direction | question |
//! |---|---|---|
//! | [`dependence`] | — | what does code touch, and which parts of it depend on one another? |
//! | [`invariant`] | — | what is the same in every iteration of a loop? |
//! | [`purity`] | — | what may be evaluated again, earlier, later, or where the program does not? |
//! | [`activity`] | both, flow-insensitive | which variables carry a derivative that matters? |
//! | [`lost`] | — | where would code that is kept as it stands lose a derivative? (refused) |
//! | [`plan`] | backward, per block | which immutable values does the reverse sweep recompute, which does it record? |
//! | [`again`] | — | which calls can be repeated, instead of recording what they yield? |
//! | [`ahead`] | — | which overwrites meet no element that was read before? |
//! | [`kept`] | — | which recorded values does an array still hold? |
//! | [`lasting`] | forward, once | which values come from what nothing changes? they can be computed anywhere |
//! | [`shapes`] | forward, once | how many elements has a vector whose length never changes? |
//! | [`overwritten`] | — | which loops overwrite all elements of an array? |
//! | [`outputs`] | — | which calls need not put back what they wrote? what does a reverse sweep read? |
//! | [`parallel`] | — | can the iterations of a marked loop be divided among workers? (else refused) |
//! | [`cost`] | — | how many bytes do these decisions leave for the reverse sweep? |
//! | [`bulk`] | — | which saves can stand in front of a loop, in one copy? |
//! | [`cut`] | — | which values cost less to record than what they are computed from? |
//! | [`coverage`] | — | which gradients does the reverse sweep begin with one contribution to each element? |
//! | [`target`] | — | which machine do decisions assume, and what is worth generating? |
//! | [`tbr`] | forward, flow-sensitive | which overwrites must save the old value? |
//! | [`undone`] | — | which of these follow from the new value instead? |
//!
//! `decide` asks them in turn. None of them changes the IR. `plan` and `tbr` read the adjoint of every single statement
//! as `reverse` has derived it, so that what they call needed is what the reverse sweep reads, by construction.
//! `coverage` looks at the reverse sweep.

pub(crate) mod activity;
pub(crate) mod affine;
pub(crate) mod again;
mod ahead;
pub(crate) mod bulk;
mod cost;
pub(crate) mod coverage;
mod cut;
pub(crate) mod decide;
pub(crate) mod dependence;
mod finding;
mod flow;
pub(crate) mod generators;
pub(crate) mod invariant;
mod kept;
mod lasting;
pub(crate) mod lost;
pub(crate) mod outputs;
mod overwritten;
pub(crate) mod parallel;
pub(crate) mod plan;
pub(crate) mod purity;
pub(crate) mod shapes;
pub(crate) mod target;
mod tbr;
pub(crate) mod undone;
mod words;

use crate::ir::Stmt;

pub(crate) use finding::Finding;

/// Names a statement of the primal IR while it is not moved.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct StmtKey(*const Stmt);

impl StmtKey {
    pub(crate) fn of(stmt: &Stmt) -> Self {
        StmtKey(std::ptr::from_ref(stmt))
    }
}
