//! `a.map(|x| …)` on an array: a loop that fills another array. The closure is inlined.

use proc_macro2::Span;
use syn::punctuated::Punctuated;

use super::Lowerer;
use super::drive::Drive;
use super::infer::Kind;
use super::iterate::{Access, Iter};
use super::operator::strip;
use super::scope::{Binding, name_of, plain_ident};
use super::value::Value;
use crate::diag::catalog;
use crate::ir::{Expr, Len, Place, Proj, StmtKind, Ty};
use crate::surroundings::function_of_module;

impl Lowerer<'_> {
    /// Elements are mapped in order, as std does.
    pub(super) fn map_array(
        &mut self,
        receiver: Value,
        f: &syn::Expr,
        element: Ty,
        len: Box<Len>,
        span: Span,
    ) -> Value {
        let Some((place, _)) = self.place_of(receiver, span) else {
            return Value::Error;
        };
        // `map` takes the array by value: the closure can change the variable meanwhile.
        let ty = Ty::Array(Box::new(element.clone()), Some(len.clone()));
        let taken = self.read(place, ty);
        let items = self.temp_let("items", taken);
        let iter = Iter::Elements {
            place: Place::var(items, span),
            element,
            access: Access::Value,
        };
        let Some(drive) = self.drive(iter, None, span) else {
            return Value::Error;
        };
        let element = self.types.fresh(Kind::General);
        self.filled_array(drive, f, (element, len), span)
    }

    /// `std::array::from_fn::<T, N, _>(f)`
    pub(super) fn array_from_fn(
        &mut self,
        path: &syn::ExprPath,
        call: &syn::ExprCall,
        span: Span,
    ) -> Value {
        let generics = path.path.segments.last().map(|last| &last.arguments);
        let (mut element, mut len) = (None, None);
        if let Some(syn::PathArguments::AngleBracketed(args)) = generics {
            element = match args.args.first() {
                Some(syn::GenericArgument::Type(t)) => Some(t.clone()),
                _ => None,
            };
            len = match args.args.iter().nth(1) {
                Some(syn::GenericArgument::Const(e)) => Some(e.clone()),
                Some(syn::GenericArgument::Type(syn::Type::Path(p))) => Some(syn::parse_quote!(#p)),
                _ => None,
            };
        }
        let Some(len) = len else {
            return self.refuse(path, catalog::array_from_fn());
        };
        self.note_source(call, "from_fn", "array");
        let hi = self.passive_expr(&len);
        self.types.unify(&hi.ty, &Ty::USIZE);
        let hi = self.freeze("len", hi);
        let range = Iter::Range {
            lo: Expr::usize_literal(0, span),
            hi: Some(hi),
            inclusive: false,
        };
        let Some(drive) = self.drive(range, None, span) else {
            return Value::Error;
        };
        let len = Box::new(self.func.written.len(&len));
        let element = match element {
            Some(t) => self.annotation(&t),
            None => self.types.fresh(Kind::General),
        };
        self.filled_array(drive, &call.args[0], (element, len), span)
    }

    /// `a = array::from_fn(…)`, with the length of the variable.
    pub(super) fn assigned_from_fn(
        &mut self,
        left: &syn::Expr,
        right: &syn::Expr,
    ) -> Option<syn::Expr> {
        let Some(Binding::Var(var)) = self.lookup(name_of(left)?) else {
            return None;
        };
        let ty = self.func.var(var).ty.clone();
        let Ty::Array(_, Some(len)) = self.types.shallow(&ty) else {
            return None;
        };
        let len = self.func.written.len_tokens(&len);
        typed_from_fn(right, &syn::parse_quote!([_; #len]))
    }

    /// The arguments of a function of this module, with the lengths that it says in calls of `array::from_fn`.
    pub(super) fn given_from_fn(
        &self,
        path: &syn::ExprPath,
        args: &Punctuated<syn::Expr, syn::Token![,]>,
    ) -> Option<Punctuated<syn::Expr, syn::Token![,]>> {
        if !args
            .iter()
            .any(|arg| crate::ir::spells(quote::quote!(#arg), "from_fn"))
        {
            return None;
        }
        let function = function_of_module(self.func.name.span(), plain_ident(path)?)?;
        // What else is in scope there: constants alone, which are those of the module.
        if !function.sig.generics.params.is_empty() {
            return None;
        }
        let mut function = function;
        crate::aliases::written_out(&mut function);
        let mut typed = args.clone();
        for (arg, input) in typed.iter_mut().zip(&function.sig.inputs) {
            if let syn::FnArg::Typed(input) = input
                && let Some(e) = typed_from_fn(arg, &input.ty)
            {
                *arg = e;
            }
        }
        Some(typed)
    }

    /// An array of what the closure makes of each item.
    fn filled_array(
        &mut self,
        drive: Drive,
        f: &syn::Expr,
        (element, len): (Ty, Box<Len>),
        span: Span,
    ) -> Value {
        let ty = Ty::Array(Box::new(element.clone()), Some(len));
        let mapped = self.temp("mapped", ty.clone(), span);
        self.unstable.insert(mapped);
        self.emit_let(mapped, None, span);
        self.deferred.insert(mapped, span);
        let id = self.fresh_loop();
        self.open();
        let item = self.item(&drive.items, &drive.position);
        let value = self.apply(f, vec![item], span);
        if !self.diverged() {
            let value = self.stored(value, span);
            self.types.unify(&element, &value.ty);
            let place = Place::var(mapped, span).then(Proj::index(drive.position.clone()));
            let init = false;
            self.emit(StmtKind::Assign { place, value, init }, span);
        }
        let (body, _) = self.close();
        self.emit_drive(drive, id, body, span);
        Value::Expr(Expr::read_var(mapped, ty, span))
    }
}

/// Calls of `array::from_fn` with the type that is written for what they make, or for the struct around them.
pub(super) fn typed_from_fn(e: &syn::Expr, t: &syn::Type) -> Option<syn::Expr> {
    if let Some(made) = super::typed_fields::written_out(e, t) {
        return Some(made);
    }
    let syn::Expr::Call(call) = strip(e) else {
        return None;
    };
    let syn::Type::Array(array) = super::signature::ungroup(t) else {
        return None;
    };
    let mut call = call.clone();
    let syn::Expr::Path(path) = &mut *call.func else {
        return None;
    };
    let names = super::callee::segment_names(&path.path);
    let named =
        matches!(names.as_slice(), [.., module, name] if module == "array" && name == "from_fn");
    let last = path.path.segments.last_mut()?;
    if !named || !last.arguments.is_none() || call.args.len() != 1 {
        return None;
    }
    let (element, len) = (&array.elem, &array.len);
    last.arguments =
        syn::PathArguments::AngleBracketed(syn::parse_quote!(::<#element, { #len }, _>));
    if let syn::Expr::Lit(_) = len {
        last.arguments =
            syn::PathArguments::AngleBracketed(syn::parse_quote!(::<#element, #len, _>));
    }
    // What the closure ends with makes an element.
    if let Some(syn::Expr::Closure(closure)) = call.args.first_mut()
        && let Some(inner) = typed_from_fn(&closure.body, element)
    {
        *closure.body = inner;
    }
    Some(syn::Expr::Call(call))
}
