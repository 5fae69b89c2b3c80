//! Indices in the first iteration and in the last: an index in between lies between them.

use crate::ir::versions::Function;
use crate::ir::{BinOp, Expr, ExprKind, Sliced, Stmt, Ty, VarId};

use super::{Iterations, Maker};

/// An iteration of a loop.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    First,
    Last,
}

impl End {
    pub(super) const BOTH: [End; 2] = [End::First, End::Last];
}

/// The variables that stand for the counter of a loop, and for the integers that it declares, in the first iteration
/// and in the last.
pub(super) struct Ends {
    /// Whether each sum is looked at ([`Function::Checked`]).
    number: Function,
    vars: Vec<(VarId, [VarId; 2])>,
}

impl Ends {
    /// Of no loop: what an index is computed from is the same in all iterations.
    pub(super) fn none() -> Self {
        Ends {
            number: Function::Checked,
            vars: Vec::new(),
        }
    }

    fn of(&self, var: VarId, end: End) -> Option<VarId> {
        let found = self.vars.iter().find(|(other, _)| *other == var);
        found.map(|(_, ends)| ends[end as usize])
    }
}

impl Maker<'_> {
    /// Declares the integers that indices use, in both iterations.
    pub(super) fn ends(
        &mut self,
        sliced: &Sliced,
        iterations: &Iterations,
        number: Function,
        stmts: &mut Vec<Stmt>,
    ) -> Ends {
        let vars = Vec::new();
        let mut ends = Ends { number, vars };
        let [first, last] = self.end_vars(sliced.counter);
        let one = self.count(1);
        let behind = self.binary(BinOp::Sub, self.read(iterations.n), one, Ty::USIZE);
        let [start, behind] = [self.read(iterations.start), behind]
            .map(|e| self.function(number, vec![e], Ty::Index));
        stmts.push(self.declare(first, start));
        let value = self.binary(BinOp::Add, self.read(first), behind, Ty::Index);
        stmts.push(self.declare(last, value));
        ends.vars.push((sliced.counter, [first, last]));
        for (var, held) in &sliced.ints {
            let both = self.end_vars(*var);
            for end in End::BOTH {
                let value = self.at(held, &ends, end);
                stmts.push(self.declare(both[end as usize], value));
            }
            ends.vars.push((*var, both));
        }
        ends
    }

    fn end_vars(&mut self, var: VarId) -> [VarId; 2] {
        let name = self.func.var(var).name.to_string();
        let name = name.trim_start_matches("r#");
        ["first", "last"].map(|end| {
            let name = format!("__{name}_{end}");
            self.func.temp(&name, Ty::Index, self.span)
        })
    }

    /// An index in one of the iterations.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is no sum or product is a number of its own"
    )]
    pub(super) fn at(&self, e: &Expr, ends: &Ends, end: End) -> Expr {
        match &e.kind {
            ExprKind::Read(p) if let Some(var) = ends.of(p.root, end) => self.read(var),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.at(a, ends, end), self.at(b, ends, end));
                self.binary(*op, a, b, Ty::Index)
            }
            _ => self.function(ends.number, vec![e.clone()], Ty::Index),
        }
    }
}
