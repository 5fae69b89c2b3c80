//! Values that are shared and only read: `Rc`, `Arc`, `Cow`, and references in tuples and options that are given to a
//! function.
//!
//! What several owners share does not change while they do, so that each may have a copy: the pointer is the value.

use proc_macro2::Span;
use quote::quote;

use super::Lowerer;
use super::operator::strip;
use super::scope::name_of;
use super::value::{Value, Want, holds_reference, span_of};
use crate::ir::{Expr, ExprKind, KnownMacro, Ty};

impl Lowerer<'_> {
    /// Whether a call makes a value of one of these types with a derivative, or another owner of one.
    pub(super) fn shares(&mut self, names: &[&str], call: &syn::ExprCall) -> bool {
        let makes = matches!(
            names,
            [.., "Rc" | "Arc", "new" | "clone"] | [.., "Cow", "Borrowed" | "Owned"]
        );
        makes && call.args.len() == 1 && self.lenient == 0 && self.mentions_active(&call.args)
    }

    /// What makes sure that the path is that of std: a type of the user's may have the name.
    fn note_pointer(&mut self, path: &syn::ExprPath, of: &str, name: &str) {
        let mut path = path.path.clone();
        for segment in &mut path.segments {
            segment.arguments = syn::PathArguments::None;
        }
        self.note_nonlocal(&path);
        let pointer = match of {
            "Rc" => quote!(::std::rc::Rc<u8>),
            "Arc" => quote!(::std::sync::Arc<u8>),
            _ => quote!(::std::borrow::Cow<'static, [u8]>),
        };
        let taken = match name {
            "new" => quote!(u8),
            "clone" => quote!(&#pointer),
            "Borrowed" => quote!(&'static [u8]),
            _ => quote!(::std::vec::Vec<u8>),
        };
        let check = KnownMacro {
            path: path.clone(),
            krate: None,
            prefix: None,
            harmless: quote!(let _: fn(#taken) -> #pointer = #path;),
        };
        let known = &mut self.func.known_macros;
        if !known.iter().any(|known| known.path == path) {
            known.push(check);
        }
    }

    /// `Rc::new(e)`, `Rc::clone(&e)`, `Cow::Borrowed(&e)`: the value.
    pub(super) fn shared(
        &mut self,
        path: &syn::ExprPath,
        names: &[&str],
        call: &syn::ExprCall,
        span: Span,
    ) -> Value {
        if let [.., of, name] = names {
            self.note_pointer(path, of, name);
        }
        let value = self.value(&call.args[0], Want::Value);
        if matches!(value, Value::Error | Value::Never) {
            return value;
        }
        let value = self.copied_behind(value, span);
        Value::Expr(self.in_temp("shared", value))
    }

    /// A copy of what a shared reference leads to, or the value.
    fn copied_behind(&mut self, value: Value, span: Span) -> Expr {
        match self.referent(value) {
            Value::Ref(view) if !view.mutable => {
                let element = match self.types.shallow(&view.ty) {
                    Ty::Slice(element) => Some(element),
                    _ => None,
                };
                match element {
                    Some(element) => {
                        let copy = ExprKind::ToVec(view.place);
                        self.settle(Expr::new(copy, Ty::Vec(element), span))
                    }
                    None => self.read(view.place, view.ty),
                }
            }
            other => self.stored(other, span),
        }
    }

    /// A value that a function is given: the references in a tuple or in an option stay what they are.
    pub(super) fn given(&mut self, value: Value, span: Span) -> Expr {
        match value {
            Value::Tuple(parts, span) if parts.iter().any(holds_reference) => {
                let parts: Vec<Expr> = parts.into_iter().map(|v| self.given(v, span)).collect();
                let ty = Ty::Tuple(parts.iter().map(|e| e.ty.clone()).collect());
                Expr::new(ExprKind::Tuple(parts), ty, span)
            }
            Value::Ref(view) if !view.mutable && !self.references.contains(&view.place.root) => {
                let ty = Ty::Ref(false, Box::new(view.ty));
                Expr::new(ExprKind::Read(view.place), ty, span)
            }
            other => self.stored(other, span),
        }
    }

    /// `Some(&e)`, given to a function.
    pub(super) fn given_option(&mut self, e: &syn::Expr) -> Option<Value> {
        let syn::Expr::Call(call) = strip(e) else {
            return None;
        };
        let (Some(inner @ syn::Expr::Reference(r)), 1) =
            (call.args.first().map(strip), call.args.len())
        else {
            return None;
        };
        let some = name_of(&call.func).is_some_and(|name| name == "Some");
        if !some || r.mutability.is_some() || self.lenient > 0 {
            return None;
        }
        let span = span_of(e);
        let value = self.value(inner, Want::Value);
        if matches!(value, Value::Error | Value::Never) {
            return Some(value);
        }
        let value = self.given(value, span);
        let ty = Ty::Option(Box::new(value.ty.clone()));
        let some = ExprKind::Some(Box::new(value));
        Some(Value::Expr(Expr::new(some, ty, span)))
    }

    /// The type of what such a pointer leads to, where its text shows it and it may carry a derivative.
    pub(super) fn shared_annotation(&mut self, written: Option<&syn::Type>) -> Option<Ty> {
        let ty = match self.annotation(written?) {
            Ty::Slice(element) => Ty::Vec(element),
            ty => ty,
        };
        (!self.types.is_passive(&ty)).then_some(ty)
    }
}
