//! Products taken apart into what changes from row to row and what changes from column to column.

use crate::analysis::target::growth::DEFERRED_FACTOR;
use crate::ir::hash::{HashMap, HashSet};
use crate::ir::{BinOp, Expr, ExprKind, Func, Jam, Term, UnOp, VarId, VarSet, effects_of};

const NO_PRODUCT: &str = "what is added to it is no product of a row and a column";

/// What the body of the inner loop reads, by what it changes with.
pub(in crate::optimize) struct Factors<'a> {
    /// Names that the inner loop gives to values.
    names: HashMap<VarId, &'a Expr>,
    by_row: HashSet<VarId>,
    by_column: HashSet<VarId>,
    /// What changes with both, and what is declared and cannot be moved.
    by_both: VarSet,
    kept: HashSet<VarId>,
}

impl<'a> Factors<'a> {
    pub(in crate::optimize) fn of(func: &Func, jam: &'a Jam) -> Self {
        let mut names = HashMap::default();
        let mut by_both = effects_of(&jam.before.body.stmts).declares;
        by_both.extend(effects_of(&jam.inside.body.stmts).declares);
        by_both.extend(jam.begin.iter().map(|(var, _)| *var));
        for stmt in &jam.inside.body.stmts {
            if let Some((var, value)) = stmt.definition(func) {
                names.insert(var, value);
            }
        }
        let roots = |slices: &'a [(VarId, crate::ir::View)]| slices.iter().map(|(var, _)| *var);
        by_both.extend(roots(&jam.shared_edits));
        by_both.extend(roots(&jam.rows).chain(roots(&jam.row_edits)));
        let kept: HashSet<VarId> = jam.lanes.kept.iter().map(|(var, _)| *var).collect();
        let along = jam.edits.iter().flatten().map(|(var, _)| *var);
        let by_row = kept.iter().copied().chain(roots(&jam.views)).chain(along);
        let by_row: HashSet<VarId> = by_row.chain([jam.lanes.lane, jam.lanes.counter]).collect();
        let by_column = roots(&jam.shared).chain([jam.column, jam.inner_counter]);
        by_both.retain(|var| !by_row.contains(&var));
        Self {
            by_column: by_column.collect(),
            names,
            by_row,
            by_both,
            kept,
        }
    }

    /// The factors of rows and those of columns of what is added or subtracted. They are multiplied in the order of the
    /// text, as partial products of another order could overflow.
    pub(in crate::optimize) fn split(&self, value: &Expr, op: BinOp) -> Result<Term, String> {
        let (mut value, mut room) = (value.clone(), DEFERRED_FACTOR);
        self.name(&mut value, &mut room)?;
        let mut minus = op == BinOp::Sub;
        while let ExprKind::Unary(UnOp::Neg, inner) = value.kind {
            (value, minus) = (*inner, !minus);
        }
        let ExprKind::Binary(BinOp::Mul, a, b) = value.kind else {
            return Err(NO_PRODUCT.to_owned());
        };
        let (mut of_row, of_column) = match (self.changes(&a), self.changes(&b)) {
            ((true, true), _) | (_, (true, true)) => {
                return Err("a factor changes with the row and with the column".to_owned());
            }
            ((_, false), (false, true)) => (*a, *b),
            ((false, true), (_, false)) => (*b, *a),
            _ => return Err(NO_PRODUCT.to_owned()),
        };
        if minus {
            let (ty, span) = (of_row.ty.clone(), of_row.span);
            of_row = Expr::new(ExprKind::Unary(UnOp::Neg, Box::new(of_row)), ty, span);
        }
        let mut takes = Vec::new();
        crate::ir::expr_reads(&of_row, &mut |p| {
            if self.kept.contains(&p.root) && !takes.contains(&p.root) {
                takes.push(p.root);
            }
        });
        Ok(Term {
            takes,
            of_row,
            of_column,
        })
    }

    /// Puts what they stand for in the place of names, unless that makes the value long.
    fn name(&self, e: &mut Expr, room: &mut usize) -> Result<(), String> {
        *room = room.checked_sub(1).ok_or("its factors are long")?;
        if let ExprKind::Read(place) = &e.kind
            && place.is_var()
            && let Some(value) = self.names.get(&place.root)
        {
            *e = (*value).clone();
            return self.name(e, room);
        }
        let children = e.children_mut();
        children.into_iter().try_for_each(|e| self.name(e, room))
    }

    /// Whether a factor changes with the row, and whether with the column.
    fn changes(&self, factor: &Expr) -> (bool, bool) {
        let (mut rows, mut columns, mut both) = (false, false, false);
        crate::ir::expr_reads(factor, &mut |p| {
            rows |= self.by_row.contains(&p.root);
            columns |= self.by_column.contains(&p.root);
            both |= self.by_both.contains(&p.root);
        });
        (rows || both, columns || both)
    }
}
