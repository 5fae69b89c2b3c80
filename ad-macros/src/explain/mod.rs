//! What the sweeps do, loop by loop: what each records, what is computed again, and which transformations apply or why
//! not.
//!
//! Passes leave [`Remarks`]; when the sweeps are finished, an [`Explain`] puts together what was said of each loop, and
//! adds what the sweeps keep for it. Loops are known by their spans, which the loops of both sweeps share; reports of
//! copies (from macros, inlined closures) come together.
//!
//! `factors` and `mul_add` change single expressions of adjoints and have no line.
//!
//! `RETROGRADE_DUMP=f:explain` prints all of it; the documentation of `f_grad` has what applies.

mod contents;
mod names;

use std::fmt::Write;

use proc_macro2::Span;

use crate::ir::hash::HashMap;
use crate::ir::{
    Block, Domain, Func, Loop, RECORDS_OF_ONE, Remarks, Stmt, StmtKind, Sweeps, Transform,
    Transforms,
};
use crate::reverse::Facts;

use names::listed;

/// The report of a function.
#[derive(Clone, Default, Debug)]
pub(crate) struct Explain {
    /// In the order of the source.
    loops: Vec<LoopReport>,
    /// The report of the loop at a span.
    at: HashMap<String, usize>,
    transforms: Transforms,
    /// What the function itself, outside its loops, leaves for the reverse sweep.
    outside: Kept,
}

/// What is kept for the reverse sweep: once, or in each iteration.
#[derive(Clone, Default, Debug)]
struct Kept {
    /// What the record holds, in words.
    record: Vec<String>,
    /// The size of the record, if all its types are known.
    bytes: Option<usize>,
    /// What goes on the tape beside the record: slices, the records of callees.
    beside: Vec<String>,
}

/// The report of a loop.
#[derive(Clone, Default, Debug)]
struct LoopReport {
    label: String,
    /// 0 where it is not known.
    line: usize,
    /// Number of loops around it.
    depth: usize,
    /// Whether the reverse sweep has a loop for it.
    reversed: bool,
    /// Whether it counts its iterations for the reverse sweep.
    counted: bool,
    kept: Kept,
    recomputed: Vec<String>,
    restored: Vec<String>,
    applied: Vec<(Transform, String)>,
    refused: Vec<(Transform, String)>,
}

impl Explain {
    /// The report on finished sweeps.
    pub(crate) fn of(
        sweeps: &Sweeps,
        facts: &Facts,
        transforms: Transforms,
        remarks: &Remarks,
    ) -> Self {
        let mut explain = Explain {
            loops: Vec::new(),
            at: HashMap::default(),
            transforms,
            outside: Kept::default(),
        };
        explain.enter(&sweeps.func, &facts.body, 0);
        for remark in remarks.iter() {
            match &remark.verdict {
                Ok(how) => explain.applied(remark.span, remark.transform, how),
                Err(why) => explain.refused(remark.span, remark.transform, why),
            }
        }
        explain.fill(sweeps, facts);
        explain
    }

    /// An empty report for each loop of the primal.
    fn enter(&mut self, func: &Func, block: &Block, depth: usize) {
        for stmt in &block.stmts {
            let mut inner = depth;
            if let StmtKind::Loop(Loop { domain: kind, .. }) = &stmt.kind {
                let report = self.report(stmt.span);
                report.label = label(func, stmt, kind);
                report.depth = depth;
                inner = depth + 1;
            }
            for block in stmt.kind.blocks() {
                self.enter(func, block, inner);
            }
        }
    }

    /// A transformation applies to the loop at `span`; `how` says to what, or how far.
    fn applied(&mut self, span: Span, one: Transform, how: impl Into<String>) {
        let entry = (one, how.into());
        let report = self.report(span);
        if !report.applied.contains(&entry) {
            report.applied.push(entry);
        }
    }

    /// A transformation does not apply to the loop at `span`; `why` is the first condition that does not hold.
    fn refused(&mut self, span: Span, one: Transform, why: impl Into<String>) {
        let entry = (one, why.into());
        let report = self.report(span);
        if !report.refused.contains(&entry) {
            report.refused.push(entry);
        }
    }

    fn report(&mut self, span: Span) -> &mut LoopReport {
        let next = self.loops.len();
        let at = *self.at.entry(key(span)).or_insert(next);
        if at == next {
            self.loops.push(LoopReport {
                label: "loop".to_owned(),
                line: span.start().line,
                ..LoopReport::default()
            });
        }
        &mut self.loops[at]
    }

    /// Everything, for a person who asks why.
    pub(crate) fn text(&self) -> String {
        let mut out = String::new();
        if let Some(kept) = self.outside.text("keeps", "") {
            let _ = writeln!(out, "the function {kept}");
        }
        for report in &self.loops {
            let indent = "    ".repeat(report.depth);
            let _ = writeln!(out, "{indent}{}", report.heading());
            for line in report.lines(self.transforms) {
                let _ = writeln!(out, "{indent}    {line}");
            }
        }
        let off: Vec<&str> = self.off().map(Transform::name).collect();
        if !off.is_empty() {
            let _ = writeln!(out, "switched off: {}", off.join(", "));
        }
        out
    }

    fn off(&self) -> impl Iterator<Item = Transform> {
        let all = Transform::ALL.iter().copied();
        all.filter(|one| !self.transforms.has(*one))
    }

    /// A section of the documentation of `f_grad`: one item per loop.
    pub(crate) fn documentation(&self) -> String {
        let mut out = String::from("# What the sweeps do\n");
        let name_of = |kept: &Kept| {
            kept.text("keeps", "")
                .map(|kept| format!("The function {kept}."))
        };
        match (name_of(&self.outside), self.loops.is_empty()) {
            (Some(kept), _) => {
                let _ = write!(out, "\n{kept}\n");
            }
            (None, true) => out.push_str("\nThe reverse sweep needs nothing but the arguments.\n"),
            (None, false) => {}
        }
        if !self.loops.is_empty() {
            out.push('\n');
        }
        for report in &self.loops {
            let indent = "  ".repeat(report.depth);
            let _ = writeln!(out, "{indent}- {}: {}", report.heading(), report.summary());
        }
        let off: Vec<String> = self.off().map(|one| format!("`{}`", one.name())).collect();
        if !off.is_empty() {
            let _ = write!(out, "\nSwitched off: {}.\n", off.join(", "));
        }
        out
    }
}

impl Kept {
    /// "records 8 bytes per iteration (…)", for a `verb` and an addition; `None` if nothing is kept.
    fn text(&self, verb: &str, each: &str) -> Option<String> {
        let record = (!self.record.is_empty()).then(|| match self.bytes {
            Some(bytes) => format!("{verb} {bytes} bytes{each} ({})", self.record.join(", ")),
            None => format!("{verb} {}{each}", listed(&self.record)),
        });
        let beside = (!self.beside.is_empty()).then(|| format!("saves {}", listed(&self.beside)));
        match (record, beside) {
            (Some(record), Some(beside)) => Some(format!("{record} and {beside}")),
            (one, other) => one.or(other),
        }
    }
}

impl LoopReport {
    fn heading(&self) -> String {
        match self.line {
            0 => self.label.clone(),
            line => format!("line {line}, {}", self.label),
        }
    }

    fn lines(&self, transforms: Transforms) -> Vec<String> {
        let mut lines = self.facts();
        for (one, how) in &self.applied {
            lines.push(format!("applied `{}`: {how}", one.name()));
        }
        for (one, why) in self.refused.iter().filter(|(one, _)| transforms.has(*one)) {
            lines.push(format!("not applied `{}`: {why}", one.name()));
        }
        lines
    }

    fn facts(&self) -> Vec<String> {
        if !self.reversed {
            return vec!["has no reverse".to_owned()];
        }
        let mut facts = Vec::new();
        let records = self.kept.text("records", " per iteration");
        let records = match records {
            Some(text) if self.fused(RECORDS_OF_ONE) => format!(
                "{text}, for one iteration at a time, or for all where the gradient of another function calls this one"
            ),
            Some(text) if self.is_fused() => {
                let what = text.trim_start_matches("records ");
                format!(
                    "records nothing, or {what} where the gradient of another function calls this one"
                )
            }
            Some(text) => text,
            None => "records nothing".to_owned(),
        };
        facts.push(records);
        if self.counted {
            facts.push("counts its iterations".to_owned());
        }
        if !self.restored.is_empty() {
            facts.push(format!(
                "restores {} in each iteration",
                listed(&self.restored)
            ));
        }
        if !self.recomputed.is_empty() {
            facts.push(format!("recomputes {}", listed(&self.recomputed)));
        }
        facts
    }

    /// Whether a gradient runs each iteration forward and in reverse at once.
    fn is_fused(&self) -> bool {
        self.applied.iter().any(|(one, _)| *one == Transform::Fuse)
    }

    /// Whether it is fused in this way.
    fn fused(&self, way: &str) -> bool {
        let mut applied = self.applied.iter();
        applied.any(|(one, how)| *one == Transform::Fuse && how == way)
    }

    /// On one line.
    fn summary(&self) -> String {
        let mut parts = self.facts();
        let mut names: Vec<String> = Vec::new();
        for (one, how) in &self.applied {
            if *one == Transform::Bulk {
                parts.push(how.clone()); // it is what is saved
                continue;
            }
            let name = format!("`{}`", one.name());
            if !names.contains(&name) {
                names.push(name);
            }
        }
        if !names.is_empty() {
            parts.push(format!("with {}", listed(&names)));
        }
        parts.join("; ") + "."
    }
}

/// The loops of both sweeps have the span of the primal's; spans cannot be compared but by their text. What follows the
/// position in it is the same for one function, or hygiene, which the compiler's own loops have of their own.
fn key(span: Span) -> String {
    let text = format!("{span:?}");
    text.find("bytes")
        .map(|at| text[at..].to_owned())
        .unwrap_or(text)
}

/// What the user would call the loop.
fn label(func: &Func, stmt: &Stmt, kind: &Domain) -> String {
    let written = stmt.span.source_text().unwrap_or_default();
    let (plain, keyword) = match kind {
        Domain::Range { var, .. } => {
            // The compiler's own counters have the span of something else.
            if let Some(counter) = crate::ir::written(func, *var) {
                return format!("loop over `{counter}`");
            }
            ("loop", "for")
        }
        Domain::Prefix { .. }
        | Domain::Strip { .. }
        | Domain::Times(_)
        | Domain::While(_)
        | Domain::Forever => ("`loop`", "while"),
    };
    if written.starts_with(keyword) {
        format!("`{keyword}` loop")
    } else {
        plain.to_owned()
    }
}
