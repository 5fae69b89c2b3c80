//! The places of a function's text whose value is its `Result`.
//!
//! The `Result` itself never becomes a value: its two halves are variables of their own. So what yields the result,
//! at the end of the body, of the branches that it ends with, and behind `return`, is marked before the walk.

use proc_macro2::Ident;
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};

/// What a marked expression is an argument of. No identifier of a user's is called so.
const MARK: &str = "__retrograde_outcome";

/// The function with marks, if it returns a `Result`.
pub(super) fn marked(item: &syn::ItemFn) -> Option<syn::ItemFn> {
    if super::types::result_of(&item.sig.output).is_none() {
        return with_type(item);
    }
    let mut item = item.clone();
    Returns.visit_block_mut(&mut item.block);
    end_of(&mut item.block);
    Some(item)
}

/// The function with its type at the end of a chain whose `Option` it returns.
fn with_type(item: &syn::ItemFn) -> Option<syn::ItemFn> {
    let syn::ReturnType::Type(_, t) = &item.sig.output else {
        return None;
    };
    let tail = match item.block.stmts.last()? {
        syn::Stmt::Expr(e, None) => {
            super::fallible_ends::ended(e, t).or_else(|| super::array_map::typed_from_fn(e, t))?
        }
        _ => return None,
    };
    let mut item = item.clone();
    if let Some(syn::Stmt::Expr(e, None)) = item.block.stmts.last_mut() {
        *e = tail;
    }
    Some(item)
}

/// An expression that yields a `Result`, with marks.
pub(super) fn marked_value(e: &syn::Expr) -> syn::Expr {
    let mut e = e.clone();
    value(&mut e);
    e
}

/// The body of a closure that yields a `Result`, with marks.
pub(super) fn marked_body(body: &syn::Expr) -> syn::Expr {
    let mut body = body.clone();
    Returns.visit_expr_mut(&mut body);
    value(&mut body);
    body
}

/// Whether the path is that of a mark.
pub(super) fn is_mark(names: &[&str]) -> bool {
    names == [MARK]
}

/// Whether an expression is `name(…)`, with one argument.
pub(super) fn constructed<'e>(e: &'e syn::Expr, name: &str) -> Option<&'e syn::Expr> {
    let syn::Expr::Call(call) = super::operator::strip(e) else {
        return None;
    };
    let syn::Expr::Path(path) = super::operator::strip(&call.func) else {
        return None;
    };
    let mut segments = path.path.segments.iter().rev();
    let named = segments.next().is_some_and(|last| last.ident == name);
    let of_result = segments
        .next()
        .is_none_or(|before| before.ident == "Result");
    match call.args.first() {
        Some(arg) if call.args.len() == 1 && named && of_result && path.qself.is_none() => {
            Some(arg)
        }
        _ => None,
    }
}

struct Returns;

impl VisitMut for Returns {
    fn visit_expr_return_mut(&mut self, r: &mut syn::ExprReturn) {
        visit_mut::visit_expr_return_mut(self, r);
        r.expr.iter_mut().for_each(|e| value(e));
    }

    // They have results of their own.
    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
    fn visit_expr_async_mut(&mut self, _: &mut syn::ExprAsync) {}
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// What leaves a loop, or a block with a label, yields its value.
struct Breaks {
    label: Option<String>,
    /// No other loop is in between: a `break` without a label is meant, too.
    innermost: bool,
}

impl Breaks {
    fn of(label: Option<&syn::Label>, is_loop: bool) -> Self {
        Breaks {
            label: label.map(|label| label.name.ident.to_string()),
            innermost: is_loop,
        }
    }

    fn in_loop(&mut self, walk: impl FnOnce(&mut Self)) {
        let innermost = std::mem::replace(&mut self.innermost, false);
        walk(self);
        self.innermost = innermost;
    }
}

impl VisitMut for Breaks {
    fn visit_expr_break_mut(&mut self, b: &mut syn::ExprBreak) {
        visit_mut::visit_expr_break_mut(self, b);
        let meant = match &b.label {
            Some(label) => self.label.as_ref().is_some_and(|own| label.ident == own),
            None => self.innermost,
        };
        if meant {
            b.expr.iter_mut().for_each(|e| value(e));
        }
    }

    fn visit_expr_loop_mut(&mut self, l: &mut syn::ExprLoop) {
        self.in_loop(|breaks| visit_mut::visit_expr_loop_mut(breaks, l));
    }

    fn visit_expr_while_mut(&mut self, l: &mut syn::ExprWhile) {
        self.in_loop(|breaks| visit_mut::visit_expr_while_mut(breaks, l));
    }

    fn visit_expr_for_loop_mut(&mut self, l: &mut syn::ExprForLoop) {
        self.in_loop(|breaks| visit_mut::visit_expr_for_loop_mut(breaks, l));
    }

    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
    fn visit_expr_async_mut(&mut self, _: &mut syn::ExprAsync) {}
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

fn end_of(block: &mut syn::Block) {
    if let Some(syn::Stmt::Expr(e, None)) = block.stmts.last_mut() {
        value(e);
    }
}

fn value(e: &mut syn::Expr) {
    match e {
        syn::Expr::Paren(p) => value(&mut p.expr),
        syn::Expr::Group(g) => value(&mut g.expr),
        syn::Expr::Block(b) => {
            if let Some(label) = &b.label {
                Breaks::of(Some(label), false).visit_block_mut(&mut b.block);
            }
            end_of(&mut b.block);
        }
        syn::Expr::Loop(l) => Breaks::of(l.label.as_ref(), true).visit_block_mut(&mut l.body),
        syn::Expr::If(branch) => {
            end_of(&mut branch.then_branch);
            branch.else_branch.iter_mut().for_each(|(_, e)| value(e));
        }
        syn::Expr::Match(m) => m.arms.iter_mut().for_each(|arm| value(&mut arm.body)),
        // They end elsewhere, or are refused.
        syn::Expr::Return(_)
        | syn::Expr::Break(_)
        | syn::Expr::Continue(_)
        | syn::Expr::Macro(_)
        | syn::Expr::While(_)
        | syn::Expr::ForLoop(_)
        | syn::Expr::Unsafe(_) => {}
        other => {
            let span = other.span();
            let mark = Ident::new(MARK, span);
            let tokens = quote_spanned!(span=> #mark(#other));
            if let Ok(marked) = syn::parse2(tokens) {
                *other = marked;
            }
        }
    }
}
