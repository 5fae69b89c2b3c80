//! Methods that move elements of a container, or change how many there are: loops of pushes, swaps and assignments.

use proc_macro2::Span;

use super::Lowerer;
use super::iterate::Iter;
use super::lawful::lawful;
use super::opaque::Builder;
use super::operator::strip;
use super::refill::refills;
use super::sequence::{Sequence, is_sequence};
use super::stages::copy_of;
use super::value::{Value, Want, span_of};
use crate::ir::{BinOp, Expr, OpaqueKind, Place, Proj, StmtKind, Ty, VarId};

/// Methods that put the elements in another order.
fn orders(name: &str) -> bool {
    name.starts_with("sort") || name.starts_with("select_nth")
}

/// Methods of this file, by name and number of arguments.
fn rearranges(name: &str, args: usize) -> bool {
    matches!(
        (name, args),
        ("reverse" | "concat" | "dedup", 0)
            | (
                "extend"
                    | "extend_from_slice"
                    | "remove"
                    | "swap_remove"
                    | "rotate_left"
                    | "rotate_right"
                    | "split_at"
                    | "split_at_mut"
                    | "split_off"
                    | "retain"
                    | "sort_by"
                    | "sort_by_key"
                    | "sort_by_cached_key"
                    | "sort_unstable_by"
                    | "sort_unstable_by_key"
                    | "append"
                    | "drain"
                    | "get",
                1
            )
            | ("select_nth_unstable_by", 2)
            | ("first" | "last" | "front" | "back", 0)
            | ("resize" | "insert", 2)
    ) || refills(name, args)
}

impl Lowerer<'_> {
    /// The method in terms of statements, if it is one of these and the elements may carry a derivative.
    pub(super) fn rearranged(
        &mut self,
        receiver: &Value,
        call: &syn::ExprMethodCall,
        name: &str,
        ty: &Ty,
    ) -> Option<Value> {
        let element = self.types.element(ty)?;
        let known = rearranges(name, call.args.len()) && self.lenient == 0;
        // A part that std hands out would be a reference in a variable.
        let parts = matches!(name, "split_at" | "split_at_mut");
        if !known || self.types.is_passive(&element) && !parts {
            return None;
        }
        let several = call
            .args
            .first()
            .is_some_and(|at| matches!(strip(at), syn::Expr::Range(_)));
        let by_order = match (name, call.args.first()) {
            ("sort_by", Some(f)) => lawful(f).is_some(),
            ("sort_by_key" | "sort_by_cached_key", _) => true,
            _ => false,
        };
        if (matches!(name, "get" | "first" | "last" | "front" | "back" | "dedup") || orders(name))
            && (several || !by_order && !self.is_copied_whole(&element))
        {
            return None;
        }
        let span = span_of(call);
        let (place, _) = self.place_of(receiver.clone(), span)?;
        let vec = Elements {
            place,
            element,
            span,
        };
        if refills(name, call.args.len()) {
            return Some(self.refilled(vec, call));
        }
        Some(match (name, call.args.first()) {
            ("extend" | "extend_from_slice", Some(items)) => {
                self.extend(vec, items, name == "extend_from_slice")
            }
            ("resize", Some(_)) => self.resize(vec, call),
            ("insert", Some(_)) => self.insert(vec, call),
            ("remove" | "swap_remove", Some(at)) => self.remove(vec, at, name == "swap_remove"),
            ("rotate_left" | "rotate_right", Some(by)) => {
                self.rotate(vec, by, name == "rotate_left")
            }
            ("split_at" | "split_at_mut", Some(at)) => {
                self.split_at(vec, at, name == "split_at_mut")
            }
            ("split_off", Some(at)) => self.split_off(vec, at),
            ("retain", Some(f)) => self.retain(vec, f),
            ("append", Some(other)) => self.append(vec, other),
            ("drain", Some(range)) => match self.drained(vec, range) {
                Some((drained, ty)) => Value::Expr(Expr::read_var(drained, ty, span)),
                None => Value::Error,
            },
            ("dedup", _) => self.dedup(vec),
            ("select_nth_unstable_by", Some(n)) => self.select_nth(vec, n, call),
            (name, Some(_)) if orders(name) => {
                self.reorder(vec, call);
                Value::Unit
            }
            ("concat", _) => self.concat(vec),
            ("reverse", _) => {
                let vec = self.fixed_elements(vec, |_| ()).0;
                let len = self.count_of(&vec);
                let zero = Expr::usize_literal(0, span);
                self.reverse_range(&vec, zero, len);
                Value::Unit
            }
            (_, at) => self.get(vec, name, at),
        })
    }

    /// The container's place, which does not change while `args` are evaluated.
    pub(super) fn fixed_elements<T>(
        &mut self,
        mut vec: Elements,
        args: impl FnOnce(&mut Self) -> T,
    ) -> (Elements, T) {
        let mark = self.mark();
        let args = args(self);
        self.protect_place(&mut vec.place, mark);
        vec.place = self.writable(vec.place);
        (vec, args)
    }

    pub(super) fn fixed_at(&mut self, vec: Elements, at: &syn::Expr) -> (Elements, Expr) {
        self.fixed_elements(vec, |l| l.fixed_index(at))
    }

    pub(super) fn fixed_index(&mut self, at: &syn::Expr) -> Expr {
        self.usize_argument("at", at)
    }

    /// The number of elements now.
    pub(super) fn count_of(&mut self, vec: &Elements) -> Expr {
        let len = self.len_of(vec.place.clone());
        self.in_temp("len", len)
    }

    pub(super) fn usize_of(&mut self, op: BinOp, a: &Expr, b: &Expr) -> Expr {
        let e = self.binop(op, a.clone(), b.clone());
        self.in_temp("at", e)
    }

    /// `for k in lo..hi { body }`, or from the end.
    pub(super) fn over(
        &mut self,
        (lo, hi): (Expr, Expr),
        rev: bool,
        span: Span,
        body: impl FnOnce(&mut Self, Expr),
    ) {
        let range = Iter::Range {
            lo,
            hi: Some(hi),
            inclusive: false,
        };
        let range = if rev {
            Iter::Rev(Box::new(range), None)
        } else {
            range
        };
        let Some(drive) = self.drive(range, None, span) else {
            return;
        };
        let id = self.fresh_loop();
        self.open();
        body(self, drive.position.clone());
        let (block, _) = self.close();
        self.emit_drive(drive, id, block, span);
    }

    pub(super) fn push(&mut self, vec: &Elements, value: Expr) {
        self.types.unify(&vec.element, &value.ty);
        let place = vec.place.clone();
        self.emit(StmtKind::Push { vec: place, value }, vec.span);
    }

    pub(super) fn swap(&mut self, vec: &Elements, a: Expr, b: Expr) {
        let [a, b] = [a, b].map(|at| self.writable(vec.place.then(Proj::index(at))));
        self.emit(StmtKind::Swap(a, b), vec.span);
    }

    /// Panics where std does.
    pub(super) fn require(&mut self, holds: Expr, message: &str, span: Span) {
        let mut builder = Builder::default();
        let holds = builder.value(self, holds);
        let code = syn::parse_quote!(::core::assert!(#holds, #message));
        let opaque = builder.build(self, code, OpaqueKind::Macro("assert".to_owned()));
        self.emit(StmtKind::Opaque(Box::new(opaque)), span);
    }

    fn extend(&mut self, vec: Elements, items: &syn::Expr, clones: bool) -> Value {
        let span = vec.span;
        let (vec, sequence) = self.fixed_elements(vec, |l| {
            let items = strip(items);
            let sequence = match is_sequence(items) {
                true => l.sequence_of(items, None),
                false => l.owned_or_borrowed(items, None).map(Sequence::Items),
            };
            l.counted(sequence?, span)
        });
        let Some(sequence) = sequence else {
            return Value::Error;
        };
        let id = self.fresh_loop();
        self.run(&sequence, id, span, &mut |l, item, _| {
            let item = if clones {
                l.clone_of_item(item, span)
            } else {
                copy_of(item)
            };
            let value = l.stored(item, span);
            l.push(&vec, value);
        });
        Value::Unit
    }

    fn resize(&mut self, vec: Elements, call: &syn::ExprMethodCall) -> Value {
        let span = vec.span;
        let (vec, (n, value)) = self.fixed_elements(vec, |l| {
            let n = l.fixed_index(&call.args[0]);
            let value = l.value(&call.args[1], Want::Value);
            let value = l.stored(value, span);
            (n, l.temp_let("filler", value))
        });
        let filler = Place::var(value, span);
        if self.has_unknown_clone(&vec.element) {
            self.check_clone_of(&filler, span);
        }
        self.resized(&vec, n, |l| l.read(filler, vec.element.clone()))
    }

    /// So many elements: the last ones go, or new ones come, each with a value of its own.
    pub(super) fn resized(
        &mut self,
        vec: &Elements,
        n: Expr,
        value: impl FnOnce(&mut Self) -> Expr,
    ) -> Value {
        let span = vec.span;
        let old = self.count_of(vec);
        let (place, len) = (vec.place.clone(), n.clone());
        self.emit(StmtKind::Truncate { vec: place, len }, span);
        self.over((old, n), false, span, |l, _| {
            let value = value(l);
            l.push(vec, value);
        });
        Value::Unit
    }

    pub(super) fn insert(&mut self, vec: Elements, call: &syn::ExprMethodCall) -> Value {
        let span = vec.span;
        let (vec, (at, value)) = self.fixed_elements(vec, |l| {
            let at = l.fixed_index(&call.args[0]);
            let value = l.value(&call.args[1], Want::Value);
            let value = l.stored(value, span);
            (at, l.in_temp("inserted", value))
        });
        let len = self.count_of(&vec);
        let inside = self.binop(BinOp::Le, at.clone(), len.clone());
        self.require(inside, "insertion index should be <= len", span);
        self.push(&vec, value);
        self.over((at, len), true, span, |l, k| {
            let one = Expr::usize_literal(1, span);
            let next = l.usize_of(BinOp::Add, &k, &one);
            l.swap(&vec, k, next);
        });
        Value::Unit
    }

    /// The element moves to the end, where it is popped.
    pub(super) fn remove(&mut self, vec: Elements, at: &syn::Expr, by_swap: bool) -> Value {
        let span = vec.span;
        let (vec, at) = self.fixed_at(vec, at);
        let len = self.count_of(&vec);
        let inside = self.binop(BinOp::Lt, at.clone(), len.clone());
        if matches!(self.list_of(&vec), Ty::Queue(_)) {
            return self.removed_if(inside, vec, (at, len));
        }
        self.require(inside, "removal index should be < len", span);
        Value::Expr(self.removed(vec, (at, len), by_swap))
    }

    /// Of a queue, an option.
    fn removed_if(&mut self, there: Expr, queue: Elements, ends: (Expr, Expr)) -> Value {
        let (span, element) = (queue.span, queue.element.clone());
        let (removed, ty) = self.no_item("removed", &element, span);
        self.open();
        let item = self.removed(queue, ends, false);
        self.keep_item(removed, &element, Value::Expr(item), span);
        let (inside, _) = self.close();
        self.emit_if(there, inside, span);
        Value::Place(Place::var(removed, span), ty)
    }

    pub(super) fn removed(
        &mut self,
        vec: Elements,
        (at, len): (Expr, Expr),
        by_swap: bool,
    ) -> Expr {
        let span = vec.span;
        let one = Expr::usize_literal(1, span);
        let last = self.usize_of(BinOp::Sub, &len, &one);
        if by_swap {
            self.swap(&vec, at, last);
        } else {
            self.over((at, last), false, span, |l, k| {
                let next = l.usize_of(BinOp::Add, &k, &one);
                l.swap(&vec, k, next);
            });
        }
        let dest = self.temp("removed", vec.element.clone(), span);
        let place = vec.place.clone();
        self.emit(StmtKind::Pop { dest, vec: place }, span);
        Expr::read_var(dest, vec.element, span)
    }

    /// Three reversals.
    fn rotate(&mut self, vec: Elements, by: &syn::Expr, left: bool) -> Value {
        let (vec, by) = self.fixed_at(vec, by);
        let len = self.count_of(&vec);
        let inside = self.binop(BinOp::Le, by.clone(), len.clone());
        self.require(inside, "assertion failed: by <= self.len()", vec.span);
        let middle = if left {
            by
        } else {
            self.usize_of(BinOp::Sub, &len, &by)
        };
        let zero = Expr::usize_literal(0, vec.span);
        self.reverse_range(&vec, zero.clone(), middle.clone());
        self.reverse_range(&vec, middle, len.clone());
        self.reverse_range(&vec, zero, len);
        Value::Unit
    }

    fn reverse_range(&mut self, vec: &Elements, lo: Expr, hi: Expr) {
        let span = vec.span;
        let count = self.usize_of(BinOp::Sub, &hi, &lo);
        let half = self.usize_of(BinOp::Div, &count, &Expr::usize_literal(2, span));
        let zero = Expr::usize_literal(0, span);
        self.over((zero, half), false, span, |l, k| {
            let one = Expr::usize_literal(1, span);
            let front = l.usize_of(BinOp::Add, &lo, &k);
            let back = l.usize_of(BinOp::Sub, &hi, &one);
            let back = l.usize_of(BinOp::Sub, &back, &k);
            l.swap(vec, front, back);
        });
    }

    fn retain(&mut self, vec: Elements, f: &syn::Expr) -> Value {
        let span = vec.span;
        let (vec, ()) = self.fixed_elements(vec, |_| ());
        let ty = self.list_of(&vec);
        let kept = self.collecting_into(ty, vec.element.clone(), span);
        let len = self.count_of(&vec);
        let zero = Expr::usize_literal(0, span);
        self.over((zero, len), false, span, |l, k| {
            let item = Value::Place(vec.place.then(Proj::index(k)), vec.element.clone());
            let Some(selector) = l.predicate(f, &item) else {
                return;
            };
            l.open();
            l.push_item(&kept, item, span);
            let (push, _) = l.close();
            l.emit_if(selector, push, span);
        });
        self.replace(vec, kept.0);
        Value::Unit
    }

    /// `vec = values;`
    pub(super) fn replace(&mut self, vec: Elements, values: VarId) {
        let ty = self.list_of(&vec);
        let value = Expr::read_var(values, ty, vec.span);
        let (place, init) = (vec.place, false);
        self.emit(StmtKind::Assign { place, value, init }, vec.span);
    }
}

/// A container and what it holds.
pub(super) struct Elements {
    pub(super) place: Place,
    pub(super) element: Ty,
    pub(super) span: Span,
}
