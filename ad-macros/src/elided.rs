//! Lifetimes that signatures leave out: `fn eval(at: &Field, x: f64)` of a `struct Field<'a>` of the same file.
//!
//! Types stand in the heads of what is generated, where they cannot be left out, so they are written, `Field<'_>`.

use proc_macro2::Ident;
use syn::visit_mut::{self, VisitMut};

use crate::lower::is_primitive;
use crate::surroundings::lifetimes_of;

/// The function with all lifetimes of the types in its signature.
pub(crate) fn written_out(function: &mut syn::ItemFn) {
    in_signature(&mut function.sig, &[]);
}

/// The same of the functions of a block.
pub(crate) fn written_out_in_block(block: &mut syn::ItemImpl) {
    let of_block: Vec<Ident> = block
        .generics
        .type_params()
        .map(|t| t.ident.clone())
        .collect();
    for item in &mut block.items {
        if let syn::ImplItem::Fn(method) = item {
            in_signature(&mut method.sig, &of_block);
        }
    }
}

fn in_signature(sig: &mut syn::Signature, outer: &[Ident]) {
    let own = sig.generics.type_params().map(|t| t.ident.clone());
    let mut writer = Writer {
        hidden: own.chain(outer.iter().cloned()).collect(),
    };
    for input in &mut sig.inputs {
        if let syn::FnArg::Typed(input) = input {
            writer.visit_type_mut(&mut input.ty);
        }
    }
    writer.visit_return_type_mut(&mut sig.output);
}

struct Writer {
    /// Type parameters, whose names come in front.
    hidden: Vec<Ident>,
}

impl VisitMut for Writer {
    fn visit_type_path_mut(&mut self, ty: &mut syn::TypePath) {
        visit_mut::visit_type_path_mut(self, ty);
        let alone = ty.qself.is_none() && ty.path.segments.len() == 1;
        let Some(segment) = ty.path.segments.last_mut().filter(|_| alone) else {
            return;
        };
        // Looking for a declaration takes a walk over the text of the file.
        if self.hidden.contains(&segment.ident) || is_primitive(&segment.ident.to_string()) {
            return;
        }
        let written = match &segment.arguments {
            syn::PathArguments::None => Vec::new(),
            syn::PathArguments::AngleBracketed(of) => of.args.iter().cloned().collect(),
            syn::PathArguments::Parenthesized(_) => return,
        };
        let named =
            |argument: &syn::GenericArgument| matches!(argument, syn::GenericArgument::Lifetime(_));
        let lifetimes = match written.iter().any(named) {
            true => 0,
            false => lifetimes_of(segment.ident.span(), &segment.ident),
        };
        if lifetimes > 0 {
            let elided = std::iter::repeat_n(syn::parse_quote!('_), lifetimes);
            let arguments: Vec<syn::GenericArgument> = elided.chain(written).collect();
            segment.arguments =
                syn::PathArguments::AngleBracketed(syn::parse_quote!(<#(#arguments),*>));
        }
    }

    // What a function takes has lifetimes of its own.
    fn visit_type_bare_fn_mut(&mut self, _: &mut syn::TypeBareFn) {}
    fn visit_type_impl_trait_mut(&mut self, _: &mut syn::TypeImplTrait) {}
    fn visit_type_trait_object_mut(&mut self, _: &mut syn::TypeTraitObject) {}
}
