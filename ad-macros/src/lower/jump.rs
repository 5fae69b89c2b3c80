//! `return`, `break`, `continue`, and what they may leave.

use proc_macro2::Span;

use super::value::{Value, Want, span_of};
use super::{Lowerer, Target};
use crate::diag::catalog;
use crate::ir::{Jump, LoopId, StmtKind};

impl Lowerer<'_> {
    pub(super) fn return_expr(&mut self, r: &syn::ExprReturn) -> Value {
        let span = span_of(r);
        if self.inlined_body().is_some() && self.lenient == 0 {
            return self.return_of_closure(r);
        }
        if self.closures > 0 {
            return self.refuse(&r.return_token, catalog::closure_return());
        }
        if self.lenient > 0 {
            return self.refuse(&r.return_token, catalog::jump_in_code("return"));
        }
        if let Some(e) = &r.expr {
            let passive = std::mem::take(&mut self.passive);
            let yielded = self.yielded.take();
            let want = if self.result.is_some() {
                Want::Value
            } else {
                Want::Discard
            };
            let value = self.value(e, want);
            match self.result {
                Some(_) => self.return_value(value, span),
                None => self.discard(value, span),
            }
            self.passive = passive;
            self.yielded = yielded;
        }
        self.leave(Jump::Return, span)
    }

    pub(super) fn leave(&mut self, jump: Jump, span: Span) -> Value {
        self.emit(StmtKind::Jump(jump), span);
        self.diverge();
        Value::Never
    }

    /// The position of the target of a jump, innermost last.
    fn target(&self, label: Option<&syn::Lifetime>) -> Option<usize> {
        match label {
            Some(label) => self
                .targets
                .iter()
                .rposition(|t| t.label.as_deref() == Some(&label.ident.to_string())),
            None => self.targets.iter().rposition(|t| t.is_loop),
        }
    }

    /// Whether a jump may stand here: not in code that is kept as it is.
    fn may_leave(&mut self, what: &str, token: Span) -> bool {
        if self.lenient > 0 {
            self.diags.at(token, catalog::jump_in_code(what));
        }
        self.lenient == 0
    }

    pub(super) fn break_expr(&mut self, b: &syn::ExprBreak) -> Value {
        let span = span_of(b);
        let Some(at) = self.target(b.label.as_ref()) else {
            return self.refuse(b, catalog::unknown_label());
        };
        if !self.may_leave("break", span_of(&b.break_token)) {
            return Value::Error;
        }
        if let Some(e) = &b.expr {
            let passive = std::mem::take(&mut self.passive);
            if self.targets[at].wanted {
                let value = self.value(e, Want::Value);
                let none = self.join(Want::Value);
                let mut join = std::mem::replace(&mut self.targets[at].join, none);
                self.join_value(&mut join, value, span);
                self.targets[at].join = join;
            } else {
                let value = self.value(e, Want::Discard);
                self.discard(value, span);
            }
            self.passive = passive;
        }
        if !self.diverged() {
            self.targets[at].broken = true;
        }
        let id = self.targets[at].id;
        self.leave(Jump::Break(id), span)
    }

    pub(super) fn continue_expr(&mut self, c: &syn::ExprContinue) -> Value {
        let Some(at) = self
            .target(c.label.as_ref())
            .filter(|at| self.targets[*at].is_loop)
        else {
            return self.refuse(c, catalog::unknown_label());
        };
        if !self.may_leave("continue", span_of(&c.continue_token)) {
            return Value::Error;
        }
        let next = self.targets[at].next;
        self.leave(next, span_of(c))
    }

    pub(super) fn push_target(
        &mut self,
        label: Option<&syn::Label>,
        is_loop: bool,
        want: Want,
    ) -> LoopId {
        let id = self.fresh_loop();
        let join = self.join(want);
        let label = label.map(|l| l.name.ident.to_string());
        self.targets.push(Target {
            label,
            id,
            next: Jump::Continue(id),
            is_loop,
            join,
            wanted: want != Want::Discard,
            broken: false,
        });
        id
    }

    pub(super) fn pop_target(&mut self) -> Target {
        self.targets.pop().expect("a target is open")
    }

    /// `'a: { … break 'a value … }`
    pub(super) fn labelled_block(
        &mut self,
        block: &syn::ExprBlock,
        label: &syn::Label,
        want: Want,
    ) -> Value {
        let span = span_of(block);
        let id = self.push_target(Some(label), false, want);
        self.open();
        let value = self.block(
            &block.block,
            if want == Want::Discard {
                Want::Discard
            } else {
                Want::Value
            },
        );
        let mut target = self.pop_target();
        if want == Want::Discard {
            self.discard(value, span);
        } else {
            self.join_value(&mut target.join, value, span);
        }
        let (body, left) = self.close();
        self.join_declare(&target.join, span);
        self.emit(StmtKind::Labelled(id, body), span);
        if left && !target.broken {
            self.diverge();
            return Value::Never;
        }
        self.join_result(target.join, span)
    }
}
