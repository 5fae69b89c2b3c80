//! Calls of functions of the crate `libm`, `libm::sqrt(x)`, or `sqrt(x)` behind `use libm::sqrt`.
//!
//! That crate has no `#[gradient]`, and the runtime has the sweeps. Which crate a name comes from is told by the text
//! of the file. Generated code has a check: the function that is called is assigned to a variable that holds the one of
//! `libm`, which is an error of rustc (E0308) for any other.

use proc_macro2::Span;
use quote::quote;

use super::Lowerer;
use super::known::imported_from_crate;
use super::value::{Value, Want};
use crate::ir::{Callee, IntTy, KnownMacro, NumberOfLibm as Number, Ty, function_of_libm};
use crate::surroundings::with_text;

impl Lowerer<'_> {
    /// The value of the call, if it is one of a function of `libm`.
    pub(super) fn call_of_libm(
        &mut self,
        path: &syn::ExprPath,
        call: &syn::ExprCall,
        want: Want,
        span: Span,
    ) -> Option<Value> {
        let name = path.path.segments.last()?.ident.clone();
        let function = function_of_libm(&name.to_string())?;
        if call.args.len() != function.takes.len() {
            return None;
        }
        let path = self.path_of_libm(path)?;
        let float = if function.narrow { Ty::F32 } else { Ty::F64 };
        let of = |number: &Number| match number {
            Number::Float => float.clone(),
            Number::Integer => Ty::Int(Some(IntTy::I32)),
        };
        let (values, functions) = self.arguments(call.args.iter());
        for ((value, _), takes) in values.iter().zip(function.takes) {
            let ty = self.type_of(value);
            self.types.unify(&ty, &of(takes));
        }
        let callee = Callee {
            functions,
            ..super::callee::callee(&path)
        };
        let value = self.outside_conditions(|l| l.emit_call(callee, values, want, span));
        if want != Want::Discard {
            let yields = match function.yields {
                [one] => of(one),
                several => Ty::Tuple(several.iter().map(of).collect()),
            };
            let ty = self.type_of(&value);
            self.types.unify(&ty, &yields);
        }
        Some(value)
    }

    /// The path `::libm::f`, if this is one of that function as far as the text tells. Generated code checks it.
    pub(super) fn path_of_libm(&mut self, path: &syn::ExprPath) -> Option<syn::ExprPath> {
        let name = path.path.segments.last()?.ident.clone();
        function_of_libm(&name.to_string()).filter(|_| is_of_libm(path))?;
        let (written, of_libm): (_, syn::ExprPath) = (&path.path, syn::parse_quote!(::libm::#name));
        let check = KnownMacro {
            path: written.clone(),
            krate: None,
            prefix: None,
            harmless: quote! {
                let mut function = #of_libm;
                function = #written;
                let _ = function;
            },
        };
        let known = &mut self.func.known_macros;
        if !known.iter().any(|known| known.path == *written) {
            known.push(check);
        }
        Some(of_libm)
    }
}

/// Whether the path means a function of the crate, as far as the text tells.
fn is_of_libm(path: &syn::ExprPath) -> bool {
    let Some(last) = path.path.segments.last() else {
        return false;
    };
    let at = last.ident.span();
    let of_crate = |text: &str| {
        let own = ["mod libm", "crate::libm", "super::libm", "self::libm"];
        !own.iter().any(|module| text.contains(module))
    };
    let behind_crate = path.path.segments.len() == 2
        && path.qself.is_none()
        && path.path.segments[0].ident == "libm"
        && path
            .path
            .segments
            .iter()
            .all(|segment| segment.arguments.is_none());
    if behind_crate {
        let leading = path.path.leading_colon.is_some();
        return leading || with_text(at, of_crate).unwrap_or(true);
    }
    let name = last.ident.to_string();
    let another = format!("fn {name}");
    let mut plain = path.path.segments.len() == 1 && path.qself.is_none();
    plain &= path.path.leading_colon.is_none() && last.arguments.is_none();
    plain
        && imported_from_crate(&name, "libm", at)
        && with_text(at, |text| of_crate(text) && !text.contains(&another)).unwrap_or(false)
}
