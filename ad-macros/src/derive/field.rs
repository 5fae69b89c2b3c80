//! What the derive knows of a field: the type of its tangent, and what it is matched with.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;

use super::arguments::{self, is_constant};
use super::generics::Used;
use super::{at, is_phantom};
use crate::diag::{Diagnostics, catalog};

/// A variant of an enum, or the whole of a struct.
pub(super) struct Variant<'a> {
    /// Of an enum.
    pub(super) of_enum: Option<&'a syn::Variant>,
    pub(super) syntax: &'a syn::Fields,
    pub(super) fields: Vec<Field<'a>>,
}

/// A field of the type, and that of its tangent.
pub(super) struct Field<'a> {
    pub(super) syntax: &'a syn::Field,
    pub(super) member: syn::Member,
    pub(super) kind: Kind,
    /// The type with `Self` written out.
    pub(super) ty: syn::Type,
    /// Behind the reference, if it is one.
    pub(super) referent: syn::Type,
    /// The same in the definition of the tangent. What is borrowed for however long has one tangent, which owns; so
    /// the tangent does without the lifetimes. Only where type parameters stand beside them, which might have to
    /// outlive them, they stay.
    pub(super) owned: syn::Type,
}

/// What becomes of a field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Its numbers are those of its tangent.
    Plain,
    /// A shared reference: the tangent owns, and no step moves it.
    Borrowed,
    /// `PhantomData`, which is no value.
    Phantom,
    /// `#[constant]`.
    Constant,
}

impl Kind {
    pub(super) fn has_tangent(self) -> bool {
        matches!(self, Kind::Plain | Kind::Borrowed)
    }
}

/// The variants of a type. `own`: `tangent = Self`.
pub(super) fn variants<'a>(
    input: &'a syn::DeriveInput,
    own: bool,
    diags: &mut Diagnostics,
) -> Vec<Variant<'a>> {
    let name = &input.ident;
    let (_, arguments, _) = input.generics.split_for_impl();
    let mut itself = Itself {
        ty: syn::parse_quote!(#name #arguments),
        generics: &input.generics,
    };
    let mut variant = |of_enum: Option<&'a syn::Variant>, syntax: &'a syn::Fields| {
        if let Some(variant) = of_enum {
            arguments::above_variant(&variant.attrs, diags);
        }
        let fields = syntax.iter().zip(syntax.members());
        Variant {
            of_enum,
            syntax,
            fields: fields
                .map(|(field, member)| Field::new(field, member, &mut itself, own, diags))
                .collect(),
        }
    };
    match &input.data {
        syn::Data::Struct(data) => vec![variant(None, &data.fields)],
        syn::Data::Enum(data) => {
            let variants = data.variants.iter();
            variants.map(|v| variant(Some(v), &v.fields)).collect()
        }
        syn::Data::Union(_) => Vec::new(),
    }
}

impl<'a> Field<'a> {
    fn new(
        syntax: &'a syn::Field,
        member: syn::Member,
        itself: &mut Itself<'_>,
        own: bool,
        diags: &mut Diagnostics,
    ) -> Self {
        let mut ty = ungrouped(&syntax.ty).clone();
        itself.visit_type_mut(&mut ty);
        let mut referent = ty.clone();
        let kind = if is_constant(&syntax.attrs, diags) {
            if own {
                diags.over(
                    &syntax.ty,
                    catalog::derive_own_field("a `#[constant]` field"),
                );
            }
            Kind::Constant
        } else if let syn::Type::Reference(reference) = &ty {
            if let Some(token) = &reference.mutability {
                diags.at(token.span, catalog::derive_mut_reference());
            } else if own {
                diags.over(&syntax.ty, catalog::derive_own_field("a reference"));
            }
            referent = ungrouped(&reference.elem).clone();
            Kind::Borrowed
        } else if is_phantom(&ty) {
            Kind::Phantom
        } else {
            Kind::Plain
        };
        let owned = itself.without_lifetimes(&referent);
        Field {
            syntax,
            member,
            kind,
            ty,
            referent,
            owned,
        }
    }

    /// The type of its tangent, which rustc is asked for.
    pub(super) fn tangent(&self, krate: &syn::Path) -> TokenStream {
        let owned = &self.owned;
        let at = at(&self.syntax.ty);
        if self.kind.has_tangent() {
            quote_spanned!(at=> <#owned as #krate::Differentiable>::Tangent)
        } else {
            quote_spanned!(at=> ())
        }
    }

    /// `<ty as Differentiable>::name`. An error is shown at the type, always the same one, which rustc then shows once.
    pub(super) fn method(&self, krate: &syn::Path, name: &str) -> TokenStream {
        let (at, referent) = (at(&self.syntax.ty), &self.referent);
        let name = Ident::new(name, at);
        quote_spanned!(at=> <#referent as #krate::Differentiable>::#name)
    }

    /// What the field, number `k`, is bound to.
    pub(super) fn binding(&self, prefix: &str, k: usize) -> Ident {
        let span = Span::mixed_site().located_at(self.syntax.ty.span());
        Ident::new(&format!("__{prefix}_{k}"), span)
    }

    /// Its name in an expression or pattern, which is shown where the type is.
    pub(super) fn member(&self) -> syn::Member {
        let mut member = self.member.clone();
        match &mut member {
            syn::Member::Named(name) => {
                name.set_span(name.span().located_at(self.syntax.ty.span()))
            }
            syn::Member::Unnamed(index) => index.span = at(&self.syntax.ty),
        }
        member
    }

    /// As one would write it behind a value.
    pub(super) fn path(&self) -> String {
        format!(".{}", self.name())
    }

    pub(super) fn name(&self) -> String {
        use syn::ext::IdentExt;

        match &self.member {
            syn::Member::Named(name) => name.unraw().to_string(),
            syn::Member::Unnamed(index) => index.index.to_string(),
        }
    }
}

impl Variant<'_> {
    /// `PATH { a: __prefix_0, b: __prefix_1, .. }` with the fields that `is_wanted`.
    pub(super) fn pattern(
        &self,
        ty: &Ident,
        prefix: &str,
        is_wanted: impl Fn(&Field<'_>) -> bool,
    ) -> TokenStream {
        let path = self.path(ty);
        let wanted = self.fields.iter().enumerate().filter(|(_, f)| is_wanted(f));
        let bindings = wanted.map(|(k, field)| {
            let (member, name) = (field.member(), field.binding(prefix, k));
            quote_spanned!(at(&field.syntax.ty)=> #member: #name)
        });
        quote!(#path { #(#bindings,)* .. })
    }

    /// What the variant is called in messages.
    pub(super) fn name(&self) -> String {
        use syn::ext::IdentExt;

        self.of_enum
            .map_or_else(String::new, |variant| variant.ident.unraw().to_string())
    }

    /// The variant as it is named in an expression or pattern.
    pub(super) fn path(&self, ty: &Ident) -> TokenStream {
        match self.of_enum {
            Some(variant) => {
                let name = &variant.ident;
                quote!(#ty::#name)
            }
            None => ty.to_token_stream(),
        }
    }
}

/// A type from a macro (`$ty:ty`) stands in a group of its own.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the user's syntax has more forms than are asked for"
)]
fn ungrouped(ty: &syn::Type) -> &syn::Type {
    match ty {
        syn::Type::Group(group) => ungrouped(&group.elem),
        syn::Type::Paren(paren) => ungrouped(&paren.elem),
        _ => ty,
    }
}

/// Writes `Self` out: in the tangent's definition it would be the tangent.
struct Itself<'a> {
    ty: syn::Type,
    generics: &'a syn::Generics,
}

impl VisitMut for Itself<'_> {
    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        if let syn::Type::Path(path) = ty
            && path.qself.is_none()
            && path.path.is_ident("Self")
        {
            *ty = self.ty.clone();
        } else {
            syn::visit_mut::visit_type_mut(self, ty)
        }
    }

    fn visit_type_path_mut(&mut self, ty: &mut syn::TypePath) {
        self.project(&mut ty.qself, &mut ty.path);
        syn::visit_mut::visit_type_path_mut(self, ty);
    }

    fn visit_expr_path_mut(&mut self, expr: &mut syn::ExprPath) {
        self.project(&mut expr.qself, &mut expr.path);
        syn::visit_mut::visit_expr_path_mut(self, expr);
    }
}

impl Itself<'_> {
    /// See [`Field::owned`].
    fn without_lifetimes(&self, ty: &syn::Type) -> syn::Type {
        struct Static<'a>(&'a syn::Generics);
        impl VisitMut for Static<'_> {
            fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
                if self.0.lifetimes().any(|param| param.lifetime == *lifetime) {
                    *lifetime = syn::Lifetime::new("'static", lifetime.span());
                }
            }
        }
        let mut owned = ty.clone();
        if !Used::any_of(self.generics, ty) {
            Static(self.generics).visit_type_mut(&mut owned);
        }
        owned
    }

    /// `Self::N` becomes `<S>::N`.
    fn project(&self, qself: &mut Option<syn::QSelf>, path: &mut syn::Path) {
        let is_self = path.segments.first().is_some_and(|s| s.ident == "Self");
        if qself.is_some() || !is_self || path.segments.len() < 2 {
            return;
        }
        *qself = Some(syn::QSelf {
            lt_token: syn::token::Lt::default(),
            ty: Box::new(self.ty.clone()),
            position: 0,
            as_token: None,
            gt_token: syn::token::Gt::default(),
        });
        path.leading_colon = Some(syn::token::PathSep::default());
        path.segments = path.segments.iter().skip(1).cloned().collect();
    }
}
