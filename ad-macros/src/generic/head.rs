//! The `impl` that a method stands in, by the text of its file.
//!
//! What is read here is written into generated code: if the text is not what rustc sees (a macro made the block, say),
//! that code does not compile.

use proc_macro2::Span;

use crate::surroundings::head_of_block;

/// The block without its functions, if the token at this place stands in an `impl` of a type.
pub(crate) fn block_at(at: Span) -> Option<syn::ItemImpl> {
    block_of_head(&head_of_block(at)?)
}

/// The block that has this head. What its attributes are does not matter inside of it.
pub(crate) fn block_of_head(head: &str) -> Option<syn::ItemImpl> {
    // The word may stand in a comment in front of it.
    let mut blocks = head.match_indices("impl").filter_map(|(at, _)| {
        syn::parse_str::<syn::ItemImpl>(&format!("{}{{}}", &head[at..])).ok()
    });
    blocks.next()
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;

    #[test]
    fn a_head_is_read_with_its_parameters() {
        let head = ";\nstruct S<T>(T); // impl X\nuse d::e;\n/// Of impl S.\n#[cfg(x)]\nimpl<T> S<T>\nwhere\n    \
                    T: Float, // {\n";
        let block = super::block_of_head(head).expect("a head");
        assert_eq!(block.generics.params.len(), 1);
        let clause = block.generics.where_clause.to_token_stream();
        assert_eq!(clause.to_string(), "where T : Float ,");
        assert!(super::block_of_head("fn f() -> impl Fn() ").is_none());
    }
}
