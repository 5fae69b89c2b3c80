//! Variables for fields take the place of variables for structs.

use proc_macro2::Span;

use super::Parts;
use crate::ir::edit::{blocks_mut, each_expr, each_place};
use crate::ir::hash::HashMap;
use crate::ir::{
    Block, Constructor, Expr, ExprKind, Field, Func, Opaque, OpaqueArg, Place, Proj, Stmt,
    StmtKind, Ty, VarId,
};

pub(super) struct Replacement<'a> {
    pub(super) func: &'a mut Func,
    pub(super) parts: HashMap<VarId, Parts>,
}

impl Replacement<'_> {
    pub(super) fn block(&mut self, block: &mut Block) {
        for mut stmt in std::mem::take(&mut block.stmts) {
            for inner in blocks_mut(&mut stmt) {
                self.block(inner);
            }
            let span = stmt.span;
            let kinds = self.stmt(stmt);
            block
                .stmts
                .extend(kinds.into_iter().map(|kind| Stmt::new(kind, span)));
        }
    }

    fn stmt(&mut self, mut stmt: Stmt) -> Vec<StmtKind> {
        match &stmt.kind {
            StmtKind::Let { var, init } if self.parts.contains_key(var) => {
                let parts = self.parts[var].fields.clone();
                let part = |(field, var)| StmtKind::Let {
                    var,
                    init: init.as_ref().map(|init| self.field_of(init, field)),
                };
                parts.into_iter().map(part).collect()
            }
            StmtKind::Assign { place, value, init }
                if place.is_var() && self.parts.contains_key(&place.root) =>
            {
                self.assign(place, value, *init)
            }
            StmtKind::Swap(a, b)
                if a.is_var() && b.is_var() && self.parts.contains_key(&a.root) =>
            {
                let (x, y) = (self.parts[&a.root].clone(), self.parts[&b.root].clone());
                let pairs = x.fields.into_iter().zip(y.fields);
                let swap =
                    |((_, x), (_, y))| StmtKind::Swap(Place::var(x, a.span), Place::var(y, b.span));
                pairs.map(swap).collect()
            }
            _ => {
                each_expr(&mut stmt, &mut |e| self.expr(e));
                each_place(&mut stmt, &mut |p| self.place(p));
                if let StmtKind::Opaque(o) = &mut stmt.kind {
                    self.opaque(o);
                }
                vec![stmt.kind]
            }
        }
    }

    /// All parts are computed before the first one is written, where one reads another.
    fn assign(&mut self, place: &Place, value: &Expr, init: bool) -> Vec<StmtKind> {
        let reads_itself = value.reads(place.root);
        let (mut before, mut writes) = (Vec::new(), Vec::new());
        for (field, var) in self.parts[&place.root].fields.clone() {
            let mut value = self.field_of(value, field);
            if matches!(&value.kind, ExprKind::Read(own) if own.is_var() && own.root == var) {
                continue;
            }
            if reads_itself {
                let (ty, span) = (self.func.var(var).ty.clone(), value.span);
                let new = self.func.temp("new", ty.clone(), span);
                before.push(StmtKind::Let {
                    var: new,
                    init: Some(value),
                });
                value = Expr::read_var(new, ty, span);
            }
            writes.push(StmtKind::Assign {
                place: Place::var(var, place.span),
                value,
                init,
            });
        }
        before.append(&mut writes);
        before
    }

    /// The value of a field of a value.
    fn field_of(&self, whole: &Expr, field: Field) -> Expr {
        match &whole.kind {
            ExprKind::Struct(constructor, values) => {
                let (mut fields, base) = constructor.parts(values);
                if let Some((_, value)) = fields.find(|(named, _)| *named == field) {
                    let mut value = value.clone();
                    self.expr(&mut value);
                    return value;
                }
                let base = base.expect("a field that is not named comes from the base");
                self.field_of(base, field)
            }
            ExprKind::Read(from) => {
                let mut place = from.then(Proj::Field(field));
                place.span = whole.span;
                let mut read =
                    Expr::new(ExprKind::Read(place), self.type_of(from, field), whole.span);
                self.expr(&mut read);
                read
            }
            _ => unreachable!("structs are literals, or copies"),
        }
    }

    /// The type of the field, where the struct is one that is replaced.
    fn type_of(&self, from: &Place, field: Field) -> Ty {
        let parts = self.parts.get(&from.root).filter(|_| from.is_var());
        let part = parts.and_then(|parts| parts.fields.iter().find(|(name, _)| *name == field));
        part.map_or(Ty::Unknown, |(_, var)| self.func.var(*var).ty.clone())
    }

    fn expr(&self, e: &mut Expr) {
        match &mut e.kind {
            ExprKind::Read(p) => {
                if p.is_var()
                    && let Some(Parts {
                        fields,
                        constructor: Some(constructor),
                    }) = self.parts.get(&p.root)
                {
                    e.kind = self.made_again(constructor, fields, e.span);
                    return;
                }
                self.place(p);
            }
            ExprKind::Len(p) | ExprKind::ToVec(p) | ExprKind::ZeroLike(p) | ExprKind::SumOf(p) => {
                self.place(p)
            }
            ExprKind::Opaque(o) => self.opaque(o),
            ExprKind::Struct(constructor, values) => {
                self.flatten(constructor, values);
                values.iter_mut().for_each(|e| self.expr(e));
            }
            _ => e.children_mut().into_iter().for_each(|e| self.expr(e)),
        }
    }

    /// A base that is replaced becomes the fields that it gives.
    fn flatten(&self, constructor: &mut Constructor, values: &mut Vec<Expr>) {
        let (_, base) = constructor.parts(values);
        let Some(ExprKind::Read(from)) = base.map(|base| &base.kind) else {
            return;
        };
        let parts = self.parts.get(&from.root).filter(|_| from.is_var());
        let Some(parts) = parts.filter(|parts| parts.constructor.is_some()) else {
            return;
        };
        let span = from.span;
        values.pop();
        for (field, var) in &parts.fields {
            if !constructor.fields.contains(field) {
                constructor.fields.push(*field);
                values.push(Expr::read_var(*var, self.func.var(*var).ty.clone(), span));
            }
        }
    }

    fn made_again(
        &self,
        constructor: &Constructor,
        fields: &[(Field, VarId)],
        span: Span,
    ) -> ExprKind {
        let value = |field: &Field| {
            let part = fields.iter().find(|(name, _)| name == field);
            let (_, var) = *part.expect("a literal names all fields");
            Expr::read_var(var, self.func.var(var).ty.clone(), span)
        };
        let values = constructor.fields.iter().map(value).collect();
        ExprKind::Struct(Box::new(constructor.clone()), values)
    }

    fn place(&self, place: &mut Place) {
        if let Some(parts) = self.parts.get(&place.root)
            && let Some(Proj::Field(field)) = place.proj.first()
            && let Some((_, var)) = parts.fields.iter().find(|(name, _)| name == field)
        {
            place.root = *var;
            place.proj.remove(0);
        }
        for proj in &mut place.proj {
            match proj {
                Proj::Index(e) => self.expr(e),
                Proj::Range { lo, hi, .. } => lo.iter_mut().chain(hi).for_each(|e| self.expr(e)),
                Proj::Deref | Proj::Field(_) | Proj::Payload | Proj::Variant(_) | Proj::Unbox => {}
            }
        }
    }

    fn opaque(&self, o: &mut Opaque) {
        for (_, arg) in &mut o.args {
            match arg {
                OpaqueArg::Place(p) | OpaqueArg::Ref(p) | OpaqueArg::RefMut(p) => self.place(p),
                OpaqueArg::Value(e) => self.expr(e),
            }
        }
    }
}
