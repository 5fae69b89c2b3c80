//! Loops that push as often in each iteration: how often in all, and where the elements of an iteration stand.

use proc_macro2::Span;
use syn::{Ident, parse_quote};

use crate::analysis::affine::{Definitions, Poly};
use crate::ir::edit::{blocks_mut, each_len, each_stmt};
use crate::ir::faults::Fault;
use crate::ir::hash::HashMap;
use crate::ir::{
    BinOp, Block, Expr, ExprKind, Func, Loop, Opaque, OpaqueArg, OpaqueKind, Place, Proj,
    RangeIter, Stmt, StmtKind, Touch, Ty, UNWRAPPED, VarId, effects_of, expr_touches, mentions,
    visit_touches,
};

use super::{element, pushed};

/// A nest of loops that run to their ends, the innermost of which pushes as often in each iteration.
pub(super) struct Filled {
    list: VarId,
    /// Elements that the list begins with.
    first: usize,
    /// From the outside in.
    loops: Vec<Counted>,
    /// How often an iteration of the innermost loop pushes.
    each: usize,
}

/// A loop over words.
#[derive(Clone)]
struct Counted {
    counter: VarId,
    range: RangeIter,
}

impl Filled {
    /// How the loop fills the list, or why it is not known to.
    pub(super) fn by(
        func: &Func,
        definitions: &Definitions,
        this: &Stmt,
        list: VarId,
        first: usize,
    ) -> Result<Self, String> {
        let mut filled = Filled {
            list,
            first,
            loops: Vec::new(),
            each: 0,
        };
        let declared = effects_of([this]).declares;
        let mut at = this;
        loop {
            let body = filled.enter(func, at)?;
            let mut inside = body.stmts.iter().filter(|stmt| mentions(stmt, list));
            let inner = inside.clone().find(|stmt| stmt.is_loop());
            let Some(inner) = inner.filter(|_| !pushes(body, list)) else {
                filled.check(func, definitions, body)?;
                return Ok(filled);
            };
            if inside.any(|stmt| !std::ptr::eq(stmt, inner)) {
                return Err(filled.elsewhere(func));
            }
            let range = inner.over_range().map(|(_, range, _)| range);
            let inner_to = |var| {
                declared.contains(&var) || filled.loops.iter().any(|this| this.counter == var)
            };
            let fixed = |e: &Expr| {
                e.int_literal().is_some()
                    || e.place().is_some_and(|p| p.is_var() && !inner_to(p.root))
            };
            if !range.is_some_and(|range| fixed(&range.lo) && fixed(&range.hi)) {
                return Err("the range of a loop inside is not the same in all iterations".into());
            }
            at = inner;
        }
    }

    /// Takes note of a loop, and yields its body.
    fn enter<'s>(&mut self, func: &Func, this: &'s Stmt) -> Result<&'s Block, String> {
        let whole = || "the loop is no `for` over a range that runs to its end".to_owned();
        let counting = this.counting().ok_or_else(whole)?;
        let parallel = |this: &Loop| func.parallel.contains(&this.id);
        if this.as_loop().is_some_and(parallel) {
            return Err("the loop is parallel".to_owned());
        }
        let range = counting.range;
        let words = func.var(counting.counter).ty == Ty::USIZE;
        if !words || range.step.is_some() || range.rev_first {
            return Err("its counter does not go through all words of a range".to_owned());
        }
        self.loops.push(Counted {
            counter: counting.counter,
            range: range.clone(),
        });
        Ok(counting.body)
    }

    fn elsewhere(&self, func: &Func) -> String {
        let name = &func.var(self.list).name;
        format!("`{name}` is used in the loop where it may not have that element, or as a whole")
    }

    /// Whether each run of the innermost body pushes as often, and touches the list in no other way than by its length
    /// and by elements that are there.
    fn check(
        &mut self,
        func: &Func,
        definitions: &Definitions,
        body: &Block,
    ) -> Result<(), String> {
        self.each = body
            .stmts
            .iter()
            .filter(|stmt| pushed(stmt, self.list).is_some())
            .count();
        if self.each == 0 {
            return Err("it pushes under a condition, or not at all".to_owned());
        }
        let mut lengths = Lengths {
            filled: self,
            definitions,
            pushed: 0,
            named: HashMap::default(),
        };
        for stmt in &body.stmts {
            if !lengths.allow(stmt) && !Fault::PreallocatedIsRead.is_on() {
                return Err(self.elsewhere(func));
            }
            lengths.pass(stmt);
        }
        Ok(())
    }

    /// How many elements the list has where an iteration has pushed some of its own.
    fn length(&self, pushed: usize, span: Span) -> Expr {
        let mut at: Option<Expr> = None;
        for this in &self.loops {
            let own = this.number(span);
            at = Some(match at {
                None => own,
                Some(at) => sum(product(at, this.trips(span)), own),
            });
        }
        let number = |n| Expr::usize_literal(n, span);
        let before = at.map_or_else(|| number(0), |at| product(at, number(self.each)));
        sum(before, number(self.first + pushed))
    }

    /// How many elements the list has behind the loops.
    pub(super) fn total(&self, span: Span) -> Expr {
        let mut all: Option<Expr> = None;
        for this in &self.loops {
            let own = this.trips_before(self.loops.len() > 1, span);
            all = Some(match all {
                None => own,
                Some(all) => product(all, own),
            });
        }
        let number = |n| Expr::usize_literal(n, span);
        let pushed = all.map_or_else(|| number(0), |all| product(all, number(self.each)));
        sum(pushed, number(self.first))
    }

    /// Whether the statement panics where the list is empty, and does nothing else.
    fn asks_whether_empty(&self, stmt: &Stmt) -> bool {
        let StmtKind::Opaque(o) = &stmt.kind else {
            return false;
        };
        let compared = |e: &Expr| {
            matches!(&e.kind, ExprKind::Binary(BinOp::Eq, a, b)
                if self.is_length(a) && b.is_zero_literal())
        };
        let of_list = o
            .args
            .first()
            .is_some_and(|(_, arg)| matches!(arg, OpaqueArg::Value(e) if compared(e)));
        of_list && matches!(o.kind, OpaqueKind::Other(UNWRAPPED))
    }

    fn is_length(&self, e: &Expr) -> bool {
        matches!(&e.kind, ExprKind::Len(of) if of.is_var() && of.root == self.list)
    }

    /// The loop with stores instead of pushes; `None` if code that is kept as written asks for the length.
    pub(super) fn stored(&self, this: &Stmt) -> Option<Stmt> {
        let mut stored = this.clone();
        self.store(&mut stored);
        let mut asks = false;
        visit_touches(&stored, &mut |place, touch| {
            asks |= place.root == self.list && touch == Touch::Length;
        });
        (!asks).then_some(stored)
    }

    fn store(&self, this: &mut Stmt) {
        let StmtKind::Loop(Loop { body, .. }) = &mut this.kind else {
            return;
        };
        if !pushes(body, self.list) {
            body.stmts.iter_mut().for_each(|inner| self.store(inner));
            return;
        }
        body.stmts
            .retain(|stmt| self.first == 0 || !self.asks_whether_empty(stmt));
        let mut count = 0;
        for stmt in &mut body.stmts {
            let span = stmt.span;
            let length = self.length(count, span);
            let mut replace = |stmt: &mut Stmt| {
                each_len(stmt, &mut |e| {
                    if self.is_length(e) {
                        *e = length.clone();
                    }
                });
            };
            replace(stmt);
            for inner in blocks_mut(stmt) {
                each_stmt(inner, &mut replace);
            }
            if let Some(value) = pushed(stmt, self.list) {
                let value = value.clone();
                stmt.kind = StmtKind::Assign {
                    place: element(self.list, length, span),
                    value,
                    init: false,
                };
                count += 1;
            }
        }
    }
}

/// What is known of the list while an iteration runs.
struct Lengths<'a> {
    filled: &'a Filled,
    definitions: &'a Definitions<'a>,
    /// How often the iteration has pushed.
    pushed: usize,
    /// Variables of the body itself, with how often the iteration had pushed when they were declared.
    named: HashMap<VarId, usize>,
}

impl Lengths<'_> {
    /// Whether the statement uses nothing of the list but its length, and elements that it has by then.
    fn allow(&self, stmt: &Stmt) -> bool {
        let mut there = true;
        let mut look = |place: &Place, touch: Touch| {
            there &= place.root != self.filled.list || self.is_there(place, touch);
        };
        match pushed(stmt, self.filled.list) {
            Some(value) => expr_touches(value, &mut look),
            None => visit_touches(stmt, &mut look),
        }
        there
    }

    /// Goes on behind a statement.
    fn pass(&mut self, stmt: &Stmt) {
        if let StmtKind::Let { var, .. } = &stmt.kind {
            self.named.insert(*var, self.pushed);
        }
        self.pushed += usize::from(pushed(stmt, self.filled.list).is_some());
    }

    fn is_there(&self, place: &Place, touch: Touch) -> bool {
        if touch == Touch::Length {
            return place.is_var();
        }
        let Some(Proj::Index(index)) = place.proj.first() else {
            return false;
        };
        let behind = || {
            let length = self.length(self.pushed)?;
            length.minus(&self.poly(index, self.pushed)?).constant()
        };
        // An index below zero wraps around, and is behind any list.
        touch == Touch::Read && behind().is_some_and(|n| n > 0)
    }

    fn length(&self, pushed: usize) -> Option<Poly> {
        let length = self.filled.length(pushed, Span::mixed_site());
        self.definitions.poly(&length)
    }

    /// An expression that was evaluated when the iteration had pushed so often.
    fn poly(&self, e: &Expr, pushed: usize) -> Option<Poly> {
        self.definitions.poly_where(e, &|e| {
            if self.filled.is_length(e) {
                return self.length(pushed);
            }
            let var = e.place().filter(|p| p.is_var())?.root;
            self.poly(self.definitions.held(var)?, *self.named.get(&var)?)
        })
    }
}

/// Whether a statement of the block itself pushes to the list.
fn pushes(body: &Block, list: VarId) -> bool {
    body.stmts.iter().any(|stmt| pushed(stmt, list).is_some())
}

impl Counted {
    /// The number of the iteration, from zero.
    fn number(&self, span: Span) -> Expr {
        let counter = Expr::read_var(self.counter, Ty::USIZE, span);
        let RangeIter { lo, hi, .. } = &self.range;
        match (self.range.rev, self.range.inclusive) {
            (false, _) => difference(counter, lo.clone()),
            (true, true) => difference(hi.clone(), counter),
            (true, false) => {
                let last = difference(hi.clone(), Expr::usize_literal(1, span));
                difference(last, counter)
            }
        }
    }

    /// The number of iterations, in one of them.
    fn trips(&self, span: Span) -> Expr {
        difference(self.end(span), self.range.lo.clone())
    }

    /// The number of iterations, in front of the loop; in a nest, which may not come to the loop, without any panic.
    fn trips_before(&self, nested: bool, span: Span) -> Expr {
        let RangeIter { lo, hi, .. } = &self.range;
        let end = match nested && self.range.inclusive && hi.int_literal().is_none() {
            true => saturating("saturating_add", hi.clone(), Expr::usize_literal(1, span)),
            false => self.end(span),
        };
        if lo.is_zero_literal() {
            return end;
        }
        if let (Some(end), Some(lo)) = (end.int_literal(), lo.int_literal()) {
            let trips = usize::try_from(end.saturating_sub(lo)).unwrap_or(usize::MAX);
            return Expr::usize_literal(trips, span);
        }
        saturating("saturating_sub", end, lo.clone())
    }

    /// The word behind the last one.
    fn end(&self, span: Span) -> Expr {
        let hi = self.range.hi.clone();
        match self.range.inclusive {
            true => sum(hi, Expr::usize_literal(1, span)),
            false => hi,
        }
    }
}

/// A method of words that cannot panic.
fn saturating(method: &str, a: Expr, b: Expr) -> Expr {
    let name = |name: &str| Ident::new(name, Span::mixed_site());
    let (first, second, method) = (name("__first"), name("__second"), name(method));
    let span = a.span;
    let opaque = Opaque {
        code: parse_quote!(#first.#method(#second)),
        args: vec![(first, OpaqueArg::Value(a)), (second, OpaqueArg::Value(b))],
        kind: OpaqueKind::Method(method),
    };
    Expr::new(ExprKind::Opaque(Box::new(opaque)), Ty::USIZE, span)
}

fn word(op: BinOp, a: Expr, b: Expr) -> Expr {
    let span = a.span;
    Expr::new(
        ExprKind::Binary(op, Box::new(a), Box::new(b)),
        Ty::USIZE,
        span,
    )
}

fn product(a: Expr, b: Expr) -> Expr {
    match b.int_literal() {
        Some(1) => a,
        _ => word(BinOp::Mul, a, b),
    }
}

fn sum(a: Expr, b: Expr) -> Expr {
    if let (Some(m), Some(n)) = (a.int_literal(), b.int_literal())
        && let Ok(n) = usize::try_from(m.saturating_add(n))
    {
        return Expr::usize_literal(n, a.span);
    }
    match b.is_zero_literal() {
        true => a,
        false => word(BinOp::Add, a, b),
    }
}

fn difference(a: Expr, b: Expr) -> Expr {
    match b.is_zero_literal() {
        true => a,
        false => word(BinOp::Sub, a, b),
    }
}
