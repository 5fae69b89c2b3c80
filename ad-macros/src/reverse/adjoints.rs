//! Adjoint variables: one per active variable, and the adjoint place of a place.

use std::rc::Rc;

use proc_macro2::Span;

use crate::analysis::activity::Activity;
use crate::analysis::shapes::Lengths;
use crate::ir::hash::HashMap;
use crate::ir::{
    Class, Expr, ExprKind, Func, Place, Proj, Steps, Stmt, StmtKind, Ty, VarId, VarInfo, VarKind,
    constant_field, has_local_accumulator, has_static_zero, tangent_ty,
};

use super::angles::Pairs;

/// What the derivation of an adjoint needs: fresh variables, activity, and the adjoint of each variable.
pub(crate) struct Adjoints<'a> {
    pub(crate) func: &'a mut Func,
    pub(crate) activity: &'a Activity,
    bars: HashMap<VarId, VarId>,
    /// How many elements vectors have that keep their lengths.
    lengths: &'a Lengths,
    /// Variables with the sine and the cosine of one angle.
    pub(super) angles: Pairs,
    /// Places where the adjoint cannot be derived, with the name of the message.
    pub(crate) unsupported: Vec<(Span, &'static str)>,
}

impl<'a> Adjoints<'a> {
    pub(crate) fn new(func: &'a mut Func, activity: &'a Activity, lengths: &'a Lengths) -> Self {
        let mut this = Adjoints {
            func,
            activity,
            bars: HashMap::default(),
            lengths,
            angles: Pairs::default(),
            unsupported: Vec::new(),
        };
        let params = this.func.params.clone();
        for param in params.iter().filter(|p| p.differentiable()) {
            let ty = tangent_ty(&param.ty);
            let ty = if has_local_accumulator(param) {
                ty
            } else {
                Ty::Ref(true, Box::new(ty))
            };
            this.declare_bar(param.var, ty);
        }
        this
    }

    fn declare_bar(&mut self, var: VarId, ty: Ty) -> VarId {
        let info = self.func.var(var);
        let (base, span) = (
            format!("{}_bar", info.name.to_string().trim_start_matches("r#")),
            info.name.span(),
        );
        let name = self
            .func
            .fresh_name(&base, Span::mixed_site().located_at(span));
        let bar = self.func.add(VarInfo {
            name,
            ty,
            mutable: true,
            kind: VarKind::Temp,
            constant: false,
            class: Class::Adjoint,
            type_of: None,
        });
        self.bars.insert(var, bar);
        bar
    }

    /// The adjoint variable of `var`.
    pub(crate) fn bar(&mut self, var: VarId) -> VarId {
        if let Some(bar) = self.bars.get(&var) {
            return *bar;
        }
        let ty = tangent_ty(&self.func.var(var).ty);
        self.declare_bar(var, ty)
    }

    /// The adjoint variable of `var` if anything has asked for it.
    pub(crate) fn bar_if_used(&self, var: VarId) -> Option<VarId> {
        self.bars.get(&var).copied()
    }

    /// Whose adjoint a variable is, for all adjoints so far.
    pub(crate) fn primals(&self) -> HashMap<VarId, VarId> {
        self.bars.iter().map(|(var, bar)| (*bar, *var)).collect()
    }

    /// Whether something of the place is active. Adjoints of parts that are not hold no more than zeros, or what
    /// nothing reads; but they must have the shapes that their values have, so where shapes can change, all parts
    /// follow.
    pub(crate) fn is_active(&self, place: &Place) -> bool {
        let region = place.region();
        let active = self.activity.is_active(region)
            || self.activity.is_active(place.root)
                && !has_static_zero(&self.func.var(place.root).ty);
        // What is written there has no derivative (`analysis::lost`).
        active && constant_field(self.func, place).is_none()
    }

    /// The adjoint of a place: the same projections from the root's adjoint. Adjoints own: where a part is a reference,
    /// its adjoint is that of what it points to.
    pub(crate) fn bar_place(&mut self, place: &Place) -> Place {
        let root = self.bar(place.root);
        let behind_reference = matches!(self.func.var(root).ty, Ty::Ref(..));
        let steps = place.proj.iter().enumerate();
        let owned = steps.filter(|(k, step)| *k == 0 || !matches!(step, Proj::Deref));
        let mut proj: Steps = owned.map(|(_, step)| of_adjoint(step)).collect();
        let dereferenced = matches!(proj.first(), Some(Proj::Deref));
        if behind_reference && !dereferenced {
            proj.insert(0, Proj::Deref);
        } else if !behind_reference && dereferenced {
            proj.remove(0);
        }
        Place {
            root,
            proj,
            span: place.span,
        }
    }

    /// Binds an adjoint to a fresh immutable variable.
    pub(crate) fn bind(&mut self, value: Expr, out: &mut Vec<Stmt>) -> Expr {
        self.bind_as(Class::Adjoint, "d", value, out)
    }

    /// Binds a value of the function to a fresh immutable variable.
    pub(crate) fn bind_value(&mut self, value: Expr, out: &mut Vec<Stmt>) -> Expr {
        self.bind_as(Class::Primal, "v", value, out)
    }

    fn bind_as(&mut self, class: Class, base: &str, value: Expr, out: &mut Vec<Stmt>) -> Expr {
        let (ty, span) = (value.ty.clone(), value.span);
        let var = self.func.temp_of(class, base, ty.clone(), span);
        out.push(Stmt::new(
            StmtKind::Let {
                var,
                init: Some(value),
            },
            span,
        ));
        Expr::read_var(var, ty, span)
    }

    /// A mutable copy of an adjoint.
    pub(crate) fn copied(&mut self, value: Expr, out: &mut Vec<Stmt>) -> Place {
        let (ty, span) = (value.ty.clone(), value.span);
        let var = self.func.temp_of(Class::Adjoint, "d", ty, span);
        self.func.var_mut(var).mutable = true;
        let kind = StmtKind::Let {
            var,
            init: Some(value),
        };
        out.push(Stmt::new(kind, span));
        Place::var(var, span)
    }

    /// The zero adjoint for what `like` holds.
    pub(crate) fn zero(&self, ty: &Ty, like: &Place, span: Span) -> Expr {
        let kind = if has_static_zero(ty) {
            ExprKind::Zero
        } else if let Some(length) = self.lengths.get(&like.root).filter(|_| like.is_var()) {
            let of = tangent_ty(&ty.element());
            let zero = Expr::new(ExprKind::Zero, of, span);
            ExprKind::VecRepeat(Box::new(zero), Box::new(length.clone()))
        } else {
            ExprKind::ZeroLike(like.clone())
        };
        Expr::new(kind, tangent_ty(ty), span)
    }
}

/// The same step in an adjoint: the variants of its type are those of the tangent.
fn of_adjoint(step: &Proj) -> Proj {
    match step {
        Proj::Variant(part) => Proj::Variant(Rc::new(part.of_tangent())),
        Proj::Deref
        | Proj::Index(_)
        | Proj::Field(_)
        | Proj::Range { .. }
        | Proj::Payload
        | Proj::Unbox => step.clone(),
    }
}
