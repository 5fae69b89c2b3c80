//! Loops in two versions: windows lie where checks have looked, those that are written meet no others, and buffers are
//! filled before they are read.

use crate::ir::display::expr_text;
use crate::ir::hash::{HashMap, HashSet};
use crate::ir::versions::{
    BufferKind, Call, Disjoint, Function, Kernel, KernelCall, Output, Part, Window, Windows,
};
use crate::ir::{
    BinOp, Domain, Expr, ExprKind, Func, Place, Proj, RangeIter, Stmt, StmtKind, Touch, Ty, VarId,
    control_stmts, leaf_stmts, shallow_touches, sweep_stmts,
};

/// Checks the versions in some statements.
pub(super) fn verify(func: &Func, stmts: &[Stmt]) -> Result<(), String> {
    let mut state = State {
        func,
        windows: HashMap::default(),
        below: HashMap::default(),
        parts: HashMap::default(),
        extents: HashMap::default(),
        unfilled: HashSet::default(),
        numbers: HashMap::default(),
        panels: HashMap::default(),
        stores: HashMap::default(),
        most: HashMap::default(),
    };
    state.stmts(stmts)
}

/// A window that can be used.
#[derive(Clone)]
pub(super) struct Live {
    pub(super) of: VarId,
    pub(super) written: bool,
    /// If there is one for each of some iterations: how many, as text.
    pub(super) lanes: Option<String>,
    /// How many elements it has, as text; nothing for an array of groups, or one element.
    pub(super) len: Option<String>,
}

#[derive(Clone)]
pub(super) struct State<'a> {
    pub(super) func: &'a Func,
    pub(super) windows: HashMap<VarId, Live>,
    /// What a variable stays below.
    pub(super) below: HashMap<VarId, String>,
    /// Variables that stay below how many parts of a certain size there are, or below the size, and what is left.
    parts: HashMap<VarId, String>,
    /// Of which array an extent is, and how many elements it has.
    pub(super) extents: HashMap<VarId, (VarId, Option<String>)>,
    unfilled: HashSet<VarId>,
    /// Numbers side by side, and how many.
    pub(super) numbers: HashMap<VarId, String>,
    /// How many rows panels have, and how many numbers each.
    pub(super) panels: HashMap<VarId, [String; 2]>,
    /// To what the products in a store are added.
    pub(super) stores: HashMap<VarId, VarId>,
    /// What some numbers are at most.
    pub(super) most: HashMap<String, String>,
}

impl State<'_> {
    /// What is declared in a list is known in it alone.
    fn stmts(&mut self, stmts: &[Stmt]) -> Result<(), String> {
        let mut inside = self.clone();
        for (at, stmt) in stmts.iter().enumerate() {
            inside.products_end(stmt, &stmts[at + 1..])?;
            inside.stmt(stmt)?;
        }
        // What is filled in a block is filled behind it.
        self.unfilled.retain(|var| inside.unfilled.contains(var));
        Ok(())
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<(), String> {
        self.places(stmt)?;
        match &stmt.kind {
            StmtKind::Windows(windows) => return self.windows(windows),
            StmtKind::Buffer(buffer) => match &buffer.kind {
                BufferKind::Numbers { lanes, ready } => {
                    self.numbers.insert(buffer.var, self.lanes(*lanes));
                    if !ready {
                        self.unfilled.insert(buffer.var);
                    }
                }
                BufferKind::Products { .. } => {}
                BufferKind::PartialSums(_)
                | BufferKind::Totals(_)
                | BufferKind::Contributions(_) => {
                    self.unfilled.insert(buffer.var);
                }
            },
            StmtKind::Let {
                var,
                init: Some(value),
            } => {
                if let Some(len) = self.bound(value) {
                    self.below.insert(*var, len);
                }
                self.in_lanes(*var, value)?;
                self.length(*var, value);
            }
            StmtKind::Disjoint(disjoint) => self.disjoint(disjoint)?,
            StmtKind::Versioned(both) => super::writes::both(self.func, both)?,
            // Their places have been looked at; those with blocks are gone through below.
            leaf_stmts!()
            | StmtKind::Begin { .. }
            | StmtKind::Scope(_)
            | StmtKind::Check(_)
            | StmtKind::Strips(_)
            | StmtKind::RecordAt(_)
            | StmtKind::Procedure(_)
            | StmtKind::Simd(_)
            | StmtKind::InRegisters(_)
            | StmtKind::Kernel(_)
            | control_stmts!()
            | sweep_stmts!(tape)
            | sweep_stmts!(adjoints) => {}
        }
        let blocks = stmt.kind.blocks();
        if blocks.is_empty() && !matches!(stmt.kind, StmtKind::Kernel(_)) {
            return Ok(());
        }
        let mut inside = self.clone();
        if let StmtKind::Loop(this) = &stmt.kind
            && let Domain::Range { var, range } = &this.domain
        {
            inside.counter(*var, range);
        }
        if let StmtKind::Kernel(call) = &stmt.kind {
            self.kernel(call, &mut inside)?;
        }
        if let StmtKind::Procedure(procedure) = &stmt.kind {
            procedure
                .slices
                .iter()
                .try_for_each(|var| self.in_order(*var))?;
            // Whoever calls it gives it windows that have the element.
            let lane = format!("more than {}", self.name(procedure.lane));
            for var in &procedure.slices {
                if let Some(live) = inside.windows.get_mut(var) {
                    live.len = Some(lane.clone());
                }
            }
            inside.below.insert(procedure.lane, lane);
        }
        if let StmtKind::Simd(simd) = &stmt.kind {
            inside.simd(simd)?;
        }
        for block in blocks {
            inside.stmts(&block.stmts)?;
        }
        self.unfilled = inside.unfilled;
        Ok(())
    }

    /// `inside`: what holds in its bodies.
    fn kernel(&mut self, call: &KernelCall, inside: &mut Self) -> Result<(), String> {
        match &call.kernel {
            Kernel::Search { .. } => {
                if let ExprKind::Read(place) = &call.inputs[0].kind {
                    self.in_order(place.root)?;
                }
                inside.found(call.bodies[0].params[0], &call.inputs[0]);
            }
            Kernel::Compute { .. } => {
                let m = expr_text(self.func, &call.inputs[0]);
                inside.below.insert(call.bodies[0].params[0], m);
            }
            Kernel::Begin(_)
            | Kernel::Carry { .. }
            | Kernel::Gather(_)
            | Kernel::GatherAnew(_)
            | Kernel::GatherRest(_)
            | Kernel::AddRow { .. }
            | Kernel::StorePanel
            | Kernel::StorePanelEnd
            | Kernel::AddTransposed { .. }
            | Kernel::EachOfRow(_)
            | Kernel::ZipRow { .. } => {}
            Kernel::SetRow | Kernel::SetRowEnd => self.set_row(call)?,
            Kernel::Products { store, what } => inside.of_products(*store, what, call)?,
            Kernel::ForwardTiles(_) | Kernel::ReverseTiles(_) => inside.cells(call),
            Kernel::GatherEnds { call: ends, .. } => {
                let n = expr_text(self.func, &call.inputs[2]);
                inside.call(ends, &n)?;
            }
            Kernel::AddContribution { call: one, .. } => {
                let lane = inside.bound(&one.lane);
                inside.call(one, &lane.unwrap_or_default())?;
            }
        }
        Ok(())
    }

    /// Whoever takes a window as a slice takes its elements in their order.
    fn in_order(&self, var: VarId) -> Result<(), String> {
        if let Ty::Mirrored(_) = self.func.var(var).ty {
            let name = self.name(var);
            return Err(format!("`{name}` is taken in the order of its elements"));
        }
        Ok(())
    }

    pub(super) fn name(&self, var: VarId) -> String {
        self.func.var(var).name.to_string()
    }

    /// What the places of a statement lead to.
    fn places(&mut self, stmt: &Stmt) -> Result<(), String> {
        if matches!(stmt.kind, StmtKind::Windows(_)) {
            return Ok(());
        }
        let mut problem = None;
        let mut filled = Vec::new();
        let fills = !matches!(&stmt.kind, StmtKind::Kernel(call) if matches!(call.kernel, Kernel::Begin(_)));
        shallow_touches(stmt, &mut |place, touch| {
            if let Some(Proj::Index(at)) = place.proj.first()
                && let Some(len) = self.numbers.get(&place.root)
                && !self.is_below(at, len)
            {
                let name = self.name(place.root);
                problem = Some(format!("`{name}` may be used where there is no number"));
            }
            if let Some(live) = self.windows.get(&place.root) {
                if let Some(len) = &live.len
                    && !matches!(
                        stmt.kind,
                        StmtKind::Disjoint(_)
                            | StmtKind::Procedure(_)
                            | StmtKind::Simd(_)
                            | StmtKind::Kernel(_)
                    )
                    && !self.lies_within(place, live, len)
                {
                    problem = Some(format!(
                        "`{}` may be used where the window has no element",
                        self.name(place.root)
                    ));
                }
                let writes = !matches!(touch, Touch::Read | Touch::Length);
                if writes && !live.written {
                    let name = self.name(place.root);
                    problem = Some(format!("the window `{name}` is written"));
                }
            }
            let taken = |live: &Live| live.of == place.root && live.written;
            if self.windows.values().any(taken) {
                let name = self.name(place.root);
                problem = Some(format!("`{name}` is used beside a window that is written"));
            }
            if self.unfilled.contains(&place.root) {
                if touch == Touch::Read {
                    let name = self.name(place.root);
                    problem = Some(format!("`{name}` is read before it is filled"));
                } else if touch != Touch::Declare && fills {
                    filled.push(place.root);
                }
            }
        });
        for var in filled {
            self.unfilled.remove(&var);
        }
        problem.map_or(Ok(()), Err)
    }

    /// Whether a place names an element of a window of so many, or all of it.
    fn lies_within(&self, place: &Place, live: &Live, len: &str) -> bool {
        let bounds = live.lanes.iter().map(String::as_str).chain([len]);
        place
            .proj
            .iter()
            .zip(bounds)
            .all(|(proj, len)| matches!(proj, Proj::Index(at) if self.is_below(at, len)))
    }

    /// `for var in _..n`
    fn counter(&mut self, var: VarId, range: &RangeIter) {
        if range.inclusive || range.step.is_some() {
            return;
        }
        let n = expr_text(self.func, &range.hi);
        // Parts of as many as there are partial sums, one part, and what is left behind them.
        if range.lo.is_zero_literal() {
            self.parts.insert(var, n.clone());
        }
        self.below.insert(var, n);
    }

    /// `let var = window.len()`, of a window that says nothing of its length.
    fn length(&mut self, var: VarId, value: &Expr) {
        let name = self.name(var);
        if let ExprKind::Len(place) = &value.kind
            && place.is_var()
            && let Some(live) = self.windows.get_mut(&place.root)
        {
            live.len.get_or_insert(name);
        }
    }

    /// What a kernel gives a step, and its reverse: rows of the arrays, which change places.
    fn cells(&mut self, call: &KernelCall) {
        let array = |k: usize| match call.outputs.get(k) {
            Some(Output::Place(place)) => Some(place.root),
            Some(Output::Part(_)) | None => None,
        };
        for (body, [from, to]) in call.bodies.iter().zip([[0, 1], [0, 3]]) {
            if let (Some(from), Some(to), [row, _, cells, ..]) =
                (array(from), array(to), body.params.as_slice())
            {
                self.add(*row, from, false, None);
                self.add(*cells, to, body.params.last() == Some(cells), None);
            }
        }
    }

    /// The element that was found in a slice.
    fn found(&mut self, var: VarId, slice: &Expr) {
        if let ExprKind::Read(place) = &slice.kind
            && let Some(len) = self.windows.get(&place.root).and_then(|w| w.len.clone())
        {
            self.below.insert(var, len);
        }
    }

    /// What `part * PARTIAL + k` stays below, where there are that many parts, or `k` counts what they leave.
    fn bound(&self, value: &Expr) -> Option<String> {
        if let ExprKind::Read(place) = &value.kind {
            return self
                .below
                .get(&place.root)
                .filter(|_| place.is_var())
                .cloned();
        }
        let (first, k) = operands(value, BinOp::Add)?;
        let (part, size) = operands(first, BinOp::Mul)?;
        let ExprKind::Function(Function::Partial, _) = size.kind else {
            return None;
        };
        let ExprKind::Read(k) = &k.kind else {
            return None;
        };
        let (rest, size) = (self.parts.get(&k.root)?, expr_text(self.func, size));
        if let ExprKind::Read(part) = &part.kind {
            let parts = self.parts.get(&part.root)?;
            let n = parts.strip_prefix('(')?.strip_suffix(')')?;
            let n = n.strip_suffix(&format!(" Div {size}"))?;
            return (*rest == size).then(|| n.to_owned());
        }
        let (n, by) = operands(part, BinOp::Div)?;
        let n = expr_text(self.func, n);
        let left = format!("({n} Rem {size})");
        (expr_text(self.func, by) == size && *rest == left).then_some(n)
    }

    fn windows(&mut self, windows: &Windows) -> Result<(), String> {
        let len = |e: &Expr| Some(expr_text(self.func, e));
        match windows {
            Windows::Groups(group) => {
                self.apart(group.of.root, group.mutable)?;
                self.add(group.var, group.of.root, group.mutable, None);
            }
            Windows::Element {
                var, of, copied, ..
            } => {
                self.apart(of.root, false)?;
                if !copied {
                    self.add(*var, of.root, false, None);
                }
            }
            Windows::Read { window, len: n } => {
                let n = len(n);
                self.apart(window.of.root, false)?;
                self.add(window.var, window.of.root, false, n);
            }
            Windows::Write { windows, len: n } => {
                let n = len(n);
                let root = |window: &Window| window.of.root;
                let first = windows.first().map(root);
                if windows.iter().any(|window| Some(root(window)) != first) {
                    return Err("windows of several arrays are made together".to_owned());
                }
                first.map_or(Ok(()), |root| self.apart(root, true))?;
                for window in windows {
                    self.add(window.var, root(window), true, n.clone());
                }
            }
            Windows::Extent { window, len: n } => {
                let n = len(n);
                self.extents.insert(window.var, (window.of.root, n));
            }
            Windows::Stencil { .. } => {}
            Windows::Part { var, part } => {
                let n = len(part.then.as_ref().map_or(&part.len, |(_, len)| len));
                self.extent(part)?;
                self.apart(part.of.root, true)?;
                self.add(*var, part.of.root, true, n);
            }
            Windows::Narrow { vars, len: n, .. } => {
                let n = len(n);
                for var in vars {
                    if let Some(live) = self.windows.get_mut(var) {
                        live.len.clone_from(&n);
                    }
                }
            }
            Windows::Shift {
                var, of, len: n, ..
            } => {
                let n = len(n);
                let Some(root) = self.windows.get(of).map(|live| live.of) else {
                    return Err(format!("`{}` is no window", self.name(*of)));
                };
                self.add(*var, root, false, n);
            }
            Windows::PerLane(windows) => self.per_lane(windows)?,
            Windows::Rows(rows) => self.rows(rows)?,
            Windows::Panel(panel) => self.panel(panel)?,
            Windows::Records { .. }
            | Windows::NarrowRecords { .. }
            | Windows::ShiftRecords { .. } => {}
        }
        Ok(())
    }

    /// An extent is one of the array that it is used for.
    fn extent(&self, part: &Part) -> Result<(), String> {
        let Some(extent) = part.extent else {
            return Ok(());
        };
        match self.extents.get(&extent) {
            Some((of, _)) if *of == part.of.root => Ok(()),
            Some(_) | None => Err(format!("`{}` is no extent of its array", self.name(extent))),
        }
    }

    pub(super) fn add(&mut self, var: VarId, of: VarId, written: bool, len: Option<String>) {
        let lanes = None;
        self.windows.insert(
            var,
            Live {
                of,
                written,
                lanes,
                len,
            },
        );
    }

    /// Whether an array can have one more window.
    pub(super) fn apart(&self, of: VarId, written: bool) -> Result<(), String> {
        let meets = |live: &&Live| live.of == of && (written || live.written);
        match self.windows.values().find(meets) {
            Some(_) => Err(format!("windows of `{}` may meet", self.name(of))),
            None => Ok(()),
        }
    }

    /// The windows that a procedure is given have as many elements as it is called for.
    fn call(&self, call: &Call, n: &str) -> Result<(), String> {
        for var in &call.slices {
            let live = self.windows.get(var).and_then(|live| live.len.as_deref());
            if live != Some(n) {
                let name = self.name(*var);
                return Err(format!("`{name}` is no window of `{n}` elements"));
            }
        }
        Ok(())
    }

    /// Windows that code has to itself have as many elements as it is told.
    fn disjoint(&self, disjoint: &Disjoint) -> Result<(), String> {
        let len = expr_text(self.func, &disjoint.len);
        for var in disjoint.reads.iter().chain(&disjoint.edits) {
            let live = self.windows.get(var);
            if live.and_then(|live| live.len.as_ref()) != Some(&len) {
                let name = self.name(*var);
                return Err(format!("`{name}` is no window of `{len}` elements"));
            }
        }
        Ok(())
    }
}

fn operands(e: &Expr, op: BinOp) -> Option<(&Expr, &Expr)> {
    if let ExprKind::Binary(found, a, b) = &e.kind
        && *found == op
    {
        Some((a, b))
    } else {
        None
    }
}
