//! Activity: varied (depends on a differentiable input) and useful (influences a differentiable output).
//!
//! Lattice: a set of regions, growing. Direction: varied forward, useful backward, both flow-insensitive over whole
//! regions. Assumption: two places overlap only if one's region lies in the other's (IR rule 4). Values that are made
//! of parts, or copied, go region by region; whatever else is varied or useful is so with all of its fields. What is
//! varied and useful is active: of a variable, what some part of it is.
//! Being wrong on the large side costs adjoint code; on the small side it loses a derivative, so everything
//! whose type may carry one and that is not known to be cut off counts.

use crate::ir::faults::Fault;
use crate::ir::{
    Answer, Arg, ArgMode, Block, Callee, CalleeKind, Expr, ExprKind, Field, Func, Opaque,
    OpaqueArg, Passing, Place, Region, RegionSet, Stmt, StmtKind, Ty, VarId, control_stmts,
    sweep_stmts, visit_stmts,
};

/// The result of the analysis.
#[derive(Clone, Default, Debug)]
pub(crate) struct Activity {
    pub(crate) varied: RegionSet,
    pub(crate) useful: RegionSet,
}

impl Activity {
    /// The varied and useful regions by name.
    pub(crate) fn text(&self, func: &Func) -> String {
        let list = |set: &RegionSet| {
            let mut names: Vec<String> = set.iter().map(|region| region.text(func)).collect();
            names.sort();
            names.join(" ")
        };
        format!(
            "varied: {}\nuseful: {}\n",
            list(&self.varied),
            list(&self.useful)
        )
    }

    /// Whether something of the region is active.
    pub(crate) fn is_active(&self, region: impl Into<Region>) -> bool {
        let mut varied = self.varied.within(region);
        varied.any(|part| self.useful.overlaps(part))
    }

    fn is_varied(&self, place: &Place) -> bool {
        self.varied.overlaps(place.region())
    }

    /// Whether the derivative of `e` can be non-zero.
    pub(crate) fn expr_active(&self, e: &Expr) -> bool {
        let mut found = false;
        carriers(e, &mut |p| found |= self.is_active(p.region()));
        found
    }

    pub(crate) fn expr_varied(&self, e: &Expr) -> bool {
        let mut found = false;
        carriers(e, &mut |p| found |= self.is_varied(p));
        found
    }

    pub(crate) fn opaque_varied(&self, o: &Opaque) -> bool {
        let mut found = false;
        opaque_carriers(o, &mut |p| found |= self.is_varied(p));
        found
    }

    /// Whether something varied goes into the call, so that the callee must be a function with a companion.
    pub(crate) fn call_varied(&self, args: &[Arg]) -> bool {
        args.iter().any(|arg| self.arg_varied(arg))
    }

    /// Whether the call needs the companion's sweeps.
    pub(crate) fn call_active(&self, func: &Func, dest: Option<VarId>, args: &[Arg]) -> bool {
        let varied = args.iter().any(|arg| self.arg_varied(arg));
        let useful = dest.is_some_and(|d| self.useful.overlaps(d))
            || args.iter().any(|arg| match &arg.mode {
                ArgMode::InOut(p) => {
                    self.useful.overlaps(p.region()) && func.var(p.root).ty.may_carry_derivative()
                }
                ArgMode::Value(_) | ArgMode::Shared(_) => false,
            });
        varied && useful
    }

    /// Whether the callee must have sweeps, also where its derivative is not needed: a plain function could keep what
    /// it gets and give it back later, wherever its answer goes: an index can hold the bits of a float. A predicate,
    /// a function whose text shows that it makes none of bits, and a method that gets nothing but its receiver, are
    /// trusted.
    pub(crate) fn needs_sweeps(
        &self,
        func: &Func,
        dest: Option<VarId>,
        callee: &Callee,
        args: &[Arg],
    ) -> bool {
        let (args, _) = callee.split(args);
        let reads = args.iter().all(|a| !matches!(a.mode, ArgMode::InOut(_)));
        let asked = dest.is_some_and(|dest| {
            let accessor = match (callee.kind, args) {
                (CalleeKind::Method, [_, rest @ ..]) => !self.call_varied(rest),
                _ => false,
            };
            reads && (accessor || func.var(dest).ty == Ty::Bool)
        });
        let asked = asked || reads && callee.answer == Some(Answer::Discrete);
        self.call_active(func, dest, args) || (self.call_varied(args) && !asked)
    }

    fn arg_varied(&self, arg: &Arg) -> bool {
        match &arg.mode {
            ArgMode::Value(e) => self.expr_varied(e),
            ArgMode::Shared(p) | ArgMode::InOut(p) => self.is_varied(p),
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
        | ExprKind::Function(_, args)
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
    activity.useful.add(func.result.map(Region::var));
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
        let mut sweep = Forward { func, activity };
        grown |= sweep.stmt(stmt);
    });
    grown
}

struct Forward<'a> {
    func: &'a Func,
    activity: &'a mut Activity,
}

impl Forward<'_> {
    fn stmt(&mut self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Let { var, init: Some(e) } => self.value(Region::var(*var), e),
            StmtKind::Assign { place, value, .. } if place.is_region() => {
                self.value(place.region(), value)
            }
            StmtKind::Assign { place, value, .. }
            | StmtKind::Update { place, value, .. }
            | StmtKind::Push { vec: place, value }
            | StmtKind::Fill {
                slice: place,
                value,
            } if self.activity.expr_varied(value) => self.vary(place.region()),
            StmtKind::CopyFrom { dst, src } if self.activity.is_varied(src) => {
                self.vary(dst.region())
            }
            StmtKind::Pop { dest, vec } if self.activity.is_varied(vec) => {
                self.vary(Region::var(*dest))
            }
            StmtKind::Swap(a, b) if self.activity.is_varied(a) || self.activity.is_varied(b) => {
                self.vary(a.region()) | self.vary(b.region())
            }
            StmtKind::Call { dest, args, .. } if self.activity.call_varied(args) => {
                let in_out = args.iter().filter_map(|arg| match &arg.mode {
                    ArgMode::InOut(p) => Some(p.region()),
                    ArgMode::Value(_) | ArgMode::Shared(_) => None,
                });
                let all = dest.map(Region::var).into_iter().chain(in_out);
                all.fold(false, |grown, region| self.vary(region) | grown)
            }
            StmtKind::Opaque(o) if self.activity.opaque_varied(o) => {
                let written = o.args.iter().filter_map(|(_, arg)| match arg {
                    OpaqueArg::RefMut(p) => Some(p.region()),
                    OpaqueArg::Place(_) | OpaqueArg::Ref(_) | OpaqueArg::Value(_) => None,
                });
                written.fold(false, |grown, region| self.vary(region) | grown)
            }
            // Nothing varied is written, or nothing that carries a derivative.
            StmtKind::Let { init: None, .. }
            | StmtKind::Assign { .. }
            | StmtKind::Update { .. }
            | StmtKind::Push { .. }
            | StmtKind::Pop { .. }
            | StmtKind::Fill { .. }
            | StmtKind::CopyFrom { .. }
            | StmtKind::Swap(..)
            | StmtKind::Call { .. }
            | StmtKind::Opaque(_)
            | StmtKind::Truncate { .. }
            | control_stmts!()
            | sweep_stmts!() => false,
        }
    }

    fn vary(&mut self, region: Region) -> bool {
        let info = self.func.var(region.root);
        info.ty.may_carry_derivative() && !info.constant && self.activity.varied.insert(region)
    }

    /// What is varied of a value is so of the region that holds it.
    fn value(&mut self, to: Region, e: &Expr) -> bool {
        if let ExprKind::Tuple(parts) = &e.kind {
            each_part(parts, e).fold(false, |grown, (field, part)| {
                self.value(to.part(field), part) | grown
            })
        } else if let Some(from) = copied_region(e) {
            let varied: Vec<Region> = self.activity.varied.within(from).collect();
            let copied = varied.iter().map(|region| region.copied(from, to));
            copied.fold(false, |grown, region| self.vary(region) | grown)
        } else {
            self.activity.expr_varied(e) && self.vary(to)
        }
    }
}

/// The region whose value the expression is, as it stands.
fn copied_region(e: &Expr) -> Option<Region> {
    let ExprKind::Read(p) = &e.kind else {
        return None;
    };
    (p.is_region() && e.ty.may_carry_derivative()).then(|| p.region())
}

/// The parts of a tuple, with their fields.
fn each_part<'e>(parts: &'e [Expr], e: &Expr) -> impl Iterator<Item = (Field, &'e Expr)> {
    let span = e.span;
    (0..).map(move |k| Field::at(k, span)).zip(parts)
}

/// One backward sweep; whether anything became useful.
fn backward(block: &Block, activity: &mut Activity) -> bool {
    let mut grown = false;
    visit_stmts(block, &mut |stmt| grown |= activity.used_by(stmt));
    grown
}

impl Activity {
    fn used_by(&mut self, stmt: &Stmt) -> bool {
        let is_useful = |place: &Place| self.useful.overlaps(place.region());
        match &stmt.kind {
            StmtKind::Let { var, init: Some(e) } => self.use_value(Region::var(*var), e),
            StmtKind::Assign { place, value, .. } if place.is_region() => {
                self.use_value(place.region(), value)
            }
            StmtKind::Assign { place, value, .. }
            | StmtKind::Update { place, value, .. }
            | StmtKind::Push { vec: place, value }
            | StmtKind::Fill {
                slice: place,
                value,
            } if is_useful(place) => self.use_expr(value),
            StmtKind::CopyFrom { dst, src } if is_useful(dst) => self.useful.insert(src.region()),
            StmtKind::Pop { dest, vec } if self.useful.overlaps(*dest) => {
                self.useful.insert(vec.region())
            }
            StmtKind::Swap(a, b) if is_useful(a) || is_useful(b) => {
                self.useful.add([a.region(), b.region()])
            }
            StmtKind::Call { dest, callee, args } => {
                // An error has no derivative; whoever uses one is told (`analysis::lost`).
                let (args, _) = callee.split(args);
                let in_out = |a: &Arg| matches!(&a.mode, ArgMode::InOut(p) if is_useful(p));
                let dest = dest.is_some_and(|d| self.useful.overlaps(d));
                if !dest && !args.iter().any(in_out) {
                    return false;
                }
                let used = |grown, arg: &Arg| match &arg.mode {
                    ArgMode::Value(e) => self.use_expr(e) | grown,
                    ArgMode::Shared(p) | ArgMode::InOut(p) => {
                        self.useful.insert(p.region()) | grown
                    }
                };
                args.iter().fold(false, used)
            }
            // Nothing useful is written, or from nothing that carries a derivative: what kept code writes is refused
            // where that could be otherwise (`analysis::lost`).
            StmtKind::Let { init: None, .. }
            | StmtKind::Assign { .. }
            | StmtKind::Update { .. }
            | StmtKind::Push { .. }
            | StmtKind::Pop { .. }
            | StmtKind::Fill { .. }
            | StmtKind::CopyFrom { .. }
            | StmtKind::Swap(..)
            | StmtKind::Opaque(_)
            | StmtKind::Truncate { .. }
            | control_stmts!()
            | sweep_stmts!() => false,
        }
    }

    /// What the region that holds a value is useful for, is of the value.
    fn use_value(&mut self, of: Region, e: &Expr) -> bool {
        if let ExprKind::Tuple(parts) = &e.kind {
            each_part(parts, e).fold(false, |grown, (field, part)| {
                self.use_value(of.part(field), part) | grown
            })
        } else if let Some(to) = copied_region(e) {
            let useful: Vec<Region> = self.useful.within(of).collect();
            self.useful
                .add(useful.iter().map(|region| region.copied(of, to)))
        } else {
            self.useful.overlaps(of) && self.use_expr(e)
        }
    }

    fn use_expr(&mut self, e: &Expr) -> bool {
        let mut grown = false;
        carriers(e, &mut |p| grown |= self.useful.insert(p.region()));
        grown
    }
}
