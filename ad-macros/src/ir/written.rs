//! Lengths of arrays and targets of casts.
//!
//! What the compiler understands is data. The rest is kept as written in a table of the function, so that types hold no
//! syntax.

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;

use super::{Lit, Ty};
use crate::ir::hash::HashMap;

/// The length of an array, in its type and in `[value; len]`.
#[derive(Clone, Debug)]
pub(crate) enum Len {
    Number(Lit, Span),
    /// A constant, or a const parameter.
    Named(Ident),
    /// Any other expression.
    Written(LenId),
}

/// Where a cast leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum CastTarget {
    /// A primitive type by its name.
    Primitive(Ty),
    /// Any other type, or another path to a primitive one.
    Written(TargetId),
}

/// A length kept as written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LenId(u32);

/// A type kept as written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TargetId(u32);

/// The code that lengths and casts keep as written.
#[derive(Clone, Default, Debug)]
pub(crate) struct Written {
    lengths: Vec<syn::Expr>,
    targets: Vec<syn::Type>,
    /// The user's types whose definitions are known, by the paths that the text names them by.
    structs: HashMap<String, Ty>,
}

/// Lengths are equal if they are written alike.
impl PartialEq for Len {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Len::Number(a, _), Len::Number(b, _)) => a == b,
            (Len::Named(a), Len::Named(b)) => a == b,
            (Len::Written(a), Len::Written(b)) => a == b,
            (Len::Number(..) | Len::Named(_) | Len::Written(_), _) => false,
        }
    }
}

impl Eq for Len {}

impl Len {
    /// The number, if it is one.
    pub(crate) fn number(&self) -> Option<u64> {
        match self {
            Len::Number(lit, _) => u64::try_from(lit.int()?).ok(),
            Len::Named(_) | Len::Written(_) => None,
        }
    }
}

impl Written {
    pub(crate) fn with_structs(structs: HashMap<String, Ty>) -> Self {
        Written {
            structs,
            ..Written::default()
        }
    }

    /// Whether the definition of any of the user's types is known.
    pub(crate) fn knows_structs(&self) -> bool {
        !self.structs.is_empty()
    }

    /// The type that a path names, with its arguments or as far as it does not depend on them, if its definition is
    /// known.
    pub(crate) fn type_of(&self, path: &syn::Path) -> Option<Ty> {
        if !self.knows_structs() {
            return None;
        }
        let exact = exact_text(path).and_then(|exact| self.structs.get(&exact));
        exact
            .or_else(|| self.structs.get(&path_text(path)))
            .cloned()
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the user's syntax has more forms than are asked for"
    )]
    pub(crate) fn len(&mut self, written: &syn::Expr) -> Len {
        match written {
            syn::Expr::Lit(e) if e.attrs.is_empty() && matches!(e.lit, syn::Lit::Int(_)) => {
                return Len::Number((&e.lit).into(), e.lit.span());
            }
            syn::Expr::Path(e) if e.attrs.is_empty() && e.qself.is_none() => {
                if let Some(name) = e.path.get_ident() {
                    return Len::Named(name.clone());
                }
            }
            _ => {}
        }
        Len::Written(LenId(entry(&mut self.lengths, written)))
    }

    /// `ty`: the primitive type that it is, if it is one.
    pub(crate) fn target(&mut self, written: &syn::Type, ty: Option<&Ty>) -> CastTarget {
        match (written, ty) {
            (syn::Type::Path(path), Some(ty))
                if path.qself.is_none() && path.path.get_ident().is_some() =>
            {
                CastTarget::Primitive(ty.clone())
            }
            _ => CastTarget::Written(TargetId(entry(&mut self.targets, written))),
        }
    }

    pub(crate) fn len_tokens(&self, len: &Len) -> TokenStream {
        match len {
            Len::Number(lit, span) => lit.token(*span).into(),
            Len::Named(name) => name.to_token_stream(),
            Len::Written(id) => self.lengths[id.0 as usize].to_token_stream(),
        }
    }

    pub(crate) fn target_tokens(&self, target: &CastTarget, span: Span) -> TokenStream {
        match target {
            CastTarget::Primitive(ty) => {
                let name = ty.primitive_name().expect("a primitive type");
                Ident::new(name, span).into_token_stream()
            }
            CastTarget::Written(id) => self.targets[id.0 as usize].to_token_stream(),
        }
    }
}

/// Where the code is in the table, which holds it once.
fn entry<T: Clone + PartialEq>(table: &mut Vec<T>, code: &T) -> u32 {
    let at = table.iter().position(|known| known == code);
    let at = at.unwrap_or_else(|| {
        table.push(code.clone());
        table.len() - 1
    });
    u32::try_from(at).expect("fewer than 2^32 pieces of code")
}

/// A path as text, without its arguments.
pub(crate) fn path_text(path: &syn::Path) -> String {
    let leading = path.leading_colon.map_or("", |_| "::");
    let segments = path.segments.iter().map(|s| s.ident.to_string());
    format!("{leading}{}", segments.collect::<Vec<_>>().join("::"))
}

/// The same with the arguments; `None` if there are none.
pub(crate) fn exact_text(path: &syn::Path) -> Option<String> {
    let arguments = &path.segments.last()?.arguments;
    let syn::PathArguments::AngleBracketed(arguments) = arguments else {
        return None;
    };
    Some(format!(
        "{}<{}>",
        path_text(path),
        arguments.args.to_token_stream()
    ))
}

/// Whether a type is written as a float.
pub(crate) fn is_float_type(ty: &syn::Type) -> bool {
    is_type_named(ty, "f32") || is_type_named(ty, "f64")
}

/// The names of the parameters for types and constants.
pub(crate) fn parameter_names(generics: &syn::Generics) -> impl Iterator<Item = &Ident> {
    generics.params.iter().filter_map(|param| match param {
        syn::GenericParam::Type(t) => Some(&t.ident),
        syn::GenericParam::Const(c) => Some(&c.ident),
        syn::GenericParam::Lifetime(_) => None,
    })
}

/// Whether a type is written by this name alone.
pub(crate) fn is_type_named<I: ?Sized>(ty: &syn::Type, name: &I) -> bool
where
    Ident: PartialEq<I>,
{
    matches!(ty, syn::Type::Path(p) if p.qself.is_none() && p.path.is_ident(name))
}

/// A type as written, without the references and parentheses around it.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the user's syntax has more forms than are asked for"
)]
pub(crate) fn without_reference(written: &syn::Type) -> &syn::Type {
    match written {
        syn::Type::Reference(r) => without_reference(&r.elem),
        syn::Type::Paren(p) => without_reference(&p.elem),
        syn::Type::Group(g) => without_reference(&g.elem),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse<T: syn::parse::Parse>(text: &str) -> T {
        syn::parse_str(text).expect("syntax")
    }

    #[test]
    fn lengths_are_data_or_kept_once() {
        let mut written = Written::default();
        let mut len = |text| written.len(&parse(text));
        assert_eq!(len("3").number(), Some(3));
        assert_eq!(len("0x10usize").number(), Some(16));
        assert!(matches!(len("N"), Len::Named(name) if name == "N"));
        assert_eq!(len("N"), len("N"));
        assert_ne!(len("N"), len("M"));
        assert_ne!(len("3"), len("3usize"));
        assert_eq!(len("{ N + 1 }"), len("{N+1}"));
        assert_ne!(len("{ N + 1 }"), len("Self::N"));
        assert_eq!(len("Self::N").number(), None);
        assert_eq!(written.lengths.len(), 2);
        for text in ["3", "0x10usize", "N", "{ N + 1 }", "Self :: N", "(3)"] {
            let len = written.len(&parse(text));
            assert_eq!(written.len_tokens(&len).to_string(), text);
        }
    }

    #[test]
    fn targets_of_casts_keep_the_path_that_was_written() {
        let mut written = Written::default();
        let mut target = |text, ty| written.target(&parse(text), ty);
        assert_eq!(
            target("f32", Some(&Ty::F32)),
            CastTarget::Primitive(Ty::F32)
        );
        let path = target("core :: primitive :: f32", Some(&Ty::F32));
        assert!(matches!(path, CastTarget::Written(_)));
        assert_ne!(path, target("Real", None));
        assert_eq!(target("_", None), target("_", None));
        let tokens = written.target_tokens(&path, Span::call_site());
        assert_eq!(tokens.to_string(), "core :: primitive :: f32");
    }
}
