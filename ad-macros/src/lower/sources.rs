//! Where chains begin other than at a container or a bounded range: `std::iter::once` and its relatives, and chains
//! without end. Of those, a loop asks for one item after another until something leaves it.

use proc_macro2::{Ident, Span};
use quote::quote;

use super::Lowerer;
use super::drive::direct;
use super::infer::Kind;
use super::iterate::Iter;
use super::sequence::{Sequence, Sink};
use super::value::{Value, Want, span_of};
use super::walks::{REST, STEPS};
use crate::diag::catalog;
use crate::ir::{BinOp, Domain, Expr, Jump, Loop, LoopId, Place, Proj, StmtKind, Ty, VarId};

/// What yields items one after another.
#[derive(Clone)]
pub(super) enum Source {
    /// The items of a chain by their positions, which have no end.
    Endless { items: Iter, at: VarId, ty: Ty },
    /// `successors(first, f)`: the next item, if there is one, and its type.
    Successors { next: VarId, item: Ty, f: syn::Expr },
    /// `from_fn(f)`
    FromFn(syn::Expr),
    /// `repeat_with(f)`
    RepeatWith(syn::Expr),
    /// The next items of a chain that has a name.
    Steps {
        iter: Iter,
        front: VarId,
        end: VarId,
    },
}

/// The function of `std::iter` that a call calls, by its path; the file says where a name alone comes from.
pub(super) fn source(e: &syn::Expr) -> Option<(&syn::ExprCall, &'static str)> {
    const NAMES: &[(&str, usize)] = &[
        ("once", 1),
        ("repeat", 1),
        ("repeat_n", 2),
        ("successors", 2),
        ("from_fn", 1),
        ("repeat_with", 1),
        ("zip", 2),
    ];
    let syn::Expr::Call(call) = super::operator::strip(e) else {
        return None;
    };
    if super::walks::rest_of(e).is_some() {
        return Some((call, REST));
    }
    if super::walks::steps_of(e).is_some() {
        return Some((call, STEPS));
    }
    let syn::Expr::Path(path) = super::operator::strip(&call.func) else {
        return None;
    };
    let names = super::callee::segment_names(&path.path);
    let last = names.last()?;
    let (name, _) = NAMES
        .iter()
        .find(|(name, args)| name == last && call.args.len() == *args)?;
    let of_iter = match names.as_slice() {
        [.., module, _] => module == "iter",
        [name] => super::known::imported_from_std(name, "iter", span_of(path)),
        [] => false,
    };
    (of_iter && path.qself.is_none()).then_some((call, *name))
}

/// Whether item `k` of what the call yields is an expression of `k`.
pub(super) fn has_random_access(name: &str) -> bool {
    matches!(name, "once" | "repeat" | "repeat_n" | "zip")
}

/// Whether there is always another item.
pub(super) fn is_endless(iter: &Iter) -> bool {
    match iter {
        Iter::Range { hi, .. } => hi.is_none(),
        Iter::Single(_, times) => times.is_none(),
        Iter::Enumerate(inner)
        | Iter::Skip(inner, _)
        | Iter::StepBy(inner, _)
        | Iter::Copied(inner)
        | Iter::Cloned(inner)
        | Iter::Map(inner, _) => is_endless(inner),
        Iter::Zip(a, b) => is_endless(a) && is_endless(b),
        Iter::Counter
        | Iter::Elements { .. }
        | Iter::Windows { .. }
        | Iter::Chunks { .. }
        | Iter::Cycle(..)
        | Iter::Rev(..)
        | Iter::Take(..) => false,
    }
}

impl<'l> Lowerer<'l> {
    /// What makes sure that the path is that of std.
    pub(super) fn note_source(&mut self, call: &syn::ExprCall, name: &str, module: &str) {
        let syn::Expr::Path(path) = super::operator::strip(&call.func) else {
            return;
        };
        let path = super::std_items::without_arguments(&path.path);
        let (name, module) = (
            Ident::new(name, Span::call_site()),
            Ident::new(module, Span::call_site()),
        );
        let text = name.to_string();
        let generics = match (text.as_str(), module == "array") {
            (_, true) => quote!(u8, 1, fn(usize) -> u8),
            ("successors", _) => quote!(u8, fn(&u8) -> ::core::option::Option<u8>),
            ("from_fn", _) => quote!(u8, fn() -> ::core::option::Option<u8>),
            ("repeat_with", _) => quote!(u8, fn() -> u8),
            ("zip", _) => quote!([u8; 1], [u8; 1]),
            _ => quote!(u8),
        };
        let (of_std, used) = (
            quote!(::core::#module::#name::<#generics>),
            quote!(#path::<#generics>),
        );
        self.note_function(path, &of_std, &used);
    }

    /// A chain that begins with a function of `std::iter`.
    pub(super) fn source_of(
        &mut self,
        call: &syn::ExprCall,
        name: &'static str,
        body: Option<&syn::Block>,
    ) -> Option<Sequence> {
        let span = span_of(call);
        if name == REST {
            return self.rest(super::scope::name_of(&call.args[0])?);
        }
        if name == STEPS {
            return self.steps(super::scope::name_of(&call.args[0])?);
        }
        self.note_source(call, name, "iter");
        Some(match name {
            "zip" => {
                let a = self.beside(&call.args[0], body)?;
                let b = self.beside(&call.args[1], body)?;
                Sequence::Items(Iter::Zip(Box::new(a), Box::new(b)))
            }
            "once" | "repeat" | "repeat_n" => {
                let value = self.value(&call.args[0], Want::Value);
                let value = self.fixed(value, span_of(&call.args[0]));
                if matches!(value, Value::Error | Value::Never) {
                    return None;
                }
                let times = match name {
                    "once" => Some(Expr::usize_literal(1, span)),
                    "repeat" => None,
                    _ => Some(self.usize_argument("times", &call.args[1])),
                };
                Sequence::Items(Iter::Single(Box::new(value), times))
            }
            "successors" => {
                let first = self.value(&call.args[0], Want::Value);
                let first = self.stored(first, span);
                let item = self.types.fresh(Kind::General);
                self.types
                    .unify(&first.ty, &Ty::Option(Box::new(item.clone())));
                let next = self.kept_between("next", first);
                let f = call.args[1].clone();
                Sequence::Source(Source::Successors { next, item, f })
            }
            "from_fn" => Sequence::Source(Source::FromFn(call.args[0].clone())),
            _ => Sequence::Source(Source::RepeatWith(call.args[0].clone())),
        })
    }

    /// A chain without end as a source.
    pub(super) fn endless(&mut self, iter: Iter, span: Span) -> Source {
        // A range counts in its own type.
        if let Some((None, items)) = direct(&iter)
            && let Some(start) = start_of(&iter)
        {
            let ty = start.ty.clone();
            let at = self.kept_between("at", start);
            return Source::Endless { items, at, ty };
        }
        let at = self.kept_between("at", Expr::usize_literal(0, span));
        Source::Endless {
            items: iter,
            at,
            ty: Ty::USIZE,
        }
    }

    /// The loop over a source; `id` names it.
    pub(super) fn pull_source(
        &mut self,
        source: &Source,
        id: LoopId,
        span: Span,
        sink: Sink<'_, 'l>,
    ) {
        let next = Jump::Continue(id);
        self.open();
        match source {
            Source::Endless { items, at, ty } => {
                let position = Expr::read_var(*at, ty.clone(), span);
                let position = self.in_temp("k", position);
                let place = Place::var(*at, span);
                let value = Expr::integer(1, ty, span);
                let op = BinOp::Add;
                self.emit(StmtKind::Update { place, op, value }, span);
                let item = self.item(items, &position);
                sink(self, item, next);
            }
            Source::Successors { next: var, item, f } => {
                let place = Place::var(*var, span);
                let some = self.is_some(place.clone(), span);
                self.jump_unless(some, Jump::Break(id), span);
                let value = self.read(place.then(Proj::Payload), item.clone());
                let value = self.in_temp("item", value);
                let value = self.fixed(Value::Expr(value), span);
                // Std asks for the next item before it gives this one.
                let (f, shown) = super::stages::lent_to(f, 0, &value);
                let following = self.inlined(&f, vec![shown]);
                if !matches!(following, Value::Never | Value::Error) {
                    let following = self.stored(following, span);
                    let option = Ty::Option(Box::new(item.clone()));
                    self.types.unify(&option, &following.ty);
                    self.assign_to(*var, following, span);
                    sink(self, value, next);
                }
            }
            Source::FromFn(f) => {
                let mark = self.mark();
                let option = self.apply(f, Vec::new(), span_of(f));
                self.no_lost_writes(f, mark);
                self.payload_or(option, Jump::Break(id), span, next, sink);
            }
            Source::Steps { iter, front, end } => {
                let at = self.in_temp("at", Expr::read_var(*front, Ty::USIZE, span));
                let behind = Expr::read_var(*end, Ty::USIZE, span);
                let there = self.binop(BinOp::Lt, at.clone(), behind);
                self.jump_unless(there, Jump::Break(id), span);
                self.count_up(*front, span);
                let item = self.item(iter, &at);
                sink(self, item, next);
            }
            Source::RepeatWith(f) => {
                let mark = self.mark();
                let item = self.apply(f, Vec::new(), span_of(f));
                self.no_lost_writes(f, mark);
                sink(self, item, next);
            }
        }
        let (body, _) = self.close();
        let made = Loop::forward(id, Domain::Forever, body, None);
        self.emit(StmtKind::Loop(made), span);
    }

    /// The items of a chain without random access, in a vector: what `zip` takes beside another chain.
    pub(super) fn gathered(&mut self, sequence: Sequence, e: &syn::Expr) -> Option<Iter> {
        let span = span_of(e);
        let refuse = |l: &mut Self| {
            let what = "a chain without end, or of references to what are not numbers, behind `filter` or another \
                adapter without random access, in `zip`";
            l.diags.over(e, catalog::unsupported_iterator(what));
        };
        if sequence.has_effects() {
            refuse(self);
            return None;
        }
        let sequence = self.counted(sequence, span)?;
        let collected = self.collecting(span);
        let id = self.fresh_loop();
        let (mut views, mut others) = (false, false);
        self.eager += 1;
        self.run(&sequence, id, span, &mut |l, item, _| {
            let item = match item {
                Value::Ref(view) if !view.mutable && view.depth == 0 => {
                    views = true;
                    Value::Place(view.place, view.ty)
                }
                item => {
                    others |= super::value::holds_reference(&item);
                    item
                }
            };
            if !others {
                l.push_item(&collected, item, span);
            }
        });
        self.eager -= 1;
        let (vec, element) = collected;
        if others || views && !self.is_copied_whole(&element) {
            refuse(self);
            return None;
        }
        Some(Iter::Elements {
            place: Place::var(vec, span),
            element,
            access: match views {
                true => super::iterate::Access::Shared,
                false => super::iterate::Access::Value,
            },
        })
    }
}

/// Where an open range begins.
fn start_of(iter: &Iter) -> Option<Expr> {
    match iter {
        Iter::Range { lo, hi: None, .. } => Some(lo.clone()),
        Iter::Map(inner, _) => start_of(inner),
        _ => None,
    }
}
