//! Index-set splitting: the iterations in the middle of a loop, in which conditions on the counter are known.
//!
//! ```text
//! for i in 0..n: u[(i + n - 1) % n], if i + 1 < n { u[i + 1] }
//! middle, i in 1..n - 1: u[i - 1], u[i + 1]
//! ```
//!
//! Both sides of a comparison are linear in the counter, so that it comes out alike in all iterations if it does in the
//! first of them and in the last. What the middle is, is a guess: the first iterations, and the last, for which a
//! comparison would come out otherwise are left out. That it comes out so in those that are left is seen in front of
//! them. The other iterations run as they stand.

use crate::analysis::affine::{Poly, method};
use crate::analysis::dependence::reach::Iterations;
use crate::ir::edit::{blocks_mut, each_expr, each_place};
use crate::ir::faults::Fault;
use crate::ir::hash::HashMap;
use crate::ir::{
    BinOp, Block, Comparison, Expr, ExprKind, Func, Middle, Order, Place, Proj, Stmt, StmtKind, Ty,
    UnOp, VarId, effects_of,
};

use super::{Head, chosen};

/// A loop is split where a comparison comes out otherwise in no more than so many of its first or last iterations.
const FEW: i128 = 16;

/// Which middle is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// All iterations but a few at the ends, or those that do anything at all.
    Most,
    /// One that may be small.
    Any,
}

/// The body in the middle of the loop, and which iterations that are; `None` if all iterations are alike.
pub(super) fn middle(
    func: &Func,
    head: &Head<'_>,
    iterations: &Iterations<'_>,
    kind: Kind,
) -> Option<(Block, Middle)> {
    if head.reverse && head.order != Order::Forward {
        return None;
    }
    let mut finder = Finder {
        func,
        iterations,
        kind,
        counter: head.counter,
        lo: iterations.poly(&head.range.lo),
        hi: (iterations.poly(&head.range.hi))
            .map(|hi| hi.plus(&Poly::number(1), i128::from(head.range.inclusive))),
        flags: HashMap::default(),
        recorded: HashMap::default(),
        middle: Middle::default(),
        from: Vec::new(),
        below: Vec::new(),
    };
    let alone = only_decides(func, head.body);
    finder.choices(head);
    let mut body = head.body.clone();
    finder.block(&mut body, alone);
    (!finder.middle.holds.is_empty()).then_some((body, finder.middle))
}

/// Whether a body does nothing but what one branch does in one of its arms.
fn only_decides(func: &Func, body: &Block) -> bool {
    let mut branches = 0;
    let plain = body.stmts.iter().all(|stmt| {
        if let StmtKind::Let { var, init: Some(_) } = &stmt.kind {
            return matches!(func.var(*var).ty, Ty::Bool | Ty::Int(_));
        }
        branches += 1;
        matches!(&stmt.kind, StmtKind::Switch { .. })
    });
    plain && branches == 1
}

/// On which side of a boundary the middle lies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// The counter is at least that.
    Above,
    /// It is below.
    Below,
}

struct Finder<'a, 'b> {
    func: &'a Func,
    iterations: &'b Iterations<'a>,
    kind: Kind,
    counter: VarId,
    /// The range of the loop, as far as it is known.
    lo: Option<Poly>,
    hi: Option<Poly>,
    /// What flags of the body stand for.
    flags: HashMap<VarId, Expr>,
    /// What was recorded.
    recorded: HashMap<VarId, Expr>,
    middle: Middle,
    /// The bounds of the middle.
    from: Vec<Poly>,
    below: Vec<Poly>,
}

impl Finder<'_, '_> {
    /// What words that iterations chose, and recorded, are in the middle.
    fn choices(&mut self, head: &Head<'_>) {
        let there = effects_of(&head.body.stmts).reads;
        let is_there = |var: VarId| {
            let range = || head.range.exprs().any(|e| e.reads(var));
            there.contains(&var) || range()
        };
        let Some(choices) = head
            .choices
            .filter(|choices| choices.are_known(head.counter, is_there))
        else {
            return;
        };
        let mut stmts = choices.stmts.clone();
        self.block(&mut stmts, false);
        self.recorded = chosen::known(&stmts);
        self.recorded
            .retain(|_, e| self.iterations.step(e).is_some());
    }

    /// `alone`: whether iterations do nothing where they do not do what one arm of the branch in the block does.
    fn block(&mut self, block: &mut Block, alone: bool) {
        let mut stmts: Vec<Stmt> = Vec::new();
        for mut stmt in std::mem::take(&mut block.stmts) {
            self.indices(&mut stmt);
            each_expr(&mut stmt, &mut |e| self.fold(e));
            if let StmtKind::Let {
                var,
                init: Some(init),
            } = &stmt.kind
                && self.func.var(*var).ty == Ty::Bool
                && !self.func.var(*var).mutable
            {
                self.flags.insert(*var, init.clone());
            }
            if let StmtKind::Switch { selector, arms } = &mut stmt.kind
                && let [taken, other] = arms.as_mut_slice()
            {
                let guard = match [&*taken, &*other].map(|arm| arm.stmts.is_empty()) {
                    [false, true] if alone => Some(true),
                    [true, false] if alone => Some(false),
                    _ => None,
                };
                let selector = selector.clone();
                if let Some(truth) = self.attempt(|finder| finder.decided(&selector, guard)) {
                    let arm = if truth { taken } else { other };
                    let mut arm = std::mem::take(arm);
                    self.block(&mut arm, false);
                    splice(&mut stmts, arm);
                    continue;
                }
            }
            for inner in blocks_mut(&mut stmt) {
                self.block(inner, false);
            }
            stmts.push(stmt);
        }
        block.stmts = stmts;
    }

    /// The indices in the places of the statement itself.
    fn indices(&mut self, stmt: &mut Stmt) {
        if let StmtKind::SetZero(place) = &mut stmt.kind {
            self.place(place);
        }
        each_place(stmt, &mut |place| self.place(place));
    }

    fn place(&mut self, place: &mut Place) {
        for proj in &mut place.proj {
            match proj {
                Proj::Index(e) => self.fold(e),
                Proj::Range { lo, hi, .. } => {
                    lo.iter_mut().chain(hi).for_each(|e| self.fold(e));
                }
                Proj::Deref | Proj::Field(_) | Proj::Payload | Proj::Variant(_) | Proj::Unbox => {}
            }
        }
    }

    /// Puts in place of remainders and the like what they are in the middle.
    fn fold(&mut self, e: &mut Expr) {
        if let ExprKind::Read(place) = &e.kind
            && place.is_var()
            && let Some(recorded) = self.recorded.get(&place.root)
        {
            *e = recorded.clone();
            return;
        }
        if let Some(place) = e.place_mut() {
            self.place(place);
            return;
        }
        e.children_mut().into_iter().for_each(|e| self.fold(e));
        if e.ty == Ty::USIZE
            && let Some(known) = self.attempt(|finder| finder.word(e))
        {
            *e = known;
        }
    }

    /// What a word is in the middle, if it is linear in the counter there.
    fn word(&mut self, e: &Expr) -> Option<Expr> {
        if let ExprKind::Binary(BinOp::Rem, a, b) = &e.kind {
            return self.remainder(a, b);
        }
        if let Some((a, b)) = method(e, "saturating_sub") {
            self.holds(&b, BinOp::Le, &a, false)?;
            return Some(difference(&a, &b));
        }
        for (name, least) in [("min", true), ("max", false)] {
            let Some((a, b)) = method(e, name) else {
                continue;
            };
            let (varies, fixed) = match [&a, &b].map(|e| self.iterations.step(e)) {
                [Some(slope), Some(0)] if slope != 0 => (a, b),
                [Some(0), Some(slope)] if slope != 0 => (b, a),
                _ => return None,
            };
            let [small, large] = if least {
                [&varies, &fixed]
            } else {
                [&fixed, &varies]
            };
            self.holds(small, BinOp::Le, large, false)?;
            return Some(varies);
        }
        None
    }

    /// `a % b`, where `a` is less than `b`, or than twice as much.
    fn remainder(&mut self, a: &Expr, b: &Expr) -> Option<Expr> {
        if self.iterations.step(a)?.abs() != 1 || self.iterations.step(b)? != 0 {
            return None;
        }
        let (of, by) = (self.iterations.poly(a)?, self.iterations.poly(b)?);
        let less = of.clone().minus(&by);
        let wraps = match (by.constant(), of.linear_in(self.counter)) {
            // Of `i + n - k` and `i + k`, the shorter way round.
            (Some(by), Some((_, rest))) => rest.constant().is_some_and(|first| 2 * first > by),
            _ => less.len() < of.len(),
        };
        let reduced = if wraps {
            // A difference below zero is no index, which is seen in front of the loop.
            self.cut(b, BinOp::Le, a, false)?;
            difference(a, b)
        } else {
            a.clone()
        };
        self.holds(&reduced, BinOp::Lt, b, false)?;
        Some(reduced)
    }

    /// What is found; if it is nothing, the middle is as it was.
    fn attempt<T>(&mut self, find: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let before = (self.middle.clone(), self.from.clone(), self.below.clone());
        let found = find(self);
        if found.is_none() {
            (self.middle, self.from, self.below) = before;
        }
        found
    }

    /// How a condition comes out in the middle. `guard`: how it does where iterations do anything at all.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing is known of others")]
    fn decided(&mut self, condition: &Expr, guard: Option<bool>) -> Option<bool> {
        match &condition.kind {
            ExprKind::Read(p) if p.is_var() => {
                let flag = self.flags.get(&p.root)?.clone();
                self.decided(&flag, guard)
            }
            ExprKind::Unary(UnOp::Not, a) => {
                let found = self.decided(a, guard.map(|guard| !guard))?;
                Some(!found)
            }
            ExprKind::Binary(BinOp::And, a, b) => {
                let guard = guard.filter(|guard| *guard);
                Some(self.decided(a, guard)? && self.decided(b, guard)?)
            }
            ExprKind::Binary(BinOp::Or, a, b) => {
                let guard = guard.filter(|guard| !*guard);
                Some(self.decided(a, guard)? || self.decided(b, guard)?)
            }
            ExprKind::Binary(op, a, b) if a.ty == Ty::USIZE && b.ty == Ty::USIZE => {
                self.compared(a, *op, b, guard)
            }
            _ => None,
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "others do not compare")]
    fn compared(&mut self, a: &Expr, op: BinOp, b: &Expr, guard: Option<bool>) -> Option<bool> {
        match op {
            BinOp::Lt | BinOp::Le => self.less(a, op, b, guard),
            BinOp::Gt => self.less(b, BinOp::Lt, a, guard),
            BinOp::Ge => self.less(b, BinOp::Le, a, guard),
            BinOp::Eq => self.differ(a, b).map(|()| false),
            BinOp::Ne => self.differ(a, b).map(|()| true),
            _ => None,
        }
    }

    fn less(&mut self, a: &Expr, op: BinOp, b: &Expr, guard: Option<bool>) -> Option<bool> {
        let (slope, boundary) = self.boundary(a, op, b)?;
        // It holds below the boundary where the left side goes up.
        let holds_on = if slope == 1 { Side::Below } else { Side::Above };
        let side = self.side(&boundary);
        let truth = match (side, guard) {
            (Some(side), _) => side == holds_on,
            (None, guard) => guard?,
        };
        let negated = if op == BinOp::Lt {
            BinOp::Le
        } else {
            BinOp::Lt
        };
        if truth {
            self.holds(a, op, b, true)?;
        } else {
            self.holds(b, negated, a, true)?;
        }
        Some(truth)
    }

    /// Where two words are the same in the first or last iterations alone.
    fn differ(&mut self, a: &Expr, b: &Expr) -> Option<()> {
        let (_, boundary) = self.boundary(a, BinOp::Le, b)?;
        let (_, other) = self.boundary(a, BinOp::Lt, b)?;
        // Equal from the lower boundary on, up to the other.
        let ends = [&boundary, &other];
        let [a, b] = match ends.map(|end| self.side(end)) {
            [Some(Side::Above), Some(Side::Above)] => self.ordered(a, b, Side::Above)?,
            [Some(Side::Below), Some(Side::Below)] => self.ordered(a, b, Side::Below)?,
            _ => return None,
        };
        self.holds(&a, BinOp::Lt, &b, true)
    }

    /// The smaller one first, on a side of where they are the same.
    fn ordered(&self, a: &Expr, b: &Expr, side: Side) -> Option<[Expr; 2]> {
        let slope = self.iterations.step(a)? - self.iterations.step(b)?;
        let rises = slope > 0;
        Some(if rises == (side == Side::Below) {
            [a.clone(), b.clone()]
        } else {
            [b.clone(), a.clone()]
        })
    }

    /// On which side of it most iterations are: it is near the first, or near the last.
    fn side(&self, boundary: &Poly) -> Option<Side> {
        let apart = |a: &Poly, b: &Poly| a.clone().minus(b).constant();
        let near = |distance: Option<i128>| distance.filter(|distance| *distance <= FEW);
        let front = near(self.lo.as_ref().and_then(|lo| apart(boundary, lo)));
        let behind = near(self.hi.as_ref().and_then(|hi| apart(hi, boundary)));
        match (front, behind) {
            (Some(front), Some(behind)) if front > behind => Some(Side::Below),
            (Some(_), _) => Some(Side::Above),
            (None, Some(_)) => Some(Side::Below),
            (None, None) => None,
        }
    }

    /// By how much the left side goes up beside the right one, one or minus one, and the first counter, in this order,
    /// for which `a < b` (`a <= b`) comes out otherwise.
    fn boundary(&self, a: &Expr, op: BinOp, b: &Expr) -> Option<(i128, Poly)> {
        let slope = self.iterations.step(a)? - self.iterations.step(b)?;
        if slope.abs() != 1 {
            return None;
        }
        let apart = (self.iterations.poly(a)?).minus(&self.iterations.poly(b)?);
        let (_, rest) = apart.linear_in(self.counter)?;
        let equal = Poly::default().plus(&rest, -slope);
        // `a - b` is zero at `equal`.
        let behind = match (slope, op) {
            (1, BinOp::Le) | (-1, BinOp::Lt) => 1,
            _ => 0,
        };
        Some((slope, equal.plus(&Poly::number(1), behind)))
    }

    /// Takes down that it holds in the middle, which is cut to where it does. `large`: whether that is known to be
    /// large.
    fn holds(&mut self, a: &Expr, op: BinOp, b: &Expr, large: bool) -> Option<()> {
        self.cut(a, op, b, large)?;
        let equal = op == BinOp::Le;
        let alike = |known: &Comparison| {
            let [x, y] = &known.sides;
            known.equal == equal && self.iterations.alike(x, a) && self.iterations.alike(y, b)
        };
        if !self.middle.holds.iter().any(alike) {
            let sides = [a.clone(), b.clone()];
            self.middle.holds.push(Comparison { sides, equal });
        }
        Some(())
    }

    /// Cuts the middle to where it holds.
    fn cut(&mut self, a: &Expr, op: BinOp, b: &Expr, large: bool) -> Option<()> {
        let (slope, boundary) = self.boundary(a, op, b)?;
        let kept = if slope == 1 { Side::Below } else { Side::Above };
        match self.side(&boundary) {
            Some(side) if side != kept => return None,
            None if !large && self.kind == Kind::Most => return None,
            Some(_) | None => {}
        }
        let known = if slope == 1 {
            &mut self.below
        } else {
            &mut self.from
        };
        if known.contains(&boundary) || slope == 1 && Fault::MiddleUnchecked.is_on() {
            return Some(());
        }
        let expression = |poly: &Poly| self.iterations.expression(poly, a.span);
        let [plus, minus] = boundary.signed();
        let bound = [expression(&plus)?, expression(&minus)?];
        known.push(boundary);
        if slope == 1 {
            self.middle.to.push(bound);
        } else {
            self.middle.from.push(bound);
        }
        Some(())
    }
}

/// `a - b`
fn difference(a: &Expr, b: &Expr) -> Expr {
    let kind = ExprKind::Binary(BinOp::Sub, Box::new(a.clone()), Box::new(b.clone()));
    Expr::new(kind, Ty::USIZE, a.span)
}

/// The statements of an arm behind others. What it assigns first to a variable that those declare is declared there.
fn splice(stmts: &mut Vec<Stmt>, arm: Block) {
    for mut stmt in arm.stmts {
        if let StmtKind::Assign {
            place,
            value,
            init: true,
        } = &stmt.kind
            && place.is_var()
        {
            let declares = |stmt: &Stmt| matches!(&stmt.kind, StmtKind::Let { var, init: None } if *var == place.root);
            if let Some(at) = stmts.iter().position(declares) {
                stmts.remove(at);
                let (var, init) = (place.root, Some(value.clone()));
                stmt.kind = StmtKind::Let { var, init };
            }
        }
        stmts.push(stmt);
    }
}
