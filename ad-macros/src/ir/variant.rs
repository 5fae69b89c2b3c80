//! Parts of the payloads of enums.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;

use super::Field;

/// A field of an enum's variant.
#[derive(Clone, Debug)]
pub(crate) struct VariantPart {
    /// The way to the variant, as the user wrote it.
    pub(crate) path: syn::Path,
    pub(crate) field: Field,
    /// Whether it is read of the tangent, whose variants and fields have the same names.
    of_tangent: bool,
}

impl VariantPart {
    pub(crate) fn new(path: &syn::Path, field: Field) -> Self {
        VariantPart {
            path: path.clone(),
            field,
            of_tangent: false,
        }
    }

    pub(crate) fn of_tangent(&self) -> Self {
        VariantPart {
            of_tangent: true,
            ..self.clone()
        }
    }

    /// The name of the variant, without the way to it.
    pub(crate) fn name(&self) -> String {
        let last = self.path.segments.last();
        last.map_or_else(String::new, |last| last.ident.unraw().to_string())
    }

    /// Whether it is the same field of the same variant. Paths may differ: all lead to variants of one enum.
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.field == other.field && self.name() == other.name()
    }

    /// The method of a tangent that leads to the part.
    pub(crate) fn accessor(&self, writes: bool, span: Span) -> Option<Ident> {
        let field = self.field.to_string();
        self.of_tangent
            .then(|| accessor(&self.name(), field.trim_start_matches("r#"), writes, span))
    }
}

/// The method that the derive writes for a field of a variant. The length tells apart what underscores do not.
pub(crate) fn accessor(variant: &str, field: &str, writes: bool, span: Span) -> Ident {
    let access = if writes { "_mut" } else { "" };
    let length = variant.len();
    Ident::new(
        &format!("__variant{access}{length}_{variant}_{field}"),
        span,
    )
}
