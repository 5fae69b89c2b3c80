//! Loops that overwrite all elements of an array, so that what they save is the whole version before.
//!
//! Lattice: an array is overwritten by a loop, or nothing is known. No direction: the text decides. A loop `for i in
//! 0..n` that runs to its end overwrites `a` if
//!
//! - its body assigns `a[i]`, or adds to it, under no condition, and writes `a` nowhere else; and
//! - `a` has `n` elements: it is the local `vec![…; n]`, an array of `n` elements, or `n` is `a.len()`, and nothing in
//!   the function changes its length.
//!
//! Being wrong would lose what a version of the array held in the elements that the loop leaves alone. So the length is
//! compared as a polynomial: equal polynomials are equal words.

use super::StmtKey;
use super::affine::{Definitions, Poly};
use crate::ir::faults::Fault;
use crate::ir::hash::{HashMap, HashSet};
use crate::ir::{
    Access, Block, Expr, ExprKind, Func, Len, Place, Proj, Region, Stmt, StmtKind, Ty, VarId,
    place_ty, region_effects_of, shallow_accesses, visit_stmts,
};

/// The arrays that loops overwrite, by the loops.
pub(crate) type Overwritten = HashMap<StmtKey, Vec<Region>>;

/// Looks at the whole body.
pub(crate) fn overwritten(func: &Func, body: &Block) -> Overwritten {
    let mut found = Overwritten::default();
    let mut arrays = None;
    visit_stmts(body, &mut |stmt| {
        let Some(counting) = stmt.counting().filter(|c| c.range.step.is_none()) else {
            return;
        };
        let parallel = stmt
            .as_loop()
            .is_some_and(|l| func.parallel.contains(&l.id));
        let range = counting.range;
        if parallel || range.rev_first || range.inclusive || !range.lo.is_zero_literal() {
            return;
        }
        for (k, inner) in counting.body.stmts.iter().enumerate() {
            let Some(place) = element(inner, counting.counter) else {
                continue;
            };
            let arrays = arrays.get_or_insert_with(|| Arrays::of(func, body));
            let others = [&counting.body.stmts[..k], &counting.body.stmts[k + 1..]].concat();
            let alone = !region_effects_of(&others).writes.overlaps(place.region());
            if alone && arrays.has_length(place, &range.hi) {
                found
                    .entry(StmtKey::of(stmt))
                    .or_default()
                    .push(place.region());
            }
        }
    });
    found
}

/// The element `a[counter]` of a variable that a statement overwrites.
fn element(stmt: &Stmt, counter: VarId) -> Option<&Place> {
    let (StmtKind::Assign {
        place, init: false, ..
    }
    | StmtKind::Update { place, .. }) = &stmt.kind
    else {
        return None;
    };
    let [Proj::Index(index)] = place.steps() else {
        return None;
    };
    let by_counter = matches!(&index.kind, ExprKind::Read(p) if p.is_var() && p.root == counter);
    let of_variable = place.region() == Region::var(place.root);
    (by_counter && of_variable).then_some(place)
}

/// What is known of the lengths of variables.
struct Arrays<'a> {
    func: &'a Func,
    definitions: Definitions<'a>,
    /// How many elements vectors are made with.
    made: HashMap<VarId, Expr>,
    /// Variables that are written other than element by element.
    changed: HashSet<VarId>,
}

impl<'a> Arrays<'a> {
    fn of(func: &'a Func, body: &'a Block) -> Self {
        let mut made = HashMap::default();
        let mut changed = HashSet::default();
        visit_stmts(body, &mut |stmt| {
            if let Some((var, len)) = made_with(stmt) {
                made.insert(var, len.clone());
            }
            let elements = elements_written(stmt);
            shallow_accesses(stmt, &mut |var, access| {
                let writes = matches!(access, Access::WriteAll | Access::WritePart);
                if writes && !elements.contains(&var) {
                    changed.insert(var);
                }
            });
        });
        Arrays {
            func,
            definitions: Definitions::of(func, body),
            made,
            changed,
        }
    }

    /// Whether the array that the place is an element of has as many elements as `end` says.
    fn has_length(&self, place: &Place, end: &Expr) -> bool {
        let array = place.whole_region();
        let ty = place_ty(self.func, &array);
        let is_number = place_ty(self.func, place).is_scalar();
        if !is_number || self.changed.contains(&place.root) {
            return false;
        }
        if Fault::PartOverwritten.is_on() {
            return true;
        }
        if self.is_length_of(end, place.root) {
            return true;
        }
        let Some(end) = self.definitions.poly(end) else {
            return false;
        };
        let length = if let Ty::Array(_, Some(len)) = &ty
            && let Len::Number(lit, _) = &**len
        {
            lit.int().map(Poly::number)
        } else {
            let made = self.made.get(&place.root);
            made.and_then(|len| self.definitions.poly(len))
        };
        length == Some(end)
    }

    /// Whether an expression is the length of all of a variable.
    fn is_length_of(&self, e: &Expr, var: VarId) -> bool {
        if let ExprKind::Read(p) = &e.kind {
            let held = self.definitions.held(p.root).filter(|_| p.is_var());
            held.is_some_and(|held| self.is_length_of(held, var))
        } else {
            matches!(&e.kind, ExprKind::Len(place) if place.root == var && place.is_region())
        }
    }
}

/// The variable and the length of `let a = vec![…; n]`.
fn made_with(stmt: &Stmt) -> Option<(VarId, &Expr)> {
    let StmtKind::Let { var, init } = &stmt.kind else {
        return None;
    };
    if let ExprKind::VecRepeat(_, len) = &init.as_ref()?.kind {
        Some((*var, len))
    } else {
        None
    }
}

/// The variables of which a statement writes elements, so that their lengths stay what they are.
fn elements_written(stmt: &Stmt) -> Vec<VarId> {
    let elements = |places: &[&Place]| {
        let is_element = |place: &&Place| matches!(place.steps(), [Proj::Index(_), ..]);
        let all = places.iter().all(is_element);
        let roots = places.iter().filter(|_| all).map(|place| place.root);
        roots.collect()
    };
    if let Some(place) = stmt.assigned() {
        elements(&[place])
    } else if let StmtKind::Swap(a, b) = &stmt.kind {
        elements(&[a, b])
    } else if let StmtKind::Fill { slice: part, .. } | StmtKind::CopyFrom { dst: part, .. } =
        &stmt.kind
    {
        vec![part.root]
    } else {
        Vec::new()
    }
}
