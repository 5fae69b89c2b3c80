//! The signatures of generated functions for both widths, as one that is generic: where one says `f64` and the other
//! `f32` stood the type parameter.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};

/// What both widths have in common.
pub(super) struct Widths {
    /// `allow` and `cfg`, which stand on every generated item.
    pub(super) attributes: Vec<syn::Attribute>,
    pub(super) functions: Vec<Function>,
}

/// A generated function of both widths.
pub(super) struct Function {
    /// The companion type, if it is one of its sweeps.
    pub(super) companion: Option<Ident>,
    attributes: Vec<syn::Attribute>,
    vis: syn::Visibility,
    /// With `Self` for the float.
    in_trait: syn::Signature,
    /// With the type parameter for the float.
    generic: syn::Signature,
    /// Of the arguments, to pass them on by.
    names: Vec<Ident>,
}

/// The signatures of a function for both widths as one, with `by` for the float, and the names of its arguments.
pub(super) fn merged(
    wide: &syn::Signature,
    narrow: &syn::Signature,
    by: &Ident,
) -> Option<(syn::Signature, Vec<Ident>)> {
    let (mut wide, mut narrow) = (wide.clone(), narrow.clone());
    let names = name_arguments(&mut wide);
    name_arguments(&mut narrow);
    let tokens = merge(wide.into_token_stream(), narrow.into_token_stream(), by)?;
    Some((syn::parse2(tokens).ok()?, names))
}

impl Widths {
    /// Reads what was generated; `None` if it is not of one form.
    pub(super) fn read(instances: &[TokenStream], parameter: &Ident) -> Option<Self> {
        let [wide, narrow] = instances else {
            return None;
        };
        let [wide, narrow] =
            [wide, narrow].map(|items| syn::parse2::<syn::File>(items.clone()).ok());
        let (wide, narrow) = (functions(&wide?), functions(&narrow?));
        let attributes = common_attributes(&wide)?;
        if wide.len() != narrow.len() {
            return None;
        }
        let both = wide.into_iter().zip(narrow);
        let functions = both.map(|(wide, narrow)| Function::merge(wide, &narrow, parameter));
        Some(Self {
            attributes,
            functions: functions.collect::<Option<_>>()?,
        })
    }

    pub(super) fn companion(&self) -> Option<&Ident> {
        self.functions.iter().find_map(|f| f.companion.as_ref())
    }
}

struct Generated {
    companion: Option<Ident>,
    attributes: Vec<syn::Attribute>,
    vis: syn::Visibility,
    sig: syn::Signature,
}

/// The functions of the user's interface, and of the interface to callers.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the user's syntax has more forms than are asked for"
)]
fn functions(file: &syn::File) -> Vec<Generated> {
    let mut found = Vec::new();
    for item in &file.items {
        match item {
            syn::Item::Fn(f) => found.push(Generated {
                companion: None,
                attributes: f.attrs.clone(),
                vis: f.vis.clone(),
                sig: f.sig.clone(),
            }),
            syn::Item::Impl(block) => {
                let syn::Type::Path(of) = &*block.self_ty else {
                    continue;
                };
                found.extend(block.items.iter().filter_map(|item| {
                    if let syn::ImplItem::Fn(f) = item
                        && matches!(f.vis, syn::Visibility::Public(_))
                    {
                        Some(Generated {
                            companion: of.path.get_ident().cloned(),
                            attributes: f.attrs.clone(),
                            vis: f.vis.clone(),
                            sig: f.sig.clone(),
                        })
                    } else {
                        None
                    }
                }));
            }
            _ => {}
        }
    }
    found
}

fn common_attributes(functions: &[Generated]) -> Option<Vec<syn::Attribute>> {
    let public = functions.iter().find(|f| f.companion.is_none())?;
    let names = ["allow", "cfg", "cfg_attr"];
    let shared = |a: &&syn::Attribute| names.iter().any(|name| a.path().is_ident(name));
    Some(public.attributes.iter().filter(shared).cloned().collect())
}

impl Function {
    fn merge(wide: Generated, narrow: &Generated, parameter: &Ident) -> Option<Self> {
        let this = Ident::new("Self", Span::call_site());
        let (in_trait, names) = merged(&wide.sig, &narrow.sig, &this)?;
        let (generic, _) = merged(&wide.sig, &narrow.sig, parameter)?;
        Some(Self {
            in_trait,
            generic,
            companion: wide.companion,
            attributes: wide.attributes,
            vis: wide.vis,
            names,
        })
    }

    /// Whether the float stands among the arguments of a type: behind a `<`.
    pub(super) fn nests_the_float(&self) -> bool {
        fn behind(tokens: TokenStream, mut depth: usize) -> bool {
            let mut last = ' ';
            for tree in tokens {
                match tree {
                    TokenTree::Ident(name) if depth > 0 && name == "Self" => return true,
                    TokenTree::Group(group) if behind(group.stream(), depth) => return true,
                    TokenTree::Punct(p) => {
                        match p.as_char() {
                            '<' => depth += 1,
                            '>' if last != '-' => depth = depth.saturating_sub(1),
                            _ => {}
                        }
                        last = p.as_char();
                        continue;
                    }
                    TokenTree::Ident(_) | TokenTree::Group(_) | TokenTree::Literal(_) => {}
                }
                last = ' ';
            }
            false
        }
        behind(self.in_trait.to_token_stream(), 0)
    }

    /// In the trait.
    pub(super) fn required(&self) -> TokenStream {
        let mut sig = self.in_trait.clone();
        sig.ident = self.name_in_trait();
        quote!(#sig;)
    }

    /// In the implementation for one width, beside the functions of that width.
    pub(super) fn provided(&self) -> TokenStream {
        let mut sig = self.in_trait.clone();
        let (name, names) = (sig.ident.clone(), &self.names);
        sig.ident = self.name_in_trait();
        // A constant that no argument has is not inferred.
        let has_constants = sig.generics.const_params().next().is_some();
        let others = has_constants.then(|| super::others(&sig.generics));
        match &self.companion {
            Some(companion) => {
                quote!(#[inline] #sig { <#companion>::#name #others(#(#names),*) })
            }
            None => quote!(#[inline] #sig { #name #others(#(#names),*) }),
        }
    }

    /// What the user and callers see.
    pub(super) fn public(
        &self,
        function: &syn::ItemFn,
        parameter: &Ident,
        hidden: &Ident,
    ) -> TokenStream {
        let mut sig = self.generic.clone();
        let written = crate::functions::unbound(&function.sig);
        let generated = std::mem::replace(&mut sig.generics, written);
        // Those of functions that have no type parameter as written.
        for param in generated.type_params() {
            if sig.generics.type_params().all(|t| t.ident != param.ident) {
                sig.generics.params.push(param.clone().into());
            }
        }
        let others = super::others(&generated);
        let clause = sig.generics.make_where_clause();
        // What the sweeps ask of the other parameters.
        clause.predicates.extend(
            generated
                .where_clause
                .into_iter()
                .flat_map(|w| w.predicates),
        );
        clause
            .predicates
            .push(syn::parse_quote!(#parameter: #hidden));
        let (attributes, vis, names) = (&self.attributes, &self.vis, &self.names);
        let name = self.name_in_trait();
        quote! {
            #(#attributes)*
            #vis #sig { <#parameter as #hidden>::#name #others(#(#names),*) }
        }
    }

    /// Sweeps and public functions share one trait.
    fn name_in_trait(&self) -> Ident {
        let name = &self.generic.ident;
        match self.companion {
            Some(_) => format_ident!("__{name}"),
            None => name.clone(),
        }
    }
}

/// Gives every argument a plain name, to pass it on by.
pub(super) fn name_arguments(sig: &mut syn::Signature) -> Vec<Ident> {
    let mut names = Vec::new();
    for (n, input) in sig.inputs.iter_mut().enumerate() {
        let argument = match input {
            syn::FnArg::Typed(argument) => argument,
            syn::FnArg::Receiver(receiver) => {
                receiver.mutability = receiver.reference.as_ref().and(receiver.mutability);
                names.push(Ident::new("self", receiver.self_token.span));
                continue;
            }
        };
        let name = if let syn::Pat::Ident(p) = &*argument.pat {
            p.ident.clone()
        } else {
            format_ident!("argument_{n}")
        };
        argument.pat = syn::parse_quote!(#name);
        names.push(name);
    }
    names
}

/// One stream of tokens of two that differ in the float alone.
fn merge(wide: TokenStream, narrow: TokenStream, by: &Ident) -> Option<TokenStream> {
    let (wide, mut narrow) = (wide.into_iter(), narrow.into_iter());
    let mut merged = Vec::new();
    for token in wide {
        let other = narrow.next()?;
        merged.push(match (token, other) {
            (TokenTree::Ident(a), TokenTree::Ident(b)) if a == "f64" && b == "f32" => {
                TokenTree::Ident(Ident::new(&by.to_string(), a.span()))
            }
            (TokenTree::Group(a), TokenTree::Group(b)) if a.delimiter() == b.delimiter() => {
                let inner = merge(a.stream(), b.stream(), by)?;
                let mut group = Group::new(a.delimiter(), inner);
                group.set_span(a.span());
                TokenTree::Group(group)
            }
            (a, b) if a.to_string() == b.to_string() => a,
            _ => return None,
        });
    }
    narrow
        .next()
        .is_none()
        .then(|| merged.into_iter().collect())
}
