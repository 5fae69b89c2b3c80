//! `Result`: functions that return one, and the two halves of one.
//!
//! A `Result` is two variables: its value, as an `Option`, and its error, which carries no derivative. The first is
//! what every stage sees; the emitter takes apart what a callee yields, and puts together what the function yields.

use proc_macro2::{Ident, Span};

use super::Lowerer;
use super::bodies::{Shown, shown};
use super::fallible_ends::{end_shown, may_fail};
use super::infer::Kind;
use super::opaque::Builder;
use super::operator::strip;
use super::outcome::constructed;
use super::value::{Value, View, Want, span_of};
use crate::diag::catalog;
use crate::ir::{ERROR, Expr, ExprKind, Opaque, OpaqueArg, OpaqueKind, Place, StmtKind, Ty, VarId};

/// The kind of code that has a `Result`.
pub(super) const RESULT: &str = "a `Result`";

/// Whether code moves the value of a `Result`, or its error, out of its variable.
pub(super) fn moves(code: &Opaque) -> bool {
    matches!(&code.kind, OpaqueKind::Macro(name) if name == RESULT || name == ERROR)
}

/// `E` of `Ok::<T, E>(…)`.
fn error_of_path(e: &syn::Expr) -> Option<syn::Type> {
    let syn::Expr::Call(call) = strip(e) else {
        return None;
    };
    let syn::Expr::Path(path) = strip(&call.func) else {
        return None;
    };
    let last = path.path.segments.last()?;
    let named = last.ident == "Ok" || last.ident == "Err";
    let syn::PathArguments::AngleBracketed(args) = &last.arguments else {
        return None;
    };
    match args.args.iter().nth(1)? {
        syn::GenericArgument::Type(t) if named && !matches!(t, syn::Type::Infer(_)) => {
            Some(t.clone())
        }
        _ => None,
    }
}

/// What makes a text of values: a part of an error, which carries no derivative.
fn is_text(kind: &OpaqueKind) -> bool {
    matches!(kind, OpaqueKind::Call(name) if name == "format!" || name == "to_string")
}

/// Methods that yield a position where they find something, and one where they do not: rustc checks that both are.
pub(super) fn is_search(method: &Ident) -> bool {
    method.to_string().starts_with("binary_search")
}

/// Methods that yield a `Result`.
pub(super) fn is_of_results(name: &str) -> bool {
    matches!(
        name,
        "ok_or" | "ok_or_else" | "map_err" | "and_then" | "or_else" | "context" | "with_context"
    )
}

/// A `Result`, or an `Option`, taken apart.
#[derive(Clone)]
pub(super) struct Halves {
    /// An `Option`.
    pub(super) value: Place,
    pub(super) payload: Ty,
    /// An `Option` too, `None` for a value.
    pub(super) error: VarId,
    /// The option lies behind a reference, its value too: whether that can be written to.
    pub(super) behind: Option<bool>,
    /// Nothing with a derivative goes into the value, so that it moves: it need not be something that can be copied.
    pub(super) moves: bool,
}

impl Halves {
    /// The first half as a value, of the type of an option.
    pub(super) fn as_option(&self, ty: Ty) -> Value {
        match self.behind {
            Some(mutable) => Value::Ref(View::new(self.value.clone(), ty, mutable)),
            None => Value::Place(self.value.clone(), ty),
        }
    }
}

impl Lowerer<'_> {
    /// Declares the variable for the error of a function that returns a `Result`.
    pub(super) fn declare_failure(&mut self, span: Span) {
        let var = self.new_error(span);
        self.func.failure = Some(var);
    }

    pub(super) fn new_error(&mut self, span: Span) -> VarId {
        let ty = Ty::Option(Box::new(Ty::Passive));
        let var = self.temp("error", ty.clone(), span);
        self.emit_let(var, Some(Expr::new(ExprKind::None, ty, span)), span);
        var
    }

    /// What yields the function's `Result`: the value as an `Option`.
    pub(super) fn outcome(&mut self, e: &syn::Expr) -> Value {
        let span = span_of(e);
        if let (Some(to), Some(written)) =
            (self.yielded.or_else(|| self.failure()), error_of_path(e))
        {
            self.type_error(to, &written, span);
        }
        if let Some(value) = constructed(e, "Ok") {
            let value = self.value(value, Want::Value);
            if matches!(value, Value::Never | Value::Error) {
                return value;
            }
            let value = self.stored(value, span);
            let ty = Ty::Option(Box::new(value.ty.clone()));
            return Value::Expr(Expr::new(ExprKind::Some(Box::new(value)), ty, span));
        }
        if let Some(error) = constructed(e, "Err") {
            let to = self.yielded.or_else(|| self.failure());
            self.fail(error, false, to, span);
            return self.none(span);
        }
        let halves = match self.halves(e) {
            Ok(halves) => halves,
            Err(value) => return value,
        };
        let to = self.yielded.or_else(|| self.failure());
        self.set_failure(halves.error, false, to, span);
        let ty = Ty::Option(Box::new(halves.payload));
        Value::Expr(self.read(halves.value, ty))
    }

    pub(super) fn none(&mut self, span: Span) -> Value {
        let ty = Ty::Option(Box::new(self.types.fresh(Kind::General)));
        Value::Expr(Expr::new(ExprKind::None, ty, span))
    }

    /// `failure = Some(error)`: the error is kept as written. `converts`: by `From`, as `?` does.
    pub(super) fn fail(
        &mut self,
        error: &syn::Expr,
        converts: bool,
        to: Option<VarId>,
        span: Span,
    ) {
        let mut builder = Builder::default();
        let error = self.error_code(&mut builder, error);
        let error = if converts {
            syn::parse_quote!(::core::convert::From::from(#error))
        } else {
            error
        };
        self.assign_failure(
            builder,
            syn::parse_quote!(::core::option::Option::Some(#error)),
            to,
            span,
        );
    }

    /// An error, or what makes one, kept as written.
    pub(super) fn error_code(&mut self, builder: &mut Builder, e: &syn::Expr) -> syn::Expr {
        let (declared, mark) = (self.func.vars.len(), self.mark());
        self.lenient += 1;
        let code = self.kept_argument(builder, e);
        self.lenient -= 1;
        if self.writes_outside(declared, mark) {
            self.diags.over(e, catalog::error_effect());
        }
        builder.hidden.retain(|(kind, _)| !is_text(kind));
        code
    }

    /// The error of a `Result` becomes that of the function, or of a closure.
    pub(super) fn set_failure(
        &mut self,
        error: VarId,
        converts: bool,
        to: Option<VarId>,
        span: Span,
    ) {
        // A closure for `and_then` has the error of its receiver.
        if to == Some(error) {
            return;
        }
        let mut builder = Builder::default();
        let error = builder.arg(self, OpaqueArg::RefMut(Place::var(error, span)), span);
        let code = if converts {
            syn::parse_quote!(::core::option::Option::take(#error).map(::core::convert::From::from))
        } else {
            syn::parse_quote!(::core::option::Option::take(#error))
        };
        self.assign_failure(builder, code, to, span);
    }

    fn assign_failure(
        &mut self,
        mut builder: Builder,
        code: syn::Expr,
        to: Option<VarId>,
        span: Span,
    ) {
        let Some(failure) = to else {
            return;
        };
        let failure = builder.arg(self, OpaqueArg::RefMut(Place::var(failure, span)), span);
        let code = syn::parse_quote!(*#failure = #code);
        let opaque = builder.build(self, code, OpaqueKind::Macro(ERROR.to_owned()));
        self.emit(StmtKind::Opaque(Box::new(opaque)), span);
    }

    /// The halves of a `Result`; else what there is instead.
    pub(super) fn halves(&mut self, e: &syn::Expr) -> Result<Halves, Value> {
        let e = strip(e);
        if let Some(halves) = self.bound_outcome(e) {
            return Ok(halves);
        }
        if let syn::Expr::Call(call) = e
            && self.lenient == 0
            && let Some(local) = self.called_closure(call)
            && shown(&local.closure) != Some(Shown::Option)
        {
            return self.outside_conditions(|l| l.closure_halves(&local, call));
        }
        if let syn::Expr::MethodCall(call) = e {
            match (call.method.to_string().as_str(), call.args.len()) {
                _ if self.lenient == 0
                    && may_fail(call)
                    && end_shown(call) != Some(Shown::Option)
                    && self.mentions_active(call) =>
                {
                    return self.outside_conditions(|l| l.fallible_end(call, true));
                }
                ("ok_or" | "ok_or_else", 1) => return self.halves_of_option(call),
                ("map_err", 1) => return self.with_other_error(call),
                ("map", 1) => return self.with_other_value(call),
                ("and_then" | "or_else", 1) => return self.with_other_result(call),
                ("context" | "with_context", 1) => return self.with_context(call),
                _ => {}
            }
        }
        if matches!(
            e,
            syn::Expr::If(_) | syn::Expr::Match(_) | syn::Expr::Block(_) | syn::Expr::Loop(_)
        ) {
            return self.halves_of_branches(e);
        }
        match self.fallible_call(e) {
            Ok(halves) => Ok(halves),
            Err(value) => self.halves_of_value(value, e),
        }
    }

    /// The halves of what branches yield.
    fn halves_of_branches(&mut self, e: &syn::Expr) -> Result<Halves, Value> {
        let span = span_of(e);
        let error = self.new_error(span);
        let marked = super::outcome::marked_value(e);
        let yielded = self.yielded.replace(error);
        let value = self.value(&marked, Want::Value);
        self.yielded = yielded;
        self.halves_with(value, error, span)
    }

    /// The halves of code without derivative.
    pub(super) fn halves_of_value(&mut self, value: Value, e: &syn::Expr) -> Result<Halves, Value> {
        let span = span_of(e);
        match value {
            Value::Never | Value::Error => Err(value),
            Value::Opaque(opaque, ..)
            | Value::Expr(Expr {
                kind: ExprKind::Opaque(opaque),
                ..
            }) => {
                let kind = opaque.kind.clone();
                let mut builder = Builder::default();
                let code = builder.inline(*opaque);
                self.halves_of_code(builder, code, kind, span)
            }
            other => {
                let ty = self.type_of(&other);
                if !self.types.is_passive(&ty) {
                    return Err(self.refuse(e, catalog::result_value()));
                }
                let mut builder = Builder::default();
                let code = builder.operand(self, other, span);
                self.halves_of_code(builder, code, OpaqueKind::Macro(RESULT.to_owned()), span)
            }
        }
    }

    /// Code kept as written yields the `Result`.
    fn halves_of_code(
        &mut self,
        mut builder: Builder,
        code: syn::Expr,
        kind: OpaqueKind,
        span: Span,
    ) -> Result<Halves, Value> {
        let error = self.new_error(span);
        let is_position = matches!(&kind, OpaqueKind::Method(m) if is_search(m));
        if is_position {
            self.func.var_mut(error).ty = Ty::Option(Box::new(Ty::USIZE));
        }
        let at = builder.arg(self, OpaqueArg::RefMut(Place::var(error, span)), span);
        let code = syn::parse_quote!(match #code {
            ::core::result::Result::Ok(__value) => ::core::option::Option::Some(__value),
            ::core::result::Result::Err(__error) => {
                *#at = ::core::option::Option::Some(__error);
                ::core::option::Option::None
            }
        });
        let payload = if is_position {
            Ty::USIZE
        } else {
            self.types.fresh(Kind::General)
        };
        let ty = Ty::Option(Box::new(payload.clone()));
        let opaque = builder.build(self, code, kind);
        let init = Expr::new(ExprKind::Opaque(Box::new(opaque)), ty, span);
        let value = Place::var(self.temp_let("value", init), span);
        Ok(Halves {
            value,
            payload,
            error,
            behind: None,
            moves: true,
        })
    }

    /// An `Option` as a place, the type of its payload, and whether it lies behind a reference that can be written to.
    pub(super) fn option_place(
        &mut self,
        e: &syn::Expr,
    ) -> Result<(Place, Ty, Option<bool>), Value> {
        let value = match self.fallible_call(strip(e)) {
            Ok(halves) => return Ok((halves.value, halves.payload, None)),
            Err(value @ (Value::Never | Value::Error)) => return Err(value),
            Err(value) => value,
        };
        let ty = self.type_of(&value);
        let payload = self.types.fresh(Kind::General);
        self.types
            .unify(&ty, &Ty::Option(Box::new(payload.clone())));
        let behind = match &value {
            Value::Ref(view) => Some(view.mutable),
            _ => None,
        };
        match self.place_of(value, span_of(e)) {
            Some((place, _)) => Ok((self.freeze_place(place), payload, behind)),
            None => Err(Value::Error),
        }
    }

    /// `option.ok_or(error)`, `option.ok_or_else(|| error)`
    fn halves_of_option(&mut self, call: &syn::ExprMethodCall) -> Result<Halves, Value> {
        let span = span_of(call);
        let (value, payload, behind) = self.option_place(&call.receiver)?;
        let some = self.is_some(value.clone(), span);
        let mut builder = Builder::default();
        let some = builder.value(self, some);
        let error = self.error_code(&mut builder, &call.args[0]);
        let code = if call.method == "ok_or" {
            syn::parse_quote!({
                let __error = #error;
                if #some { ::core::option::Option::None } else { ::core::option::Option::Some(__error) }
            })
        } else {
            syn::parse_quote!(
                if #some { ::core::option::Option::None } else { ::core::option::Option::Some((#error)()) }
            )
        };
        let error = self.error_of(builder, code, span);
        Ok(Halves {
            value,
            payload,
            error,
            behind,
            moves: false,
        })
    }

    /// `result.map_err(f)`
    fn with_other_error(&mut self, call: &syn::ExprMethodCall) -> Result<Halves, Value> {
        let span = span_of(call);
        let halves = self.halves(&call.receiver)?;
        let mut builder = Builder::default();
        let error = builder.arg(
            self,
            OpaqueArg::RefMut(Place::var(halves.error, span)),
            span,
        );
        self.lenient += 1;
        let map = builder.verbatim(self, &call.args[0]);
        self.lenient -= 1;
        builder.hidden.retain(|(kind, _)| !is_text(kind));
        let code = syn::parse_quote!(::core::option::Option::take(#error).map(#map));
        let error = self.error_of(builder, code, span);
        Ok(Halves { error, ..halves })
    }

    /// `result.map(f)`
    fn with_other_value(&mut self, call: &syn::ExprMethodCall) -> Result<Halves, Value> {
        let span = span_of(call);
        let halves = self.halves(&call.receiver)?;
        let option = Ty::Option(Box::new(halves.payload.clone()));
        let value = halves.as_option(option);
        let value = self.option_method(value, call, "map", &halves.payload);
        self.halves_with(value, halves.error, span)
    }

    pub(super) fn error_of(&mut self, builder: Builder, code: syn::Expr, span: Span) -> VarId {
        let ty = Ty::Option(Box::new(Ty::Passive));
        let opaque = builder.build(self, code, OpaqueKind::Macro(ERROR.to_owned()));
        let init = Expr::new(ExprKind::Opaque(Box::new(opaque)), ty, span);
        self.temp_let("error", init)
    }
}
