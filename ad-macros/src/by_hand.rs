//! Functions that the user wrote under a name that `#[gradient]` gives.
//!
//! rustc would say that a name is defined twice, and show the attribute. What is looked for are the functions that were
//! generated, in the module or the block of the function: what hides them or is hidden elsewhere is none of them.

use std::cell::OnceCell;

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;

use crate::diag::{Diagnostics, catalog};
use crate::input::Target;
use crate::ir::hash::HashSet;
use crate::options::Options;
use crate::surroundings::{
    Surroundings, block_around, function_beside, function_of_block, function_of_type_always,
    may_declare_function, surroundings,
};

/// The functions that the attribute stands on, and of a block all others.
pub(crate) struct Names {
    differentiated: Vec<Ident>,
    block: Option<Vec<Ident>>,
    /// The type of the block, if it has no parameters: others are other blocks of the same functions then.
    of_type: Option<Ident>,
}

impl Names {
    pub(crate) fn of(target: &Result<Target, TokenStream>, options: &Options) -> Self {
        let (mut differentiated, mut others, mut of_type) = (Vec::new(), None, None);
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
                of_type = type_without_parameters(&block.self_ty);
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
            of_type,
        }
    }

    /// What was generated; nothing, with a message, if the name of one of its functions is taken.
    pub(crate) fn or_report(&self, generated: TokenStream, diags: &mut Diagnostics) -> TokenStream {
        // Of all that is generated, which is not walked over where no name is taken.
        let declared = OnceCell::new();
        let is_declared = |name: &str| {
            let all = || functions(generated.clone());
            declared.get_or_init(all).contains(name)
        };
        let mut is_taken = false;
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
            for taken in names {
                let by_hand = Ident::new(&taken, function.span());
                if self.is_by_hand(&by_hand) && is_declared(&taken) {
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
        let at = name.span();
        if self
            .block
            .as_ref()
            .is_some_and(|block| block.contains(name))
        {
            return true;
        }
        if !may_declare_function(at, name) {
            return false;
        }
        if self.block.is_some() {
            let beside = self.of_type.as_ref();
            let beside = beside.and_then(|ty| function_of_type_always(at, ty, name));
            return beside.is_some_and(|f| !is_configured(&f.attrs));
        }
        let found = match surroundings(at) {
            Surroundings::Impl => {
                let beside = || {
                    let ty = type_without_parameters(&block_around(at)?.self_ty)?;
                    function_of_type_always(at, &ty, name)
                };
                let found = function_of_block(at, name).or_else(beside);
                found.map(|function| function.attrs)
            }
            Surroundings::Trait
            | Surroundings::Module
            | Surroundings::Other
            | Surroundings::Length => function_beside(at, name).map(|function| function.attrs),
        };
        found.is_some_and(|attributes| !is_configured(&attributes))
    }
}

/// The name of a type that is written without parameters.
fn type_without_parameters(ty: &syn::Type) -> Option<Ident> {
    let syn::Type::Path(path) = ty else {
        return None;
    };
    let last = path.path.segments.last()?;
    last.arguments.is_none().then(|| last.ident.clone())
}

/// Whether the function may not be there.
fn is_configured(attributes: &[syn::Attribute]) -> bool {
    attributes
        .iter()
        .any(|a| a.path().is_ident("cfg") || a.path().is_ident("cfg_attr"))
}

/// The names of all functions that these tokens declare.
fn functions(tokens: TokenStream) -> HashSet<String> {
    let mut found = HashSet::default();
    add_functions(tokens, &mut found);
    found
}

fn add_functions(tokens: TokenStream, found: &mut HashSet<String>) {
    let mut is_declared = false;
    for tree in tokens {
        match &tree {
            TokenTree::Group(group) => add_functions(group.stream(), found),
            TokenTree::Ident(name) if is_declared => drop(found.insert(name.to_string())),
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
        is_declared = matches!(&tree, TokenTree::Ident(word) if word == "fn");
    }
}
