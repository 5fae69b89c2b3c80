//! What the tangent implements: `Tangent`, and, if the derive defines it, `Debug`, `Clone`, `PartialEq`, `Copy` where
//! it can be; where the type determines its shape, `FixedShape` and `Default`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::at;
use super::differentiable::Derived;
use super::field::{Field, Kind, Variant};
use crate::ir::literal;

pub(super) fn impls(derived: &Derived<'_>) -> TokenStream {
    let tangent = derived.vector_space();
    let zero = derived.is_struct().then(|| derived.fixed_shape());
    let std = (!derived.tangent.own).then(|| {
        let (clone, debug, eq) = (
            derived.clone_impl(),
            derived.debug_impl(),
            derived.eq_impl(),
        );
        let copy = derived.copy_impl();
        quote!(#clone #debug #eq #copy)
    });
    quote!(#tangent #zero #std)
}

/// Fields with numbers.
fn has_numbers(field: &Field<'_>) -> bool {
    field.kind.has_tangent()
}

impl Derived<'_> {
    fn vector_space(&self) -> TokenStream {
        let krate = &self.krate;
        let differ = |what: &str, a: &TokenStream, b: &TokenStream| {
            let differ = quote!(#krate::__rt::derived::variants_differ);
            quote!(#differ(#what, #a, #b))
        };
        let binary = |method: &str| {
            let part = |field: &Field<'_>, a: &Ident, b: &Ident| {
                let operation = self.operation(field, method);
                let (a, b) = (self.tangent_mut(field, a), self.tangent_ref(field, b));
                quote_spanned!(at(&field.syntax.ty)=> #operation(#a, #b);)
            };
            self.on_two(has_numbers, part, |a, b| differ("sum of tangents", a, b))
        };
        let unary = |method: &str, argument: Option<&TokenStream>| {
            self.on_one(has_numbers, |field, a| {
                let operation = self.operation(field, method);
                let a = self.tangent_mut(field, a);
                quote_spanned!(at(&field.syntax.ty)=> #operation(#a, #argument);)
            })
        };
        let accumulate = binary("accumulate");
        let (scale, set_zero) = (
            unary("scale", Some(&quote!(__factor))),
            unary("set_zero", None),
        );
        let part = |field: &Field<'_>, a: &Ident, b: &Ident| {
            let operation = self.operation(field, "dot");
            let (a, b) = (self.tangent_ref(field, a), self.tangent_ref(field, b));
            quote_spanned!(at(&field.syntax.ty)=> __sum += #operation(#a, #b);)
        };
        let dot = self.on_two(has_numbers, part, |a, b| {
            differ("scalar product of tangents", a, b)
        });
        let attributes = Derived::attributes();
        let (generics, _, clause) = self.tangent.generics.split_for_impl();
        let ty = self.tangent_type();
        let f64 = quote!(::core::primitive::f64);
        quote! {
            #attributes
            impl #generics #krate::Tangent for #ty #clause {
                #[inline]
                fn accumulate(&mut self, __other: &Self) {
                    #accumulate
                }

                #[inline]
                fn scale(&mut self, __factor: #f64) {
                    #scale
                }

                #[inline]
                fn set_zero(&mut self) {
                    #set_zero
                }

                #[inline]
                fn dot(&self, __other: &Self) -> #f64 {
                    let mut __sum: #f64 = 0.0;
                    #dot
                    __sum
                }
            }
        }
    }

    /// `<tangent as Tangent>::method`.
    fn operation(&self, field: &Field<'_>, method: &str) -> TokenStream {
        let (krate, at) = (&self.krate, at(&field.syntax.ty));
        let tangent = field.tangent(krate);
        let method = Ident::new(method, at);
        quote_spanned!(at=> <#tangent as #krate::Tangent>::#method)
    }

    fn tangent_ref(&self, field: &Field<'_>, name: &Ident) -> TokenStream {
        self.converted(field, name, "own_ref")
    }

    fn tangent_mut(&self, field: &Field<'_>, name: &Ident) -> TokenStream {
        self.converted(field, name, "own_mut")
    }

    fn converted(&self, field: &Field<'_>, name: &Ident, by: &str) -> TokenStream {
        if !self.tangent.own {
            return quote!(#name);
        }
        let (krate, at, ty) = (&self.krate, at(&field.syntax.ty), &field.ty);
        let by = Ident::new(by, at);
        quote_spanned!(at=> #krate::__rt::derived::#by::<#ty>(#name))
    }

    fn fixed_shape(&self) -> TokenStream {
        let krate = &self.krate;
        let path = &self.tangent.name;
        let fields = self.fields().map(|field| {
            let (member, tangent) = (field.member(), self.tangent_of(field));
            let at = at(&field.syntax.ty);
            let zero = match field.kind {
                Kind::Phantom if self.tangent.own => quote!(::core::marker::PhantomData),
                Kind::Plain | Kind::Borrowed | Kind::Phantom | Kind::Constant => {
                    quote_spanned!(at=> <#tangent as #krate::FixedShape>::zero())
                }
            };
            quote_spanned!(at=> #member: #zero)
        });
        let attributes = Derived::attributes();
        let (generics, _, _) = self.tangent.generics.split_for_impl();
        let ty = self.tangent_type();
        let clause = self.where_all(&if self.tangent.own {
            quote!(#krate::__rt::derived::IfOwnFixedShape)
        } else {
            quote!(#krate::__rt::derived::IfFixedShape)
        });
        let default = (!self.tangent.own).then(|| {
            let predicates = self
                .tangent
                .generics
                .where_clause
                .as_ref()
                .map(|c| &c.predicates);
            let predicates = predicates.into_iter().flatten();
            quote! {
                #attributes
                impl #generics ::core::default::Default for #ty
                where
                    #(#predicates,)*
                    for<'__any> #ty: #krate::__rt::derived::IfOwnFixedShape<'__any, 0>,
                {
                    #[inline]
                    fn default() -> Self {
                        <Self as #krate::FixedShape>::zero()
                    }
                }
            }
        });
        quote! {
            #attributes
            impl #generics #krate::FixedShape for #ty #clause {
                #[inline]
                fn zero() -> Self {
                    #path { #(#fields),* }
                }
            }

            #default
        }
    }

    /// The where clause of the tangent, with `bound` for each of its fields, made so that it may fail.
    fn where_all(&self, bound: &TokenStream) -> TokenStream {
        let predicates = self
            .tangent
            .generics
            .where_clause
            .as_ref()
            .map(|c| &c.predicates);
        let predicates = predicates.into_iter().flatten();
        let fields = self.fields().filter(|field| has_numbers(field));
        let bounds = fields.enumerate().map(|(k, field)| {
            let ty = if self.tangent.own {
                &field.ty
            } else {
                &field.owned
            };
            let k = literal::count(k);
            quote!(for<'__any> #ty: #bound<'__any, #k>)
        });
        quote!(where #(#predicates,)* #(#bounds,)*)
    }

    fn copy_impl(&self) -> TokenStream {
        let krate = &self.krate;
        let attributes = Derived::attributes();
        let (generics, _, _) = self.tangent.generics.split_for_impl();
        let ty = self.tangent_type();
        let clause = self.where_all(&quote!(#krate::__rt::derived::IfCopy));
        quote! {
            #attributes
            impl #generics ::core::marker::Copy for #ty #clause {}
        }
    }

    fn clone_impl(&self) -> TokenStream {
        let path = &self.tangent.name;
        let arms = self.variants.iter().map(|variant| {
            let pattern = variant.pattern(path, "a", |_| true);
            let whole = variant.path(path);
            let fields = variant.fields.iter().enumerate().map(|(k, field)| {
                let (member, value) = (field.member(), field.binding("a", k));
                quote_spanned!(at(&field.syntax.ty)=> #member: ::core::clone::Clone::clone(#value))
            });
            quote!(#pattern => #whole { #(#fields),* })
        });
        let attributes = Derived::attributes();
        let (generics, _, clause) = self.tangent.generics.split_for_impl();
        let ty = self.tangent_type();
        quote! {
            #attributes
            impl #generics ::core::clone::Clone for #ty #clause {
                #[inline]
                fn clone(&self) -> Self {
                    match self { #(#arms,)* }
                }
            }
        }
    }

    fn debug_impl(&self) -> TokenStream {
        use syn::ext::IdentExt;

        let arms = self.variants.iter().map(|variant| {
            let pattern = variant.pattern(&self.tangent.name, "a", |_| true);
            let name = variant
                .of_enum
                .map_or(&self.tangent.name, |variant| &variant.ident);
            let name = name.unraw().to_string();
            let named = matches!(variant.syntax, syn::Fields::Named(_));
            let fields = variant.fields.iter().enumerate().map(|(k, field)| {
                let value = field.binding("a", k);
                if named {
                    let name = field.name();
                    quote!(__debug.field(#name, #value);)
                } else {
                    quote!(__debug.field(#value);)
                }
            });
            let begin = Ident::new(
                if named { "debug_struct" } else { "debug_tuple" },
                Span::call_site(),
            );
            quote! {
                #pattern => {
                    let mut __debug = ::core::fmt::Formatter::#begin(__formatter, #name);
                    #(#fields)*
                    __debug.finish()
                }
            }
        });
        let body = quote! {
            #[inline]
            fn fmt(&self, __formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                match self { #(#arms)* }
            }
        };
        self.std_impl(&quote!(::core::fmt::Debug), &body)
    }

    fn eq_impl(&self) -> TokenStream {
        let all = self.on_two(
            |_| true,
            |_, a, b| quote!(__equal = __equal && ::core::cmp::PartialEq::eq(#a, #b);),
            |_, _| quote!(__equal = false),
        );
        let body = quote! {
            #[inline]
            fn eq(&self, __other: &Self) -> ::core::primitive::bool {
                let mut __equal = true;
                #all
                __equal
            }
        };
        self.std_impl(&quote!(::core::cmp::PartialEq), &body)
    }

    /// An implementation of a trait that is required of the tangents of type parameters.
    fn std_impl(&self, of: &TokenStream, body: &TokenStream) -> TokenStream {
        let krate = &self.krate;
        let mut generics = self.tangent.generics.clone();
        let parameters: Vec<TokenStream> = self.used.types().collect();
        if !parameters.is_empty() {
            let clause = generics.make_where_clause();
            for ty in parameters {
                let predicate = syn::parse_quote!(<#ty as #krate::Differentiable>::Tangent: #of);
                clause.predicates.push(predicate);
            }
        }
        let attributes = Derived::attributes();
        let (generics, _, clause) = generics.split_for_impl();
        let ty = self.tangent_type();
        quote! {
            #attributes
            impl #generics #of for #ty #clause {
                #body
            }
        }
    }

    /// `match self`, with `part` for each field that is wanted.
    fn on_one(
        &self,
        wanted: impl Fn(&Field<'_>) -> bool + Copy,
        part: impl Fn(&Field<'_>, &Ident) -> TokenStream,
    ) -> TokenStream {
        let arms = self.variants.iter().map(|variant| {
            let pattern = variant.pattern(&self.tangent.name, "a", wanted);
            let parts = wanted_fields(variant, wanted)
                .map(|(k, field)| part(field, &field.binding("a", k)));
            quote!(#pattern => { #(#parts)* })
        });
        quote!(match self { #(#arms,)* })
    }

    /// `match (self, other)`, with `part` for each field that is wanted. `otherwise`: they are different variants of an
    /// enum, of these names.
    fn on_two(
        &self,
        wanted: impl Fn(&Field<'_>) -> bool + Copy,
        part: impl Fn(&Field<'_>, &Ident, &Ident) -> TokenStream,
        otherwise: impl FnOnce(&TokenStream, &TokenStream) -> TokenStream,
    ) -> TokenStream {
        let arms = self.variants.iter().map(|variant| {
            let left = variant.pattern(&self.tangent.name, "a", wanted);
            let right = variant.pattern(&self.tangent.name, "b", wanted);
            let parts = wanted_fields(variant, wanted)
                .map(|(k, field)| part(field, &field.binding("a", k), &field.binding("b", k)));
            quote!((#left, #right) => { #(#parts)* })
        });
        let mismatch = self.mismatch([&self.tangent.name; 2], otherwise);
        quote!(match (self, __other) { #(#arms,)* #mismatch })
    }
}

fn wanted_fields<'a, 'b>(
    variant: &'a Variant<'b>,
    wanted: impl Fn(&Field<'_>) -> bool,
) -> impl Iterator<Item = (usize, &'a Field<'b>)> {
    let fields = variant.fields.iter().enumerate();
    fields.filter(move |(_, field)| wanted(field))
}
