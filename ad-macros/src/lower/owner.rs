//! The `impl` block that a function stands in.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;

use super::inner_functions::Beside;
use super::types::{result_of, signature_type};
use crate::ir::hash::{HashMap, HashSet};
use crate::ir::{Passing, Ty, Without, Written};

/// The `impl` block that a function stands in, as far as the attribute sees it.
#[derive(Clone, Default, Debug)]
pub(crate) struct Owner {
    /// Whether there is one.
    pub(crate) stands_in_block: bool,
    /// The trait that the block implements.
    pub(crate) of_trait: Option<syn::Path>,
    /// Whether its functions get their sweeps alone, and nothing that users call.
    pub(crate) sweeps_only: bool,
    /// The parameters of the block.
    pub(crate) generics: syn::Generics,
    /// The user's types whose definitions are known, by the paths that the text names them by.
    pub(crate) structs: HashMap<String, Ty>,
    /// The functions of the block, if the attribute stands on it.
    pub(crate) members: HashMap<String, Member>,
    /// The type of the block, where it can be written in other items.
    pub(crate) itself: Option<syn::Type>,
    /// Of a closure: how many of its parameters are what it has captured.
    pub(crate) captures: usize,
    /// Those of them that are references where its body has the value, by their names.
    pub(crate) captured: HashSet<String>,
    /// Those of them that are integers of types that are to be found out.
    pub(crate) integers: HashSet<String>,
    /// Of a closure: where the function that it stands in is.
    pub(crate) around: Option<Span>,
    /// The functions beside it whose calls may be inlined.
    pub(crate) beside: Beside,
}

/// A function of the block.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) derivative: Derivative,
    /// How it takes `self`.
    pub(crate) receiver: Option<Passing>,
    /// The type of its result, as far as its text shows it.
    pub(crate) result: Ty,
}

/// Whether a function of a block is differentiated, by its signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Derivative {
    /// Yes.
    Own,
    /// Nothing that it gives back can carry one, or nothing that goes in.
    Zero,
    /// It returns a reference, or a type that could be one.
    Reference,
    /// It returns an `impl Trait`, such as an iterator.
    Opaque,
    /// It takes what nothing is known of, such as a cell, and could leave something there.
    Parameter,
    /// It returns nothing, so that all it can do with what goes in is an effect.
    Effect,
    /// The user said so.
    Left,
}

impl Derivative {
    /// Why a call has no sweeps, if it has none although it may need them.
    pub(super) fn without(self) -> Option<Without> {
        match self {
            Derivative::Reference => Some(Without::Reference),
            Derivative::Opaque => Some(Without::Opaque),
            Derivative::Left => Some(Without::Left),
            Derivative::Parameter => Some(Without::Parameter),
            Derivative::Effect => Some(Without::Effect),
            Derivative::Own | Derivative::Zero => None,
        }
    }
}

impl Member {
    /// What the signature says of a function. `left`: under `#[no_gradient]`.
    pub(crate) fn of(sig: &syn::Signature, left: bool) -> Self {
        let mut written = Written::default();
        let result = match &sig.output {
            syn::ReturnType::Default => Ty::Unit,
            syn::ReturnType::Type(_, ty) => {
                let ty = result_of(&sig.output).unwrap_or(ty);
                signature_type(ty, false, &mut written).unwrap_or(Ty::Unknown)
            }
        };
        // A length that the text names belongs to another table than that of the caller.
        let shown = match &result {
            ty if ty.is_scalar() && result_of(&sig.output).is_none() => result.clone(),
            _ => Ty::Unknown,
        };
        Member {
            derivative: if left {
                Derivative::Left
            } else {
                derivative(sig, &result)
            },
            receiver: sig.receiver().and_then(passing),
            result: shown,
        }
    }
}

/// How a receiver is passed; `None` if it is neither `self`, `&self` nor `&mut self`.
pub(crate) fn passing(receiver: &syn::Receiver) -> Option<Passing> {
    let is_self = |ty: &syn::Type| matches!(ty, syn::Type::Path(p) if p.path.is_ident("Self"));
    match &*receiver.ty {
        syn::Type::Reference(r) if is_self(&r.elem) => Some(if r.mutability.is_some() {
            Passing::InOut
        } else {
            Passing::Shared
        }),
        ty if is_self(ty) => Some(Passing::Value),
        _ => None,
    }
}

fn derivative(sig: &syn::Signature, result: &Ty) -> Derivative {
    if let syn::ReturnType::Type(_, ty) = &sig.output {
        let of_value = result_of(&sig.output).unwrap_or(ty);
        if matches!(of_value, syn::Type::ImplTrait(_)) {
            return Derivative::Opaque;
        }
        // An error may be any, `Box<dyn Error>`.
        if may_borrow(of_value, true) || may_borrow(ty, false) || elides_lifetime(of_value) {
            return Derivative::Reference;
        }
    }
    let inputs = || sig.inputs.iter().filter(|input| carries(input));
    let written = inputs().any(|input| match input {
        syn::FnArg::Receiver(r) => {
            matches!(&*r.ty, syn::Type::Reference(r) if r.mutability.is_some())
        }
        syn::FnArg::Typed(t) => matches!(&*t.ty, syn::Type::Reference(r) if r.mutability.is_some()),
    });
    let something = inputs().next().is_some();
    if something && (result.may_carry_derivative() || written) {
        Derivative::Own
    } else if sig
        .inputs
        .iter()
        .any(|input| matches!(type_of(input), Some(Err(()))))
    {
        Derivative::Parameter
    } else if something && *result == Ty::Unit && result_of(&sig.output).is_none() {
        Derivative::Effect
    } else {
        Derivative::Zero
    }
}

/// Whether a derivative can go in by a parameter.
fn carries(input: &syn::FnArg) -> bool {
    matches!(type_of(input), Some(Ok(ty)) if ty.may_carry_derivative())
}

/// The type of a parameter, if it is known to be a supported one; `None` for a constant.
fn type_of(input: &syn::FnArg) -> Option<Result<Ty, ()>> {
    let (attrs, ty) = match input {
        syn::FnArg::Receiver(r) => (&r.attrs, &*r.ty),
        syn::FnArg::Typed(t) => (&t.attrs, &*t.ty),
    };
    let ty = match ty {
        syn::Type::Reference(r) => &r.elem,
        other => other,
    };
    let constant = attrs.iter().any(|a| a.path().is_ident("constant"));
    let known = || match ty {
        ty if crate::functions::is_taken(ty) || crate::iterated::is_taken(ty) => Ok(Ty::Unknown),
        syn::Type::ImplTrait(converted) if crate::generic::is_into(&converted.bounds) => {
            Ok(Ty::Unknown)
        }
        ty => signature_type(ty, false, &mut Written::default()).map_err(drop),
    };
    (!constant).then(known)
}

/// Whether values of the type may be references, or hold some. `objects`: a `dyn` may.
fn may_borrow(ty: &syn::Type, objects: bool) -> bool {
    struct Finder {
        found: bool,
        objects: bool,
    }
    impl syn::visit::Visit<'_> for Finder {
        fn visit_type_reference(&mut self, r: &syn::TypeReference) {
            // Text is a constant.
            let text = matches!(&*r.elem, syn::Type::Path(p) if p.path.is_ident("str"));
            self.found |= !text;
        }
        fn visit_type_impl_trait(&mut self, _: &syn::TypeImplTrait) {
            self.found = true;
        }
        fn visit_type_trait_object(&mut self, _: &syn::TypeTraitObject) {
            self.found |= self.objects;
        }
    }
    let mut finder = Finder {
        found: false,
        objects,
    };
    syn::visit::Visit::visit_type(&mut finder, ty);
    finder.found
}

/// Whether a type borrows from what goes in, `View<'_>`.
pub(super) fn elides_lifetime(ty: &syn::Type) -> bool {
    struct Finder(bool);
    impl syn::visit::Visit<'_> for Finder {
        fn visit_lifetime(&mut self, lifetime: &syn::Lifetime) {
            self.0 |= lifetime.ident == "_";
        }
        fn visit_type_bare_fn(&mut self, _: &syn::TypeBareFn) {}
    }
    let mut finder = Finder(false);
    syn::visit::Visit::visit_type(&mut finder, ty);
    finder.0
}

impl Owner {
    /// Whether it is an `impl`, and no trait.
    pub(crate) fn is_impl(&self) -> bool {
        self.itself.is_some()
    }

    /// The function of the block that this name means.
    pub(crate) fn member(&self, name: &Ident) -> Option<&Member> {
        self.members.get(&name.unraw().to_string())
    }
}
