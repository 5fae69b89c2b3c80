//! Which traits can be made into objects, by their text.

use quote::ToTokens;

use crate::ir::spells;
use crate::traits::definition::mentions_self;

/// Traits of std that can be made into objects, as supertraits.
const OF_OBJECTS: [&str; 8] = [
    "Any",
    "Debug",
    "Display",
    "Error",
    "RefUnwindSafe",
    "Send",
    "Sync",
    "UnwindSafe",
];

/// Whether the trait can be made into an object, as far as its text shows it. `asked`: the user says that its
/// supertraits can.
pub(in crate::traits) fn can_be_object(item: &syn::ItemTrait, asked: bool) -> bool {
    let known = |bound: &syn::TypeParamBound| match bound {
        syn::TypeParamBound::Trait(bound) => {
            let last = bound.path.segments.last();
            asked || last.is_some_and(|last| OF_OBJECTS.iter().any(|name| last.ident == name))
        }
        _ => true,
    };
    let clauses = item.generics.where_clause.as_ref();
    let of_self = clauses.is_some_and(mentions_self);
    let of_self = of_self || item.generics.params.iter().any(mentions_self);
    item.supertraits.iter().all(known) && !of_self && item.items.iter().all(fits)
}

fn fits(item: &syn::TraitItem) -> bool {
    match item {
        syn::TraitItem::Fn(function) => is_left_out(&function.sig) || can_be_called(&function.sig),
        syn::TraitItem::Type(_) | syn::TraitItem::Const(_) => false,
        // Macros may be anything.
        _ => false,
    }
}

/// Whether the method is none of `dyn Model`.
fn is_left_out(sig: &syn::Signature) -> bool {
    sig.generics.where_clause.as_ref().is_some_and(|clause| {
        clause.predicates.iter().any(|predicate| match predicate {
            syn::WherePredicate::Type(bound) => {
                let on_self =
                    matches!(&bound.bounded_ty, syn::Type::Path(p) if p.path.is_ident("Self"));
                let sized = bound.bounds.iter().any(|bound| match bound {
                    syn::TypeParamBound::Trait(bound) => {
                        let last = bound.path.segments.last();
                        last.is_some_and(|last| last.ident == "Sized")
                    }
                    _ => false,
                });
                on_self && sized
            }
            _ => false,
        })
    })
}

fn can_be_called(sig: &syn::Signature) -> bool {
    let fits = |input: &syn::FnArg| match input {
        syn::FnArg::Receiver(receiver) => dispatches(&receiver.ty),
        syn::FnArg::Typed(typed) => !mentions_self(&typed.ty) && !mentions_impl(&typed.ty),
    };
    let generics = &sig.generics;
    let lifetime = |param: &syn::GenericParam| matches!(param, syn::GenericParam::Lifetime(_));
    sig.receiver().is_some()
        && sig.asyncness.is_none()
        && generics.params.iter().all(lifetime)
        && !generics.where_clause.as_ref().is_some_and(mentions_self)
        && sig.inputs.iter().all(fits)
        && !mentions_self(&sig.output)
        && !mentions_impl(&sig.output)
}

/// Whether a method can be called on an object by a receiver of this type, or at least stands not in the way of one.
fn dispatches(receiver: &syn::Type) -> bool {
    let is_self = |ty: &syn::Type| matches!(ty, syn::Type::Path(p) if p.path.is_ident("Self"));
    match receiver {
        syn::Type::Reference(reference) => is_self(&reference.elem),
        syn::Type::Path(path) => {
            let last = path.path.segments.last();
            is_self(receiver)
                || last
                    .is_some_and(|last| ["Box", "Rc", "Arc"].iter().any(|name| last.ident == name))
        }
        _ => false,
    }
}

fn mentions_impl(tokens: &impl ToTokens) -> bool {
    spells(tokens.to_token_stream(), "impl")
}
