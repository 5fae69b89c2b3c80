//! Loops over array literals: each item becomes a variable.

use proc_macro2::Span;

use super::copies::{Names, fresh, item_of};
use super::unroll::{Slots, constant, definition};
use crate::analysis::target::growth::UNROLLED_ITEMS;
use crate::ir::edit::{each_place_within, each_stmt};
use crate::ir::hash::HashMap;
use crate::ir::{
    Block, Expr, ExprKind, Func, RangeIter, Stmt, StmtKind, Ty, UnOp, VarId, VarInfo, VarKind,
};

/// An array literal that one loop runs over.
pub(in crate::optimize) struct Array {
    var: VarId,
    /// Where it is declared.
    at: usize,
    pub(in crate::optimize) items: Vec<Expr>,
    /// Whether the items are tuples, of which the loop takes parts.
    tuples: bool,
    /// Whether the counter is used otherwise than to get at the item.
    counted: bool,
}

impl Array {
    /// What the copies of the body know.
    pub(in crate::optimize) fn known(&self, counter: VarId) -> Vec<VarId> {
        let mut known = Vec::new();
        if self.items.iter().all(is_known) {
            known.push(self.var);
        }
        if self.counted || !known.is_empty() {
            known.push(counter);
        }
        known
    }
}

/// Whether a number, or a tuple of numbers, stands in the text.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "of other expressions nothing is known"
)]
fn is_known(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Lit(_) => true,
        ExprKind::Unary(UnOp::Neg, a) => is_known(a),
        ExprKind::Tuple(parts) => parts.iter().all(is_known),
        _ => false,
    }
}

pub(in crate::optimize) fn array(
    func: &Func,
    slots: &Slots,
    counter: VarId,
    range: &RangeIter,
    body: &Block,
) -> Option<Array> {
    let ExprKind::Read(len) = &range.hi.kind else {
        return None;
    };
    let from_zero = range.lo.is_zero_literal();
    let (_, length) = definition(slots, len.root)?;
    let ExprKind::Len(whole) = &length.kind else {
        return None;
    };
    let var = whole.root;
    if !from_zero || range.inclusive || !len.is_var() || !whole.is_var() {
        return None;
    }
    let (at, init) = definition(slots, var)?;
    let ExprKind::Array(items) = &init.kind else {
        return None;
    };
    if func.var(var).mutable || func.result == Some(var) || items.len() > UNROLLED_ITEMS {
        return None;
    }
    let tuples = items.iter().all(|e| parts(e).is_some());
    if !tuples && !items.iter().all(|e| is_number(&e.ty)) {
        return None;
    }
    let mut uses = Uses {
        var,
        counter,
        tuples,
        item: 0,
        counted: false,
    };
    each_stmt(&mut body.clone(), &mut |stmt| uses.of(stmt));
    let lengths = slots.iter().filter(|slot| is_length(slot, var)).count();
    (uses.item + lengths == mentions(slots, var)).then(|| Array {
        var,
        at,
        items: items.clone(),
        tuples,
        counted: uses.counted,
    })
}

/// A number of a known type.
fn is_number(ty: &Ty) -> bool {
    matches!(ty, Ty::F32 | Ty::F64 | Ty::Int(Some(_)))
}

/// The parts of a tuple of numbers.
fn parts(e: &Expr) -> Option<&[Expr]> {
    if let ExprKind::Tuple(parts) = &e.kind
        && parts.iter().all(|part| is_number(&part.ty))
    {
        Some(parts)
    } else {
        None
    }
}

/// Whether the slot is `let n = var.len();`.
fn is_length(slot: &[Stmt], var: VarId) -> bool {
    matches!(slot, [Stmt { kind: StmtKind::Let { init: Some(e), .. }, .. }]
        if matches!(&e.kind, ExprKind::Len(p) if p.is_var() && p.root == var))
}

/// How often a block names a variable.
fn mentions(slots: &Slots, var: VarId) -> usize {
    let mut count = 0;
    let mut block = Block {
        stmts: slots.iter().flatten().cloned().collect(),
    };
    each_stmt(&mut block, &mut |stmt| {
        each_place_within(stmt, &mut |p| count += usize::from(p.root == var));
    });
    count
}

/// How a loop uses its array and its counter.
struct Uses {
    var: VarId,
    counter: VarId,
    tuples: bool,
    /// Uses of the item of the iteration.
    item: usize,
    counted: bool,
}

impl Uses {
    fn of(&mut self, stmt: &mut Stmt) {
        let mut names = 0;
        each_place_within(stmt, &mut |p| {
            if p.root == self.var && item_of(p, self.counter, self.tuples).is_some() {
                self.item += 1;
                names += 1;
            }
            if p.root == self.counter {
                names -= 1;
            }
        });
        self.counted |= names != 0;
    }
}

pub(in crate::optimize) fn over_items(
    func: &mut Func,
    slots: &mut Slots,
    at: usize,
    counter: VarId,
    range: &RangeIter,
    body: &Block,
    array: &Array,
) {
    let bound = bound_names(func, body, counter, array);
    let (mut lets, mut copies) = (Vec::new(), Vec::new());
    let mut held: Vec<Vec<VarId>> = Vec::new();
    for item in &array.items {
        let values = match parts(item) {
            Some(parts) => parts,
            None => std::slice::from_ref(item),
        };
        held.push(
            values
                .iter()
                .enumerate()
                .map(|(part, value)| {
                    let var = item_variable(func, bound.get(&part), array.var, value);
                    let init = Some(value.clone());
                    lets.push(Stmt::new(StmtKind::Let { var, init }, value.span));
                    var
                })
                .collect(),
        );
    }
    let mut order: Vec<usize> = (0..array.items.len()).collect();
    if range.rev {
        order.reverse();
    }
    for (copy, item) in order.into_iter().enumerate() {
        let mut names = Names::new(func, body, copy > 0);
        names.item = Some((array.var, counter, array.tuples, held[item].clone()));
        for (part, var) in &bound {
            names.renamed.insert(*var, held[item][*part]);
            names.gone.push(*var);
        }
        if array.counted {
            let own = names.declare(func, counter, copy > 0);
            let position = i128::try_from(item).unwrap_or(i128::MAX);
            copies.push(constant(func, own, position, range.lo.span));
        }
        names.copy(body, &mut copies);
    }
    slots[at] = copies;
    slots[array.at] = lets;
    measure(func, slots, array);
}

/// The immutable variables that the body binds to the item or to parts of it: the items take their names.
fn bound_names(func: &Func, body: &Block, counter: VarId, array: &Array) -> HashMap<usize, VarId> {
    let mut bound = HashMap::default();
    for stmt in &body.stmts {
        if let StmtKind::Let {
            var,
            init: Some(init),
        } = &stmt.kind
            && let ExprKind::Read(place) = &init.kind
            && place.root == array.var
            && let Some((part, [])) = item_of(place, counter, array.tuples)
            && !func.var(*var).mutable
            && func.var(*var).constant == func.var(array.var).constant
        {
            bound.entry(part).or_insert(*var);
        }
    }
    bound
}

fn item_variable(func: &mut Func, like: Option<&VarId>, array: VarId, value: &Expr) -> VarId {
    let constant = func.var(array).constant;
    let name = match like {
        Some(like) => fresh(func, *like),
        None => func.fresh_name("item", Span::mixed_site().located_at(value.span)),
    };
    func.add(VarInfo {
        name,
        ty: value.ty.clone(),
        mutable: false,
        kind: VarKind::Temp,
        constant,
        class: crate::ir::Class::Primal,
        type_of: None,
    })
}

/// Lengths of an array that is gone: numbers, or gone as well if nothing else wants them.
fn measure(func: &Func, slots: &mut Slots, array: &Array) {
    for at in 0..slots.len() {
        if !is_length(&slots[at], array.var) {
            continue;
        }
        let StmtKind::Let { var, .. } = slots[at][0].kind else {
            continue;
        };
        let len = i128::try_from(array.items.len()).unwrap_or(i128::MAX);
        slots[at] = if mentions(slots, var) == 0 && func.result != Some(var) {
            Vec::new()
        } else {
            vec![constant(func, var, len, slots[at][0].span)]
        };
    }
}
