//! The text form of the IR, for tests and dumps: the notation of Rust where there is one.

use std::fmt::Write;

use quote::ToTokens;

use crate::analysis::activity::Activity;
use crate::reverse::Sweeps;

use super::{
    Arg, ArgMode, BinOp, Block, Expr, ExprKind, Func, LoopKind, OpaqueArg, Order, Parallel, Place,
    Proj, RangeIter, RevKind, Site, Stmt, StmtKind, Ty, UnOp, VarId,
};

/// A function as text.
pub(crate) fn text(func: &Func) -> String {
    let mut out = String::new();
    let params: Vec<String> = func
        .params
        .iter()
        .map(|p| format!("{}: {}", func.var(p.var).name, ty_text(&func.var(p.var).ty)))
        .collect();
    let _ = writeln!(out, "fn {}({}) {{", func.name, params.join(", "));
    out.push_str(&text_of(func, &func.body.stmts, 1));
    if let Some(result) = func.result {
        let _ = writeln!(out, "    {}", func.var(result).name);
    }
    out.push_str("}\n");
    out
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
        if let Some(joint) = &self.joint {
            let stmts = text_of(&self.func, &joint.stmts, 1);
            let outcome = &self.func.var(joint.outcome).name;
            let _ = writeln!(out, "joint {{\n{stmts}}} -> {outcome}");
        }
        out
    }
}

impl Activity {
    /// The varied, useful and active variables by name.
    pub(crate) fn text(&self, func: &Func) -> String {
        let list = |set: &std::collections::HashSet<VarId>| {
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
        self.line(&format!("{head} {{"));
        self.depth += 1;
        self.stmts(&block.stmts);
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
                    ty_text(&self.func.var(*var).ty)
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
                    "forward "
                } else {
                    ""
                };
                format!(
                    "{dest}{how}{}({});",
                    callee.to_token_stream(),
                    self.args(args)
                )
            }
            StmtKind::CallReverse {
                callee, args, seed, ..
            } => {
                let seed = seed.as_ref().map(|p| self.place(p)).unwrap_or_default();
                format!(
                    "reverse {}({}; {seed});",
                    callee.to_token_stream(),
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
            StmtKind::RequireCompanion(callee) => format!("require {};", callee.to_token_stream()),
            _ => return self.structured(stmt),
        };
        self.line(&text);
    }

    fn tiled(&self, counter: VarId, range: &RangeIter, site: Site, vars: &[VarId]) -> String {
        format!(
            "for {} in {} tile#{} ({})",
            self.name(counter),
            self.range(range),
            site.0,
            self.names(vars)
        )
    }

    /// The slices that a loop runs on: those that are read, then those that are written.
    fn slices<'v>(
        &self,
        read: impl Iterator<Item = &'v (VarId, super::View)>,
        written: impl Iterator<Item = &'v (VarId, super::View)>,
    ) -> String {
        let slice = |(var, view): &(VarId, super::View)| {
            let (of, index) = (self.place(&view.of), self.expr(&view.index));
            format!("{} = {of}[{index}]", self.name(*var))
        };
        let written = written.map(|w| format!("mut {}", slice(w)));
        let texts: Vec<String> = read.map(slice).chain(written).collect();
        texts.join(", ")
    }

    fn sliced(&mut self, s: &super::Sliced) {
        let slices = self.slices(s.views.iter().chain(&s.loads), s.edits.iter().flatten());
        let how = match (&s.search, s.whole_blocks) {
            (Some(_), _) => "search".to_owned(),
            (None, Some(length)) => format!("sliced in blocks of {length}"),
            (None, None) => "sliced".to_owned(),
        };
        let head = format!(
            "{how} for {} in {}{} on ({})",
            self.name(s.counter),
            self.range(&s.range),
            order_text(s.order),
            slices
        );
        self.nested(&head, &s.body);
        for (k, sum) in s.sums.iter().enumerate() {
            let op = if sum.op == BinOp::Sub { "-=" } else { "+=" };
            let gathered = |g: &super::Gather| g.terms.iter().any(|(term, _)| *term == k);
            let how = match sum.direct {
                Some(_) => "at once",
                None if s.partial => "partial sums",
                None if s.split.is_some() => "where it goes",
                None if s.gathers.iter().any(gathered) => "in one pass",
                None => "rows",
            };
            let text = format!(
                "{how} {} {op} {};",
                self.place(&sum.place),
                self.name(sum.source)
            );
            self.line(&text);
        }
        let split = s.split.iter();
        for combined in split.flat_map(|split| &split.combined) {
            let head = format!("combined {}", self.name(combined.total));
            self.nested(&head, &combined.body);
        }
        self.nested("else", &s.plain);
    }

    fn few_rows(&mut self, t: &super::Tiled) {
        let [from, to] = t.arrays.map(|var| self.name(var));
        let [left, right] = t.around;
        let head = format!(
            "{} in {} from {from} to {to} with {left} cells in front and {right} behind",
            if t.back.is_some() {
                "reverse tiles"
            } else {
                "few rows"
            },
            self.range(&t.steps),
        );
        self.nested(&head, &t.step.body);
        if let Some(back) = &t.back {
            self.nested("back", &back.step.body);
        }
        self.nested("else", &t.plain);
    }

    fn jam(&mut self, j: &super::Jam) {
        let read = j.loads.iter().chain(&j.views).chain(&j.across);
        let written = j.edits.iter().flatten();
        let slices = self.slices(
            read.chain(&j.shared).chain(&j.rows),
            written
                .chain(&j.shared_edits)
                .chain(&j.row_edits)
                .chain(&j.across_edits),
        );
        let kept: Vec<VarId> = j.kept.iter().map(|(var, _)| *var).collect();
        let head = format!(
            "{} at once{} for {} in {} on ({}) lanes ({})",
            j.together,
            if j.blocks { " over blocks" } else { "" },
            self.name(j.counter),
            self.range(&j.range),
            slices,
            self.names(&kept)
        );
        self.nested(&head, &j.before.body);
        for (var, value) in &j.begin {
            let text = format!(
                "for each column {} = {};",
                self.name(*var),
                self.expr(value)
            );
            self.line(&text);
        }
        let head = format!(
            "for {} in {}",
            self.name(j.inner_counter),
            self.range(&j.inner_range)
        );
        if let Some(terms) = &j.terms {
            self.nested("for four columns", &terms.body);
            for (sum, op, term) in &terms.adds {
                let text = format!(
                    "one by one {} {op:?} {};",
                    self.name(*sum),
                    self.name(*term)
                );
                self.line(&text);
            }
        }
        self.nested(&head, &j.inside.body);
        if !j.finish.stmts.is_empty() {
            self.nested("for each column", &j.finish);
        }
        self.nested("then", &j.after.body);
        self.nested("rest", &j.plain);
    }

    fn parallel(&mut self, p: &Parallel) {
        let vars = |vars: Vec<VarId>| self.names(&vars);
        let head = format!(
            "{}parallel {}..{} of {} on {} parts ({}) sums ({}) own ({})",
            if p.reverse { "reverse " } else { "" },
            self.name(p.first),
            self.name(p.last),
            self.range(&p.range),
            self.name(p.workers),
            vars(p.shares.parts.iter().map(|(root, _)| *root).collect()),
            vars(p.shares.sums.clone()),
            vars(p.own.iter().map(|own| own.bar).collect()),
        );
        self.nested(&head, &p.body);
    }

    fn structured(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Parallel(p) => self.parallel(p),
            StmtKind::Sliced(s) => self.sliced(s),
            StmtKind::Jam(j) => self.jam(j),
            StmtKind::Tiled(t) => self.few_rows(t),
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
            StmtKind::Loop {
                kind, body, exit, ..
            } => {
                let exit = exit
                    .map(|v| format!(" until {}", self.name(v)))
                    .unwrap_or_default();
                let head = match kind {
                    LoopKind::For { var, range } => {
                        format!("for {} in {}{exit}", self.name(*var), self.range(range))
                    }
                    LoopKind::While(cond) => format!("while {}{exit}", self.expr(cond)),
                    LoopKind::Forever => format!("loop{exit}"),
                };
                self.nested(&head, body);
            }
            StmtKind::RevLoop { kind, body, order } => {
                let order = order_text(*order);
                let head = match kind {
                    RevKind::For { var, range, trips } => {
                        let trips = trips
                            .map(|v| format!(" first {}", self.name(v)))
                            .unwrap_or_default();
                        format!(
                            "reverse for {} in {}{trips}{order}",
                            self.name(*var),
                            self.range(range)
                        )
                    }
                    RevKind::Count(n) => format!("reverse {} times", self.name(*n)),
                };
                self.nested(&head, body);
            }
            StmtKind::StripLoop {
                counter,
                range,
                site,
                vars,
                body,
            } => {
                let head = self.tiled(*counter, range, *site, vars);
                self.nested(&head, body);
            }
            StmtKind::RevStripLoop {
                counter,
                range,
                site,
                vars,
                body,
                order,
            } => {
                let head = self.tiled(*counter, range, *site, vars);
                self.nested(&format!("reverse {head}{}", order_text(*order)), body);
            }
            StmtKind::Checkpoint(body) => self.nested("checkpoint", body),
            StmtKind::Scope(body) => self.nested("scope", body),
            StmtKind::Labelled(id, body) => self.nested(&format!("labelled {}", id.0), body),
            _ => {}
        }
    }

    fn args(&self, args: &[Arg]) -> String {
        let texts: Vec<String> = args
            .iter()
            .map(|a| match &a.mode {
                ArgMode::Value(e) => self.expr(e),
                ArgMode::Shared(p) => format!("&{}", self.place(p)),
                ArgMode::InOut(p) => format!("&mut {}", self.place(p)),
            })
            .collect();
        texts.join(", ")
    }

    fn range(&self, r: &RangeIter) -> String {
        let dots = if r.inclusive { "..=" } else { ".." };
        let step = r
            .step
            .as_ref()
            .map(|s| format!(" step {}", self.expr(s)))
            .unwrap_or_default();
        format!(
            "{}{dots}{}{step}{}",
            self.expr(&r.lo),
            self.expr(&r.hi),
            match (r.rev_first, r.rev) {
                (false, false) => "",
                (false, true) => " rev",
                (true, false) => " from the end",
                (true, true) => " from the end rev",
            }
        )
    }

    fn place(&self, p: &Place) -> String {
        let mut out = self.name(p.root);
        for proj in &p.proj {
            match proj {
                Proj::Deref => out = format!("(*{out})"),
                Proj::Index(e) => out = format!("{out}[{}]", self.expr(e)),
                Proj::Field(m) => out = format!("{out}.{}", m.to_token_stream()),
                Proj::Range { lo, hi, inclusive } => {
                    let bound =
                        |e: &Option<Expr>| e.as_ref().map(|e| self.expr(e)).unwrap_or_default();
                    out = format!(
                        "{out}[{}..{}{}]",
                        bound(lo),
                        if *inclusive { "=" } else { "" },
                        bound(hi)
                    );
                }
                Proj::Payload => out = format!("{out}.some"),
            }
        }
        out
    }

    fn opaque(&self, o: &super::Opaque) -> String {
        let args: Vec<String> = o
            .args
            .iter()
            .map(|(name, arg)| match arg {
                OpaqueArg::Place(p) => format!("{name} = {}", self.place(p)),
                OpaqueArg::Ref(p) => format!("{name} = &{}", self.place(p)),
                OpaqueArg::RefMut(p) => format!("{name} = &mut {}", self.place(p)),
                OpaqueArg::Value(e) => format!("{name} = {}", self.expr(e)),
            })
            .collect();
        format!("`{}` with ({})", o.code.to_token_stream(), args.join(", "))
    }

    fn list(&self, parts: &[Expr]) -> String {
        parts
            .iter()
            .map(|e| self.expr(e))
            .collect::<Vec<_>>()
            .join(", ")
    }

    fn expr(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Lit(lit) => lit.to_token_stream().to_string(),
            ExprKind::Read(p) => self.place(p),
            ExprKind::Unary(UnOp::Neg, a) => format!("-{}", self.expr(a)),
            ExprKind::Unary(UnOp::Not, a) => format!("!{}", self.expr(a)),
            ExprKind::Binary(op, a, b) => format!("({} {op:?} {})", self.expr(a), self.expr(b)),
            ExprKind::Cast(a, ty) => format!("({} as {})", self.expr(a), ty.to_token_stream()),
            ExprKind::Math(f, args) => format!("{}({})", f.name(), self.list(args)),
            ExprKind::Rule(name, args) => format!("rule {name}({})", self.list(args)),
            ExprKind::Tuple(parts) => format!("({})", self.list(parts)),
            ExprKind::Array(parts) => format!("[{}]", self.list(parts)),
            ExprKind::Repeat(a, n) => format!("[{}; {}]", self.expr(a), n.to_token_stream()),
            ExprKind::VecLit(parts) => format!("vec![{}]", self.list(parts)),
            ExprKind::VecRepeat(a, n) => format!("vec![{}; {}]", self.expr(a), self.expr(n)),
            ExprKind::VecNew(_) => "vec![]".to_owned(),
            ExprKind::Some(a) => format!("Some({})", self.expr(a)),
            ExprKind::None => "None".to_owned(),
            ExprKind::Len(p) => format!("{}.len()", self.place(p)),
            ExprKind::ToVec(p) => format!("{}.to_vec()", self.place(p)),
            ExprKind::Opaque(o) => self.opaque(o),
            ExprKind::NoGradient(a) => format!("no_gradient({})", self.expr(a)),
            ExprKind::ZeroLike(p) => format!("zero({})", self.place(p)),
            ExprKind::Zero => "0".to_owned(),
            ExprKind::SumOf(p) => format!("sum({})", self.place(p)),
        }
    }
}

fn order_text(order: Order) -> &'static str {
    match order {
        Order::Forward => " forwards",
        Order::Backward => "",
    }
}

/// A type in the notation of Rust, as far as known.
fn ty_text(ty: &Ty) -> String {
    match ty {
        Ty::F32 => "f32".to_owned(),
        Ty::F64 => "f64".to_owned(),
        Ty::Float => "float".to_owned(),
        Ty::Int(name) => name.unwrap_or("{integer}").to_owned(),
        Ty::Bool => "bool".to_owned(),
        Ty::Char => "char".to_owned(),
        Ty::Unit => "()".to_owned(),
        Ty::Str => "str".to_owned(),
        Ty::Array(t, Some(len)) => format!("[{}; {}]", ty_text(t), len.to_token_stream()),
        Ty::Array(t, None) => format!("[{}; _]", ty_text(t)),
        Ty::Slice(t) => format!("[{}]", ty_text(t)),
        Ty::Vec(t) => format!("Vec<{}>", ty_text(t)),
        Ty::Tuple(parts) => format!(
            "({})",
            parts.iter().map(ty_text).collect::<Vec<_>>().join(", ")
        ),
        Ty::Option(t) => format!("Option<{}>", ty_text(t)),
        Ty::Ref(mutable, t) => format!("&{}{}", if *mutable { "mut " } else { "" }, ty_text(t)),
        Ty::Passive => "passive".to_owned(),
        Ty::Unknown | Ty::Infer(_) => "_".to_owned(),
    }
}
