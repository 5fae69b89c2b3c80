//! `clone` where the function itself calls it.
//!
//! The sweeps take the place for the value, and copy it when they have to: so the derivative is that of the identity.
//! What
//! `clone` does for a type of the user's is not known, so a statement stands in front that runs it, once, and compares
//! what it returns, in every field; what differs panics.

use proc_macro2::{Ident, Span};

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
        // As the text has it: a type may have a method of this name beside that of `Clone`.
        let by_reference = matches!(receiver, Value::Ref(_));
        let Some((place, ty)) = self.place_of(receiver, span) else {
            return Value::Error;
        };
        let name = self.placeholder(span);
        let code = syn::parse_quote!(#name.clone());
        let arg = if by_reference {
            OpaqueArg::Ref(place.clone())
        } else {
            OpaqueArg::Place(place.clone())
        };
        self.check(code, vec![(name, arg)], span);
        Value::Expr(self.read(place, ty))
    }

    /// Whether a value may be, or hold, one of the user's own types, as far as types are known by now.
    pub(super) fn has_unknown_clone(&self, ty: &Ty) -> bool {
        !self.types.is_plain(ty) && self.types.shallow(ty).may_be_own()
    }

    /// The check of the clone that an iterator or an option makes of a place.
    pub(super) fn check_clone_of(&mut self, place: &Place, span: Span) {
        let name = self.placeholder(span);
        let code = syn::parse_quote!(::core::clone::Clone::clone(#name));
        self.check(code, vec![(name, OpaqueArg::Ref(place.clone()))], span);
    }

    /// The check of `place.clone_from(source)`.
    pub(super) fn check_clone_from(&mut self, place: &Place, source: &Place, span: Span) {
        let [place, source] = [place, source].map(|p| {
            let name = self.placeholder(span);
            (name, OpaqueArg::Ref(p.clone()))
        });
        let (a, b) = (&place.0, &source.0);
        let code = syn::parse_quote!((#a, #b));
        self.check(code, vec![place, source], span);
    }

    fn check(&mut self, code: syn::Expr, args: Vec<(Ident, OpaqueArg)>, span: Span) {
        let kind = OpaqueKind::Other(CLONED);
        let opaque = Opaque { code, args, kind };
        self.emit(StmtKind::Opaque(Box::new(opaque)), span);
    }

    /// Whether a statement checks the clone of what turned out to be a type of the language or of std.
    pub(super) fn is_needless_check(&self, stmt: &Stmt) -> bool {
        let StmtKind::Opaque(opaque) = &stmt.kind else {
            return false;
        };
        let known = |arg: &OpaqueArg| match arg {
            OpaqueArg::Ref(place) | OpaqueArg::Place(place) => {
                !place_type(&self.func, place, &|ty| self.types.finish(ty)).may_be_own()
            }
            OpaqueArg::RefMut(_) | OpaqueArg::Value(_) => false,
        };
        matches!(opaque.kind, OpaqueKind::Other(CLONED))
            && opaque.args.iter().all(|(_, a)| known(a))
    }
}
