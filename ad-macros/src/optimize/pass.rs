//! What a pass is: what it is called, what must hold before it, what holds after it, and what it does.

use crate::ir::{Expr, ExprKind, Loop, Rule, Stmt, StmtKind, Sweeps, Transform, stmt_exprs};

use super::Cx;

/// A pass over the sweeps.
pub(in crate::optimize) struct Pass {
    /// In dumps (`RETROGRADE_DUMP=f:after-<name>`) and messages.
    pub(in crate::optimize) name: &'static str,
    /// What switches it off; its parts may have switches of their own.
    pub(in crate::optimize) transform: Option<Transform>,
    pub(in crate::optimize) requires: &'static [Property],
    pub(in crate::optimize) establishes: &'static [Property],
    pub(in crate::optimize) invalidates: &'static [Property],
    pub(in crate::optimize) run: Run,
}

/// How a pass goes about it.
pub(in crate::optimize) enum Run {
    /// It looks at all of the sweeps, which it cannot change, and then does what it has planned.
    Planned(fn(&Sweeps, &mut Cx<'_>) -> Rewrite),
    /// It rewrites each loop or expression that it finds before it looks at the next, which may have the first one
    /// inside.
    InTurn(fn(&mut Sweeps, &mut Cx<'_>)),
}

/// A plan: what is to be done.
pub(in crate::optimize) type Rewrite = Box<dyn FnOnce(&mut Sweeps)>;

/// What holds for the sweeps at some point of the schedule.
///
/// The first six are checked on the sweeps (`is_seen`). The others record that a pass has run, or was switched off: no
/// later pass may count on more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::optimize) enum Property {
    /// No loop is going to run in another form: none is jammed, runs on slices, or on rows of the tape.
    Loops,
    /// No loop is going to run on slices.
    NoSlices,
    /// No loop has two versions: what passes have planned can still be changed.
    OneVersion,
    /// No loop has a plan, nor strips that no loop runs over: sweeps can be printed.
    Made,
    /// There is no list of both sweeps: what is done to the reverse sweep is done everywhere.
    OneReverse,
    /// Adjoints are sums of products: there is no `mul_add` in them.
    SumsOfProducts,
    /// Loops that can have strips on the tape do.
    Strips,
    /// Reverse loops that may run forwards do.
    Orders,
    /// The list of both sweeps is there where it is worth it: callers who ask for the gradient run it.
    BothSweeps,
    /// Loops whose iterations can share the loop inside do.
    Jams,
    /// Innermost loops that can run on slices do.
    Slices,
}

/// What holds for sweeps as they are derived.
pub(in crate::optimize) const DERIVED: &[Property] = &[
    Property::Loops,
    Property::NoSlices,
    Property::OneVersion,
    Property::OneReverse,
    Property::SumsOfProducts,
];

/// What holds between passes.
pub(in crate::optimize) struct Properties {
    held: Vec<Property>,
}

impl Properties {
    /// Of sweeps as they are derived.
    pub(in crate::optimize) fn derived() -> Self {
        Properties {
            held: DERIVED.to_vec(),
        }
    }

    /// `Err` if something is missing that the pass requires.
    pub(in crate::optimize) fn admit(&self, pass: &Pass) -> Result<(), String> {
        let missing = pass.requires.iter().find(|one| !self.held.contains(one));
        missing.map_or(Ok(()), |one| {
            Err(format!("`{}` comes where {one:?} does not hold", pass.name))
        })
    }

    /// The pass has run, or was switched off: what it did not make then, no later pass may count on.
    pub(in crate::optimize) fn behind(&mut self, pass: &Pass) {
        self.held.retain(|one| !pass.invalidates.contains(one));
        self.held.extend(pass.establishes);
    }

    /// Whether what can be seen in the sweeps is so.
    pub(in crate::optimize) fn check(&self, sweeps: &Sweeps) -> Result<(), String> {
        let broken = self.held.iter().find(|one| !one.is_seen(sweeps));
        broken.map_or(Ok(()), |one| Err(format!("{one:?} does not hold any more")))
    }
}

impl Property {
    /// `false` if the sweeps show that it does not hold.
    fn is_seen(self, sweeps: &Sweeps) -> bool {
        match self {
            Property::Loops => !any(sweeps, &is_planned),
            Property::NoSlices => !any(sweeps, &|stmt| stmt.on_windows().is_some()),
            Property::Made => !any(sweeps, &|stmt| {
                is_planned(stmt) || stmt.as_loop().is_some_and(Loop::is_in_strips)
            }),
            Property::OneVersion => {
                !any(sweeps, &|stmt| matches!(stmt.kind, StmtKind::Versioned(_)))
            }
            Property::OneReverse => sweeps.joint.is_none(),
            Property::SumsOfProducts => !any(sweeps, &|stmt| {
                stmt_exprs(stmt).into_iter().any(has_mul_add)
            }),
            Property::Strips
            | Property::Orders
            | Property::BothSweeps
            | Property::Jams
            | Property::Slices => true,
        }
    }
}

fn is_planned(stmt: &Stmt) -> bool {
    stmt.as_loop().is_some_and(|this| this.plan.is_some())
}

fn any(sweeps: &Sweeps, found: &dyn Fn(&Stmt) -> bool) -> bool {
    fn within(stmts: &[Stmt], found: &dyn Fn(&Stmt) -> bool) -> bool {
        stmts.iter().any(|stmt| {
            let mut blocks = stmt.kind.blocks().into_iter();
            found(stmt) || blocks.any(|block| within(&block.stmts, found))
        })
    }
    sweeps.lists().any(|list| within(list, found))
}

fn has_mul_add(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Rule(Rule::MulAdd, _)) || e.children().into_iter().any(has_mul_add)
}
