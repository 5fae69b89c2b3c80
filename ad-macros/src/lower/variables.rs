//! Variables of the function that is lowered, and names for what the compiler adds.

use proc_macro2::{Ident, Span};

use super::Lowerer;
use crate::ir::{Class, Expr, Ty, VarId, VarInfo, VarKind};

impl Lowerer<'_> {
    pub(super) fn placeholder(&mut self, span: Span) -> Ident {
        self.next_placeholder += 1;
        Ident::new(&format!("__retrograde_{}", self.next_placeholder - 1), span)
    }

    /// Declares a compiler temporary (without emitting its `Let`).
    pub(super) fn temp(&mut self, base: &str, ty: Ty, span: Span) -> VarId {
        let var = self.func.temp(base, ty, span);
        self.func.var_mut(var).constant = self.lenient > 0;
        var
    }

    /// `let t = init;` in the current block.
    pub(super) fn temp_let(&mut self, base: &str, init: Expr) -> VarId {
        let span = init.span;
        let var = self.temp(base, init.ty.clone(), span);
        self.emit_let(var, Some(init), span);
        var
    }

    /// The read of a new temporary that holds `init`.
    pub(super) fn in_temp(&mut self, base: &str, init: Expr) -> Expr {
        let (ty, span) = (init.ty.clone(), init.span);
        let var = self.temp_let(base, init);
        Expr::read_var(var, ty, span)
    }

    /// Declares a variable of the user; its name stays if no other variable has it.
    pub(super) fn declare(&mut self, ident: &Ident, ty: Ty, kind: VarKind, mutable: bool) -> VarId {
        let base = syn::ext::IdentExt::unraw(ident).to_string();
        let name = if self.taken.insert(base.clone()) {
            ident.clone()
        } else {
            self.func.fresh_name(&base, ident.span())
        };
        let var = self.func.add(VarInfo {
            name,
            ty,
            mutable: false,
            kind,
            constant: self.lenient > 0,
            class: Class::Primal,
            type_of: None,
        });
        if mutable {
            self.unstable.insert(var);
        }
        var
    }
}
