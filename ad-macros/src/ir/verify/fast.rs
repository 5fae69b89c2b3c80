//! The fast version of a loop computes the values that the plain one computes.
//!
//! Both are read as sets of *operations*: which variable of the primal is assigned, added to or subtracted from, and
//! what. Left out is which element is meant, and in which iteration (`verify/versions.rs` looks at indices), and how
//! often and in which order, since a fast version runs several iterations at once. A window stands for its array, a
//! copy for what it is a copy of, and a name for the value that it has.

use std::collections::BTreeSet;

use crate::ir::display::expr_text;
use crate::ir::hash::{HashMap, HashSet};
use crate::ir::versions::{Function, Kernel, KernelCall, Output, Versioned, Windows};
use crate::ir::{
    BinOp, Block, Class, Expr, ExprKind, Func, Place, Proj, Stmt, StmtKind, Ty, VarId, VarSet,
    effects_of, visit_stmts,
};

/// Values of more parts than this have a number instead: names that are used twice would double them each time.
const LARGE: usize = 60;

/// Whether both versions compute the same values.
pub(super) fn both(func: &Func, both: &Versioned) -> Result<(), String> {
    let declared = Declared::of(&both.plain);
    let mut large = HashMap::default();
    let plain = Operations::of(func, &declared, &mut large, &both.plain.stmts);
    let fast = Operations::of(func, &declared, &mut large, &both.fast.stmts);
    for (one, other, which) in [(&fast, &plain, "fast"), (&plain, &fast, "plain")] {
        if let Some(text) = one.difference(other).next() {
            return Err(format!("only the {which} version of a loop has `{text}`"));
        }
    }
    Ok(())
}

/// What the plain version declares.
struct Declared {
    all: VarSet,
    /// Without a value: arms of branches assign it.
    assigned_later: HashSet<VarId>,
}

impl Declared {
    fn of(plain: &Block) -> Self {
        let mut assigned_later = HashSet::default();
        visit_stmts(plain, &mut |stmt| {
            if let StmtKind::Let { var, init: None } = stmt.kind {
                assigned_later.insert(var);
            }
        });
        Declared {
            all: effects_of(&plain.stmts).declares,
            assigned_later,
        }
    }
}

/// What some statements compute.
struct Operations<'a> {
    func: &'a Func,
    /// What the plain version declares. Other variables of the fast one are copies, and memory of its own.
    plain: &'a Declared,
    /// Memory of the fast version.
    buffers: HashSet<VarId>,
    /// What a variable stands for.
    stands_for: HashMap<VarId, Expr>,
    /// The numbers of large values.
    large: &'a mut HashMap<String, usize>,
    /// What is in the rows of contributions.
    rows: HashMap<(VarId, usize), Expr>,
    /// What a body gives a kernel.
    yields: Vec<VarId>,
    found: BTreeSet<String>,
}

impl<'a> Operations<'a> {
    fn of(
        func: &'a Func,
        plain: &'a Declared,
        large: &'a mut HashMap<String, usize>,
        stmts: &[Stmt],
    ) -> BTreeSet<String> {
        let mut all = Operations {
            func,
            plain,
            buffers: HashSet::default(),
            stands_for: HashMap::default(),
            large,
            rows: HashMap::default(),
            yields: Vec::new(),
            found: BTreeSet::new(),
        };
        all.stmts(stmts);
        all.found
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "other statements compute no numbers, or are left as they are"
    )]
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Windows(made) => self.windows(made),
            StmtKind::Buffer(buffer) => _ = self.buffers.insert(buffer.var),
            StmtKind::Let {
                var,
                init: Some(value),
            } => self.declared(*var, value),
            StmtKind::Assign { place, value, .. } => self.assigned(place, value),
            StmtKind::Update { place, op, value } => {
                let op = if *op == BinOp::Sub { "-=" } else { "+=" };
                let value = self.value(value);
                self.operation(place, op, &value);
            }
            StmtKind::Simd(simd) => {
                for (var, of) in &simd.arrays {
                    self.stands(*var, of);
                }
                for one in &simd.cells {
                    self.stands(one.var, &self.whole(one.array));
                }
                for (var, value) in &simd.fixed {
                    self.declared(*var, value);
                }
            }
            StmtKind::Kernel(call) => self.kernel(call),
            // The versions inside are compared by themselves.
            StmtKind::Versioned(inside) => return self.stmts(&inside.plain.stmts),
            _ => {}
        }
        // Rows that are not on the tape are computed again: the plain version finds them there.
        let again = matches!(&stmt.kind, StmtKind::Kernel(call) if matches!(call.kernel, Kernel::ReverseTiles(_)));
        for block in stmt.kind.blocks().into_iter().skip(usize::from(again)) {
            self.stmts(&block.stmts);
        }
        if let StmtKind::Kernel(call) = &stmt.kind {
            self.computed(call);
        }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the others are no elements of arrays, or keep their names"
    )]
    fn windows(&mut self, made: &Windows) {
        match made {
            Windows::Groups(group) => self.stands(group.var, &group.of),
            Windows::Element { var, of, .. } => self.stands(*var, of),
            Windows::Read { window, .. } => self.stands(window.var, &window.of),
            Windows::Write { windows, .. } => {
                for window in windows {
                    self.stands(window.var, &window.of);
                }
            }
            Windows::Part { var, part } => self.stands(*var, &part.of),
            Windows::Shift { var, of, .. } => self.stands(*var, &self.whole(*of)),
            Windows::PerLane(made) => self.stands(made.window.var, &made.window.of),
            Windows::Rows(rows) => self.stands(rows.var, &rows.matrix.of),
            Windows::Panel(panel) => self.stands(panel.var, &self.whole(panel.of)),
            _ => {}
        }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the others add up adjoints, or run code that is looked at as such"
    )]
    fn kernel(&mut self, call: &KernelCall) {
        let params = call.bodies.first().map_or(&[][..], |body| &body.params);
        match &call.kernel {
            Kernel::Compute { .. } => {
                let yields = call.bodies.iter().flat_map(|body| &body.yields);
                self.yields = yields.copied().collect();
            }
            Kernel::EachOfRow(row) | Kernel::ZipRow { row, .. } => {
                if let ([.., value], Some(of)) = (params, self.row(call, *row)) {
                    self.stands_for.insert(*value, of);
                }
                if let ([element, _], Some(Output::Part(part))) = (params, call.outputs.first()) {
                    self.stands(*element, &part.of);
                }
            }
            Kernel::AddRow { row, subtract, .. } => {
                let op = if *subtract { "-=" } else { "+=" };
                if let (Some(Output::Part(part)), Some(of)) =
                    (call.outputs.first(), self.row(call, *row))
                {
                    self.operation(&part.of, op, &of);
                }
            }
            Kernel::AddTransposed { subtract } => {
                let op = if *subtract { "-=" } else { "+=" };
                if let Some(Output::Place(place)) = call.outputs.first() {
                    for input in &call.inputs {
                        let value = self.value(input);
                        self.operation(place, op, &value);
                    }
                }
            }
            Kernel::ForwardTiles(_) | Kernel::ReverseTiles(_) => {
                let array = |k: usize| match call.outputs.get(k) {
                    Some(Output::Place(place)) => Some(place),
                    Some(Output::Part(_)) | None => None,
                };
                for (body, to) in call.bodies.iter().zip([1, 3]) {
                    if let (Some(from), Some(to), [row, _, cells, ..]) =
                        (array(0), array(to), body.params.as_slice())
                    {
                        self.stands(*row, from);
                        self.stands(*cells, to);
                    }
                }
            }
            _ => {}
        }
    }

    /// What rows have when they are filled.
    fn computed(&mut self, call: &KernelCall) {
        if let (Kernel::Compute { .. }, Some(Output::Place(rows)), [body]) =
            (&call.kernel, call.outputs.first(), call.bodies.as_slice())
        {
            for (row, var) in body.yields.iter().enumerate() {
                let read = ExprKind::Read(self.whole(*var));
                let value = self.value(&Expr::new(read, Ty::Unknown, rows.span));
                self.rows.insert((rows.root, row), value);
            }
            self.yields.clear();
        }
    }

    fn row(&self, call: &KernelCall, row: usize) -> Option<Expr> {
        let rows = call.inputs.first()?.place()?;
        self.rows.get(&(rows.root, row)).cloned()
    }

    fn stands(&mut self, var: VarId, of: &Place) {
        let read = ExprKind::Read(of.clone());
        let of = self.value(&Expr::new(read, Ty::Unknown, of.span));
        self.stands_for.insert(var, of);
    }

    fn whole(&self, var: VarId) -> Place {
        Place::var(var, self.func.var(var).name.span())
    }

    /// What is declared and does not change, is yielded, or is a copy, is its value.
    fn declared(&mut self, var: VarId, value: &Expr) {
        let info = self.func.var(var);
        if is_count(&value.ty) || info.class == Class::Adjoint {
            return;
        }
        let value = self.value(value);
        let copy = !self.plain.all.contains(&var) && matches!(value.kind, ExprKind::Read(_));
        // What the plain version declares, and changes, keeps its name in both.
        let yielded = self.yields.contains(&var) && !self.plain.all.contains(&var);
        let once = !info.mutable && !self.plain.assigned_later.contains(&var);
        if once || copy || yielded {
            self.stands_for.insert(var, value);
        } else {
            self.operation(&Place::var(var, value.span), "=", &value);
        }
    }

    fn assigned(&mut self, place: &Place, value: &Expr) {
        let value = self.value(value);
        if self.buffers.contains(&place.root) {
            self.stands_for.insert(place.root, value);
        } else {
            self.operation(place, "=", &value);
        }
    }

    fn operation(&mut self, place: &Place, op: &str, value: &Expr) {
        let read = ExprKind::Read(place.clone());
        let to = self.value(&Expr::new(read, Ty::Unknown, place.span));
        let root = to.place().map(|place| place.root);
        let of_primal = root.is_some_and(|root| self.func.var(root).class == Class::Primal);
        if !of_primal || is_count(&value.ty) {
            return;
        }
        let [to, value] = [&to, value].map(|e| expr_text(self.func, e));
        if op != "=" || to != value {
            self.found.insert(format!("{to} {op} {value}"));
        }
    }

    /// How a value is computed.
    fn value(&mut self, e: &Expr) -> Expr {
        let mut value = e.clone();
        self.simplify(&mut value);
        if value.size() > LARGE {
            let text = expr_text(self.func, &value);
            let next = 1_000_000 + self.large.len();
            let number = *self.large.entry(text).or_insert(next);
            let ty = value.ty;
            value = Expr::usize_literal(number, e.span);
            value.ty = ty;
        }
        value
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "other expressions are what their parts are"
    )]
    fn simplify(&self, e: &mut Expr) {
        if is_count(&e.ty) && e.int_literal().is_none() {
            *e = Expr::usize_literal(0, e.span);
            return;
        }
        match &mut e.kind {
            // Some elements stand for one.
            ExprKind::Function(
                Function::Load4 | Function::Splat4 | Function::Row | Function::LoadPanel,
                args,
            ) if !args.is_empty() => {
                *e = args.swap_remove(0);
                self.simplify(e);
            }
            ExprKind::Read(place) => {
                let element =
                    |proj: &Proj| matches!(proj, Proj::Deref | Proj::Index(_) | Proj::Range { .. });
                place.proj.retain(|proj| !element(proj));
                let Some(of) = self.stands_for.get(&place.root) else {
                    return;
                };
                let ty = e.ty.clone();
                match &of.kind {
                    ExprKind::Read(of) => {
                        let mut all = of.clone();
                        all.proj.extend(place.proj.iter().cloned());
                        *place = all;
                    }
                    _ if place.proj.is_empty() => {
                        *e = of.clone();
                        e.ty = ty;
                    }
                    _ => {}
                }
            }
            _ => e.children_mut().into_iter().for_each(|e| self.simplify(e)),
        }
    }
}

/// Whether it counts, or decides, and is no value.
fn is_count(ty: &Ty) -> bool {
    matches!(ty, Ty::Int(_) | Ty::Index | Ty::Bool)
}
