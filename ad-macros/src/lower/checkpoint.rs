//! `#[checkpoint]` regions.

use super::Lowerer;
use super::attributes::{attributes_of, without_checkpoint};
use super::value::{Value, Want, holds_reference, span_of};
use crate::diag::catalog;
use crate::ir::StmtKind;

impl Lowerer<'_> {
    /// An expression under `#[checkpoint]`: of a loop each iteration is a region, of anything else the whole.
    pub(super) fn checkpoint_expr(&mut self, e: &syn::Expr, want: Want) -> Value {
        let plain = without_checkpoint(e);
        let left = attributes_of(&plain)
            .iter()
            .any(|attr| attr.path().is_ident("checkpoint"));
        if left {
            return self.refuse(&attributes_of(e)[0], catalog::checkpoint_target());
        }
        if self.closures > 0 || self.passive > 0 {
            self.diags
                .over(&attributes_of(e)[0], catalog::checkpoint_target());
            return Value::Error;
        }
        if matches!(
            plain,
            syn::Expr::ForLoop(_) | syn::Expr::While(_) | syn::Expr::Loop(_)
        ) {
            self.region_loop = true;
            return self.value(&plain, want);
        }
        let span = span_of(e);
        let mut join = self.join(want);
        self.open();
        self.regions.push(self.targets.len());
        let value = self.value(
            &plain,
            if want == Want::Discard {
                Want::Discard
            } else {
                Want::Value
            },
        );
        if holds_reference(&value) {
            self.diags.at(span, catalog::checkpoint_reference());
        } else if want == Want::Discard {
            self.discard(value, span);
        } else {
            self.join_value(&mut join, value, span);
        }
        self.regions.pop();
        let (block, left) = self.close();
        self.join_declare(&join, span);
        self.emit(StmtKind::Checkpoint(block), span);
        if left {
            self.diverge();
            return Value::Never;
        }
        self.join_result(join, span)
    }
}
