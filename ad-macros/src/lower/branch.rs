//! `if`, `if let`, `let … else`.

use quote::ToTokens;

use super::Lowerer;
use super::condition::chain;
use super::join::Join;
use super::value::{Value, Want, span_of};
use crate::ir::{Block, Jump, StmtKind, Ty};

impl Lowerer<'_> {
    pub(super) fn if_expr(&mut self, branch: &syn::ExprIf, want: Want) -> Value {
        match chain(&branch.cond) {
            Some(parts) if parts.len() == 1 => self.if_let(branch, parts[0], want),
            Some(parts) => self.if_chain(branch, &parts, want),
            None => self.plain_if(branch, want),
        }
    }

    fn plain_if(&mut self, branch: &syn::ExprIf, want: Want) -> Value {
        let span = span_of(branch);
        let selector = self.passive_expr(&branch.cond);
        self.types.unify(&selector.ty, &Ty::Bool);
        let mut join = self.join(want);
        self.open();
        self.block_value(&branch.then_branch, &mut join, want);
        let (then, left) = self.close();
        self.finish_if(branch, selector, (then, left), join, want, span)
    }

    fn if_let(&mut self, branch: &syn::ExprIf, cond: &syn::Expr, want: Want) -> Value {
        let span = span_of(branch);
        let syn::Expr::Let(l) = cond else {
            return Value::Error;
        };
        if let Some(m) = self.result_as_match(branch, l) {
            return self.match_expr(&m, want);
        }
        let users = branch.then_branch.to_token_stream();
        let alternatives = super::alternatives::separate(&l.pat, &users);
        if alternatives.len() > 1 {
            return self.match_expr(&as_match(branch, l, alternatives), want);
        }
        let test = self.test(&l.pat, &l.expr);
        let selector = test.selector.clone();
        let mut join = self.join(want);
        self.open();
        self.scoped(|l| {
            l.bind_test(test, &users);
            l.block_value(&branch.then_branch, &mut join, want);
        });
        let (then, left) = self.close();
        self.finish_if(branch, selector, (then, left), join, want, span)
    }

    fn finish_if(
        &mut self,
        branch: &syn::ExprIf,
        selector: crate::ir::Expr,
        (then, then_left): (Block, bool),
        mut join: Join,
        want: Want,
        span: proc_macro2::Span,
    ) -> Value {
        self.open();
        if let Some((_, otherwise)) = &branch.else_branch {
            self.arm_value(otherwise, &mut join, want);
        }
        let (otherwise, else_left) = self.close();
        self.join_declare(&join, span);
        self.emit(
            StmtKind::Switch {
                selector,
                arms: vec![then, otherwise],
            },
            span,
        );
        if then_left && else_left {
            self.diverge();
            return Value::Never;
        }
        self.join_result(join, span)
    }

    /// `if let … && …`: the first condition that fails leaves for the `else` branch.
    fn if_chain(&mut self, branch: &syn::ExprIf, parts: &[&syn::Expr], want: Want) -> Value {
        let span = span_of(branch);
        let (done, failed) = (self.fresh_loop(), self.fresh_loop());
        let mut join = self.join(want);
        self.open();
        self.open();
        self.scoped(|l| {
            l.require_all(
                parts,
                Jump::Break(failed),
                &branch.then_branch.to_token_stream(),
            );
            l.block_value(&branch.then_branch, &mut join, want);
        });
        let then_left = self.diverged();
        self.emit(StmtKind::Jump(Jump::Break(done)), span);
        let (tests, _) = self.close();
        self.emit(StmtKind::Labelled(failed, tests), span);
        if let Some((_, otherwise)) = &branch.else_branch {
            self.arm_value(otherwise, &mut join, want);
        }
        let (all, else_left) = self.close();
        self.join_declare(&join, span);
        self.emit(StmtKind::Labelled(done, all), span);
        if then_left && else_left {
            self.diverge();
            return Value::Never;
        }
        self.join_result(join, span)
    }

    fn block_value(&mut self, block: &syn::Block, join: &mut Join, want: Want) {
        let span = span_of(block);
        if want == Want::Discard {
            let value = self.block(block, Want::Discard);
            self.discard(value, span);
        } else {
            let value = self.block(block, Want::Value);
            self.join_value(join, value, span);
        }
    }

    /// `let pat = e else { … };`
    pub(super) fn let_else(&mut self, pat: &syn::Pat, e: &syn::Expr, otherwise: &syn::Expr) {
        let span = span_of(pat);
        let (pat, annotation) = match pat {
            syn::Pat::Type(p) => (&*p.pat, Some(&*p.ty)),
            other => (other, None),
        };
        let apart;
        let test = match self.result_else(pat, e) {
            None => self.test(pat, e),
            Some(Ok((halves, value))) => {
                apart = halves;
                self.test_of(&apart, value)
            }
            Some(Err(_)) => {
                return super::opaque::pattern_names(pat)
                    .iter()
                    .for_each(|name| self.bind(name, super::scope::Binding::Poisoned));
            }
        };
        let _ = annotation;
        self.open();
        let value = self.value(otherwise, Want::Discard);
        self.discard(value, span);
        let (leave, _) = self.close();
        self.emit(
            StmtKind::Switch {
                selector: test.selector.clone(),
                arms: vec![Block::default(), leave],
            },
            span,
        );
        // What follows may use every name.
        let users: proc_macro2::TokenStream = super::opaque::pattern_names(pat)
            .iter()
            .map(ToTokens::to_token_stream)
            .collect();
        self.bind_test(test, &users);
    }
}

/// `if let A(x) | B(_, x) = e { … } else { … }`, with an arm for each alternative.
fn as_match(branch: &syn::ExprIf, l: &syn::ExprLet, alternatives: Vec<syn::Pat>) -> syn::ExprMatch {
    let (e, then) = (&l.expr, &branch.then_branch);
    let otherwise = match &branch.else_branch {
        Some((_, otherwise)) => otherwise.to_token_stream(),
        None => quote::quote!({}),
    };
    syn::parse_quote!(match #e { #(#alternatives => #then,)* _ => #otherwise })
}
