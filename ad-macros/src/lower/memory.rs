//! `std::mem`: `swap`, `replace`, `take`.

use proc_macro2::Span;
use quote::quote;

use super::Lowerer;
use super::defaults::default_of;
use super::infer::Class;
use super::operator::strip;
use super::scope::Binding;
use super::value::{Value, View, Want, span_of};
use crate::diag::catalog;
use crate::ir::{Expr, ExprKind, Place, Proj, Stmt, StmtKind, Ty, in_different_fields, same_place};

impl Lowerer<'_> {
    pub(super) fn memory_call(
        &mut self,
        name: &str,
        path: &syn::ExprPath,
        call: &syn::ExprCall,
        span: Span,
    ) -> Value {
        let function = syn::Ident::new(name, Span::call_site());
        self.note_std_function(&path.path, &quote!(::core::mem::#function));
        match (name, call.args.len()) {
            ("swap", 2) => self.memory_swap(call, span),
            ("replace", 2) => self.memory_replace(call, span),
            ("take", 1) => self.memory_take(call, span),
            _ => self.refuse(path, catalog::unsupported_call()),
        }
    }

    fn memory_swap(&mut self, call: &syn::ExprCall, span: Span) -> Value {
        if let Some(done) = self.swap_references(call, span) {
            return done;
        }
        let values = self.sequence(call.args.iter(), |l, e| l.value(e, Want::Value));
        let mut views = Vec::new();
        for value in values {
            match value {
                Value::Ref(view) if view.depth == 0 => views.push(view),
                Value::Error => return Value::Error,
                _ => return self.refuse(&call.args, catalog::reference_too_dynamic()),
            }
        }
        let (Some(b), Some(a)) = (views.pop(), views.pop()) else {
            return Value::Error;
        };
        self.types.unify(&a.ty, &b.ty);
        let ty = a.ty;
        let (a, b) = (self.writable(a.place), self.writable(b.place));
        for stmt in self.swapped(a, b, ty, span) {
            self.emit(stmt.kind, span);
        }
        Value::Unit
    }

    /// Statements that swap two places.
    pub(super) fn swapped(&mut self, a: Place, b: Place, ty: Ty, span: Span) -> Vec<Stmt> {
        if swappable(&a, &b) {
            return vec![Stmt::new(StmtKind::Swap(a, b), span)];
        }
        // No two references lead to one place.
        if same_place(&a, &b) {
            return Vec::new();
        }
        let read = |place: &Place| Expr::new(ExprKind::Read(place.clone()), ty.clone(), span);
        let old = self.func.temp("old", ty.clone(), span);
        let keep = StmtKind::Let {
            var: old,
            init: Some(read(&a)),
        };
        let new = read(&b);
        let old = Expr::read_var(old, ty, span);
        let assigned = [(a, new), (b, old)].map(|(place, value)| StmtKind::Assign {
            place,
            value,
            init: false,
        });
        let kinds = std::iter::once(keep).chain(assigned);
        kinds.map(|kind| Stmt::new(kind, span)).collect()
    }

    /// `mem::swap(&mut a, &mut b)` where `a` and `b` are reference variables: they exchange what they point to.
    fn swap_references(&mut self, call: &syn::ExprCall, span: Span) -> Option<Value> {
        let mut sides: Vec<(crate::ir::VarId, View)> = Vec::new();
        for arg in &call.args {
            let syn::Expr::Reference(r) = strip(arg) else {
                return None;
            };
            let ident = super::scope::name_of(&r.expr)?;
            match self.lookup(ident)? {
                Binding::View {
                    view,
                    var: Some(var),
                } => sides.push((var, view)),
                Binding::View { var: None, .. } => {
                    self.diags.over(arg, catalog::reference_too_dynamic());
                    return Some(Value::Error);
                }
                _ => return None,
            }
        }
        let (Some((b, b_view)), Some((a, a_view))) = (sides.pop(), sides.pop()) else {
            return None;
        };
        self.types.unify(&a_view.ty, &b_view.ty);
        let old = self.freeze_view(a_view);
        self.point(a, &b_view, false);
        self.point(b, &old, false);
        let _ = span;
        Some(Value::Unit)
    }

    fn memory_replace(&mut self, call: &syn::ExprCall, span: Span) -> Value {
        let values = self.sequence(call.args.iter(), |l, e| match l.value(e, Want::Value) {
            value @ Value::Ref(_) => value,
            value => Value::Expr(l.stored(value, span_of(e))),
        });
        let mut values = values.into_iter();
        let (Some(Value::Ref(view)), Some(Value::Expr(value))) = (values.next(), values.next())
        else {
            return self.refuse(&call.args, catalog::reference_too_dynamic());
        };
        self.types.unify(&view.ty, &value.ty);
        Value::Expr(self.take_out(view, value, span))
    }

    fn memory_take(&mut self, call: &syn::ExprCall, span: Span) -> Value {
        let Value::Ref(view) = self.value(&call.args[0], Want::Value) else {
            return self.refuse(&call.args, catalog::reference_too_dynamic());
        };
        let ty = self.types.shallow(&view.ty);
        let zero = match (&ty, self.types.class(&ty)) {
            (_, Class::Float) => Expr::float(0.0, &ty, span),
            (_, Class::Int) => Expr::integer(0, &ty, span),
            (Ty::Bool, _) => self.bool_literal(false, span),
            (Ty::Vec(_) | Ty::Queue(_), _) => {
                return Value::Expr(self.take_out(
                    view,
                    Expr::new(ExprKind::VecNew(None), ty, span),
                    span,
                ));
            }
            (Ty::Option(_), _) => {
                return Value::Expr(self.take_out(view, Expr::new(ExprKind::None, ty, span), span));
            }
            // What a callee returns has a default value, or rustc says that it has none.
            (Ty::Infer(_) | Ty::Unknown | Ty::Struct(_) | Ty::Tuple(_) | Ty::Array(..), _) => {
                let known = self.types.finish(&ty);
                let default =
                    default_of(&known, span).unwrap_or_else(|| Expr::default_value(ty, span));
                return Value::Expr(self.take_out(view, default, span));
            }
            _ => return self.refuse(&call.args, catalog::mem_take()),
        };
        Value::Expr(self.take_out(view, zero, span))
    }

    /// The old value of the place, which then holds `value`.
    pub(super) fn take_out(&mut self, view: View, value: Expr, span: Span) -> Expr {
        let place = self.writable(view.place);
        let value = if reads(&value, &place) {
            self.in_temp("new", value)
        } else {
            value
        };
        let old = Expr::new(ExprKind::Read(place.clone()), view.ty, span);
        let old = self.in_temp("old", old);
        self.emit(
            StmtKind::Assign {
                place,
                value,
                init: false,
            },
            span,
        );
        old
    }
}

/// Whether the places can be borrowed at once by the names that they have here, or are elements of one array, for
/// which there is a method. Neither are parts of the payload of an enum by different patterns, and elements of two
/// rows, or of two views of one array.
fn swappable(a: &Place, b: &Place) -> bool {
    let element = |proj: &Proj| matches!(proj, Proj::Index(_) | Proj::Range { .. });
    let fields = in_different_fields(a, b) && !a.proj.iter().any(element);
    a.root != b.root || !is_payload(a) && !is_payload(b) && (fields || elements_of_one_array(a, b))
}

/// Whether the places differ in their last index alone.
fn elements_of_one_array(a: &Place, b: &Place) -> bool {
    let array = |place: &Place| {
        let (Proj::Index(_), of) = place.proj.split_last()? else {
            return None;
        };
        Some(Place {
            proj: of.into(),
            ..place.clone()
        })
    };
    let arrays = array(a).zip(array(b));
    arrays.is_some_and(|(a, b)| same_place(&a, &b))
}

/// Whether the place lies in the payload of an enum.
pub(super) fn is_payload(place: &Place) -> bool {
    let payload = |proj: &Proj| matches!(proj, Proj::Payload | Proj::Variant(_));
    place.proj.iter().any(payload)
}

fn reads(e: &Expr, place: &Place) -> bool {
    let mut found = false;
    crate::ir::expr_reads(e, &mut |p| found |= p.root == place.root);
    found
}
