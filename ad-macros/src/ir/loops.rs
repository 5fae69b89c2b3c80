//! Loops: one statement for those of the primal and those of both sweeps.

use super::versions::OfStrip;
use super::{Block, Expr, Operands, Plan, RangeIter, Site, Sliced, Stmt, StmtKind, VarId};

/// Names a loop or labelled block for jumps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct LoopId(pub(crate) u32);

impl LoopId {
    /// Of loops that the compiler makes: nothing jumps to them.
    pub(crate) const MADE: LoopId = LoopId(u32::MAX);
}

/// A loop.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    pub(crate) id: LoopId,
    pub(crate) sweep: Direction,
    pub(crate) domain: Domain,
    /// In which order the values of the domain are taken.
    pub(crate) order: Order,
    /// After each iteration the loop ends if this variable is true.
    pub(crate) exit: Option<VarId>,
    /// What each iteration leaves on the tape, or takes off it, where room for all iterations is reserved at once.
    pub(crate) strip: Option<Strip>,
    pub(crate) body: Block,
    /// How it is going to run.
    pub(crate) plan: Option<Plan>,
}

/// Which sweep a loop is of. The primal is what the forward sweep begins as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Direction {
    Forward,
    Reverse,
}

/// What a loop runs over.
#[derive(Clone, Debug)]
pub(crate) enum Domain {
    /// `for var in range`: the bounds are literals or immutable variables.
    Range { var: VarId, range: RangeIter },
    /// The first `trips` values of the range: what is left of it where the loop was left early.
    Prefix {
        var: VarId,
        range: RangeIter,
        trips: VarId,
    },
    /// The iterations of one strip, whose records the loop leaves there or takes.
    Strip { var: VarId, of: OfStrip },
    /// As many times as the variable says.
    Times(VarId),
    /// `while cond`
    While(Expr),
    /// `loop`
    Forever,
}

/// The order in which a loop takes the values of its domain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// From the last one to the first.
    Backward,
    /// As written. In the reverse sweep legal where iterations only add into adjoints that none of them reads.
    Forward,
    /// As written, in the reverse sweep, and in no other: each iteration computes scalars from those of the one before.
    Chained,
}

/// A record for each iteration of a loop over `lo..hi`. A forward loop leaves the values of `vars` at the end of each
/// iteration, and nothing else, on the tape; the reverse loop of the same site declares them at the start of each
/// iteration.
#[derive(Clone, Debug)]
pub(crate) struct Strip {
    pub(crate) site: Site,
    pub(crate) vars: Vec<VarId>,
}

impl Domain {
    /// The counter, if the loop has one.
    pub(crate) fn counter(&self) -> Option<VarId> {
        match self {
            Domain::Range { var, .. } | Domain::Prefix { var, .. } | Domain::Strip { var, .. } => {
                Some(*var)
            }
            Domain::Times(_) | Domain::While(_) | Domain::Forever => None,
        }
    }

    /// The expressions of the domain.
    pub(crate) fn exprs(&self) -> Operands<&Expr> {
        match self {
            Domain::Range { range, .. } | Domain::Prefix { range, .. } => range.exprs().collect(),
            Domain::While(cond) => vec![cond],
            Domain::Strip { of, .. } => of.index.iter().map(|by| &by.first).collect(),
            Domain::Times(_) | Domain::Forever => Operands::new(),
        }
    }

    /// The variable that says how many iterations there are.
    pub(crate) fn trips(&self) -> Option<VarId> {
        match self {
            Domain::Prefix { trips, .. } | Domain::Times(trips) => Some(*trips),
            Domain::Range { .. } | Domain::Strip { .. } | Domain::While(_) | Domain::Forever => {
                None
            }
        }
    }
}

impl Loop {
    /// A loop of the primal, or of the forward sweep.
    pub(crate) fn forward(id: LoopId, domain: Domain, body: Block, exit: Option<VarId>) -> Self {
        Loop {
            id,
            sweep: Direction::Forward,
            domain,
            order: Order::Forward,
            exit,
            strip: None,
            body,
            plan: None,
        }
    }

    /// A loop of the reverse sweep.
    pub(crate) fn reverse(domain: Domain, body: Block, order: Order) -> Self {
        Loop {
            id: LoopId::MADE,
            sweep: Direction::Reverse,
            domain,
            order,
            exit: None,
            strip: None,
            body,
            plan: None,
        }
    }

    pub(crate) fn is_reverse(&self) -> bool {
        self.sweep == Direction::Reverse
    }

    /// Whether its records lie in strips that no loop runs over yet.
    pub(crate) fn is_in_strips(&self) -> bool {
        self.strip.is_some() && matches!(self.domain, Domain::Range { .. })
    }
}

/// How a loop runs that is fused, where its iterations leave records.
pub(crate) const RECORDS_OF_ONE: &str =
    "the gradient runs each iteration forward and in reverse at once, and its records last as long";

/// Why a loop is not among [counting loops](Stmt::counting), for reports.
pub(crate) const NO_RANGE: &str = "the loop is no `for` over a range that runs to its end";

/// A loop over a range that runs to its end.
#[derive(Clone, Copy)]
pub(crate) struct CountingLoop<'a> {
    pub(crate) counter: VarId,
    pub(crate) range: &'a RangeIter,
    pub(crate) body: &'a Block,
    /// Forward in the forward sweep.
    pub(crate) order: Order,
    pub(crate) reverse: bool,
    /// What each iteration leaves on the tape, or takes off it, if there is room for all of them.
    pub(crate) strip: Option<&'a [VarId]>,
}

impl Stmt {
    /// The loop, if it is one.
    pub(crate) fn as_loop(&self) -> Option<&Loop> {
        if let StmtKind::Loop(this) = &self.kind {
            Some(this)
        } else {
            None
        }
    }

    /// The counter, the range and the body of a loop over a range, which may be left early.
    pub(crate) fn over_range(&self) -> Option<(VarId, &RangeIter, &Block)> {
        let this = self.as_loop()?;
        if let Domain::Range { var, range } = &this.domain {
            Some((*var, range, &this.body))
        } else {
            None
        }
    }

    /// Whether it is a loop of either sweep.
    pub(crate) fn is_loop(&self) -> bool {
        matches!(self.kind, StmtKind::Loop(_) | StmtKind::Parallel(_))
    }

    /// Whether it is a loop, or has one inside.
    pub(crate) fn holds_loop(&self) -> bool {
        let mut inner = self.kind.blocks().into_iter().flat_map(|b| &b.stmts);
        self.is_loop() || inner.any(Stmt::holds_loop)
    }

    /// Plans how it is going to run, as it is a loop.
    pub(crate) fn plan(&mut self, plan: Plan) {
        let StmtKind::Loop(this) = &mut self.kind else {
            unreachable!("plans are for loops");
        };
        debug_assert!(this.plan.is_none(), "a loop runs in one form");
        this.plan = Some(plan);
    }

    /// What is planned for it, if it is an innermost loop that is going to run on slices.
    pub(crate) fn on_windows(&self) -> Option<&Sliced> {
        if let Some(Plan::Windows(sliced)) = &self.as_loop()?.plan {
            Some(sliced)
        } else {
            None
        }
    }

    /// `None` if it is no loop, or one whose iterations are counted on the tape or that can be left early.
    pub(crate) fn counting(&self) -> Option<CountingLoop<'_>> {
        let this = self.as_loop().filter(|this| this.exit.is_none())?;
        match &this.domain {
            Domain::Range { var, range } => Some(CountingLoop {
                counter: *var,
                range,
                body: &this.body,
                order: this.order,
                reverse: this.is_reverse(),
                strip: this.strip.as_ref().map(|strip| strip.vars.as_slice()),
            }),
            Domain::Prefix { .. }
            | Domain::Strip { .. }
            | Domain::Times(_)
            | Domain::While(_)
            | Domain::Forever => None,
        }
    }
}
