//! `find`, `last`, `max_by` and their relatives where a copy cannot stand for the item: of references to structs, and
//! of those through which one writes. Their position is found, and the item is the element there.

use proc_macro2::Span;

use super::Lowerer;
use super::infer::Class;
use super::iterate::{Iter, is_chain};
use super::operator::strip;
use super::parts::Asked;
use super::sequence::Sequence;
use super::value::span_of;
use crate::ir::{BinOp, Expr, Jump, StmtKind, Ty, VarId};

/// Ends of this file, by name and number of arguments.
pub(super) fn selects(name: &str, args: usize) -> bool {
    matches!(
        (name, args),
        ("find" | "min_by" | "max_by" | "nth", 1) | ("last" | "next", 0)
    )
}

/// What a chain of elements begins with.
pub(super) struct Begin<'e> {
    pub(super) base: &'e syn::Expr,
    /// Whether one writes through its items.
    writes: bool,
    /// Whether its items are slices of elements.
    pub(super) slices: bool,
}

pub(super) fn begin(chain: &syn::Expr) -> Option<Begin<'_>> {
    let syn::Expr::MethodCall(call) = strip(chain) else {
        return None;
    };
    let of = |writes, slices| Begin {
        base: &call.receiver,
        writes,
        slices,
    };
    match (call.method.to_string().as_str(), call.args.len()) {
        ("iter", 0) => Some(of(false, false)),
        ("iter_mut", 0) => Some(of(true, false)),
        ("windows" | "chunks" | "chunks_exact", 1) => Some(of(false, true)),
        ("enumerate", 0) | ("skip" | "take", 1) => begin(&call.receiver),
        _ => None,
    }
}

/// Whether the two items of a closure are given to the comparison that floats have: `|a, b| a.total_cmp(b)`.
pub(super) fn compares_floats(call: &syn::ExprMethodCall) -> bool {
    let Some(syn::Expr::Closure(closure)) = call.args.first() else {
        return false;
    };
    let ends = call.method == "min_by" || call.method == "max_by";
    let is_name = |e: &syn::Expr| matches!(strip(e), syn::Expr::Path(_));
    ends && match strip(&closure.body) {
        syn::Expr::MethodCall(compared) => {
            compared.method == "total_cmp"
                && is_name(&compared.receiver)
                && compared.args.iter().all(is_name)
        }
        _ => false,
    }
}

/// The position found so far, and whether there is one.
struct Found {
    there: VarId,
    at: VarId,
}

impl Lowerer<'_> {
    /// An item of a chain that stays where it is, if the expression asks for one.
    pub(super) fn item_selected(&mut self, e: &syn::Expr) -> Option<Asked> {
        let syn::Expr::MethodCall(call) = strip(e) else {
            return None;
        };
        let (name, span) = (call.method.to_string(), span_of(call));
        let chain = &*call.receiver;
        if !selects(&name, call.args.len()) || self.lenient > 0 || !is_chain(chain) {
            return None;
        }
        let Begin {
            base,
            writes,
            slices,
        } = begin(chain)?;
        if !matches!(strip(base), syn::Expr::Path(_) | syn::Expr::Field(_)) {
            return None;
        }
        // Names and fields leave nothing behind.
        let of = self.pointee(base);
        let ty = self.type_of(&of);
        match self.types.element(&ty) {
            Some(element) => {
                let copied = self.is_copied_whole(&element) && !writes && !slices;
                if copied || self.types.is_passive(&element) {
                    return None;
                }
            }
            // A field whose type the text does not show.
            None if self.types.class(&ty) == Class::Open && self.mentions_active(base) => {}
            None => return None,
        }
        let iter = self.chain(chain, None)?;
        let (there, at) = match name.as_str() {
            "find" | "min_by" | "max_by" => self.found(&iter, call, &name, span)?,
            _ => self.counted_to(&iter, call, &name, span)?,
        };
        let part = self.item(&iter, &at);
        Some(Asked { there, part })
    }

    /// `last`, `nth` and `next`
    fn counted_to(
        &mut self,
        iter: &Iter,
        call: &syn::ExprMethodCall,
        name: &str,
        span: Span,
    ) -> Option<(Expr, Expr)> {
        let len = self.length(iter, span)?;
        let zero = Expr::usize_literal(0, span);
        let at = match call.args.first() {
            Some(n) => self.usize_argument("n", n),
            None if name == "next" => zero,
            // Where there is none, the position is not used.
            None => {
                let one = Expr::usize_literal(1, span);
                let last = self.usize_method("saturating_sub", len.clone(), one, span);
                self.in_temp("at", last)
            }
        };
        let there = self.binop(BinOp::Lt, at.clone(), len);
        Some((self.in_temp("there", there), at))
    }

    /// The first item that fits, or the least or greatest one.
    fn found(
        &mut self,
        iter: &Iter,
        call: &syn::ExprMethodCall,
        name: &str,
        span: Span,
    ) -> Option<(Expr, Expr)> {
        let f = call.args.first()?;
        let drive = self.drive(iter.clone(), None, span)?;
        let position = drive.position.clone();
        let found = Found {
            there: self.kept_between("found", super::exits::truth(false)),
            at: self.kept_between("at", Expr::usize_literal(0, span)),
        };
        let id = self.fresh_loop();
        let sequence = Sequence::Counted(Box::new(drive));
        self.run(&sequence, id, span, &mut |l, item, next| {
            let item = l.fixed(item, span);
            if name == "find" {
                if let Some(selector) = l.predicate(f, &item) {
                    l.jump_unless(selector, next, span);
                    l.select(&found, &position, span);
                    l.emit(StmtKind::Jump(Jump::Break(id)), span);
                }
                return;
            }
            let done = l.fresh_loop();
            l.open();
            l.open();
            let at = Expr::read_var(found.at, Ty::USIZE, span);
            let at = l.in_temp("kept", at);
            let old = l.item(iter, &at);
            if let Some(greater) = l.is_greater(f, &old, &item) {
                let replaces = match name == "min_by" {
                    true => greater,
                    false => l.not(greater),
                };
                l.jump_unless(replaces, Jump::Break(done), span);
            }
            let (rest, _) = l.close();
            l.emit_if(Expr::read_var(found.there, Ty::Bool, span), rest, span);
            l.select(&found, &position, span);
            let (body, _) = l.close();
            l.emit(StmtKind::Labelled(done, body), span);
        });
        let there = Expr::read_var(found.there, Ty::Bool, span);
        let at = Expr::read_var(found.at, Ty::USIZE, span);
        Some((self.in_temp("there", there), self.in_temp("at", at)))
    }

    fn select(&mut self, found: &Found, position: &Expr, span: Span) {
        self.assign_to(found.at, position.clone(), span);
        self.assign_to(found.there, super::exits::truth(true), span);
    }
}
