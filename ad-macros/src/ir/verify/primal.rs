//! No pass changes what the forward sweep computes, nor the order in which it does so.
//!
//! What is compared is the *trace* of the forward sweep as it was derived: its statements in their order, as text, with
//! where loops and branches begin and end, what they run over, and when they are left. Behind a pass,
//!
//! - the forward sweep has the same trace;
//! - the list of both sweeps, if there is one, has it too, with statements of the reverse sweep in between. An
//!   immutable variable may be declared earlier there, if nothing from there on writes what it is computed from.
//!
//! Not in a trace: what only serves the reverse sweep, that is, pushes and pops, and what is written to variables of
//! the sweeps' own. So a loop may get a strip, and several things may be done to its reverse.
//!
//! A loop that runs in another form counts as the loop that it was, which all forms hold (`plain`); that the other form
//! computes the same values, [`fast`](super::fast) sees. What happens before the sweeps are derived is not seen here:
//! loops written out, elements of views.

use std::borrow::Cow;

use crate::ir::display::{expr_text, text_of};
use crate::ir::versions::{Function, Resume};
use crate::ir::{
    Access, Direction, Domain, ELEMENTS, ExprKind, Func, Loop, OpaqueKind, PARTS, STD_NAME, Stmt,
    StmtKind, Sweeps, VarId, shallow_accesses,
};

/// The trace of a forward sweep.
pub(crate) struct PrimalOrder {
    trace: Vec<Operation>,
    /// Those of the procedures.
    procs: Vec<Vec<Operation>>,
}

/// A statement of a trace, or where a loop or branch begins or ends.
struct Operation {
    text: String,
    /// What it writes; declarations do not count.
    writes: Vec<VarId>,
    /// What an immutable variable is computed from, if the statement declares one and does nothing else.
    definition: Option<Vec<VarId>>,
}

impl PrimalOrder {
    /// Of sweeps that are right.
    pub(crate) fn of(sweeps: &Sweeps) -> Self {
        PrimalOrder {
            trace: Trace::of(sweeps, &sweeps.forward),
            procs: Trace::of_procs(sweeps),
        }
    }

    /// Whether the sweeps still do the same in the same order.
    pub(crate) fn is_kept(&self, sweeps: &Sweeps) -> Result<(), String> {
        let now = Trace::of(sweeps, &sweeps.forward);
        same("the forward sweep", &self.trace, &now)?;
        let procs = Trace::of_procs(sweeps);
        if self.procs.len() != procs.len() {
            return Err("a procedure came or went".to_owned());
        }
        let pairs = self.procs.iter().zip(&procs).enumerate();
        for (number, (before, now)) in pairs {
            same(&format!("procedure {number}"), before, now)?;
        }
        let joint = sweeps.joint.as_ref();
        joint.map_or(Ok(()), |joint| self.is_in(&Trace::of(sweeps, &joint.stmts)))
    }

    /// Whether the list of both sweeps does all of it in its order.
    fn is_in(&self, both: &[Operation]) -> Result<(), String> {
        let mut at = 0;
        for one in &self.trace {
            if one.stands_earlier(&both[..at]) {
                continue;
            }
            let Some(further) = both[at..].iter().position(|other| other.text == one.text) else {
                return Err(format!(
                    "the list of both sweeps lacks `{}` where the forward sweep has it",
                    one.text.trim()
                ));
            };
            at += further + 1;
        }
        Ok(())
    }
}

impl Operation {
    /// Whether it is the definition of a variable that is among the operations in front, and has the same value there.
    fn stands_earlier(&self, before: &[Operation]) -> bool {
        let Some(reads) = &self.definition else {
            return false;
        };
        let earlier = before.iter().rposition(|other| other.text == self.text);
        earlier.is_some_and(|earlier| {
            let mut since = before[earlier..].iter().flat_map(|other| &other.writes);
            !since.any(|var| reads.contains(var))
        })
    }
}

/// Whether two traces are the same.
fn same(what: &str, before: &[Operation], now: &[Operation]) -> Result<(), String> {
    let mut pairs = before.iter().zip(now);
    let differs = pairs.position(|(before, now)| before.text != now.text);
    let shorter = before.len().min(now.len());
    if differs.is_none() && before.len() == now.len() {
        return Ok(());
    }
    let at = differs.unwrap_or(shorter);
    let of = |trace: &[Operation]| {
        let text = trace.get(at).map_or("nothing", |one| one.text.trim());
        text.to_owned()
    };
    let (before, now) = (of(before), of(now));
    Err(format!("{what} had `{before}` where it has `{now}`"))
}

fn loop_text(
    sweep: Direction,
    counter: Option<VarId>,
    over: &[String],
    exit: Option<VarId>,
) -> String {
    let sweep = match sweep {
        Direction::Forward => "",
        Direction::Reverse => "reverse ",
    };
    let over = over.join(", ");
    format!("{sweep}loop {counter:?} over {over} until {exit:?}")
}

struct Trace<'a> {
    func: &'a Func,
    primal_vars: u32,
    found: Vec<Operation>,
}

impl Trace<'_> {
    fn of(sweeps: &Sweeps, stmts: &[Stmt]) -> Vec<Operation> {
        let mut trace = Trace {
            func: &sweeps.func,
            primal_vars: sweeps.primal_vars,
            found: Vec::new(),
        };
        trace.stmts(stmts);
        trace.found
    }

    fn of_procs(sweeps: &Sweeps) -> Vec<Vec<Operation>> {
        let bodies = sweeps.procs.iter().map(|proc| &proc.body.stmts);
        bodies.map(|stmts| Trace::of(sweeps, stmts)).collect()
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let text = |e| expr_text(self.func, e);
        let head = match &stmt.kind {
            // Iterations of a loop that is there already.
            StmtKind::Loop(Loop {
                domain: Domain::Strip { .. },
                body,
                ..
            }) => {
                self.stmts(&body.stmts);
                return;
            }
            StmtKind::Versioned(both) => {
                match (&both.resume, both.plain.stmts.as_slice()) {
                    (Some(resume), [rest]) if let Some(rest) = rest.as_loop() => {
                        self.rest(resume, rest);
                    }
                    _ => self.stmts(&both.plain.stmts),
                }
                return;
            }
            StmtKind::Strips(strips) => {
                let over: Vec<String> = strips.range.exprs().map(text).collect();
                loop_text(strips.direction, Some(strips.counter), &over, None)
            }
            StmtKind::Loop(this) => {
                let over: Vec<String> = this.domain.exprs().into_iter().map(text).collect();
                loop_text(this.sweep, this.domain.counter(), &over, this.exit)
            }
            StmtKind::Parallel(parallel) => {
                let over: Vec<String> = parallel.range.exprs().map(text).collect();
                format!("parallel {} over {}", parallel.reverse, over.join(", "))
            }
            StmtKind::Switch { selector, .. } | StmtKind::Branch { selector, .. } => {
                format!("switch {}", text(selector))
            }
            StmtKind::MatchRecord { rec, .. } => format!("match {rec:?}"),
            // Other forms of a loop, and what stands around one.
            StmtKind::Scope(_)
            | StmtKind::Disjoint(_)
            | StmtKind::Checkpoint(_)
            | StmtKind::Labelled(..) => {
                for block in stmt.kind.blocks() {
                    self.stmts(&block.stmts);
                }
                return;
            }
            // What runs nothing.
            StmtKind::Opaque(o) if matches!(o.kind, OpaqueKind::Other(ELEMENTS | PARTS | STD_NAME)) => return,
            StmtKind::PushRecord { .. }
            | StmtKind::PopRecord { .. }
            | StmtKind::PushSlice { .. }
            | StmtKind::PopSlice { .. }
            | StmtKind::PushRange { .. }
            | StmtKind::PopRange { .. }
            | StmtKind::CallReverse { .. }
            | StmtKind::Accumulate { .. }
            | StmtKind::Begin { .. }
            | StmtKind::BeginAll { .. }
            | StmtKind::ClearAround { .. }
            | StmtKind::SetZero(_)
            | StmtKind::DropLast(_)
            | StmtKind::Recycle(_)
            | StmtKind::Regrow { .. }
            // What loops are made of that have another form.
            | StmtKind::Check(_)
            | StmtKind::Windows(_)
            | StmtKind::RecordAt(_)
            | StmtKind::Buffer(_)
            | StmtKind::InRegisters(_)
            | StmtKind::Simd(_)
            | StmtKind::Procedure(_)
            | StmtKind::Kernel(_) => return,
            StmtKind::Let { .. }
            | StmtKind::Assign { .. }
            | StmtKind::Update { .. }
            | StmtKind::Swap(..)
            | StmtKind::Call { .. }
            | StmtKind::CallForward { .. }
            | StmtKind::Run(_)
            | StmtKind::RequireCompanion { .. }
            | StmtKind::Push { .. }
            | StmtKind::Pop { .. }
            | StmtKind::Truncate { .. }
            | StmtKind::Fill { .. }
            | StmtKind::CopyFrom { .. }
            | StmtKind::Opaque(_)
            | StmtKind::Jump(_) => {
                self.leaf(stmt);
                return;
            }
        };
        self.mark(head);
        for block in stmt.kind.blocks() {
            self.stmts(&block.stmts);
            self.mark("end".to_owned());
        }
    }

    /// The rest of a loop, as all of it. Its counter may be computed from the number of the iteration.
    fn rest(&mut self, resume: &Resume, rest: &Loop) {
        if let Some(range) = &resume.range {
            let over: Vec<String> = range.exprs().map(|e| expr_text(self.func, e)).collect();
            let counter = Some(resume.counter);
            self.mark(loop_text(rest.sweep, counter, &over, rest.exit));
        }
        let counter = resume.counter;
        let is_counter = |s: &&Stmt| matches!(s.kind, StmtKind::Let { var, .. } if var == counter);
        let stmts = rest.body.stmts.iter().filter(|s| !is_counter(s));
        stmts.for_each(|stmt| self.stmt(stmt));
        if resume.range.is_some() {
            self.mark("end".to_owned());
        }
    }

    /// Where a loop or branch begins or ends.
    fn mark(&mut self, text: String) {
        self.found.push(Operation {
            text,
            writes: Vec::new(),
            definition: None,
        });
    }

    /// A statement without blocks, if it changes a variable of the function, or nothing that is known.
    fn leaf(&mut self, stmt: &Stmt) {
        let (mut reads, mut writes, mut declares) = (Vec::new(), Vec::new(), Vec::new());
        shallow_accesses(stmt, &mut |var, access| match access {
            Access::Read => reads.push(var),
            Access::WriteAll | Access::WritePart => writes.push(var),
            Access::Declare => declares.push(var),
        });
        let changes = || writes.iter().chain(&declares);
        if changes().next().is_some() && changes().all(|var| var.0 >= self.primal_vars) {
            return;
        }
        let is_definition = writes.is_empty() && stmt.definition(self.func).is_some();
        self.found.push(Operation {
            text: text_of(self.func, std::slice::from_ref(&*as_copy(stmt)), 0),
            definition: is_definition.then_some(reads),
            writes,
        });
    }
}

/// A statement that moves a value, as one that copies it.
fn as_copy(stmt: &Stmt) -> Cow<'_, Stmt> {
    let mut copy = Cow::Borrowed(stmt);
    if let Some(value) = stmt.stored()
        && let ExprKind::Function(Function::Moved, read) = &value.kind
        && let Some(value) = copy.to_mut().stored_mut()
    {
        value.clone_from(&read[0]);
    }
    copy
}
