//! Blocks and functions with several type parameters that stand for floats:
//! `impl<C, T> Filter<C, T> where C: Mul<T, Output = T>`.
//!
//! They are differentiated where all are the same float, as those with one parameter. For other types the functions
//! that are generated do not exist, which is an error of rustc.

use std::borrow::Cow;

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use syn::visit_mut::{self, VisitMut};

use super::bounds::{FloatParam, floats};

/// The block with one parameter in place of all that stand for floats.
pub(super) fn united(block: &syn::ItemImpl) -> Cow<'_, syn::ItemImpl> {
    let parameters = floats(&block.generics, &syn::ReturnType::Default);
    let Some((first, others)) = apart(&parameters) else {
        return Cow::Borrowed(block);
    };
    let mut block = block.clone();
    unite(&mut block.generics, &first, &others);
    let mut union = Union {
        others: &others,
        by: &first,
    };
    union.visit_item_impl_mut(&mut block);
    Cow::Owned(block)
}

/// The same of a function.
pub(crate) fn united_function(function: &syn::ItemFn) -> Cow<'_, syn::ItemFn> {
    let parameters = super::of_function(&function.sig, &function.block);
    let Some((first, others)) = apart(&parameters) else {
        return Cow::Borrowed(function);
    };
    let mut function = function.clone();
    unite(&mut function.sig.generics, &first, &others);
    let mut union = Union {
        others: &others,
        by: &first,
    };
    union.visit_item_fn_mut(&mut function);
    Cow::Owned(function)
}

/// The first parameter, and the others, if there are some.
fn apart(parameters: &[FloatParam<'_>]) -> Option<(Ident, Vec<Ident>)> {
    let (first, others) = parameters.split_first()?;
    let others: Vec<Ident> = others.iter().map(|other| other.ident.clone()).collect();
    (!others.is_empty()).then(|| (first.ident.clone(), others))
}

/// Takes the other parameters out, and asks what is asked of them of the first.
fn unite(generics: &mut syn::Generics, first: &Ident, others: &[Ident]) {
    let mut bounds = Vec::new();
    let params = std::mem::take(&mut generics.params);
    for param in params {
        match param {
            syn::GenericParam::Type(t) if others.contains(&t.ident) => bounds.extend(t.bounds),
            other => generics.params.push(other),
        }
    }
    for param in generics.type_params_mut() {
        if param.ident == *first {
            param.bounds.extend(std::mem::take(&mut bounds));
        }
    }
}

/// Writes one parameter for all.
struct Union<'a> {
    others: &'a [Ident],
    by: &'a Ident,
}

impl Union<'_> {
    fn named(&self, name: &Ident) -> Ident {
        if self.others.contains(name) {
            Ident::new(&self.by.to_string(), name.span())
        } else {
            name.clone()
        }
    }

    fn in_tokens(&self, tokens: TokenStream) -> TokenStream {
        let replaced = |tree| match tree {
            TokenTree::Ident(ident) => TokenTree::Ident(self.named(&ident)),
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), self.in_tokens(group.stream()));
                inner.set_span(group.span());
                TokenTree::Group(inner)
            }
            other @ (TokenTree::Punct(_) | TokenTree::Literal(_)) => other,
        };
        tokens.into_iter().map(replaced).collect()
    }
}

impl VisitMut for Union<'_> {
    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        if path.leading_colon.is_none()
            && let Some(first) = path.segments.first_mut()
        {
            first.ident = self.named(&first.ident);
        }
        visit_mut::visit_path_mut(self, path);
    }

    /// A variable or constant may have the name of a parameter.
    fn visit_expr_path_mut(&mut self, e: &mut syn::ExprPath) {
        if e.qself.is_none() && e.path.segments.len() == 1 {
            self.visit_path_arguments_mut(&mut e.path.segments[0].arguments);
        } else {
            visit_mut::visit_expr_path_mut(self, e);
        }
    }

    /// Items inside of bodies cannot name the parameters.
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        mac.tokens = self.in_tokens(mac.tokens.clone());
    }
}
