//! `match`: the patterns are kept verbatim in a selector that yields the number of the arm.

use proc_macro2::Span;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::visit::Visit;

use super::Lowerer;
use super::looking::{self, Looking, Mode, Modes};
use super::opaque::Builder;
use super::operator::strip;
use super::prescan::mentions;
use super::value::{Value, View, Want, span_of};
use crate::diag::catalog;
use crate::ir::{Block, Expr, ExprKind, OpaqueArg, OpaqueKind, Place, Proj, StmtKind, Ty, literal};

impl Lowerer<'_> {
    /// What a `match` looks at: places that do not change until an arm begins.
    pub(super) fn scrutinee(&mut self, e: &syn::Expr) -> Value {
        let value = match self.lasting(e) {
            Some(value) => value,
            None => self.pointee(e),
        };
        self.fixed(value, span_of(e))
    }

    /// `name.to_lowercase().as_str()`: what a method lends of a value that nothing else has lives as long as the arms.
    fn lasting(&mut self, e: &syn::Expr) -> Option<Value> {
        let syn::Expr::MethodCall(call) = strip(e) else {
            return None;
        };
        let lends = matches!(
            call.method.to_string().as_str(),
            "as_str"
                | "as_ref"
                | "as_bytes"
                | "as_slice"
                | "as_deref"
                | "trim"
                | "trim_start"
                | "trim_end"
        );
        let receiver = strip(&call.receiver);
        let made = matches!(
            receiver,
            syn::Expr::MethodCall(_) | syn::Expr::Call(_) | syn::Expr::Macro(_)
        );
        if !lends
            || !made
            || !call.args.is_empty()
            || self.lenient > 0
            || self.mentions_active(receiver)
        {
            return None;
        }
        let span = span_of(receiver);
        let owner = match self.lasting(receiver) {
            Some(value) => value,
            None => self.value(receiver, Want::Value),
        };
        let owner = self.stored_raw(owner, span);
        let ty = owner.ty.clone();
        let var = self.temp_let("owner", owner);
        let place = Value::Place(Place::var(var, span), ty);
        Some(self.method_on(place, call, Want::Value))
    }

    pub(super) fn fixed(&mut self, value: Value, span: Span) -> Value {
        match value {
            Value::Place(place, ty) if self.references.contains(&place.root) => {
                let view = self.freeze_view(View::new(place, ty, false));
                Value::Place(view.place, view.ty)
            }
            Value::Place(place, ty) => Value::Place(self.freeze_place(place), ty),
            Value::Ref(view) => Value::Ref(self.freeze_view(view)),
            Value::Tuple(values, span) => Value::Tuple(
                values.into_iter().map(|v| self.fixed(v, span)).collect(),
                span,
            ),
            Value::Expr(Expr {
                kind: ExprKind::Read(place),
                ty,
                ..
            }) if place.is_var() && !self.unstable.contains(&place.root) => Value::Place(place, ty),
            Value::Error => Value::Error,
            other => {
                let e = self.stored_raw(other, span);
                let ty = e.ty.clone();
                let var = self.temp_let("scrutinee", e);
                Value::Place(Place::var(var, span), ty)
            }
        }
    }

    fn scrutinee_code(
        &mut self,
        builder: &mut Builder,
        (value, pats): (&Value, &[&syn::Pat]),
        modes: &Modes,
        span: Span,
    ) -> syn::Expr {
        match value {
            Value::Tuple(values, _) => {
                let parts = values.iter().enumerate();
                let parts = parts
                    .map(|(n, v)| {
                        let pats = looking::patterns_of_part(pats, n, values.len());
                        self.scrutinee_code(builder, (v, &pats), modes.part(n), span)
                    })
                    .collect::<Vec<_>>();
                syn::parse_quote!((#(#parts,)*))
            }
            // A tuple would take what cannot be copied.
            Value::Place(place, _) if matches!(modes, Modes::One(Mode::Shared)) => {
                builder.arg(self, OpaqueArg::Ref(place.clone()), span)
            }
            Value::Place(place, _) => builder.arg(self, OpaqueArg::Place(place.clone()), span),
            Value::Ref(view) => {
                let place = self.coerced(view);
                let option = matches!(self.types.shallow(&view.ty), Ty::Option(_));
                let code = builder.arg(self, OpaqueArg::Ref(place), span);
                // An option of a copy stands for one of a reference.
                if option && looking::takes_references(pats) {
                    syn::parse_quote!(::core::option::Option::as_ref(#code))
                } else {
                    code
                }
            }
            other => {
                let other = other.clone();
                builder.operand(self, other, span)
            }
        }
    }

    /// What a reference to a slice points to, as a slice: the place itself may be an array or a vector.
    fn coerced(&self, view: &View) -> Place {
        let slice = matches!(self.types.shallow(&view.ty), Ty::Slice(_));
        let own = super::finish::place_type(&self.func, &view.place, &|ty| self.types.shallow(ty));
        if slice && matches!(own, Ty::Array(..) | Ty::Vec(_)) {
            view.place.then(Proj::Range {
                lo: None,
                hi: None,
                inclusive: false,
            })
        } else {
            view.place.clone()
        }
    }

    /// Whether `value` matches `pat` and its guard, as a `bool`.
    pub(super) fn selects(
        &mut self,
        pat: &syn::Pat,
        guard: Option<&syn::Expr>,
        value: &Value,
        span: Span,
    ) -> Expr {
        if matches!(value, Value::Error) {
            return self.dummy(span);
        }
        let mut builder = Builder {
            folds: true,
            ..Builder::default()
        };
        let modes = self.modes(value, false);
        let scrutinee = self.scrutinee_code(&mut builder, (value, &[pat]), &modes, span);
        let guard = guard.map(|guard| self.guard(&mut builder, pat, guard));
        let Looking { pat, guard } = self.looking(pat, guard, &modes);
        let guard = guard.map(|guard| quote::quote!(if #guard));
        let code = syn::parse_quote!(match #scrutinee { #pat #guard => true, _ => false });
        builder.finish(self, code, OpaqueKind::Other("a pattern"), Ty::Bool, span)
    }

    /// `matches!`
    pub(super) fn pattern_test(
        &mut self,
        scrutinee: &syn::Expr,
        pat: &syn::Pat,
        guard: Option<&syn::Expr>,
        span: Span,
    ) -> Expr {
        self.passive += 1;
        let value = self.scrutinee(scrutinee);
        self.passive -= 1;
        self.selects(pat, guard, &value, span)
    }

    fn guard(&mut self, builder: &mut Builder, pat: &syn::Pat, guard: &syn::Expr) -> syn::Expr {
        let mut effects = Assignments(Vec::new());
        effects.visit_expr(guard);
        if let Some(assignment) = effects.0.first() {
            self.diags.over(assignment, catalog::guard_effect());
            return syn::parse_quote!(true);
        }
        match self.guard_value(pat, guard) {
            Some(value) => builder.value(self, value),
            None => builder.verbatim_under(self, pat, guard),
        }
    }

    /// The expression as a pure one, if it is that; nothing is emitted or reported.
    pub(super) fn attempt(&mut self, e: &syn::Expr) -> Option<Expr> {
        let reported = self.diags.len();
        self.open();
        self.passive += 1;
        let span = span_of(e);
        let value = match self.value(e, Want::Value) {
            // A question about a number has no need of a variable for its answer.
            Value::Opaque(o, ty, span) if super::effects::is_pure(&o) && ty.is_scalar() => {
                Expr::new(ExprKind::Opaque(o), ty, span)
            }
            other => self.operand(other, span),
        };
        self.passive -= 1;
        let (block, _) = self.close();
        // What cannot be lowered may still be kept as written.
        let failed = self.diags.len() > reported;
        self.diags.truncate(reported);
        (block.stmts.is_empty() && !failed).then_some(value)
    }

    /// The guard as a pure expression, if it is one and uses no name of the pattern.
    fn guard_value(&mut self, pat: &syn::Pat, guard: &syn::Expr) -> Option<Expr> {
        let tokens = guard.to_token_stream();
        let bound = super::opaque::pattern_names(pat);
        if bound
            .iter()
            .any(|name| mentions(&tokens, &name.unraw().to_string()))
        {
            return None;
        }
        self.attempt(guard)
    }

    pub(super) fn match_expr(&mut self, m: &syn::ExprMatch, want: Want) -> Value {
        if let Some(value) = self.match_result(m, want) {
            return value;
        }
        if let Some(branch) = as_if_let(m) {
            return self.if_expr(&branch, want);
        }
        let value = self.scrutinee(&m.expr);
        self.match_on(value, m, want)
    }

    /// A `match` on a value that has been lowered.
    pub(super) fn match_on(&mut self, value: Value, m: &syn::ExprMatch, want: Want) -> Value {
        let span = span_of(m);
        if matches!(value, Value::Never) {
            return Value::Never;
        }
        if separate(&m.arms).len() > 255 {
            return self.refuse(
                &m.match_token,
                catalog::unsupported_expression("a `match` with more than 255 arms"),
            );
        }
        if m.arms.is_empty() {
            return self.refuse(
                &m.match_token,
                catalog::unsupported_expression("a `match` without arms"),
            );
        }
        let written = separate(&m.arms);
        let selector = self.arm_number(&written, &value, span);
        let mut join = self.join(want);
        let mut arms = Vec::new();
        let mut diverged = true;
        for arm in &written {
            let (block, left) = self.arm(arm, value.clone(), &mut join, want);
            diverged &= left;
            arms.push(block);
        }
        self.join_declare(&join, span);
        self.emit(StmtKind::Switch { selector, arms }, span);
        if diverged {
            self.diverge();
            return Value::Never;
        }
        self.join_result(join, span)
    }

    /// `match scrutinee { pat if guard => 0u8, … }`
    fn arm_number(&mut self, written: &[syn::Arm], value: &Value, span: Span) -> Expr {
        if matches!(value, Value::Error) {
            return self.dummy(span);
        }
        let mut builder = Builder {
            folds: true,
            ..Builder::default()
        };
        let modes = self.modes(value, false);
        let pats: Vec<&syn::Pat> = written.iter().map(|arm| &arm.pat).collect();
        let scrutinee = self.scrutinee_code(&mut builder, (value, &pats), &modes, span);
        let mut arms: Vec<syn::Arm> = Vec::new();
        for (n, arm) in written.iter().enumerate() {
            let guard = arm.guard.as_ref().map(|(_, guard)| &**guard);
            let guard = guard.map(|guard| self.guard(&mut builder, &arm.pat, guard));
            let Looking { pat, guard } = self.looking(&arm.pat, guard, &modes);
            let guard = guard.map(|guard| quote::quote!(if #guard));
            let number = literal::in_code(n, "u8", span_of(&arm.pat));
            arms.push(syn::parse_quote!(#pat #guard => #number,));
        }
        let code = syn::parse_quote!(match #scrutinee { #(#arms)* });
        builder.finish(self, code, OpaqueKind::Other("a pattern"), Ty::U8, span)
    }

    fn arm(
        &mut self,
        arm: &syn::Arm,
        value: Value,
        join: &mut super::join::Join,
        want: Want,
    ) -> (Block, bool) {
        if !self.plain_attributes(&arm.attrs) {
            self.diags.over(&arm.attrs[0], catalog::checkpoint_target());
        }
        let users = arm.body.to_token_stream();
        self.open();
        self.scoped(|l| {
            l.bind_arm(&arm.pat, value, &users);
            l.arm_value(&arm.body, join, want);
        });
        self.close()
    }

    /// The value of a branch goes into the join.
    pub(super) fn arm_value(&mut self, body: &syn::Expr, join: &mut super::join::Join, want: Want) {
        let span = span_of(body);
        if want == Want::Discard {
            let value = self.statement(body, Want::Discard);
            self.discard(value, span);
        } else {
            let value = self.value(body, Want::Value);
            self.join_value(join, value, span);
        }
    }
}

/// Alternatives that bind names at different places become arms of their own, with the same guard and body.
fn separate(arms: &[syn::Arm]) -> Vec<syn::Arm> {
    let mut separated = Vec::new();
    for arm in arms {
        let users = arm.body.to_token_stream();
        for pat in super::alternatives::separate(&arm.pat, &users) {
            separated.push(syn::Arm { pat, ..arm.clone() });
        }
    }
    separated
}

/// The assignments in a guard.
struct Assignments(Vec<syn::Expr>);

impl<'ast> Visit<'ast> for Assignments {
    fn visit_expr(&mut self, e: &'ast syn::Expr) {
        match e {
            syn::Expr::Assign(_) => self.0.push(e.clone()),
            syn::Expr::Binary(b) if super::operator::compound_operator(&b.op).is_some() => {
                self.0.push(e.clone())
            }
            _ => syn::visit::visit_expr(self, e),
        }
    }
}

/// `match e { Some(p) => …, None => … }` as `if let`, which has the item itself where `e` asks for one that has no
/// copy.
fn as_if_let(m: &syn::ExprMatch) -> Option<syn::ExprIf> {
    if !super::parts::asks_for_itself(&m.expr) {
        return None;
    }
    let [a, b] = [m.arms.first()?, m.arms.get(1)?];
    let plain = |arm: &syn::Arm| arm.guard.is_none() && arm.attrs.is_empty();
    let none = |pat: &syn::Pat| match pat {
        syn::Pat::Wild(_) => true,
        syn::Pat::Ident(p) => p.ident == "None",
        _ => false,
    };
    let some = |pat: &syn::Pat| super::condition::always_some(pat).is_some();
    let (some, none) = match (&a.pat, &b.pat) {
        (p, q) if some(p) && none(q) => (a, b),
        (p, q) if matches!(p, syn::Pat::Ident(_)) && none(p) && some(q) => (b, a),
        _ => return None,
    };
    if m.arms.len() != 2 || !plain(a) || !plain(b) {
        return None;
    }
    let (pat, e, then, otherwise) = (&some.pat, &m.expr, &some.body, &none.body);
    Some(syn::parse_quote!(if let #pat = #e { #then } else { #otherwise }))
}
