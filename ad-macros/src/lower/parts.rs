//! Parts of containers that may not be there: `get`, `first`, `split_first` and their relatives, where what becomes of
//! them is seen at once, so that no copy stands for the part.

use super::Lowerer;
use super::operator::strip;
use super::value::{Value, View, Want, span_of};
use crate::ir::{BinOp, Expr, Place, Proj, Ty};

/// A part, and whether it is there.
pub(super) struct Asked {
    /// A `bool`, on what does not change until the part is used.
    pub(super) there: Expr,
    pub(super) part: Value,
}

/// Methods of this file, by name and number of arguments.
fn asks(name: &str, args: usize) -> bool {
    matches!(
        (name, args),
        (
            "first"
                | "last"
                | "first_mut"
                | "last_mut"
                | "split_first"
                | "split_last"
                | "split_first_mut"
                | "split_last_mut"
                | "front"
                | "back"
                | "front_mut"
                | "back_mut",
            0
        ) | ("get" | "get_mut", 1)
    )
}

/// Whether an expression may ask for something that no copy stands for: by a method of this file, or of another one.
pub(super) fn asks_for_itself(e: &syn::Expr) -> bool {
    let syn::Expr::MethodCall(call) = strip(e) else {
        return false;
    };
    let (name, args) = (call.method.to_string(), call.args.len());
    let of_chain =
        super::iterate::is_chain(&call.receiver) && super::selected::selects(&name, args);
    let of_walk =
        super::scope::name_of(&call.receiver).is_some() && super::walks::asks(&name, args);
    of_chain || of_walk || asks(&name, args)
}

impl Lowerer<'_> {
    /// Whether code that is kept as written may hand out a copy of such an element: it carries no derivative, and is no
    /// container, to which only a reference leads there.
    pub(super) fn is_kept_whole(&self, element: &Ty) -> bool {
        let container = matches!(
            self.types.shallow(element),
            Ty::Array(..) | Ty::Slice(_) | Ty::Vec(_) | Ty::Queue(_)
        );
        self.types.is_passive(element) && !container
    }

    /// A part of a container, if the expression asks for one: of those whose elements may carry a derivative, or are
    /// containers themselves.
    pub(super) fn part_asked(&mut self, e: &syn::Expr) -> Option<Asked> {
        let syn::Expr::MethodCall(call) = strip(e) else {
            return None;
        };
        if let Some(asked) = self.item_asked(e) {
            return Some(asked);
        }
        if let Some(asked) = self.item_selected(e) {
            return Some(asked);
        }
        let name = call.method.to_string();
        // A copy of what is there.
        if matches!(name.as_str(), "copied" | "cloned") && call.args.is_empty() {
            let Asked { there, part } = self.part_asked(&call.receiver)?;
            let part = match name.as_str() {
                "copied" => super::stages::copy_of(part),
                _ => self.clone_of_item(part, span_of(call)),
            };
            return Some(Asked { there, part });
        }
        if !asks(&name, call.args.len()) || self.lenient > 0 {
            return None;
        }
        // A chain's, or a method's of something else.
        let named = matches!(
            strip(&call.receiver),
            syn::Expr::Path(_) | syn::Expr::Field(_) | syn::Expr::Index(_)
        );
        if !named {
            return None;
        }
        let (mark, declared) = (self.mark(), self.func.vars.len());
        let reported = self.diags.len();
        let base = self.pointee(&call.receiver);
        let ty = self.type_of(&base);
        self.learn_shown(&base, &ty, &call.receiver);
        let element = self.types.element(&ty);
        let plain = matches!(base, Value::Place(..) | Value::Ref(_));
        // A copy of what is written to is none of it, and a slice is none of its elements.
        let itself = name.ends_with("_mut") || name.starts_with("split");
        let is_asked = |element: &Ty| itself || !self.is_kept_whole(element);
        let Some(element) = element.filter(|element| plain && is_asked(element)) else {
            // Names and fields alone leave nothing behind; an index may.
            debug_assert!(self.func.vars.len() >= declared);
            if self.diags.len() == reported && self.mark() == mark {
                return None;
            }
            let value = self.method_on(base, call, Want::Value);
            return self.asked_option(value, span_of(call));
        };
        let span = span_of(call);
        self.note_std_method(&base, &call.method);
        let (place, _) = self.place_of(base, span)?;
        let place = self.freeze_place(place);
        let mutable = name.ends_with("_mut");
        let at = call.args.first();
        if let Some(syn::Expr::Range(range)) = at.map(strip) {
            return self.slice_asked(place, element, range, mutable, span);
        }
        let at = at.map(|at| self.usize_argument("at", at));
        let len = self.len_of(place.clone());
        let len = self.in_temp("len", len);
        let zero = Expr::usize_literal(0, span);
        let there = match &at {
            Some(at) => self.binop(BinOp::Lt, at.clone(), len.clone()),
            None => self.binop(BinOp::Ne, len.clone(), zero.clone()),
        };
        let is_first = name.contains("first") || name.contains("front");
        // Where there is none, the position is not used.
        let last = |l: &mut Self| {
            let one = Expr::usize_literal(1, span);
            let mut builder = super::opaque::Builder::default();
            let len = super::opaque::atom(builder.scalar(l, len.clone()));
            let one = builder.scalar(l, one);
            let code = syn::parse_quote!(#len.saturating_sub(#one));
            let kind = crate::ir::OpaqueKind::Method(syn::Ident::new("saturating_sub", span));
            let e = builder.finish(l, code, kind, Ty::USIZE, span);
            l.in_temp("at", e)
        };
        let at = match at {
            Some(at) => at,
            None if is_first => zero.clone(),
            None => last(self),
        };
        let view = |at: Expr| {
            Value::Ref(View::new(
                place.then(Proj::index(at)),
                element.clone(),
                mutable,
            ))
        };
        let part = if name.starts_with("split") {
            let (lo, hi) = match is_first {
                true => (Expr::usize_literal(1, span), len.clone()),
                false => (zero, at.clone()),
            };
            let rest = place.then(Proj::range(lo, hi));
            let rest = View::new(rest, Ty::Slice(Box::new(element.clone())), mutable);
            Value::Tuple(vec![view(at), Value::Ref(rest)], span)
        } else {
            view(at)
        };
        Some(Asked { there, part })
    }

    /// `v.get(a..b)`
    fn slice_asked(
        &mut self,
        place: Place,
        element: Ty,
        written: &syn::ExprRange,
        mutable: bool,
        span: proc_macro2::Span,
    ) -> Option<Asked> {
        if matches!(written.limits, syn::RangeLimits::Closed(_)) {
            return None;
        }
        let len = self.len_of(place.clone());
        let len = self.in_temp("len", len);
        let lo = match &written.start {
            Some(lo) => self.usize_argument("from", lo),
            None => Expr::usize_literal(0, span),
        };
        let hi = match &written.end {
            Some(hi) => self.usize_argument("to", hi),
            None => len.clone(),
        };
        let ordered = self.binop(BinOp::Le, lo.clone(), hi.clone());
        let inside = self.binop(BinOp::Le, hi.clone(), len);
        let there = self.binop(BinOp::And, ordered, inside);
        let ty = Ty::Slice(Box::new(element));
        let part = Value::Ref(View::new(place.then(Proj::range(lo, hi)), ty, mutable));
        Some(Asked { there, part })
    }

    /// An option that has been lowered, in the same form.
    pub(super) fn asked_option(&mut self, value: Value, span: proc_macro2::Span) -> Option<Asked> {
        let value = self.fixed(value, span);
        let ty = self.type_of(&value);
        let payload = self.types.fresh(super::infer::Kind::General);
        self.types.unify(&ty, &Ty::Option(Box::new(payload)));
        let part = self.projected(&value, Proj::Payload, span);
        let (place, _) = self.place_of(value, span)?;
        let there = self.is_some(place, span);
        Some(Asked { there, part })
    }
}
