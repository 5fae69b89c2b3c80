//! *Scalar replacement of aggregates*: the elements of a short array, and the parts of a tuple, are variables.
//!
//! ```text
//! let mut b = [0.0; 3];               // let mut b_0 = 0.0; let mut b_1 = 0.0; let mut b_2 = 0.0;
//! for j in 0..n {
//!     let r = [x[j], y[j], z[j]];     // let r_0 = x[j]; let r_1 = y[j]; let r_2 = z[j];
//!     b[0] += r[1] * r[2];            // b_0 += r_1 * r_2;
//! }
//! ```
//!
//! Then they are sums, values that stay the same, and operands of numbers like any other variable to what runs behind.
//!
//! Legal if every use names one element by a number, or all of the array as a value: where that is wanted, it is put
//! together again (`[b_0, b_1, b_2]`). What is borrowed as a whole, or indexed by a variable, stays. A new value is
//! computed before the old one is overwritten, in the order of the text, and once where `[value; 3]` repeats it.

mod parts;
mod survey;

use syn::ext::IdentExt;

use self::parts::Parts;
use self::survey::survey;
use crate::ir::edit::{blocks_mut, each_expr, each_place};
use crate::ir::faults::Fault;
use crate::ir::hash::HashMap;
use crate::ir::{
    Block, Expr, ExprKind, Func, Opaque, OpaqueArg, Place, Remarks, Stmt, StmtKind, Transform,
    VarId, VarInfo, VarKind, effects_of, visit_stmts,
};

/// The aggregates that may be replaced.
type Aggregates = HashMap<VarId, Parts>;

/// Changes the whole function.
pub(super) fn replace(func: &mut Func, remarks: &mut Remarks) {
    // What workers share is known by the variables that they share.
    if !func.parallel.is_empty() {
        return;
    }
    let mut aggregates = candidates(func);
    if aggregates.is_empty() {
        return;
    }
    let mut body = std::mem::take(&mut func.body);
    let mut replaced = Aggregates::default();
    for found in survey(func, &aggregates, &mut body) {
        // Outside of loops, nothing would be learnt.
        let Some(around) = found.around else {
            continue;
        };
        let name = func.var(found.var).name.unraw();
        if let Some(why) = found.kept {
            remarks.refused(around, Transform::Scalars, format!("`{name}` {why}"));
        } else if let Some(parts) = aggregates.remove(&found.var) {
            let how = format!("the parts of `{name}` are variables");
            remarks.applied(around, Transform::Scalars, how);
            replaced.insert(found.var, parts);
        }
    }
    let mut replacing = Replacing {
        func,
        made: HashMap::default(),
        aggregates: replaced,
    };
    replacing.declare();
    replacing.block(&mut body);
    let made = replacing.made;
    let written = effects_of(&body.stmts).writes;
    for part in made.values().flatten() {
        func.var_mut(*part).mutable &= written.contains(part);
    }
    func.body = body;
}

/// Variables of the function's own that are short aggregates of numbers.
fn candidates(func: &Func) -> Aggregates {
    let mut found = Aggregates::default();
    visit_stmts(&func.body, &mut |stmt| {
        if let StmtKind::Let { var, .. } = stmt.kind
            && func.var(var).kind != VarKind::Param
            && func.result != Some(var)
            && let Some(parts) = Parts::of_type(&func.var(var).ty)
        {
            found.insert(var, parts);
        }
    });
    found
}

struct Replacing<'a> {
    func: &'a mut Func,
    aggregates: Aggregates,
    /// The variables of each.
    made: HashMap<VarId, Vec<VarId>>,
}

impl Replacing<'_> {
    fn declare(&mut self) {
        let mut all: Vec<VarId> = self.aggregates.keys().copied().collect();
        all.sort_unstable();
        for var in all {
            let parts = &self.aggregates[&var];
            let whole = self.func.var(var).clone();
            let base = whole.name.unraw().to_string();
            let mut each = Vec::new();
            let numbers = parts.steps().into_iter().zip(parts.types());
            for (number, (steps, ty)) in numbers.enumerate() {
                let name = format!("{base}_{number}");
                let info = VarInfo {
                    name: self.func.fresh_name(&name, whole.name.span()),
                    ty: ty.clone(),
                    ..whole.clone()
                };
                let own = self.func.add(info);
                self.func.part_of.insert(own, (var, steps));
                each.push(own);
            }
            self.made.insert(var, each);
        }
    }

    /// The part that a place is, and its variables.
    fn at(&self, place: &Place) -> Option<(&Parts, &[VarId])> {
        let (from, part) = self.aggregates.get(&place.root)?.at(&place.proj)?;
        let made = self.made.get(&place.root)?;
        Some((part, made.get(from..from + part.count())?))
    }

    fn block(&mut self, block: &mut Block) {
        let mut out = Vec::with_capacity(block.stmts.len());
        for mut stmt in std::mem::take(&mut block.stmts) {
            for inner in blocks_mut(&mut stmt) {
                self.block(inner);
            }
            self.stmt(stmt, &mut out);
        }
        block.stmts = out;
    }

    fn stmt(&mut self, mut stmt: Stmt, out: &mut Vec<Stmt>) {
        let span = stmt.span;
        let whole = if let StmtKind::Let { var, .. } = &stmt.kind {
            self.at(&Place::var(*var, span))
        } else if let StmtKind::Assign { place, .. } = &stmt.kind {
            self.at(place)
        } else {
            None
        };
        let Some((part, made)) = whole else {
            self.within(&mut stmt);
            out.push(stmt);
            return;
        };
        let (part, made) = (part.clone(), made.to_vec());
        if let StmtKind::Assign { place, value, init } = stmt.kind {
            let reads_old = value.reads(place.root) && !Fault::NewValueOverwritten.is_on();
            let mut values = self.values(&part, value, out);
            if reads_old && made.len() > 1 {
                let held = values.into_iter().map(|value| self.held(value, out));
                values = held.collect();
            }
            for (var, value) in made.into_iter().zip(values) {
                let place = Place::var(var, place.span);
                out.push(Stmt::new(StmtKind::Assign { place, value, init }, span));
            }
        } else if let StmtKind::Let { init, .. } = stmt.kind {
            let values = init.map(|value| self.values(&part, value, out));
            let mut values = values.into_iter().flatten();
            for var in made {
                let init = values.next();
                out.push(Stmt::new(StmtKind::Let { var, init }, span));
            }
        }
    }

    /// The numbers that a value of an aggregate has.
    fn values(&mut self, part: &Parts, mut value: Expr, out: &mut Vec<Stmt>) -> Vec<Expr> {
        if let Some(item) = part.repeated(&value) {
            let item = self.replaced(item.clone());
            let item = self.held(item, out);
            if let ExprKind::Repeat(own, _) = &mut value.kind {
                **own = item;
            }
        }
        let values = part.of_value(self.func, &value).unwrap_or_default();
        let values = values.into_iter().map(|value| self.replaced(value));
        values.collect()
    }

    /// A value in a variable of its own.
    fn held(&mut self, value: Expr, out: &mut Vec<Stmt>) -> Expr {
        let (span, ty) = (value.span, value.ty.clone());
        let var = self.func.temp("new", ty.clone(), span);
        let init = Some(value);
        out.push(Stmt::new(StmtKind::Let { var, init }, span));
        Expr::new(ExprKind::Read(Place::var(var, span)), ty, span)
    }

    /// What the statement itself names.
    fn within(&self, stmt: &mut Stmt) {
        each_place(stmt, &mut |place| self.place(place));
        each_expr(stmt, &mut |e| self.expr(e));
        if let StmtKind::Opaque(opaque) = &mut stmt.kind {
            self.opaque(opaque);
        }
    }

    fn replaced(&self, mut e: Expr) -> Expr {
        self.expr(&mut e);
        e
    }

    fn expr(&self, e: &mut Expr) {
        let part = e.place().and_then(|place| self.at(place));
        if let Some((part, made)) = part {
            let span = e.span;
            let value = if matches!(e.kind, ExprKind::Len(_)) {
                Some(Expr::usize_literal(part.len(), span))
            } else {
                let read = |(var, ty): (&VarId, _)| {
                    let place = Place::var(*var, span);
                    Expr::new(ExprKind::Read(place), ty, span)
                };
                let types = part.types().into_iter().cloned();
                part.value(&e.ty, span, &mut made.iter().zip(types).map(read))
            };
            if let Some(value) = value {
                *e = value;
            }
            return;
        }
        if let Some(place) = e.place_mut() {
            place.index_exprs_mut().for_each(|e| self.expr(e));
        } else if let ExprKind::Opaque(opaque) = &mut e.kind {
            self.opaque(opaque);
        } else {
            e.children_mut().into_iter().for_each(|e| self.expr(e));
        }
    }

    fn place(&self, place: &mut Place) {
        if let Some((Parts::Scalar(_), [var])) = self.at(place) {
            *place = Place::var(*var, place.span);
        }
        place.index_exprs_mut().for_each(|e| self.expr(e));
    }

    fn opaque(&self, opaque: &mut Opaque) {
        for (_, arg) in &mut opaque.args {
            match arg {
                OpaqueArg::Place(p) | OpaqueArg::Ref(p) | OpaqueArg::RefMut(p) => self.place(p),
                OpaqueArg::Value(e) => self.expr(e),
            }
        }
    }
}
