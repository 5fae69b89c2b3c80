//! `#[gradient]` on an `impl` block: each of its functions that can carry a derivative is differentiated, and what is
//! generated stands in a second block.
//!
//! | signature | what happens |
//! |---|---|
//! | something goes in that may carry a derivative, and the result or a `&mut` argument may | differentiated |
//! | `#[no_gradient]` | left as it is |
//! | a reference comes out, or nothing at all; a parameter is a cell or the like | left as it is, without sweeps |
//! | anything else | left as it is; its sweeps, for callers, do nothing in reverse |

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{format_ident, quote};

use crate::accessors::Accessors;
use crate::diag::{Diagnostics, catalog};
use crate::generic;
use crate::input;
use crate::interface;
use crate::ir::{Passing, regroup};
use crate::lent;
use crate::lower::{Derivative, Member, Owner, passing};
use crate::options::Options;
use crate::pipeline;
use crate::returned_self;
use crate::schema;

/// The second block.
pub(crate) fn differentiate(
    block: &syn::ItemImpl,
    options: &Options,
    diags: &mut Diagnostics,
) -> TokenStream {
    for name in options.name.iter().chain(&options.companion) {
        diags.at(name.span(), catalog::option_of_block());
    }
    expand(&without_self(block), options, Members::All, diags)
}

/// The block with methods that return nothing in place of those that return the receiver.
fn without_self(block: &syn::ItemImpl) -> syn::ItemImpl {
    let mut block = block.clone();
    for item in &mut block.items {
        if let syn::ImplItem::Fn(method) = item
            && let Some((sig, body)) = returned_self::without(&method.sig, &method.block)
        {
            (method.sig, method.block) = (sig, body);
        }
    }
    block
}

/// What is generated for a method with the attribute of its own, of a block with this method alone. It is a block,
/// which cannot stand in another one, but in a function that does.
pub(crate) fn of_method(
    block: &syn::ItemImpl,
    method: &Ident,
    options: &Options,
    diags: &mut Diagnostics,
) -> TokenStream {
    let items = expand(&without_self(block), options, Members::This, diags);
    let (cfgs, allow) = (cfgs(&block.attrs), interface::allowed());
    let holder = format_ident!(
        "__derivative_of_{}_items",
        syn::ext::IdentExt::unraw(method)
    );
    quote! {
        #(#cfgs)*
        #allow
        #[doc(hidden)]
        fn #holder() { #items }
    }
}

/// Which functions of a block are differentiated, and what they get.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Members {
    /// All that can be.
    All,
    /// These, and they get nothing that users call.
    Sweeps,
    /// The only one, whatever its signature says: the attribute stands on it.
    This,
}

/// A block with the sweeps of the functions of this one, and nothing that users call.
pub(crate) fn sweeps_only(
    block: &syn::ItemImpl,
    options: &Options,
    diags: &mut Diagnostics,
) -> TokenStream {
    expand(block, options, Members::Sweeps, diags)
}

fn expand(
    block: &syn::ItemImpl,
    options: &Options,
    members: Members,
    diags: &mut Diagnostics,
) -> TokenStream {
    generic::expand_block(block, &options.krate, diags, &mut |part, diags| {
        second_block(part, options, members, diags)
    })
}

fn second_block(
    part: &generic::Part<'_>,
    options: &Options,
    which: Members,
    diags: &mut Diagnostics,
) -> TokenStream {
    let block = part.block;
    let methods: Vec<&syn::ImplItemFn> = block
        .items
        .iter()
        .filter_map(|item| {
            if let syn::ImplItem::Fn(method) = item {
                Some(method)
            } else {
                None
            }
        })
        .collect();
    let of_type = block.trait_.is_none() && lent::is_derived(&block.self_ty);
    let lent = |method: &syn::ImplItemFn| of_type.then(|| lent::returning_value(method)).flatten();
    let members = methods.iter().map(|method| {
        let name = syn::ext::IdentExt::unraw(&method.sig.ident).to_string();
        let left = method.attrs.iter().any(|a| is_named(a, "no_gradient"));
        let returning = lent(method).filter(|_| !left);
        let sig = returning.as_ref().map_or(&method.sig, |of| &of.sig);
        (name, Member::of(sig, left))
    });
    let this = which == Members::This;
    let mut structs = options.structs.clone();
    let schema = options.itself.as_ref();
    if let Some(ty) = schema.and_then(|schema| schema::of_itself(schema, &block.self_ty)) {
        structs.insert("Self".to_owned(), ty);
    }
    let owner = Owner {
        stands_in_block: true,
        of_trait: block.trait_.as_ref().map(|(_, path, _)| path.clone()),
        sweeps_only: which == Members::Sweeps,
        generics: block.generics.clone(),
        structs,
        // Of the others, nothing is known.
        members: members.filter(|_| !this).collect(),
        itself: Some((*block.self_ty).clone()),
        ..Owner::default()
    };
    diags.in_block(!this);
    let chosen = part.chosen.iter().filter_map(|n| {
        if let syn::ImplItem::Fn(method) = &block.items[*n] {
            Some(method)
        } else {
            None
        }
    });
    let accessors = Accessors::of(block);
    let generated: TokenStream = chosen
        .map(|method| {
            let written = accessors.written_out(method, &options.krate);
            let method = written.as_ref().map_or(method, |(method, _)| method);
            if this {
                return of_its_own(method, &owner, part.turbofish, options, diags);
            }
            let derivative = owner.member(&method.sig.ident).map(|m| m.derivative);
            if derivative == Some(Derivative::Own)
                && let Some(method) = lent(method)
            {
                return sweeps_of_lent(&method, &owner, part.turbofish, options);
            }
            match derivative {
                Some(Derivative::Own) => {
                    let generated = own(method, &owner, part.turbofish, options, diags);
                    let check = written.as_ref().map(|(_, check)| check);
                    quote!(#generated #check)
                }
                Some(Derivative::Zero) => zero(method, &owner, options),
                Some(
                    Derivative::Reference
                    | Derivative::Opaque
                    | Derivative::Parameter
                    | Derivative::Effect
                    | Derivative::Left,
                )
                | None => TokenStream::new(),
            }
        })
        .collect();
    diags.in_block(false);
    if generated.is_empty() {
        return TokenStream::new();
    }
    let (generics, _, where_clause) = block.generics.split_for_impl();
    let (cfgs, ty) = (cfgs(&block.attrs), &block.self_ty);
    let allow = interface::allowed();
    quote! {
        #(#cfgs)*
        #allow
        #[automatically_derived]
        impl #generics #ty #where_clause { #generated }
    }
}

/// The sweeps of a method that lends a part of the value, as of the one that returns it. It compiles without them.
fn sweeps_of_lent(
    method: &syn::ImplItemFn,
    owner: &Owner,
    turbofish: Option<&interface::Turbofish>,
    options: &Options,
) -> TokenStream {
    let owner = Owner {
        sweeps_only: true,
        ..owner.clone()
    };
    let mut unread = Diagnostics::new();
    let generated = own(method, &owner, turbofish, options, &mut unread);
    if unread.is_empty() {
        generated
    } else {
        TokenStream::new()
    }
}

/// What a method gets that is differentiated.
pub(crate) fn own(
    method: &syn::ImplItemFn,
    owner: &Owner,
    turbofish: Option<&interface::Turbofish>,
    options: &Options,
    diags: &mut Diagnostics,
) -> TokenStream {
    let mut options = options.clone();
    options.name = None;
    options.companion = None;
    if let Some(attribute) = method.attrs.iter().find(|a| is_named(a, "gradient"))
        && let syn::Meta::List(list) = &attribute.meta
    {
        options.refine(list.tokens.clone(), diags);
    }
    of_its_own(method, owner, turbofish, &options, diags)
}

/// The same with these options.
fn of_its_own(
    method: &syn::ImplItemFn,
    owner: &Owner,
    turbofish: Option<&interface::Turbofish>,
    options: &Options,
    diags: &mut Diagnostics,
) -> TokenStream {
    let mut sig = method.sig.clone();
    // What is generated need not be `const`, and the body means the same at run time.
    sig.constness = None;
    let attrs = method.attrs.iter().filter(|a| !is_helper(a)).cloned();
    let function = syn::ItemFn {
        attrs: attrs.collect(),
        vis: method.vis.clone(),
        sig,
        block: Box::new(method.block.clone()),
    };
    let function = generic::bounded(&generic::named(&function), &options.krate);
    pipeline::differentiate(&function, owner, turbofish, options, diags)
}

/// The sweeps of a function that carries no derivative: it runs forward, and does nothing in reverse.
fn zero(method: &syn::ImplItemFn, owner: &Owner, options: &Options) -> TokenStream {
    let of_trait = owner.of_trait.as_ref().map(|path| interface::OfTrait {
        path,
        number: crate::traits::number_of_trait(path),
        written: Some(&method.sig),
    });
    zero_of(&method.sig, &method.attrs, &method.vis, of_trait, options)
}

/// The same, by the signature. `of_trait`: the trait whose method it is.
pub(crate) fn zero_of(
    sig: &syn::Signature,
    attrs: &[syn::Attribute],
    vis: &syn::Visibility,
    of_trait: Option<interface::OfTrait<'_>>,
    options: &Options,
) -> TokenStream {
    let receiver = sig.receiver();
    let known = receiver.is_none_or(|r| passing(r).is_some());
    if !known || sig.asyncness.is_some() || sig.unsafety.is_some() || sig.variadic.is_some() {
        return TokenStream::new();
    }
    let by_mut = receiver.and_then(passing) == Some(Passing::InOut);
    if by_mut {
        // Nothing says that what it writes carries none.
        return TokenStream::new();
    }
    let mut inputs = sig.inputs.clone();
    let names = interface::name_arguments(&mut inputs);
    interface::zero(interface::Zero {
        attrs: cfgs(attrs),
        vis,
        sig,
        inputs: &inputs,
        names: &names,
        krate: &options.krate,
        of_trait,
    })
}

pub(crate) fn cfgs(attrs: &[syn::Attribute]) -> Vec<&syn::Attribute> {
    attrs.iter().filter(|a| a.path().is_ident("cfg")).collect()
}

/// Whether the attribute has this name, by whatever path.
pub(crate) fn is_named(attribute: &syn::Attribute, name: &str) -> bool {
    let last = attribute.path().segments.last();
    last.is_some_and(|segment| segment.ident == name)
}

/// Whether there is one `#[gradient]`, without arguments, and all other attributes are such.
pub(crate) fn has_plain_gradient(
    attributes: &[syn::Attribute],
    other: impl Fn(&syn::Attribute) -> bool,
) -> bool {
    let gradient = |a: &&syn::Attribute| is_named(a, "gradient");
    let (gradient, others): (Vec<_>, Vec<_>) = attributes.iter().partition(gradient);
    matches!(&gradient[..], [a] if matches!(a.meta, syn::Meta::Path(_)))
        && others.into_iter().all(other)
}

fn is_helper(attribute: &syn::Attribute) -> bool {
    is_named(attribute, "gradient") || is_named(attribute, "no_gradient")
}

/// The block as the user wrote it, without the attributes that rustc does not know or that have been read.
pub(crate) fn stripped(item: TokenStream) -> TokenStream {
    let mut trees: Vec<TokenTree> = item.into_iter().collect();
    if let Some(TokenTree::Group(body)) = trees.last_mut()
        && body.delimiter() == Delimiter::Brace
    {
        let members = without_own(body.stream());
        *body = regroup(body, members);
    }
    input::stripped(trees.into_iter().collect())
}

/// The members of a block without the attributes `gradient` and `no_gradient`. In bodies they are left: functions in
/// them may have some.
fn without_own(members: TokenStream) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    for tree in members {
        if let TokenTree::Group(group) = &tree
            && matches!(out.last(), Some(TokenTree::Punct(p)) if p.as_char() == '#')
            && reads_as_helper(group)
        {
            out.pop();
            continue;
        }
        out.push(tree);
    }
    out.into_iter().collect()
}

fn reads_as_helper(group: &Group) -> bool {
    group.delimiter() == Delimiter::Bracket
        && syn::parse2::<syn::Meta>(group.stream()).is_ok_and(|meta| {
            let last = meta.path().segments.last();
            last.is_some_and(|s| s.ident == "gradient" || s.ident == "no_gradient")
        })
}
