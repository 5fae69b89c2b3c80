//! The functions of `impl` blocks, by the text of their file.
//!
//! What is found here is believed without proof only where a wrong answer ends as an error of rustc: generated code
//! calls the sweeps of the function that is named.

use proc_macro2::{Ident, Span};

use super::{Blocks, Open, Surroundings, look};

/// The signature of the function of this name in the `impl` of a type around the token at this place, with the
/// attributes that it has.
pub(crate) fn function_of_block(at: Span, name: &Ident) -> Option<syn::ImplItemFn> {
    look(at, |blocks, open| blocks.function(&open, name))?
}

/// The function of this name in an `impl` of the type of this name, which stands around the token at this place or
/// beside what stands around it.
pub(crate) fn function_of_type(at: Span, ty: &Ident, name: &Ident) -> Option<syn::ImplItemFn> {
    function_of(at, ty, name, &|_| true)
}

/// The same, of a block without attributes that could take it away.
pub(crate) fn function_of_type_always(
    at: Span,
    ty: &Ident,
    name: &Ident,
) -> Option<syn::ImplItemFn> {
    function_of(at, ty, name, &|head| !head.contains("cfg"))
}

/// `wanted`: of the text in front of the block's brace.
fn function_of(
    at: Span,
    ty: &Ident,
    name: &Ident,
    wanted: &dyn Fn(&str) -> bool,
) -> Option<syn::ImplItemFn> {
    look(at, |blocks, open| {
        let mut begin = 0;
        for (behind, now) in &blocks.open {
            let before = std::mem::replace(&mut begin, *behind);
            let Some(((Surroundings::Impl, brace), around)) = now.split_last() else {
                continue;
            };
            // Elsewhere something in it ends.
            let begins = *brace >= before && open.starts_with(around);
            if begins
                && let Some(head) = blocks.text.get(before..*brace)
                && wanted(head)
                && head_is_of(head, ty)
                && let Some(found) = blocks.function(now, name)
            {
                return Some(found);
            }
        }
        None
    })?
}

/// Whether this is the head of an `impl` of the type of this name, and of no trait.
fn head_is_of(head: &str, ty: &Ident) -> bool {
    let name = ty.to_string();
    if !head.contains(&name) {
        return false;
    }
    let mut blocks = head.match_indices("impl").filter_map(|(at, _)| {
        syn::parse_str::<syn::ItemImpl>(&format!("{}{{}}", &head[at..])).ok()
    });
    blocks.next().is_some_and(|block| {
        block.trait_.is_none()
            && matches!(&*block.self_ty, syn::Type::Path(of)
                if of.qself.is_none() && of.path.segments.last().is_some_and(|last| last.ident == name))
    })
}

impl Blocks {
    /// The function of this name in the innermost `impl` or trait that is open, if that is the `impl` of a type.
    fn function(&self, open: &Open, name: &Ident) -> Option<syn::ImplItemFn> {
        let is_block = |(open, _): &(Surroundings, usize)| {
            matches!(open, Surroundings::Impl | Surroundings::Trait)
        };
        let depth = open.iter().rposition(is_block)? + 1;
        if open[depth - 1].0 != Surroundings::Impl {
            return None;
        }
        let block = &open[..depth];
        let inside = |(_, now): &&(usize, Open)| now.starts_with(block);
        let begin = self
            .open
            .partition_point(|(from, _)| *from <= block[depth - 1].1);
        let changes = self.open[begin..].iter().take_while(inside);
        // Where the block begins, and where bodies in it end.
        let ends: Vec<usize> = changes
            .filter(|(_, now)| now.len() == depth)
            .map(|(from, _)| *from)
            .collect();
        let text = name.to_string();
        let functions = ends.windows(2).filter_map(|between| {
            let item = self.text.get(between[0]..between[1])?;
            // Most of them need not be read.
            let function: Option<syn::ImplItemFn> = item
                .contains(&text)
                .then(|| syn::parse_str(item).ok())
                .flatten();
            function
        });
        functions
            .into_iter()
            .find(|function| function.sig.ident == text)
    }
}
