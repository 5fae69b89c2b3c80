//! Functions that the user wrote under a name that `#[gradient]` gives.
//!
//! rustc would say that a name is defined twice, and show the attribute. What is looked for are the functions that were
//! generated, in the module or the block of the function: what hides them or is hidden elsewhere is none of them.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;

use crate::diag::{Diagnostics, catalog};
use crate::input::Target;
use crate::ir::hash::HashSet;
use crate::options::Options;
use crate::surroundings::{Surroundings, function_beside, function_of_block, surroundings};

/// The functions that the attribute stands on, and of a block all others.
pub(crate) struct Names {
    differentiated: Vec<Ident>,
    block: Option<Vec<Ident>>,
}

impl Names {
    pub(crate) fn of(target: &Result<Target, TokenStream>, options: &Options) -> Self {
        let (mut differentiated, mut others) = (Vec::new(), None);
        match target {
            // Another name is the user's choice.
            Ok(Target::Function(function)) if options.name.is_none() => {
                differentiated.push(function.sig.ident.clone());
            }
            Ok(Target::Impl(block)) => {
                let functions = block.items.iter().filter_map(|item| {
                    let syn::ImplItem::Fn(function) = item else {
                        return None;
                    };
                    Some(function)
                });
                let own = functions.clone().map(|function| function.sig.ident.clone());
                let always = functions.filter(|function| !is_configured(&function.attrs));
                differentiated.extend(own);
                others = Some(always.map(|function| function.sig.ident.clone()).collect());
            }
            Ok(
                Target::Function(_)
                | Target::Operator(_)
                | Target::Definition(_)
                | Target::Trait(_)
                | Target::OfLanguage(_),
            )
            | Err(_) => {}
        }
        Names {
            differentiated,
            block: others,
        }
    }

    /// What was generated; nothing, with a message, if the name of one of its functions is taken.
    pub(crate) fn or_report(&self, generated: TokenStream, diags: &mut Diagnostics) -> TokenStream {
        let (mut declared, mut is_taken) = (HashSet::default(), false);
        functions(generated.clone(), &mut declared);
        for function in &self.differentiated {
            let name = function.unraw().to_string();
            let suffixes = [
                "_grad",
                "_grad_into",
                "_try_grad_into",
                "_adjoint",
                "_try_adjoint",
            ];
            let names = suffixes.iter().map(|suffix| format!("{name}{suffix}"));
            for taken in names.filter(|name| declared.contains(name)) {
                if self.is_by_hand(&Ident::new(&taken, function.span())) {
                    diags.at(function.span(), catalog::name_by_hand(&taken));
                    is_taken = true;
                    break;
                }
            }
        }
        match is_taken {
            true => TokenStream::new(),
            false => generated,
        }
    }

    fn is_by_hand(&self, name: &Ident) -> bool {
        if let Some(block) = &self.block {
            return block.contains(name);
        }
        let at = name.span();
        let found = match surroundings(at) {
            Surroundings::Impl => function_of_block(at, name).map(|function| function.attrs),
            Surroundings::Trait
            | Surroundings::Module
            | Surroundings::Other
            | Surroundings::Length => function_beside(at, name).map(|function| function.attrs),
        };
        found.is_some_and(|attributes| !is_configured(&attributes))
    }
}

/// Whether the function may not be there.
fn is_configured(attributes: &[syn::Attribute]) -> bool {
    attributes
        .iter()
        .any(|a| a.path().is_ident("cfg") || a.path().is_ident("cfg_attr"))
}

/// The names of all functions that these tokens declare.
fn functions(tokens: TokenStream, found: &mut HashSet<String>) {
    let mut is_declared = false;
    for tree in tokens {
        match &tree {
            TokenTree::Group(group) => functions(group.stream(), found),
            TokenTree::Ident(name) if is_declared => drop(found.insert(name.to_string())),
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
        is_declared = matches!(&tree, TokenTree::Ident(word) if word == "fn");
    }
}
