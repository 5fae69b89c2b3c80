//! No adjoint flows into a value of the function, and nothing is done to one that is for adjoints alone.
//!
//! Each variable says whose values it holds ([`Class`]); a window has the class of its array. Of each statement of the
//! sweeps, and of both versions of a loop, the values that it reads are compared with what it writes. Memory that may
//! hold values of both ([`Class::Either`]: rows of contributions, partial sums) takes and gives anything, so what flows
//! through it is not seen here.

use crate::ir::simd::Simd;
use crate::ir::versions::Windows;
use crate::ir::{
    Arg, ArgMode, BarArg, BinOp, Block, Class, Expr, ExprKind, Func, Group, OpaqueArg, Place, Rule,
    Stmt, StmtKind, VarId, VarSet, adds_zeros, visit_stmts,
};

/// Checks some statements of sweeps, and those in them.
pub(super) fn verify(func: &Func, stmts: &[Stmt]) -> Result<(), String> {
    let classes = Classes { func };
    let mut found = Ok(());
    for stmt in stmts {
        let mut look = |stmt: &Stmt| {
            if found.is_ok() {
                found = classes.stmt(stmt);
            }
        };
        look(stmt);
        let blocks = stmt.kind.blocks();
        blocks
            .into_iter()
            .for_each(|block| visit_stmts(block, &mut look));
    }
    found
}

fn has_mul_add(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Rule(Rule::MulAdd, _)) || e.children().into_iter().any(has_mul_add)
}

struct Classes<'a> {
    func: &'a Func,
}

impl Classes<'_> {
    fn stmt(&self, stmt: &Stmt) -> Result<(), String> {
        match &stmt.kind {
            StmtKind::Let { var, init } => init.iter().try_for_each(|e| self.flows(e, *var)),
            StmtKind::Assign { place, value, .. }
            | StmtKind::Update { place, value, .. }
            | StmtKind::Push { vec: place, value }
            | StmtKind::Fill {
                slice: place,
                value,
            } => self.flows(value, place.root),
            StmtKind::Truncate { vec, len } => self.flows(len, vec.root),
            StmtKind::Swap(a, b) => self.alike(a.root, b.root),
            StmtKind::CopyFrom { dst, src } => self.moves(src.root, dst.root),
            StmtKind::Pop { dest, vec } => self.moves(vec.root, *dest),
            StmtKind::Switch { selector, arms } if self.skips_zeros(selector, arms) => Ok(()),
            StmtKind::Switch { selector, .. } | StmtKind::Branch { selector, .. } => {
                self.decides(selector)
            }
            StmtKind::Loop(this) => {
                let over = this.domain.exprs();
                over.into_iter().try_for_each(|e| self.decides(e))
            }
            StmtKind::Call { args, .. }
            | StmtKind::CallForward { args, .. }
            | StmtKind::RequireCompanion { args, .. } => self.arguments(args),
            StmtKind::CallReverse {
                args, bars, seed, ..
            } => {
                self.arguments(args)?;
                let bars = bars.iter().filter_map(|bar| match bar {
                    BarArg::Place(place) => Some(place),
                    BarArg::Unused(_) => None,
                });
                bars.chain(seed).try_for_each(|bar| self.is_adjoint(bar))
            }
            StmtKind::Opaque(o) => {
                let given = o.args.iter().map(|(_, arg)| arg);
                given.into_iter().try_for_each(|arg| match arg {
                    OpaqueArg::Value(e) => self.decides(e),
                    OpaqueArg::Place(p) | OpaqueArg::Ref(p) | OpaqueArg::RefMut(p) => {
                        self.is_primal(p)
                    }
                })
            }
            StmtKind::Accumulate { dst: place, .. }
            | StmtKind::BeginAll { dst: place, .. }
            | StmtKind::Begin { place, .. }
            | StmtKind::ClearAround { slice: place, .. }
            | StmtKind::SetZero(place)
            | StmtKind::Regrow { vec: place, .. } => self.is_adjoint(place),
            StmtKind::Windows(windows) => self.windows(windows),
            StmtKind::Simd(simd) => self.simd(simd),
            StmtKind::Parallel(parallel) => {
                let mut own = parallel.own.iter();
                own.try_for_each(|own| self.moves(own.done, own.bar))
            }
            // What is recorded is read back into the same variables, what a vector loses flows nowhere, and what a
            // kernel computes lies in memory for either.
            StmtKind::PushRecord { .. }
            | StmtKind::PopRecord { .. }
            | StmtKind::PushSlice { .. }
            | StmtKind::PopSlice { .. }
            | StmtKind::PushRange { .. }
            | StmtKind::PopRange { .. }
            | StmtKind::RecordAt(_)
            | StmtKind::DropLast(_)
            | StmtKind::Recycle(_)
            | StmtKind::Kernel(_)
            | StmtKind::Buffer(_)
            // What they hold is looked at by itself.
            | StmtKind::MatchRecord { .. }
            | StmtKind::Checkpoint(_)
            | StmtKind::Scope(_)
            | StmtKind::Labelled(..)
            | StmtKind::Jump(_)
            | StmtKind::Versioned(_)
            | StmtKind::Check(_)
            | StmtKind::Disjoint(_)
            | StmtKind::Strips(_)
            | StmtKind::InRegisters(_)
            | StmtKind::Procedure(_) => Ok(()),
            // What adjoints there are is no business of procedures.
            StmtKind::Run(run) => {
                let mut given = run.interface.given.iter();
                let adjoint = given.find(|(var, _)| self.class(*var) == Class::Adjoint);
                adjoint.map_or(Ok(()), |(var, _)| {
                    let name = &self.func.var(*var).name;
                    Err(format!("a procedure is given the adjoint `{name}`"))
                })
            }
        }
    }

    fn class(&self, var: VarId) -> Class {
        self.func.var(var).class
    }

    fn name(&self, var: VarId) -> String {
        self.func.var(var).name.to_string()
    }

    /// A value goes into a variable. What the function adds and multiplies is not rounded once.
    fn flows(&self, value: &Expr, to: VarId) -> Result<(), String> {
        if self.class(to) != Class::Primal {
            return Ok(());
        }
        if self.func.class_of(value) == Class::Adjoint {
            return Err(format!("an adjoint flows into `{}`", self.name(to)));
        }
        if has_mul_add(value) {
            return Err(format!("`{}` is computed with `mul_add`", self.name(to)));
        }
        Ok(())
    }

    /// What a variable holds goes into another one.
    fn moves(&self, from: VarId, to: VarId) -> Result<(), String> {
        if self.class(to) == Class::Primal && self.class(from) == Class::Adjoint {
            return Err(format!("an adjoint flows into `{}`", self.name(to)));
        }
        Ok(())
    }

    fn alike(&self, a: VarId, b: VarId) -> Result<(), String> {
        self.moves(a, b)?;
        self.moves(b, a)
    }

    /// Whether nothing but zeros are left out, where some adjoints are zero.
    fn skips_zeros(&self, selector: &Expr, arms: &[Block]) -> bool {
        let mut zeros = VarSet::default();
        let [arm, other] = arms else {
            return false;
        };
        asks_for_zeros(selector, &mut zeros)
            && other.stmts.is_empty()
            && adds_zeros(self.func, &arm.stmts, &mut zeros)
    }

    /// A value decides what is done.
    fn decides(&self, value: &Expr) -> Result<(), String> {
        if self.func.class_of(value) == Class::Adjoint {
            return Err("an adjoint decides what is done".to_owned());
        }
        Ok(())
    }

    fn is_adjoint(&self, place: &Place) -> Result<(), String> {
        if self.class(place.root) == Class::Primal {
            return Err(format!("`{}` is no adjoint", self.name(place.root)));
        }
        Ok(())
    }

    fn is_primal(&self, place: &Place) -> Result<(), String> {
        if self.class(place.root) == Class::Adjoint {
            return Err(format!(
                "code of the function gets `{}`",
                self.name(place.root)
            ));
        }
        Ok(())
    }

    fn arguments(&self, args: &[Arg]) -> Result<(), String> {
        args.iter().try_for_each(|arg| match &arg.mode {
            ArgMode::Value(e) => self.decides(e),
            ArgMode::Shared(p) | ArgMode::InOut(p) => self.is_primal(p),
        })
    }

    /// A window holds what its array does.
    fn windows(&self, windows: &Windows) -> Result<(), String> {
        match windows {
            Windows::Groups(Group { var, of, .. }) | Windows::Element { var, of, .. } => {
                self.alike(*var, of.root)
            }
            Windows::Read { window, .. } | Windows::Extent { window, .. } => {
                self.alike(window.var, window.of.root)
            }
            Windows::Write { windows, .. } => windows
                .iter()
                .try_for_each(|window| self.alike(window.var, window.of.root)),
            Windows::Part { var, part } => self.alike(*var, part.of.root),
            Windows::Shift { var, of, .. } => self.alike(*var, *of),
            Windows::PerLane(lanes) => self.alike(lanes.window.var, lanes.window.of.root),
            Windows::Rows(rows) => self.alike(rows.var, rows.matrix.of.root),
            Windows::Panel(panel) => self.alike(panel.var, panel.of),
            Windows::Stencil { arrays: [a, b], .. } => self.alike(*a, *b),
            Windows::Narrow { .. }
            | Windows::ShiftRecords { .. }
            | Windows::NarrowRecords { .. }
            | Windows::Records { .. } => Ok(()),
        }
    }

    fn simd(&self, simd: &Simd) -> Result<(), String> {
        let mut fixed = simd.fixed.iter();
        fixed.try_for_each(|(var, value)| self.flows(value, *var))?;
        let array = |var| simd.arrays.iter().find(|(array, _)| *array == var);
        simd.cells.iter().try_for_each(|cells| {
            array(cells.array).map_or(Ok(()), |(_, of)| self.alike(cells.var, of.root))
        })
    }
}

/// Whether one of some variables, which are collected, is not zero.
fn asks_for_zeros(e: &Expr, vars: &mut VarSet) -> bool {
    let ExprKind::Binary(op, a, b) = &e.kind else {
        return false;
    };
    if *op == BinOp::Or {
        return asks_for_zeros(a, vars) && asks_for_zeros(b, vars);
    }
    if let (BinOp::Ne, ExprKind::Read(place), ExprKind::Zero) = (op, &a.kind, &b.kind)
        && place.is_var()
    {
        vars.insert(place.root);
        return true;
    }
    false
}
