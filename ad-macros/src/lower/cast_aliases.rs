//! Casts to aliases of numbers that another module of the package declares: `x as Value`.
//!
//! What the alias stands for is written in its place, and generated code checks it (`std_items`).

use syn::ext::IdentExt;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

use super::signature::cast_type;
use crate::ir::hash::HashSet;
use crate::surroundings::{Declared, configured_alias, declared};

/// The function with such casts written out, if there are any, and the aliases with what they stand for.
pub(super) fn written_out(
    item: &syn::ItemFn,
) -> Option<(syn::ItemFn, Vec<(syn::Path, syn::Type)>)> {
    let mut casts = Casts::default();
    casts.visit_block(&item.block);
    if !casts.any {
        return None;
    }
    let mut aliases = Aliases {
        others: casts.others,
        found: Vec::new(),
    };
    let mut item = item.clone();
    aliases.visit_block_mut(&mut item.block);
    (!aliases.found.is_empty()).then_some((item, aliases.found))
}

/// What the types of C are, wherever they are imported from.
fn of_c(name: &syn::Ident) -> Option<syn::Type> {
    let at = name.span();
    match name.to_string().as_str() {
        "c_double" => Some(syn::parse_quote_spanned!(at=> f64)),
        "c_float" => Some(syn::parse_quote_spanned!(at=> f32)),
        _ => None,
    }
}

#[derive(Default)]
struct Casts {
    /// Whether there is a cast to what is not written as a number.
    any: bool,
    /// What items of the body name: there it may mean something else.
    others: HashSet<String>,
}

impl<'ast> Visit<'ast> for Casts {
    fn visit_expr_cast(&mut self, cast: &'ast syn::ExprCast) {
        self.any |= cast_type(&cast.ty).is_none();
        visit::visit_expr_cast(self, cast);
    }

    fn visit_item(&mut self, item: &'ast syn::Item) {
        super::collect(quote::ToTokens::to_token_stream(item), &mut self.others);
    }
}

struct Aliases {
    others: HashSet<String>,
    found: Vec<(syn::Path, syn::Type)>,
}

impl VisitMut for Aliases {
    fn visit_expr_cast_mut(&mut self, cast: &mut syn::ExprCast) {
        visit_mut::visit_expr_cast_mut(self, cast);
        if cast_type(&cast.ty).is_some() {
            return;
        }
        let syn::Type::Path(path) = &*cast.ty else {
            return;
        };
        let segments = &path.path.segments;
        let is_shadowed = |s: &syn::PathSegment| self.others.contains(&s.ident.unraw().to_string());
        let Some(last) = segments.last().filter(|_| path.qself.is_none()) else {
            return;
        };
        if segments.iter().any(is_shadowed) {
            return;
        }
        let at = last.ident.span();
        let alias = match declared(at, &last.ident) {
            Some(Declared::Alias(alias)) => alias,
            Some(Declared::Struct(_) | Declared::Enum(_)) => return,
            None => match configured_alias(at, &last.ident) {
                Some(alias) => alias,
                None => {
                    if let Some(ty) = of_c(&last.ident) {
                        self.found.push((path.path.clone(), ty.clone()));
                        *cast.ty = ty;
                    }
                    return;
                }
            },
        };
        if cast_type(&alias.ty).is_some() && alias.generics.params.is_empty() {
            let of = quote::ToTokens::to_token_stream(&alias.ty);
            let placed = crate::own_macros::placed(of, at);
            if let Ok(ty) = syn::parse2::<syn::Type>(placed) {
                self.found.push((path.path.clone(), ty.clone()));
                *cast.ty = ty;
            }
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
