//! The text form of the IR, for tests and dumps: the notation of Rust where there is one.

mod expr;
mod lanes;
mod loops;
mod versions;

use std::fmt::Write;

use quote::ToTokens;

use super::Sweeps;
use super::{
    Argument, BinOp, Block, Callee, Expr, Func, Given, Interface, ReadBy, Returning, Stmt,
    StmtKind, VarId, leaf_stmts, sweep_stmts,
};
use expr::ty_text;

/// Whether a callee leaves its outputs.
fn leaving(callee: &Callee) -> String {
    match &callee.returning {
        Returning::Always => String::new(),
        Returning::Never => " leaving".to_owned(),
        Returning::If(outputs) => {
            let of = |verb: &str, argument: &Argument| {
                format!("{} {verb} {}", argument.of.to_token_stream(), argument.at)
            };
            let outputs = outputs.iter().map(|output| {
                let left = of("leaves", &output.of);
                match &output.read_by {
                    ReadBy::Caller => left,
                    ReadBy::Sweeps(readers) => {
                        let readers = readers.iter().map(|reader| of("reads", reader));
                        format!("{left} and ({})", readers.collect::<Vec<_>>().join(" or "))
                    }
                }
            });
            format!(
                " leaving unless {}",
                outputs.collect::<Vec<_>>().join(" or ")
            )
        }
    }
}

/// A function as text.
pub(crate) fn text(func: &Func) -> String {
    let mut out = String::new();
    let params: Vec<String> = func
        .params
        .iter()
        .map(|p| {
            format!(
                "{}: {}",
                func.var(p.var).name,
                ty_text(&func.var(p.var).ty, &func.written)
            )
        })
        .collect();
    let _ = writeln!(out, "fn {}({}) {{", func.name, params.join(", "));
    out.push_str(&text_of(func, &func.body.stmts, 1));
    if let Some(result) = func.result {
        let _ = writeln!(out, "    {}", func.var(result).name);
    }
    out.push_str("}\n");
    out
}

/// An expression as text.
pub(crate) fn expr_text(func: &Func, e: &Expr) -> String {
    let printer = Printer {
        func,
        out: String::new(),
        depth: 0,
    };
    printer.expr(e)
}

/// Statements as text.
pub(crate) fn text_of(func: &Func, stmts: &[Stmt], depth: usize) -> String {
    let mut printer = Printer {
        func,
        out: String::new(),
        depth,
    };
    printer.stmts(stmts);
    printer.out
}

impl Sweeps {
    /// Both sweeps as text.
    pub(crate) fn text(&self) -> String {
        let names: Vec<String> = self
            .yields
            .iter()
            .map(|v| self.func.var(*v).name.to_string())
            .collect();
        let mut out = format!(
            "forward {{\n{}}} -> record ({})\nreverse {{\n{}}}\n",
            text_of(&self.func, &self.forward, 1),
            names.join(", "),
            text_of(&self.func, &self.reverse, 1)
        );
        for (k, proc) in self.procs.iter().enumerate() {
            let mut printer = Printer {
                func: &self.func,
                out: String::new(),
                depth: 1,
            };
            let (head, returns) = printer.interface(k, &proc.interface);
            printer.stmts(&proc.body.stmts);
            let _ = writeln!(out, "{head} {{\n{}}} -> ({returns})", printer.out);
        }
        if let Some(joint) = &self.joint {
            let stmts = text_of(&self.func, &joint.stmts, 1);
            let outcome = &self.func.var(joint.outcome).name;
            let _ = writeln!(out, "joint {{\n{stmts}}} -> {outcome}");
        }
        out
    }
}

struct Printer<'a> {
    func: &'a Func,
    out: String,
    depth: usize,
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{}{text}", "    ".repeat(self.depth));
    }

    fn nested(&mut self, head: &str, block: &Block) {
        self.inside(head, |printer| printer.stmts(&block.stmts));
    }

    fn inside(&mut self, head: &str, print: impl FnOnce(&mut Self)) {
        self.line(&format!("{head} {{"));
        self.depth += 1;
        print(self);
        self.depth -= 1;
        self.line("}");
    }

    fn name(&self, var: VarId) -> String {
        self.func.var(var).name.to_string()
    }

    fn names(&self, vars: &[VarId]) -> String {
        vars.iter()
            .map(|v| self.name(*v))
            .collect::<Vec<_>>()
            .join(", ")
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    #[expect(clippy::too_many_lines, reason = "one arm per statement of the IR")]
    fn stmt(&mut self, stmt: &Stmt) {
        let text = match &stmt.kind {
            StmtKind::Let { var, init } => {
                let mutable = if self.func.var(*var).mutable {
                    "mut "
                } else {
                    ""
                };
                let init = init
                    .as_ref()
                    .map(|e| format!(" = {}", self.expr(e)))
                    .unwrap_or_default();
                format!(
                    "let {mutable}{}: {}{init};",
                    self.name(*var),
                    ty_text(&self.func.var(*var).ty, &self.func.written)
                )
            }
            StmtKind::Assign { place, value, init } => {
                let first = if *init { "first " } else { "" };
                format!("{first}{} = {};", self.place(place), self.expr(value))
            }
            StmtKind::Update { place, op, value } => {
                let op = if *op == BinOp::Sub { "-=" } else { "+=" };
                format!("{} {op} {};", self.place(place), self.expr(value))
            }
            StmtKind::Swap(a, b) => format!("swap({}, {});", self.place(a), self.place(b)),
            StmtKind::Call { dest, callee, args }
            | StmtKind::CallForward { dest, callee, args } => {
                let dest = dest
                    .map(|d| format!("let {} = ", self.name(d)))
                    .unwrap_or_default();
                let how = if matches!(stmt.kind, StmtKind::CallForward { .. }) {
                    format!("forward{} ", leaving(callee))
                } else {
                    String::new()
                };
                format!(
                    "{dest}{how}{}({});",
                    callee.path.to_token_stream(),
                    self.args(args)
                )
            }
            StmtKind::CallReverse {
                callee, args, seed, ..
            } => {
                let seed = seed.as_ref().map(|p| self.place(p)).unwrap_or_default();
                format!(
                    "reverse{} {}({}; {seed});",
                    leaving(callee),
                    callee.path.to_token_stream(),
                    self.args(args)
                )
            }
            StmtKind::Push { vec, value } => {
                format!("{}.push({});", self.place(vec), self.expr(value))
            }
            StmtKind::Pop { dest, vec } => {
                format!("let {} = {}.pop();", self.name(*dest), self.place(vec))
            }
            StmtKind::Truncate { vec, len } => {
                format!("{}.truncate({});", self.place(vec), self.expr(len))
            }
            StmtKind::Regrow { vec, like } => {
                format!("{}.regrow({});", self.place(vec), self.place(like))
            }
            StmtKind::Fill { slice, value } => {
                format!("{}.fill({});", self.place(slice), self.expr(value))
            }
            StmtKind::CopyFrom { dst, src } => {
                format!("{}.copy_from_slice({});", self.place(dst), self.place(src))
            }
            StmtKind::Accumulate { dst, src } => {
                format!("{} += {};", self.place(dst), self.place(src))
            }
            StmtKind::Begin { place, value } => {
                format!("begin {} += {};", self.place(place), self.expr(value))
            }
            StmtKind::BeginAll { dst, src } => {
                format!("begin {} += {};", self.place(dst), self.place(src))
            }
            StmtKind::ClearAround {
                slice,
                start,
                trips,
            } => format!(
                "clear {} around {} of ({});",
                self.place(slice),
                self.expr(start),
                self.list(trips)
            ),
            StmtKind::SetZero(p) => format!("{} = 0;", self.place(p)),
            StmtKind::DropLast(p) => format!("{}.drop_last();", self.place(p)),
            StmtKind::Recycle(var) => format!("recycle {};", self.name(*var)),
            StmtKind::Opaque(o) => format!("opaque {};", self.opaque(o)),
            StmtKind::Jump(jump) => format!("{jump:?};"),
            StmtKind::PushRecord { vars, site } => {
                format!("push#{} ({});", site.0, self.names(vars))
            }
            StmtKind::PopRecord { vars, site } => format!("pop#{} ({});", site.0, self.names(vars)),
            StmtKind::PushSlice { place, site } => {
                format!("push#{} slice {};", site.0, self.place(place))
            }
            StmtKind::PopSlice { place, site } => {
                format!("pop#{} slice {};", site.0, self.place(place))
            }
            StmtKind::PushRange {
                site, slice, range, ..
            } => format!(
                "push#{} {}[written in {}];",
                site.0,
                self.place(slice),
                self.range(range)
            ),
            StmtKind::PopRange {
                site, slice, range, ..
            } => format!(
                "pop#{} {}[written in {}];",
                site.0,
                self.place(slice),
                self.range(range)
            ),
            StmtKind::RequireCompanion { callee, .. } => {
                format!("require {};", callee.path.to_token_stream())
            }
            StmtKind::Run(run) => {
                let (head, returns) = self.interface(run.proc.0, &run.interface);
                let begins = if returns.is_empty() { "" } else { " = " };
                format!("{returns}{begins}run {head};")
            }
            StmtKind::Parallel(_)
            | StmtKind::Branch { .. }
            | StmtKind::MatchRecord { .. }
            | StmtKind::Switch { .. }
            | StmtKind::Loop(_)
            | StmtKind::Checkpoint(_)
            | StmtKind::Labelled(..)
            | StmtKind::Scope(_)
            | sweep_stmts!(forms) => return self.structured(stmt),
        };
        self.line(&text);
    }

    /// What a procedure is given, and what comes back.
    fn interface(&self, number: usize, interface: &Interface) -> (String, String) {
        let given = interface.given.iter().map(|(var, given)| {
            let how = match given {
                Given::Value => "",
                Given::Shared => "&",
                Given::Exclusive => "&mut ",
            };
            format!("{how}{}", self.name(*var))
        });
        let given: Vec<String> = given.collect();
        let returns: Vec<VarId> = interface.returns().collect();
        let head = format!("procedure {number} ({})", given.join(", "));
        (head, self.names(&returns))
    }

    fn structured(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Parallel(p) => self.parallel(p),
            StmtKind::Versioned(both) => self.versioned(both),
            StmtKind::Check(check) => self.check(check),
            StmtKind::Windows(windows) => self.windows(windows),
            StmtKind::Disjoint(disjoint) => self.disjoint(disjoint),
            StmtKind::Strips(strips) => self.strips(strips),
            StmtKind::RecordAt(record) => self.record_at(record),
            StmtKind::Buffer(buffer) => {
                let (name, kind) = (self.name(buffer.var), self.buffer(&buffer.kind));
                self.line(&format!("buffer {name} = {kind};"));
            }
            StmtKind::InRegisters(inside) => {
                let vars = self.names(&inside.vars);
                self.nested(&format!("on copies of ({vars})"), &inside.body);
            }
            StmtKind::Procedure(procedure) => {
                let (name, slices) = (self.name(procedure.var), self.names(&procedure.slices));
                let (lane, number) = (self.name(procedure.lane), self.name(procedure.number));
                let yields = self.names(&procedure.yields);
                let head = format!("procedure {name} ({slices}; {lane}, {number}) -> ({yields})");
                self.nested(&head, &procedure.body);
            }
            StmtKind::Simd(simd) => self.simd(simd),
            StmtKind::Kernel(call) => self.kernel(call),
            StmtKind::Switch { selector, arms } => {
                let head = format!("switch {}", self.expr(selector));
                for (k, arm) in arms.iter().enumerate() {
                    self.nested(&format!("{head} arm {k}"), arm);
                }
            }
            StmtKind::Branch {
                rec,
                selector,
                arms,
            } => {
                for (k, (arm, vars)) in arms.iter().enumerate() {
                    let head = format!(
                        "branch {} on {} arm {k} -> ({})",
                        self.name(*rec),
                        self.expr(selector),
                        self.names(vars)
                    );
                    self.nested(&head, arm);
                }
            }
            StmtKind::MatchRecord { rec, arms } => {
                for (k, (vars, arm)) in arms.iter().enumerate() {
                    self.nested(
                        &format!("match {} arm {k} ({})", self.name(*rec), self.names(vars)),
                        arm,
                    );
                }
            }
            StmtKind::Loop(this) => self.any_loop(this),
            StmtKind::Checkpoint(body) => self.nested("checkpoint", body),
            StmtKind::Scope(body) => self.nested("scope", body),
            StmtKind::Labelled(id, body) => self.nested(&format!("labelled {}", id.0), body),
            leaf_stmts!()
            | StmtKind::Jump(_)
            | StmtKind::PushRecord { .. }
            | StmtKind::PopRecord { .. }
            | StmtKind::PushSlice { .. }
            | StmtKind::PopSlice { .. }
            | StmtKind::PushRange { .. }
            | StmtKind::PopRange { .. }
            | StmtKind::RequireCompanion { .. }
            | StmtKind::CallForward { .. }
            | StmtKind::CallReverse { .. }
            | StmtKind::Run(_)
            | StmtKind::Begin { .. }
            | sweep_stmts!(adjoints) => unreachable!("it has one line"),
        }
    }
}
