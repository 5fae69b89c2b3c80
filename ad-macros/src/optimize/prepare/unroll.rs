//! Short loops are written out, so that what their counter and items stand for is known to the analyses.
//!
//! A loop is unrolled if it runs over
//!
//! - an array literal of at most `UNROLLED_ITEMS` scalars, or tuples of scalars, that nothing else uses; the items
//!   become immutable variables of their own, evaluated in order where the array was; or
//! - a range with literal bounds of at most [`UNROLLED_TRIPS`] numbers, if an index depends on its counter: otherwise
//!   nothing would be learnt.
//!
//! Inner loops come first, and no loop is written out to more than [`UNROLLED_STATEMENTS`] statements, so the code
//! grows by a bounded factor. Left alone: loops that can be left early; parallel loops, and loops with a region or
//! parallel loop in them, which are the user's units; and loops that call the math library with numbers that would
//! become known (`x.powi(k)`, `2.0 * k` in a sine): rustc may then put a number of its own in the call's place, whose
//! last bit can differ from the primal's. Values and panics stay the same, and their order.
//!
//! Behind it, immutable integers with a number in the text, such as counters and items, are that number in indices.

use proc_macro2::Span;

use super::constants;
use super::copies::Names;
use super::literal_arrays::{array, over_items};
use crate::analysis::target::growth::{UNROLLED_STATEMENTS, UNROLLED_TRIPS};
use crate::ir::edit::{blocks_mut, each_place_within, each_stmt};
use crate::ir::hash::HashSet;
use crate::ir::{
    Block, Domain, Expr, ExprKind, Func, Loop, RangeIter, Remarks, Stmt, StmtKind, Transform, Ty,
    UnOp, VarId, effects_of, expr_reads, place_index_reads, stmt_exprs, sweep_stmts, visit_stmts,
};

/// Writes out what qualifies in the whole function.
pub(super) fn unroll(func: &mut Func) {
    let mut body = std::mem::take(&mut func.body);
    block(func, &mut body);
    constants::propagate(func, &mut body);
    func.body = body;
}

/// Says why loops over short ranges that the text shows are left.
pub(super) fn explain(func: &Func, remarks: &mut Remarks) {
    visit_stmts(&func.body, &mut |stmt| {
        if let Some(why) = obstacle(func, stmt) {
            remarks.refused(stmt.span, Transform::Unroll, why);
        }
    });
}

/// Why a loop over a short list or range that the text shows is not written out; `None` for other loops.
fn obstacle(func: &Func, stmt: &Stmt) -> Option<String> {
    let StmtKind::Loop(Loop {
        domain: Domain::Range { var, range },
        body,
        ..
    }) = &stmt.kind
    else {
        return None;
    };
    let bounds = [&range.lo, &range.hi].map(|e| number(func, &Vec::new(), e));
    let [Some(lo), Some(hi)] = bounds else {
        return None;
    };
    let trips = hi
        .saturating_add(i128::from(range.inclusive))
        .saturating_sub(lo);
    let slot = std::slice::from_ref(stmt);
    if trips > UNROLLED_TRIPS {
        Some(format!("it runs more than {UNROLLED_TRIPS} times"))
    } else if trips < 1 {
        Some("it never runs".to_owned())
    } else if candidate(func, slot).is_none() {
        Some("it can be left early, has a step, or is divided or checkpointed".to_owned())
    } else {
        check(func, *var, body, usize::try_from(trips).ok()?).err()
    }
}

/// Whether a loop over a range is worth being written out, and may be: or why not.
fn check(func: &Func, counter: VarId, body: &Block, trips: usize) -> Result<(), String> {
    if !fits(body, trips) {
        return Err(format!(
            "it would be more than {UNROLLED_STATEMENTS} statements"
        ));
    }
    if !indexes_with(func, counter, body) {
        return Err("no index depends on its counter".to_owned());
    }
    if knows_arguments(func, body, &[counter]) {
        return Err(
            "calls into the math library would have arguments that are known when the function is \
            compiled"
                .to_owned(),
        );
    }
    Ok(())
}

/// What the statements of a block become. A statement that is none any more leaves an empty list.
pub(in crate::optimize) type Slots = Vec<Vec<Stmt>>;

fn block(func: &mut Func, b: &mut Block) {
    for stmt in &mut b.stmts {
        for inner in blocks_mut(stmt) {
            block(func, inner);
        }
    }
    let mut slots: Slots = std::mem::take(&mut b.stmts)
        .into_iter()
        .map(|stmt| vec![stmt])
        .collect();
    for at in 0..slots.len() {
        let Some((counter, range, body)) = candidate(func, &slots[at]) else {
            continue;
        };
        let (counter, range, body) = (counter, range.clone(), body.clone());
        if let Some(values) = literal_trips(func, &slots, &range)
            && check(func, counter, &body, values.len()).is_ok()
        {
            slots[at] = over_range(func, counter, &range, &values, &body);
        } else if let Some(array) = array(func, &slots, counter, &range, &body)
            && fits(&body, array.items.len())
            && !knows_arguments(func, &body, &array.known(counter))
        {
            over_items(func, &mut slots, at, counter, &range, &body, &array);
        }
    }
    b.stmts = slots.into_iter().flatten().collect();
}

/// The loop, if it is one that may be copied.
fn candidate<'a>(func: &Func, slot: &'a [Stmt]) -> Option<(VarId, &'a RangeIter, &'a Block)> {
    let [
        Stmt {
            kind:
                StmtKind::Loop(Loop {
                    id,
                    domain: Domain::Range { var, range },
                    body,
                    exit: None,
                    ..
                }),
            ..
        },
    ] = slot
    else {
        return None;
    };
    let declared = effects_of(&body.stmts).declares;
    let mut plain = !func.parallel.contains(id) && range.step.is_none() && !range.rev_first;
    visit_stmts(body, &mut |stmt| {
        plain &= match &stmt.kind {
            StmtKind::Checkpoint(_) => false,
            StmtKind::Loop(Loop { id, .. }) => !func.parallel.contains(id),
            StmtKind::Assign {
                place, init: true, ..
            } => declared.contains(&place.root),
            StmtKind::Let { .. }
            | StmtKind::Assign { init: false, .. }
            | StmtKind::Update { .. }
            | StmtKind::Swap(..)
            | StmtKind::Switch { .. }
            | StmtKind::Call { .. }
            | StmtKind::Push { .. }
            | StmtKind::Pop { .. }
            | StmtKind::Truncate { .. }
            | StmtKind::Fill { .. }
            | StmtKind::CopyFrom { .. }
            | StmtKind::Opaque(_) => true,
            // Gone, or of sweeps.
            StmtKind::Jump(_) | StmtKind::Labelled(..) | sweep_stmts!() => false,
        };
    });
    plain.then_some((*var, range, body))
}

fn fits(body: &Block, trips: usize) -> bool {
    let mut statements = 0;
    visit_stmts(body, &mut |_| statements += 1);
    trips > 0 && statements * trips <= UNROLLED_STATEMENTS
}

/// The numbers of the range in the order of the loop.
fn literal_trips(func: &Func, slots: &Slots, range: &RangeIter) -> Option<Vec<i128>> {
    let lo = number(func, slots, &range.lo)?;
    let hi = number(func, slots, &range.hi)?.checked_add(i128::from(range.inclusive))?;
    let trips = hi.checked_sub(lo)?;
    if !(1..=UNROLLED_TRIPS).contains(&trips) {
        return None;
    }
    let mut values: Vec<i128> = (lo..hi).collect();
    if range.rev {
        values.reverse();
    }
    Some(values)
}

/// The value of a literal, also behind a minus or an immutable variable of the block.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "of other expressions nothing is known"
)]
fn number(func: &Func, slots: &Slots, e: &Expr) -> Option<i128> {
    match &e.kind {
        ExprKind::Lit(lit) => lit.int(),
        ExprKind::Unary(UnOp::Neg, a) => number(func, slots, a)?.checked_neg(),
        ExprKind::Read(p) if p.is_var() && !func.var(p.root).mutable => {
            let held = definition(slots, p.root)?.1;
            matches!(held.kind, ExprKind::Lit(_) | ExprKind::Unary(UnOp::Neg, _))
                .then(|| number(func, slots, held))?
        }
        _ => None,
    }
}

/// Where the block declares a variable, and with what.
pub(in crate::optimize) fn definition(slots: &Slots, var: VarId) -> Option<(usize, &Expr)> {
    slots
        .iter()
        .enumerate()
        .find_map(|(at, slot)| match &slot[..] {
            [
                Stmt {
                    kind:
                        StmtKind::Let {
                            var: v,
                            init: Some(e),
                        },
                    ..
                },
            ] if *v == var => Some((at, e)),
            _ => None,
        })
}

/// Whether an index of the body depends on the counter, by itself or through an integer variable.
fn indexes_with(func: &Func, counter: VarId, body: &Block) -> bool {
    if !matches!(func.var(counter).ty, Ty::Int(Some(_))) {
        return false;
    }
    let mut found = false;
    each_stmt(&mut body.clone(), &mut |stmt| {
        let integer = matches!(&stmt.kind, StmtKind::Let { var, .. }
            if matches!(func.var(*var).ty, Ty::Int(_)));
        for e in stmt_exprs(stmt) {
            expr_reads(e, &mut |p| found |= integer && p.root == counter);
        }
        each_place_within(stmt, &mut |place| {
            place_index_reads(place, &mut |p| found |= p.root == counter);
        });
    });
    found
}

/// Whether an argument of the math library would be known if `vars` were, and is not now.
fn knows_arguments(func: &Func, body: &Block, vars: &[VarId]) -> bool {
    let mut known: HashSet<VarId> = vars.iter().copied().collect();
    let mut found = false;
    visit_stmts(body, &mut |stmt| {
        for e in stmt_exprs(stmt) {
            found |= calls_with(e, &known);
        }
        if let StmtKind::Let {
            var: own,
            init: Some(e),
        } = &stmt.kind
            && depends_only(e, &known)
            && !func.var(*own).mutable
        {
            known.insert(*own);
        }
    });
    found
}

fn calls_with(e: &Expr, known: &HashSet<VarId>) -> bool {
    let here = if let ExprKind::Math(f, args) = &e.kind
        && f.is_expensive()
    {
        args.iter().any(|a| depends_only(a, known))
    } else {
        false
    };
    here || e.children().into_iter().any(|a| calls_with(a, known))
}

/// Whether the expression reads something, and nothing but `known` variables.
fn depends_only(e: &Expr, known: &HashSet<VarId>) -> bool {
    let (mut some, mut only) = (false, true);
    expr_reads(e, &mut |p| {
        some = true;
        only &= known.contains(&p.root);
    });
    some && only
}

fn over_range(
    func: &mut Func,
    counter: VarId,
    range: &RangeIter,
    values: &[i128],
    body: &Block,
) -> Vec<Stmt> {
    let mut out = Vec::new();
    for (copy, value) in values.iter().enumerate() {
        let mut names = Names::new(func, body, copy > 0);
        let own = names.declare(func, counter, copy > 0);
        out.push(constant(func, own, *value, range.lo.span));
        names.copy(body, &mut out);
    }
    out
}

/// `let var = value;`
pub(in crate::optimize) fn constant(func: &Func, var: VarId, value: i128, span: Span) -> Stmt {
    let init = Expr::integer(value, &func.var(var).ty, span);
    Stmt::new(
        StmtKind::Let {
            var,
            init: Some(init),
        },
        span,
    )
}
