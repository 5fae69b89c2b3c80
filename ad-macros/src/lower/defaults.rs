//! Values for variables that some path leaves without one.

use proc_macro2::Span;

use crate::ir::{Block, Expr, ExprKind, Func, Lit, Loop, Stmt, StmtKind, Ty, VarId};

use super::exits::truth;

/// Which variables declared without initialiser get the default of their type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Deferred {
    All,
    /// Those that a branch assigns in some of its arms: what is recorded at the end of the block is read on every
    /// path, which rustc accepts only of a variable that every path assigns.
    AssignedOnSomePaths,
}

/// Gives variables declared without initialiser the default of their type.
pub(super) fn give_defaults(
    func: &mut Func,
    block: &mut Block,
    which: Deferred,
    without: &mut Vec<VarId>,
) {
    for n in 0..block.stmts.len() {
        let (stmt, rest) = block.stmts[n..]
            .split_first_mut()
            .expect("within the block");
        match &mut stmt.kind {
            StmtKind::Let { var, init: None }
                if which == Deferred::AssignedOnSomePaths
                    && assigned(rest, *var) != Assigned::OnSomePaths => {}
            // A value that every path assigns needs no other one, and not every type has one.
            StmtKind::Let { var, init: None }
                if func.var(*var).ty.is_unseen() && assigned(rest, *var) == Assigned::Always => {}
            StmtKind::Let {
                var,
                init: init @ None,
            } => match default_beside(&func.var(*var).ty, assigned_value(rest, *var), stmt.span) {
                Some(value) => {
                    *init = Some(value);
                    func.var_mut(*var).mutable = true;
                }
                None => without.push(*var),
            },
            StmtKind::Switch { arms, .. } => arms
                .iter_mut()
                .for_each(|arm| give_defaults(func, arm, which, without)),
            StmtKind::Loop(Loop { body, .. }) | StmtKind::Checkpoint(body) => {
                give_defaults(func, body, which, without)
            }
            _ => {}
        }
    }
}

/// What the statements assign to the variable first.
fn assigned_value(stmts: &[Stmt], var: VarId) -> Option<&Expr> {
    stmts.iter().find_map(|stmt| match &stmt.kind {
        StmtKind::Assign { place, value, .. } if place.root == var && place.is_var() => Some(value),
        kind => {
            let mut blocks = kind.blocks().into_iter();
            blocks.find_map(|block| assigned_value(&block.stmts, var))
        }
    })
}

/// A default for a variable that is assigned such a value. A constant in it, such as a variant without data, is as good
/// as the default of its type, which need not have one.
fn default_beside(ty: &Ty, assigned: Option<&Expr>, span: Span) -> Option<Expr> {
    match (ty, assigned.map(|e| &e.kind)) {
        (ty, Some(ExprKind::Opaque(o)))
            if ty.is_unseen()
                && o.args.is_empty()
                && matches!(&o.code, syn::Expr::Path(path) if names_a_constant(path)) =>
        {
            assigned.cloned()
        }
        (Ty::Tuple(parts), Some(ExprKind::Tuple(values))) if parts.len() == values.len() => {
            let parts = parts.iter().zip(values);
            let parts = parts.map(|(ty, value)| default_beside(ty, Some(value), span));
            let parts = parts.collect::<Option<Vec<_>>>()?;
            Some(Expr::new(ExprKind::Tuple(parts), ty.clone(), span))
        }
        _ => default_of(ty, span),
    }
}

/// Whether the path is that of a constant or variant, by its name: evaluating it has no effect.
fn names_a_constant(path: &syn::ExprPath) -> bool {
    let last = path.path.segments.last();
    last.is_some_and(|last| super::pattern::names_a_constant(&last.ident))
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Assigned {
    Never,
    OnSomePaths,
    Always,
}

/// Whether the statements assign the variable.
pub(super) fn assigned(stmts: &[Stmt], var: VarId) -> Assigned {
    let mut so_far = Assigned::Never;
    for stmt in stmts {
        let here = match &stmt.kind {
            StmtKind::Assign { place, .. } if place.root == var => Assigned::Always,
            StmtKind::Switch { arms, .. } => {
                let mut arms = arms.iter().map(|arm| assigned(&arm.stmts, var));
                let first = arms.next().unwrap_or(Assigned::Never);
                if arms.all(|arm| arm == first) {
                    first
                } else {
                    Assigned::OnSomePaths
                }
            }
            // It may run no iteration.
            StmtKind::Loop(Loop { body, .. }) => match assigned(&body.stmts, var) {
                Assigned::Never => Assigned::Never,
                _ => Assigned::OnSomePaths,
            },
            StmtKind::Checkpoint(body) | StmtKind::Labelled(_, body) => assigned(&body.stmts, var),
            _ => Assigned::Never,
        };
        match here {
            Assigned::Never => {}
            Assigned::OnSomePaths => so_far = here,
            Assigned::Always => return here,
        }
    }
    so_far
}

/// A value of the type that costs nothing, where the macro can name one.
pub(super) fn default_of(ty: &Ty, span: Span) -> Option<Expr> {
    match ty {
        Ty::F32 | Ty::F64 | Ty::Float => Some(Expr::float(0.0, ty, span)),
        Ty::Int(_) => Some(Expr::integer(0, ty, span)),
        Ty::Bool => Some(truth(false)),
        Ty::Char => {
            let space = ExprKind::Lit(Lit::char(' '));
            Some(Expr::new(space, ty.clone(), span))
        }
        Ty::Unit => Some(Expr::new(ExprKind::Tuple(Vec::new()), Ty::Unit, span)),
        Ty::Tuple(parts) => {
            let parts = parts
                .iter()
                .map(|t| default_of(t, span))
                .collect::<Option<Vec<_>>>()?;
            Some(Expr::new(ExprKind::Tuple(parts), ty.clone(), span))
        }
        Ty::Array(element, Some(len)) if element.is_copy() => {
            let value = default_of(element, span)?;
            Some(Expr::new(
                ExprKind::Repeat(Box::new(value), len.clone()),
                ty.clone(),
                span,
            ))
        }
        Ty::Vec(_) | Ty::Queue(_) => Some(Expr::new(ExprKind::VecNew(None), ty.clone(), span)),
        Ty::Option(_) => Some(Expr::new(ExprKind::None, ty.clone(), span)),
        // The results of calls, for the most part. What has no default value is rustc's to say.
        Ty::Unknown | Ty::Struct(_) => Some(Expr::default_value(ty.clone(), span)),
        Ty::Index
        | Ty::Four(_)
        | Ty::Mirrored(_)
        | Ty::Array(..)
        | Ty::Slice(_)
        | Ty::Str
        | Ty::Ref(..)
        | Ty::Passive
        | Ty::Infer(_) => None,
    }
}
