//! *Renaming*: each value that straight-line code gives to a number is a variable of its own.
//!
//! ```text
//! let mut r = x[i] * x[i];        // let r = x[i] * x[i];
//! r += y[i] * y[i];               // let r_1 = r + y[i] * y[i];
//! r = r.sqrt();                   // let r_2 = r_1.sqrt();
//! ```
//!
//! Then no value is overwritten: none is saved for the reverse sweep, and what is cheap is computed again.
//!
//! Legal if each write stands in the block that declares the variable, and neither in a block inside of it nor behind a
//! reference: then one definition reaches each use, the last in front of it.

use proc_macro2::Span;
use syn::ext::IdentExt;

use crate::ir::edit::{blocks_mut, each_name, each_place_within, each_stmt};
use crate::ir::faults::Fault;
use crate::ir::hash::HashMap;
use crate::ir::{
    Block, Expr, Func, Remarks, Stmt, StmtKind, Touch, Transform, Ty, VarId, VarInfo, VarKind,
    binary, shallow_touches, visit_stmts,
};

use super::copies::fresh;

/// Changes the whole function.
pub(super) fn rename(func: &mut Func, remarks: &mut Remarks) {
    // What workers share is known by the variables that they share.
    if !func.parallel.is_empty() {
        return;
    }
    let mut body = std::mem::take(&mut func.body);
    let mut renaming = Renaming {
        declarations: declarations(&body),
        func,
        remarks,
    };
    renaming.block(&mut body, None);
    func.body = body;
}

/// How often each variable is declared.
fn declarations(body: &Block) -> HashMap<VarId, usize> {
    let mut found = HashMap::default();
    visit_stmts(body, &mut |stmt| {
        shallow_touches(stmt, &mut |place, touch| {
            if touch == Touch::Declare {
                *found.entry(place.root).or_default() += 1;
            }
        });
    });
    found
}

struct Renaming<'a> {
    func: &'a mut Func,
    declarations: HashMap<VarId, usize>,
    remarks: &'a mut Remarks,
}

impl Renaming<'_> {
    /// `around`: the innermost loop.
    fn block(&mut self, block: &mut Block, around: Option<Span>) {
        for stmt in &mut block.stmts {
            let inside = if stmt.is_loop() {
                Some(stmt.span)
            } else {
                around
            };
            for inner in blocks_mut(stmt) {
                self.block(inner, inside);
            }
        }
        for at in 0..block.stmts.len() {
            let (declaration, behind) = block.stmts[at..].split_at_mut(1);
            let StmtKind::Let { var, init: Some(_) } = declaration[0].kind else {
                continue;
            };
            let once = self.declarations.get(&var) == Some(&1);
            if once && is_number(self.func, var) && is_straight(behind, var) {
                if let Some(around) = around {
                    let name = self.func.var(var).name.unraw();
                    let how = format!("each value of `{name}` is a variable");
                    self.remarks.applied(around, Transform::Rename, how);
                }
                versions(self.func, behind, var);
            }
        }
    }
}

/// A float of the function's own, of a type that is known.
fn is_number(func: &Func, var: VarId) -> bool {
    let info = func.var(var);
    matches!(info.ty, Ty::F32 | Ty::F64)
        && info.mutable
        && info.kind != VarKind::Param
        && func.result != Some(var)
        && func.failure != Some(var)
}

/// Whether something behind the declaration writes the variable, and nothing but whole statements of this list.
fn is_straight(stmts: &[Stmt], var: VarId) -> bool {
    let mut is_written = false;
    for stmt in stmts {
        let is_write = writes(stmt, var);
        is_written |= is_write;
        let mut inside = false;
        for inner in stmt.kind.blocks() {
            visit_stmts(inner, &mut |stmt| inside |= changes(stmt, var));
        }
        if changes(stmt, var) && !is_write || inside && !Fault::InnerWriteRenamed.is_on() {
            return false;
        }
    }
    is_written
}

/// Whether the statement overwrites the variable, and does nothing else.
fn writes(stmt: &Stmt, var: VarId) -> bool {
    let place = stmt.assigned();
    place.is_some_and(|place| place.is_var() && place.root == var)
}

/// Whether the statement itself does anything to the variable but read it.
fn changes(stmt: &Stmt, var: VarId) -> bool {
    let mut changes = false;
    shallow_touches(stmt, &mut |place, touch| {
        let reads = matches!(touch, Touch::Read | Touch::Length);
        changes |= place.root == var && !reads;
    });
    changes
}

/// Gives each value that these statements write a variable.
fn versions(func: &mut Func, stmts: &mut [Stmt], var: VarId) {
    let user = func.part_of.get(&var).cloned();
    let user = user.unwrap_or_else(|| (var, String::new()));
    func.var_mut(var).mutable = false;
    let ty = func.var(var).ty.clone();
    let mut now = var;
    for stmt in stmts {
        read(stmt, var, now);
        if !writes(stmt, now) {
            continue;
        }
        let init = if let StmtKind::Update { op, value, .. } = &stmt.kind {
            let old = Expr::read_var(now, ty.clone(), stmt.span);
            Some(binary(*op, old, value.clone()))
        } else {
            stmt.stored().cloned()
        };
        let info = VarInfo {
            name: fresh(func, var),
            ..func.var(var).clone()
        };
        now = func.add(info);
        func.part_of.insert(now, user.clone());
        stmt.kind = StmtKind::Let { var: now, init };
    }
}

/// Has the statement, and what is in it, use the value of this moment.
fn read(stmt: &mut Stmt, var: VarId, now: VarId) {
    let mut rename = |stmt: &mut Stmt| {
        each_place_within(stmt, &mut |place| {
            if place.root == var {
                place.root = now;
            }
        });
        each_name(stmt, &mut |name| {
            if *name == var {
                *name = now;
            }
        });
    };
    rename(stmt);
    for inner in blocks_mut(stmt) {
        each_stmt(inner, &mut rename);
    }
}
