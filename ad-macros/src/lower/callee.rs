//! What a path that is called names: a function with sweeps, one of a type, a constructor, something of std.

use quote::ToTokens;
use syn::ext::IdentExt;

use super::method_names::is_known_of_language;
use super::types::is_of_std;
use super::variants::names_a_constructor;
use crate::ir::{Behind, Callee, CalleeKind, Returning};

/// Constructors of structs and variants, and what stands in std: they have no sweeps.
pub(super) fn is_foreign(path: &syn::ExprPath, names: &[&str]) -> bool {
    let std = names.len() > 1 && matches!(names.first(), Some(&("std" | "core" | "alloc")));
    let of_std = names.len() > 1
        && names
            .get(names.len() - 2)
            .is_some_and(|name| is_of_std(name));
    let qualified = path.qself.is_some() && !is_of_own_trait(path) && !is_of_a_type(path);
    qualified || std || of_std || !super::variants::names_a_function(&path.path)
}

/// Whether the path is `<T as Trait>::f`, of a trait that may have derivatives.
fn is_of_own_trait(path: &syn::ExprPath) -> bool {
    let Some(qself) = &path.qself else {
        return false;
    };
    let segments = &path.path.segments;
    let of = qself
        .position
        .checked_sub(1)
        .and_then(|at| segments.get(at));
    segments.len() == qself.position + 1
        && of.is_some_and(|of| !crate::generic::is_of_std(&of.ident))
}

/// Whether the path is `<T>::f`.
fn is_of_a_type(path: &syn::ExprPath) -> bool {
    let [segment] = path.path.segments.iter().collect::<Vec<_>>()[..] else {
        return false;
    };
    path.qself.as_ref().is_some_and(|qself| qself.position == 0)
        && !is_known_of_language(&segment.ident.to_string())
}

/// What a path calls.
pub(super) fn callee(path: &syn::ExprPath) -> Callee {
    let kind = if is_associated(path) {
        CalleeKind::Associated
    } else {
        CalleeKind::Function
    };
    Callee {
        kind,
        path: path.clone(),
        without: None,
        fallible: false,
        functions: Vec::new(),
        returning: Returning::Always,
        behind: Behind::Nothing,
        answer: None,
        iterated: false,
    }
}

/// Whether the path names a function of a type: what stands in front of it begins with a capital, or is primitive.
pub(super) fn is_associated(path: &syn::ExprPath) -> bool {
    let before = path.path.segments.iter().rev().nth(1);
    path.qself.is_some()
        || before.is_some_and(|segment| {
            let name = segment.ident.unraw().to_string();
            is_upper(&name) || super::is_primitive(&name)
        })
}

fn is_upper(name: &str) -> bool {
    name.starts_with(|c: char| c.is_uppercase())
}

/// The constructor of a tuple struct or of a variant.
pub(super) fn is_constructor(path: &syn::ExprPath) -> bool {
    path.qself.is_none() && names_a_constructor(&path.path)
}

pub(super) fn path_text(path: &syn::ExprPath) -> String {
    path.to_token_stream().to_string().replace(' ', "")
}

pub(super) fn path_text_of(e: &syn::Expr) -> String {
    e.to_token_stream().to_string().replace(' ', "")
}

/// The names that a path consists of.
pub(crate) fn segment_names(path: &syn::Path) -> Vec<String> {
    let names = path.segments.iter().map(|s| s.ident.unraw().to_string());
    names.collect()
}
