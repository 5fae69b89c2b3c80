//! `while`, `loop`, `for`.

use quote::ToTokens;

use super::Lowerer;
use super::condition::chain;
use super::iterate::Iter;
use super::sequence::Sequence;
use super::value::{Value, Want, span_of};
use crate::diag::catalog;
use crate::ir::{Domain, Jump, Loop, StmtKind, Ty};

impl Lowerer<'_> {
    /// The statements of a loop body; under `#[checkpoint]` each run of it is a region.
    fn loop_body(&mut self, body: &syn::Block, region: bool) {
        if !region {
            let value = self.block(body, Want::Discard);
            self.discard(value, span_of(body));
            return;
        }
        self.open();
        self.regions.push(self.targets.len());
        let value = self.block(body, Want::Discard);
        self.discard(value, span_of(body));
        self.regions.pop();
        let (block, _) = self.close();
        self.emit(StmtKind::Checkpoint(block), span_of(body));
    }

    pub(super) fn while_loop(&mut self, w: &syn::ExprWhile) -> Value {
        let span = span_of(w);
        let region = self.take_region();
        if let Some(same) = result_looked_at(w)
            && !region
            && self.lenient == 0
            && self.mentions_active(&w.cond)
        {
            return self.endless_loop(&same, Want::Discard);
        }
        let id = self.push_target(w.label.as_ref(), true, Want::Discard);
        self.open();
        let kind = match chain(&w.cond) {
            Some(parts) => {
                self.scoped(|l| {
                    l.require_all(&parts, Jump::Break(id), &w.body.to_token_stream());
                    l.loop_body(&w.body, region);
                });
                Domain::Forever
            }
            None => {
                let cond = self.passive_expr(&w.cond);
                self.types.unify(&cond.ty, &Ty::Bool);
                let simple = self.mark() == 0;
                if !simple {
                    self.jump_unless(cond.clone(), Jump::Break(id), span_of(&w.cond));
                }
                self.loop_body(&w.body, region);
                if simple {
                    Domain::While(cond)
                } else {
                    Domain::Forever
                }
            }
        };
        let (body, _) = self.close();
        self.pop_target();
        self.emit(StmtKind::Loop(Loop::forward(id, kind, body, None)), span);
        Value::Unit
    }

    pub(super) fn endless_loop(&mut self, l: &syn::ExprLoop, want: Want) -> Value {
        let span = span_of(l);
        let region = self.take_region();
        let id = self.push_target(l.label.as_ref(), true, want);
        self.open();
        self.loop_body(&l.body, region);
        let (body, _) = self.close();
        let target = self.pop_target();
        self.join_declare(&target.join, span);
        self.emit(
            StmtKind::Loop(Loop::forward(id, Domain::Forever, body, None)),
            span,
        );
        if !target.broken {
            self.diverge();
            return Value::Never;
        }
        self.join_result(target.join, span)
    }

    pub(super) fn for_loop(&mut self, f: &syn::ExprForLoop) -> Value {
        let span = span_of(f);
        let region = self.take_region();
        let sequence = match self.iterated(&f.expr, &f.body) {
            Some(Sequence::Items(iter)) if !super::sources::is_endless(&iter) => {
                return self.counted_for(f, iter, region);
            }
            Some(sequence) => self.counted(sequence, span),
            None => None,
        };
        let Some(sequence) = sequence else {
            self.body_of_refused(f);
            return Value::Error;
        };
        if has_attribute(f, "parallel") {
            let what = "a `#[parallel]` chain without random access";
            return self.refuse(&f.expr, catalog::unsupported_iterator(what));
        }
        let id = self.push_target(f.label.as_ref(), true, Want::Discard);
        self.run(&sequence, id, span, &mut |l, item, next| {
            l.targets.last_mut().expect("a target is open").next = next;
            l.scoped(|l| {
                l.bind_pattern(&f.pat, item);
                l.loop_body(&f.body, region);
            });
        });
        self.pop_target();
        Value::Unit
    }

    /// A loop over a chain with random access.
    fn counted_for(&mut self, f: &syn::ExprForLoop, iter: Iter, region: bool) -> Value {
        let span = span_of(f);
        let Some(drive) = self.drive(iter, Some(&f.pat), span) else {
            self.body_of_refused(f);
            return Value::Error;
        };
        let id = self.push_target(f.label.as_ref(), true, Want::Discard);
        if has_attribute(f, "parallel") {
            self.func.parallel.insert(id);
        }
        self.open();
        self.scoped(|l| {
            let item = l.item_in_order(&drive.items, &drive.position);
            l.bind_item(&f.pat, item, &drive);
            l.loop_body(&f.body, region);
        });
        let (body, _) = self.close();
        self.pop_target();
        self.emit_drive(drive, id, body, span);
        Value::Unit
    }

    /// The loop cannot be lowered; its body may hold more mistakes.
    fn body_of_refused(&mut self, f: &syn::ExprForLoop) {
        self.push_target(f.label.as_ref(), true, Want::Discard);
        self.open();
        self.scoped(|l| {
            l.poison(&f.pat);
            l.block(&f.body, Want::Discard);
        });
        self.close();
        self.pop_target();
    }

    fn take_region(&mut self) -> bool {
        std::mem::take(&mut self.region_loop)
    }
}

/// `while let Ok(x) = e { … }` as `loop { if let Ok(x) = e { … } else { break } }`: a branch is what takes a `Result`
/// apart.
fn result_looked_at(w: &syn::ExprWhile) -> Option<syn::ExprLoop> {
    let syn::Expr::Let(looked) = super::operator::strip(&w.cond) else {
        return None;
    };
    let syn::Pat::TupleStruct(pat) = &*looked.pat else {
        return None;
    };
    let last = pat.path.segments.last()?;
    let (label, body) = (&w.label, &w.body);
    (last.ident == "Ok" || last.ident == "Err")
        .then(|| syn::parse_quote!(#label loop { if #looked #body else { break; } }))
}

fn has_attribute(f: &syn::ExprForLoop, name: &str) -> bool {
    f.attrs.iter().any(|attr| attr.path().is_ident(name))
}
