//! What a loop computes from iteration to iteration, and what that is computed from.

use std::collections::BTreeSet;

use crate::analysis::purity::cheap_to_recompute;
use crate::analysis::target::worth::REPLAYED;
use crate::ir::faults::Fault;
use crate::ir::hash::HashMap;
use crate::ir::{
    Block, Expr, ExprKind, Func, Stmt, StmtKind, VarId, VarSet, each_write, effects_of, expr_reads,
    name,
};

/// What a loop runs again.
pub(super) struct Recurrences<'a> {
    func: &'a Func,
    counter: VarId,
    forward: &'a [Stmt],
    /// How many statements of the body write a variable.
    written: HashMap<VarId, usize>,
    declared: VarSet,
    /// The statements of the body that run again, by their position.
    pub(super) again: BTreeSet<usize>,
    /// What goes from iteration to iteration.
    pub(super) carried: BTreeSet<VarId>,
    /// What the loop does not write.
    pub(super) fixed: BTreeSet<VarId>,
    operations: usize,
}

impl<'a> Recurrences<'a> {
    pub(super) fn new(func: &'a Func, counter: VarId, forward: &'a [Stmt]) -> Self {
        let mut written = HashMap::default();
        let body = Block {
            stmts: forward.to_vec(),
        };
        each_write(&body, &mut |var, _| *written.entry(var).or_default() += 1);
        Recurrences {
            func,
            counter,
            forward,
            written,
            declared: effects_of(forward).declares,
            again: BTreeSet::new(),
            carried: BTreeSet::new(),
            fixed: BTreeSet::new(),
            operations: 0,
        }
    }

    /// Has the variable computed again, with all that it is computed from.
    pub(super) fn include(&mut self, var: VarId) -> Result<(), String> {
        if var == self.counter || self.carried.contains(&var) || self.fixed.contains(&var) {
            return Ok(());
        }
        if !self.func.var(var).ty.is_scalar() {
            return Err(format!("`{}` is not a number", name(self.func, var)));
        }
        if self.declared.contains(&var) {
            let declares = |stmt: &Stmt| stmt.definition(self.func).is_some_and(|(v, _)| v == var);
            let Some(at) = self.forward.iter().position(declares) else {
                return Err(format!("`{}` is recorded", name(self.func, var)));
            };
            return self.statement(at, var);
        }
        let writes = self.written.get(&var).copied().unwrap_or_default();
        let is_operand = !self.again.is_empty();
        if writes == 0 || is_operand && Fault::ReplayedOperandChanged.is_on() {
            self.fixed.insert(var);
            return Ok(());
        }
        let updates = |stmt: &Stmt| update_of(stmt) == Some(var);
        let at = self.forward.iter().position(updates);
        let Some(at) = at.filter(|_| writes == 1 || Fault::ReplayedTwice.is_on()) else {
            return Err(format!(
                "`{}` is written under a condition, or more than once in an iteration",
                name(self.func, var)
            ));
        };
        self.carried.insert(var);
        self.statement(at, var)
    }

    /// Has statement `at`, which gives `var` its value, run again.
    fn statement(&mut self, at: usize, var: VarId) -> Result<(), String> {
        if !self.again.insert(at) {
            return Ok(());
        }
        let (StmtKind::Let {
            init: Some(value), ..
        }
        | StmtKind::Assign { value, .. }
        | StmtKind::Update { value, .. }) = &self.forward[at].kind
        else {
            return Err(format!("`{}` is recorded", name(self.func, var)));
        };
        let mut reads = BTreeSet::new();
        let mut numbers = is_of_scalars(value);
        expr_reads(value, &mut |p| {
            numbers &= p.is_var();
            reads.insert(p.root);
        });
        self.operations += 1 + operations(value);
        if !numbers || self.operations > REPLAYED {
            return Err(format!(
                "`{}` is more than a little arithmetic on scalars",
                name(self.func, var)
            ));
        }
        reads.into_iter().try_for_each(|read| self.include(read))
    }
}

/// The variable that the statement gives another value.
pub(super) fn update_of(stmt: &Stmt) -> Option<VarId> {
    let (StmtKind::Assign {
        place, init: false, ..
    }
    | StmtKind::Update { place, .. }) = &stmt.kind
    else {
        return None;
    };
    place.is_var().then_some(place.root)
}

/// Whether the expression is made of scalars by operators, and repeats for little. No pass over adjoints may take it
/// for one of theirs, so what they share or rearrange, roots and other functions, is left out.
fn is_of_scalars(e: &Expr) -> bool {
    let here = matches!(
        e.kind,
        ExprKind::Lit(_)
            | ExprKind::Read(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Cast(..)
            | ExprKind::Opaque(_)
    );
    let repeats = here && e.ty.is_scalar() && cheap_to_recompute(e);
    repeats && e.children().into_iter().all(is_of_scalars)
}

fn operations(e: &Expr) -> usize {
    let children = e.children();
    let here = usize::from(!matches!(e.kind, ExprKind::Lit(_) | ExprKind::Read(_)));
    here + children.into_iter().map(operations).sum::<usize>()
}
