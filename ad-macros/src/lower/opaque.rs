//! Code kept as written: local variables in it become placeholders.
//!
//! Inside such code nothing is differentiated, so the only things that matter are which variables it reads and
//! which it may write. A write by assignment is refused; `&mut` and methods that may take `&mut self` are
//! recorded as [`OpaqueArg::RefMut`].

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;

use super::Lowerer;
use super::operator::strip;
use super::rename::Renamer;
use super::value::{Value, Want, span_of};
use crate::ir::hash::HashSet;
use crate::ir::{Expr, ExprKind, Opaque, OpaqueArg, OpaqueKind, StmtKind, Ty, is_reader};

/// Collects the placeholders of one piece of code.
#[derive(Default)]
pub(super) struct Builder {
    pub(super) args: Vec<(Ident, OpaqueArg)>,
    /// Names that the code binds itself.
    pub(super) bound: HashSet<String>,
    pub(super) impure: bool,
    /// Calls that are pure expressions of the function become one value each.
    pub(super) folds: bool,
    /// Unknown methods that are called inside, with their operands: they could keep what they are given.
    pub(super) hidden: Vec<(OpaqueKind, Vec<(Ident, OpaqueArg)>)>,
}

impl Builder {
    pub(super) fn arg(&mut self, l: &mut Lowerer<'_>, arg: OpaqueArg, span: Span) -> syn::Expr {
        let name = l.placeholder(span);
        self.args.push((name.clone(), arg));
        syn::parse_quote!(#name)
    }

    /// A pure expression inside the code.
    pub(super) fn value(&mut self, l: &mut Lowerer<'_>, e: Expr) -> syn::Expr {
        match e.kind {
            ExprKind::Lit(lit) if !lit.is_number() => {
                let lit = lit.token(e.span);
                syn::parse_quote!(#lit)
            }
            ExprKind::Opaque(opaque) => self.inline(*opaque),
            ExprKind::Read(place) => self.arg(l, OpaqueArg::Place(place), e.span),
            _ => {
                let span = e.span;
                self.arg(l, OpaqueArg::Value(e), span)
            }
        }
    }

    /// A scalar that the code takes by value.
    pub(super) fn scalar(&mut self, l: &mut Lowerer<'_>, e: Expr) -> syn::Expr {
        match e.kind {
            ExprKind::Lit(_) => self.value(l, e),
            ExprKind::Opaque(opaque) if super::effects::is_pure(&opaque) => self.inline(*opaque),
            _ => {
                let span = e.span;
                self.arg(l, OpaqueArg::Value(e), span)
            }
        }
    }

    /// Other code kept as written becomes a part of this one.
    pub(super) fn inline(&mut self, opaque: Opaque) -> syn::Expr {
        // As a part of other code its own kind is forgotten.
        match &opaque.kind {
            OpaqueKind::Macro(name) if name == "format" => {
                let kind = OpaqueKind::Call("format!".to_owned());
                self.hidden.push((kind, opaque.args.clone()));
            }
            OpaqueKind::Method(name) if name == "to_string" => {
                let kind = OpaqueKind::Call("to_string".to_owned());
                self.hidden.push((kind, opaque.args.clone()));
            }
            OpaqueKind::Method(name) if !is_reader(&name.to_string()) => {
                self.hidden.push((opaque.kind.clone(), opaque.args.clone()));
            }
            _ => {}
        }
        self.impure |= !super::effects::is_pure(&opaque);
        self.args.extend(opaque.args);
        atom(opaque.code)
    }

    /// A value with the access that unknown code may make of it.
    pub(super) fn operand(&mut self, l: &mut Lowerer<'_>, value: Value, span: Span) -> syn::Expr {
        match value {
            Value::Place(place, _) => self.arg(l, OpaqueArg::Place(place), span),
            Value::Ref(view) if view.mutable => {
                self.impure = true;
                self.arg(l, OpaqueArg::RefMut(view.place), span)
            }
            Value::Ref(view) => self.arg(l, OpaqueArg::Ref(view.place), span),
            Value::Opaque(opaque, ..) => {
                self.impure = true;
                self.inline(*opaque)
            }
            other => {
                let e = l.stored_raw(other, span);
                self.value(l, e)
            }
        }
    }

    /// `Some(&e)` of the value `Some(e)`, beside an option of a reference.
    pub(super) fn some_of_reference(&mut self, l: &mut Lowerer<'_>, e: Expr) -> syn::Expr {
        match e.kind {
            ExprKind::Some(inner) => {
                let inner = self.scalar(l, *inner);
                syn::parse_quote!(::core::option::Option::Some(&#inner))
            }
            _ => self.value(l, e),
        }
    }

    /// A value that the code only looks at.
    pub(super) fn borrowed(&mut self, l: &mut Lowerer<'_>, value: Value, span: Span) -> syn::Expr {
        match value {
            Value::Ref(view) => self.arg(l, OpaqueArg::Ref(view.place), span),
            other => self.operand(l, other, span),
        }
    }

    pub(super) fn verbatim(&mut self, l: &mut Lowerer<'_>, e: &syn::Expr) -> syn::Expr {
        let mut code = e.clone();
        let mut renamer = Renamer::new(self, l, Vec::new());
        renamer.visit_expr_mut(&mut code);
        code
    }

    /// As `verbatim`, where `pat` binds names around the code (a match arm's guard).
    pub(super) fn verbatim_under(
        &mut self,
        l: &mut Lowerer<'_>,
        pat: &syn::Pat,
        e: &syn::Expr,
    ) -> syn::Expr {
        let mut code = e.clone();
        self.folds = true;
        let mut renamer = Renamer::new(self, l, vec![HashSet::default()]);
        renamer.bind(pat);
        renamer.visit_expr_mut(&mut code);
        code
    }

    pub(super) fn build(
        mut self,
        l: &mut Lowerer<'_>,
        code: syn::Expr,
        kind: OpaqueKind,
    ) -> Opaque {
        // A variable behind a placeholder must not be captured by a name that the code binds.
        for (_, arg) in &self.args {
            let mut roots = Vec::new();
            match arg {
                OpaqueArg::Place(p) | OpaqueArg::Ref(p) | OpaqueArg::RefMut(p) => {
                    roots.push(p.root);
                    crate::ir::place_index_reads(p, &mut |q| roots.push(q.root));
                }
                OpaqueArg::Value(e) => crate::ir::expr_reads(e, &mut |p| roots.push(p.root)),
            }
            for root in roots {
                let name = l.func.var(root).name.unraw().to_string();
                if self.bound.contains(&name) {
                    l.nonlocal.insert(name);
                }
            }
        }
        self.witness(l, &code);
        Opaque {
            code,
            args: self.args,
            kind,
        }
    }

    /// Statements that do nothing and stand for unknown methods inside kept code, so that the analysis sees which
    /// values reach them.
    fn witness(&mut self, l: &mut Lowerer<'_>, code: &syn::Expr) {
        for (kind, args) in std::mem::take(&mut self.hidden) {
            let mut seen = false;
            let args = args.into_iter().map(|(name, arg)| {
                let arg = match arg {
                    OpaqueArg::RefMut(p) => OpaqueArg::Ref(p),
                    other => other,
                };
                seen |= match &arg {
                    OpaqueArg::Place(p) | OpaqueArg::Ref(p) | OpaqueArg::RefMut(p) => {
                        !l.types.is_passive(&l.func.var(p.root).ty)
                    }
                    OpaqueArg::Value(e) => !l.types.is_passive(&e.ty),
                };
                (name, arg)
            });
            let args = args.collect();
            if seen && l.lenient == 0 {
                let opaque = Opaque {
                    code: syn::parse_quote!(()),
                    args,
                    kind,
                };
                l.emit(StmtKind::Opaque(Box::new(opaque)), span_of(code));
            }
        }
    }

    /// Code without effect, as an expression.
    pub(super) fn finish(
        self,
        l: &mut Lowerer<'_>,
        code: syn::Expr,
        kind: OpaqueKind,
        ty: Ty,
        span: Span,
    ) -> Expr {
        let impure = self.impure;
        let opaque = self.build(l, code, kind);
        let e = Expr::new(ExprKind::Opaque(Box::new(opaque)), ty, span);
        if impure {
            l.in_temp("value", e)
        } else {
            l.settle(e)
        }
    }

    pub(super) fn value_of(
        self,
        l: &mut Lowerer<'_>,
        code: syn::Expr,
        kind: OpaqueKind,
        ty: Ty,
        span: Span,
        pure: bool,
    ) -> Value {
        if pure && !self.impure {
            return Value::Expr(self.finish(l, code, kind, ty, span));
        }
        let opaque = self.build(l, code, kind);
        Value::Opaque(Box::new(opaque), ty, span)
    }
}

/// The expression as something a postfix operator can follow.
pub(super) fn atom(e: syn::Expr) -> syn::Expr {
    match e {
        syn::Expr::Path(_)
        | syn::Expr::Call(_)
        | syn::Expr::MethodCall(_)
        | syn::Expr::Field(_)
        | syn::Expr::Index(_)
        | syn::Expr::Paren(_)
        | syn::Expr::Lit(_)
        | syn::Expr::Tuple(_)
        | syn::Expr::Array(_)
        | syn::Expr::Macro(_) => e,
        other => syn::parse_quote!((#other)),
    }
}

impl Lowerer<'_> {
    /// Keeps all of `e` as written; it may have effects, so it becomes a statement of its own.
    pub(super) fn keep(&mut self, e: &syn::Expr, kind: OpaqueKind) -> Value {
        let mut builder = Builder::default();
        let code = builder.verbatim(self, e);
        let ty = self.types.fresh(super::infer::Kind::General);
        builder.value_of(self, code, kind, ty, span_of(e), false)
    }
}

/// The names that a pattern may bind.
pub(super) fn pattern_names(pat: &syn::Pat) -> Vec<Ident> {
    struct Names(Vec<Ident>);
    impl Visit<'_> for Names {
        fn visit_pat_ident(&mut self, p: &syn::PatIdent) {
            self.0.push(p.ident.clone());
            if let Some((_, sub)) = &p.subpat {
                self.visit_pat(sub);
            }
        }
        fn visit_expr(&mut self, _: &syn::Expr) {}
    }
    let mut names = Names(Vec::new());
    names.visit_pat(pat);
    names.0
}

impl Lowerer<'_> {
    /// The number that another one is compared with, by reference: where the text has a reference to it that is stored,
    /// the number itself stands here.
    pub(super) fn compared_argument(&mut self, builder: &mut Builder, e: &syn::Expr) -> syn::Expr {
        let value = self.value(e, Want::Value);
        let stored = match &value {
            Value::Place(_, ty) | Value::Expr(Expr { ty, .. }) => self.is_number(ty),
            _ => false,
        };
        let code = builder.operand(self, value, span_of(e));
        if stored {
            syn::parse_quote!(&#code)
        } else {
            code
        }
    }

    /// Lowers a value inside code that may be kept, where `value` alone would be ambiguous.
    pub(super) fn kept_argument(&mut self, builder: &mut Builder, e: &syn::Expr) -> syn::Expr {
        let kept = matches!(strip(e), syn::Expr::Closure(_) | syn::Expr::Range(_));
        if kept || self.names_closure(e) {
            return builder.verbatim(self, e);
        }
        let mark = self.mark();
        let value = self.value(e, Want::Value);
        debug_assert!(self.mark() >= mark);
        builder.operand(self, value, span_of(e))
    }
}
