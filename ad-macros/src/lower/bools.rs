//! Methods of a `bool` that yield an `Option`: `then` and `then_some`.

use quote::{ToTokens, quote};
use syn::visit::{self, Visit};

use super::Lowerer;
use super::option_closures::{PAYLOAD, body_of};
use super::value::{Value, span_of};

impl Lowerer<'_> {
    /// The method as a `match`, if it is one of these.
    pub(super) fn bool_method(
        &mut self,
        receiver: &Value,
        call: &syn::ExprMethodCall,
        name: &str,
    ) -> Option<Value> {
        let span = span_of(call);
        let args: Vec<&syn::Expr> = call.args.iter().collect();
        if self.lenient > 0 || call.turbofish.is_some() {
            return None;
        }
        // What is no number is kept as written.
        if !self.mentions_active(&call.args)
            && args.iter().any(|arg| MadeOf::more_than_numbers(arg))
        {
            return None;
        }
        let held = syn::Ident::new(PAYLOAD, span).to_token_stream();
        let (value, m) = match (name, args.as_slice()) {
            ("then", [f]) => {
                let body = body_of(f)?;
                (
                    None,
                    quote!(match () { true => Some(#body), false => None }),
                )
            }
            ("then_some", [value]) => {
                let m = quote!(match () { (true, #held) => Some(#held), (false, _) => None });
                (Some(*value), m)
            }
            _ => return None,
        };
        self.matched_by(receiver, value, m, &args, span)
    }
}

/// Whether there is text, a reference or a macro in an expression.
struct MadeOf(bool);

impl MadeOf {
    fn more_than_numbers(e: &syn::Expr) -> bool {
        let mut made = MadeOf(false);
        made.visit_expr(e);
        made.0
    }
}

impl<'ast> Visit<'ast> for MadeOf {
    fn visit_expr_reference(&mut self, _: &'ast syn::ExprReference) {
        self.0 = true;
    }

    fn visit_macro(&mut self, _: &'ast syn::Macro) {
        self.0 = true;
    }

    fn visit_expr_call(&mut self, _: &'ast syn::ExprCall) {
        self.0 = true;
    }

    fn visit_expr_method_call(&mut self, _: &'ast syn::ExprMethodCall) {
        self.0 = true;
    }

    fn visit_lit(&mut self, lit: &'ast syn::Lit) {
        self.0 |= !matches!(
            lit,
            syn::Lit::Int(_) | syn::Lit::Float(_) | syn::Lit::Bool(_)
        );
        visit::visit_lit(self, lit);
    }
}
