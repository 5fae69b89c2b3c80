//! The type that a function without a written result ends with, where its text makes a value of a struct there.

use proc_macro2::Ident;

use super::operator::strip;
use crate::surroundings::{Declared, declared, method_of};

/// The type of the struct that the function makes last, if the text of the package declares it: `Point { x, y }`,
/// `Point(x, y)`, `Point::new(x, y)`. The arguments of a generic one are those of a parameter of the same type.
pub(super) fn type_of_end(function: &syn::ItemFn) -> Option<syn::Type> {
    let made = made(end_of(&function.block)?)?;
    let name = &made.segments.last()?.ident;
    let Declared::Struct(of) = declared(name.span(), name)? else {
        return None;
    };
    if of.generics.params.is_empty() || !made.segments.last()?.arguments.is_none() {
        return Some(syn::parse_quote!(#made));
    }
    let mut inputs = function.sig.inputs.iter();
    inputs.find_map(|input| match input {
        syn::FnArg::Typed(input) => of_name(&input.ty, name).cloned(),
        syn::FnArg::Receiver(_) => None,
    })
}

/// The type of a value that an expression makes by a literal, its parameters aside.
pub(super) fn type_of_literal(e: &syn::Expr) -> Option<syn::Type> {
    let path = match strip(e) {
        syn::Expr::Struct(made) if made.qself.is_none() => &made.path,
        syn::Expr::Call(call) => match strip(&call.func) {
            syn::Expr::Path(path) if path.qself.is_none() => &path.path,
            _ => return None,
        },
        _ => return None,
    };
    is_type_name(&path.segments.last()?.ident).then(|| syn::parse_quote!(#path))
}

/// Whether a written type may stand as it is: it is no struct whose parameters the text leaves out, and no variant.
pub(super) fn is_whole(ty: &syn::Type) -> bool {
    let syn::Type::Path(path) = ty else {
        return true;
    };
    let Some(last) = path.path.segments.last() else {
        return false;
    };
    let whole = match declared(last.ident.span(), &last.ident) {
        Some(Declared::Struct(of)) => of.generics.params.is_empty(),
        Some(Declared::Enum(of)) => of.generics.params.is_empty(),
        Some(Declared::Alias(_)) => true,
        None => false,
    };
    whole || !last.arguments.is_none()
}

/// The path of what is made, as a type.
fn made(e: &syn::Expr) -> Option<syn::Path> {
    let path = match strip(e) {
        syn::Expr::Struct(made) if made.qself.is_none() => return Some(made.path.clone()),
        syn::Expr::Call(call) => match strip(&call.func) {
            syn::Expr::Path(path) if path.qself.is_none() => &path.path,
            _ => return None,
        },
        _ => return None,
    };
    let last = &path.segments.last()?.ident;
    if is_type_name(last) {
        return Some(path.clone());
    }
    let mut path = path.clone();
    let last = path.segments.pop()?.into_value().ident;
    path.segments.pop_punct();
    let of = &path.segments.last()?.ident;
    let syn::ReturnType::Type(_, ty) = method_of(of.span(), of, &last)?.output else {
        return None;
    };
    let itself =
        of_name(&ty, of).is_some() || of_name(&ty, &Ident::new("Self", last.span())).is_some();
    itself.then_some(path)
}

/// What a block ends with; of branches, the first one.
fn end_of(block: &syn::Block) -> Option<&syn::Expr> {
    let syn::Stmt::Expr(e, None) = block.stmts.last()? else {
        return None;
    };
    match strip(e) {
        syn::Expr::If(branches) => end_of(&branches.then_branch),
        syn::Expr::Block(inner) => end_of(&inner.block),
        syn::Expr::Match(arms) => Some(&arms.arms.first()?.body),
        e => Some(e),
    }
}

/// The type, behind a reference or not, if it has this name.
fn of_name<'t>(ty: &'t syn::Type, name: &Ident) -> Option<&'t syn::Type> {
    match ty {
        syn::Type::Reference(of) => of_name(&of.elem, name),
        syn::Type::Paren(of) => of_name(&of.elem, name),
        syn::Type::Group(of) => of_name(&of.elem, name),
        syn::Type::Path(path) => {
            let last = path.path.segments.last()?;
            (last.ident == *name).then_some(ty)
        }
        _ => None,
    }
}

fn is_type_name(name: &Ident) -> bool {
    name.to_string().starts_with(char::is_uppercase)
}
