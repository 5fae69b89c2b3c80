//! Loops that look for the largest or the smallest of some elements.
//!
//! Each comparison waits for the one before. Side by side, each lane looks through its own elements, and the best of
//! all lanes is the first of them, or the last where elements that are equal count: the runtime does that (`search`).
//! No comparison is with a number that the loop would not have found, NaN and both zeros as they come. What the loop
//! does where it finds one is done once, for the last one, so it must be nothing that could panic for another.

use crate::analysis::purity::{Part, is_movable};
use crate::ir::hash::HashMap;
use crate::ir::is_constant;
use crate::ir::mentions;
use crate::ir::{
    BinOp, Block, Direction, Expr, ExprKind, Func, Loop, Order, Place, Proj, Search, Sliced, Stmt,
    StmtKind, Ty, VarId, effects_of, expr_reads,
};

/// What a loop on slices looks for, if that is all that it does.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "what is not named keeps the pass from applying"
)]
pub(in crate::optimize) fn search(func: &Func, stmt: &Stmt, sliced: &Sliced) -> Option<Search> {
    let plain = matches!(
        stmt.as_loop(),
        Some(Loop {
            sweep: Direction::Forward,
            strip: None,
            ..
        })
    );
    let [names @ .., compare, choose] = sliced.body.stmts.as_slice() else {
        return None;
    };
    let mut elements = Elements::of(sliced);
    if !names.iter().all(|stmt| elements.name(stmt)) {
        return None;
    }
    let (
        StmtKind::Let {
            var: flag,
            init: Some(condition),
        },
        StmtKind::Switch { selector, arms },
    ) = (&compare.kind, &choose.kind)
    else {
        return None;
    };
    let ([taken, other], ExprKind::Binary(op, a, b)) = (arms.as_slice(), &condition.kind) else {
        return None;
    };
    let first = taken.stmts.first()?;
    let StmtKind::Assign {
        place: best, value, ..
    } = &first.kind
    else {
        return None;
    };
    let slice = elements.slice(value)?;
    let ty = &func.var(best.root).ty;
    let sides = [elements.slice(a), elements.slice(b)];
    let (less, equal) = match op {
        BinOp::Lt => (true, false),
        BinOp::Le => (true, true),
        BinOp::Gt => (false, false),
        BinOp::Ge => (false, true),
        _ => return None,
    };
    let less = match sides {
        [Some(found), None] if found == slice && is_var(b, best.root) => less,
        [None, Some(found)] if found == slice && is_var(a, best.root) => !less,
        _ => return None,
    };
    // Nothing else comes to be in `best`, and what the condition says is known only to the condition.
    let once = |stmt: &Stmt| !effects_of([stmt]).writes.contains(&best.root);
    let fits = plain
        && taken.stmts[1..].iter().all(once)
        && !taken.stmts.iter().any(|stmt| mentions(stmt, *flag))
        && other.stmts.is_empty()
        && is_var(selector, *flag)
        && best.is_var()
        && sliced.sums.is_empty()
        && !sliced.is_mirrored()
        && sliced.middle.is_none()
        && sliced.order == Order::Forward
        && matches!(ty, Ty::F32 | Ty::F64)
        && value.ty == *ty;
    (fits && elements.overwrites(taken)).then(|| Search {
        slice,
        best: best.root,
        less,
        equal,
        taken: Block {
            stmts: names.iter().chain(&taken.stmts).cloned().collect(),
        },
    })
}

/// What is known to be the element of a slice that belongs to an iteration.
struct Elements<'a> {
    sliced: &'a Sliced,
    /// Variables that hold one, with the slice.
    names: HashMap<VarId, VarId>,
}

impl<'a> Elements<'a> {
    fn of(sliced: &'a Sliced) -> Self {
        Self {
            sliced,
            names: HashMap::default(),
        }
    }

    /// Notes `let v = slice[lane];`, and says whether it is that.
    fn name(&mut self, stmt: &Stmt) -> bool {
        if let StmtKind::Let {
            var,
            init: Some(init),
        } = &stmt.kind
        {
            match self.slice(init) {
                Some(slice) => self.names.insert(*var, slice).is_none(),
                None => false,
            }
        } else {
            false
        }
    }

    /// The slice of which an expression is the element of this iteration.
    fn slice(&self, e: &Expr) -> Option<VarId> {
        let ExprKind::Read(Place { root, proj, .. }) = &e.kind else {
            return None;
        };
        match proj.as_slice() {
            [] => self.names.get(root).copied(),
            [Proj::Index(index)] => {
                let known = self.sliced.views.iter().any(|(var, _)| var == root);
                (known && is_var(index, self.sliced.lane)).then_some(*root)
            }
            _ => None,
        }
    }

    /// Whether code only assigns variables what does not depend on them, and computes that without a panic, so that
    /// nothing but its last run matters.
    fn overwrites(&self, block: &Block) -> bool {
        let effects = effects_of(&block.stmts);
        block.stmts.iter().all(|stmt| {
            if let StmtKind::Assign { place, value, .. } = &stmt.kind {
                let mut fixed = true;
                expr_reads(value, &mut |p| fixed &= !effects.writes.contains(&p.root));
                fixed && place.is_var() && self.never_panics(value)
            } else {
                false
            }
        })
    }

    /// Whether an expression has a value in each iteration, and does nothing else.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is not named keeps the pass from applying"
    )]
    fn never_panics(&self, e: &Expr) -> bool {
        is_movable(e, &|e| match &e.kind {
            ExprKind::Read(place) if self.slice(e).is_some() || place.is_path() => Part::Known,
            // The counter is less than the end of its range.
            ExprKind::Binary(BinOp::Add, a, b)
                if is_var(a, self.sliced.counter)
                    && b.int_literal() == Some(1)
                    && !self.sliced.range.inclusive =>
            {
                Part::Known
            }
            ExprKind::Lit(_) | ExprKind::Cast(..) | ExprKind::Unary(..) => Part::Asked,
            ExprKind::Binary(_, a, _) if a.ty.is_float() => Part::Asked,
            ExprKind::Opaque(o) if is_constant(o) => Part::Asked,
            _ => Part::Left,
        })
    }
}

fn is_var(e: &Expr, var: VarId) -> bool {
    matches!(&e.kind, ExprKind::Read(p) if p.is_var() && p.root == var)
}
