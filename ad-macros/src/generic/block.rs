//! Blocks with a type parameter that stands for a float, and methods with one of their own.
//!
//! ```text
//! impl<T: Float> Line<T> { fn at(&self, x: T) -> T { … } }
//!
//! trait __Line_at_width<T: Float>: Sized where T: Width { fn at_grad(&self, x: T) -> …; … }
//! impl __Line_at_width<f64> for Line<f64> { … }              what is generated for `impl Line<f64> { … }`
//! impl __Line_at_width<f32> for Line<f32> { … }
//! impl<T: Float> Line<T> where T: Width, Self: __Line_at_width<T> { fn at_grad(&self, x: T) -> … { … } … }
//! ```

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::visit_mut::{self, VisitMut};

use super::bounds::{FloatParam, floats};
use super::hoisted::hoisted;
use super::united::united;
use super::{at_each_width, imports, instance, of_function, one, report_difference, turbofish};
use crate::diag::Diagnostics;
use crate::emit;
use crate::interface::{self, Turbofish};

/// Methods of a block that are expanded together.
pub(crate) struct Part<'a> {
    pub(crate) block: &'a syn::ItemImpl,
    /// The methods, by place.
    pub(crate) chosen: Vec<usize>,
    /// The generic arguments of the method as written, if this is an instance of it.
    pub(crate) turbofish: Option<&'a Turbofish>,
}

/// The block with each float, if it has a parameter for one, or as it is; `expand` gives items.
pub(crate) fn each_instance(
    block: &syn::ItemImpl,
    krate: &syn::Path,
    diags: &mut Diagnostics,
    mut expand: impl FnMut(&syn::ItemImpl, &mut Diagnostics) -> TokenStream,
) -> TokenStream {
    let block = &*united(block);
    let parameters = floats(&block.generics, &syn::ReturnType::Default);
    let Some(parameter) = one(&parameters, diags) else {
        return expand(block, diags);
    };
    let imports = imports(parameter);
    let cfgs = crate::block::cfgs(&block.attrs);
    let instances = at_each_width(diags, |float, diags| {
        let (checks, block) = instance::block(block, parameter, float, krate);
        let items = expand(&block, diags);
        quote!(#checks #items)
    });
    apart(&cfgs, &imports, &instances)
}

/// What `expand` generates for the functions of a block, generic as they are.
pub(crate) fn expand_block(
    block: &syn::ItemImpl,
    krate: &syn::Path,
    diags: &mut Diagnostics,
    expand: &mut dyn FnMut(&Part<'_>, &mut Diagnostics) -> TokenStream,
) -> TokenStream {
    let block = &*united(block);
    let all = 0..block.items.len();
    let of_block = floats(&block.generics, &syn::ReturnType::Default);
    if let Some(parameter) = one(&of_block, diags) {
        let instances = at_each_width(diags, |float, diags| {
            let (checks, block) = instance::block(block, parameter, float, krate);
            let part = Part {
                block: &block,
                chosen: all.clone().collect(),
                turbofish: None,
            };
            Instance::new(checks, block.clone(), &expand(&part, diags))
        });
        let wide = Wide {
            block,
            parameter,
            method: None,
            krate,
        };
        return wide.items(&instances, diags);
    }
    let mut plain = Vec::new();
    let mut generated = TokenStream::new();
    for n in all {
        let syn::ImplItem::Fn(method) = &block.items[n] else {
            continue;
        };
        if let Some(block) = hoisted(block, method) {
            generated.extend(expand_block(&block, krate, diags, expand));
            continue;
        }
        let of_method = of_function(&method.sig, &method.block);
        let Some(parameter) = one(&of_method, diags) else {
            plain.push(n);
            continue;
        };
        let instances = at_each_width(diags, |float, diags| {
            let (checks, instance) =
                instance::method(method, &block.generics, parameter, float, krate);
            let mut block = block.clone();
            block.items[n] = syn::ImplItem::Fn(instance);
            let part = Part {
                block: &block,
                chosen: vec![n],
                turbofish: Some(&turbofish(&method.sig.generics, &[parameter.ident], float)),
            };
            let generated = expand(&part, diags);
            Instance::new(checks, block, &generated)
        });
        let wide = Wide {
            block,
            parameter,
            method: Some(method),
            krate,
        };
        generated.extend(wide.items(&instances, diags));
    }
    let part = Part {
        block,
        chosen: plain,
        turbofish: None,
    };
    let plain = expand(&part, diags);
    quote!(#plain #generated)
}

/// A block, or a method, whose type parameter stands for a float.
struct Wide<'a> {
    block: &'a syn::ItemImpl,
    parameter: FloatParam<'a>,
    /// The method that has the parameter, if it is not the block's.
    method: Option<&'a syn::ImplItemFn>,
    krate: &'a syn::Path,
}

/// What there is at one width.
struct Instance {
    /// Items that the functions call.
    checks: TokenStream,
    block: syn::ItemImpl,
    /// The functions that were generated.
    functions: Vec<syn::ImplItemFn>,
}

impl Instance {
    fn new(checks: TokenStream, block: syn::ItemImpl, generated: &TokenStream) -> Self {
        Instance {
            checks,
            block,
            functions: functions(generated).unwrap_or_default(),
        }
    }
}

/// A generated function: its forms for both widths, and what they have in common.
struct Both<'i> {
    instances: [&'i syn::ImplItemFn; 2],
    sig: syn::Signature,
    /// Of the arguments, to pass them on by.
    names: Vec<Ident>,
}

impl Wide<'_> {
    fn items(&self, instances: &[Instance; 2], diags: &mut Diagnostics) -> TokenStream {
        let [wide, narrow] = instances.each_ref().map(|instance| &instance.functions);
        if wide.is_empty() && narrow.is_empty() {
            return TokenStream::new();
        }
        let both = wide.iter().zip(narrow).map(|(wide, narrow)| {
            let (sig, names) = super::merge::merged(&wide.sig, &narrow.sig, self.parameter.ident)?;
            Some(Both {
                instances: [wide, narrow],
                sig,
                names,
            })
        });
        match both.collect::<Option<Vec<_>>>() {
            Some(functions) if wide.len() == narrow.len() => self.generic(&functions, instances),
            _ => {
                report_difference(self.parameter.ident, diags);
                TokenStream::new()
            }
        }
    }

    /// The hidden trait, its implementations, and the generic block.
    fn generic(&self, functions: &[Both<'_>], of: &[Instance; 2]) -> TokenStream {
        let (cfgs, allow) = (crate::block::cfgs(&self.block.attrs), interface::allowed());
        let hidden = self.hidden();
        let function = self.function().map(|f| &f.sig.ident);
        let missing = function.map(super::at_widths_alone);
        let own = self.trait_generics();
        let (params, _, where_clause) = own.split_for_impl();
        // Of a method's own parameter, the witness does not speak.
        let plain = |f: &&Both<'_>| self.method.is_some() && f.is_witness();
        let through = || functions.iter().filter(|f| !plain(f));
        let required = through().map(|f| {
            let cfgs = crate::block::cfgs(&f.instances[0].attrs);
            let sig = self.written_out(&f.sig);
            quote!(#(#cfgs)* #sig;)
        });
        let instances = [0, 1].map(|n| self.implementation(functions, n, &of[n]));
        let apart = apart(&cfgs, &imports(self.parameter), &instances);
        let witnesses = functions.iter().filter(plain).map(|f| f.instances[0]);
        let public = through().filter(|f| f.has_callers());
        let public = public.map(|f| self.public(f, &hidden));
        let (block_params, _, _) = self.block.generics.split_for_impl();
        let (ty, bound) = (&self.block.self_ty, self.bound(&hidden));
        let predicates = self.block.generics.where_clause.iter();
        let predicates = predicates.flat_map(|w| w.predicates.iter());
        let clause = match self.method {
            None => quote!(where #(#predicates,)* #bound),
            Some(_) => quote!(where #(#predicates,)*),
        };
        quote! {
            #(#cfgs)*
            #allow
            #[doc(hidden)]
            #missing
            pub trait #hidden #params: ::core::marker::Sized #where_clause { #(#required)* }
            #apart
            #(#cfgs)*
            #allow
            #[automatically_derived]
            impl #block_params #ty #clause { #(#witnesses)* #(#public)* }
        }
    }

    /// Named after the type and the first function.
    fn hidden(&self) -> Ident {
        let name = match crate::traits::peeled(&self.block.self_ty) {
            syn::Type::Path(ty) => ty.path.segments.last().map(|last| last.ident.to_string()),
            _ => None,
        };
        let function = self
            .function()
            .map(|f| syn::ext::IdentExt::unraw(&f.sig.ident).to_string());
        let (name, function) = (name.unwrap_or_default(), function.unwrap_or_default());
        format_ident!("__{name}_{function}_at_width")
    }

    /// The method, or the first function of the block.
    fn function(&self) -> Option<&syn::ImplItemFn> {
        self.method.or_else(|| {
            self.block.items.iter().find_map(|item| match item {
                syn::ImplItem::Fn(function) => Some(function),
                _ => None,
            })
        })
    }

    /// The parameters of the hidden trait: those of the block, and the method's.
    fn trait_generics(&self) -> syn::Generics {
        let mut generics = self.block.generics.clone();
        let (krate, parameter) = (self.krate, self.parameter.ident);
        if self.method.is_some() {
            generics.params.push(syn::parse_quote!(#parameter));
        }
        let clause = generics.make_where_clause();
        let bound = syn::parse_quote!(#parameter: #krate::__rt::Width);
        clause.predicates.push(bound);
        generics
    }

    /// The arguments of the hidden trait, with `float` for the parameter.
    fn trait_arguments(&self, float: &Ident) -> TokenStream {
        let of_block = self.block.generics.params.iter().map(|param| match param {
            syn::GenericParam::Lifetime(l) => l.lifetime.to_token_stream(),
            syn::GenericParam::Type(t) if t.ident == *self.parameter.ident => {
                float.to_token_stream()
            }
            syn::GenericParam::Type(t) => t.ident.to_token_stream(),
            syn::GenericParam::Const(c) => c.ident.to_token_stream(),
        });
        let of_method = self.method.map(|_| float.to_token_stream());
        let all = of_block.chain(of_method);
        quote!(<#(#all),*>)
    }

    /// A signature of the hidden trait, of whose `Self` nothing is known: the type of the block in its place.
    fn written_out(&self, sig: &syn::Signature) -> syn::Signature {
        struct WrittenOut<'a>(&'a syn::Type);
        impl VisitMut for WrittenOut<'_> {
            fn visit_type_mut(&mut self, ty: &mut syn::Type) {
                if matches!(ty, syn::Type::Path(p) if p.qself.is_none() && p.path.is_ident("Self"))
                {
                    *ty = self.0.clone();
                } else {
                    visit_mut::visit_type_mut(self, ty);
                }
            }

            fn visit_receiver_mut(&mut self, _: &mut syn::Receiver) {}
        }
        let mut sig = sig.clone();
        WrittenOut(&self.block.self_ty).visit_signature_mut(&mut sig);
        sig
    }

    /// What the generic block asks of its type.
    fn bound(&self, hidden: &Ident) -> TokenStream {
        let (parameter, krate) = (self.parameter.ident, self.krate);
        let arguments = self.trait_arguments(parameter);
        quote!(#parameter: #krate::__rt::Width, Self: #hidden #arguments)
    }

    /// Of the hidden trait, for one width.
    fn implementation(&self, functions: &[Both<'_>], n: usize, of: &Instance) -> TokenStream {
        let float = format_ident!("{}", super::FLOATS[n]);
        let Instance { checks, block, .. } = of;
        let (params, _, where_clause) = block.generics.split_for_impl();
        let (ty, allow, hidden) = (&block.self_ty, interface::allowed(), self.hidden());
        let arguments = self.trait_arguments(&float);
        let provided = functions
            .iter()
            .filter(|f| !(self.method.is_some() && f.is_witness()))
            .map(|f| {
                let mut function = f.instances[n].clone();
                function.vis = syn::Visibility::Inherited;
                function
            });
        quote! {
            #checks
            #allow
            #[automatically_derived]
            impl #params #hidden #arguments for #ty #where_clause { #(#provided)* }
        }
    }

    /// What the user and callers see.
    fn public(&self, function: &Both<'_>, hidden: &Ident) -> TokenStream {
        let Both {
            instances: [wide, _],
            sig,
            names,
        } = function;
        let (mut sig, others) = (sig.clone(), super::others(&wide.sig.generics));
        if let Some(method) = self.method {
            let generated = std::mem::replace(&mut sig.generics, method.sig.generics.clone());
            let asked = generated.where_clause.into_iter();
            let bound = self.bound(hidden);
            let bound: syn::WhereClause = syn::parse_quote!(where #bound);
            let clause = sig.generics.make_where_clause();
            clause
                .predicates
                .extend(asked.chain([bound]).flat_map(|w| w.predicates));
        }
        let arguments = self.trait_arguments(self.parameter.ident);
        let (attrs, vis, name) = (&wide.attrs, &wide.vis, &sig.ident);
        quote! {
            #(#attrs)*
            #vis #sig { <Self as #hidden #arguments>::#name #others(#(#names),*) }
        }
    }
}

impl Both<'_> {
    /// Whether it says that there are sweeps, and how they take the receiver: both sweeps take a tape.
    fn is_witness(&self) -> bool {
        let of_sweeps = self.sig.ident.to_string().starts_with("__derivative_of_");
        of_sweeps && self.sig.inputs.len() == usize::from(self.sig.receiver().is_some())
    }

    /// Whether anything but the sweeps beside it calls it.
    fn has_callers(&self) -> bool {
        let takes_mode = self.sig.generics.const_params();
        let mode = emit::mode();
        !takes_mode.into_iter().any(|c| c.ident == mode)
    }
}

/// Items for each width, in scopes of their own with what `imports` brings.
fn apart(
    cfgs: &[&syn::Attribute],
    imports: &TokenStream,
    instances: &[TokenStream],
) -> TokenStream {
    let allow = interface::allowed();
    let each = instances
        .iter()
        .map(|items| quote!(#(#cfgs)* #allow const _: () = { #imports #items };));
    each.collect()
}

/// The functions of the block that was generated.
fn functions(items: &TokenStream) -> Option<Vec<syn::ImplItemFn>> {
    let file = syn::parse2::<syn::File>(items.clone()).ok()?;
    let block = file.items.into_iter().find_map(|item| match item {
        syn::Item::Impl(block) => Some(block),
        _ => None,
    })?;
    let functions = block.items.into_iter().filter_map(|item| match item {
        syn::ImplItem::Fn(function) => Some(function),
        _ => None,
    });
    Some(functions.collect())
}
