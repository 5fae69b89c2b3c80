//! Refusals: code in which a derivative would be lost.
//!
//! Code that is kept as it stands is safe where nothing active goes in, or where what comes out certainly carries
//! no derivative. Three ways remain to lose one, each refused:
//!
//! * its value is of a type that may carry a derivative, and something varied goes in;
//! * it is a call or method in statement position, or one whose value goes nowhere useful, with something varied in
//!   it: it can hide the value (a `Cell`, a global) from where other code brings it back;
//! * it takes an active variable by `&mut`.
//!
//! So is a varied value written into a parameter under `#[constant]`, and a number out of an error that is used where
//! its derivative counts.
//! Text made from varied values counts as the first. `no_gradient(…)` is the way out of all but the last. A predicate
//! is taken at its word: it answers with a `bool`, and gets nothing to write to.

use crate::ir::hash::HashSet;
use crate::ir::{
    Arg, ArgMode, Block, ERROR, Expr, ExprKind, Func, Opaque, OpaqueArg, OpaqueKind, Place, Region,
    Stmt, StmtKind, Ty, VarId, VarKind, constant_field, control_stmts, is_reader, only_reads,
    stmt_exprs, stmt_places, sweep_stmts, visit_stmts,
};

use super::Finding;
use super::activity::Activity;
use super::purity::may_run_twice;

/// Every place where a derivative would be lost.
pub(crate) fn lost(func: &Func, activity: &Activity) -> Vec<Finding> {
    let mut pass = Lost {
        activity,
        found: Vec::new(),
    };
    visit_stmts(&func.body, &mut |stmt| {
        pass.constant_written(func, stmt);
        let useful = |region: Region| activity.useful.overlaps(region);
        match &stmt.kind {
            // Declared inside of `no_gradient(…)`.
            StmtKind::Let { var, init: Some(e) } if func.var(*var).constant => {
                pass.hidden_writes(e);
            }
            StmtKind::Let { var, init: Some(e) } => pass.value(e, useful(Region::var(*var))),
            StmtKind::Assign { place, value, .. } | StmtKind::Update { place, value, .. } => {
                pass.value(value, useful(place.region()));
            }
            StmtKind::Push { vec: place, value }
            | StmtKind::Fill {
                slice: place,
                value,
            } => {
                pass.value(value, useful(place.region()));
            }
            StmtKind::Switch { selector, .. } => pass.value(selector, false),
            StmtKind::Call { dest, callee, args } => {
                if let Some(why) = callee.without
                    && activity.needs_sweeps(func, *dest, callee, args)
                {
                    let found = Finding::WithoutSweeps(callee.name(), why, callee.span());
                    pass.found.push(found);
                }
                if let (taken, Some(error)) = callee.split(args)
                    && let ArgMode::InOut(error) = &error.mode
                    && !matches!(&func.var(error.root).ty, Ty::Option(of) if is_discrete(of))
                    && useful(error.region())
                    && activity.call_varied(taken)
                {
                    pass.found.push(Finding::ErrorValue(callee.span()));
                }
                let active = activity.call_active(func, *dest, args);
                for arg in args {
                    if let ArgMode::Value(e) = &arg.mode {
                        pass.value(e, active);
                    }
                }
            }
            StmtKind::Opaque(o) => {
                pass.writes(o, stmt.span);
                if hides(&o.kind) && activity.opaque_varied(o) {
                    pass.found
                        .push(Finding::LostDerivative(o.kind.clone(), stmt.span));
                }
            }
            StmtKind::Truncate { len, .. } => pass.value(len, false),
            StmtKind::Loop(this) => {
                let over = this.domain.exprs();
                over.into_iter().for_each(|e| pass.value(e, false));
            }
            // Nothing stands in them but places.
            StmtKind::Let { init: None, .. }
            | StmtKind::Swap(..)
            | StmtKind::Pop { .. }
            | StmtKind::CopyFrom { .. }
            | StmtKind::Checkpoint(_)
            | StmtKind::Labelled(..)
            | StmtKind::Jump(_)
            | sweep_stmts!() => {}
        }
        for place in stmt_places(stmt) {
            pass.indices(place);
        }
    });
    pass.errors(func);
    pass.found
}

impl Lost<'_> {
    /// Numbers that are errors, or parts of such as are made here, where a derivative counts.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "an error is a value, and never in a container of its own"
    )]
    fn errors(&mut self, func: &Func) {
        let mut errors = HashSet::default();
        visit_stmts(&func.body, &mut |stmt| {
            let useful = |place: &Place| self.activity.useful.overlaps(place.region());
            match &stmt.kind {
                // What is counted, or asked, has no derivative that could be lost.
                StmtKind::Let { var, .. } if is_discrete(&func.var(*var).ty) => {}
                StmtKind::Let { var, init: Some(e) } => {
                    let reads = reads(e, &errors);
                    if is_error(e) || reads {
                        errors.insert(*var);
                    }
                    if (is_error(e) || reads) && self.activity.useful.overlaps(*var) {
                        self.found.push(Finding::ErrorValue(e.span));
                    }
                }
                StmtKind::Assign { place, value, .. }
                | StmtKind::Update { place, value, .. }
                | StmtKind::Push { vec: place, value }
                | StmtKind::Fill {
                    slice: place,
                    value,
                } if reads(value, &errors) => {
                    errors.insert(place.root);
                    if useful(place) {
                        self.found.push(Finding::ErrorValue(value.span));
                    }
                }
                StmtKind::Call { dest, args, .. } => {
                    let given =
                        |arg: &Arg| matches!(&arg.mode, ArgMode::Value(e) if reads(e, &errors));
                    let counts = dest.is_some_and(|dest| self.activity.useful.overlaps(dest));
                    if counts && args.iter().any(given) {
                        self.found.push(Finding::ErrorValue(stmt.span));
                    }
                }
                _ => {}
            }
        });
    }
}

/// Whether one of the variables enters the value as a number.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "of all others the operands count"
)]
fn reads(e: &Expr, vars: &HashSet<VarId>) -> bool {
    match &e.kind {
        ExprKind::Read(place) => vars.contains(&place.root),
        ExprKind::NoGradient(_) | ExprKind::Opaque(_) => false,
        _ => e.children().into_iter().any(|child| reads(child, vars)),
    }
}

/// Whether a value of the type carries no derivative, whatever it is made from.
fn is_discrete(ty: &Ty) -> bool {
    matches!(ty, Ty::Int(_) | Ty::Index | Ty::Bool | Ty::Char)
}

/// Whether code makes an error, or takes one.
fn is_error(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Opaque(o) if matches!(&o.kind, OpaqueKind::Macro(kind) if kind == ERROR))
}

/// Code in `#[checkpoint]` regions that could give another value when it runs again.
pub(crate) fn unrepeatable(func: &Func) -> Vec<Finding> {
    let mut found = Vec::new();
    in_block(func, &func.body, false, &mut found);
    found
}

/// `inside`: of a region.
fn in_block(func: &Func, block: &Block, inside: bool, found: &mut Vec<Finding>) {
    for stmt in &block.stmts {
        let region = inside || matches!(stmt.kind, StmtKind::Checkpoint(_));
        for inner in stmt.kind.blocks() {
            in_block(func, inner, region, found);
        }
        if !inside {
            continue;
        }
        if let StmtKind::Opaque(o) = &stmt.kind {
            in_opaque(func, o, (None, stmt.span), found);
        }
        let indices = stmt_places(stmt).into_iter().flat_map(Place::index_exprs);
        for e in stmt_exprs(stmt).into_iter().chain(indices) {
            in_expr(func, e, found);
        }
    }
}

fn in_expr(func: &Func, e: &Expr, found: &mut Vec<Finding>) {
    if let ExprKind::Opaque(o) = &e.kind {
        in_opaque(func, o, (Some(&e.ty), e.span), found);
    }
    let indices = e.place().into_iter().flat_map(Place::index_exprs);
    e.children()
        .into_iter()
        .chain(indices)
        .for_each(|child| in_expr(func, child, found));
}

/// `yields`: the type of the code's value, if it has one.
fn in_opaque(
    func: &Func,
    o: &Opaque,
    (yields, span): (Option<&Ty>, proc_macro2::Span),
    found: &mut Vec<Finding>,
) {
    if !may_run_twice(func, o, yields) {
        let (span, what) = match &o.kind {
            OpaqueKind::Method(name) => (name.span(), name.to_string()),
            OpaqueKind::Call(name) | OpaqueKind::Macro(name) => (span, name.clone()),
            OpaqueKind::Const => (span, "this constant".to_owned()),
            OpaqueKind::Other(what) => (span, (*what).to_owned()),
        };
        found.push(Finding::CheckpointEffect(what, span));
    }
}

struct Lost<'a> {
    activity: &'a Activity,
    found: Vec<Finding>,
}

impl Lost<'_> {
    /// A varied value written into a parameter that the user called constant.
    fn constant_written(&mut self, func: &Func, stmt: &Stmt) {
        let own = |p: &Place| constant_field(func, p).is_some();
        let varied = |e: &Expr| self.activity.expr_varied(e) && !e.place().is_some_and(own);
        let holds = |p: &Place| self.activity.varied.overlaps(p.region()) && !own(p);
        let place = match &stmt.kind {
            StmtKind::Assign { place, value, .. } | StmtKind::Update { place, value, .. }
                if varied(value) =>
            {
                place
            }
            StmtKind::Push { vec, value } if varied(value) => vec,
            StmtKind::Fill { slice, value } if varied(value) => slice,
            StmtKind::CopyFrom { dst, src } if holds(src) => dst,
            StmtKind::Swap(a, b) if holds(b) => a,
            StmtKind::Swap(a, b) if holds(a) => b,
            StmtKind::Call { args, .. } if self.activity.call_varied(args) => {
                let constant = |p: &&Place| constant_name(func, p).is_some();
                let mut in_out = args.iter().filter_map(|arg| match &arg.mode {
                    ArgMode::InOut(p) => Some(p),
                    ArgMode::Value(_) | ArgMode::Shared(_) => None,
                });
                match in_out.find(constant) {
                    Some(p) => p,
                    None => return,
                }
            }
            // Nothing varied is written, or into a variable of its own.
            StmtKind::Let { .. }
            | StmtKind::Assign { .. }
            | StmtKind::Update { .. }
            | StmtKind::Push { .. }
            | StmtKind::Pop { .. }
            | StmtKind::Fill { .. }
            | StmtKind::CopyFrom { .. }
            | StmtKind::Swap(..)
            | StmtKind::Call { .. }
            | StmtKind::Truncate { .. }
            // What it is given is refused elsewhere.
            | StmtKind::Opaque(_)
            | control_stmts!()
            | sweep_stmts!() => return,
        };
        if let Some(name) = constant_name(func, place) {
            self.found.push(Finding::ConstantWritten(name, place.span));
        }
    }

    /// What indices are computed from; they carry no derivative.
    fn indices(&mut self, place: &Place) {
        place.each_index(&mut |e| self.value(e, false));
    }

    /// A value that is kept; `useful`: it reaches the result.
    fn value(&mut self, e: &Expr, useful: bool) {
        self.hidden_writes(e);
        self.lost(e, useful);
    }

    fn lost(&mut self, e: &Expr, useful: bool) {
        if matches!(&e.kind, ExprKind::NoGradient(_)) {
            return;
        }
        if let ExprKind::Opaque(o) = &e.kind {
            let carries = e.ty.may_carry_derivative() && (useful || hides(&o.kind));
            let keeps = may_keep(&o.kind) && !is_predicate(o, &e.ty);
            if (carries || makes_text(&o.kind) || keeps) && self.activity.opaque_varied(o) {
                self.found
                    .push(Finding::LostDerivative(o.kind.clone(), e.span));
                return;
            }
        }
        for index in e.place().into_iter().flat_map(Place::index_exprs) {
            self.lost(index, false);
        }
        e.children()
            .into_iter()
            .for_each(|child| self.lost(child, useful));
    }

    fn hidden_writes(&mut self, e: &Expr) {
        if let ExprKind::Opaque(o) = &e.kind {
            self.writes(o, e.span);
        }
        let indices = e.place().into_iter().flat_map(Place::index_exprs);
        e.children()
            .into_iter()
            .chain(indices)
            .for_each(|child| self.hidden_writes(child));
    }

    /// Writes into something that carries a derivative, by code that the compiler cannot see.
    fn writes(&mut self, o: &Opaque, span: proc_macro2::Span) {
        let active = |arg: &OpaqueArg| matches!(arg, OpaqueArg::RefMut(p) if self.activity.is_active(p.region()));
        if o.args.iter().any(|(_, arg)| active(arg)) {
            self.found
                .push(Finding::LostDerivative(o.kind.clone(), span));
        }
    }
}

/// What the user calls what a place lies in, if that is a constant parameter, or a constant field.
fn constant_name(func: &Func, place: &Place) -> Option<String> {
    let root = || func.shown_name(place.root);
    if is_constant_parameter(func, place.root) {
        return Some(root());
    }
    let field = constant_field(func, place)?;
    Some(format!("{}.{field}", root()))
}

/// Whether the variable is a parameter under `#[constant]` whose type may carry a derivative.
fn is_constant_parameter(func: &Func, var: VarId) -> bool {
    let info = func.var(var);
    info.kind == VarKind::Param && info.constant && info.ty.may_carry_derivative()
}

/// Whether code of this kind could keep a value for later.
fn hides(kind: &OpaqueKind) -> bool {
    match kind {
        // A question that floats have answers to keeps nothing.
        OpaqueKind::Method(name) => !only_reads(&name.to_string()),
        OpaqueKind::Call(_) => true,
        OpaqueKind::Macro(_) | OpaqueKind::Const | OpaqueKind::Other(_) => false,
    }
}

/// Code that answers with a `bool` and gets nothing to write to: it is taken at its word (docs/limitations.md). An
/// integer could hold the bits of a float.
fn is_predicate(o: &Opaque, ty: &Ty) -> bool {
    matches!(ty, Ty::Bool)
        && o.args
            .iter()
            .all(|(_, arg)| !matches!(arg, OpaqueArg::RefMut(_)))
}

/// A method that is not known to keep nothing: whatever it returns, it may have kept what it got.
fn may_keep(kind: &OpaqueKind) -> bool {
    match kind {
        OpaqueKind::Method(name) => !is_reader(&name.to_string()),
        OpaqueKind::Call(_) | OpaqueKind::Macro(_) | OpaqueKind::Const | OpaqueKind::Other(_) => {
            false
        }
    }
}

/// What is read back from text has lost the derivative.
fn makes_text(kind: &OpaqueKind) -> bool {
    match kind {
        OpaqueKind::Macro(name) => name.trim_end_matches('!') == "format",
        OpaqueKind::Method(name) => *name == "to_string",
        OpaqueKind::Call(_) | OpaqueKind::Const | OpaqueKind::Other(_) => false,
    }
}
