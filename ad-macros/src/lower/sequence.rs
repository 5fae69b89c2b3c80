//! Chains whose items come one after another.
//!
//! What stands in front of the first adapter of this kind allows random access ([`Iter`]) and drives a counted loop.
//! Each adapter behind it is code in the body of that loop, in the order of the chain: `filter` goes on to the next
//! item, `take_while` leaves the loop, `enumerate` counts in a variable. An iterator of std runs the same code in the
//! same order, since it is asked for one item after another and by one consumer.

use proc_macro2::Span;

use super::Lowerer;
use super::drive::Drive;
use super::iterate::{Iter, is_chain, is_function};
use super::operator::strip;
use super::sources::{Source, is_endless, source};
use super::value::{Value, Want, span_of};
use crate::diag::catalog;
use crate::ir::{BinOp, Expr, Jump, LoopId, StmtKind, Ty, VarId};

/// A chain of adapters.
#[derive(Clone)]
pub(super) enum Sequence {
    /// Item `k` is an expression of `k`.
    Items(Iter),
    /// The same, the bounds of its loop evaluated.
    Counted(Box<Drive>),
    Staged(Box<Sequence>, Stage),
    /// Items that are asked for one after another.
    Source(Source),
    /// `a.chain(b)`
    Both(Box<Sequence>, Box<Sequence>),
}

/// An adapter as code for each item, with the variables that it keeps between items.
#[derive(Clone)]
pub(super) enum Stage {
    Filter(syn::Expr),
    FilterMap(syn::Expr),
    Map(syn::Expr),
    Inspect(syn::Expr),
    TakeWhile(syn::Expr),
    MapWhile(syn::Expr),
    /// The closure, and whether items are still skipped.
    SkipWhile(syn::Expr, VarId),
    /// The closure, and its state.
    Scan(syn::Expr, VarId, Ty),
    Enumerate(VarId),
    /// From the end: how many items there are, and how many there were.
    EnumerateBack(Expr, VarId),
    /// How many, and how many there were.
    Take(Expr, VarId),
    Skip(Expr, VarId),
    /// Every so many, and how many there were.
    StepBy(Expr, VarId),
    /// The other chain, its length, and the position in it.
    Zip(Iter, Expr, VarId),
    Copied,
    Cloned,
    FlatMap(syn::Expr),
    Flatten,
}

/// What becomes of an item; the jump goes on to the next one.
pub(super) type Sink<'s, 'l> = &'s mut dyn FnMut(&mut Lowerer<'l>, Value, Jump);

/// Adapters by name and number of arguments.
fn is_stage(name: &str, args: usize) -> bool {
    matches!(
        (name, args),
        ("enumerate" | "rev" | "copied" | "cloned" | "flatten", 0)
            | (
                "filter"
                    | "filter_map"
                    | "map"
                    | "inspect"
                    | "take_while"
                    | "skip_while"
                    | "map_while"
                    | "flat_map"
                    | "take"
                    | "skip"
                    | "step_by"
                    | "zip"
                    | "chain",
                1
            )
            | ("scan", 2)
    )
}

/// Whether the expression is a chain of supported adapters, by its text.
pub(super) fn is_sequence(e: &syn::Expr) -> bool {
    if is_chain(e) {
        return true;
    }
    match strip(e) {
        e @ syn::Expr::Call(_) => source(e).is_some(),
        syn::Expr::MethodCall(call) => {
            let name = call.method.to_string();
            let closures = call.args.iter().skip(usize::from(name == "scan"));
            let takes_closure =
                !matches!(name.as_str(), "take" | "skip" | "step_by" | "zip" | "chain");
            is_stage(&name, call.args.len())
                && is_sequence(&call.receiver)
                && (!takes_closure || closures.clone().all(is_function))
        }
        _ => false,
    }
}

/// The adapter of a chain that is not supported: the first one.
pub(super) fn first_unsupported(call: &syn::ExprMethodCall) -> &syn::ExprMethodCall {
    match strip(&call.receiver) {
        syn::Expr::MethodCall(inner)
            if crate::ir::is_iterator_method(&inner.method.to_string())
                && !is_sequence(&call.receiver) =>
        {
            first_unsupported(inner)
        }
        _ => call,
    }
}

/// Whether items of `map` are skipped: the closure runs for them too.
fn skips_mapped(call: &syn::ExprMethodCall) -> bool {
    fn maps(e: &syn::Expr) -> bool {
        match strip(e) {
            syn::Expr::MethodCall(call) => call.method == "map" || maps(&call.receiver),
            _ => false,
        }
    }
    (call.method == "skip" || call.method == "step_by") && maps(&call.receiver)
}

impl Sequence {
    /// Whether it runs in one outermost loop.
    fn is_one_loop(&self) -> bool {
        match self {
            Sequence::Items(_) | Sequence::Counted(_) | Sequence::Source(_) => true,
            Sequence::Staged(inner, _) => inner.is_one_loop(),
            Sequence::Both(..) => false,
        }
    }
}

impl Sequence {
    /// What it yields an item for each of, whatever the item is.
    fn each(&self) -> Option<&Iter> {
        match self {
            Sequence::Items(iter) => Some(iter),
            Sequence::Staged(
                inner,
                Stage::Map(_) | Stage::Inspect(_) | Stage::Copied | Stage::Cloned,
            ) => inner.each(),
            Sequence::Staged(..)
            | Sequence::Counted(_)
            | Sequence::Source(_)
            | Sequence::Both(..) => None,
        }
    }

    /// Whether it may have no end, or something in it may do more than yield items.
    pub(super) fn has_effects(&self) -> bool {
        match self {
            Sequence::Items(iter) => is_endless(iter),
            Sequence::Counted(_) => false,
            Sequence::Source(_) => true,
            Sequence::Staged(inner, stage) => {
                matches!(stage, Stage::Inspect(_)) || inner.has_effects()
            }
            Sequence::Both(a, b) => a.has_effects() || b.has_effects(),
        }
    }
}

impl<'l> Lowerer<'l> {
    /// Evaluates the parts of a chain, in execution order. `body`: of the loop that takes the items.
    pub(super) fn sequence_of(
        &mut self,
        e: &syn::Expr,
        body: Option<&syn::Block>,
    ) -> Option<Sequence> {
        let call = match strip(e) {
            syn::Expr::MethodCall(call)
                if is_sequence(e) && (!is_chain(e) || skips_mapped(call)) =>
            {
                call
            }
            e @ syn::Expr::Call(_) if let Some((call, name)) = source(e) => {
                return self.source_of(call, name, body);
            }
            other => return self.chain(other, body).map(Sequence::Items),
        };
        let inner = self.sequence_of(&call.receiver, body)?;
        let name = call.method.to_string();
        if name == "rev" {
            let what = match &inner {
                Sequence::Staged(_, Stage::Zip(..)) => {
                    "`rev` behind `zip` with code in front of it"
                }
                Sequence::Staged(_, Stage::Take(..) | Stage::Skip(..) | Stage::StepBy(..)) => {
                    "`rev` behind `take`, `skip` or `step_by` with code in front of it"
                }
                _ => "`rev` behind `flat_map` or `flatten`",
            };
            let reversed = self.backwards(inner, call);
            if reversed.is_none() {
                self.diags
                    .at(call.method.span(), catalog::unsupported_iterator(what));
            }
            return reversed;
        }
        if name == "chain" {
            let other = self.sequence_of(&call.args[0], body)?;
            return Some(Sequence::Both(Box::new(inner), Box::new(other)));
        }
        let stage = self.stage_of(call, &name, body)?;
        Some(Sequence::Staged(Box::new(inner), stage))
    }

    fn stage_of(
        &mut self,
        call: &syn::ExprMethodCall,
        name: &str,
        body: Option<&syn::Block>,
    ) -> Option<Stage> {
        let span = span_of(call);
        let closure = |at: usize| call.args[at].clone();
        Some(match name {
            "filter" => Stage::Filter(closure(0)),
            "filter_map" => Stage::FilterMap(closure(0)),
            "map" => Stage::Map(closure(0)),
            "inspect" => Stage::Inspect(closure(0)),
            "take_while" => Stage::TakeWhile(closure(0)),
            "map_while" => Stage::MapWhile(closure(0)),
            "flat_map" => Stage::FlatMap(closure(0)),
            "flatten" => Stage::Flatten,
            "copied" => Stage::Copied,
            "cloned" => Stage::Cloned,
            "skip_while" => {
                let skipping = self.kept_between("skipping", super::exits::truth(true));
                Stage::SkipWhile(closure(0), skipping)
            }
            "scan" => {
                let state = self.value(&call.args[0], Want::Value);
                let state = self.stored(state, span);
                let ty = state.ty.clone();
                Stage::Scan(closure(1), self.kept_between("state", state), ty)
            }
            "enumerate" => Stage::Enumerate(self.counting("count", span)),
            "step_by" => {
                let n = self.usize_argument("step", &call.args[0]);
                let zero = Expr::usize_literal(0, span);
                let holds = self.binop(BinOp::Ne, n.clone(), zero);
                self.require(holds, "assertion failed: step != 0", span);
                Stage::StepBy(n, self.counting("count", span))
            }
            "take" | "skip" => {
                let n = self.usize_argument("count", &call.args[0]);
                match name {
                    "take" => Stage::Take(n, self.counting("taken", span)),
                    _ => Stage::Skip(n, self.counting("skipped", span)),
                }
            }
            "zip" => {
                let other = self.beside(&call.args[0], body)?;
                let len = match self.length(&other, span) {
                    Some(len) => len,
                    None => {
                        self.diags.over(
                            &call.args[0],
                            catalog::unsupported_iterator("an open range"),
                        );
                        return None;
                    }
                };
                Stage::Zip(other, len, self.counting("position", span))
            }
            _ => {
                self.diags.at(
                    call.method.span(),
                    catalog::unsupported_iterator(&format!("`{name}`")),
                );
                return None;
            }
        })
    }

    /// A variable of an adapter, which keeps its value from item to item.
    pub(super) fn kept_between(&mut self, base: &str, init: Expr) -> VarId {
        let var = self.temp_let(base, init);
        self.unstable.insert(var);
        var
    }

    fn counting(&mut self, base: &str, span: Span) -> VarId {
        self.kept_between(base, Expr::usize_literal(0, span))
    }

    /// The chain from its end, where its adapters look at one item each.
    fn backwards(&mut self, sequence: Sequence, call: &syn::ExprMethodCall) -> Option<Sequence> {
        Some(match sequence {
            Sequence::Items(iter) => {
                Sequence::Items(self.reversed(Box::new(iter), call, span_of(call))?)
            }
            Sequence::Staged(inner, stage) => match stage {
                Stage::Filter(_)
                | Stage::FilterMap(_)
                | Stage::Map(_)
                | Stage::Inspect(_)
                | Stage::Copied
                | Stage::Cloned => {
                    let inner = self.backwards(*inner, call)?;
                    Sequence::Staged(Box::new(inner), stage)
                }
                Stage::Enumerate(counter) => {
                    let span = span_of(call);
                    let len = self.length(inner.each()?, span)?;
                    let len = self.in_temp("length", len);
                    let inner = self.backwards(*inner, call)?;
                    Sequence::Staged(Box::new(inner), Stage::EnumerateBack(len, counter))
                }
                Stage::TakeWhile(_)
                | Stage::MapWhile(_)
                | Stage::SkipWhile(..)
                | Stage::Scan(..)
                | Stage::EnumerateBack(..)
                | Stage::Take(..)
                | Stage::Skip(..)
                | Stage::StepBy(..)
                | Stage::Zip(..)
                | Stage::FlatMap(_)
                | Stage::Flatten => return None,
            },
            Sequence::Both(a, b) => {
                let b = self.backwards(*b, call)?;
                let a = self.backwards(*a, call)?;
                Sequence::Both(Box::new(b), Box::new(a))
            }
            Sequence::Counted(_) | Sequence::Source(_) => return None,
        })
    }

    /// The bounds of the loops, evaluated here. `None`: that was reported.
    pub(super) fn counted(&mut self, sequence: Sequence, span: Span) -> Option<Sequence> {
        Some(match sequence {
            Sequence::Items(iter) if is_endless(&iter) => {
                Sequence::Source(self.endless(iter, span))
            }
            Sequence::Items(iter) => Sequence::Counted(Box::new(self.drive(iter, None, span)?)),
            Sequence::Staged(inner, stage) => {
                Sequence::Staged(Box::new(self.counted(*inner, span)?), stage)
            }
            Sequence::Both(a, b) => {
                let a = Box::new(self.counted(*a, span)?);
                Sequence::Both(a, Box::new(self.counted(*b, span)?))
            }
            other @ (Sequence::Counted(_) | Sequence::Source(_)) => other,
        })
    }

    /// The loops over a chain. `Break(whole)` leaves them all, and nothing around them.
    pub(super) fn run(
        &mut self,
        sequence: &Sequence,
        whole: LoopId,
        span: Span,
        sink: Sink<'_, 'l>,
    ) {
        if sequence.is_one_loop() {
            self.pull(sequence, whole, Some(whole), span, sink);
            return;
        }
        self.open();
        self.pull(sequence, whole, None, span, sink);
        let (body, _) = self.close();
        self.emit(StmtKind::Labelled(whole, body), span);
    }

    fn pull(
        &mut self,
        sequence: &Sequence,
        whole: LoopId,
        id: Option<LoopId>,
        span: Span,
        sink: Sink<'_, 'l>,
    ) {
        match sequence {
            Sequence::Source(source) => {
                let id = id.unwrap_or_else(|| self.fresh_loop());
                self.pull_source(source, id, span, sink);
            }
            Sequence::Items(iter) => {
                if let Some(drive) = self.drive(iter.clone(), None, span) {
                    self.pull(&Sequence::Counted(Box::new(drive)), whole, id, span, sink);
                }
            }
            Sequence::Counted(drive) => {
                let id = id.unwrap_or_else(|| self.fresh_loop());
                self.open();
                let item = self.item_in_order(&drive.items, &drive.position);
                sink(self, item, Jump::Continue(id));
                let (body, _) = self.close();
                self.emit_drive((**drive).clone(), id, body, span);
            }
            Sequence::Staged(inner, stage) => {
                let takes = if let Stage::Take(n, _) = stage {
                    Some(n)
                } else {
                    None
                };
                if takes.is_some() {
                    self.open();
                }
                self.pull(inner, whole, id, span, &mut |l, item, next| {
                    l.stage(stage, item, (next, Jump::Break(whole)), span, sink);
                });
                if let Some(n) = takes {
                    // Nothing is asked for an item that is not taken.
                    let (body, _) = self.close();
                    let zero = Expr::usize_literal(0, span);
                    let selector = self.binop(BinOp::Ne, n.clone(), zero);
                    self.emit_if(selector, body, span);
                }
            }
            Sequence::Both(a, b) => {
                // What ends the first part leaves the second one.
                let first = self.fresh_loop();
                self.run(a, first, span, sink);
                self.pull(b, whole, None, span, sink);
            }
        }
    }
}
