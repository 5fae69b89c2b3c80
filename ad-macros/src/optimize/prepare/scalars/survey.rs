//! Whether every use of an aggregate names one number of it, or its value as a whole.

use proc_macro2::Span;

use super::Aggregates;
use super::parts::Parts;
use crate::ir::edit::{blocks_mut, each_expr, each_name, each_place};
use crate::ir::hash::HashMap;
use crate::ir::{Block, Expr, ExprKind, Func, Opaque, OpaqueArg, Place, Stmt, StmtKind, VarId};

/// An aggregate that a function declares.
pub(super) struct Found {
    pub(super) var: VarId,
    /// The loop in which it is declared, or else the first one that uses it.
    pub(super) around: Option<Span>,
    /// Why it stays.
    pub(super) kept: Option<&'static str>,
}

pub(super) fn survey(func: &Func, aggregates: &Aggregates, body: &mut Block) -> Vec<Found> {
    let mut survey = Survey {
        func,
        aggregates,
        loops: Vec::new(),
        found: Vec::new(),
        numbers: HashMap::default(),
    };
    survey.block(body);
    survey.found
}

struct Survey<'a> {
    func: &'a Func,
    aggregates: &'a Aggregates,
    /// Those that are open.
    loops: Vec<Span>,
    found: Vec<Found>,
    /// Where in `found` each of them is.
    numbers: HashMap<VarId, usize>,
}

impl Survey<'_> {
    fn block(&mut self, block: &mut Block) {
        for stmt in &mut block.stmts {
            self.stmt(stmt);
            let is_loop = stmt.is_loop();
            if is_loop {
                self.loops.push(stmt.span);
            }
            for inner in blocks_mut(stmt) {
                self.block(inner);
            }
            if is_loop {
                self.loops.pop();
            }
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        let span = stmt.span;
        let (declares, assigns) = (
            matches!(stmt.kind, StmtKind::Let { .. }),
            matches!(stmt.kind, StmtKind::Assign { .. }),
        );
        if let StmtKind::Let { var, init } = &stmt.kind {
            self.given(&Place::var(*var, span), init.as_ref());
        } else if let StmtKind::Assign { place, value, .. } = &stmt.kind {
            self.given(place, Some(value));
        }
        // Nothing else may name a whole one but an expression.
        each_place(stmt, &mut |place| {
            if !assigns {
                self.scalar(place);
            }
            place.each_index(&mut |e| self.expr(e));
        });
        each_name(stmt, &mut |var| {
            if !declares {
                self.scalar(&Place::var(*var, span));
            }
        });
        each_expr(stmt, &mut |e| self.expr(e));
        if let StmtKind::Opaque(opaque) = &stmt.kind {
            self.opaque(opaque);
        }
    }

    /// What a place of an aggregate is given has to show its numbers.
    fn given(&mut self, place: &Place, value: Option<&Expr>) {
        let Some(parts) = self.aggregates.get(&place.root) else {
            return;
        };
        self.note(place.root, None);
        let Some((_, part)) = parts.at(&place.proj) else {
            self.keep(place, INDEXED);
            return;
        };
        let is_shown =
            |value| part.repeated(value).is_some() || part.of_value(self.func, value).is_some();
        if !value.is_none_or(is_shown) {
            self.keep(place, "is the result of something else than its elements");
        }
    }

    fn expr(&mut self, e: &Expr) {
        if let Some(place) = e.place() {
            self.read(e, place);
            place.each_index(&mut |e| self.expr(e));
        } else if let ExprKind::Opaque(opaque) = &e.kind {
            self.opaque(opaque);
        } else {
            e.each_child(&mut |e| self.expr(e));
        }
    }

    fn read(&mut self, e: &Expr, place: &Place) {
        let Some(parts) = self.aggregates.get(&place.root) else {
            return;
        };
        let part = parts.at(&place.proj).map(|(_, part)| part);
        match (&e.kind, part) {
            (_, None) => self.keep(place, INDEXED),
            (ExprKind::Read(_), Some(_)) if e.referenced().is_none() => self.note(place.root, None),
            (ExprKind::Len(_), Some(Parts::Array(_))) => self.note(place.root, None),
            (_, Some(_)) => self.keep(place, BORROWED),
        }
    }

    /// A use that has to be of a number.
    fn scalar(&mut self, place: &Place) {
        let Some(parts) = self.aggregates.get(&place.root) else {
            return;
        };
        match parts.at(&place.proj) {
            Some((_, Parts::Scalar(_))) => self.note(place.root, None),
            Some((_, Parts::Array(_) | Parts::Tuple(_))) => self.keep(place, BORROWED),
            None => self.keep(place, INDEXED),
        }
    }

    fn opaque(&mut self, opaque: &Opaque) {
        for (_, arg) in &opaque.args {
            match arg {
                OpaqueArg::Place(p) | OpaqueArg::Ref(p) | OpaqueArg::RefMut(p) => {
                    self.scalar(p);
                    p.each_index(&mut |e| self.expr(e));
                }
                OpaqueArg::Value(e) => self.expr(e),
            }
        }
    }

    fn keep(&mut self, place: &Place, why: &'static str) {
        self.note(place.root, Some(why));
    }

    fn note(&mut self, var: VarId, why: Option<&'static str>) {
        let at = *self.numbers.entry(var).or_insert(self.found.len());
        if at == self.found.len() {
            self.found.push(Found {
                var,
                around: None,
                kept: None,
            });
        }
        let found = &mut self.found[at];
        found.around = found.around.or(self.loops.last().copied());
        found.kept = found.kept.or(why);
    }
}

/// Which of its elements a place is shows when the function runs.
const INDEXED: &str = "has an index that is no number";

/// Something wants it in memory.
const BORROWED: &str = "is used as a whole";
