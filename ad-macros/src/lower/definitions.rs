//! Which definitions of the user's types a function may use.

use syn::visit::{self, Visit};

use super::types::{own_types, result_of};
use crate::ir::hash::HashMap;
use crate::ir::{Ty, exact_text, path_text};

/// Whether definitions may be used at all in a function. In its body, an item might give a name another meaning.
pub(crate) fn uses_definitions(sig: &syn::Signature, body: &syn::Block) -> bool {
    let generic = sig.generics.type_params().next().is_some();
    let mut finder = Finder::default();
    sig.inputs
        .iter()
        .for_each(|input| finder.visit_fn_arg(input));
    finder.visit_block(body);
    !generic && result_of(&sig.output).is_none() && !finder.found
}

/// What keeps definitions out.
#[derive(Default)]
struct Finder {
    found: bool,
}

impl Visit<'_> for Finder {
    fn visit_fn_arg(&mut self, input: &syn::FnArg) {
        let (syn::FnArg::Typed(syn::PatType { attrs, .. })
        | syn::FnArg::Receiver(syn::Receiver { attrs, .. })) = input;
        self.found |= attrs.iter().any(|a| a.path().is_ident("cfg"));
        visit::visit_fn_arg(self, input);
    }

    fn visit_type_trait_object(&mut self, _: &syn::TypeTraitObject) {
        self.found = true;
    }

    fn visit_item(&mut self, item: &syn::Item) {
        self.found |= !matches!(
            item,
            syn::Item::Const(_) | syn::Item::Static(_) | syn::Item::Fn(_)
        );
    }
}

/// Of the definitions that are known, those of the types of parameters: generated code proves that these are theirs.
pub(super) fn proven(item: &syn::ItemFn, structs: &HashMap<String, Ty>) -> HashMap<String, Ty> {
    if structs.is_empty() || !uses_definitions(&item.sig, &item.block) {
        return HashMap::default();
    }
    let mut names: Vec<String> = Vec::new();
    for input in &item.sig.inputs {
        let constant =
            |attrs: &[syn::Attribute]| attrs.iter().any(|a| a.path().is_ident("constant"));
        match input {
            syn::FnArg::Receiver(receiver) if !constant(&receiver.attrs) => {
                names.push("Self".to_owned());
            }
            syn::FnArg::Typed(input) if !constant(&input.attrs) => {
                let mut paths = Vec::new();
                own_types(&input.ty, &mut paths);
                names.extend(paths.iter().map(path_text));
                names.extend(paths.iter().filter_map(exact_text));
            }
            syn::FnArg::Receiver(_) | syn::FnArg::Typed(_) => {}
        }
    }
    let known = structs.iter().filter(|(name, _)| names.contains(name));
    known.map(|(name, ty)| (name.clone(), ty.clone())).collect()
}
