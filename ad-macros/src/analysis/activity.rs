//! Activity: varied (depends on a differentiable input) and useful (influences a differentiable output).
//!
//! Lattice: a set of variables, growing. Direction: varied forward, useful backward, both flow-insensitive
//! over whole variables. Assumption: two places overlap only if their roots are equal (IR rule 4).
//! Being wrong on the large side costs adjoint code; on the small side it loses a derivative, so everything
//! whose type may carry one and that is not known to be cut off counts.

use std::collections::HashSet;

use crate::ir::faults::Fault;
use crate::ir::{
    Arg, ArgMode, Block, Callee, CalleeKind, Expr, ExprKind, Func, Opaque, OpaqueArg, Passing,
    Place, StmtKind, Ty, VarId, visit_stmts,
};

/// The result of the analysis.
#[derive(Default, Debug)]
pub(crate) struct Activity {
    pub(crate) varied: HashSet<VarId>,
    pub(crate) useful: HashSet<VarId>,
}

impl Activity {
    /// The varied, useful and active variables by name.
    pub(crate) fn text(&self, func: &Func) -> String {
        let list = |set: &HashSet<VarId>| {
            let mut names: Vec<String> =
                set.iter().map(|v| func.var(*v).name.to_string()).collect();
            names.sort();
            names.join(" ")
        };
        format!(
            "varied: {}\nuseful: {}\n",
            list(&self.varied),
            list(&self.useful)
        )
    }

    pub(crate) fn is_active(&self, var: VarId) -> bool {
        self.varied.contains(&var) && self.useful.contains(&var)
    }

    /// Whether the derivative of `e` can be non-zero.
    pub(crate) fn expr_active(&self, e: &Expr) -> bool {
        let mut found = false;
        carriers(e, &mut |p| found |= self.is_active(p.root));
        found
    }

    pub(crate) fn expr_varied(&self, e: &Expr) -> bool {
        let mut found = false;
        carriers(e, &mut |p| found |= self.varied.contains(&p.root));
        found
    }

    pub(crate) fn opaque_varied(&self, o: &Opaque) -> bool {
        let mut found = false;
        opaque_carriers(o, &mut |p| found |= self.varied.contains(&p.root));
        found
    }

    /// Whether something varied goes into the call, so that the callee must be a function with a companion.
    pub(crate) fn call_varied(&self, args: &[Arg]) -> bool {
        args.iter().any(|arg| self.arg_varied(arg))
    }

    /// Whether the call needs the companion's sweeps.
    pub(crate) fn call_active(&self, func: &Func, dest: Option<VarId>, args: &[Arg]) -> bool {
        let varied = args.iter().any(|arg| self.arg_varied(arg));
        let useful = dest.is_some_and(|d| self.useful.contains(&d))
            || args.iter().any(|arg| match &arg.mode {
                ArgMode::InOut(p) => {
                    self.useful.contains(&p.root) && func.var(p.root).ty.may_carry_derivative()
                }
                ArgMode::Value(_) | ArgMode::Shared(_) => false,
            });
        varied && useful
    }

    /// Whether the callee must have sweeps, also where its derivative is not needed: a plain function could keep what it
    /// gets and give it back later. A predicate, and a method that is only asked something, are trusted.
    pub(crate) fn needs_sweeps(
        &self,
        func: &Func,
        dest: Option<VarId>,
        callee: &Callee,
        args: &[Arg],
    ) -> bool {
        let reads = args.iter().all(|a| !matches!(a.mode, ArgMode::InOut(_)));
        let asked = dest.is_some_and(|dest| {
            let accessor = match (callee.kind, args) {
                (CalleeKind::Method, [_, rest @ ..]) => callee.answers || !self.call_varied(rest),
                _ => false,
            };
            reads && (accessor || func.var(dest).ty == Ty::Bool)
        });
        self.call_active(func, dest, args) || (self.call_varied(args) && !asked)
    }

    fn arg_varied(&self, arg: &Arg) -> bool {
        match &arg.mode {
            ArgMode::Value(e) => self.expr_varied(e),
            ArgMode::Shared(p) | ArgMode::InOut(p) => self.varied.contains(&p.root),
        }
    }
}

/// Calls `f` with every place through which a derivative can enter the value of `e`.
fn carriers(e: &Expr, f: &mut dyn FnMut(&Place)) {
    if !e.ty.may_carry_derivative() {
        return;
    }
    match &e.kind {
        ExprKind::Read(p) | ExprKind::ToVec(p) | ExprKind::SumOf(p) => f(p),
        ExprKind::Unary(_, a)
        | ExprKind::Cast(a, _)
        | ExprKind::Repeat(a, _)
        | ExprKind::Some(a) => carriers(a, f),
        ExprKind::Binary(op, a, b) => {
            if !op.is_logical() {
                carriers(a, f);
                carriers(b, f);
            }
        }
        ExprKind::VecRepeat(a, _) => carriers(a, f),
        ExprKind::Math(_, args)
        | ExprKind::Rule(_, args)
        | ExprKind::Tuple(args)
        | ExprKind::Struct(_, args)
        | ExprKind::Array(args)
        | ExprKind::VecLit(args) => {
            args.iter().for_each(|a| carriers(a, f));
        }
        ExprKind::Opaque(o) => opaque_carriers(o, f),
        ExprKind::Lit(_)
        | ExprKind::None
        | ExprKind::Zero
        | ExprKind::ZeroLike(_)
        | ExprKind::VecNew(_)
        | ExprKind::Len(_)
        | ExprKind::NoGradient(_) => {}
    }
}

fn opaque_carriers(o: &Opaque, f: &mut dyn FnMut(&Place)) {
    for (_, arg) in &o.args {
        match arg {
            OpaqueArg::Place(p) | OpaqueArg::Ref(p) | OpaqueArg::RefMut(p) => f(p),
            OpaqueArg::Value(e) => carriers(e, f),
        }
    }
}

/// Runs the analysis.
pub(crate) fn activity(func: &Func) -> Activity {
    let mut activity = Activity::default();
    for param in func.params.iter().filter(|p| p.differentiable()) {
        activity.varied.insert(param.var);
        if param.passing == Passing::InOut {
            activity.useful.insert(param.var);
        }
    }
    activity.useful.extend(func.result);
    fixpoint(|| forward(func, &func.body, &mut activity));
    fixpoint(|| backward(&func.body, &mut activity));
    activity
}

fn fixpoint(mut step: impl FnMut() -> bool) {
    while step() && !Fault::ActivityEndsEarly.is_on() {}
}

/// One forward sweep over the statements; whether anything became varied.
fn forward(func: &Func, block: &Block, activity: &mut Activity) -> bool {
    let mut grown = false;
    visit_stmts(block, &mut |stmt| {
        let mut vary = |activity: &mut Activity, var: VarId| {
            let info = func.var(var);
            if info.ty.may_carry_derivative() && !info.constant {
                grown |= activity.varied.insert(var);
            }
        };
        match &stmt.kind {
            StmtKind::Let { var, init: Some(e) } if activity.expr_varied(e) => {
                vary(activity, *var);
            }
            StmtKind::Assign { place, value, .. } | StmtKind::Update { place, value, .. }
                if activity.expr_varied(value) =>
            {
                vary(activity, place.root);
            }
            StmtKind::Push { vec, value } if activity.expr_varied(value) => {
                vary(activity, vec.root)
            }
            StmtKind::Fill { slice, value } if activity.expr_varied(value) => {
                vary(activity, slice.root)
            }
            StmtKind::CopyFrom { dst, src } if activity.varied.contains(&src.root) => {
                vary(activity, dst.root)
            }
            StmtKind::Pop { dest, vec } if activity.varied.contains(&vec.root) => {
                vary(activity, *dest)
            }
            StmtKind::Swap(a, b)
                if (activity.varied.contains(&a.root) || activity.varied.contains(&b.root)) =>
            {
                vary(activity, a.root);
                vary(activity, b.root);
            }
            StmtKind::Call { dest, args, .. }
                if args.iter().any(|arg| activity.arg_varied(arg)) =>
            {
                dest.iter().for_each(|d| vary(activity, *d));
                for arg in args {
                    if let ArgMode::InOut(p) = &arg.mode {
                        vary(activity, p.root);
                    }
                }
            }
            StmtKind::Opaque(o) if activity.opaque_varied(o) => {
                for (_, arg) in &o.args {
                    if let OpaqueArg::RefMut(p) = arg {
                        vary(activity, p.root);
                    }
                }
            }
            _ => {}
        }
    });
    grown
}

/// One backward sweep; whether anything became useful.
fn backward(block: &Block, activity: &mut Activity) -> bool {
    let mut grown = false;
    visit_stmts(block, &mut |stmt| {
        let use_expr = |activity: &mut Activity, e: &Expr| {
            let mut found = Vec::new();
            carriers(e, &mut |p| found.push(p.root));
            found
                .into_iter()
                .fold(false, |new, var| activity.useful.insert(var) | new)
        };
        match &stmt.kind {
            StmtKind::Let { var, init: Some(e) } if activity.useful.contains(var) => {
                grown |= use_expr(activity, e)
            }
            StmtKind::Assign { place, value, .. } | StmtKind::Update { place, value, .. }
                if activity.useful.contains(&place.root) =>
            {
                grown |= use_expr(activity, value);
            }
            StmtKind::Push { vec, value } if activity.useful.contains(&vec.root) => {
                grown |= use_expr(activity, value)
            }
            StmtKind::Fill { slice, value } if activity.useful.contains(&slice.root) => {
                grown |= use_expr(activity, value)
            }
            StmtKind::CopyFrom { dst, src } if activity.useful.contains(&dst.root) => {
                grown |= activity.useful.insert(src.root)
            }
            StmtKind::Pop { dest, vec } if activity.useful.contains(dest) => {
                grown |= activity.useful.insert(vec.root)
            }
            StmtKind::Swap(a, b)
                if (activity.useful.contains(&a.root) || activity.useful.contains(&b.root)) =>
            {
                grown |= activity.useful.insert(a.root);
                grown |= activity.useful.insert(b.root);
            }
            StmtKind::Call { dest, args, .. } => {
                let useful = dest.is_some_and(|d| activity.useful.contains(&d))
                    || args.iter().any(|a| matches!(&a.mode, ArgMode::InOut(p) if activity.useful.contains(&p.root)));
                if useful {
                    for arg in args {
                        match &arg.mode {
                            ArgMode::Value(e) => grown |= use_expr(activity, e),
                            ArgMode::Shared(p) | ArgMode::InOut(p) => {
                                grown |= activity.useful.insert(p.root)
                            }
                        }
                    }
                }
            }
            _ => {}
        }
    });
    grown
}
