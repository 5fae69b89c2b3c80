//! Loops in two versions, as text.

use super::Printer;
use super::lanes::lanes_text;
use crate::ir::simd::Simd;
use crate::ir::versions::{
    BufferKind, Call, Check, Disjoint, Kernel, KernelCall, Output, Part, RecordAt, Shifted, Strips,
    Versioned, Window, Windows,
};
use crate::ir::{Direction, Expr};

impl Printer<'_> {
    pub(super) fn versioned(&mut self, both: &Versioned) {
        self.nested("versioned", &both.fast);
        match &both.resume {
            None => self.nested("else", &both.plain),
            Some(resume) => {
                let (done, n) = (self.name(resume.done), self.name(resume.n));
                self.nested(&format!("rest from {done} of {n}"), &both.plain);
            }
        }
    }

    pub(super) fn check(&mut self, check: &Check) {
        let text = match check {
            Check::Not(e) => format!("unless {}", self.expr(e)),
            Check::Less { sides, equal } => {
                let [a, b] = sides.each_ref().map(|e| self.expr(e));
                format!("{a} {} {b}", if *equal { "Le" } else { "Lt" })
            }
            Check::Outside { at, ends } => {
                let [first, last] = ends.each_ref().map(|e| self.expr(e));
                format!("{} outside {first}..={last}", self.expr(at))
            }
            Check::Part { of, lo, hi } => {
                let bound = |e: &Option<Expr>| e.as_ref().map(|e| self.expr(e)).unwrap_or_default();
                format!("exists {}[{}..{}]", self.place(of), bound(lo), bound(hi))
            }
            Check::Element { of, at } => format!("exists {}[{}]", self.place(of), self.expr(at)),
            Check::Fits(e) => format!("no overflow in {}", self.expr(e)),
            Check::Number { var, index } => {
                format!("number {} = {}", self.name(*var), self.expr(index))
            }
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

    pub(super) fn window(&self, window: &Window) -> String {
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
            Windows::Element {
                var,
                of,
                at,
                copied,
            } => {
                let (name, of) = (self.name(*var), self.place(of));
                let copied = if *copied { "copied " } else { "" };
                format!("{copied}element {name} = {of}[{}]", self.expr(at))
            }
            Windows::Read { window, len } => {
                format!("window {} of {}", self.window(window), self.expr(len))
            }
            Windows::Write { windows, len } => {
                let windows: Vec<String> = windows.iter().map(|w| self.window(w)).collect();
                format!("window mut {} of {}", windows.join(", "), self.expr(len))
            }
            Windows::Extent { window, len } => {
                format!("extent {} of {}", self.window(window), self.expr(len))
            }
            Windows::Stencil {
                var,
                arrays,
                first,
                last,
                around: [left, right],
                steps,
                ..
            } => format!(
                "{} = stencil of {} in {}..={} from {left} in front to {right} behind, {} steps",
                self.name(*var),
                self.names(arrays),
                self.expr(first),
                self.expr(last),
                self.expr(steps)
            ),
            Windows::Part { var, part } => {
                format!("window mut {} = {}", self.name(*var), self.part(part))
            }
            Windows::Narrow {
                vars, from, len, ..
            } => {
                let (vars, from, len) = (self.names(vars), self.expr(from), self.expr(len));
                format!("narrow {vars} to {len} from {from}")
            }
            Windows::Shift { var, of, from, len }
            | Windows::ShiftRecords { var, of, from, len } => {
                let (name, of) = (self.name(*var), self.name(*of));
                format!(
                    "window {name} = {} from {} of {of}",
                    self.expr(len),
                    self.expr(from)
                )
            }
            Windows::NarrowRecords { var, from, len, .. } => {
                let (var, from, len) = (self.name(*var), self.expr(from), self.expr(len));
                format!("narrow {var} to {len} from {from}")
            }
            Windows::PerLane(windows) => self.per_lane(windows),
            Windows::Rows(rows) => self.rows_of(rows),
            Windows::Panel(panel) => self.panel(panel),
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
        let number = if strips.whole { "strip" } else { "strips" };
        let extent = strips.extent.map(|(first, len)| {
            let hi = self.expr(&strips.hi);
            format!(" = {} of {hi} from {}", self.name(len), self.name(first))
        });
        let head = format!(
            "{reverse}{number}#{} {}{} for {} in {}",
            strips.site.0,
            self.name(strips.strip),
            extent.unwrap_or_default(),
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

    fn part(&self, part: &Part) -> String {
        let extent = part.extent.map(|extent| self.name(extent));
        let (extent, of) = (extent.as_deref().unwrap_or("all"), self.place(&part.of));
        let (from, len) = (self.expr(&part.from), self.expr(&part.len));
        let behind = if part.behind { " behind it" } else { "" };
        let all = format!("{len} from {from} of {extent} in {of}{behind}");
        match &part.then {
            Some((from, len)) => format!("{} from {} of {all}", self.expr(len), self.expr(from)),
            None => all,
        }
    }

    fn call(&self, call: &Call) -> String {
        let (name, slices) = (self.name(call.procedure), self.names(&call.slices));
        let (lane, number) = (self.expr(&call.lane), self.expr(&call.number));
        format!("{name}({slices}; {lane}, {number})")
    }

    fn output(&self, output: &Output) -> String {
        match output {
            Output::Place(place) => self.place(place),
            Output::Part(part) => self.part(part),
        }
    }

    pub(super) fn buffer(&self, kind: &BufferKind) -> String {
        match kind {
            BufferKind::PartialSums(rows) => format!("{rows} rows of partial sums"),
            BufferKind::Totals(sums) => format!("{sums} sums"),
            BufferKind::Numbers { lanes, ready } => {
                let zero = if *ready { "zero" } else { "unfilled" };
                format!("{} numbers, {zero}", lanes_text(*lanes))
            }
            BufferKind::Products { fused: true } => "products, fused".to_owned(),
            BufferKind::Products { fused: false } => "products".to_owned(),
            BufferKind::Contributions(None) => "rows of contributions".to_owned(),
            BufferKind::Contributions(Some(length)) => {
                format!("rows of contributions of blocks of {length}")
            }
        }
    }

    pub(super) fn simd(&mut self, simd: &Simd) {
        for (var, value) in &simd.fixed {
            let text = format!("fixed {} = {};", self.name(*var), self.expr(value));
            self.line(&text);
        }
        for near in &simd.near {
            let others = near.others.iter();
            let others = others.map(|one| format!(", {} by {}", self.name(one.cells), one.by));
            let (first, others) = (self.name(near.first), others.collect::<String>());
            self.line(&format!("added up first: {first}{others};"));
        }
        let cells = simd.cells.iter().map(|one| {
            let of = simd.arrays.iter().find(|(array, _)| *array == one.array);
            let of = of.map(|(_, of)| self.place(of)).unwrap_or_default();
            format!("{} = {} in {of}", self.name(one.var), self.name(one.extent))
        });
        let runs: Vec<String> = simd.runs.iter().map(ToString::to_string).collect();
        let head = format!(
            "in registers ({}) for {} of {} on ({}) mut ({}) cells ({}) sums ({})",
            runs.join(", "),
            self.name(simd.done),
            self.name(simd.n),
            self.names(&simd.reads),
            self.names(&simd.edits),
            cells.collect::<Vec<_>>().join(", "),
            self.names(&simd.sums),
        );
        self.nested(&head, &simd.body);
    }

    pub(super) fn kernel(&mut self, call: &KernelCall) {
        let rows = |rows: &[Shifted]| {
            let one = |one: &Shifted| {
                let minus = if one.minus { "-" } else { "" };
                format!("{minus}{} by {}", one.row, one.shift)
            };
            rows.iter().map(one).collect::<Vec<_>>().join(", ")
        };
        let name = match &call.kernel {
            Kernel::Search { less, equal } => {
                let how = if *less { "less" } else { "greater" };
                let equal = if *equal { " or equal" } else { "" };
                format!("search {how}{equal}")
            }
            Kernel::Begin(front) => format!("begin {front} in front"),
            Kernel::Compute { .. } => "compute".to_owned(),
            Kernel::Carry { front, rows } => format!("carry {front} of {rows:?}"),
            Kernel::Gather(shifted) => format!("gather {}", rows(shifted)),
            Kernel::GatherAnew(shifted) => format!("gather anew {}", rows(shifted)),
            Kernel::ForwardTiles(site) => format!("forward tiles#{}", site.0),
            Kernel::ReverseTiles(site) => format!("reverse tiles#{}", site.0),
            Kernel::GatherRest(shifted) => format!("gather rest {}", rows(shifted)),
            Kernel::GatherEnds { terms, call } => {
                format!("gather ends {} by {}", rows(terms), self.call(call))
            }
            Kernel::AddContribution {
                row,
                subtract,
                call,
            } => {
                let how = if *subtract { "subtract" } else { "add" };
                format!("{how} {row} of {}", self.call(call))
            }
            Kernel::AddRow {
                row,
                subtract,
                mirrored,
            } => {
                let how = if *subtract { "subtract" } else { "add" };
                format!("{how} {}row {row}", mirrored_text(*mirrored))
            }
            Kernel::Products { store, what } => self.of_products(*store, what),
            Kernel::SetRow => "set row".to_owned(),
            Kernel::SetRowEnd => "set end of row".to_owned(),
            Kernel::StorePanel => "store".to_owned(),
            Kernel::StorePanelEnd => "store end".to_owned(),
            Kernel::AddTransposed { subtract } => {
                format!("{} transposed", if *subtract { "subtract" } else { "add" })
            }
            Kernel::EachOfRow(row) => format!("each of row {row}"),
            Kernel::ZipRow { row, mirrored } => {
                format!("each with {}row {row}", mirrored_text(*mirrored))
            }
        };
        let inputs = self.list(&call.inputs);
        let outputs: Vec<String> = call
            .outputs
            .iter()
            .map(|output| self.output(output))
            .collect();
        let head = format!("kernel {name} ({inputs}) mut ({})", outputs.join(", "));
        if call.bodies.is_empty() {
            self.line(&format!("{head};"));
        }
        for body in &call.bodies {
            let params = self.names(&body.params);
            let yields = self.names(&body.yields);
            let yields = if yields.is_empty() {
                yields
            } else {
                format!(" -> ({yields})")
            };
            self.nested(&format!("{head} with |{params}|{yields}"), &body.block);
        }
    }
}

fn mirrored_text(mirrored: bool) -> &'static str {
    if mirrored { "mirrored " } else { "" }
}
