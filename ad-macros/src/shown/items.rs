//! What a loop runs over: the type of the items of a chain.

use super::types::{Types, behind, element_of};

/// The type of the items, if the chain begins with a container whose type the text shows, and nothing changes them.
pub(super) fn item_of(types: &Types, e: &syn::Expr) -> Option<syn::Type> {
    if let Some(of) = types.of_expr(e)
        && let Some(item) = element_of(behind(&of))
    {
        return Some(types.written(&item));
    }
    match e {
        syn::Expr::Paren(e) => item_of(types, &e.expr),
        syn::Expr::Reference(e) => item_of(types, &e.expr),
        syn::Expr::MethodCall(call) => {
            let item = || item_of(types, &call.receiver);
            match call.method.to_string().as_str() {
                "iter" | "iter_mut" | "into_iter" | "copied" | "cloned" | "rev" | "skip"
                | "take" | "step_by" | "filter" | "inspect" | "skip_while" | "take_while"
                | "cycle" | "peekable" | "by_ref" | "chain" => item(),
                "enumerate" => {
                    let item = item()?;
                    Some(syn::parse_quote!((usize, #item)))
                }
                "zip" => {
                    let (item, other) = (item()?, item_of(types, call.args.first()?)?);
                    Some(syn::parse_quote!((#item, #other)))
                }
                "windows" | "chunks" | "chunks_exact" => {
                    let item = item()?;
                    Some(syn::parse_quote!([#item]))
                }
                _ => None,
            }
        }
        _ => None,
    }
}
