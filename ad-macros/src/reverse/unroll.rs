//! Short loops are written out, so that what their counter and items stand for is known to the analyses.
//!
//! A loop is unrolled if it runs over
//!
//! - an array literal of at most [`ITEMS`] scalars, or tuples of scalars, that nothing else uses; the items become immutable variables
//!   of their own, evaluated in order where the array was; or
//! - a range with literal bounds of at most [`TRIPS`] numbers, if an index depends on its counter: otherwise nothing would be learnt.
//!
//! Inner loops come first, and no loop is written out to more than [`STATEMENTS`] statements, so the code grows by a bounded factor.
//! Left alone: loops that can be left early, parallel loops, and loops with a region or parallel loop in them (those are the
//! user's units). Values and panics stay the same, and their order.

use std::collections::HashMap;

use proc_macro2::Span;
use syn::ext::IdentExt;

use crate::ir::edit::{blocks_mut, each_name, each_place_within, each_stmt};
use crate::ir::{
    Block, Expr, ExprKind, Func, LoopKind, Place, Proj, RangeIter, Stmt, StmtKind, Ty, UnOp, VarId,
    VarInfo, VarKind, effects_of, place_index_reads, stmt_exprs, visit_stmts,
};

const ITEMS: usize = 8;
const TRIPS: i128 = 4;
const STATEMENTS: usize = 200;

/// Writes out what qualifies in the whole function.
pub(crate) fn unroll(func: &mut Func) {
    let mut body = std::mem::take(&mut func.body);
    block(func, &mut body);
    func.body = body;
}

/// What the statements of a block become. A statement that is none any more leaves an empty list.
type Slots = Vec<Vec<Stmt>>;

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
            && fits(&body, values.len())
            && indexes_with(func, counter, &body)
        {
            slots[at] = over_range(func, counter, &range, &values, &body);
        } else if let Some(array) = array(func, &slots, counter, &range, &body)
            && fits(&body, array.items.len())
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
                StmtKind::Loop {
                    id,
                    kind: LoopKind::For { var, range },
                    body,
                    exit: None,
                },
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
            StmtKind::Loop { id, .. } => !func.parallel.contains(id),
            StmtKind::Assign {
                place, init: true, ..
            } => declared.contains(&place.root),
            _ => true,
        };
    });
    plain.then_some((*var, range, body))
}

fn fits(body: &Block, trips: usize) -> bool {
    let mut statements = 0;
    visit_stmts(body, &mut |_| statements += 1);
    trips > 0 && statements * trips <= STATEMENTS
}

/// The numbers of the range in the order of the loop.
fn literal_trips(func: &Func, slots: &Slots, range: &RangeIter) -> Option<Vec<i128>> {
    let lo = number(func, slots, &range.lo)?;
    let hi = number(func, slots, &range.hi)?.checked_add(i128::from(range.inclusive))?;
    let trips = hi.checked_sub(lo)?;
    if !(1..=TRIPS).contains(&trips) {
        return None;
    }
    let mut values: Vec<i128> = (lo..hi).collect();
    if range.rev {
        values.reverse();
    }
    Some(values)
}

/// The value of a literal, also behind a minus or an immutable variable of the block.
fn number(func: &Func, slots: &Slots, e: &Expr) -> Option<i128> {
    match &e.kind {
        ExprKind::Lit(syn::Lit::Int(lit)) => lit.base10_parse().ok(),
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
fn definition(slots: &Slots, var: VarId) -> Option<(usize, &Expr)> {
    slots.iter().enumerate().find_map(|(at, slot)| match &slot[..] {
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
            crate::ir::expr_reads(e, &mut |p| found |= integer && p.root == counter);
        }
        each_place_within(stmt, &mut |place| {
            place_index_reads(place, &mut |p| found |= p.root == counter);
        });
    });
    found
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
fn constant(func: &Func, var: VarId, value: i128, span: Span) -> Stmt {
    let ty = func.var(var).ty.clone();
    let lit = syn::LitInt::new(&value.unsigned_abs().to_string(), span);
    let mut init = Expr::new(ExprKind::Lit(syn::Lit::Int(lit)), ty.clone(), span);
    if value < 0 {
        init = Expr::new(ExprKind::Unary(UnOp::Neg, Box::new(init)), ty, span);
    }
    Stmt::new(
        StmtKind::Let {
            var,
            init: Some(init),
        },
        span,
    )
}

/// An array literal that one loop runs over.
struct Array {
    var: VarId,
    /// Where it is declared.
    at: usize,
    items: Vec<Expr>,
    /// Whether the items are tuples, of which the loop takes parts.
    tuples: bool,
    /// Whether the counter is used otherwise than to get at the item.
    counted: bool,
}

fn array(
    func: &Func,
    slots: &Slots,
    counter: VarId,
    range: &RangeIter,
    body: &Block,
) -> Option<Array> {
    let ExprKind::Read(len) = &range.hi.kind else {
        return None;
    };
    let from_zero = matches!(&range.lo.kind, ExprKind::Lit(syn::Lit::Int(n)) if n.base10_digits() == "0");
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
    if func.var(var).mutable || func.result == Some(var) || items.len() > ITEMS {
        return None;
    }
    let tuples = items.iter().all(|e| parts(e).is_some());
    if !tuples && !items.iter().all(|e| is_plain(&e.ty)) {
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
fn is_plain(ty: &Ty) -> bool {
    matches!(ty, Ty::F32 | Ty::F64 | Ty::Int(Some(_)))
}

/// The parts of a tuple of numbers.
fn parts(e: &Expr) -> Option<&[Expr]> {
    match &e.kind {
        ExprKind::Tuple(parts) if parts.iter().all(|part| is_plain(&part.ty)) => Some(parts),
        _ => None,
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

/// The number of the part (0 if the items have none), if the place is in the item `var[counter]`; and what comes behind.
fn item_of(place: &Place, counter: VarId, tuples: bool) -> Option<(usize, &[Proj])> {
    let (Proj::Index(index), rest) = place.proj.split_first()? else {
        return None;
    };
    if !matches!(&index.kind, ExprKind::Read(p) if p.is_var() && p.root == counter) {
        return None;
    }
    if !tuples {
        return Some((0, rest));
    }
    match rest.split_first()? {
        (Proj::Field(syn::Member::Unnamed(part)), rest) => Some((part.index as usize, rest)),
        _ => None,
    }
}

fn over_items(
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
fn bound_names(
    func: &Func,
    body: &Block,
    counter: VarId,
    array: &Array,
) -> HashMap<usize, VarId> {
    let mut bound = HashMap::new();
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
    })
}

/// A new name after that of a variable.
fn fresh(func: &mut Func, like: VarId) -> proc_macro2::Ident {
    let name = func.var(like).name.clone();
    let plain = name.unraw().to_string();
    // A raw name may be a keyword without its prefix.
    let base = if name == plain { plain } else { format!("{plain}_") };
    func.fresh_name(&base, name.span())
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

/// What the names of a body stand for in one copy of it.
struct Names {
    renamed: HashMap<VarId, VarId>,
    /// Variables whose declarations are gone.
    gone: Vec<VarId>,
    /// The array, the counter that picks its item, whether the items are tuples, and the variables for this copy's item.
    item: Option<(VarId, VarId, bool, Vec<VarId>)>,
}

impl Names {
    /// `anew`: the copy has variables of its own.
    fn new(func: &mut Func, body: &Block, anew: bool) -> Self {
        let mut names = Names {
            renamed: HashMap::new(),
            gone: Vec::new(),
            item: None,
        };
        if anew {
            let mut declared: Vec<VarId> = effects_of(&body.stmts).declares.into_iter().collect();
            declared.sort_unstable();
            for var in declared {
                names.declare(func, var, true);
            }
        }
        names
    }

    /// The variable that stands for `var` in this copy.
    fn declare(&mut self, func: &mut Func, var: VarId, anew: bool) -> VarId {
        if !anew {
            return var;
        }
        let name = fresh(func, var);
        let info = VarInfo {
            name,
            ..func.var(var).clone()
        };
        let own = func.add(info);
        self.renamed.insert(var, own);
        own
    }

    fn copy(&self, body: &Block, out: &mut Vec<Stmt>) {
        let mut copy = body.clone();
        copy.stmts.retain(|stmt| {
            !matches!(&stmt.kind, StmtKind::Let { var, .. } if self.gone.contains(var))
        });
        each_stmt(&mut copy, &mut |stmt| {
            each_place_within(stmt, &mut |place| self.place(place));
            each_name(stmt, &mut |var| self.name(var));
        });
        out.extend(copy.stmts);
    }

    fn place(&self, place: &mut Place) {
        if let Some((array, counter, tuples, held)) = &self.item
            && place.root == *array
            && let Some((part, rest)) = item_of(place, *counter, *tuples)
        {
            let rest = rest.to_vec();
            place.root = held[part];
            place.proj = rest;
        } else {
            self.name(&mut place.root);
        }
    }

    fn name(&self, var: &mut VarId) {
        if let Some(own) = self.renamed.get(var) {
            *var = *own;
        }
    }
}
