//! The verifier: declared before use, declared once, no jumps left, no writes to immutable variables, gradients begun
//! before anything else is done with them.
//!
//! Runs on the primal after lowering and after unrolling, and on the sweeps when they are finished. With
//! `RETROGRADE_VERIFY=1`, and in the project's own tests, it runs behind each pass as well, and also compares what the
//! forward sweep computes ([`PrimalOrder`]) and what both versions of a loop compute (`fast.rs`). What it finds is a
//! mistake of the compiler.

mod classes;
mod fast;
mod lanes;
mod primal;
mod procs;
mod simd;
mod versions;
mod writes;

pub(crate) use primal::PrimalOrder;

use super::{Proc, Sweeps, mentions};

use super::{
    Access, ArgMode, Func, Place, Proj, Stmt, StmtKind, Strip, VarId, VarKind, VarSet,
    place_index_reads, ref_mut_places, shallow_accesses, stmt_exprs, stmt_places,
};

/// Whether the verifier runs behind each pass, and not at the end alone, and compares all that it can.
pub(crate) fn is_thorough() -> bool {
    cfg!(test) || std::env::var_os("RETROGRADE_VERIFY").is_some_and(|value| value == "1")
}

/// Checks a primal.
pub(crate) fn verify(func: &Func) -> Result<(), String> {
    let mut scope: VarSet = func.params.iter().map(|p| p.var).collect();
    let check = Check { func, primal: true };
    check.stmts(&func.body.stmts, &mut scope)?;
    match func.result {
        Some(result) if !scope.contains(&result) => Err(format!(
            "the result `{}` is not declared",
            func.var(result).name
        )),
        _ => Ok(()),
    }
}

/// Checks both sweeps.
pub(crate) fn verify_sweeps(sweeps: &Sweeps) -> Result<(), String> {
    let params: VarSet = sweeps.func.params.iter().map(|p| p.var).collect();
    let check = Check {
        func: &sweeps.func,
        primal: false,
    };
    procs::verify(sweeps)?;
    for proc in &sweeps.procs {
        check.proc(proc)?;
    }
    let mut scope = params.clone();
    check.stmts(&sweeps.forward, &mut scope)?;
    let mut scope = params.clone();
    scope.extend(sweeps.yields.iter().copied());
    scope.extend(sweeps.param_bars.iter().map(|(_, bar)| *bar));
    scope.extend(sweeps.result_bar);
    check.stmts(&sweeps.reverse, &mut scope)?;
    let both = match &sweeps.joint {
        Some(joint) => {
            let mut scope = params;
            scope.extend(sweeps.param_bars.iter().map(|(_, bar)| *bar));
            scope.extend(sweeps.result_bar);
            check.stmts(&joint.stmts, &mut scope)?;
            &joint.stmts
        }
        None => &sweeps.reverse,
    };
    for list in sweeps.lists() {
        versions::verify(&sweeps.func, list)?;
        classes::verify(&sweeps.func, list)?;
    }
    let bars = sweeps.param_bars.iter();
    let begun = bars.filter(|(param, _)| sweeps.begun.contains(param));
    begun
        .map(|(_, bar)| *bar)
        .try_for_each(|bar| check.begun(both, bar))
}

struct Check<'a> {
    func: &'a Func,
    primal: bool,
}

impl Check<'_> {
    fn stmts(&self, stmts: &[Stmt], scope: &mut VarSet) -> Result<(), String> {
        for stmt in stmts {
            self.stmt(stmt, scope)?;
        }
        Ok(())
    }

    /// A procedure sees what it is given, and nothing else.
    fn proc(&self, proc: &Proc) -> Result<(), String> {
        let given = proc.interface.given.iter();
        let mut scope: VarSet = given.map(|(var, _)| *var).collect();
        self.stmts(&proc.body.stmts, &mut scope)?;
        let missing = proc.interface.returns().find(|var| !scope.contains(var));
        missing.map_or(Ok(()), |var| {
            let name = &self.func.var(var).name;
            Err(format!(
                "a procedure returns `{name}` and does not declare it"
            ))
        })
    }

    fn stmt(&self, stmt: &Stmt, scope: &mut VarSet) -> Result<(), String> {
        if matches!(stmt.kind, StmtKind::Jump(_) | StmtKind::Labelled(..)) {
            return Err("a jump is left".to_owned());
        }
        self.written_index(stmt)?;
        self.effects(stmt)?;
        let holds_blocks = !stmt.kind.blocks().is_empty();
        let flat = matches!(stmt.kind, StmtKind::Checkpoint(_));
        let mut problem = None;
        let mut declares = Vec::new();
        let branch_yields = matches!(stmt.kind, StmtKind::Branch { .. });
        shallow_accesses(stmt, &mut |var, access| match access {
            Access::Declare => declares.push(var),
            Access::Read | Access::WriteAll | Access::WritePart => {
                if !scope.contains(&var) && !branch_yields {
                    problem = Some(format!(
                        "`{}` is used before it is declared",
                        self.func.var(var).name
                    ));
                }
                let info = self.func.var(var);
                let reference = matches!(info.ty, super::Ty::Ref(true, _));
                if access != Access::Read
                    && !info.mutable
                    && !reference
                    && !first_assignment(stmt, var)
                    && info.kind != VarKind::Param
                {
                    problem = Some(format!("`{}` is written but not mutable", info.name));
                }
            }
        });
        if let Some(problem) = problem {
            return Err(problem);
        }
        for var in &declares {
            if self.primal && scope.contains(var) {
                return Err(format!("`{}` is declared twice", self.func.var(*var).name));
            }
        }
        for block in stmt.kind.blocks() {
            if flat {
                self.stmts(&block.stmts, scope)?;
            } else {
                let mut inner = scope.clone();
                inner.extend(declares.iter().copied());
                self.stmts(&block.stmts, &mut inner)?;
                self.recorded(stmt, &inner)?;
            }
        }
        if !holds_blocks {
            scope.extend(declares);
        } else if let StmtKind::Branch { rec, .. } = &stmt.kind {
            scope.insert(*rec);
        } else if let StmtKind::Procedure(procedure) = &stmt.kind {
            scope.insert(procedure.var);
        }
        Ok(())
    }

    /// What a loop records at the end of its body is declared there.
    fn recorded(&self, stmt: &Stmt, inner: &VarSet) -> Result<(), String> {
        let this = stmt.as_loop().filter(|this| !this.is_reverse());
        let Some(Strip { vars, .. }) = this.and_then(|this| this.strip.as_ref()) else {
            return Ok(());
        };
        match vars.iter().find(|v| !inner.contains(v)) {
            Some(var) => Err(format!(
                "`{}` is recorded before it is declared",
                self.func.var(*var).name
            )),
            None => Ok(()),
        }
    }

    /// A gradient that is not cleared before the sweep: the first statement that touches it begins all of it, or clears
    /// it around what the next such statement begins, once.
    fn begun(&self, reverse: &[Stmt], bar: VarId) -> Result<(), String> {
        let touches = |stmt: &&Stmt| mentions(stmt, bar);
        let mut touching = reverse.iter().filter(touches);
        let begins = |stmt: &Stmt| begins(stmt, bar);
        let first = touching.next().map(|stmt| &stmt.kind);
        let sound = match first {
            Some(StmtKind::BeginAll { dst, .. }) => dst.root == bar,
            Some(StmtKind::ClearAround { .. }) => touching.next().map(begins) == Some(1),
            _ => false,
        };
        if sound && touching.all(|stmt| begins(stmt) == 0) {
            return Ok(());
        }
        let name = &self.func.var(bar).name;
        Err(format!("`{name}` is neither cleared nor begun"))
    }

    /// Rule 1 of the IR: kept code that writes is a statement, or all that a declaration holds.
    fn effects(&self, stmt: &Stmt) -> Result<(), String> {
        if !self.primal || matches!(stmt.kind, StmtKind::Let { .. } | StmtKind::Opaque(_)) {
            return Ok(());
        }
        let mut written = None;
        let places = stmt_places(stmt);
        let indices = places.into_iter().flat_map(Place::index_exprs);
        for e in stmt_exprs(stmt).into_iter().chain(indices) {
            ref_mut_places(e, &mut |place| written = Some(place.root));
        }
        written.map_or(Ok(()), |var| {
            let name = &self.func.var(var).name;
            Err(format!("an expression writes to `{name}`"))
        })
    }

    /// Rule 5 of the IR.
    fn written_index(&self, stmt: &Stmt) -> Result<(), String> {
        if !self.primal {
            return Ok(());
        }
        let mut places = stmt_places(stmt);
        if let StmtKind::CopyFrom { .. } = &stmt.kind {
            places.truncate(1); // what is copied from is only read
        }
        if let StmtKind::Call { args, .. } = &stmt.kind {
            let modes = args.iter().map(|arg| &arg.mode);
            places = modes.filter_map(in_out).collect();
        }
        let memory = |place: &Place| {
            let mut memory = false;
            place_index_reads(place, &mut |p: &Place| {
                memory |= p.proj.iter().any(|x| !matches!(x, Proj::Deref))
            });
            memory
        };
        let Some(place) = places.into_iter().find(|place| memory(place)) else {
            return Ok(());
        };
        Err(format!(
            "the index of a written place in `{}` reads memory",
            self.func.var(place.root).name
        ))
    }
}

/// How many statements begin a gradient, of which an iteration runs one version.
fn begins(stmt: &Stmt, bar: VarId) -> usize {
    let here = matches!(&stmt.kind, StmtKind::Begin { place, .. } if place.root == bar);
    let blocks = stmt.kind.blocks().into_iter();
    let inside = blocks.map(|block| block.stmts.iter().map(|s| begins(s, bar)).sum());
    let inside: usize = if matches!(stmt.kind, StmtKind::Versioned(_)) {
        inside.max().unwrap_or_default()
    } else {
        inside.sum()
    };
    usize::from(here) + inside
}

fn in_out(mode: &ArgMode) -> Option<&Place> {
    match mode {
        ArgMode::InOut(p) => Some(p),
        ArgMode::Value(_) | ArgMode::Shared(_) => None,
    }
}

fn first_assignment(stmt: &Stmt, var: VarId) -> bool {
    matches!(stmt.kind, StmtKind::Assign { init: true, .. })
        || matches!(&stmt.kind, StmtKind::Run(run) if run.interface.begun.contains(&var))
}
