//! Fields of parameters that the sweeps see as parameters of their own, and what rustc is asked about the definitions
//! by which they are known.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::ir::{FieldParam, Param, Passing, Ty, VarId};

use super::sweeps::adjoint_name;
use super::{Emitter, Runtime};

impl Emitter<'_> {
    /// At the beginning of the sweeps: the definitions are those of the types, and the fields are borrowed.
    pub(crate) fn borrowed_fields(&self) -> TokenStream {
        let (checks, values) = (self.known_types(), self.borrowed_values());
        let adjoints = self.borrowed_adjoints();
        quote!(#checks #values #adjoints)
    }

    /// Compiles only if the definitions that the macro knows are those of the parameters' types.
    fn known_types(&self) -> TokenStream {
        let mut checks = TokenStream::new();
        for param in self.func.signature() {
            let name = self.name(param.var);
            let value = match param.passing {
                Passing::Value => quote!(#name),
                Passing::Shared | Passing::InOut => quote!((*#name)),
            };
            known_type(&param.ty, &value, self.rt(), &mut checks);
        }
        // Nothing calls it.
        if checks.is_empty() {
            return checks;
        }
        checks.extend(self.own_constants());
        quote!(let _ = || { #checks };)
    }

    /// Compiles only if constant fields are the type's own: behind a private one, a `Deref` may lead to another, of the
    /// same name, that is not constant.
    fn own_constants(&self) -> TokenStream {
        let rt = self.rt();
        let constants = self.func.field_params().iter().filter(|part| {
            let info = self.func.var(part.var);
            info.constant && info.ty.may_carry_derivative()
        });
        let checks = constants.map(|part| {
            let mut way = vec![part.field];
            let mut of = part.of;
            while let Some(outer) = self.func.field_params().iter().find(|part| part.var == of) {
                way.push(outer.field);
                of = outer.of;
            }
            let owner = self.name(of);
            let fields = way.iter().skip(1).rev().map(crate::ir::Field::tokens);
            quote!(#rt::parts_of!((*#owner)#(.#fields)*);)
        });
        checks.collect()
    }

    fn borrowed_values(&self) -> TokenStream {
        let fields = self.func.field_params().iter().map(|part| {
            let (name, of, field) = (self.name(part.var), self.name(part.of), part.field.tokens());
            let Ty::Ref(exclusive, ty) = &self.func.var(part.var).ty else {
                unreachable!("fields are borrowed");
            };
            // What fields are split further is borrowed as its owner is.
            let exclusive = (*exclusive || self.split_exclusively(part.var)).then(|| quote!(mut));
            let ty = self.annotation(ty).unwrap_or_else(|| quote!(_).into());
            quote!(let #name: &#exclusive #ty = &#exclusive #of.#field;)
        });
        fields.collect()
    }

    /// Whether it is a field of an in-out parameter.
    pub(super) fn is_of_in_out(&self, var: VarId) -> bool {
        let mut of = var;
        while let Some(part) = self.func.field_params().iter().find(|part| part.var == of) {
            of = part.of;
        }
        let mut signature = self.func.signature().iter();
        of != var && signature.any(|p| p.var == of && p.passing == Passing::InOut)
    }

    /// Whether a field of it is borrowed to be written.
    fn split_exclusively(&self, var: VarId) -> bool {
        let mut fields = self.func.field_params().iter();
        fields.any(|part| {
            part.of == var
                && (matches!(self.func.var(part.var).ty, Ty::Ref(true, _))
                    || self.split_exclusively(part.var))
        })
    }

    /// The adjoints of fields, where there is one of the whole.
    fn borrowed_adjoints(&self) -> TokenStream {
        let parts = self.func.field_params();
        let mut owners: Vec<(VarId, Ident)> = Vec::new();
        for part in parts {
            if !owners.iter().any(|(var, _)| *var == part.of) {
                let ident = self.ident_of(part.of);
                owners.push((part.of, ident));
            }
        }
        let of_owner = |(owner, ident): &(VarId, Ident)| {
            let fields: Vec<&FieldParam> = parts
                .iter()
                .filter(|part| part.of == *owner && self.has_adjoint(part.var))
                .collect();
            if fields.is_empty() {
                return TokenStream::new();
            }
            let whole = adjoint_name(ident);
            let names = fields.iter().map(|part| adjoint_name(&part.ident));
            let lent = fields.iter().map(|part| {
                let field = part.field.tokens();
                let ty = &self.func.var(part.var).ty;
                let shared =
                    matches!(ty, Ty::Ref(false, ty) if matches!(**ty, Ty::Vec(_) | Ty::Queue(_)));
                let slice = shared.then(|| quote!([..]));
                quote!(&mut bar.#field #slice)
            });
            if self.seed_count().is_some() {
                return self.adjoints_of_fields(
                    &whole,
                    &names.collect::<Vec<_>>(),
                    &lent.collect::<Vec<_>>(),
                );
            }
            let nones = fields.iter().map(|_| quote!(::core::option::Option::None));
            quote! {
                let (#(#names,)*) = match #whole {
                    ::core::option::Option::Some(bar) => (#(::core::option::Option::Some(#lent),)*),
                    ::core::option::Option::None => (#(#nones,)*),
                };
            }
        };
        owners.iter().map(of_owner).collect()
    }

    /// Sets the fields of a gradient to zero but for those that the sweeps begin; `None` if there are none, or fields
    /// that may be private.
    pub(crate) fn clear_fields(
        &self,
        param: &Param,
        buffer: &Ident,
        begun: &dyn Fn(VarId) -> bool,
    ) -> Option<TokenStream> {
        let Ty::Struct(of) = &param.ty else {
            return None;
        };
        let parts = self.func.field_params().iter();
        let parts: Vec<&FieldParam> = parts.filter(|part| part.of == param.var).collect();
        if !parts.iter().any(|part| begun(part.var)) {
            return None;
        }
        let rt = self.rt();
        let mut clears = TokenStream::new();
        for known in &of.fields {
            if known.constant || !known.ty.may_carry_derivative() {
                continue;
            }
            // A field that the body does not use may be private.
            let part = parts.iter().find(|part| part.field == known.field)?;
            if !begun(part.var) {
                let field = part.field.tokens();
                clears.extend(quote!(#rt::Tangent::set_zero(&mut #buffer.#field);));
            }
        }
        Some(clears)
    }

    /// The name that the adjoint of a parameter, or of a field, is given by.
    fn ident_of(&self, var: VarId) -> Ident {
        let field = self.func.field_params().iter().find(|part| part.var == var);
        let param = || self.func.signature().iter().find(|p| p.var == var);
        field.map_or_else(
            || param().expect("a field of a parameter").ident.clone(),
            |part| part.ident.clone(),
        )
    }

    /// Whether a field, or a field of it, has an adjoint.
    fn has_adjoint(&self, var: VarId) -> bool {
        let param = self.func.params.iter().find(|p| p.var == var);
        match param {
            Some(param) => param.differentiable(),
            None => !self.func.var(var).constant,
        }
    }
}

/// Code that compiles only if the definitions of the structs in a type are those of the types in `value`.
pub(crate) fn known_type(ty: &Ty, value: &TokenStream, rt: &Runtime, checks: &mut TokenStream) {
    each_part(ty, value, &mut |ty, value| {
        if let Ty::Struct(of) = ty {
            let id = of.id;
            checks.extend(quote!(#rt::known::<#id, _>(&#value);));
        }
    });
}

/// Code that compiles only if what is called like a type of std's in `value` is that type.
pub(crate) fn std_type(ty: &Ty, value: &TokenStream, rt: &Runtime, checks: &mut TokenStream) {
    each_part(ty, value, &mut |ty, value| {
        if matches!(ty, Ty::Vec(_)) {
            checks.extend(quote!(#rt::shown_as_vec(&#value);));
        } else if matches!(ty, Ty::Queue(_)) {
            checks.extend(quote!(#rt::shown_as_queue(&#value);));
        } else if matches!(ty, Ty::Option(_)) {
            checks.extend(quote!(#rt::shown_as_option(&#value);));
        }
    });
}

/// Calls `f` with a type and with the types in it, each with what names a value of it where there is one.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "other types hold no value of another type"
)]
fn each_part(ty: &Ty, value: &TokenStream, f: &mut dyn FnMut(&Ty, &TokenStream)) {
    f(ty, value);
    match ty {
        Ty::Array(t, _) | Ty::Slice(t) | Ty::Vec(t) => {
            each_part(t, &quote!((*#value.first().unwrap())), f);
        }
        Ty::Queue(t) => each_part(t, &quote!((*#value.front().unwrap())), f),
        Ty::Ref(_, t) => each_part(t, &quote!((*#value)), f),
        Ty::Option(t) => each_part(t, &quote!((*#value.as_ref().unwrap())), f),
        Ty::Tuple(parts) => {
            for (k, part) in parts.iter().enumerate() {
                let k = syn::Index::from(k);
                each_part(part, &quote!(#value.#k), f);
            }
        }
        _ => {}
    }
}
