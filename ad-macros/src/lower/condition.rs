//! Conditions with patterns in them: `if let`, `while let`, chains with `&&`, `let … else`.

use proc_macro2::{Span, TokenStream};

use super::Lowerer;
use super::operator::strip;
use super::value::{Value, Want, span_of};
use crate::ir::{Block, Expr, Jump, Place, StmtKind, Ty};

/// A pattern's test, and what to bind where it holds.
pub(super) struct Test<'p> {
    /// A `bool`.
    pub(super) selector: Expr,
    plan: Plan<'p>,
}

enum Plan<'p> {
    Pattern(&'p syn::Pat, Value),
    /// `Some(pat) = vec.pop()`
    Pop(&'p syn::Pat, Place, Ty),
    /// `Some(pat) = queue.pop_front()`
    PopFront(&'p syn::Pat, Place, Ty),
}

/// The conditions that `&&` joins, if there is a `let` among them.
pub(super) fn chain(cond: &syn::Expr) -> Option<Vec<&syn::Expr>> {
    let mut parts = Vec::new();
    flatten(cond, &mut parts);
    parts
        .iter()
        .any(|e| matches!(e, syn::Expr::Let(_)))
        .then_some(parts)
}

fn flatten<'e>(e: &'e syn::Expr, parts: &mut Vec<&'e syn::Expr>) {
    match e {
        syn::Expr::Group(g) => flatten(&g.expr, parts),
        syn::Expr::Binary(b) if matches!(b.op, syn::BinOp::And(_)) => {
            flatten(&b.left, parts);
            flatten(&b.right, parts);
        }
        other => parts.push(other),
    }
}

/// What `Some(…)` matches inside, if that matches whatever is there.
pub(super) fn always_some(pat: &syn::Pat) -> Option<&syn::Pat> {
    fn always(pat: &syn::Pat) -> bool {
        match pat {
            syn::Pat::Ident(p) => p.subpat.is_none() && !super::pattern::names_a_constant(&p.ident),
            syn::Pat::Wild(_) => true,
            syn::Pat::Reference(r) => always(&r.pat),
            syn::Pat::Paren(p) => always(&p.pat),
            syn::Pat::Tuple(t) => t.elems.iter().all(always),
            _ => false,
        }
    }
    match pat {
        syn::Pat::TupleStruct(some)
            if some.elems.len() == 1
                && some.path.segments.last().is_some_and(|s| s.ident == "Some") =>
        {
            some.elems.first().filter(|inner| always(inner))
        }
        _ => None,
    }
}

impl Lowerer<'_> {
    /// Evaluates what is tested, and makes the test.
    pub(super) fn test<'p>(&mut self, pat: &'p syn::Pat, e: &syn::Expr) -> Test<'p> {
        let span = span_of(pat);
        if let Some(test) = self.pop_test(pat, e, span) {
            return test;
        }
        if let Some(inner) = always_some(pat)
            && let Some(asked) = self.part_asked(e)
        {
            return Test {
                selector: asked.there,
                plan: Plan::Pattern(inner, asked.part),
            };
        }
        let active = matches!(strip(e), syn::Expr::Call(call) if self.calls_sweeps(call));
        if active && super::results::of_result(pat) {
            self.diags.over(pat, crate::diag::catalog::result_value());
        }
        let value = self.scrutinee(e);
        self.test_of(pat, value)
    }

    /// The test of a value that has been lowered.
    pub(super) fn test_of<'p>(&mut self, pat: &'p syn::Pat, value: Value) -> Test<'p> {
        let selector = self.selects(pat, None, &value, span_of(pat));
        Test {
            selector,
            plan: Plan::Pattern(pat, value),
        }
    }

    /// `Some(pat) = vec.pop()`: pops only where there is something.
    fn pop_test<'p>(&mut self, pat: &'p syn::Pat, e: &syn::Expr, span: Span) -> Option<Test<'p>> {
        let (syn::Pat::TupleStruct(some), syn::Expr::MethodCall(call)) = (pat, strip(e)) else {
            return None;
        };
        let is_some =
            some.path.segments.last().is_some_and(|s| s.ident == "Some") && some.elems.len() == 1;
        let simple = always_some(pat).is_some();
        if !is_some
            || !simple
            || !matches!(
                call.method.to_string().as_str(),
                "pop" | "pop_back" | "pop_front"
            )
            || !call.args.is_empty()
            || super::scope::name_of(&call.receiver).is_none()
        {
            return None;
        }
        let receiver = self.value(&call.receiver, Want::Value);
        self.note_std_method(&receiver, &call.method);
        let ty = self.type_of(&receiver);
        let element = match self.types.shallow(&ty) {
            Ty::Vec(element) | Ty::Queue(element) => *element,
            _ => return None,
        };
        let (place, _) = self.place_of(receiver, span)?;
        let vec = self.writable(place);
        let empty = self.is_empty(vec.clone());
        let selector = self.not(empty);
        Some(Test {
            selector,
            plan: match call.method == "pop_front" {
                true => Plan::PopFront(&some.elems[0], vec, element),
                false => Plan::Pop(&some.elems[0], vec, element),
            },
        })
    }

    /// Binds the pattern's names, where the test has succeeded.
    pub(super) fn bind_test(&mut self, plan: Test<'_>, users: &TokenStream) {
        match plan.plan {
            Plan::Pattern(pat, value) => self.bind_arm(pat, value, users),
            Plan::PopFront(pat, vec, element) => {
                let span = vec.span;
                let queue = super::rearrange::Elements {
                    place: vec,
                    element,
                    span,
                };
                let ends = (Expr::usize_literal(0, span), self.count_of(&queue));
                let popped = self.removed(queue, ends, false);
                self.bind_arm(pat, Value::Expr(popped), users);
            }
            Plan::Pop(pat, vec, element) => {
                let span = vec.span;
                let dest = self.temp("popped", element.clone(), span);
                self.emit(StmtKind::Pop { dest, vec }, span);
                self.bind_arm(pat, Value::Expr(Expr::read_var(dest, element, span)), users);
            }
        }
    }

    /// Goes on only where all conditions hold; else jumps.
    pub(super) fn require_all(
        &mut self,
        conditions: &[&syn::Expr],
        otherwise: Jump,
        users: &TokenStream,
    ) {
        for condition in conditions {
            let span = span_of(condition);
            match condition {
                syn::Expr::Let(l) => {
                    // Names bound here are used by the conditions that follow as well.
                    let mut all = users.clone();
                    for condition in conditions {
                        quote::ToTokens::to_tokens(condition, &mut all);
                    }
                    let test = self.test(&l.pat, &l.expr);
                    self.jump_unless(test.selector.clone(), otherwise, span);
                    self.bind_test(test, &all);
                }
                other => {
                    let selector = self.passive_expr(other);
                    self.jump_unless(selector, otherwise, span);
                }
            }
        }
    }

    pub(super) fn jump_unless(&mut self, selector: Expr, jump: Jump, span: Span) {
        let leave = Block {
            stmts: vec![crate::ir::Stmt::new(StmtKind::Jump(jump), span)],
        };
        self.emit(
            StmtKind::Switch {
                selector,
                arms: vec![Block::default(), leave],
            },
            span,
        );
    }
}
