//! Operators: `#[gradient] impl Add for V { … }`.
//!
//! The rule of the runtime (`Operator`) runs both sweeps of the method one behind the other: what it needs in between
//! is on the tape for that long. So the operands are all that a caller has to have again.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::carrier::{Carrier, peeled};
use super::{conversions, sums};
use crate::diag::{Diagnostics, catalog};
use crate::generic;
use crate::interface;
use crate::options::Options;

/// The traits of `std::ops` that are operators, by their methods.
const OPERATORS: [(&str, &str); 22] = [
    ("Add", "add"),
    ("Sub", "sub"),
    ("Mul", "mul"),
    ("Div", "div"),
    ("Rem", "rem"),
    ("BitAnd", "bitand"),
    ("BitOr", "bitor"),
    ("BitXor", "bitxor"),
    ("Shl", "shl"),
    ("Shr", "shr"),
    ("Neg", "neg"),
    ("Not", "not"),
    ("AddAssign", "add_assign"),
    ("SubAssign", "sub_assign"),
    ("MulAssign", "mul_assign"),
    ("DivAssign", "div_assign"),
    ("RemAssign", "rem_assign"),
    ("BitAndAssign", "bitand_assign"),
    ("BitOrAssign", "bitor_assign"),
    ("BitXorAssign", "bitxor_assign"),
    ("ShlAssign", "shl_assign"),
    ("ShrAssign", "shr_assign"),
];

/// The method that makes the `impl` one of an operator.
fn method(block: &syn::ItemImpl) -> Option<&syn::ImplItemFn> {
    let (_, path, _) = block.trait_.as_ref()?;
    let last = path.segments.last()?;
    let (_, method) = OPERATORS.iter().find(|(name, _)| last.ident == name)?;
    block.items.iter().find_map(|item| match item {
        syn::ImplItem::Fn(f) if f.sig.ident == method => Some(f),
        _ => None,
    })
}

/// Whether the `impl` is one of an operator.
pub(crate) fn is_operator(block: &syn::ItemImpl) -> bool {
    method(block).is_some() || conversions::is_conversion(block) || sums::function(block).is_some()
}

/// What stands beside the `impl` of an operator, for each float if it is generic over one.
pub(crate) fn differentiate_each(
    block: &syn::ItemImpl,
    options: &Options,
    diags: &mut Diagnostics,
) -> TokenStream {
    if sums::function(block).is_some() {
        return sums::differentiate(block);
    }
    generic::each_instance(block, &options.krate, diags, |block, diags| {
        differentiate(block, options, diags)
    })
}

fn differentiate(block: &syn::ItemImpl, options: &Options, diags: &mut Diagnostics) -> TokenStream {
    if conversions::is_conversion(block) {
        return conversions::differentiate(block, options, diags);
    }
    let Some((method, (_, path, _))) = method(block).zip(block.trait_.as_ref()) else {
        return TokenStream::new();
    };
    for name in options.name.iter().chain(&options.companion) {
        diags.at(name.span(), catalog::option_of_block());
    }
    let carrier = Carrier::of(block);
    let sweeps = carrier.sweeps(method, options, diags);
    let rule = Rule {
        carrier: &carrier,
        block,
        method,
        operator: path,
        krate: &options.krate,
    };
    let (cfgs, rule) = (crate::block::cfgs(&block.attrs), rule.tokens());
    quote! {
        #(#cfgs)*
        const _: () = { #sweeps #rule };
    }
}

struct Rule<'b> {
    carrier: &'b Carrier<'b>,
    block: &'b syn::ItemImpl,
    method: &'b syn::ImplItemFn,
    operator: &'b syn::Path,
    krate: &'b syn::Path,
}

impl Rule<'_> {
    /// The `impl` of the runtime's trait.
    fn tokens(&self) -> TokenStream {
        let krate = self.krate;
        let rt = quote!(#krate::__rt);
        let (generics, _, where_clause) = self.block.generics.split_for_impl();
        let (ty, left) = (&self.block.self_ty, self.tangent(&self.block.self_ty));
        let name = self.operator.segments.last().map(|last| &last.ident);
        let (allow, carrier) = (interface::allowed(), self.carrier.path());
        let [forward, reverse] = ["forward", "reverse"]
            .map(|sweep| format_ident!("__derivative_of_{}_{sweep}", self.method.sig.ident));
        // Field by field: `Clone` of a type of the user's may do anything.
        let copy = quote!(#rt::copy!);
        let Some(right_ty) = self.right() else {
            let seed = self.output_tangent();
            return quote! {
                #allow
                #[automatically_derived]
                impl #generics #rt::operators::UnaryOperator<#rt::operators::#name> for #ty #where_clause {
                    type Operand = #left;
                    type Seed = #seed;

                    #[inline]
                    fn reverse(self, operand: &mut Self::Operand, seed: &Self::Seed, tape: &mut #rt::Tape) {
                        let _ = #carrier::#forward(#copy(self), &mut *tape);
                        #carrier::#reverse(self, operand, ::core::option::Option::Some(seed), tape);
                    }
                }
            };
        };
        let right = self.tangent(&right_ty);
        let assigns = matches!(self.method.sig.output, syn::ReturnType::Default);
        let (seed, body) = if assigns {
            let body = quote! {
                let (mut value, mut bar) = (self, #copy(*seed));
                #carrier::#forward(&mut value, #copy(rhs), &mut *tape);
                #carrier::#reverse(&mut value, rhs, &mut bar, right, ::core::option::Option::None, tape);
                #rt::accumulate(left, &bar);
            };
            (left.clone(), body)
        } else {
            let body = quote! {
                let _ = #carrier::#forward(#copy(self), #copy(rhs), &mut *tape);
                #carrier::#reverse(self, rhs, left, right, ::core::option::Option::Some(seed), tape);
            };
            (self.output_tangent(), body)
        };
        quote! {
            #allow
            #[automatically_derived]
            impl #generics #rt::operators::Operator<#rt::operators::#name, #right_ty> for #ty #where_clause {
                type Left = #left;
                type Right = #right;
                type Seed = #seed;

                #[inline]
                fn reverse(
                    self,
                    rhs: #right_ty,
                    left: &mut Self::Left,
                    right: &mut Self::Right,
                    seed: &Self::Seed,
                    tape: &mut #rt::Tape,
                ) {
                    #body
                }
            }
        }
    }

    /// The type of the right operand: the argument of the trait, by default `Self`.
    fn right(&self) -> Option<syn::Type> {
        if self.method.sig.inputs.len() < 2 {
            return None;
        }
        let last = self.operator.segments.last()?;
        if let syn::PathArguments::AngleBracketed(arguments) = &last.arguments
            && let Some(syn::GenericArgument::Type(ty)) = arguments.args.first()
        {
            return syn::parse2(self.carrier.written_out(ty)).ok();
        }
        Some((*self.block.self_ty).clone())
    }

    /// The type of the adjoint of what is of this type, or behind a reference of it.
    fn tangent(&self, ty: &syn::Type) -> TokenStream {
        let krate = self.krate;
        let ty = match peeled(ty) {
            syn::Type::Reference(reference) => &*reference.elem,
            other => other,
        };
        let ty = self.carrier.written_out(ty);
        quote!(<#ty as #krate::__rt::Differentiable>::Tangent)
    }

    /// The type of the adjoint of the result.
    fn output_tangent(&self) -> TokenStream {
        let output = self.block.items.iter().find_map(|item| match item {
            syn::ImplItem::Type(item) if item.ident == "Output" => Some(&item.ty),
            _ => None,
        });
        output.map_or_else(|| quote!(()), |ty| self.tangent(ty))
    }
}
