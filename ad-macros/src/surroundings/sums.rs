//! The `impl`s of `Sum` and `Product` for a type of the package, by the text of its files.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;

use super::Blocks;
use super::package::found;

/// One of the `impl`s.
#[derive(Clone)]
pub(crate) struct SumOf {
    /// The block, without its items.
    pub(crate) block: syn::ItemImpl,
    pub(crate) function: syn::ItemFn,
    /// Whether `#[gradient]` may stand above it.
    pub(crate) is_marked: bool,
}

/// Those with the function of this name, `sum` or `product`, for the type of this name.
pub(crate) fn sums(at: Span, ty: &Ident, function: &str) -> Vec<SumOf> {
    let ty = ty.unraw().to_string();
    let all = found(at, &ty, |blocks| {
        let of_type = blocks.sums(&ty, function);
        if of_type.is_empty() {
            Vec::new()
        } else {
            vec![of_type]
        }
    });
    all.unwrap_or_default()
}

impl Blocks {
    fn sums(&self, ty: &str, name: &str) -> Vec<SumOf> {
        let functions = self.methods(ty, name).filter_map(|(begin, brace, block)| {
            let (_, of_trait, _) = block.trait_.as_ref()?;
            let last = of_trait.segments.last()?;
            (last.ident == "Sum" || last.ident == "Product").then_some(())?;
            let function = self.item(begin)?;
            let is_marked = self.in_front_of(brace)?.contains("gradient");
            Some(SumOf {
                block,
                function,
                is_marked,
            })
        });
        functions.collect()
    }
}
