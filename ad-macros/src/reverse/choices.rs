//! Which operand a running maximum or minimum takes.
//!
//! ```text
//! let taken = !(m >= v || v != v);
//! m = m.max(v);
//! ```
//!
//! The derivative of `max` belongs to one of its operands, by the rules `max_lhs` and `max_rhs`. Where the operand that
//! a loop brings along is the variable itself, the adjoint is that of `m = v` if `v` was taken, and nothing if not. So
//! the reverse sweep asks for a flag, not for both operands, and the loop is a search (`last_write`). The value is
//! computed as written: which of two zeros `max` returns is left to the target.
//!
//! Being wrong would give the derivative to the other operand: the condition is that of the rules, ties and numbers
//! that are none included, and `adjoint` compares it with the statement that it stands in front of.

use crate::analysis::activity::Activity;
use crate::ir::edit::blocks_mut;
use crate::ir::faults::Fault;
use crate::ir::{
    BinOp, Block, Expr, ExprKind, Func, MathFn, Place, Stmt, StmtKind, Ty, UnOp, VarSet, binary,
    effects_of, place_ty, same, same_place,
};

use super::adjoints::Adjoints;

/// Declares, in front of each running maximum or minimum of a loop, whether it takes the other operand. Says whether
/// there are any.
pub(crate) fn name(func: &mut Func, activity: &Activity) -> bool {
    let mut body = std::mem::take(&mut func.body);
    let mut names = Names {
        func,
        activity,
        found: false,
    };
    names.block(&mut body, None);
    let found = names.found;
    func.body = body;
    found
}

struct Names<'a> {
    func: &'a mut Func,
    activity: &'a Activity,
    found: bool,
}

impl Names<'_> {
    /// `own` is what the innermost loop around declares.
    fn block(&mut self, block: &mut Block, own: Option<&VarSet>) {
        let mut out = Vec::with_capacity(block.stmts.len());
        for mut stmt in std::mem::take(&mut block.stmts) {
            let declared =
                matches!(stmt.kind, StmtKind::Loop(_)).then(|| effects_of([&stmt]).declares);
            for inner in blocks_mut(&mut stmt) {
                self.block(inner, declared.as_ref().or(own));
            }
            if let Some(own) = own
                && self.is_carried(&stmt, own)
            {
                self.named(&mut stmt, &mut out);
            }
            out.push(stmt);
        }
        block.stmts = out;
    }

    fn is_carried(&self, stmt: &Stmt, own: &VarSet) -> bool {
        running(stmt).is_some_and(|Running { place, other, .. }| {
            let ty = place_ty(self.func, place);
            matches!(ty, Ty::F32 | Ty::F64 | Ty::Float)
                && other.ty == ty
                && !own.contains(&place.root)
                && self.activity.is_active(place.region())
                && self.activity.expr_active(other)
        })
    }

    fn named(&mut self, stmt: &mut Stmt, out: &mut Vec<Stmt>) {
        let span = stmt.span;
        let declare = |var, init| {
            let init = Some(init);
            Stmt::new(StmtKind::Let { var, init }, span)
        };
        if let StmtKind::Assign { place, value, .. } = &mut stmt.kind
            && let ExprKind::Math(_, args) = &mut value.kind
        {
            let own = |e: &Expr| matches!(&e.kind, ExprKind::Read(p) if same_place(p, place));
            let other = args.iter_mut().find(|e| !own(e));
            // A place is read again, a value is not computed again.
            let again = |e: &Expr| matches!(e.kind, ExprKind::Read(_)) && same(e, e);
            if let Some(other) = other.filter(|e| !again(e)) {
                let var = self.func.temp("value", other.ty.clone(), span);
                let read = Expr::read_var(var, other.ty.clone(), span);
                out.push(declare(var, std::mem::replace(other, read)));
            }
        }
        if let Some(running) = running(stmt) {
            let flag = self.func.temp("taken", Ty::Bool, span);
            out.push(declare(flag, running.takes_other()));
            self.found = true;
        }
    }
}

/// `m = m.max(v)`, `m = v.max(m)`, and the same with `min`.
struct Running<'a> {
    place: &'a Place,
    function: MathFn,
    first: &'a Expr,
    second: &'a Expr,
    other: &'a Expr,
    /// Whether the variable itself is the first operand.
    is_first: bool,
}

fn running(stmt: &Stmt) -> Option<Running<'_>> {
    let StmtKind::Assign {
        place,
        value,
        init: false,
    } = &stmt.kind
    else {
        return None;
    };
    let ExprKind::Math(function @ (MathFn::Max | MathFn::Min), args) = &value.kind else {
        return None;
    };
    let [first, second] = args.as_slice() else {
        return None;
    };
    let own = |e: &Expr| matches!(&e.kind, ExprKind::Read(p) if same_place(p, place));
    let is_first = own(first);
    let other = if is_first { second } else { first };
    let fits = place.is_region() && (is_first || own(second)) && !other.reads(place.root);
    fits.then_some(Running {
        place,
        function: *function,
        first,
        second,
        other,
        is_first,
    })
}

impl Running<'_> {
    /// Whether the derivative is that of the other operand.
    fn takes_other(&self) -> Expr {
        let compare = |op, a: &Expr, b: &Expr| Expr {
            ty: Ty::Bool,
            ..binary(op, a.clone(), b.clone())
        };
        let (a, b) = (self.first, self.second);
        let at_least = if self.function == MathFn::Max {
            BinOp::Ge
        } else {
            BinOp::Le
        };
        let mut first = compare(at_least, a, b);
        if !Fault::NoNumberTaken.is_on() {
            first = binary(BinOp::Or, first, compare(BinOp::Ne, b, b));
        }
        if self.is_first {
            let (ty, span) = (Ty::Bool, first.span);
            Expr::new(ExprKind::Unary(UnOp::Not, Box::new(first)), ty, span)
        } else {
            first
        }
    }
}

/// The adjoint of a running maximum or minimum, behind the statement that says what it takes.
pub(super) fn adjoint(
    adjoints: &mut Adjoints<'_>,
    before: &Stmt,
    stmt: &Stmt,
) -> Option<Vec<Stmt>> {
    let (flag, condition) = before.definition(adjoints.func)?;
    let Running { place, other, .. } =
        running(stmt).filter(|r| same(&r.takes_other(), condition))?;
    let taken = Stmt::new(
        StmtKind::Assign {
            place: place.clone(),
            value: other.clone(),
            init: false,
        },
        stmt.span,
    );
    let arms = [adjoints.of_stmt(&taken), Vec::new()];
    let kind = StmtKind::Switch {
        selector: Expr::read_var(flag, Ty::Bool, stmt.span),
        arms: arms.map(|stmts| Block { stmts }).into(),
    };
    Some(vec![Stmt::new(kind, stmt.span)])
}
