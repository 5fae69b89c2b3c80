//! Adjoints of what holds several values: each part has its own.

use proc_macro2::Span;

use crate::ir::{
    Block, Constructor, Domain, Expr, ExprKind, Field, Loop, LoopId, Place, Proj, RangeIter,
    StmtKind, Ty, VarInfo, VarKind, tangent_ty,
};

use super::{AdjointBuilder, Seed};

impl<'a> AdjointBuilder<'_, 'a> {
    pub(super) fn tuple(&mut self, parts: &[Expr], seed: Seed, span: Span) {
        self.parts(parts, seed, span, |k| {
            Proj::Field(Field::at(k, span).part())
        });
    }

    pub(super) fn elements(&mut self, parts: &[Expr], seed: Seed, span: Span) {
        self.parts(parts, seed, span, |k| {
            Proj::index(Expr::integer(k.into(), &Ty::USIZE, span))
        });
    }

    /// The adjoint of a field is the field of the same name of the adjoint. What is left is the adjoint of the base.
    pub(super) fn fields(
        &mut self,
        constructor: &Constructor,
        values: &[Expr],
        seed: Seed,
        span: Span,
    ) {
        let place = self.seed_place(seed, span);
        let (fields, base) = constructor.parts(values);
        for (field, value) in fields {
            let field = place.then(constructor.adjoint_part(field));
            self.run(value, Seed::Place(field), None);
        }
        let Some(base) = base.filter(|base| self.active(base)) else {
            return;
        };
        let ExprKind::Read(from) = &base.kind else {
            self.adjoints.unsupported.push((span, "internal"));
            return;
        };
        let rest = Expr::new(ExprKind::Read(place), tangent_ty(&base.ty), span);
        let rest = self.adjoints.copied(rest, self.out);
        let (fields, _) = constructor.parts(values);
        for (field, value) in fields {
            let field = Proj::Field(field);
            let zero = self
                .adjoints
                .zero(&value.ty, &from.then(field.clone()), span);
            let kind = StmtKind::Assign {
                place: rest.then(field),
                value: zero,
                init: false,
            };
            self.push(kind, span);
        }
        self.run(base, Seed::Place(rest), None);
    }

    fn parts(&mut self, parts: &[Expr], seed: Seed, span: Span, proj: impl Fn(u32) -> Proj) {
        let place = self.seed_place(seed, span);
        for (k, part) in (0..).zip(parts) {
            self.run(part, Seed::Place(place.then(proj(k))), None);
        }
    }

    /// `[a; n]`: the adjoint of `a` is the sum over the elements.
    pub(super) fn repeat(&mut self, a: &Expr, seed: Seed, span: Span) {
        let place = self.seed_place(seed, span);
        if a.ty.is_float() {
            let sum = Expr::new(ExprKind::SumOf(place), a.ty.clone(), span);
            let sum = self.adjoints.bind(sum, self.out);
            self.run(a, Seed::Value(sum), None);
            return;
        }
        self.for_each_element(&place, span, |builder, element| {
            builder.run(a, Seed::Place(element), None)
        });
    }

    /// A loop over the elements of an adjoint.
    pub(crate) fn for_each_element(
        &mut self,
        place: &Place,
        span: Span,
        body: impl FnOnce(&mut AdjointBuilder<'_, 'a>, Place),
    ) {
        let name = self.adjoints.func.fresh_name("k", Span::mixed_site());
        let ty = Ty::USIZE;
        let var = self.adjoints.func.add(VarInfo {
            name,
            ty: ty.clone(),
            mutable: false,
            kind: VarKind::Counter,
            constant: false,
            class: crate::ir::Class::Primal,
            type_of: None,
        });
        let element = place.then(Proj::index(Expr::read_var(var, ty.clone(), span)));
        let mut inner = Vec::new();
        body(&mut AdjointBuilder::new(self.adjoints, &mut inner), element);
        let range = RangeIter {
            lo: Expr::usize_literal(0, span),
            hi: Expr::new(ExprKind::Len(place.clone()), ty, span),
            inclusive: false,
            step: None,
            rev: false,
            rev_first: false,
        };
        let kind = Domain::Range { var, range };
        self.push(
            StmtKind::Loop(Loop::forward(
                LoopId::MADE,
                kind,
                Block { stmts: inner },
                None,
            )),
            span,
        );
    }
}
