//! Comparisons that are an order, whatever is compared.
//!
//! Sweeps sort positions, the function sorts elements. Both come to the same if the comparison is an order; what std
//! makes of another one depends on the size of what it sorts. So elements that are no numbers are sorted only by
//! comparisons of one thing of both, by a method that is an order: `total_cmp`, `cmp`, and `partial_cmp` where it has
//! an answer. Where it has none, the sweeps panic.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;

use super::operator::strip;

/// The comparison as the sweeps call it, if it is an order.
pub(super) fn lawful(f: &syn::Expr) -> Option<syn::Expr> {
    let syn::Expr::Closure(closure) = strip(f) else {
        return None;
    };
    let names: Vec<&Ident> = closure.inputs.iter().filter_map(name).collect();
    let [a, b] = names[..] else {
        return None;
    };
    let mut closure = closure.clone();
    let body = Compared { a, b }.order(&closure.body)?;
    *closure.body = body;
    Some(syn::Expr::Closure(closure))
}

fn name(pat: &syn::Pat) -> Option<&Ident> {
    match pat {
        syn::Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => Some(&p.ident),
        syn::Pat::Type(p) => name(&p.pat),
        _ => None,
    }
}

/// The names of what is compared.
struct Compared<'n> {
    a: &'n Ident,
    b: &'n Ident,
}

impl Compared<'_> {
    /// An expression of type `Ordering`.
    fn order(&self, e: &syn::Expr) -> Option<syn::Expr> {
        match strip(e) {
            syn::Expr::Block(block) if block.label.is_none() => match &block.block.stmts[..] {
                [syn::Stmt::Expr(e, None)] => self.order(e),
                _ => None,
            },
            syn::Expr::MethodCall(call) => self.method(call),
            syn::Expr::Call(call) => {
                let syn::Expr::Path(path) = &*call.func else {
                    return None;
                };
                let last = path.path.segments.last()?;
                let (a, b) = (call.args.first()?, call.args.get(1)?);
                let is_order = last.ident == "total_cmp" || last.ident == "cmp";
                (is_order && call.args.len() == 2 && self.same(a, b)).then(|| e.clone())
            }
            _ => None,
        }
    }

    fn method(&self, call: &syn::ExprMethodCall) -> Option<syn::Expr> {
        let mut call = call.clone();
        match (call.method.to_string().as_str(), call.args.len()) {
            ("total_cmp" | "cmp", 1) if self.same(&call.receiver, &call.args[0]) => {}
            ("unwrap", 0) | ("expect", 1) if self.partial(&call.receiver) => {}
            ("unwrap_or" | "unwrap_or_else", 1) if self.partial(&call.receiver) => {
                let receiver = &call.receiver;
                let text = "elements of a sort that cannot be compared have no derivative";
                return Some(syn::parse_quote!(#receiver.expect(#text)));
            }
            ("reverse", 0) => *call.receiver = self.order(&call.receiver)?,
            ("then", 1) => {
                *call.receiver = self.order(&call.receiver)?;
                call.args[0] = self.order(&call.args[0])?;
            }
            ("then_with", 1) => {
                *call.receiver = self.order(&call.receiver)?;
                let syn::Expr::Closure(second) = &mut call.args[0] else {
                    return None;
                };
                *second.body = self.order(&second.body)?;
            }
            _ => return None,
        }
        Some(syn::Expr::MethodCall(call))
    }

    /// `x.partial_cmp(&y)`
    fn partial(&self, e: &syn::Expr) -> bool {
        match strip(e) {
            syn::Expr::MethodCall(call) => {
                call.method == "partial_cmp"
                    && call.args.len() == 1
                    && self.same(&call.receiver, &call.args[0])
            }
            _ => false,
        }
    }

    /// Whether two expressions are the same of one element and of the other.
    fn same(&self, left: &syn::Expr, right: &syn::Expr) -> bool {
        let [left, right] = [left, right].map(|e| {
            let mut e = strip(e);
            while let syn::Expr::Reference(r) = e {
                e = strip(&r.expr);
            }
            e.to_token_stream()
        });
        let text = |tokens: TokenStream| tokens.to_string();
        let of = |tokens: &TokenStream, name: &Ident| {
            crate::ir::spells(tokens.clone(), &name.to_string())
        };
        let alone = |tokens: &TokenStream, own: &Ident, other: &Ident| {
            of(tokens, own) && !of(tokens, other)
        };
        let swapped = text(self.swapped(left.clone())) == text(right.clone());
        swapped
            && (alone(&left, self.a, self.b) && alone(&right, self.b, self.a)
                || alone(&left, self.b, self.a) && alone(&right, self.a, self.b))
    }

    /// The code with each of the names in place of the other.
    fn swapped(&self, tokens: TokenStream) -> TokenStream {
        let swap = |tree| match tree {
            TokenTree::Ident(ident) if ident == *self.a => {
                Ident::new(&self.b.to_string(), ident.span()).into()
            }
            TokenTree::Ident(ident) if ident == *self.b => {
                Ident::new(&self.a.to_string(), ident.span()).into()
            }
            TokenTree::Group(group) => {
                let inner = self.swapped(group.stream());
                proc_macro2::Group::new(group.delimiter(), inner).into()
            }
            other => other,
        };
        tokens.into_iter().map(swap).collect()
    }
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;

    #[track_caller]
    fn check(f: &str, expected: Option<&str>) {
        let parse = |text: &str| -> syn::Expr { syn::parse_str(text).expect("an expression") };
        let found = super::lawful(&parse(f)).map(|f| f.to_token_stream().to_string());
        let expected = expected.map(|f| parse(f).to_token_stream().to_string());
        assert_eq!(found, expected);
    }

    #[test]
    fn orders_are_told_by_their_text() {
        for f in [
            "|a, b| a.t.total_cmp(&b.t)",
            "|a, b| b.t.partial_cmp(&a.t).unwrap()",
            "|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)).reverse()",
            "|x, y| x.key(3).cmp(&y.key(3)).then_with(|| f64::total_cmp(&x.v[0], &y.v[0]))",
        ] {
            check(f, Some(f));
        }
    }

    #[test]
    fn what_has_no_answer_panics() {
        check(
            "|a, b| a.t.partial_cmp(&b.t).unwrap_or(Ordering::Equal)",
            Some(
                "|a, b| a.t.partial_cmp(&b.t)
                    .expect(\"elements of a sort that cannot be compared have no derivative\")",
            ),
        );
    }

    #[test]
    fn others_are_not() {
        for f in [
            "|a, b| a.t.total_cmp(&b.v)",
            "|a, b| a.t.total_cmp(&a.t)",
            "|a, b| if a.t < b.t { Less } else { Greater }",
            "|a, b| (a.t - b.t).total_cmp(&0.0)",
            "|a, b| (a.t - b.t).total_cmp(&(b.t - a.t))",
            "|&a, b| a.total_cmp(b)",
            "compare",
        ] {
            check(f, None);
        }
    }
}
