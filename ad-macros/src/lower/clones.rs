//! `clone` where the function itself calls it.
//!
//! The sweeps take the place for the value, and copy it when they have to: so the derivative is that of the identity. What
//! `clone` does for a type of the user's is not known, so a statement stands in front that runs it, once, and compares
//! what it returns, in every field; what differs panics.

use proc_macro2::Span;

use super::Lowerer;
use super::finish::place_type;
use super::value::Value;
use crate::ir::{CLONED, Opaque, OpaqueArg, OpaqueKind, Place, Stmt, StmtKind, Ty};

impl Lowerer<'_> {
    /// The value of `receiver.clone()`.
    pub(super) fn cloned(&mut self, receiver: Value, span: Span) -> Value {
        let ty = self.type_of(&receiver);
        if matches!(receiver, Value::Error | Value::Never) || !self.has_unknown_clone(&ty) {
            return Value::Expr(self.operand_raw(receiver, span));
        }
        let Some((place, ty)) = self.place_of(receiver, span) else {
            return Value::Error;
        };
        self.check_clones(&[&place], span);
        Value::Expr(self.read(place, ty))
    }

    /// Whether a value may be, or hold, one of the user's own types, as far as types are known by now.
    pub(super) fn has_unknown_clone(&self, ty: &Ty) -> bool {
        !self.types.is_plain(ty) && self.types.shallow(ty).may_be_own()
    }

    /// The check of the clone of a place, and of `clone_from` with the place that it overwrites in front.
    pub(super) fn check_clones(&mut self, places: &[&Place], span: Span) {
        let args = places.iter().map(|place| {
            let name = self.placeholder(span);
            (name, OpaqueArg::Ref((*place).clone()))
        });
        let args: Vec<_> = args.collect();
        let names = args.iter().map(|(name, _)| name);
        let opaque = Opaque {
            code: syn::parse_quote!((#(#names),*)),
            args,
            kind: OpaqueKind::Other(CLONED),
        };
        self.emit(StmtKind::Opaque(Box::new(opaque)), span);
    }

    /// Whether a statement checks the clone of what turned out to be a type of the language or of std.
    pub(super) fn is_needless_check(&self, stmt: &Stmt) -> bool {
        let StmtKind::Opaque(opaque) = &stmt.kind else {
            return false;
        };
        let known = |arg: &OpaqueArg| match arg {
            OpaqueArg::Ref(place) => {
                !place_type(&self.func, place, &|ty| self.types.finish(ty)).may_be_own()
            }
            OpaqueArg::Place(_) | OpaqueArg::RefMut(_) | OpaqueArg::Value(_) => false,
        };
        matches!(opaque.kind, OpaqueKind::Other(CLONED))
            && opaque.args.iter().all(|(_, a)| known(a))
    }
}
