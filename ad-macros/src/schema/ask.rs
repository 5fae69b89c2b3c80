//! Which types a function asks for, and what it does with the answers.
//!
//! A function asks where something may depend on it (`reasons`).

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt;

use super::reasons::depends_on_types;
use super::{MOST, by_path, group, questions};
use crate::configurations::configurations;
use crate::diag::Diagnostics;
use crate::input::{self, Target};
use crate::interface;
use crate::ir::hash::HashMap;
use crate::ir::{Ty, path_text};
use crate::lower::{self, Owner, own_types};
use crate::options::Options;
use crate::surroundings::{Place, module_at};
use crate::{block, generic, pipeline, traits};

/// The types that a function or block asks for, if it asks for some, and the module in which it stands.
pub(crate) fn asks(target: &Target) -> Option<(Vec<syn::Path>, Place)> {
    let (asks, at) = match target {
        Target::Function(function) => (of_function(function), function.sig.ident.span()),
        Target::Impl(block) | Target::Trait(block) | Target::Operator(block) => {
            (of_block(block), block.impl_token.span)
        }
        Target::Definition(_) | Target::OfLanguage(_) => return None,
    };
    let place = module_at(at).filter(|_| !asks.is_empty())?;
    Some((asks, place))
}

pub(super) fn of_function(function: &syn::ItemFn) -> Vec<syn::Path> {
    limited(written_in_function(function))
}

/// The types of parameters of a function that asks, with their arguments.
fn written_in_function(function: &syn::ItemFn) -> Vec<syn::Path> {
    let function = &generic::named(function);
    if !lower::uses_definitions(&function.sig, &function.block)
        || configurations(function).is_some()
        || crate::functions::takes_functions(&function.sig)
        || crate::iterated::takes_iterators(&function.sig)
        || is_configured(&function.attrs)
        || input::is_associated(function)
        || !depends_on_types(&function.sig, &function.block)
    {
        return Vec::new();
    }
    let mut found = Vec::new();
    parameters(&function.sig, &mut found);
    found
}

pub(super) fn of_block(block: &syn::ItemImpl) -> Vec<syn::Path> {
    limited(written_in_block(block))
}

/// The type of a block that asks, and those of the parameters, with their arguments.
fn written_in_block(block: &syn::ItemImpl) -> Vec<syn::Path> {
    let block = &*traits::without_associated(block);
    if is_configured(&block.attrs) {
        return Vec::new();
    }
    let methods = || {
        block.items.iter().filter_map(|item| {
            if let syn::ImplItem::Fn(method) = item
                && !is_configured(&method.attrs)
                && lower::uses_definitions(&method.sig, &method.block)
            {
                Some(method)
            } else {
                None
            }
        })
    };
    if !methods().any(|method| depends_on_types(&method.sig, &method.block)) {
        return Vec::new();
    }
    let mut found = Vec::new();
    own_types(&block.self_ty, &mut found);
    methods().for_each(|method| parameters(&method.sig, &mut found));
    found.retain(|path| !begins_with_a_parameter(path, &block.generics));
    found
}

/// Whether the path is that of a type parameter, or of what belongs to one.
fn begins_with_a_parameter(path: &syn::Path, generics: &syn::Generics) -> bool {
    let first = path.segments.first();
    generics
        .type_params()
        .any(|t| first.is_some_and(|first| first.ident == t.ident))
}

/// Whether it may not be there: what it names may be missing too.
fn is_configured(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().any(|a| a.path().is_ident("cfg"))
}

/// The types of parameters that may carry a derivative.
fn parameters(sig: &syn::Signature, found: &mut Vec<syn::Path>) {
    for input in &sig.inputs {
        if let syn::FnArg::Typed(input) = input
            && !input.attrs.iter().any(|a| a.path().is_ident("constant"))
        {
            own_types(&input.ty, found);
        }
    }
}

/// Those that can be asked for, each once.
pub(super) fn limited(found: Vec<syn::Path>) -> Vec<syn::Path> {
    let mut paths: Vec<syn::Path> = Vec::new();
    for mut path in found {
        for segment in &mut path.segments {
            segment.arguments = syn::PathArguments::None;
        }
        if paths.len() < MOST && !paths.contains(&path) && !is_a_macro_too(&path) {
            paths.push(path);
        }
    }
    paths
}

/// Names that derives have which people import. What stands beside such an import cannot be a macro of ours.
const DERIVES: &str = "Add AddAssign Args AsMut AsRef Builder Clone Constructor Copy Debug Default Deref DerefMut \
    Deserialize Differentiable Display Div DivAssign Duplicate Eq Error From FromStr Hash Index IndexMut Into \
    IntoIterator \
    Mul MulAssign Neg Not Ord Parser PartialEq PartialOrd Record Rem Serialize Sub SubAssign Subcommand Sum TryFrom \
    TryInto ValueEnum Zeroable Pod";

/// Whether the name may be that of a macro which has nothing to do with the type.
pub(super) fn is_a_macro_too(path: &syn::Path) -> bool {
    path.segments.last().is_none_or(|last| {
        let name = last.ident.unraw().to_string();
        !name.starts_with(char::is_uppercase)
            || DERIVES.split_whitespace().any(|derive| derive == name)
    })
}

/// What asks for the types of a function or block, and what of it does not depend on them; `None` if a signature has
/// mistakes, which are reported without.
pub(crate) fn question(
    target: &Target,
    (asks, place): &(Vec<syn::Path>, Place),
    arguments: &TokenStream,
    options: &Options,
) -> Option<TokenStream> {
    let (item, beside) = match target {
        Target::Function(function) => {
            let func = pipeline::signature_only(function, &Owner::default())?;
            let surface = pipeline::surface(function, options, interface::Portion::Outside);
            (
                function.to_token_stream(),
                interface::outside(surface, &func),
            )
        }
        Target::Impl(block) | Target::Trait(block) | Target::Operator(block) => {
            (block.to_token_stream(), TokenStream::new())
        }
        Target::Definition(_) | Target::OfLanguage(_) => return None,
    };
    let krate = &options.krate;
    let callback = quote!(#krate::__rt::__with_schemas);
    let questions = questions(asks, &callback, &quote!({#arguments} {#item}), place)?;
    Some(quote!(#questions #beside))
}

/// What is generated, now that the schemas are known.
pub(crate) fn answered(tokens: TokenStream) -> TokenStream {
    let mut trees = tokens.into_iter();
    let (answers, payload) = (group(trees.next()), group(trees.next()));
    let mut trees = payload.into_iter();
    let (arguments, item) = (group(trees.next()), group(trees.next()));
    let Ok((mut options, _)) = Options::parse(arguments) else {
        return TokenStream::new();
    };
    let mut diags = Diagnostics::new();
    let target = input::target(&item, &mut diags);
    let generated = match target {
        Ok(Target::Function(function)) => {
            options.structs = of_written(written_in_function(&function), answers);
            pipeline::sweeps_of_function(&function, &options, &mut diags)
        }
        Ok(Target::Impl(block)) => {
            of_known(&block, answers, &mut options);
            let block = generic::with_operands(&block, &options.krate);
            block::differentiate(&block, &options, &mut diags)
        }
        Ok(Target::Trait(block)) => {
            of_known(&block, answers, &mut options);
            let block = generic::with_operands(&block, &options.krate);
            traits::beside(&block, &options, &mut diags)
        }
        Ok(Target::Operator(block)) => {
            // The operands are parameters like others, by the names of their types.
            options.structs = of_written(written_in_block(&block), answers);
            let block = generic::with_operands(&block, &options.krate);
            traits::differentiate_each(&block, &options, &mut diags)
        }
        Ok(Target::Definition(_) | Target::OfLanguage(_)) | Err(_) => TokenStream::new(),
    };
    if diags.is_empty() {
        return generated;
    }
    let errors = diags.into_tokens();
    quote!(#generated #errors)
}

/// What the answers say of the types that were asked for.
fn of_written(written: Vec<syn::Path>, answers: TokenStream) -> HashMap<String, Ty> {
    by_path(&limited(written.clone()), &written, answers)
}

/// What the answers say of the types of a block, and of that which it is of.
fn of_known(block: &syn::ItemImpl, answers: TokenStream, options: &mut Options) {
    let paths = of_block(block);
    let itself = itself(block);
    let of_itself = paths
        .iter()
        .position(|path| Some(path_text(path)) == itself)
        .and_then(|at| answers.clone().into_iter().nth(at));
    options.itself = of_itself.map(|answer| group(Some(answer)));
    options.structs = by_path(&paths, &written_in_block(block), answers);
}

/// The type of a block, as its definition is found.
fn itself(block: &syn::ItemImpl) -> Option<String> {
    if let syn::Type::Path(ty) = &*block.self_ty
        && ty.qself.is_none()
    {
        Some(path_text(&ty.path))
    } else {
        None
    }
}
