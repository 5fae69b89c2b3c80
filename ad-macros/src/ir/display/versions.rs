//! Loops in two versions, as text.

use super::Printer;
use crate::ir::versions::{
    BufferKind, Check, Disjoint, Kernel, KernelCall, RecordAt, Strips, Versioned, Window, Windows,
};
use crate::ir::{Direction, Expr};

impl Printer<'_> {
    pub(super) fn versioned(&mut self, both: &Versioned) {
        self.nested("versioned", &both.fast);
        self.nested("else", &both.plain);
    }

    pub(super) fn check(&mut self, check: &Check) {
        let text = match check {
            Check::Not(e) => format!("unless {}", self.expr(e)),
            Check::Part { of, lo, hi } => {
                let bound = |e: &Option<Expr>| e.as_ref().map(|e| self.expr(e)).unwrap_or_default();
                format!("exists {}[{}..{}]", self.place(of), bound(lo), bound(hi))
            }
            Check::Element { of, at } => format!("exists {}[{}]", self.place(of), self.expr(at)),
            Check::Fits(e) => format!("no overflow in {}", self.expr(e)),
            Check::NoOverflow(indices) => {
                let below = indices.below.iter().map(|below| {
                    let (degree, bits) = (below.degree, below.bits);
                    format!(
                        "({}) below room({degree}, {bits})",
                        self.list(&below.numbers)
                    )
                });
                let differences = indices.differences.iter();
                let differences =
                    differences.map(|(a, b)| format!("{} >= {}", self.expr(a), self.expr(b)));
                let all: Vec<String> = below.chain(differences).collect();
                self.nested(&format!("check {}, or", all.join(", ")), &indices.exact);
                return;
            }
        };
        self.line(&format!("check {text};"));
    }

    fn window(&self, window: &Window) -> String {
        format!(
            "{} = {}[{}..={}]",
            self.name(window.var),
            self.place(&window.of),
            self.expr(&window.first),
            self.expr(&window.last)
        )
    }

    pub(super) fn windows(&mut self, windows: &Windows) {
        let text = match windows {
            Windows::Groups(group) => {
                let (name, of) = (self.name(group.var), self.place(&group.of));
                let mutable = if group.mutable { "mut " } else { "" };
                format!("groups {mutable}{name} = {of} by {}", group.size)
            }
            Windows::Element { var, of, at } => {
                let (name, of) = (self.name(*var), self.place(of));
                format!("element {name} = {of}[{}]", self.expr(at))
            }
            Windows::Read { window, len } => {
                format!("window {} of {}", self.window(window), self.expr(len))
            }
            Windows::Write { windows, len } => {
                let windows: Vec<String> = windows.iter().map(|w| self.window(w)).collect();
                format!("window mut {} of {}", windows.join(", "), self.expr(len))
            }
            Windows::Records {
                var,
                strip,
                len,
                direction,
            } => {
                let what = match direction {
                    Direction::Forward => "slots",
                    Direction::Reverse => "records",
                };
                let (name, strip, len) = (self.name(*var), self.name(*strip), self.expr(len));
                format!("{what} {name} = {len} of {strip}")
            }
        };
        self.line(&format!("{text};"));
    }

    pub(super) fn disjoint(&mut self, disjoint: &Disjoint) {
        let (reads, edits) = (self.names(&disjoint.reads), self.names(&disjoint.edits));
        let len = self.expr(&disjoint.len);
        self.nested(
            &format!("disjoint ({reads}) mut ({edits}) of {len}"),
            &disjoint.body,
        );
    }

    pub(super) fn strips(&mut self, strips: &Strips) {
        let reverse = match strips.direction {
            Direction::Forward => "",
            Direction::Reverse => "reverse ",
        };
        let head = format!(
            "{reverse}strips#{} {} = {} of {} from {} for {} in {}",
            strips.site.0,
            self.name(strips.strip),
            self.name(strips.len),
            self.expr(&strips.hi),
            self.name(strips.first),
            self.name(strips.counter),
            self.range(&strips.range),
        );
        self.nested(&head, &strips.body);
    }

    pub(super) fn record_at(&mut self, record: &RecordAt) {
        let (of, at, vars) = (
            self.name(record.of),
            self.expr(&record.at),
            self.names(&record.vars),
        );
        self.line(&match record.direction {
            Direction::Forward => format!("record {of}[{at}] = ({vars});"),
            Direction::Reverse => format!("let ({vars}) = record {of}[{at}];"),
        });
    }

    pub(super) fn buffer(&self, kind: &BufferKind) -> String {
        match kind {
            BufferKind::PartialSums(rows) => format!("{rows} rows of partial sums"),
        }
    }

    pub(super) fn kernel(&mut self, call: &KernelCall) {
        let name = match call.kernel {
            Kernel::Search { less, equal } => match (less, equal) {
                (false, false) => "search greater",
                (false, true) => "search greater or equal",
                (true, false) => "search less",
                (true, true) => "search less or equal",
            },
        };
        let inputs = self.list(&call.inputs);
        let outputs: Vec<String> = call.outputs.iter().map(|p| self.place(p)).collect();
        let head = format!("kernel {name} ({inputs}) mut ({})", outputs.join(", "));
        if call.bodies.is_empty() {
            self.line(&format!("{head};"));
        }
        for body in &call.bodies {
            let params = self.names(&body.params);
            self.nested(&format!("{head} with |{params}|"), &body.block);
        }
    }
}
