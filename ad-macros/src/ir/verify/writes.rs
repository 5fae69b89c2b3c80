//! Both versions of a loop write the same variables, and the same values to them.

use crate::ir::hash::{HashMap, HashSet};
use crate::ir::versions::{Versioned, Windows};
use crate::ir::{Func, Stmt, StmtKind, Touch, VarId, shallow_touches};

/// Whether both versions write the same.
pub(super) fn both(func: &Func, both: &Versioned) -> Result<(), String> {
    let (fast, plain) = (written(&both.fast.stmts), written(&both.plain.stmts));
    let counts = |var: &&VarId| {
        both.resume
            .as_ref()
            .is_some_and(|resume| resume.done == **var)
    };
    let more = both.resume.as_ref().is_some_and(|resume| resume.does_more);
    let differ = (fast.symmetric_difference(&plain))
        .filter(|var| !(counts(var) || more && plain.contains(var)))
        .min();
    let Some(var) = differ else {
        // It knows less than the passes do, and would refuse what it does not understand.
        return if super::is_thorough() {
            super::fast::both(func, both)
        } else {
            Ok(())
        };
    };
    let which = if fast.contains(var) { "fast" } else { "plain" };
    let name = &func.var(*var).name;
    Err(format!(
        "only the {which} version of a loop writes `{name}`"
    ))
}

/// The variables that statements write and do not declare, by windows or by name.
fn written(stmts: &[Stmt]) -> HashSet<VarId> {
    let (mut written, mut declared, mut windows) =
        (HashSet::default(), HashSet::default(), HashMap::default());
    for stmt in stmts {
        collect(stmt, &mut written, &mut declared, &mut windows);
    }
    let mut found = HashSet::default();
    for var in written {
        let mut root = var;
        while let Some(of) = windows.get(&root) {
            root = *of;
        }
        if !declared.contains(&root) {
            found.insert(root);
        }
    }
    found
}

fn collect(
    stmt: &Stmt,
    written: &mut HashSet<VarId>,
    declared: &mut HashSet<VarId>,
    windows: &mut HashMap<VarId, VarId>,
) {
    if let StmtKind::Simd(simd) = &stmt.kind {
        for one in &simd.cells {
            let array = simd.arrays.iter().find(|(var, _)| *var == one.array);
            windows.extend(array.map(|(_, of)| (one.var, of.root)));
        }
    }
    if let StmtKind::Windows(made) = &stmt.kind {
        match &**made {
            Windows::Groups(group) => {
                windows.insert(group.var, group.of.root);
            }
            Windows::Write { windows: made, .. } => {
                windows.extend(made.iter().map(|window| (window.var, window.of.root)));
            }
            Windows::Part { var, part } => {
                windows.insert(*var, part.of.root);
            }
            Windows::PerLane(made) => {
                windows.insert(made.window.var, made.window.of.root);
            }
            Windows::Rows(rows) => {
                windows.insert(rows.var, rows.matrix.of.root);
            }
            Windows::Panel(panel) => {
                windows.insert(panel.var, panel.of);
            }
            Windows::Element { .. }
            | Windows::Read { .. }
            | Windows::Extent { .. }
            | Windows::Stencil { .. }
            | Windows::Narrow { .. }
            | Windows::Shift { .. }
            | Windows::ShiftRecords { .. }
            | Windows::Records { .. }
            | Windows::NarrowRecords { .. } => {}
        }
        return;
    }
    shallow_touches(stmt, &mut |place, touch| match touch {
        Touch::Read | Touch::Length => {}
        Touch::Declare => {
            declared.insert(place.root);
        }
        Touch::Add | Touch::AddInCall | Touch::Write | Touch::Update => {
            written.insert(place.root);
        }
    });
    for block in stmt.kind.blocks() {
        for inner in &block.stmts {
            collect(inner, written, declared, windows);
        }
    }
}
