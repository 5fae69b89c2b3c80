//! Methods that nothing is known of, and those that are kept as written.

use super::Lowerer;
use super::fallible::is_search;
use super::infer::Kind;
use super::method_names::{compares, yields_order};
use super::opaque::Builder;
use super::value::{Value, View, Want, span_of};
use crate::ir::{
    Expr, ExprKind, OpaqueArg, OpaqueKind, Proj, Rule, Ty, converts_to_integer, only_reads,
};
use crate::surroundings::with_text;

impl Lowerer<'_> {
    pub(super) fn unknown_method(
        &mut self,
        receiver: Value,
        call: &syn::ExprMethodCall,
        name: &str,
        want: Want,
    ) -> Value {
        let ty = self.type_of(&receiver);
        let kept =
            self.lenient > 0 || matches!(receiver, Value::Opaque(..)) || self.types.is_passive(&ty);
        if name == "clone" && call.args.is_empty() && !kept {
            return self.cloned(receiver, span_of(call));
        }
        let receiver = match self.own_method(receiver, call, name, want) {
            Ok(value) => return value,
            Err(receiver) => receiver,
        };
        // A number that is not zero. What it yields, rustc checks.
        if name == "get" && call.args.is_empty() && !kept && self.file_has_non_zero() {
            let ty = self.types.fresh(Kind::Int);
            return self.integer_asked(receiver, call, ty);
        }
        if let Value::Opaque(o, ..) = &receiver
            && yields_order(&o.kind)
            && matches!(name, "unwrap" | "expect" | "unwrap_or")
        {
            let kind = OpaqueKind::Other("an order");
            return self.method_as_written(receiver, call, Ty::Passive, kind);
        }
        if let Value::Opaque(o, ..) = &receiver
            && matches!(&o.kind, OpaqueKind::Method(m) if is_search(m))
            && matches!(name, "unwrap" | "expect" | "unwrap_or" | "unwrap_or_else")
        {
            let kind = OpaqueKind::Other("a position");
            return self.method_as_written(receiver, call, Ty::USIZE, kind);
        }
        if let Value::Opaque(o, ..) = &receiver
            && let OpaqueKind::Method(conversion) = &o.kind
            && let Some(integer) = converts_to_integer(&conversion.to_string())
            && matches!(name, "unwrap" | "expect" | "unwrap_or")
        {
            return self.integer_asked(receiver, call, Ty::Int(Some(integer)));
        }
        let ty = match name {
            "len" | "count" | "capacity" if !kept && call.args.is_empty() => {
                let ty = self.types.fresh(Kind::Int);
                return self.integer_asked(receiver, call, ty);
            }
            "len" | "count" | "capacity" => Ty::USIZE,
            "cmp" | "partial_cmp" | "total_cmp" => Ty::Passive,
            "position" | "rposition"
                if matches!(call.args.first(), Some(syn::Expr::Closure(_))) =>
            {
                Ty::Option(Box::new(Ty::USIZE))
            }
            "any" | "all" | "contains" | "contains_key" | "starts_with" | "ends_with" | "eq"
            | "ne" | "lt" | "le" | "gt" | "ge" => Ty::Bool,
            _ if name.starts_with("is_") => Ty::Bool,
            _ => self.types.fresh(Kind::General),
        };
        self.method_as_written(receiver, call, ty, OpaqueKind::Method(call.method.clone()))
    }

    fn file_has_non_zero(&self) -> bool {
        with_text(self.func.name.span(), |text| text.contains("NonZero")).unwrap_or(false)
    }

    /// How much there is of something, as an integer of a type that rustc knows. What is none is an error.
    fn integer_asked(&mut self, receiver: Value, call: &syn::ExprMethodCall, ty: Ty) -> Value {
        let span = span_of(call);
        // A region runs twice, and so may not what is not seen. The length of a sequence is only read.
        let measured = match &receiver {
            Value::Place(place, _) => Some(place),
            Value::Ref(view) => Some(&view.place),
            _ => None,
        };
        if call.method == "len"
            && !self.regions.is_empty()
            && let Some(place) = measured.cloned()
        {
            self.types.unify(&ty, &Ty::USIZE);
            self.require_sequence(&place);
            return Value::Expr(self.len_of(place));
        }
        let kind = OpaqueKind::Method(call.method.clone());
        let written = self.method_as_written(receiver, call, ty.clone(), kind);
        let written = self.stored_raw(written, span);
        Value::Expr(Expr::new(
            ExprKind::Rule(Rule::Integer, vec![written]),
            ty,
            span,
        ))
    }

    /// `receiver.method(args)` kept as written around what has been lowered.
    pub(super) fn method_as_written(
        &mut self,
        mut receiver: Value,
        call: &syn::ExprMethodCall,
        ty: Ty,
        kind: OpaqueKind,
    ) -> Value {
        let span = span_of(call);
        let name = call.method.to_string();
        let mut builder = Builder::default();
        let mark = self.mark();
        let mut args = Vec::new();
        let receiver_ty = self.type_of(&receiver);
        let compares = matches!(name.as_str(), "total_cmp" | "partial_cmp" | "cmp")
            || compares(&name) && self.is_number(&receiver_ty);
        for arg in &call.args {
            args.push(if compares {
                self.compared_argument(&mut builder, arg)
            } else {
                self.kept_argument(&mut builder, arg)
            });
        }
        match &mut receiver {
            Value::Place(place, _) => self.protect_place(place, mark),
            other => self.protect(std::slice::from_mut(other), mark),
        }
        // A question of the user's own is asked of the value itself.
        let asks = name.starts_with("is_") && !only_reads(&name);
        let is_queue = matches!(self.types.shallow(&receiver_ty), Ty::Queue(_));
        let is_end = is_queue && matches!(name.as_str(), "front" | "back");
        let reads = asks || is_end || only_reads(&name);
        let place_written = |l: &Self, place: &crate::ir::Place, ty: &Ty| {
            !l.types.is_plain(ty) && l.may_write_root(place)
        };
        let receiver = match receiver {
            // A method by value takes a copy; the variable stays.
            Value::Place(place, ty) if name.starts_with("into_") => {
                let e = self.read(place, ty);
                builder.arg(self, OpaqueArg::Value(e), span)
            }
            // What `clone` yields is the place itself as long as nothing takes it.
            Value::Expr(e) if name.starts_with("into_") && self.is_read_vector(&e) => {
                builder.arg(self, OpaqueArg::Value(e), span)
            }
            // Behind a shared reference the method cannot write, or rustc rejects it.
            Value::Place(place, ty) if reads && place_written(self, &place, &ty) => {
                let shared = builder.arg(self, OpaqueArg::Ref(place), span);
                if asks {
                    syn::parse_quote!((*#shared))
                } else {
                    shared
                }
            }
            Value::Place(place, ty) if place_written(self, &place, &ty) => {
                let place = self.writable(place);
                builder.operand(self, Value::Ref(View::new(place, ty, true)), span)
            }
            Value::Ref(view) if !view.mutable || reads => {
                builder.arg(self, OpaqueArg::Ref(view.place), span)
            }
            other => builder.operand(self, other, span),
        };
        let receiver = super::opaque::atom(receiver);
        let (method, turbofish) = (&call.method, &call.turbofish);
        let code = syn::parse_quote!(#receiver.#method #turbofish(#(#args),*));
        let code = match kind {
            OpaqueKind::Method(_) => self.answer(code, &receiver_ty, &ty),
            _ => code,
        };
        builder.value_of(self, code, kind, ty, span, false)
    }

    /// Whether the value is a vector of numbers in a place.
    fn is_read_vector(&mut self, e: &Expr) -> bool {
        match self.types.shallow(&e.ty) {
            Ty::Vec(element) => {
                matches!(e.kind, ExprKind::Read(_)) && self.types.is_plain(&element)
            }
            _ => false,
        }
    }

    /// Whether the user may write to the place: its root is `mut`, or a `&mut` parameter or view.
    pub(super) fn may_write_root(&self, place: &crate::ir::Place) -> bool {
        let behind = matches!(place.proj.first(), Some(Proj::Deref));
        match (&self.func.var(place.root).ty, behind) {
            (Ty::Ref(mutable, _), true) => *mutable,
            _ => self.unstable.contains(&place.root),
        }
    }
}
