//! Code kept as written: local variables in it become placeholders.
//!
//! Inside such code nothing is differentiated, so the only things that matter are which variables it reads and
//! which it may write. A write by assignment is refused; `&mut` and methods that may take `&mut self` are
//! recorded as [`OpaqueArg::RefMut`].

use std::collections::HashSet;

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;
use syn::visit::Visit;
use syn::visit_mut::{VisitMut, visit_expr_mut};

use super::Lowerer;
use super::operator::{compound_operator, strip};
use super::scope::{Binding, key, plain_ident};
use super::value::{Value, Want, span_of};
use crate::diag::catalog;
use crate::ir::{Expr, ExprKind, Opaque, OpaqueArg, OpaqueKind, Place, Ty};

/// Collects the placeholders of one piece of code.
#[derive(Default)]
pub(super) struct Builder {
    args: Vec<(Ident, OpaqueArg)>,
    /// Names that the code binds itself.
    bound: HashSet<String>,
    impure: bool,
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
            ExprKind::Lit(lit) => syn::parse_quote!(#lit),
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

    /// A value that the code only looks at.
    pub(super) fn borrowed(&mut self, l: &mut Lowerer<'_>, value: Value, span: Span) -> syn::Expr {
        match value {
            Value::Ref(view) => self.arg(l, OpaqueArg::Ref(view.place), span),
            other => self.operand(l, other, span),
        }
    }

    pub(super) fn verbatim(&mut self, l: &mut Lowerer<'_>, e: &syn::Expr) -> syn::Expr {
        let mut code = e.clone();
        let mut renamer = Renamer {
            builder: self,
            l,
            scopes: Vec::new(),
            closures: 0,
            loops: 0,
        };
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
        let mut renamer = Renamer {
            builder: self,
            l,
            scopes: vec![HashSet::new()],
            closures: 0,
            loops: 0,
        };
        renamer.bind(pat);
        renamer.visit_expr_mut(&mut code);
        code
    }

    pub(super) fn build(self, l: &mut Lowerer<'_>, code: syn::Expr, kind: OpaqueKind) -> Opaque {
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
        Opaque {
            code,
            args: self.args,
            kind,
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

/// Methods that take `self` by value of a scalar or by `&self`, so that nothing is written.
pub(super) fn only_reads(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "len",
        "is_empty",
        "iter",
        "contains",
        "first",
        "last",
        "get",
        "to_vec",
        "clone",
        "to_owned",
        "binary_search",
        "binary_search_by",
        "binary_search_by_key",
        "partition_point",
        "windows",
        "chunks",
        "chunks_exact",
        "starts_with",
        "ends_with",
        "concat",
        "join",
        "as_slice",
        "as_str",
        "as_ref",
        "as_bytes",
        "chars",
        "bytes",
        "lines",
        "split",
        "trim",
        "to_string",
        "capacity",
        "keys",
        "values",
        "contains_key",
        "is_some",
        "is_none",
        "is_ok",
        "is_err",
        "copied",
        "cloned",
        "unwrap_or",
        "min",
        "max",
        "abs",
        "pow",
        "cmp",
        "partial_cmp",
        "total_cmp",
        "eq",
        "ne",
        "lt",
        "le",
        "gt",
        "ge",
        "borrow",
        "as_deref",
        "count_ones",
        "is_sorted",
        "into",
        "unwrap",
        "expect",
        "clamp",
        "split_at",
        "is_nan",
        "is_finite",
        "is_infinite",
        "rev",
        "map",
        "sum",
        "enumerate",
        "zip",
    ];
    NAMES.contains(&name) || crate::ir::MathFn::from_name(name).is_some()
}

pub(super) struct Renamer<'b, 'l, 'd> {
    builder: &'b mut Builder,
    l: &'l mut Lowerer<'d>,
    scopes: Vec<HashSet<String>>,
    closures: u32,
    loops: u32,
}

/// What the code around a name does with it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Look,
    /// By a method that should not write: behind a shared reference, so that rustc rejects it if it does.
    Share,
    Write,
}

impl Renamer<'_, '_, '_> {
    fn bind(&mut self, pat: &syn::Pat) {
        for ident in pattern_names(pat) {
            self.builder.bound.insert(ident.unraw().to_string());
            if let Some(scope) = self.scopes.last_mut() {
                scope.insert(key(&ident));
            }
        }
    }

    fn in_scope(&mut self, f: impl FnOnce(&mut Self)) {
        self.scopes.push(HashSet::new());
        f(self);
        self.scopes.pop();
    }

    fn is_own(&self, ident: &Ident) -> bool {
        let key = key(ident);
        self.scopes.iter().any(|scope| scope.contains(&key))
    }

    /// The local variable of the function that a chain of fields and indices starts at.
    fn root_of(&self, e: &syn::Expr) -> Option<Binding> {
        match strip(e) {
            syn::Expr::Path(path) => plain_ident(path)
                .filter(|ident| !self.is_own(ident))
                .and_then(|ident| self.l.lookup(ident)),
            syn::Expr::Field(f) => self.root_of(&f.base),
            syn::Expr::Index(i) => self.root_of(&i.expr),
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => self.root_of(&u.expr),
            _ => None,
        }
    }

    /// Whether unknown code could write through the binding.
    fn is_writable(&self, binding: &Binding) -> bool {
        match binding {
            Binding::Var(var) | Binding::Deferred { var, .. } => {
                let ty = &self.l.func.var(*var).ty;
                let scalar = self.l.types.is_plain(ty);
                self.l.unstable.contains(var) && !scalar
            }
            Binding::View { view, .. } => view.mutable,
            Binding::Tuple(_) | Binding::Poisoned => false,
        }
    }

    fn replace_name(&mut self, e: &mut syn::Expr, ident: &Ident, access: Access) {
        let Some(binding) = self.l.lookup(ident) else {
            self.l.nonlocal.insert(ident.unraw().to_string());
            return;
        };
        let span = ident.span();
        let value = self.l.bound(binding, span);
        *e = match (value, access) {
            (Value::Place(place, _), Access::Write) => self.written(place, span),
            (Value::Ref(view), Access::Write) => {
                let view = self.shallow_view(view.place, view.depth, span);
                self.builder.impure = true;
                let name = self.builder.arg(self.l, OpaqueArg::RefMut(view), span);
                syn::parse_quote!((*#name))
            }
            (Value::Ref(view), Access::Look | Access::Share) => {
                let place = self.shallow_view(view.place, view.depth, span);
                self.builder.arg(self.l, OpaqueArg::Ref(place), span)
            }
            (Value::Place(place, _), Access::Share) => {
                let name = self.builder.arg(self.l, OpaqueArg::Ref(place), span);
                syn::parse_quote!((*#name))
            }
            (value, _) => self.builder.operand(self.l, value, span),
        };
    }

    fn shallow_view(&mut self, place: Place, depth: u8, span: Span) -> Place {
        if depth > 0 {
            self.l.diags.at(span, catalog::reference_too_dynamic());
        }
        place
    }

    fn written(&mut self, place: Place, span: Span) -> syn::Expr {
        self.builder.impure = true;
        let name = self.builder.arg(self.l, OpaqueArg::RefMut(place), span);
        syn::parse_quote!((*#name))
    }

    /// Renames a chain of fields and indices, its root being used with this access.
    fn visit_chain(&mut self, e: &mut syn::Expr, access: Access) {
        match e {
            syn::Expr::Paren(p) => self.visit_chain(&mut p.expr, access),
            syn::Expr::Group(g) => self.visit_chain(&mut g.expr, access),
            syn::Expr::Field(f) => self.visit_chain(&mut f.base, access),
            syn::Expr::Index(i) => {
                self.visit_chain(&mut i.expr, access);
                self.visit_expr_mut(&mut i.index);
            }
            syn::Expr::Path(path) => {
                let ident = plain_ident(path).cloned();
                if let Some(ident) = ident.filter(|ident| !self.is_own(ident)) {
                    self.replace_name(e, &ident, access);
                }
            }
            syn::Expr::Unary(u)
                if access == Access::Write
                    && matches!(u.op, syn::UnOp::Deref(_))
                    && self.root_of(&u.expr).is_some() =>
            {
                // `*r` of a view: the written place itself.
                self.visit_chain(&mut u.expr, access);
                let inner = (*u.expr).clone();
                *e = inner;
            }
            other => self.visit_expr_mut(other),
        }
    }

    fn refuse_jump(&mut self, e: &syn::Expr, what: &str) {
        self.l.diags.over(e, catalog::jump_in_code(what));
    }

    fn visit_statement(&mut self, stmt: &mut syn::Stmt) {
        match stmt {
            syn::Stmt::Local(local) => {
                if let Some(init) = &mut local.init {
                    self.visit_expr_mut(&mut init.expr);
                    if let Some((_, diverge)) = &mut init.diverge {
                        self.visit_expr_mut(diverge);
                    }
                }
                let pat = local.pat.clone();
                self.bind(&pat);
            }
            syn::Stmt::Expr(e, _) => self.visit_expr_mut(e),
            syn::Stmt::Macro(m) => {
                let mut scopes = std::mem::take(&mut self.scopes);
                self.l.rename_macro(self.builder, &mut m.mac, &mut scopes);
                self.scopes = scopes;
            }
            syn::Stmt::Item(item) => self.l.diags.over(item, catalog::item_in_body("an item")),
        }
    }

    fn method(&mut self, call: &mut syn::ExprMethodCall) {
        let root = self.root_of(&call.receiver);
        if root.is_some_and(|root| self.is_writable(&root)) {
            let reads = only_reads(&call.method.to_string());
            let access = if reads { Access::Share } else { Access::Write };
            self.visit_chain(&mut call.receiver, access);
        } else {
            self.visit_expr_mut(&mut call.receiver);
            call.receiver = Box::new(atom((*call.receiver).clone()));
        }
        call.args
            .iter_mut()
            .for_each(|arg| self.visit_argument(arg));
    }

    /// An argument that is a mutable view by name is re-borrowed: the callee may write through it.
    fn visit_argument(&mut self, arg: &mut syn::Expr) {
        if let syn::Expr::Path(path) = arg {
            let ident = plain_ident(path).cloned();
            if let Some(ident) = ident.filter(|i| !self.is_own(i)) {
                if let Some(Binding::View { view, .. }) = self.l.lookup(&ident) {
                    if view.mutable {
                        self.builder.impure = true;
                        *arg =
                            self.builder
                                .arg(self.l, OpaqueArg::RefMut(view.place), ident.span());
                        return;
                    }
                }
            }
        }
        self.visit_expr_mut(arg);
    }
}

impl VisitMut for Renamer<'_, '_, '_> {
    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        match e {
            syn::Expr::Path(path) => {
                if let Some(ident) = plain_ident(path).cloned() {
                    if !self.is_own(&ident) {
                        self.replace_name(e, &ident, Access::Look);
                    }
                } else {
                    let path = path.path.clone();
                    self.l.note_nonlocal(&path);
                }
            }
            syn::Expr::Reference(r)
                if r.mutability.is_some() && self.root_of(&r.expr).is_some() =>
            {
                self.visit_chain(&mut r.expr, Access::Write)
            }
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => {
                self.visit_expr_mut(&mut u.expr);
                u.expr = Box::new(atom((*u.expr).clone()));
            }
            syn::Expr::Group(group) => {
                // Invisible delimiters are lost when tokens are parsed again.
                self.visit_expr_mut(&mut group.expr);
                let inner = (*group.expr).clone();
                *e = syn::parse_quote!((#inner));
            }
            syn::Expr::MethodCall(call) => self.method(call),
            syn::Expr::Call(call) => {
                self.visit_expr_mut(&mut call.func);
                self.builder.impure = true;
                call.args
                    .iter_mut()
                    .for_each(|arg| self.visit_argument(arg));
            }
            syn::Expr::Assign(a) => {
                if self.root_of(&a.left).is_some() {
                    self.l.diags.over(&a.left, catalog::assignment_in_code());
                } else {
                    visit_expr_mut(self, e);
                }
            }
            syn::Expr::Binary(b)
                if compound_operator(&b.op).is_some() && self.root_of(&b.left).is_some() =>
            {
                self.l.diags.over(&b.left, catalog::assignment_in_code());
            }
            syn::Expr::Closure(c) => {
                self.closures += 1;
                let loops = std::mem::take(&mut self.loops);
                self.in_scope(|s| {
                    for pat in c.inputs.clone() {
                        s.bind(&pat);
                    }
                    s.visit_expr_mut(&mut c.body);
                });
                self.loops = loops;
                self.closures -= 1;
            }
            syn::Expr::Return(_) if self.closures == 0 => self.refuse_jump(&e.clone(), "return"),
            syn::Expr::Try(t) if self.closures == 0 => self
                .l
                .diags
                .over(&t.question_token, catalog::question_mark()),
            syn::Expr::Await(a) => self.l.diags.over(&a.await_token, catalog::async_block()),
            syn::Expr::Yield(_) => self.refuse_jump(&e.clone(), "yield"),
            syn::Expr::Unsafe(u) => self.l.diags.over(&u.unsafe_token, catalog::unsafe_block()),
            syn::Expr::Async(a) => self.l.diags.over(&a.async_token, catalog::async_block()),
            syn::Expr::Break(b) if self.loops == 0 || b.label.is_some() => {
                self.refuse_jump(&e.clone(), "break")
            }
            syn::Expr::Continue(c) if self.loops == 0 || c.label.is_some() => {
                self.refuse_jump(&e.clone(), "continue")
            }
            syn::Expr::If(i) => {
                self.in_scope(|s| {
                    s.visit_expr_mut(&mut i.cond);
                    s.visit_block_mut(&mut i.then_branch);
                });
                if let Some((_, otherwise)) = &mut i.else_branch {
                    self.visit_expr_mut(otherwise);
                }
            }
            syn::Expr::Let(l) => {
                self.visit_expr_mut(&mut l.expr);
                let pat = (*l.pat).clone();
                self.bind(&pat);
            }
            syn::Expr::While(w) => {
                self.loops += 1;
                self.in_scope(|s| {
                    s.visit_expr_mut(&mut w.cond);
                    s.visit_block_mut(&mut w.body);
                });
                self.loops -= 1;
            }
            syn::Expr::ForLoop(f) => {
                self.visit_expr_mut(&mut f.expr);
                self.loops += 1;
                self.in_scope(|s| {
                    let pat = (*f.pat).clone();
                    s.bind(&pat);
                    s.visit_block_mut(&mut f.body);
                });
                self.loops -= 1;
            }
            syn::Expr::Loop(l) => {
                self.loops += 1;
                self.visit_block_mut(&mut l.body);
                self.loops -= 1;
            }
            syn::Expr::Match(m) => {
                self.visit_expr_mut(&mut m.expr);
                for arm in &mut m.arms {
                    self.in_scope(|s| {
                        s.bind(&arm.pat);
                        if let Some((_, guard)) = &mut arm.guard {
                            s.visit_expr_mut(guard);
                        }
                        s.visit_expr_mut(&mut arm.body);
                    });
                }
            }
            syn::Expr::Macro(m) => {
                let mut scopes = std::mem::take(&mut self.scopes);
                self.l.rename_macro(self.builder, &mut m.mac, &mut scopes);
                self.scopes = scopes;
            }
            syn::Expr::Struct(s) => {
                self.l.note_nonlocal(&s.path);
                for field in &mut s.fields {
                    self.visit_expr_mut(&mut field.expr);
                    // `S { x }` needs its colon once `x` has another name.
                    field.colon_token = Some(syn::Token![:](Span::call_site()));
                }
                if let Some(rest) = &mut s.rest {
                    self.visit_expr_mut(rest);
                }
            }
            other => visit_expr_mut(self, other),
        }
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        self.in_scope(|s| {
            block
                .stmts
                .iter_mut()
                .for_each(|stmt| s.visit_statement(stmt))
        });
    }

    fn visit_pat_mut(&mut self, _: &mut syn::Pat) {}

    fn visit_type_mut(&mut self, _: &mut syn::Type) {}
}

/// Renames inside one expression of a macro's arguments, under the names that the code around it binds.
pub(super) fn rename_under(
    l: &mut Lowerer<'_>,
    builder: &mut Builder,
    scopes: &mut Vec<HashSet<String>>,
    e: &mut syn::Expr,
) {
    let mut renamer = Renamer {
        builder,
        l,
        scopes: std::mem::take(scopes),
        closures: 0,
        loops: 0,
    };
    renamer.visit_expr_mut(e);
    *scopes = renamer.scopes;
}

/// Adds the names of a pattern to the innermost scope.
pub(super) fn bind_under(builder: &mut Builder, scopes: &mut Vec<HashSet<String>>, pat: &syn::Pat) {
    let names = pattern_names(pat);
    builder
        .bound
        .extend(names.iter().map(|i| i.unraw().to_string()));
    scopes.push(names.iter().map(key).collect());
}

/// Whether a name is bound by the code itself.
pub(super) fn is_bound(scopes: &[HashSet<String>], ident: &Ident) -> bool {
    let key = key(ident);
    scopes.iter().any(|scope| scope.contains(&key))
}

impl Lowerer<'_> {
    /// Lowers a value inside code that may be kept, where `value` alone would be ambiguous.
    pub(super) fn kept_argument(&mut self, builder: &mut Builder, e: &syn::Expr) -> syn::Expr {
        if matches!(strip(e), syn::Expr::Closure(_) | syn::Expr::Range(_)) {
            return builder.verbatim(self, e);
        }
        let mark = self.mark();
        let value = self.value(e, Want::Value);
        debug_assert!(self.mark() >= mark);
        builder.operand(self, value, span_of(e))
    }
}
