//! Saving what a statement overwrites, and putting it back.

use proc_macro2::Span;

use crate::ir::{
    ArgMode, BinOp, Expr, ExprKind, Func, OpaqueArg, Place, Site, Stmt, StmtKind, Ty, VarId,
    control_stmts, place_ty, ref_mut_places, sweep_stmts,
};

/// Statements before the primal statement in the forward sweep, and before its adjoint in the reverse sweep.
#[derive(Default)]
pub(crate) struct Saving {
    pub(crate) save: Vec<Stmt>,
    pub(crate) restore: Vec<Stmt>,
    /// Variables that `save` declares.
    pub(crate) declares: Vec<VarId>,
}

impl Saving {
    /// Nothing is saved: the statement puts the old value back.
    pub(crate) fn by(restore: Stmt) -> Self {
        Saving {
            restore: vec![restore],
            ..Saving::default()
        }
    }
}

/// How the old value of what `stmt` overwrites is kept.
pub(crate) fn saving(func: &mut Func, sites: &mut u32, stmt: &Stmt) -> Saving {
    let mut saving = Saving::default();
    match &stmt.kind {
        StmtKind::Assign { place, .. }
        | StmtKind::Update { place, .. }
        | StmtKind::Truncate { vec: place, .. } => {
            save_place(func, sites, place, &mut saving);
        }
        StmtKind::Fill { slice: place, .. } | StmtKind::CopyFrom { dst: place, .. } => {
            save_slice(sites, place, &mut saving)
        }
        StmtKind::Swap(a, b) => {
            saving
                .restore
                .push(Stmt::new(StmtKind::Swap(a.clone(), b.clone()), stmt.span));
        }
        StmtKind::Push { vec, .. } => saving
            .restore
            .push(Stmt::new(StmtKind::DropLast(vec.clone()), stmt.span)),
        StmtKind::Pop { dest, vec } => {
            let value = Expr::read_var(*dest, func.var(*dest).ty.clone(), stmt.span);
            saving.restore.push(Stmt::new(
                StmtKind::Push {
                    vec: vec.clone(),
                    value,
                },
                stmt.span,
            ));
        }
        StmtKind::Call { args, .. } => {
            for arg in args {
                if let ArgMode::InOut(p) = &arg.mode {
                    save_place(func, sites, p, &mut saving);
                }
            }
        }
        StmtKind::Let { init: Some(e), .. } => {
            let mut places = Vec::new();
            ref_mut_places(e, &mut |p| places.push(p.clone()));
            for place in places {
                save_place(func, sites, &place, &mut saving);
            }
        }
        StmtKind::Opaque(o) => {
            for (_, arg) in &o.args {
                if let OpaqueArg::RefMut(p) = arg {
                    save_place(func, sites, p, &mut saving);
                }
            }
        }
        // They overwrite nothing themselves.
        StmtKind::Let { init: None, .. } | control_stmts!() | sweep_stmts!() => {}
    }
    saving
}

/// Keeps the value of a place: in a variable, or a slice's elements on the tape.
pub(crate) fn save_place(func: &mut Func, sites: &mut u32, place: &Place, saving: &mut Saving) {
    let ty = place_ty(func, place);
    if matches!(ty, Ty::Slice(_)) {
        save_slice(sites, place, saving);
        return;
    }
    let var = func.temp("old", ty.clone(), place.span);
    let value = Expr::new(ExprKind::Read(place.clone()), ty.clone(), place.span);
    saving.save.push(Stmt::new(
        StmtKind::Let {
            var,
            init: Some(value),
        },
        place.span,
    ));
    saving.declares.push(var);
    let value = Expr::read_var(var, ty, place.span);
    saving.restore.insert(
        0,
        Stmt::new(
            StmtKind::Assign {
                place: place.clone(),
                value,
                init: false,
            },
            place.span,
        ),
    );
}

fn save_slice(sites: &mut u32, place: &Place, saving: &mut Saving) {
    let site = new_site(sites);
    saving.save.push(Stmt::new(
        StmtKind::PushSlice {
            site,
            place: place.clone(),
        },
        place.span,
    ));
    saving.restore.insert(
        0,
        Stmt::new(
            StmtKind::PopSlice {
                site,
                place: place.clone(),
            },
            place.span,
        ),
    );
}

pub(crate) fn new_site(sites: &mut u32) -> Site {
    *sites += 1;
    Site(*sites - 1)
}

/// `var = var + 1`
pub(crate) fn increment(var: VarId, span: Span) -> Stmt {
    let ty = Ty::USIZE;
    let read = Expr::read_var(var, ty.clone(), span);
    let one = Expr::usize_literal(1, span);
    let value = Expr::new(
        ExprKind::Binary(BinOp::Add, Box::new(read), Box::new(one)),
        ty,
        span,
    );
    Stmt::new(
        StmtKind::Assign {
            place: Place::var(var, span),
            value,
            init: false,
        },
        span,
    )
}
