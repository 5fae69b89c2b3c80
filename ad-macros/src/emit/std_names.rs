//! Checks that methods with names of std's are std's.
//!
//! In code that never runs, the name is called on the receiver's type once more, beside a trait of the runtime that has
//! it for the last place where Rust looks before it comes to std's method. See `ad-runtime/src/std_names.rs`.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};

use super::Emitter;
use crate::ir::hash::HashSet;
use crate::ir::{Owner, Standing, StdMethod, Takes, Ty, std_method, without_reference};

impl Emitter<'_> {
    /// Methods of containers and options, each once for each type.
    pub(super) fn std_methods(&self) -> TokenStream {
        let rt = self.rt();
        let mut seen = HashSet::default();
        let (mut params, mut types) = (TokenStream::new(), TokenStream::new());
        let mut calls = TokenStream::new();
        for called in &self.func.std_methods {
            let method = &called.method;
            let Some(place) = place_before(called) else {
                continue;
            };
            let Some(ty) = self.receiver_type(called) else {
                continue;
            };
            if !seen.insert(format!("{method} {place} {ty}")) {
                continue;
            }
            let mut value = super::own(&format!("__value_{}", seen.len()));
            value.set_span(value.span().located_at(method.span()));
            let receiver = match (called.receiver, &called.ty) {
                (Standing::Itself, Ty::Slice(_)) => quote_spanned!(method.span()=> (*#value)),
                _ => quote!(#value),
            };
            params.extend(quote!(mut #value: #ty,));
            types.extend(settled(quote!(#ty,)));
            calls.extend(quote_spanned! {method.span()=>
                { use #rt::std_names::#place as _; #rt::std_names::is_of_std(#receiver.#method()); }
            });
        }
        let (more_params, more_types, more_calls) = self.chain_methods(seen.len());
        params.extend(more_params);
        types.extend(more_types);
        calls.extend(more_calls);
        if calls.is_empty() {
            return calls;
        }
        // What is not known of a type is anything until the names have been found, and then nothing.
        let names = super::own("__names");
        quote! {
            let #names = |#params| { #calls };
            let _: fn(#types) = #names;
        }
    }

    /// Parameters, their types and the calls on them for methods of iterators, numbered behind `before`. Which ones
    /// they are called on is not seen; those that a trait may be for stand for all.
    fn chain_methods(&self, before: usize) -> (TokenStream, TokenStream, TokenStream) {
        let rt = self.rt();
        let (mut params, mut types) = (TokenStream::new(), TokenStream::new());
        let mut calls = TokenStream::new();
        let chain = quote!(#rt::std_names::Chain);
        let elements = quote!(#rt::std::slice::Iter);
        let receivers = [
            (quote!(#chain<_>), quote!(#chain<()>)),
            (quote!(#elements<'_, _>), quote!(#elements<'_, ()>)),
        ];
        let methods = self.func.chain_methods.iter();
        let asked = methods.flat_map(|method| receivers.iter().map(move |of| (method, of)));
        for (k, (method, (ty, settled))) in asked.enumerate() {
            let mut value = super::own(&format!("__value_{}", before + k + 1));
            value.set_span(value.span().located_at(method.span()));
            params.extend(quote!(mut #value: #ty,));
            types.extend(quote!(#settled,));
            calls.extend(quote_spanned! {method.span()=>
                { use #rt::std_names::OfChains as _; #rt::std_names::is_of_std(#value.#method()); }
            });
        }
        (params, types, calls)
    }

    /// The type of the receiver, if its outermost part is known, with `_` for what is not.
    fn receiver_type(&self, called: &StdMethod) -> Option<TokenStream> {
        let mut params = self.func.params.iter();
        let whole = params.find(|param| Some(param.var) == called.whole);
        let written = whole.map(|param| without_reference(&param.written));
        let ty = match (written.filter(|ty| is_plain(ty)), &called.ty) {
            (Some(written), _) => quote!(#written),
            (None, Ty::Slice(element)) => {
                let element = self.annotation(element).unwrap_or_else(|| quote!(_).into());
                quote!([#element])
            }
            (None, ty) => self.annotation(ty)?.into(),
        };
        Some(match (called.receiver, &called.ty) {
            (Standing::Itself, Ty::Slice(_)) | (Standing::Exclusive, _) => quote!(&mut #ty),
            (Standing::Itself, _) => ty,
            (Standing::Shared, _) => quote!(&#ty),
        })
    }
}

/// With `()` for `_`.
fn settled(ty: TokenStream) -> TokenStream {
    let tree = |tree: TokenTree| match &tree {
        TokenTree::Ident(ident) if *ident == "_" => quote!(()),
        TokenTree::Group(group) => {
            let inner = settled(group.stream());
            TokenTree::Group(Group::new(group.delimiter(), inner)).into()
        }
        TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {
            TokenStream::from(tree)
        }
    };
    ty.into_iter().flat_map(tree).collect()
}

/// Whether the type can be written of a parameter of a closure.
fn is_plain(ty: &syn::Type) -> bool {
    #[derive(Default)]
    struct Others(bool);
    impl<'ast> syn::visit::Visit<'ast> for Others {
        fn visit_type_impl_trait(&mut self, _: &'ast syn::TypeImplTrait) {
            self.0 = true;
        }
    }
    let mut others = Others::default();
    syn::visit::Visit::visit_type(&mut others, ty);
    !others.0
}

/// The trait of the runtime that has the method where Rust looks last before it finds std's; `None` if it finds that
/// at once.
///
/// On `v: V` it looks at `V`, `&V`, `&mut V`, and at the same of the slice `V` leads to; on a reference to it at the
/// same of that reference first.
fn place_before(called: &StdMethod) -> Option<Ident> {
    let (owner, takes) = std_method(&called.ty, &called.method.to_string())?;
    let is_slice = matches!(called.ty, Ty::Slice(_));
    let place = match (owner, called.receiver, takes) {
        // Where it must not be found at all, any place does.
        (Owner::Nothing, _, _) | (Owner::Type, Standing::Itself, Takes::Shared) => "ByValue",
        (Owner::Type, Standing::Itself, Takes::Exclusive) => "Shared",
        (Owner::Type, Standing::Exclusive, Takes::Shared | Takes::Value)
        | (Owner::Type, Standing::Shared, Takes::Value) => "Behind",
        (Owner::Slice, Standing::Exclusive, Takes::Shared) if is_slice => "Behind",
        (Owner::Slice, Standing::Itself, Takes::Exclusive) => "OfSlices",
        (Owner::Slice, _, _) if is_slice => return None,
        (Owner::Slice, Standing::Itself, _) => "Exclusive",
        // One by value moves out of the reference, unless that can be copied.
        (Owner::Slice, Standing::Shared, Takes::Shared) if is_copied(&called.ty) => "ByValue",
        (Owner::Slice, Standing::Shared, Takes::Shared) => "Behind",
        (Owner::Slice, Standing::Exclusive, Takes::Shared) => "Shared",
        (Owner::Slice, Standing::Exclusive, Takes::Exclusive) => "OfSlices",
        // At once, or not at all.
        (Owner::Type, Standing::Itself, Takes::Value)
        | (Owner::Type, Standing::Shared, Takes::Shared | Takes::Exclusive)
        | (Owner::Type, Standing::Exclusive, Takes::Exclusive)
        | (Owner::Slice, Standing::Shared, Takes::Exclusive)
        | (Owner::Slice, _, Takes::Value) => return None,
    };
    Some(format_ident!("{place}"))
}

/// Whether it is an array of numbers.
fn is_copied(ty: &Ty) -> bool {
    matches!(ty, Ty::Array(..)) && ty.is_spelled_out()
}
