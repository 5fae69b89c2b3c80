//! Ends of chains that keep one item, or share the items out: `min_by`, `reduce`, `find`, `last`, `unzip`, `partition`.

use proc_macro2::Span;

use super::Lowerer;
use super::infer::{Class, Kind};
use super::opaque::Builder;
use super::operator::strip;
use super::selected::compares_floats;
use super::sequence::Sequence;
use super::stages::lent_to;
use super::value::{Value, View, holds_reference, span_of};
use crate::diag::catalog;
use crate::ir::{
    Expr, ExprKind, Field, Jump, LoopId, OpaqueKind, Place, Proj, StmtKind, Ty, VarId,
};

/// Whether `name` with so many arguments ends a chain in this way.
pub(super) fn is_end(name: &str, args: usize) -> bool {
    matches!(
        (name, args),
        (
            "min_by"
                | "max_by"
                | "min_by_key"
                | "max_by_key"
                | "reduce"
                | "find"
                | "find_map"
                | "partition"
                | "nth",
            1
        ) | ("last" | "unzip" | "next", 0)
    )
}

impl<'l> Lowerer<'l> {
    /// The end of a chain. `call` is one of [`is_end`].
    pub(super) fn end(
        &mut self,
        sequence: &Sequence,
        call: &syn::ExprMethodCall,
        span: Span,
    ) -> Value {
        let name = call.method.to_string();
        match (name.as_str(), call.args.first()) {
            ("unzip", _) => self.unzipped(sequence, span),
            ("partition", Some(f)) => self.partitioned(sequence, f, span),
            (_, f) => self.kept_item(sequence, &name, f, call, span),
        }
    }

    /// An option of one item, or of what became of several.
    fn kept_item(
        &mut self,
        sequence: &Sequence,
        name: &str,
        f: Option<&syn::Expr>,
        call: &syn::ExprMethodCall,
        span: Span,
    ) -> Value {
        let item_ty = self.fresh_number();
        let (kept, ty) = self.no_item("kept", &item_ty, span);
        let id = self.fresh_loop();
        let key = self.types.fresh(Kind::General);
        let keyed = match name {
            "min_by_key" | "max_by_key" => Some(self.no_item("key", &key, span).0),
            _ => None,
        };
        let count = match (name, f) {
            ("nth", Some(n)) => Some(self.usize_argument("n", n)),
            ("next", _) => Some(Expr::usize_literal(0, span)),
            _ => None,
        };
        let count = count.map(|n| {
            let seen = self.accumulator("seen", Ty::USIZE, span);
            let zero = Expr::usize_literal(0, span);
            self.emit_let(seen, Some(zero), span);
            (n, seen)
        });
        let (mut by_reference, mut writes) = (false, false);
        self.run(sequence, id, span, &mut |l, item, next| {
            let item = l.fixed(item, span);
            by_reference |= holds_reference(&item);
            writes |= lends_mutably(&item);
            match (name, f) {
                ("find", Some(f)) => {
                    let Some(selector) = l.predicate(f, &item) else {
                        return;
                    };
                    l.jump_unless(selector, next, span);
                    l.keep_item(kept, &item_ty, item, span);
                    l.emit(StmtKind::Jump(Jump::Break(id)), span);
                }
                ("find_map", Some(f)) => {
                    let option = l.inlined(f, vec![item]);
                    l.payload_or(option, next, span, next, &mut |l, item, _| {
                        l.keep_item(kept, &item_ty, item, span);
                        l.emit(StmtKind::Jump(Jump::Break(id)), span);
                    });
                }
                ("reduce", Some(f)) => l.reduced(kept, &item_ty, item, f, span),
                ("min_by" | "max_by", Some(f)) => {
                    l.compared(kept, &item_ty, item, f, name == "min_by")
                }
                ("min_by_key" | "max_by_key", Some(f)) => {
                    if let Some(keyed) = keyed {
                        let least = name == "min_by_key";
                        l.compared_by_key((kept, &item_ty), (keyed, &key), item, f, least);
                    }
                }
                _ if let Some((n, seen)) = &count => {
                    let at = Expr::read_var(*seen, Ty::USIZE, span);
                    let at = l.in_temp("index", at);
                    l.count_up(*seen, span);
                    let selector = l.binop(crate::ir::BinOp::Eq, at, n.clone());
                    l.jump_unless(selector, next, span);
                    l.keep_item(kept, &item_ty, item, span);
                    l.emit(StmtKind::Jump(Jump::Break(id)), span);
                }
                _ => l.keep_item(kept, &item_ty, item, span),
            }
        });
        if writes {
            return self.not_copied(call);
        }
        if by_reference && compares_floats(call) && self.types.class(&item_ty) == Class::Open {
            let float = self.types.fresh(Kind::Float);
            self.types.unify(&item_ty, &float);
        }
        let copied = !by_reference || self.is_copied_whole(&item_ty);
        if !copied && !matches!(name, "reduce" | "find_map") {
            let what = format!("`{name}` of references to what are not numbers");
            self.diags
                .at(call.method.span(), catalog::unsupported_iterator(&what));
            return Value::Error;
        }
        let place = Place::var(kept, span);
        // What a closure makes of an item may be anything.
        if by_reference && (copied || name != "find_map") {
            // References to items are references to the copy.
            return Value::Ref(View::new(place, ty, false));
        }
        Value::Place(place, ty)
    }

    /// A copy cannot stand for what is written to.
    pub(super) fn not_copied(&mut self, call: &syn::ExprMethodCall) -> Value {
        let what = format!("`{}` of mutable references, in this place,", call.method);
        let at = call.method.span();
        self.diags.at(at, catalog::unsupported_iterator(&what));
        Value::Error
    }

    /// Whether values of the type are numbers or tuples of numbers, so that a copy stands for what a reference leads
    /// to.
    pub(super) fn is_copied_whole(&mut self, ty: &Ty) -> bool {
        self.types.solve();
        match self.types.shallow(ty) {
            Ty::Tuple(parts) => parts.iter().all(|part| self.is_copied_whole(part)),
            Ty::Bool => true,
            ty => matches!(
                self.types.class(&ty),
                Class::Float | Class::Int | Class::Number
            ),
        }
    }

    /// `let mut kept = None;` and its type.
    pub(super) fn no_item(&mut self, base: &str, item_ty: &Ty, span: Span) -> (VarId, Ty) {
        let ty = Ty::Option(Box::new(item_ty.clone()));
        let kept = self.accumulator(base, ty.clone(), span);
        let none = Expr::new(ExprKind::None, ty.clone(), span);
        self.emit_let(kept, Some(none), span);
        (kept, ty)
    }

    /// `kept = Some(item);`
    pub(super) fn keep_item(&mut self, kept: VarId, item_ty: &Ty, item: Value, span: Span) {
        let item = self.stored(referred(item), span);
        self.types.unify(item_ty, &item.ty);
        let ty = Ty::Option(Box::new(item_ty.clone()));
        let some = Expr::new(ExprKind::Some(Box::new(item)), ty, span);
        self.assign_to(kept, some, span);
    }

    fn reduced(&mut self, kept: VarId, item_ty: &Ty, item: Value, f: &syn::Expr, span: Span) {
        // A copy stands for what a shared reference to a number leads to.
        let (item, lent) = match item {
            Value::Ref(view)
                if !view.mutable && view.depth == 0 && self.is_copied_whole(&view.ty) =>
            {
                self.types.unify(item_ty, &view.ty);
                let copy = self.read(view.place, view.ty);
                let copy = self.temp_let("item", copy);
                (Value::Place(Place::var(copy, span), item_ty.clone()), true)
            }
            item => (item, false),
        };
        if holds_reference(&item) {
            self.diags
                .over(f, catalog::unsupported_iterator("`reduce` of references"));
            return;
        }
        let place = Place::var(kept, span);
        let selector = self.is_some(place.clone(), span);
        self.open();
        let old = Value::Place(place.then(Proj::Payload), item_ty.clone());
        // Both are values of the closure from here on.
        let old = self.stored(old, span);
        let old = self.temp_let("reduced", old);
        let old = Value::Place(Place::var(old, span), item_ty.clone());
        let both = [old, item.clone()].map(|value| match value {
            Value::Place(place, ty) if lent => Value::Ref(View::new(place, ty, false)),
            Value::Place(place, ty) => Value::Expr(Expr::new(ExprKind::Read(place), ty, span)),
            value => value,
        });
        let next = self.inlined(f, both.into());
        self.keep_item(kept, item_ty, next, span);
        let (more, _) = self.close();
        self.open();
        self.keep_item(kept, item_ty, item, span);
        let (first, _) = self.close();
        // The first item shows rustc the type of what is kept, before the closure calls a method of it.
        let selector = self.not(selector);
        let arms = vec![first, more];
        self.emit(StmtKind::Switch { selector, arms }, span);
    }

    /// Keeps the item unless the one before is to stay: of equal ones `min_by` yields the first, `max_by` the last.
    fn compared(&mut self, kept: VarId, item_ty: &Ty, item: Value, f: &syn::Expr, least: bool) {
        let span = span_of(f);
        let place = Place::var(kept, span);
        let item = match holds_reference(&item) {
            true => item,
            // What is compared is what is kept.
            false => {
                let item = self.stored(item, span);
                let item = self.in_temp("item", item);
                self.fixed(Value::Expr(item), span)
            }
        };
        let done: LoopId = self.fresh_loop();
        self.open();
        let selector = self.is_some(place.clone(), span);
        // The first item shows rustc the type of what is kept, before the closure calls a method of it.
        self.open();
        self.keep_item(kept, item_ty, item.clone(), span);
        let (first, _) = self.close();
        self.open();
        let old = self.like(&item, place.then(Proj::Payload), item_ty.clone(), span);
        if let Some(greater) = self.is_greater(f, &old, &item) {
            let replaces = if least { greater } else { self.not(greater) };
            self.jump_unless(replaces, Jump::Break(done), span);
        }
        self.keep_item(kept, item_ty, item, span);
        let (rest, _) = self.close();
        let selector = self.not(selector);
        let arms = vec![first, rest];
        self.emit(StmtKind::Switch { selector, arms }, span);
        let (body, _) = self.close();
        self.emit(StmtKind::Labelled(done, body), span);
    }

    /// The same by a key, which is kept beside the item.
    fn compared_by_key(
        &mut self,
        (kept, item_ty): (VarId, &Ty),
        (keyed, key_ty): (VarId, &Ty),
        item: Value,
        f: &syn::Expr,
        least: bool,
    ) {
        let span = span_of(f);
        let (f, shown) = lent_to(f, 0, &item);
        self.passive += 1;
        let key = self.inlined_without_writes(&f, vec![shown]);
        if matches!(key, Value::Error | Value::Never) {
            self.passive -= 1;
            return;
        }
        let key = self.operand(key, span);
        self.passive -= 1;
        self.types.unify(key_ty, &key.ty);
        let key = self.temp_let("key", key);
        let done: LoopId = self.fresh_loop();
        self.open();
        let selector = self.is_some(Place::var(kept, span), span);
        self.open();
        let mut builder = Builder::default();
        let old = Place::var(keyed, span).then(Proj::Payload);
        let old = builder.arg(self, crate::ir::OpaqueArg::Ref(old), span);
        let new = builder.arg(self, crate::ir::OpaqueArg::Ref(Place::var(key, span)), span);
        let code = syn::parse_quote!(
            ::core::cmp::Ord::cmp(#old, #new) == ::core::cmp::Ordering::Greater
        );
        let kind = OpaqueKind::Other("a comparison");
        let greater = builder.finish(self, code, kind, Ty::Bool, span);
        let replaces = if least { greater } else { self.not(greater) };
        self.jump_unless(replaces, Jump::Break(done), span);
        let (rest, _) = self.close();
        self.emit_if(selector, rest, span);
        self.keep_item(kept, item_ty, item, span);
        let key = Value::Place(Place::var(key, span), key_ty.clone());
        self.keep_item(keyed, key_ty, key, span);
        let (body, _) = self.close();
        self.emit(StmtKind::Labelled(done, body), span);
    }

    /// The item at a position, without a loop.
    pub(super) fn item_at(
        &mut self,
        iter: &super::iterate::Iter,
        call: &syn::ExprMethodCall,
        span: Span,
    ) -> Option<Value> {
        let n = match call.args.first() {
            Some(n) => self.usize_argument("n", n),
            None => Expr::usize_literal(0, span),
        };
        let len = self.length(iter, span)?;
        let selector = self.binop(crate::ir::BinOp::Lt, n.clone(), len);
        let item_ty = self.fresh_number();
        let (kept, ty) = self.no_item("kept", &item_ty, span);
        self.open();
        let item = self.item(iter, &n);
        let by_reference = holds_reference(&item);
        let writes = lends_mutably(&item);
        self.keep_item(kept, &item_ty, item, span);
        let (inside, _) = self.close();
        self.emit_if(selector, inside, span);
        if writes {
            return Some(self.not_copied(call));
        }
        if by_reference && !self.is_copied_whole(&item_ty) {
            let what = format!("`{}` of references to what are not numbers", call.method);
            self.diags
                .at(call.method.span(), catalog::unsupported_iterator(&what));
            return Some(Value::Error);
        }
        let place = Place::var(kept, span);
        Some(match by_reference {
            true => Value::Ref(View::new(place, ty, false)),
            false => Value::Place(place, ty),
        })
    }

    /// What is kept, with references where the item has them.
    fn like(&mut self, item: &Value, place: Place, ty: Ty, span: Span) -> Value {
        match item {
            Value::Ref(view) => Value::Ref(View {
                place,
                ty,
                mutable: false,
                depth: view.depth,
            }),
            Value::Tuple(parts, _) => {
                let whole = Value::Place(place, ty);
                let like = parts.iter().zip(0..).map(|(part, at)| {
                    match self.projected(&whole, Proj::Field(Field::at(at, span)), span) {
                        Value::Place(place, ty) => self.like(part, place, ty, span),
                        other => other,
                    }
                });
                Value::Tuple(like.collect(), span)
            }
            _ => Value::Place(place, ty),
        }
    }

    /// `f(&a, &b) == Ordering::Greater`
    pub(super) fn is_greater(&mut self, f: &syn::Expr, a: &Value, b: &Value) -> Option<Expr> {
        let span = span_of(f);
        let f = match strip(f) {
            syn::Expr::Path(p)
                if p.path
                    .segments
                    .last()
                    .is_some_and(|s| s.ident == "total_cmp") =>
            {
                syn::parse_quote!(|a, b| a.total_cmp(b))
            }
            _ => f.clone(),
        };
        let (f, b) = lent_to(&f, 1, b);
        let (f, a) = lent_to(&f, 0, a);
        self.passive += 1;
        let ordering = self.inlined_without_writes(&f, vec![a, b]);
        let greater = match ordering {
            Value::Error | Value::Never => None,
            ordering => {
                let ordering = self.operand(ordering, span);
                let mut builder = Builder::default();
                let ordering = super::opaque::atom(builder.scalar(self, ordering));
                let code = syn::parse_quote!(#ordering == ::core::cmp::Ordering::Greater);
                Some(builder.finish(
                    self,
                    code,
                    OpaqueKind::Other("a comparison"),
                    Ty::Bool,
                    span,
                ))
            }
        };
        self.passive -= 1;
        greater
    }

    /// `unzip` into two vectors.
    fn unzipped(&mut self, sequence: &Sequence, span: Span) -> Value {
        let halves = [self.collecting(span), self.collecting(span)];
        let id = self.fresh_loop();
        self.run(sequence, id, span, &mut |l, item, _| {
            let parts = match item {
                Value::Tuple(parts, _) => parts,
                item => {
                    let item = l.fixed(item, span);
                    let field = |at| Proj::Field(Field::at(at, span));
                    (0..2)
                        .map(|at| l.projected(&item, field(at), span))
                        .collect()
                }
            };
            for (half, part) in halves.iter().zip(parts) {
                l.push_item(half, part, span);
            }
        });
        self.vecs(&halves, span)
    }

    /// `partition` into two vectors: first those for which the closure answers with `true`.
    fn partitioned(&mut self, sequence: &Sequence, f: &syn::Expr, span: Span) -> Value {
        let halves = [self.collecting(span), self.collecting(span)];
        self.types.unify(&halves[0].1, &halves[1].1);
        let id = self.fresh_loop();
        self.run(sequence, id, span, &mut |l, item, _| {
            let item = l.fixed(item, span);
            let Some(selector) = l.predicate(f, &item) else {
                return;
            };
            let arms = halves.iter().map(|half| {
                l.open();
                l.push_item(half, item.clone(), span);
                l.close().0
            });
            let arms = arms.collect();
            l.emit(StmtKind::Switch { selector, arms }, span);
        });
        self.vecs(&halves, span)
    }

    /// `let mut v = Vec::new();` and the type of its elements.
    pub(super) fn collecting(&mut self, span: Span) -> (VarId, Ty) {
        let element = self.types.fresh(Kind::General);
        let ty = Ty::Vec(Box::new(element.clone()));
        self.collecting_into(ty, element, span)
    }

    /// The same for a vector or queue of this type.
    pub(super) fn collecting_into(&mut self, ty: Ty, element: Ty, span: Span) -> (VarId, Ty) {
        let vec = self.accumulator("collected", ty.clone(), span);
        let init = Expr::new(ExprKind::VecNew(None), ty, span);
        self.emit_let(vec, Some(init), span);
        (vec, element)
    }

    /// Pushes an item to a vector of [`Self::collecting`].
    pub(super) fn push_item(&mut self, (vec, element): &(VarId, Ty), item: Value, span: Span) {
        let value = self.stored(item, span);
        self.types.unify(element, &value.ty);
        let vec = Place::var(*vec, span);
        self.emit(StmtKind::Push { vec, value }, span);
    }

    fn vecs(&mut self, halves: &[(VarId, Ty)], span: Span) -> Value {
        let read = |(vec, element): &(VarId, Ty)| {
            let ty = Ty::Vec(Box::new(element.clone()));
            Value::Expr(Expr::read_var(*vec, ty, span))
        };
        Value::Tuple(halves.iter().map(read).collect(), span)
    }
}

/// Whether one can write through a reference in a value.
pub(super) fn lends_mutably(value: &Value) -> bool {
    match value {
        Value::Ref(view) => view.mutable,
        Value::Tuple(parts, _) => parts.iter().any(lends_mutably),
        _ => false,
    }
}

/// What references in a value lead to.
fn referred(value: Value) -> Value {
    match value {
        Value::Ref(view) => Value::Place(view.place, view.ty),
        Value::Tuple(parts, span) => Value::Tuple(parts.into_iter().map(referred).collect(), span),
        other => other,
    }
}
