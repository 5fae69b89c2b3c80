//! What an expression evaluates to during lowering, and how evaluation order is kept.

pub(super) use super::span::span_of;

use proc_macro2::Span;

use super::Lowerer;
use super::infer::Kind;
use crate::diag::catalog;
use crate::ir::{Expr, ExprKind, Opaque, OpaqueKind, Place, Proj, Ty, VarId, expr_reads};

/// A reference: the place it points to.
#[derive(Clone, Debug)]
pub(super) struct View {
    pub(super) place: Place,
    /// The type behind the reference.
    pub(super) ty: Ty,
    pub(super) mutable: bool,
    /// References to this reference: `&&x` has depth 1.
    pub(super) depth: u8,
}

impl View {
    pub(super) fn new(place: Place, ty: Ty, mutable: bool) -> Self {
        View {
            place,
            ty,
            mutable,
            depth: 0,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) enum Value {
    /// A pure expression, not evaluated yet.
    Expr(Expr),
    /// A place, not read yet.
    Place(Place, Ty),
    Ref(View),
    /// A tuple; only as expression keep those whose parts hold no references.
    Tuple(Vec<Value>, Span),
    /// Code kept as written that may have an effect: must become a statement before anything else happens.
    Opaque(Box<Opaque>, Ty, Span),
    Unit,
    /// Evaluation does not come back.
    Never,
    /// Something was wrong, and that was reported.
    Error,
}

/// What the surroundings do with a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Want {
    Discard,
    Value,
    /// It initialises this variable, declared by whoever produces the value.
    Into(VarId),
}

impl Lowerer<'_> {
    /// A place that holds a reference, in an array, a tuple or an option of a parameter, as what the reference points
    /// to.
    pub(super) fn referent(&mut self, value: Value) -> Value {
        match value {
            Value::Place(place, ty) => match self.behind(&place, &ty) {
                Some((place, ty)) => self.referent(Value::Ref(View::new(place, ty, false))),
                None => Value::Place(place, ty),
            },
            Value::Ref(view) => match self.behind(&view.place, &view.ty) {
                Some((place, ty)) => self.referent(Value::Ref(View {
                    depth: view.depth + 1,
                    ..View::new(place, ty, false)
                })),
                None => Value::Ref(view),
            },
            other => other,
        }
    }

    /// What the reference points to that a place holds, if it holds one. A variable that is a reference is looked
    /// through elsewhere.
    fn behind(&mut self, place: &Place, ty: &Ty) -> Option<(Place, Ty)> {
        if let Ty::Ref(false, inner) = self.types.shallow(ty)
            && !place.is_var()
        {
            Some((place.then(Proj::Deref), *inner))
        } else {
            None
        }
    }

    // Values to expressions.

    /// A stand-in after an error or where evaluation does not arrive.
    pub(super) fn dummy(&mut self, span: Span) -> Expr {
        let ty = self.types.fresh(Kind::General);
        let opaque = Opaque {
            code: syn::parse_quote!(::core::unreachable!()),
            args: Vec::new(),
            kind: OpaqueKind::Other("unreachable code"),
        };
        Expr::new(ExprKind::Opaque(Box::new(opaque)), ty, span)
    }

    /// The read of a place. Where the place depends on a reference variable, the read is a statement of its own.
    pub(super) fn read(&mut self, place: Place, ty: Ty) -> Expr {
        let span = place.span;
        self.settle(Expr::new(ExprKind::Read(place), ty, span))
    }

    /// Expressions that go through a reference variable stand alone, so that `dynamic` can make a choice of them.
    pub(super) fn settle(&mut self, e: Expr) -> Expr {
        let mut found = false;
        expr_reads(&e, &mut |p| found |= self.references.contains(&p.root));
        if found { self.in_temp("picked", e) } else { e }
    }

    /// The value as an expression; references stand for what they point to, as operators and methods see them.
    pub(super) fn operand_raw(&mut self, value: Value, span: Span) -> Expr {
        match self.referent(value) {
            Value::Ref(view) => self.read(view.place, view.ty),
            other => self.stored_raw(other, span),
        }
    }

    /// As `operand_raw`, with expensive functions in a variable of their own (rule 7).
    pub(super) fn operand(&mut self, value: Value, span: Span) -> Expr {
        let e = self.operand_raw(value, span);
        self.hoist(e)
    }

    pub(super) fn hoist(&mut self, e: Expr) -> Expr {
        match &e.kind {
            ExprKind::Math(f, _) if f.is_expensive() && self.passive == 0 && self.lenient == 0 => {
                let name = f.name();
                self.in_temp(name, e)
            }
            _ => e,
        }
    }

    /// The value as it is stored in a variable or another value, where references cannot be.
    pub(super) fn stored_raw(&mut self, value: Value, span: Span) -> Expr {
        match self.referent(value) {
            Value::Expr(e) => e,
            Value::Place(place, ty) => self.read(place, ty),
            // What a shared reference leads to stays as it is, so that a copy is as good.
            Value::Ref(view) if !view.mutable && self.is_copied_whole(&view.ty) => {
                self.read(view.place, view.ty)
            }
            Value::Ref(view) if self.is_as_good_copied(&view) => match self.types.element(&view.ty)
            {
                Some(element) if matches!(self.types.shallow(&view.ty), Ty::Slice(_)) => {
                    let copy = ExprKind::ToVec(view.place);
                    self.settle(Expr::new(copy, Ty::Vec(Box::new(element)), span))
                }
                _ => self.read(view.place, view.ty),
            },
            Value::Ref(_) => {
                self.diags.at(span, catalog::reference_in_value());
                self.dummy(span)
            }
            Value::Tuple(values, span) => {
                let parts: Vec<Expr> = values.into_iter().map(|v| self.stored(v, span)).collect();
                let ty = Ty::Tuple(parts.iter().map(|e| e.ty.clone()).collect());
                Expr::new(ExprKind::Tuple(parts), ty, span)
            }
            Value::Opaque(opaque, ty, span) => {
                self.in_temp("value", Expr::new(ExprKind::Opaque(opaque), ty, span))
            }
            Value::Unit => Expr::new(ExprKind::Tuple(Vec::new()), Ty::Unit, span),
            Value::Never | Value::Error => self.dummy(span),
        }
    }

    /// Whether a shared reference can be stored as a copy of what it leads to, with a derivative: the text asks for no
    /// address, and names no cells, which can be written through a shared reference; and what is copied has a size.
    fn is_as_good_copied(&self, view: &View) -> bool {
        let asks = |word: &str| crate::ir::spells(self.source.clone(), word);
        let known = match self.types.shallow(&view.ty) {
            Ty::Struct(_)
            | Ty::Tuple(_)
            | Ty::Array(..)
            | Ty::Vec(_)
            | Ty::Queue(_)
            | Ty::Slice(_) => true,
            Ty::Unknown | Ty::Infer(_) => !self.func.is_function(view.place.root) && !asks("dyn"),
            _ => false,
        };
        let cells = |text: &str| {
            ["Cell", "Mutex", "RwLock", "Atomic"]
                .iter()
                .any(|c| text.contains(c))
        };
        let in_file = crate::surroundings::with_text(self.func.name.span(), cells);
        let plain = !view.mutable && view.depth == 0 && self.lenient == 0 && in_file != Some(true);
        plain
            && known
            && !self.types.is_passive(&view.ty)
            && !["ptr", "as_ptr", "addr"].iter().any(|word| asks(word))
    }

    pub(super) fn stored(&mut self, value: Value, span: Span) -> Expr {
        let e = self.stored_raw(value, span);
        self.hoist(e)
    }

    pub(super) fn type_of(&mut self, value: &Value) -> Ty {
        match value {
            Value::Expr(e) => e.ty.clone(),
            Value::Place(_, ty) | Value::Opaque(_, ty, _) => ty.clone(),
            Value::Ref(view) => view.ty.clone(),
            Value::Tuple(values, _) => Ty::Tuple(values.iter().map(|v| self.type_of(v)).collect()),
            Value::Unit => Ty::Unit,
            Value::Never | Value::Error => self.types.fresh(Kind::General),
        }
    }

    // Several operands.

    // Places that keep their meaning.

    // Reference variables.

    // Joins.
}

/// Whether `value` is a reference or a tuple with one in it.
pub(super) fn holds_reference(value: &Value) -> bool {
    match value {
        Value::Ref(_) => true,
        Value::Tuple(values, _) => values.iter().any(holds_reference),
        _ => false,
    }
}
