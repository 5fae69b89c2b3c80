//! Functions and types that are understood by their paths: generated code checks that these lead to std's.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::Lowerer;
use super::types::{PathType, path_type};
use crate::ir::{KnownMacro, MathFn, Ty};

impl Lowerer<'_> {
    /// A path that is taken for that of a function of std's with one type parameter. Functions are all of different
    /// types.
    pub(super) fn note_std_function(&mut self, path: &syn::Path, of_std: &TokenStream) {
        let path = without_arguments(path);
        let used = quote_spanned!(path.span()=> #path::<u8>);
        self.note_function(path, &quote!(#of_std::<u8>), &used);
    }

    /// A path that is taken for that of a function of a type of std's with one type parameter: `Vec::new`.
    pub(super) fn note_function_of_type(&mut self, path: &syn::Path, ty: &TokenStream) {
        let mut ty_path = without_arguments(path);
        let Some(name) = ty_path.segments.pop() else {
            return;
        };
        ty_path.segments.pop_punct();
        let (ty_path, name) = (without_arguments(&ty_path), &name.value().ident);
        let used = quote_spanned!(path.span()=> #ty_path::<u8>::#name);
        self.note_function(without_arguments(path), &quote!(#ty::<u8>::#name), &used);
    }

    /// Names in the body that are taken for variants of std's: functions and constants may have them, too.
    pub(super) fn note_variants(&mut self, body: &syn::Block) {
        let mut variants = Variants::default();
        variants.visit_block(body);
        for name in variants.0 {
            let span = name.span();
            let (ty, pattern) = match name.to_string().as_str() {
                "None" => (quote!(::core::option::Option<()>), quote!(#name)),
                "Some" => (quote!(::core::option::Option<()>), quote!(#name(_))),
                _ => (quote!(::core::result::Result<(), ()>), quote!(#name(_))),
            };
            let path = syn::Path::from(name);
            self.note_nonlocal(&path);
            // No function is a pattern, and a constant is one of its own type.
            let harmless =
                quote_spanned!(span=> let _ = |value: #ty| ::core::matches!(value, #pattern););
            self.note_item(path, harmless);
        }
    }

    /// A path that is taken for that of a method of a float: `f64::sin`.
    pub(super) fn note_float_function(&mut self, path: &syn::ExprPath, ty: &Ty, name: &str) {
        let float = match ty {
            Ty::F32 => quote!(f32),
            Ty::F64 => quote!(f64),
            _ => return,
        };
        if path.qself.is_none() && (name == "sin_cos" || MathFn::from_name(name).is_some()) {
            let (path, name) = (&path.path, Ident::new(name, Span::call_site()));
            self.note_function(path.clone(), &quote!(<#float>::#name), &quote!(#path));
        }
    }

    pub(super) fn note_function(
        &mut self,
        path: syn::Path,
        of_std: &TokenStream,
        used: &TokenStream,
    ) {
        self.note_nonlocal(&path);
        let harmless = quote_spanned! {path.span()=>
            let mut function = #of_std;
            function = #used;
            let _ = function;
        };
        self.note_item(path, harmless);
    }

    /// Types in what is written that are taken for std's.
    pub(super) fn note_std_types(&mut self, written: &syn::Type) {
        let mut types = Types::default();
        types.visit_type(written);
        for written in types.0 {
            self.note_std_type(written);
        }
    }

    /// A type that may be taken for one of std's.
    pub(super) fn note_std_type(&mut self, written: &syn::TypePath) {
        let of_std = match path_type(written) {
            PathType::Vec(Some(_)) => quote!(::std::vec::Vec),
            PathType::Option(Some(_)) => quote!(::core::option::Option),
            _ => return,
        };
        let path = without_arguments(&written.path);
        self.note_nonlocal(&path);
        let harmless =
            quote_spanned!(path.span()=> let _: fn(#path<()>) -> #of_std<()> = |value| value;);
        self.note_item(path, harmless);
    }

    /// An alias that is taken for a number.
    pub(super) fn note_alias(&mut self, path: &syn::Path, of: &syn::Type) {
        self.note_nonlocal(path);
        let harmless = quote_spanned!(path.span()=> let _: fn(#path) -> #of = |value| value;);
        self.note_item(path.clone(), harmless);
    }

    pub(super) fn note_item(&mut self, path: syn::Path, harmless: TokenStream) {
        let known = &mut self.func.known_macros;
        if !known.iter().any(|known| known.path == path) {
            known.push(KnownMacro {
                path,
                krate: None,
                prefix: None,
                harmless,
            });
        }
    }
}

/// The path without what stands behind its last name.
pub(super) fn without_arguments(path: &syn::Path) -> syn::Path {
    let mut path = path.clone();
    if let Some(last) = path.segments.last_mut() {
        last.arguments = syn::PathArguments::None;
    }
    path
}

/// The names of variants of std's without a path, each once.
#[derive(Default)]
struct Variants(Vec<Ident>);

impl Variants {
    fn found(&mut self, name: &Ident) {
        let known = ["Some", "None", "Ok", "Err"];
        if known.iter().any(|variant| name == variant) && !self.0.contains(name) {
            self.0.push(name.clone());
        }
    }
}

impl<'ast> Visit<'ast> for Variants {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        if let Some(name) = path.get_ident() {
            self.found(name);
        }
        visit::visit_path(self, path);
    }

    fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
        self.found(&pattern.ident);
        visit::visit_pat_ident(self, pattern);
    }
}

#[derive(Default)]
struct Types<'ast>(Vec<&'ast syn::TypePath>);

impl<'ast> Visit<'ast> for Types<'ast> {
    fn visit_type_path(&mut self, written: &'ast syn::TypePath) {
        self.0.push(written);
        visit::visit_type_path(self, written);
    }
}
