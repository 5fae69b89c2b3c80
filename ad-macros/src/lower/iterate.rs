//! Iterators: a chain is a position that counts, and a way to the item at a position.
//!
//! All adapters here allow random access, so that item `k` of the chain is an expression of `k` and nothing is
//! kept between items. A closure in the chain is inlined where its item is needed.

use proc_macro2::Span;

use super::Lowerer;
use super::infer::Kind;
use super::operator::strip;
use super::scope::name_of;
use super::sequence::{Sequence, is_sequence};
use super::sources::{has_random_access, source};
use super::value::{Value, View, span_of};
use crate::diag::catalog;
use crate::ir::{BinOp, Expr, ExprKind, Place, Proj, Ty};

/// A chain, its bounds and lengths evaluated.
#[derive(Clone)]
pub(super) enum Iter {
    Range {
        lo: Expr,
        hi: Option<Expr>,
        inclusive: bool,
    },
    /// The items are the values of the loop's counter.
    Counter,
    Elements {
        place: Place,
        element: Ty,
        access: Access,
    },
    Windows {
        place: Place,
        element: Ty,
        size: Expr,
    },
    Chunks {
        place: Place,
        element: Ty,
        size: Expr,
        exact: bool,
        /// The first chunk is the last one of the slice.
        from_end: bool,
        mutable: bool,
        len: Expr,
    },
    /// The same value again: how many times, if there is an end.
    Single(Box<Value>, Option<Expr>),
    /// The chain again and again, and its length.
    Cycle(Box<Iter>, Expr),
    Enumerate(Box<Iter>),
    Zip(Box<Iter>, Box<Iter>),
    Rev(Box<Iter>, Option<Expr>),
    Skip(Box<Iter>, Expr),
    Take(Box<Iter>, Expr),
    StepBy(Box<Iter>, Expr),
    Copied(Box<Iter>),
    Cloned(Box<Iter>),
    Map(Box<Iter>, syn::Expr),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Shared,
    Mutable,
    Value,
}

/// Methods that begin a chain over a container.
pub(super) fn begins(name: &str, args: usize) -> bool {
    matches!(
        (name, args),
        (
            "iter" | "iter_mut" | "into_iter" | "par_iter" | "into_par_iter",
            0
        ) | (
            "windows"
                | "drain"
                | "chunks"
                | "chunks_exact"
                | "chunks_mut"
                | "chunks_exact_mut"
                | "rchunks"
                | "rchunks_exact"
                | "rchunks_mut"
                | "rchunks_exact_mut",
            1
        )
    )
}

/// Whether the expression is a chain of supported adapters, by its text.
pub(super) fn is_chain(e: &syn::Expr) -> bool {
    match strip(e) {
        syn::Expr::Range(r) => r.start.is_some(),
        e @ syn::Expr::Call(_) => source(e).is_some_and(|(_, name)| has_random_access(name)),
        syn::Expr::MethodCall(call) => {
            let name = call.method.to_string();
            match (name.as_str(), call.args.len()) {
                ("into_iter" | "into_par_iter", 0) if is_chain(&call.receiver) => true,
                (name, n) if begins(name, n) => true,
                ("enumerate" | "rev" | "copied" | "cloned" | "cycle", 0)
                | ("skip" | "take" | "step_by" | "zip", 1) => is_chain(&call.receiver),
                ("map", 1) => is_chain(&call.receiver) && is_function(&call.args[0]),
                _ => false,
            }
        }
        _ => false,
    }
}

/// Whether an expression is a closure, or names a closure or a function.
pub(super) fn is_function(f: &syn::Expr) -> bool {
    match strip(f) {
        syn::Expr::Closure(_) | syn::Expr::Path(_) => true,
        syn::Expr::Reference(r) => matches!(strip(&r.expr), syn::Expr::Path(_)),
        _ => false,
    }
}

/// Whether the chain is one of rayon's.
pub(super) fn is_parallel(e: &syn::Expr) -> bool {
    match strip(e) {
        syn::Expr::MethodCall(call) => {
            matches!(
                call.method.to_string().as_str(),
                "par_iter" | "into_par_iter"
            ) || is_parallel(&call.receiver)
        }
        _ => false,
    }
}

impl Lowerer<'_> {
    /// What a `for` runs over.
    pub(super) fn iterated(&mut self, e: &syn::Expr, body: &syn::Block) -> Option<Sequence> {
        let e = match super::walks::rest_of(e) {
            Some(name) if self.names_no_walk(name) => &syn::parse_quote!(#name),
            _ => strip(e),
        };
        if is_sequence(e) {
            return self.sequence_of(e, Some(body));
        }
        if let syn::Expr::MethodCall(call) = e
            && crate::ir::is_iterator_method(&call.method.to_string())
            && !(call.method == "collect" && is_sequence(&call.receiver))
        {
            let method = &super::sequence::first_unsupported(call).method;
            let what = format!("`{method}`");
            self.diags
                .at(method.span(), catalog::unsupported_iterator(&what));
            return None;
        }
        self.owned_or_borrowed(e, Some(body)).map(Sequence::Items)
    }

    /// `e.into_iter()`: by value or by reference, by the type of `e`.
    pub(super) fn owned_or_borrowed(
        &mut self,
        e: &syn::Expr,
        body: Option<&syn::Block>,
    ) -> Option<Iter> {
        let span = span_of(e);
        let value = self.pointee(e);
        match value {
            Value::Ref(view) => {
                let access = if view.mutable {
                    Access::Mutable
                } else {
                    Access::Shared
                };
                self.element_iter(Value::Ref(view), access, span)
            }
            Value::Error | Value::Never => None,
            other => {
                let ty = self.type_of(&other);
                // Of a part of a struct or an enum, rustc checks what it is.
                let open = self.types.is_result(&ty)
                    || matches!(&other, Value::Place(place, _) if self.is_open(place, &ty));
                // A table beside the function: what is read of it is the same by reference.
                if self.types.element(&ty).is_none() && is_constant(e) {
                    return self.element_iter(other, Access::Shared, span);
                }
                if self.types.element(&ty).is_none() && !open {
                    self.diags.over(e, catalog::iterate_unknown());
                    return None;
                }
                // The loop owns the elements: a variable that the body names could change under it.
                let owned = match (&other, name_of(e), body) {
                    (Value::Place(place, _), Some(name), Some(body))
                        if !super::prescan::mentions(body, &name.to_string()) =>
                    {
                        Value::Place(place.clone(), ty)
                    }
                    _ => {
                        let e = self.stored_raw(other, span);
                        let var = self.temp_let("items", e);
                        Value::Place(Place::var(var, span), ty)
                    }
                };
                self.element_iter(owned, Access::Value, span)
            }
        }
    }

    pub(super) fn element_iter(
        &mut self,
        value: Value,
        access: Access,
        span: Span,
    ) -> Option<Iter> {
        let (place, element) = self.container(value, access, span)?;
        Some(Iter::Elements {
            place,
            element,
            access,
        })
    }

    fn container(&mut self, value: Value, access: Access, span: Span) -> Option<(Place, Ty)> {
        if matches!(value, Value::Error | Value::Never) {
            return None;
        }
        let (place, ty) = self.place_of(value, span)?;
        let place = self.freeze_place(place);
        self.check_bounds(&place);
        let view = self.freeze_view(View::new(place, ty, access == Access::Mutable));
        let zero = Expr::usize_literal(0, span);
        let element = match self.types.element(&view.ty) {
            Some(element) => element,
            None => {
                self.require_sequence(&view.place);
                self.part_type(&view.ty, &Proj::index(zero))
            }
        };
        Some((view.place, element))
    }

    /// Evaluates the parts of a chain, in execution order.
    pub(super) fn chain(&mut self, e: &syn::Expr, body: Option<&syn::Block>) -> Option<Iter> {
        match strip(e) {
            syn::Expr::Range(range) => self.range_iter(range),
            syn::Expr::MethodCall(call) => self.adapter(call, body),
            e @ syn::Expr::Call(_) if let Some((call, name)) = source(e) => {
                match self.source_of(call, name, body)? {
                    Sequence::Items(iter) => Some(iter),
                    _ => None,
                }
            }
            other => self.owned_or_borrowed(other, body),
        }
    }

    fn range_iter(&mut self, range: &syn::ExprRange) -> Option<Iter> {
        let span = span_of(range);
        let Some(start) = &range.start else {
            self.diags.over(
                range,
                catalog::unsupported_iterator("a range without a beginning"),
            );
            return None;
        };
        self.passive += 1;
        let mut bounds = self.operands(std::iter::once(&**start).chain(range.end.as_deref()));
        self.passive -= 1;
        let hi = range.end.as_ref().and_then(|_| bounds.pop());
        let lo = bounds.pop()?;
        if let Some(hi) = &hi {
            self.types.unify(&lo.ty, &hi.ty);
        }
        let lo = self.freeze("from", lo);
        let hi = hi.map(|hi| self.freeze("to", hi));
        let _ = span;
        Some(Iter::Range {
            lo,
            hi,
            inclusive: matches!(range.limits, syn::RangeLimits::Closed(_)),
        })
    }

    fn adapter(&mut self, call: &syn::ExprMethodCall, body: Option<&syn::Block>) -> Option<Iter> {
        let span = span_of(call);
        let name = call.method.to_string();
        if matches!(name.as_str(), "into_iter" | "into_par_iter") && is_chain(&call.receiver) {
            return self.chain(&call.receiver, body);
        }
        if begins(&name, call.args.len()) {
            return self.beginning(call, &name, body, span);
        }
        let inner = self.chain(&call.receiver, body)?;
        let boxed = Box::new(inner);
        match name.as_str() {
            "enumerate" => Some(Iter::Enumerate(boxed)),
            "copied" => Some(Iter::Copied(boxed)),
            "cloned" => Some(Iter::Cloned(boxed)),
            "map" => Some(Iter::Map(boxed, call.args[0].clone())),
            _ if has_map(&boxed) && !matches!(name.as_str(), "zip" | "rev" | "take" | "cycle") => {
                self.diags.at(
                    call.method.span(),
                    catalog::unsupported_iterator(&format!("`{name}` after `map`")),
                );
                None
            }
            "cycle" => {
                let Some(len) = self.length(&boxed, span) else {
                    return Some(*boxed);
                };
                Some(Iter::Cycle(boxed, len))
            }
            "rev" => self.reversed(boxed, call, span),
            "zip" => {
                let other = self.beside(&call.args[0], body)?;
                Some(Iter::Zip(boxed, Box::new(other)))
            }
            "skip" | "take" | "step_by" => {
                let n = self.usize_argument("count", &call.args[0]);
                Some(match name.as_str() {
                    "skip" => Iter::Skip(boxed, n),
                    "take" => Iter::Take(boxed, n),
                    _ => Iter::StepBy(boxed, n),
                })
            }
            _ => {
                self.diags.at(
                    call.method.span(),
                    catalog::unsupported_iterator(&format!("`{name}`")),
                );
                None
            }
        }
    }

    /// The argument of `zip`, which needs random access.
    pub(super) fn beside(&mut self, e: &syn::Expr, body: Option<&syn::Block>) -> Option<Iter> {
        match self.sequence_of(e, body)? {
            Sequence::Items(iter) => Some(iter),
            other => self.gathered(other, e),
        }
    }

    fn beginning(
        &mut self,
        call: &syn::ExprMethodCall,
        name: &str,
        body: Option<&syn::Block>,
        span: Span,
    ) -> Option<Iter> {
        if matches!(name, "into_iter" | "into_par_iter") {
            return self.owned_or_borrowed(&call.receiver, body);
        }
        if name == "drain" {
            let (drained, ty) = self.drain_of(call, span)?;
            let drained = Value::Place(Place::var(drained, span), ty);
            return self.element_iter(drained, Access::Value, span);
        }
        let receiver = self.pointee(&call.receiver);
        self.note_std_method(&receiver, &call.method);
        let access = if name.ends_with("_mut") {
            Access::Mutable
        } else {
            Access::Shared
        };
        if call.args.is_empty() {
            return self.element_iter(receiver, access, span);
        }
        let (place, element) = self.container(receiver, access, span)?;
        let size = self.usize_argument("size", &call.args[0]);
        self.require_positive(&size, span);
        if name == "windows" {
            return Some(Iter::Windows {
                place,
                element,
                size,
            });
        }
        let len = self.len_of(place.clone());
        let len = self.in_temp("len", len);
        Some(Iter::Chunks {
            place,
            element,
            size,
            exact: name.contains("chunks_exact"),
            from_end: name.starts_with('r'),
            mutable: access == Access::Mutable,
            len,
        })
    }

    /// An argument that is a `usize`, as it is now.
    pub(super) fn usize_argument(&mut self, base: &str, e: &syn::Expr) -> Expr {
        let e = self.passive_expr(e);
        self.types.unify(&e.ty, &Ty::USIZE);
        self.freeze(base, e)
    }

    /// `windows(0)` and `chunks(0)` panic.
    fn require_positive(&mut self, size: &Expr, span: Span) {
        if matches!(&size.kind, ExprKind::Lit(n) if n.is_int() && n.int() != Some(0)) {
            return;
        }
        let zero = Expr::usize_literal(0, span);
        let holds = self.binop(BinOp::Ne, size.clone(), zero);
        self.require(holds, "chunk and window sizes must be non-zero", span);
    }

    pub(super) fn reversed(
        &mut self,
        inner: Box<Iter>,
        call: &syn::ExprMethodCall,
        span: Span,
    ) -> Option<Iter> {
        if is_range(&inner) {
            // The counter itself runs backwards, where nothing but the range is gone through.
            return Some(Iter::Rev(inner, None));
        }
        match self.length(&inner, span) {
            Some(len) => Some(Iter::Rev(inner, Some(len))),
            None => {
                self.diags.at(
                    call.method.span(),
                    catalog::unsupported_iterator("`rev` of an open range"),
                );
                None
            }
        }
    }

    // Lengths.

    // Items.

    // The loop.

    /// An expected type of a whole chain's items, for reductions.
    pub(super) fn fresh_number(&mut self) -> Ty {
        self.types.fresh(Kind::General)
    }
}

/// Whether an expression is the path of a constant or a static, by its name.
fn is_constant(e: &syn::Expr) -> bool {
    let path = match strip(e) {
        syn::Expr::Path(path) => path,
        // A part of it.
        syn::Expr::Reference(of) if of.mutability.is_none() => return is_constant(&of.expr),
        syn::Expr::Index(part) => return is_constant(&part.expr),
        _ => return false,
    };
    let last = path.path.segments.last().map(|last| last.ident.to_string());
    last.is_some_and(|name| {
        name.chars()
            .all(|c| c.is_uppercase() || c.is_numeric() || c == '_')
    })
}

pub(super) fn is_range(iter: &Iter) -> bool {
    match iter {
        Iter::Range { .. } => true,
        Iter::StepBy(inner, _) => matches!(**inner, Iter::Range { .. }),
        _ => false,
    }
}

fn has_map(iter: &Iter) -> bool {
    match iter {
        Iter::Map(..) => true,
        Iter::Enumerate(i)
        | Iter::Rev(i, _)
        | Iter::Skip(i, _)
        | Iter::Take(i, _)
        | Iter::StepBy(i, _)
        | Iter::Copied(i)
        | Iter::Cycle(i, _)
        | Iter::Cloned(i) => has_map(i),
        Iter::Zip(a, b) => has_map(a) || has_map(b),
        Iter::Range { .. }
        | Iter::Counter
        | Iter::Elements { .. }
        | Iter::Windows { .. }
        | Iter::Single(..)
        | Iter::Chunks { .. } => false,
    }
}
