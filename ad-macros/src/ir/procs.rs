//! Procedures: what a region under `#[checkpoint]` does, without records.
//!
//! A region runs in the forward sweep, and once more in the reverse sweep of each region around it. What it does is
//! written once, as a procedure over the variables of the function, and run from there. Its recorded form and its
//! reverse have one place each, and stay there.

use super::{Block, Func, Param, Passing, Stmt, StmtKind, Ty, VarId, effects_of};

/// A procedure of the sweeps, by its number. It runs only such as have lower ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct ProcId(pub(crate) usize);

/// Code that runs in several places.
#[derive(Clone, Debug)]
pub(crate) struct Proc {
    pub(crate) interface: Interface,
    /// Declares itself what it begins.
    pub(crate) body: Block,
}

/// Runs a procedure on the variables that it has as parameters.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) proc: ProcId,
    pub(crate) interface: Interface,
}

/// The variables that a procedure shares with where it runs.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Interface {
    /// What it is given, and how.
    pub(crate) given: Vec<(VarId, Given)>,
    /// Values that it is given, and gives back changed.
    pub(crate) changed: Vec<VarId>,
    /// Variables that it assigns first.
    pub(crate) begun: Vec<VarId>,
}

/// How a procedure is given a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Given {
    /// A copy of the value.
    Value,
    /// `&`
    Shared,
    /// `&mut`
    Exclusive,
}

impl Interface {
    /// Of code that is to be a procedure, and assigns `begun` first. `None` if a variable has a type that the text
    /// does not show, since a procedure has to say what it is given, or if a path through the code begins less.
    pub(crate) fn of(func: &Func, body: &Block, begun: &[VarId]) -> Option<Self> {
        let effects = effects_of(&body.stmts);
        let outer = |var: &VarId| !effects.declares.contains(var) && !begun.contains(var);
        let touched = effects.reads.union(&effects.writes);
        let outer: Vec<VarId> = touched.into_iter().filter(outer).collect();
        let mut interface = Interface {
            begun: begun.to_vec(),
            ..Interface::default()
        };
        for var in outer {
            let written = effects.writes.contains(&var);
            let given = match (&func.var(var).ty, written) {
                (ty, _) if ty.is_scalar() => Given::Value,
                (_, true) => Given::Exclusive,
                (_, false) => Given::Shared,
            };
            if !can_be_given(func, var, given) {
                return None;
            }
            interface.given.push((var, given));
            if given == Given::Value && written {
                interface.changed.push(var);
            }
        }
        let sound = |var: &VarId| is_named(&func.var(*var).ty) && begins(&body.stmts, *var);
        begun.iter().all(sound).then_some(interface)
    }

    /// What comes back as values.
    pub(crate) fn returns(&self) -> impl Iterator<Item = VarId> {
        self.changed.iter().chain(&self.begun).copied()
    }

    /// Whether the procedure may write to the variable.
    pub(crate) fn hands_out(&self, var: VarId) -> bool {
        self.given.contains(&(var, Given::Exclusive)) || self.returns().any(|one| one == var)
    }
}

/// The type behind the reference of a parameter, or its own.
pub(crate) fn behind(param: &Param) -> Option<&syn::Type> {
    match (param.passing, &param.written) {
        (Passing::Value, own) => Some(own),
        (Passing::Shared | Passing::InOut, syn::Type::Reference(reference)) => {
            Some(&reference.elem)
        }
        (Passing::Shared | Passing::InOut, _) => None,
    }
}

/// Whether the type of a variable can be written down for a procedure that is given it.
fn can_be_given(func: &Func, var: VarId, given: Given) -> bool {
    let info = func.var(var);
    if is_named(&info.ty) {
        return true;
    }
    let mut params = func.params.iter();
    let param = params.find(|param| param.var == var);
    given != Given::Value && param.and_then(behind).is_some()
}

/// Whether the text shows all of the type.
fn is_named(ty: &Ty) -> bool {
    match ty {
        Ty::F32 | Ty::F64 | Ty::Int(Some(_)) | Ty::Bool | Ty::Char | Ty::Unit => true,
        Ty::Array(t, len) => len.is_some() && is_named(t),
        Ty::Vec(t) | Ty::Queue(t) | Ty::Option(t) => is_named(t),
        Ty::Tuple(parts) => parts.iter().all(is_named),
        Ty::Float
        | Ty::Int(None)
        | Ty::Index
        | Ty::Four(_)
        | Ty::Mirrored(_)
        | Ty::Str
        | Ty::Slice(_)
        | Ty::Ref(..)
        | Ty::Passive
        | Ty::Unknown
        | Ty::Struct(_)
        | Ty::Infer(_) => false,
    }
}

/// Whether each path through the statements assigns a variable that has no value yet.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "what is not named assigns it on some paths at most"
)]
fn begins(stmts: &[Stmt], var: VarId) -> bool {
    stmts.iter().any(|stmt| match &stmt.kind {
        StmtKind::Assign { place, init, .. } => *init && place.root == var,
        StmtKind::Run(run) => run.interface.begun.contains(&var),
        StmtKind::Switch { arms, .. } => arms.iter().all(|arm| begins(&arm.stmts, var)),
        StmtKind::Scope(block) | StmtKind::Checkpoint(block) => begins(&block.stmts, var),
        _ => false,
    })
}
