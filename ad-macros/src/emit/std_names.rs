//! Checks that methods with names of std's are std's.
//!
//! In code that never runs, the name is called on the receiver's type once more, beside a trait of the runtime that has
//! it for the last place where Rust looks before it comes to std's method. See `ad-runtime/src/std_names.rs`.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};

use super::Emitter;
use super::code::Code;
use crate::ir::hash::HashSet;
use crate::ir::{Opaque, Owner, Standing, StdMethod, Takes, Ty, std_method, without_reference};

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

    /// The check of a method on a place whose type the macro does not see. It runs nothing.
    pub(super) fn method_of_unseen(&self, o: &Opaque, place: &Code) -> TokenStream {
        let syn::Expr::MethodCall(call) = &o.code else {
            return TokenStream::new();
        };
        let standing = standing(&call.receiver);
        let (rt, method) = (self.rt(), &call.method);
        let [receiver, of, mut value] = ["__receiver", "__of", "__value"].map(super::own);
        value.set_span(value.span().located_at(method.span()));
        let checks = kinds(standing, method).into_iter().map(|kind| {
            let (name, place, is_held) = (kind.name, kind.place, kind.is_held);
            let asked = if is_held {
                quote!(#receiver.held())
            } else {
                quote!(#receiver)
            };
            let called = match name == SLICE {
                true => quote_spanned!(method.span()=> (*#value)),
                false => quote!(#value),
            };
            let name = super::own(&name);
            quote_spanned! {method.span()=> {
                let #of = &#asked;
                let mut #value = #of.#name();
                { use #rt::std_names::#place as _; #rt::std_names::is_of_std(#called.#method()); }
            }}
        });
        quote! {
            let _ = || {
                use #rt::std_names::{
                    NoArray as _, NoBox as _, NoSlice as _, NoVector as _, Otherwise as _
                };
                let #receiver = #rt::std_names::Receiver::of(&#place);
                #(#checks)*
            };
        }
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

/// How the text of a check reaches the receiver: `value`, `(&value)` or `(&mut value)`.
fn standing(receiver: &syn::Expr) -> Standing {
    if let syn::Expr::Paren(paren) = receiver {
        return standing(&paren.expr);
    }
    if let syn::Expr::Reference(of) = receiver {
        return match of.mutability {
            Some(_) => Standing::Exclusive,
            None => Standing::Shared,
        };
    }
    Standing::Itself
}

/// A kind of value that a receiver may be, and the trait of the runtime that has the method where Rust looks last.
struct Kind {
    /// The function of the runtime that makes such a value of the receiver's type.
    name: String,
    place: Ident,
    /// Whether that is what a `Box` holds.
    is_held: bool,
}

const SLICE: &str = "slice_exclusive";

/// The kinds of values that a receiver of unseen type may be.
fn kinds(standing: Standing, method: &Ident) -> Vec<Kind> {
    let unknown = || Box::new(Ty::Unknown);
    let (vector, array) = (Ty::Vec(unknown()), Ty::Array(unknown(), None));
    let mut kinds = Vec::new();
    let mut ask = |ty: &Ty, name: &str, receiver, is_held| {
        let called = StdMethod {
            method: method.clone(),
            receiver,
            ty: ty.clone(),
            whole: None,
        };
        let suffix = match receiver {
            Standing::Itself => "",
            Standing::Shared => "_shared",
            Standing::Exclusive => "_exclusive",
        };
        kinds.extend(place_before(&called).map(|place| Kind {
            name: format!("{name}{suffix}"),
            place,
            is_held,
        }));
    };
    ask(&vector, "vector", standing, false);
    ask(&array, "array", standing, false);
    // Of one that is `Copy`, also what takes it by value.
    if standing == Standing::Shared {
        ask(&array, "array", Standing::Itself, false);
    }
    // What a `Box` holds stands there itself.
    ask(&vector, "vector", Standing::Itself, true);
    ask(&array, "array", Standing::Itself, true);
    let of_slices = Ty::Slice(unknown());
    let exclusive = StdMethod {
        method: method.clone(),
        receiver: Standing::Itself,
        ty: of_slices,
        whole: None,
    };
    if let Some(place) = place_before(&exclusive).filter(|place| place == "OfSlices") {
        let name = SLICE.to_owned();
        kinds.push(Kind {
            name,
            place,
            is_held: true,
        });
    }
    // A `Box` has these itself. Behind a reference, Rust finds them first, or two of the name.
    let of_boxes = method == "clone" || method == "to_owned";
    let asked = !of_boxes || standing != Standing::Shared;
    if asked && !kinds.is_empty() {
        let (suffix, place) = match standing {
            Standing::Itself if of_boxes => ("", "ByValue"),
            Standing::Itself => ("", "Exclusive"),
            Standing::Shared => ("_shared", "Behind"),
            Standing::Exclusive => ("_exclusive", "Shared"),
        };
        let (name, place) = (format!("boxed{suffix}"), format_ident!("{place}"));
        kinds.push(Kind {
            name,
            place,
            is_held: false,
        });
    }
    kinds
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
