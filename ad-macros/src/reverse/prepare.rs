//! Brings the primal into the shape that the reverse transformation expects.
//!
//! * The selector of every branch is an immutable variable (or a literal), so that the reverse sweep can ask
//!   which arm ran after its operands have changed.
//! * What an operand or index reads of something that its own statement overwrites is copied first.

use crate::ir::hash::HashSet;
use crate::ir::{
    Arg, ArgMode, Block, Expr, ExprKind, Func, Loop, Place, Proj, Stmt, StmtKind, VarId,
    expr_reads, is_quotient_of, sweep_stmts,
};

/// Prepares the whole function.
pub(crate) fn prepare(func: &mut Func) {
    let mut body = std::mem::take(&mut func.body);
    block(func, &mut body);
    func.body = body;
}

fn block(func: &mut Func, b: &mut Block) {
    let mut out = Vec::with_capacity(b.stmts.len());
    for mut stmt in std::mem::take(&mut b.stmts) {
        match &mut stmt.kind {
            StmtKind::Switch { selector, arms } => {
                arms.iter_mut().for_each(|arm| block(func, arm));
                name(func, selector, "c", &mut out);
            }
            StmtKind::Loop(Loop { body, .. }) | StmtKind::Checkpoint(body) => block(func, body),
            StmtKind::Call { args, .. } => {
                let in_out = in_out_roots(args);
                for arg in args.iter_mut() {
                    match &mut arg.mode {
                        // References are made where they are given: none can be recorded.
                        ArgMode::Value(e) if e.ty.holds_reference() && !is_variable(e) => {}
                        // The variable brings what rustc infers for it to the adjoint.
                        ArgMode::Value(e) if e.ty.has_float_inside() => {
                            name(func, e, "arg", &mut out);
                        }
                        ArgMode::Value(e) => name_if(func, e, &in_out, "arg", &mut out),
                        ArgMode::Shared(p) | ArgMode::InOut(p) => {
                            freeze(func, p, &in_out, &mut out)
                        }
                    }
                }
            }
            StmtKind::Swap(a, b) => {
                let written = HashSet::from_iter([a.root, b.root]);
                freeze(func, a, &written, &mut out);
                freeze(func, b, &written, &mut out);
            }
            StmtKind::Push { vec: place, value }
            | StmtKind::Truncate {
                vec: place,
                len: value,
            }
            | StmtKind::Fill {
                slice: place,
                value,
            } => {
                let written = HashSet::from_iter([place.root]);
                freeze(func, place, &written, &mut out);
                name_if(func, value, &written, "value", &mut out);
            }
            StmtKind::Pop { vec, .. } => {
                let written = HashSet::from_iter([vec.root]);
                freeze(func, vec, &written, &mut out);
            }
            StmtKind::CopyFrom { dst, src } => {
                let written = HashSet::from_iter([dst.root]);
                freeze(func, dst, &written, &mut out);
                freeze(func, src, &written, &mut out);
            }
            StmtKind::Assign { place, value, .. } => {
                let written = HashSet::from_iter([place.root]);
                freeze(func, place, &written, &mut out);
                if divides_in_place(value, place) {
                    name(func, value, "quotient", &mut out);
                }
            }
            StmtKind::Update { place, .. } => {
                let written = HashSet::from_iter([place.root]);
                freeze(func, place, &written, &mut out);
            }
            StmtKind::Let { .. }
            | StmtKind::Opaque(_)
            | StmtKind::Jump(_)
            | StmtKind::Labelled(..)
            | sweep_stmts!() => {}
        }
        out.push(stmt);
    }
    b.stmts = out;
}

/// Whether an element is divided in place, `a[i] /= d`. The adjoint of the divisor takes the quotient, which the
/// element holds then, so that what it held before need not be saved.
fn divides_in_place(value: &Expr, place: &Place) -> bool {
    let element = place.proj.iter().any(|proj| proj.as_index().is_some());
    element && value.ty.is_float() && is_quotient_of(value, place)
}

fn in_out_roots(args: &[Arg]) -> HashSet<VarId> {
    args.iter()
        .filter_map(|a| match &a.mode {
            ArgMode::InOut(p) => Some(p.root),
            ArgMode::Value(_) | ArgMode::Shared(_) => None,
        })
        .collect()
}

/// Names the indices and bounds of a place that read something the statement writes: the reverse sweep meets
/// the place in the state after the statement as well.
fn freeze(func: &mut Func, place: &mut Place, written: &HashSet<VarId>, out: &mut Vec<Stmt>) {
    for proj in &mut place.proj {
        match proj {
            Proj::Index(e) => name_if(func, e, written, "at", out),
            Proj::Range { lo, hi, .. } => {
                lo.iter_mut()
                    .chain(hi)
                    .for_each(|e| name_if(func, e, written, "at", out));
            }
            Proj::Deref | Proj::Field(_) | Proj::Payload | Proj::Variant(_) | Proj::Unbox => {}
        }
    }
}

fn name_if(
    func: &mut Func,
    e: &mut Expr,
    written: &HashSet<VarId>,
    base: &str,
    out: &mut Vec<Stmt>,
) {
    let mut found = false;
    expr_reads(e, &mut |p| found |= written.contains(&p.root));
    if found {
        name(func, e, base, out);
    }
}

/// Replaces `e` by an immutable variable that holds its value.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "other expressions get a name"
)]
fn name(func: &mut Func, e: &mut Expr, base: &str, out: &mut Vec<Stmt>) {
    let named = match &e.kind {
        ExprKind::Lit(_) => true,
        ExprKind::Read(p) => p.is_var() && !func.var(p.root).mutable,
        _ => false,
    };
    if named {
        return;
    }
    let var = func.temp(base, e.ty.clone(), e.span);
    let read = Expr::read_var(var, e.ty.clone(), e.span);
    let init = std::mem::replace(e, read);
    let span = init.span;
    out.push(Stmt::new(
        StmtKind::Let {
            var,
            init: Some(init),
        },
        span,
    ));
}

fn is_variable(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Read(place) if place.is_var())
}
