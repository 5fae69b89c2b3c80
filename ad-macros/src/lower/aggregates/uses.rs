//! How struct variables are made and used, and which can be replaced.

use std::collections::{BTreeMap, BTreeSet};

use super::Group;
use crate::ir::edit::each_place;
use crate::ir::{
    Constructor, Expr, ExprKind, Field, Func, Makes, Opaque, OpaqueArg, Place, Proj, Stmt,
    StmtKind, Ty, VarId, VarKind, stmt_exprs,
};

/// How struct variables are made and used.
#[derive(Default)]
pub(super) struct Uses {
    /// Variables that might be replaced, in the order of their declarations.
    candidates: BTreeSet<VarId>,
    /// Variables that are used otherwise than by their fields.
    kept: BTreeSet<VarId>,
    /// What variables are given as a whole.
    given: Vec<(VarId, Expr)>,
    /// Variables that are read as a whole, other than to be given to another one.
    read: BTreeSet<VarId>,
    /// Variables that are given to one another.
    linked: Vec<(VarId, VarId)>,
    /// Variables that are exchanged.
    swapped: Vec<(VarId, VarId)>,
    /// Fields by which a variable is used, with their types where they are read.
    fields: Vec<(VarId, Field, Ty)>,
}

impl Uses {
    pub(super) fn stmt(&mut self, func: &Func, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let { var, init } => {
                let info = func.var(*var);
                let local = matches!(info.kind, VarKind::Local | VarKind::Temp);
                if local && info.ty.is_unseen() && func.result != Some(*var) {
                    self.candidates.insert(*var);
                }
                init.iter().for_each(|init| self.give(*var, init));
            }
            StmtKind::Assign { place, value, .. } if place.is_var() => self.give(place.root, value),
            StmtKind::Swap(a, b) if a.is_var() && b.is_var() => {
                self.swapped.push((a.root, b.root));
            }
            StmtKind::Opaque(o) => self.opaque(o),
            StmtKind::Pop { dest, .. } => {
                self.kept.insert(*dest);
            }
            StmtKind::Call {
                dest: Some(dest), ..
            } => {
                self.kept.insert(*dest);
            }
            _ => {}
        }
        let given = matches!(&stmt.kind, StmtKind::Let { .. })
            || matches!(&stmt.kind, StmtKind::Assign { place, .. } if place.is_var());
        let swapped = matches!(&stmt.kind, StmtKind::Swap(a, b) if a.is_var() && b.is_var());
        if !given {
            stmt_exprs(stmt).into_iter().for_each(|e| self.expr(e));
        }
        if !given && !swapped && stmt.kind.blocks().is_empty() {
            // The walk is for what is being changed.
            each_place(&mut stmt.clone(), &mut |p| self.place(p));
        }
    }

    fn give(&mut self, var: VarId, value: &Expr) {
        self.given.push((var, value.clone()));
        match &value.kind {
            ExprKind::Read(from) if from.is_var() => self.linked.push((var, from.root)),
            ExprKind::Struct(constructor, values) if constructor.makes == Makes::Struct => {
                let (fields, base) = constructor.parts(values);
                fields.for_each(|(_, value)| self.expr(value));
                match base {
                    Some(Expr {
                        kind: ExprKind::Read(from),
                        ..
                    }) if from.is_var() => self.linked.push((var, from.root)),
                    Some(base) => self.expr(base),
                    None => {}
                }
            }
            _ => self.expr(value),
        }
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            // An operator on a reference is another one than that on the value.
            ExprKind::Read(p) if p.is_var() && e.referenced().is_some() => {
                self.kept.insert(p.root);
            }
            ExprKind::Read(p) if p.is_var() => {
                self.read.insert(p.root);
            }
            ExprKind::Read(p) => {
                self.place(p);
                if let [Proj::Field(field)] = p.proj.as_slice() {
                    self.fields.push((p.root, *field, e.ty.clone()));
                }
            }
            ExprKind::Len(p) | ExprKind::ToVec(p) | ExprKind::ZeroLike(p) | ExprKind::SumOf(p) => {
                self.place(p)
            }
            ExprKind::Opaque(o) => self.opaque(o),
            _ => e.children().into_iter().for_each(|e| self.expr(e)),
        }
    }

    fn place(&mut self, place: &Place) {
        match place.proj.first() {
            Some(Proj::Field(field)) => self.fields.push((place.root, *field, Ty::Unknown)),
            _ => {
                self.kept.insert(place.root);
            }
        }
        for proj in &place.proj {
            match proj {
                Proj::Index(e) => self.expr(e),
                Proj::Range { lo, hi, .. } => lo.iter().chain(hi).for_each(|e| self.expr(e)),
                Proj::Deref | Proj::Field(_) | Proj::Payload | Proj::Variant(_) | Proj::Unbox => {}
            }
        }
    }

    fn opaque(&mut self, o: &Opaque) {
        for (_, arg) in &o.args {
            match arg {
                OpaqueArg::Place(p) | OpaqueArg::Ref(p) | OpaqueArg::RefMut(p) => self.place(p),
                OpaqueArg::Value(e) => self.expr(e),
            }
        }
    }

    /// The variables that can be replaced.
    pub(super) fn groups(&self, func: &Func) -> Vec<Group> {
        let mut vars: BTreeSet<VarId> = self.candidates.difference(&self.kept).copied().collect();
        loop {
            let all = self.connected(&vars);
            let found: Vec<Group> = all.iter().filter_map(|g| self.group(func, g)).collect();
            let kept: BTreeSet<VarId> = found.iter().flat_map(|g| g.vars.clone()).collect();
            if kept == vars {
                return found;
            }
            vars = kept;
        }
    }

    /// The variables, those together that are given to one another.
    fn connected(&self, vars: &BTreeSet<VarId>) -> Vec<Vec<VarId>> {
        let mut label: BTreeMap<VarId, VarId> = vars.iter().map(|v| (*v, *v)).collect();
        for (a, b) in self.linked.iter().chain(&self.swapped) {
            if let (Some(x), Some(y)) = (label.get(a).copied(), label.get(b).copied()) {
                label.values_mut().filter(|l| **l == y).for_each(|l| *l = x);
            }
        }
        let mut groups: BTreeMap<VarId, Vec<VarId>> = BTreeMap::new();
        for (var, label) in label {
            groups.entry(label).or_default().push(var);
        }
        groups.into_values().collect()
    }

    /// Whether a field's value has the type of the field also where the struct does not say so: what rustc infers from
    /// the struct could become another type, silently so for literals of numbers.
    fn shows_its_type(&self, func: &Func, value: &Expr) -> bool {
        match &value.kind {
            ExprKind::Struct(by, _) => by.makes == Makes::Struct,
            ExprKind::Read(place) if place.is_var() && func.var(place.root).ty.is_unseen() => {
                let given = self.given.iter().filter(|(var, _)| *var == place.root);
                let mut given = given.map(|(_, value)| &value.kind);
                given.all(|kind| match kind {
                    ExprKind::Struct(by, _) => by.makes == Makes::Struct,
                    kind => matches!(kind, ExprKind::Read(_)),
                })
            }
            ExprKind::Read(place) if !place.is_var() => shown(&value.ty) || value.ty.is_unseen(),
            _ => shown(&value.ty),
        }
    }

    /// The group of these variables, if each can be replaced.
    fn group(&self, func: &Func, vars: &[VarId]) -> Option<Group> {
        let given = || self.given.iter().filter(|(var, _)| vars.contains(var));
        let mut constructor = None;
        let mut fields: Vec<(Field, Ty)> = Vec::new();
        let mut whole = vars.iter().any(|var| self.read.contains(var));
        let within = |var: &VarId| vars.contains(var);
        whole |= self
            .linked
            .iter()
            .any(|(to, from)| within(from) && !within(to));
        if self.swapped.iter().any(|(a, b)| within(a) != within(b)) {
            return None;
        }
        let mut made = false;
        for (_, value) in given() {
            match &value.kind {
                ExprKind::Struct(by, values) if by.makes == Makes::Struct => {
                    made = true;
                    // `V(a, b)` may be a call of a function: rustc sees that at the literal, so it has to stay.
                    let named = by.fields.iter().all(|field| field.position().is_none());
                    named.then_some(())?;
                    let (parts, base) = by.parts(values);
                    for (field, value) in parts {
                        note(&mut fields, field, &value.ty);
                        self.shows_its_type(func, value).then_some(())?;
                    }
                    match base.map(|base| &base.kind) {
                        None => constructor = Some((**by).clone()),
                        Some(ExprKind::Read(_)) => {}
                        Some(_) => return None,
                    }
                }
                ExprKind::Read(_) => {}
                _ => return None,
            }
        }
        let used = self.fields.iter().filter(|(var, ..)| vars.contains(var));
        for (_, field, ty) in used {
            note(&mut fields, *field, ty);
        }
        let complete = constructor.as_ref().is_none_or(|by: &Constructor| {
            fields.iter().all(|(field, _)| by.fields.contains(field))
        });
        if !made || !complete || whole && constructor.is_none() {
            return None;
        }
        Some(Group {
            vars: vars.to_vec(),
            fields,
            constructor,
        })
    }
}

fn note(fields: &mut Vec<(Field, Ty)>, field: Field, ty: &Ty) {
    match fields.iter_mut().find(|(known, _)| *known == field) {
        Some((_, known)) if *known == Ty::Unknown => *known = ty.clone(),
        Some(_) => {}
        None => fields.push((field, ty.clone())),
    }
}

/// Whether the text shows all of a type.
fn shown(ty: &Ty) -> bool {
    match ty {
        Ty::F32 | Ty::F64 | Ty::Int(Some(_)) | Ty::Bool | Ty::Char => true,
        Ty::Array(t, Some(_)) | Ty::Vec(t) | Ty::Option(t) => shown(t),
        Ty::Tuple(parts) => parts.iter().all(shown),
        _ => false,
    }
}
