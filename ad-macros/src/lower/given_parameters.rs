//! Methods of `self` that are given parameters: `self.pass::<true>(x)`.
//!
//! Sweeps of a method are found by its name, which stands for all its parameters. By its path it is given them, so the
//! call is written `Self::pass::<true>(self, x)` where the text of the package shows that the type has the method,
//! which takes `self` by reference, and the file has no other function of the name.

use proc_macro2::Span;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

use crate::surroundings::{block_around, method_of, with_text};

/// The function with such calls by their paths, if there are any.
pub(super) fn written_out(item: &syn::ItemFn) -> Option<syn::ItemFn> {
    let mut calls = Calls::default();
    calls.visit_block(&item.block);
    let receiver = item.sig.receiver().filter(|_| calls.any)?;
    let at = item.sig.ident.span();
    let syn::Type::Path(own) = *block_around(at)?.self_ty else {
        return None;
    };
    let mut writer = Writer {
        own: own.path.segments.last()?.ident.clone(),
        by_reference: matches!(&*receiver.ty, syn::Type::Reference(_)),
        at,
        any: false,
    };
    let mut item = item.clone();
    writer.visit_block_mut(&mut item.block);
    writer.any.then_some(item)
}

/// Whether the call is one of these.
fn is_given(call: &syn::ExprMethodCall) -> bool {
    let of_self = matches!(&*call.receiver, syn::Expr::Path(path) if path.path.is_ident("self"));
    of_self && call.turbofish.is_some()
}

#[derive(Default)]
struct Calls {
    any: bool,
}

impl Visit<'_> for Calls {
    fn visit_expr_method_call(&mut self, call: &syn::ExprMethodCall) {
        self.any |= is_given(call);
        visit::visit_expr_method_call(self, call);
    }

    fn visit_item(&mut self, _: &syn::Item) {}
}

struct Writer {
    /// The name of the type.
    own: proc_macro2::Ident,
    by_reference: bool,
    at: Span,
    any: bool,
}

impl Writer {
    fn by_path(&self, call: &syn::ExprMethodCall) -> Option<syn::Expr> {
        let (name, parameters) = (&call.method, call.turbofish.as_ref()?);
        let sig = method_of(self.at, &self.own, name)?;
        let receiver = sig.receiver()?;
        let declared = format!("fn {name}");
        let once = |text: &str| {
            let behind = text.split(&declared).skip(1);
            let mut whole = behind.filter(|rest| rest.starts_with(['<', '(', ' ']));
            whole.nth(1).is_none()
        };
        let syn::Type::Reference(taken) = &*receiver.ty else {
            return None;
        };
        if receiver.reference.is_none() || !with_text(self.at, once)? {
            return None;
        }
        let this = &call.receiver;
        let this: syn::Expr = match (self.by_reference, taken.mutability.is_some()) {
            (true, _) => syn::parse_quote!(#this),
            (false, true) => syn::parse_quote!(&mut #this),
            (false, false) => syn::parse_quote!(&#this),
        };
        let arguments = call.args.iter();
        Some(syn::parse_quote!(Self::#name #parameters(#this, #(#arguments),*)))
    }
}

impl VisitMut for Writer {
    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        visit_mut::visit_expr_mut(self, e);
        if let syn::Expr::MethodCall(call) = e
            && is_given(call)
            && let Some(called) = self.by_path(call)
        {
            *e = called;
            self.any = true;
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
