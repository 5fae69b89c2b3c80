//! The stages in order: lower → verify → refuse → unroll → verify → analyze → reverse → optimize → verify → emit.

use std::borrow::Cow;

use proc_macro2::TokenStream;
use quote::quote;

use crate::configurations::{self, configurations, under};
use crate::diag::{Diagnostics, catalog};
use crate::emit::Emitter;
use crate::input::Target;
use crate::ir::Transform;
use crate::lower::{self, Owner};
use crate::options::Options;
use crate::returned_self;
use crate::surroundings::{Surroundings, companion_of, surroundings};
use crate::traits;
use crate::{
    aliases, block, by_hand, dump, elided, functions, generic, indexed, inlining, input, interface,
    ir, iterated, known_types, leaving, lent, own_macros, schema, seeds,
};

#[cfg(test)]
pub(crate) use crate::stages::structured;
pub(crate) use crate::stages::{
    Stopped, Structured, Unrolled, optimized, signature_only, structured_in, sweeps, unrolled,
};

/// What the attribute macro returns: the user's function as written and what is derived from it.
pub(crate) fn expand(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let configured = match configurations::of_trait(&item) {
        None => return expand_one(arguments, item),
        Some(Ok(configured)) => configured,
        Some(Err(condition)) => {
            let mut diags = Diagnostics::new();
            diags.over(&condition, catalog::cfg());
            let (primal, errors) = (block::stripped(item), diags.into_tokens());
            return quote!(#primal #errors);
        }
    };
    let options = Options::parse(arguments.clone());
    let krate = options.map_or_else(|_| Options::default().krate, |read| read.0.krate);
    let configured = configured.into_iter().map(|(cfg, item)| {
        let items = expand_one(arguments.clone(), item);
        quote!(#cfg #krate::__rt::items! { #items })
    });
    configured.collect()
}

/// What it returns for an item whose own items depend on no configuration.
fn expand_one(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut diags = Diagnostics::new();
    let mut as_given = arguments.clone();
    let (mut options, mistakes) = match Options::parse(arguments) {
        Ok(read) => read,
        Err(error) => {
            diags.at(error.span(), catalog::option_syntax(&error.to_string()));
            (Options::default(), Vec::new())
        }
    };
    for (span, message) in mistakes {
        diags.at(span, message);
    }
    let mut target = input::target(&item, &mut diags);
    if let Ok(Target::Function(function)) = &target {
        options.definition = inlining::definition(function);
    }
    let mut questions = TokenStream::new();
    if let Ok(target) = &mut target {
        questions = written_out(target, &options.krate);
        if let Target::Function(function) = target
            && let Some((returning, lends)) = lent::owned(function)
        {
            **function = returning;
            (options.lends, options.definition) = (Some(lends), None);
        }
    }
    if let (Some(span), Ok(found)) = (options.objects, &target)
        && !matches!(found, Target::Definition(_))
    {
        diags.at(span, catalog::option_of_trait());
    }
    if let Some(companion) = companion_beside_module(&target, &options) {
        as_given = quote!(companion = #companion, #as_given);
        options.companion = Some(companion);
    }
    let names = by_hand::Names::of(&target, &options);
    let (primal, generated) = match target {
        Ok(
            target @ (Target::Function(_)
            | Target::Impl(_)
            | Target::Trait(_)
            | Target::Operator(_)),
        ) if diags.is_empty()
            && options.lends.is_none()
            && let Some(question) = questioned(&target, &as_given, &options) =>
        {
            let primal = match &target {
                Target::Function(_) => input::stripped(item),
                Target::Trait(block) => {
                    let added = traits::written_again(block, &options);
                    traits::with_items(block::stripped(item), added)
                }
                Target::Impl(_)
                | Target::Operator(_)
                | Target::OfLanguage(_)
                | Target::Definition(_) => block::stripped(item),
            };
            (primal, question)
        }
        Ok(Target::Function(function)) => {
            let generated = of_function(&function, &options, &mut diags);
            (input::stripped(item), generated)
        }
        Ok(Target::Impl(block)) => {
            let block = generic::with_operands(&block, &options.krate);
            let generated = block::differentiate(&block, &options, &mut diags);
            (block::stripped(item), generated)
        }
        Ok(Target::Definition(definition)) => {
            let (defined, beside) = traits::define(&definition, &options, &mut diags);
            let defined = aliases::restored(defined, &definition, item);
            (block::stripped(quote!(#defined)), beside)
        }
        Ok(Target::Trait(block)) => {
            let block = generic::with_operands(&block, &options.krate);
            let generated = traits::beside(&block, &options, &mut diags);
            let added = traits::written_again(&block, &options);
            (traits::with_items(block::stripped(item), added), generated)
        }
        Ok(Target::OfLanguage(block)) => {
            let (generated, added) = traits::within(&block, &options, &mut diags);
            (traits::with_items(block::stripped(item), added), generated)
        }
        Ok(Target::Operator(block)) => {
            let block = generic::with_operands(&block, &options.krate);
            let generated = traits::differentiate_each(&block, &options, &mut diags);
            (block::stripped(item), generated)
        }
        Err(as_written) => (as_written, TokenStream::new()),
    };
    let generated = names.or_report(generated, &mut diags);
    if diags.is_empty() {
        return quote!(#primal #generated #questions);
    }
    let errors = diags.into_tokens();
    quote!(#primal #generated #errors)
}

/// What the hidden type of a function is called where a module has the name of the function.
fn companion_beside_module(
    target: &Result<Target, TokenStream>,
    options: &Options,
) -> Option<proc_macro2::Ident> {
    let Ok(Target::Function(function)) = target else {
        return None;
    };
    match &options.companion {
        Some(_) => None,
        None => companion_of(&function.sig.ident),
    }
}

/// What the text around the item says, written into it: its macros, aliases and lifetimes, and which types carry no
/// derivative. What is returned compiles only if what the text says is all there is.
fn written_out(target: &mut Target, krate: &syn::Path) -> TokenStream {
    aliases::results_written_out(target, krate);
    match target {
        Target::Function(function) => {
            own_macros::written_out(function);
            aliases::written_out(function);
            let questions = indexed::written_out(function, krate);
            elided::written_out(function);
            generic::name_numbers(&mut function.sig);
            known_types::marked(function, krate);
            questions
        }
        Target::Impl(block) => {
            own_macros::written_out_in_block(block);
            aliases::written_out_in_block(block);
            let questions = indexed::written_out_in_block(block, krate);
            elided::written_out_in_block(block);
            for item in &mut block.items {
                if let syn::ImplItem::Fn(method) = item {
                    generic::name_numbers(&mut method.sig);
                }
            }
            known_types::marked_in_block(block, krate);
            questions
        }
        Target::Operator(block) | Target::Trait(block) | Target::OfLanguage(block) => {
            traits::say_constants(block);
            own_macros::written_out_in_block(block);
            aliases::written_out_in_block(block);
            let questions = indexed::written_out_in_block(block, krate);
            known_types::marked_in_block(block, krate);
            questions
        }
        Target::Definition(definition) => {
            known_types::marked_in_trait(definition);
            TokenStream::new()
        }
    }
}

/// Where types are to be asked for first, what asks for them.
fn questioned(target: &Target, arguments: &TokenStream, options: &Options) -> Option<TokenStream> {
    let asks = schema::asks(target)?;
    schema::question(target, &asks, arguments, options)
}

/// What is generated for a function with the attribute of its own.
fn of_function(function: &syn::ItemFn, options: &Options, diags: &mut Diagnostics) -> TokenStream {
    let surroundings = surroundings(function.sig.ident.span());
    if surroundings == Surroundings::Trait {
        diags.at(function.sig.ident.span(), catalog::trait_function());
        return TokenStream::new();
    }
    if surroundings == Surroundings::Impl
        && let Some(block) = generic::block_of(function)
    {
        let block = generic::with_operands(&block, &options.krate);
        return block::of_method(&block, &function.sig.ident, options, diags);
    }
    let returned = returned_self::without(&function.sig, &function.block);
    let returned = returned.map(|(sig, body)| syn::ItemFn {
        sig,
        block: Box::new(body),
        ..function.clone()
    });
    let function = returned.as_ref().unwrap_or(function);
    let owner = Owner {
        stands_in_block: surroundings == Surroundings::Impl || input::is_associated(function),
        structs: options.structs.clone(),
        ..Owner::default()
    };
    let named = &generic::named(function);
    let function = if owner.stands_in_block {
        Cow::Borrowed(named)
    } else {
        generic::united_function(named)
    };
    let function = &*function;
    if !owner.stands_in_block
        && let Some(generic) = generic::generic(function, named, &options.krate, diags)
    {
        let instance =
            |instance: &syn::ItemFn, turbofish: &interface::Turbofish, diags: &mut Diagnostics| {
                differentiate(instance, &owner, Some(turbofish), options, diags)
            };
        return in_each(function, diags, |configured, diags| match configured {
            None => generic.differentiate(diags, &mut { instance }),
            Some(function) => generic::generic(function, named, &options.krate, diags)
                .map(|generic| generic.differentiate(diags, &mut { instance }))
                .unwrap_or_default(),
        });
    }
    let function = generic::bounded(function, &options.krate);
    differentiate(&function, &owner, None, options, diags)
}

/// The generated items, or stubs of them if a mistake was reported. `owner`: the block that the attribute stands on, if
/// it does not stand on the function. `turbofish`: of the function as written, if this is an instance of it.
pub(crate) fn differentiate(
    function: &syn::ItemFn,
    owner: &Owner,
    turbofish: Option<&interface::Turbofish>,
    options: &Options,
    diags: &mut Diagnostics,
) -> TokenStream {
    // Instances of a generic function share items.
    if turbofish.is_some() {
        return configuration(function, owner, turbofish, options, diags);
    }
    in_each(function, diags, |configured, diags| {
        let function = configured.unwrap_or(function);
        configuration(function, owner, turbofish, options, diags)
    })
}

/// What `expand` generates for each configuration of a function, or once, for `None`, where nothing in it depends on
/// `#[cfg]`.
fn in_each(
    function: &syn::ItemFn,
    diags: &mut Diagnostics,
    expand: impl Fn(Option<&syn::ItemFn>, &mut Diagnostics) -> TokenStream,
) -> TokenStream {
    let Some(configured) = configurations(function) else {
        return expand(None, diags);
    };
    let items = configured.iter().map(|function| {
        let mut found = Diagnostics::new();
        let items = expand(Some(function), &mut found);
        let errors = under(function, found.into_errors());
        quote!(#items #errors)
    });
    items.collect()
}

/// The same of a function in which nothing depends on `#[cfg]`.
fn configuration(
    function: &syn::ItemFn,
    owner: &Owner,
    turbofish: Option<&interface::Turbofish>,
    options: &Options,
    diags: &mut Diagnostics,
) -> TokenStream {
    ir::faults::enter(&function.sig.ident);
    let of_trait = owner.of_trait.as_ref().map(|path| interface::OfTrait {
        path,
        number: traits::number_of_trait(path),
        written: owner.is_impl().then_some(&function.sig),
    });
    // What implements a trait takes what the trait says.
    let own = owner.of_trait.is_none();
    let iterated = own.then(|| iterated::prepare(function)).flatten();
    let function = iterated.as_ref().map_or(function, |of| &of.function);
    let prepared = functions::prepare(function, &options.krate, diags);
    let mut compared = prepared.as_ref().map(|of| of.compared.clone());
    if let Some(iterated) = &iterated {
        compared = Some(iterated.compared(compared));
    }
    let compared = compared.as_deref();
    let function = prepared.as_ref().map_or(function, |of| &of.function);
    let home = if owner.stands_in_block {
        interface::Home::Impl
    } else {
        interface::Home::Companion(options.companion.as_ref().unwrap_or(&function.sig.ident))
    };
    let surface = interface::Surface {
        item: function,
        turbofish,
        krate: &options.krate,
        base: options.name.as_ref().unwrap_or(&function.sig.ident),
        home,
        of_trait,
        public: !owner.sweeps_only,
        portion: interface::Portion::Whole,
        compared,
        captures: None,
        definition: options.definition,
        lends: options.lends.as_ref(),
        seeds: options.seeds.is_some(),
    };
    of_surface(surface, function, owner, options, diags)
}

/// What is generated for a function that asked for the definitions of types, where these are known.
pub(crate) fn sweeps_of_function(
    function: &syn::ItemFn,
    options: &Options,
    diags: &mut Diagnostics,
) -> TokenStream {
    ir::faults::enter(&function.sig.ident);
    let owner = Owner {
        structs: options.structs.clone(),
        ..Owner::default()
    };
    let surface = surface(function, options, interface::Portion::Inside);
    of_surface(surface, function, &owner, options, diags)
}

/// A function that stands in no block, and has no other instances.
pub(crate) fn surface<'a>(
    function: &'a syn::ItemFn,
    options: &'a Options,
    portion: interface::Portion,
) -> interface::Surface<'a> {
    interface::Surface {
        item: function,
        turbofish: None,
        krate: &options.krate,
        base: options.name.as_ref().unwrap_or(&function.sig.ident),
        home: interface::Home::Companion(options.companion.as_ref().unwrap_or(&function.sig.ident)),
        of_trait: None,
        public: true,
        portion,
        compared: None,
        captures: None,
        definition: options.definition,
        lends: options.lends.as_ref(),
        seeds: options.seeds.is_some(),
    }
}

pub(crate) fn of_surface(
    mut surface: interface::Surface<'_>,
    function: &syn::ItemFn,
    owner: &Owner,
    options: &Options,
    diags: &mut Diagnostics,
) -> TokenStream {
    let transforms = options.transforms;
    if let Some(span) = options.seeds.filter(|_| !may_have_seeds(&surface)) {
        diags.at(span, catalog::seeds_target());
        surface.seeds = false;
    }
    let beside = if transforms.has(Transform::Inline) && surface.turbofish.is_none() {
        inlining::of(function, owner)
    } else {
        lower::Beside::default()
    };
    let shown = (!beside.is_empty()).then(|| Owner {
        beside,
        ..owner.clone()
    });
    let derived = structured_in(function, shown.as_ref().unwrap_or(owner), diags)
        .and_then(|primal| functions::with_closures(primal, options, diags))
        .and_then(|primal| unrolled(primal, transforms, diags))
        .and_then(|primal| {
            let for_seeds = surface.seeds.then(|| primal.clone());
            let again = leaving::may_be_asked_for(&surface, &primal).then(|| primal.clone());
            let one = sweeps(primal, transforms, diags)?;
            let again = again.filter(|_| one.0.leaves);
            let left = again.map(|primal| leaving::sweeps(primal, transforms, diags));
            let several = for_seeds.map(|primal| seeds::sweeps(primal, transforms, diags));
            Ok((one, left.transpose()?, several.transpose()?))
        });
    match derived {
        Ok(((sweeps, explain), left, several)) => {
            let emitter = several
                .as_ref()
                .map(|s| Emitter::for_seeds(s, surface.krate));
            let emitter = match emitter.transpose() {
                Ok(emitter) => emitter,
                Err((span, why)) => {
                    diags.at(span, seeds::refusal(&why));
                    return interface::stubs(surface, &sweeps.func);
                }
            };
            let several = several.as_ref().zip(emitter.as_ref());
            let report = explain.documentation();
            let items = interface::items(surface, &sweeps, several, left.as_ref(), &report);
            dump::stage(&sweeps.func, "tokens", || items.to_string());
            items
        }
        Err(Stopped(Some(f))) => interface::stubs(surface, &f),
        Err(Stopped(_)) => TokenStream::new(),
    }
}

/// Whether there can be sweeps for several seeds: callers reach them by the name of the function alone.
fn may_have_seeds(surface: &interface::Surface<'_>) -> bool {
    surface.turbofish.is_none()
        && surface.of_trait.is_none()
        && surface.public
        && surface.compared.is_none()
}

/// The item as written and one error, should the compiler itself fail.
pub(crate) fn panicked(item: &TokenStream) -> TokenStream {
    let mut diags = Diagnostics::new();
    diags.over(item, catalog::internal("the macro panicked"));
    let errors = diags.into_tokens();
    quote!(#item #errors)
}
