//! What `return` and `?` leave in the body of a closure, and what the text shows of what it yields.

use proc_macro2::Span;
use syn::visit::{self, Visit};

use super::Lowerer;
use super::join::Join;
use super::operator::strip;
use super::outcome::constructed;
use super::value::{Value, Want, span_of};
use crate::ir::{Jump, LoopId, StmtKind, VarId};

/// What the body of a closure is an argument of, where it stands in other code. No identifier of a user's is called so.
pub(super) const BODY: &str = "__retrograde_body";

/// The same, of one that yields an `Option`.
pub(super) const BODY_OPTION: &str = "__retrograde_body_option";

/// The same, of one that yields a `Result`.
pub(super) const BODY_RESULT: &str = "__retrograde_body_result";

/// Whether the path is that of a mark around a body.
pub(super) fn is_body(names: &[&str]) -> bool {
    matches!(names, [BODY | BODY_OPTION | BODY_RESULT])
}

/// What a closure yields, as far as `?` in it asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Yields {
    Value,
    Option,
    /// The error goes to this variable; the value is an `Option`.
    Result(VarId),
}

/// The body of a closure that is being inlined.
pub(super) struct Body {
    /// The number of closures around its statements, itself included.
    level: u32,
    id: LoopId,
    join: Join,
    pub(super) yields: Yields,
    left: bool,
}

impl Lowerer<'_> {
    /// The body of a closure: `return` and `?` leave it.
    pub(super) fn closure_body(&mut self, body: &syn::Expr, yields: Yields) -> Value {
        let marked;
        let body = match yields {
            Yields::Result(_) => {
                marked = super::outcome::marked_body(body);
                &marked
            }
            Yields::Option | Yields::Value => body,
        };
        if !matches!(yields, Yields::Result(_)) && !leaves_early(body) {
            return self.statement_value(body);
        }
        let span = span_of(body);
        let id = self.fresh_loop();
        let join = self.join(Want::Value);
        self.bodies.push(Body {
            level: self.closures,
            id,
            join,
            yields,
            left: false,
        });
        self.open();
        let value = self.statement_value(body);
        let mut done = self.bodies.pop().expect("a body is open");
        let never = matches!(value, Value::Never) || self.diverged();
        if !done.left {
            let (block, left) = self.close();
            self.emit_all(block);
            if left {
                self.diverge();
            }
            return value;
        }
        if !never {
            self.join_value(&mut done.join, value, span);
        }
        let (block, _) = self.close();
        self.join_declare(&done.join, span);
        self.emit(StmtKind::Labelled(id, block), span);
        self.join_result(done.join, span)
    }

    /// A body under its mark.
    pub(super) fn marked_body(&mut self, mark: &str, body: &syn::Expr) -> Value {
        let yields = match (mark, self.fails.last()) {
            (BODY_RESULT, Some(Some(error))) => Yields::Result(*error),
            (BODY_OPTION, _) => Yields::Option,
            _ => Yields::Value,
        };
        // What is inside has errors of its own.
        self.fails.push(None);
        let yielded = self.yielded.take();
        let value = self.closure_body(body, yields);
        self.yielded = yielded;
        self.fails.pop();
        value
    }

    /// The closure's body that `return` and `?` leave here.
    pub(super) fn inlined_body(&self) -> Option<&Body> {
        self.bodies
            .last()
            .filter(|body| body.level == self.closures)
    }

    /// Leaves the closure's body, or the function, with a value.
    pub(super) fn leave_with(&mut self, value: Value, span: Span) -> Value {
        if self.inlined_body().is_none() {
            self.return_value(value, span);
            return self.leave(Jump::Return, span);
        }
        let mut body = self.bodies.pop().expect("a body is open");
        if !self.diverged() && !matches!(value, Value::Never) {
            self.join_value(&mut body.join, value, span);
        }
        body.left = true;
        let id = body.id;
        self.bodies.push(body);
        self.leave(Jump::Break(id), span)
    }

    /// `return e` in a closure.
    pub(super) fn return_of_closure(&mut self, r: &syn::ExprReturn) -> Value {
        let span = span_of(r);
        let value = match &r.expr {
            Some(e) => self.outside_conditions(|l| l.value(e, Want::Value)),
            None => Value::Unit,
        };
        if matches!(value, Value::Never) {
            return value;
        }
        self.leave_with(value, span)
    }

    /// Where the error of a function that returns a `Result` goes, or that of a closure.
    pub(super) fn failure(&self) -> Option<VarId> {
        match self.inlined_body() {
            Some(Body {
                yields: Yields::Result(error),
                ..
            }) => Some(*error),
            Some(_) => None,
            None if self.closures > 0 => None,
            None => self.func.failure,
        }
    }
}

/// What a closure yields by its text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    Option,
    Result,
}

/// What the closure's text shows: a written type, or what it makes.
pub(super) fn shown(closure: &syn::ExprClosure) -> Option<Shown> {
    if let syn::ReturnType::Type(_, t) = &closure.output {
        let name = match super::signature::ungroup(t) {
            syn::Type::Path(p) => p.path.segments.last().map(|s| s.ident.to_string()),
            _ => None,
        };
        return match name.as_deref() {
            Some("Result") => Some(Shown::Result),
            Some("Option") => Some(Shown::Option),
            _ => None,
        };
    }
    let mut yields = Yielded::default();
    yields.value(&closure.body);
    yields.visit_expr(&closure.body);
    yields.found
}

/// What the ends of an expression construct.
pub(super) fn value_shown(e: &syn::Expr) -> Option<Shown> {
    let mut yields = Yielded::default();
    yields.value(e);
    yields.found
}

/// What the ends of a body and its `return`s construct.
#[derive(Default)]
struct Yielded {
    found: Option<Shown>,
}

impl Yielded {
    fn value(&mut self, e: &syn::Expr) {
        match strip(e) {
            syn::Expr::Block(b) => self.end(&b.block),
            syn::Expr::If(branch) => {
                self.end(&branch.then_branch);
                if let Some((_, e)) = &branch.else_branch {
                    self.value(e);
                }
            }
            syn::Expr::Match(m) => m.arms.iter().for_each(|arm| self.value(&arm.body)),
            syn::Expr::Loop(l) => Breaks(self).visit_block(&l.body),
            e if constructed(e, "Ok").is_some() || constructed(e, "Err").is_some() => {
                self.found = Some(Shown::Result);
            }
            syn::Expr::Path(p) if p.path.is_ident("None") => self.found = Some(Shown::Option),
            syn::Expr::Call(call) => {
                let some = matches!(strip(&call.func), syn::Expr::Path(p)
                    if p.path.segments.last().is_some_and(|s| s.ident == "Some"));
                if some {
                    self.found = Some(Shown::Option);
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, block: &syn::Block) {
        if let Some(syn::Stmt::Expr(e, None)) = block.stmts.last() {
            self.value(e);
        }
    }
}

impl<'ast> Visit<'ast> for Yielded {
    fn visit_expr_return(&mut self, r: &'ast syn::ExprReturn) {
        r.expr.iter().for_each(|e| self.value(e));
        visit::visit_expr_return(self, r);
    }

    fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// What leaves a loop with a value. Loops inside have no values but those that they are bound to.
struct Breaks<'y>(&'y mut Yielded);

impl<'ast> Visit<'ast> for Breaks<'_> {
    fn visit_expr_break(&mut self, b: &'ast syn::ExprBreak) {
        b.expr.iter().for_each(|e| self.0.value(e));
    }

    fn visit_expr_loop(&mut self, _: &'ast syn::ExprLoop) {}
    fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// Whether the body has a `return` or `?` of its own.
pub(super) fn leaves_early(body: &syn::Expr) -> bool {
    // Not from tokens: a body that begins with a block would end behind it.
    let block = syn::Block {
        brace_token: syn::token::Brace::default(),
        stmts: vec![syn::Stmt::Expr(body.clone(), None)],
    };
    super::prescan::has_return(&block)
}
