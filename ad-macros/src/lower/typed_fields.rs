//! What fields are given where their types, in the text of the package, say what the value alone does not:
//! `Vector { data: array::from_fn(|i| …) }` has the length of the field.

use proc_macro2::{Ident, Span};
use syn::visit_mut::{self, VisitMut};

use super::array_map::typed_from_fn;
use super::operator::strip;
use super::signature::ungroup;
use crate::ir::Field;
use crate::surroundings::{Declared, block_around, block_with, declared};

/// The expression, which makes a struct, with the types of its fields in calls of `array::from_fn`; `None` if there are
/// none, or `t` is not the type of the struct with its arguments. rustc compares what is written with the field.
pub(super) fn written_out(e: &syn::Expr, t: &syn::Type) -> Option<syn::Expr> {
    let made = match strip(e) {
        syn::Expr::Call(call) => match strip(&call.func) {
            syn::Expr::Path(path) => last_of(&path.path)?,
            _ => return None,
        },
        syn::Expr::Struct(made) => last_of(&made.path)?,
        _ => return None,
    };
    // Most constructors are given no array that is made in place.
    if !crate::ir::spells(quote::quote!(#e), "from_fn") {
        return None;
    }
    let t = without_self(t)?;
    let syn::Type::Path(path) = &t else {
        return None;
    };
    let last = path.path.segments.last()?;
    if made != "Self" && *made != last.ident {
        return None;
    }
    let Some(Declared::Struct(of)) = declared(made.span(), &last.ident) else {
        return None;
    };
    let given = given(&of.generics, &last.arguments)?;
    let mut made = strip(e).clone();
    let mut some = false;
    let mut write = |value: &mut syn::Expr, field: &syn::Field| {
        let mut ty = field.ty.clone();
        Given(&given).visit_type_mut(&mut ty);
        if let Some(typed) = typed_from_fn(value, &ty) {
            *value = typed;
            some = true;
        }
    };
    match &mut made {
        syn::Expr::Call(call) => {
            let fields = call.args.iter_mut().zip(&of.fields);
            fields.for_each(|(value, field)| write(value, field));
        }
        syn::Expr::Struct(made) => {
            for value in &mut made.fields {
                let syn::Member::Named(name) = &value.member else {
                    continue;
                };
                let mut fields = of.fields.iter();
                if let Some(field) = fields.find(|field| field.ident.as_ref() == Some(name)) {
                    write(&mut value.expr, field);
                }
            }
        }
        _ => return None,
    }
    some.then_some(made)
}

/// Which fields are slices in boxes, `Box<[f64]>`, where the text of the package shows the struct. A vector that is
/// given to one is one in a box by then.
pub(super) fn boxed_slices(path: &syn::Path, fields: &[Field], at: Span) -> Vec<bool> {
    let shown = || {
        let name = last_of(path)?;
        let of_block = match name == "Self" {
            true => Some(ungroup(&block_with(at)?.self_ty).clone()),
            false => None,
        };
        let name = match &of_block {
            Some(syn::Type::Path(ty)) => last_of(&ty.path)?,
            Some(_) => return None,
            None => name,
        };
        let Some(Declared::Struct(of)) = declared(at, name) else {
            return None;
        };
        let is_boxed = |field: &Field| {
            let mut all = of.fields.members().zip(&of.fields);
            let found = all.find(|(member, _)| Field::from(member) == *field);
            found.is_some_and(|(_, field)| is_boxed_slice(&field.ty))
        };
        Some(fields.iter().map(is_boxed).collect())
    };
    shown().unwrap_or_else(|| vec![false; fields.len()])
}

/// `Box<[T]>`
fn is_boxed_slice(ty: &syn::Type) -> bool {
    let syn::Type::Path(path) = ungroup(ty) else {
        return false;
    };
    let last = path.path.segments.last().filter(|last| last.ident == "Box");
    last.is_some_and(|last| match &last.arguments {
        syn::PathArguments::AngleBracketed(of) => {
            let slice = |one: &syn::GenericArgument| {
                matches!(one, syn::GenericArgument::Type(t) if matches!(ungroup(t), syn::Type::Slice(_)))
            };
            of.args.len() == 1 && of.args.iter().all(slice)
        }
        _ => false,
    })
}

fn last_of(path: &syn::Path) -> Option<&Ident> {
    path.segments.last().map(|last| &last.ident)
}

/// The type; for `Self`, that of the block around it.
fn without_self(t: &syn::Type) -> Option<syn::Type> {
    match ungroup(t) {
        syn::Type::Path(path) if path.path.is_ident("Self") => {
            let at = path.path.segments.first()?.ident.span();
            Some(ungroup(&block_around(at)?.self_ty).clone())
        }
        t => Some(t.clone()),
    }
}

/// What a type gives the parameters of its declaration, lifetimes apart; `None` if it does not give all of them.
fn given(
    generics: &syn::Generics,
    arguments: &syn::PathArguments,
) -> Option<Vec<(Ident, syn::GenericArgument)>> {
    let names = generics.params.iter().filter_map(|param| match param {
        syn::GenericParam::Lifetime(_) => None,
        syn::GenericParam::Type(param) => Some(&param.ident),
        syn::GenericParam::Const(param) => Some(&param.ident),
    });
    let names: Vec<&Ident> = names.collect();
    let values: Vec<syn::GenericArgument> = match arguments {
        syn::PathArguments::None => Vec::new(),
        syn::PathArguments::AngleBracketed(of) => {
            let is_lifetime =
                |one: &&syn::GenericArgument| matches!(one, syn::GenericArgument::Lifetime(_));
            of.args
                .iter()
                .filter(|one| !is_lifetime(one))
                .cloned()
                .collect()
        }
        syn::PathArguments::Parenthesized(_) => return None,
    };
    let pairs = names.iter().map(|name| (*name).clone()).zip(values.clone());
    (names.len() == values.len()).then(|| pairs.collect())
}

/// Puts in what the parameters are given.
struct Given<'g>(&'g [(Ident, syn::GenericArgument)]);

impl Given<'_> {
    fn of(&self, path: &syn::Path) -> Option<&syn::GenericArgument> {
        let mut given = self.0.iter();
        given.find_map(|(name, value)| path.is_ident(name).then_some(value))
    }
}

impl VisitMut for Given<'_> {
    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        visit_mut::visit_type_mut(self, ty);
        if let syn::Type::Path(path) = ty
            && path.qself.is_none()
            && let Some(syn::GenericArgument::Type(given)) = self.of(&path.path)
        {
            *ty = given.clone();
        }
    }

    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        visit_mut::visit_expr_mut(self, e);
        let syn::Expr::Path(path) = e else {
            return;
        };
        match self.of(&path.path) {
            Some(syn::GenericArgument::Const(given)) => *e = given.clone(),
            // `Vector<N>` may name a type by its looks.
            Some(syn::GenericArgument::Type(syn::Type::Path(given))) => {
                *e = syn::Expr::Path(syn::ExprPath {
                    attrs: Vec::new(),
                    qself: given.qself.clone(),
                    path: given.path.clone(),
                });
            }
            _ => {}
        }
    }
}
