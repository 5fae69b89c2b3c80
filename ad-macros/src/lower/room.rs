//! Methods that make room for elements, or give it back. How much there is shows in `capacity` alone; the sweeps leave
//! it to their lists.

use proc_macro2::Span;

use super::Lowerer;
use super::opaque::Builder;
use super::rearrange::Elements;
use super::value::Value;
use crate::diag::catalog;
use crate::ir::{OpaqueKind, StmtKind, Ty};

/// Methods of this file, by name and number of arguments.
pub(super) fn makes_room(name: &str, args: usize) -> bool {
    matches!(
        (name, args),
        ("reserve" | "reserve_exact", 1) | ("shrink_to_fit", 0)
    )
}

impl Lowerer<'_> {
    /// Panics where std does: if so many elements fit into no memory.
    pub(super) fn room(
        &mut self,
        receiver: Value,
        element: Ty,
        call: &syn::ExprMethodCall,
        span: Span,
    ) -> Value {
        if crate::ir::spells(self.source.clone(), "capacity") {
            return self.refuse(&call.method, catalog::vec_method(&call.method.to_string()));
        }
        let Some((place, _)) = self.place_of(receiver, span) else {
            return Value::Error;
        };
        let Some(more) = call.args.first() else {
            return Value::Unit;
        };
        let bytes = self.types.finish(&element).bytes().unwrap_or(1).max(1);
        let list = Elements {
            place,
            element,
            span,
        };
        let (list, more) = self.fixed_at(list, more);
        let len = self.count_of(&list);
        let mut builder = Builder::default();
        let [more, len] = [more, len].map(|e| builder.value(self, e));
        let code = syn::parse_quote! {
            ::core::assert!(
                #more <= ::core::primitive::isize::MAX as ::core::primitive::usize / #bytes - #len,
                "capacity overflow"
            )
        };
        let checked = builder.build(self, code, OpaqueKind::Macro("assert".to_owned()));
        self.emit(StmtKind::Opaque(Box::new(checked)), span);
        Value::Unit
    }
}
