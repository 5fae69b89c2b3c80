//! `a.map(|x| …)` on an array: a loop that fills another array. The closure is inlined.

use proc_macro2::Span;

use super::Lowerer;
use super::infer::Kind;
use super::iterate::{Access, Iter};
use super::value::Value;
use crate::ir::{Expr, Len, Place, Proj, StmtKind, Ty};

impl Lowerer<'_> {
    /// Elements are mapped in order, as std does.
    pub(super) fn map_array(
        &mut self,
        receiver: Value,
        f: &syn::Expr,
        element: Ty,
        len: Box<Len>,
        span: Span,
    ) -> Value {
        let Some((place, _)) = self.place_of(receiver, span) else {
            return Value::Error;
        };
        // `map` takes the array by value: the closure can change the variable meanwhile.
        let ty = Ty::Array(Box::new(element.clone()), Some(len.clone()));
        let taken = self.read(place, ty);
        let items = self.temp_let("items", taken);
        let iter = Iter::Elements {
            place: Place::var(items, span),
            element,
            access: Access::Value,
        };
        let Some(drive) = self.drive(iter, None, span) else {
            return Value::Error;
        };
        let element = self.types.fresh(Kind::General);
        let ty = Ty::Array(Box::new(element.clone()), Some(len));
        let mapped = self.temp("mapped", ty.clone(), span);
        self.unstable.insert(mapped);
        self.emit_let(mapped, None, span);
        self.deferred.insert(mapped, span);
        let id = self.fresh_loop();
        self.open();
        let item = self.item(&drive.items, &drive.position);
        let value = self.apply(f, vec![item], span);
        if !self.diverged() {
            let value = self.stored(value, span);
            self.types.unify(&element, &value.ty);
            let place = Place::var(mapped, span).then(Proj::index(drive.position.clone()));
            let init = false;
            self.emit(StmtKind::Assign { place, value, init }, span);
        }
        let (body, _) = self.close();
        self.emit_drive(drive, id, body, span);
        Value::Expr(Expr::read_var(mapped, ty, span))
    }
}
