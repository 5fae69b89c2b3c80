//! Arguments of calls that are parts of the payload of one enum.

use proc_macro2::Span;

use super::Lowerer;
use super::infer::Kind;
use super::memory::is_payload;
use super::side_by_side::told_apart;
use super::value::{Value, View};
use crate::ir::{ArgMode, Expr, ExprKind, Place, StmtKind, Ty};

impl Lowerer<'_> {
    /// References to parts of the payload of one enum, of which one is written: patterns of their own cannot borrow
    /// them at once.
    pub(super) fn parted(&self, values: &[(Value, Span)]) -> Vec<usize> {
        let view = |value: &Value| match value {
            Value::Ref(view) if !self.references.contains(&view.place.root) => Some(view.clone()),
            _ => None,
        };
        let views: Vec<Option<View>> = values.iter().map(|(value, _)| view(value)).collect();
        let meets = |at: usize, view: &View| {
            let mut others = views.iter().enumerate().filter(|(k, _)| *k != at);
            others.any(|(_, other)| {
                other.as_ref().is_some_and(|other| {
                    !told_apart(&other.place, &view.place, false) && (other.mutable || view.mutable)
                })
            })
        };
        let at = |(at, view): (usize, &Option<View>)| {
            let view = view.as_ref()?;
            (is_payload(&view.place) && meets(at, view)).then_some(at)
        };
        views.iter().enumerate().filter_map(at).collect()
    }

    /// The argument in a variable of its own, which is put back behind the call.
    pub(super) fn part_by_value(&mut self, view: View, back: &mut Vec<StmtKind>) -> ArgMode {
        let span = view.place.span;
        let ty = match self.types.shallow(&view.ty) {
            Ty::Slice(_) => self.types.fresh(Kind::General),
            ty => ty,
        };
        let place = self.writable(view.place);
        let value = Expr::new(ExprKind::Read(place.clone()), ty.clone(), span);
        let var = self.temp_let("part", value);
        if !view.mutable {
            return ArgMode::Shared(Place::var(var, span));
        }
        back.push(StmtKind::Assign {
            place,
            value: Expr::read_var(var, ty, span),
            init: false,
        });
        ArgMode::InOut(Place::var(var, span))
    }
}
