//! `unsafe { *x.get_unchecked(i) }`: elements that nothing checks.
//!
//! Such an element is read and written as `x[i]` is. Wherever the function as written is defined, `i` lies inside of
//! `x`, so that both are the same; where it lies outside, the sweeps panic. That `x` is a slice, an array or a `Vec`,
//! and not a type with a method of that name, is known or checked by rustc. Whatever else is unsafe in the block, rustc
//! rejects: sweeps have no `unsafe`.

use syn::visit::{self, Visit};

use super::Lowerer;
use super::value::{Value, Want};
use crate::diag::catalog;
use crate::ir::Proj;

/// Whether the block is there for such elements.
pub(super) fn is_of_elements(block: &syn::ExprUnsafe) -> bool {
    struct Finder(bool);
    impl<'ast> Visit<'ast> for Finder {
        fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
            self.0 |= is_unchecked(call).is_some();
            visit::visit_expr_method_call(self, call);
        }

        fn visit_item(&mut self, _: &'ast syn::Item) {}
    }
    let mut finder = Finder(false);
    finder.visit_block(&block.block);
    finder.0
}

/// The position, if the call asks for such an element, and whether to write to it.
fn is_unchecked(call: &syn::ExprMethodCall) -> Option<(&syn::Expr, bool)> {
    let mutable = call.method == "get_unchecked_mut";
    if !mutable && call.method != "get_unchecked" || call.args.len() != 1 {
        return None;
    }
    Some((call.args.first()?, mutable))
}

impl Lowerer<'_> {
    /// A reference to the element, or to the part.
    pub(super) fn unchecked_element(&mut self, call: &syn::ExprMethodCall) -> Option<Value> {
        let (at, mutable) = is_unchecked(call)?;
        let (of, mutable) = (&call.receiver, mutable.then(<syn::Token![mut]>::default));
        let value = self.value(&syn::parse_quote!(&#mutable #of[#at]), Want::Value);
        if let Value::Ref(view) = &value
            && let Some((Proj::Index(_) | Proj::Range { .. }, before)) =
                view.place.proj.split_last()
        {
            let mut base = view.place.clone();
            base.proj = before.iter().cloned().collect();
            self.require_sequence(&base);
            return Some(value);
        }
        if matches!(value, Value::Error | Value::Never) {
            return Some(value);
        }
        // Of a constant, whose type the text does not show.
        Some(self.refuse(&call.method, catalog::unsafe_block()))
    }
}
