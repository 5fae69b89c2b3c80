//! Chains under a name: what is left of one, and its next item. [`super::walks`] says which those are.

use std::rc::Rc;

use proc_macro2::{Ident, Span};

use super::Lowerer;
use super::ends::lends_mutably;
use super::iterate::{Access, Iter, begins};
use super::operator::strip;
use super::parts::Asked;
use super::scope::{Binding, name_of};
use super::sequence::Sequence;
use super::sources::{Source, is_endless};
use super::value::{Value, View, holds_reference, span_of};
use super::walks::bound_chain;
use crate::diag::catalog;
use crate::ir::{BinOp, Expr, Place, StmtKind, Ty, VarId};

/// What the name of a chain stands for.
#[derive(Clone)]
pub(super) enum Walk {
    /// Items by their positions, from the one variable to the other.
    Items {
        iter: Iter,
        front: VarId,
        end: VarId,
    },
    /// The same, all of it.
    Whole(Iter),
    /// Items one after another.
    Sequence(Rc<Sequence>),
}

impl Lowerer<'_> {
    /// `let name = chain;`: whether it is one, and was bound.
    pub(super) fn bind_chain(&mut self, p: &syn::PatIdent, init: &syn::Expr) -> bool {
        let Some(chain) = bound_chain(init) else {
            return false;
        };
        let span = span_of(chain);
        let binding = match self.sequence_of(chain, None) {
            Some(Sequence::Items(iter)) if !is_endless(&iter) && p.mutability.is_some() => {
                match self.length(&iter, span) {
                    Some(len) => {
                        let zero = Expr::usize_literal(0, span);
                        let front = self.kept_between("front", zero);
                        let end = self.kept_between("end", len);
                        Binding::Walk(Box::new(Walk::Items { iter, front, end }))
                    }
                    None => Binding::Poisoned,
                }
            }
            Some(Sequence::Items(iter)) => Binding::Walk(Box::new(Walk::Whole(iter))),
            Some(sequence) => Binding::Walk(Box::new(Walk::Sequence(Rc::new(sequence)))),
            None => Binding::Poisoned,
        };
        self.bind(&p.ident, binding);
        true
    }

    /// Whether the chain that a `let` binds becomes loops, where its name is. One without a derivative does if the text
    /// shows that it goes over a sequence; what others yield is left to std.
    pub(super) fn is_taken_one_by_one(&mut self, chain: &syn::Expr) -> bool {
        self.lenient == 0 && (self.mentions_active(chain) || self.begins_at_sequence(chain))
    }

    /// Whether a chain begins with the elements of what is known to be a sequence.
    fn begins_at_sequence(&self, chain: &syn::Expr) -> bool {
        let syn::Expr::MethodCall(call) = strip(chain) else {
            return false;
        };
        if !begins(&call.method.to_string(), call.args.len()) {
            return self.begins_at_sequence(&call.receiver);
        }
        let ty = match name_of(&call.receiver).and_then(|name| self.lookup(name)) {
            Some(Binding::Var(var)) => self.func.var(var).ty.clone(),
            Some(Binding::View { view, .. }) => view.ty,
            _ => return false,
        };
        self.types.element(&ty).is_some()
    }

    /// What is left of the chain that a name stands for.
    pub(super) fn rest(&mut self, name: &Ident) -> Option<Sequence> {
        let Some(Binding::Walk(walk)) = self.lookup(name) else {
            // What is wrong with it was reported.
            return None;
        };
        let span = name.span();
        Some(match *walk {
            Walk::Whole(iter) => Sequence::Items(iter),
            Walk::Items { iter, front, end } => {
                let from = self.freeze("from", Expr::read_var(front, Ty::USIZE, span));
                let end = Expr::read_var(end, Ty::USIZE, span);
                let len = self.binop(BinOp::Sub, end, from.clone());
                let len = self.in_temp("len", len);
                let behind = Iter::Skip(Box::new(iter), from);
                Sequence::Items(Iter::Take(Box::new(behind), len))
            }
            Walk::Sequence(sequence) => Sequence::clone(&sequence),
        })
    }

    /// The next items of the chain that a name stands for, as they are asked for.
    pub(super) fn steps(&mut self, name: &Ident) -> Option<Sequence> {
        match self.lookup(name) {
            Some(Binding::Walk(walk)) => {
                if let Walk::Items { iter, front, end } = *walk {
                    return Some(Sequence::Source(Source::Steps { iter, front, end }));
                }
                let what = "`by_ref` of a chain without random access";
                self.diags
                    .at(name.span(), catalog::unsupported_iterator(what));
                None
            }
            // What is wrong with it was reported.
            _ => None,
        }
    }

    /// Whether a name stands for something else than a chain that was taken apart.
    pub(super) fn names_no_walk(&self, name: &Ident) -> bool {
        let binding = self.lookup(name);
        !matches!(binding, Some(Binding::Walk(_) | Binding::Poisoned))
    }

    /// The chain whose item a call asks for.
    fn walk_asked(&mut self, call: &syn::ExprMethodCall) -> Option<Walk> {
        match self.lookup(name_of(&call.receiver)?)? {
            Binding::Walk(walk) => Some(*walk),
            _ => None,
        }
    }

    /// `it.next()` and its relatives, where what becomes of the item is seen at once.
    pub(super) fn item_asked(&mut self, e: &syn::Expr) -> Option<Asked> {
        let syn::Expr::MethodCall(call) = strip(e) else {
            return None;
        };
        let walk = self.walk_asked(call)?;
        let name = call.method.to_string();
        match &walk {
            Walk::Items { iter, .. } if name != "len" && is_pure(iter) => {}
            _ => {
                let value = self.method_of_walk(call)?;
                if matches!(value, Value::Error) {
                    let there = super::exits::truth(false);
                    return Some(Asked { there, part: value });
                }
                if name == "len" {
                    return None;
                }
                return self.asked_option(value, span_of(call));
            }
        }
        let (there, at, iter) = self.stepped(&walk, call, &name)?;
        let item = self.item(&iter, &at);
        let part = match name.as_str() {
            "peek" => self.lent(item, span_of(call)),
            _ => item,
        };
        Some(Asked { there, part })
    }

    /// A method of a chain under a name.
    pub(super) fn method_of_walk(&mut self, call: &syn::ExprMethodCall) -> Option<Value> {
        if let (syn::Expr::MethodCall(inner), "is_some" | "is_none") =
            (strip(&call.receiver), call.method.to_string().as_str())
            && let Some(walk) = self.walk_asked(inner)
            && inner.method != "len"
        {
            let (there, ..) = self.stepped(&walk, inner, &inner.method.to_string())?;
            return Some(match call.method == "is_some" {
                true => Value::Expr(there),
                false => Value::Expr(self.not(there)),
            });
        }
        let walk = self.walk_asked(call)?;
        let span = span_of(call);
        let name = call.method.to_string();
        if name == "len" {
            let rest = match &walk {
                Walk::Whole(iter) => self.length(iter, span),
                Walk::Items { front, end, .. } => {
                    let end = Expr::read_var(*end, Ty::USIZE, span);
                    let front = Expr::read_var(*front, Ty::USIZE, span);
                    let len = self.binop(BinOp::Sub, end, front);
                    Some(self.in_temp("len", len))
                }
                Walk::Sequence(_) => None,
            };
            return Some(match rest {
                Some(len) => Value::Expr(len),
                None => self.not_asked(call, &name),
            });
        }
        let Some((there, at, iter)) = self.stepped(&walk, call, &name) else {
            return Some(Value::Error);
        };
        let item_ty = self.fresh_number();
        let (kept, ty) = self.no_item("kept", &item_ty, span);
        self.open();
        let item = self.item(&iter, &at);
        let by_reference = holds_reference(&item);
        let writes = lends_mutably(&item);
        self.keep_item(kept, &item_ty, item, span);
        let (inside, _) = self.close();
        self.emit_if(there, inside, span);
        if writes {
            return Some(self.not_copied(call));
        }
        if name == "peek" || by_reference && !self.is_copied_whole(&item_ty) {
            return Some(self.not_asked(call, &name));
        }
        let place = Place::var(kept, span);
        Some(match by_reference {
            true => Value::Ref(View::new(place, ty, false)),
            false => Value::Place(place, ty),
        })
    }

    fn not_asked(&mut self, call: &syn::ExprMethodCall, name: &str) -> Value {
        let what = format!("`{name}` of this chain, in this place,");
        let at = call.method.span();
        self.diags.at(at, catalog::unsupported_iterator(&what));
        Value::Error
    }

    /// Takes an item, but by `peek`: whether there is one, and its position.
    fn stepped(
        &mut self,
        walk: &Walk,
        call: &syn::ExprMethodCall,
        name: &str,
    ) -> Option<(Expr, Expr, Iter)> {
        let span = span_of(call);
        let Walk::Items { iter, front, end } = walk else {
            self.not_asked(call, name);
            return None;
        };
        let one = || Expr::usize_literal(1, span);
        let first = Expr::read_var(*front, Ty::USIZE, span);
        let behind = Expr::read_var(*end, Ty::USIZE, span);
        let there = match name {
            "nth" => {
                let n = self.usize_argument("n", call.args.first()?);
                let len = self.binop(BinOp::Sub, behind.clone(), first.clone());
                let len = self.in_temp("len", len);
                let there = self.binop(BinOp::Lt, n.clone(), len);
                let there = self.in_temp("there", there);
                // What is skipped is taken, and no more than there is.
                let (at, all) = (self.binop(BinOp::Add, first.clone(), n), behind);
                self.either(*front, there.clone(), (at, all), span);
                there
            }
            _ => {
                let there = self.binop(BinOp::Lt, first.clone(), behind);
                self.in_temp("there", there)
            }
        };
        let at = match name {
            "next_back" => {
                // Where there is none, the position is not used.
                let last = self.kept_between("at", Expr::usize_literal(0, span));
                let behind = Expr::read_var(*end, Ty::USIZE, span);
                self.open();
                let before = self.binop(BinOp::Sub, behind, one());
                self.assign_to(last, before, span);
                self.assign_to(*end, Expr::read_var(last, Ty::USIZE, span), span);
                let (body, _) = self.close();
                self.emit_if(there.clone(), body, span);
                self.in_temp("at", Expr::read_var(last, Ty::USIZE, span))
            }
            _ => self.in_temp("at", first),
        };
        if matches!(name, "next" | "nth") {
            self.open();
            let next = self.binop(BinOp::Add, at.clone(), one());
            self.assign_to(*front, next, span);
            let (body, _) = self.close();
            self.emit_if(there.clone(), body, span);
        }
        Some((there, at, iter.clone()))
    }

    /// `var = if condition { … } else { … }`
    fn either(&mut self, var: VarId, condition: Expr, values: (Expr, Expr), span: Span) {
        let arm = |l: &mut Self, value: Expr| {
            l.open();
            l.assign_to(var, value, span);
            l.close().0
        };
        let arms = vec![arm(self, values.0), arm(self, values.1)];
        let selector = condition;
        self.emit(StmtKind::Switch { selector, arms }, span);
    }

    /// A reference to an item.
    fn lent(&mut self, item: Value, span: Span) -> Value {
        match item {
            Value::Ref(view) => Value::Ref(View {
                depth: view.depth + 1,
                ..view
            }),
            other => match self.place_of(other, span) {
                Some((place, ty)) => Value::Ref(View::new(place, ty, false)),
                None => Value::Error,
            },
        }
    }
}

/// Whether an item is a place, whose position may lie behind the end as long as it is not used.
fn is_pure(iter: &Iter) -> bool {
    match iter {
        Iter::Elements { access, .. } => *access != Access::Value,
        Iter::Enumerate(inner)
        | Iter::Copied(inner)
        | Iter::Skip(inner, _)
        | Iter::Take(inner, _) => is_pure(inner),
        Iter::Zip(a, b) => is_pure(a) && is_pure(b),
        Iter::Range { .. }
        | Iter::Counter
        | Iter::Windows { .. }
        | Iter::Chunks { .. }
        | Iter::Single(..)
        | Iter::Cycle(..)
        | Iter::Rev(..)
        | Iter::StepBy(..)
        | Iter::Cloned(_)
        | Iter::Map(..) => false,
    }
}
