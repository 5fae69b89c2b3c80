//! The `impl`s of `Sum` and `Product` for a type of the package, by the text of its files.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;

use super::beside::declarations;
use super::package::found;
use super::{Blocks, Surroundings};

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
        let functions = declarations(&self.text, "fn", name).filter_map(|(begin, at)| {
            if self.macros.skips(at) || self.macros.is_given(at) {
                return None;
            }
            let open = self.open_before(begin);
            let (Surroundings::Impl | Surroundings::Trait, brace) = *open.last()? else {
                return None;
            };
            let block = self.head(brace)?;
            let is_of = matches!(&*block.self_ty, syn::Type::Path(of)
                if of.path.segments.last().is_some_and(|last| last.ident.unraw() == ty));
            let (_, of_trait, _) = block.trait_.as_ref().filter(|_| is_of)?;
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
