//! Loops that the compiler has changed, as text.

use super::Printer;
use crate::ir::{
    BinOp, Direction, Domain, Gather, Held, Jam, Loop, NestPart, Order, OwnAdjoint, Parallel, Plan,
    Sliced, Strip, Tiled, VarId, View,
};

impl Printer<'_> {
    /// A loop behind what is planned for it.
    pub(super) fn any_loop(&mut self, this: &Loop) {
        let plain = match &this.plan {
            None => return self.plain_loop(this),
            Some(Plan::Windows(sliced)) => {
                self.sliced(sliced);
                "else".to_owned()
            }
            Some(Plan::Jam(jam)) => {
                self.jam(jam);
                "rest".to_owned()
            }
            Some(Plan::JammedNest(nest)) => {
                let kept: Vec<VarId> = nest.lanes.kept.iter().map(|(var, _)| *var).collect();
                let head = format!(
                    "{} at once for {} in {} lanes ({})",
                    nest.lanes.together,
                    self.name(nest.lanes.counter),
                    self.range(&nest.range),
                    self.names(&kept)
                );
                self.inside(&head, |printer| printer.nest(&nest.body));
                self.nested("then", &nest.after.body);
                "rest".to_owned()
            }
            Some(Plan::Products(waiting)) => {
                let stores = waiting.stores.iter();
                let stores: Vec<String> = stores
                    .map(|(store, to)| format!("{} for {}", self.name(*store), self.place(to)))
                    .collect();
                format!("deferring {}", stores.join(", "))
            }
            Some(Plan::Tiles(tiled)) => {
                self.few_rows(tiled);
                "else".to_owned()
            }
        };
        self.inside(&plain, |printer| printer.plain_loop(this));
    }

    fn plain_loop(&mut self, this: &Loop) {
        let exit = this.exit.map(|v| format!(" until {}", self.name(v)));
        let exit = exit.unwrap_or_default();
        let order = match this.sweep {
            Direction::Forward => "",
            Direction::Reverse => order_text(this.order),
        };
        let mut head = match &this.domain {
            Domain::Range { var, range } => {
                let (name, range) = (self.name(*var), self.range(range));
                match &this.strip {
                    None => format!("for {name} in {range}{order}{exit}"),
                    Some(Strip { site, vars }) => {
                        let vars = self.names(vars);
                        format!("for {name} in {range} tile#{} ({vars}){order}", site.0)
                    }
                }
            }
            Domain::Prefix { var, range, trips } => format!(
                "for {} in {} first {}{order}",
                self.name(*var),
                self.range(range),
                self.name(*trips)
            ),
            Domain::Strip { var, of } => {
                let vars = this.strip.iter().map(|strip| self.names(&strip.vars));
                let (name, strip) = (self.name(*var), self.name(of.strip));
                format!(
                    "for {name} in {strip} ({}){order}",
                    vars.collect::<String>()
                )
            }
            Domain::Times(n) => format!("{} times", self.name(*n)),
            Domain::While(cond) => format!("while {}{exit}", self.expr(cond)),
            Domain::Forever => format!("loop{exit}"),
        };
        if this.is_reverse() {
            head.insert_str(0, "reverse ");
        }
        self.nested(&head, &this.body);
    }

    /// The slices that a loop runs on: those that are read, then those that are written.
    pub(super) fn slices<'v>(
        &self,
        read: impl Iterator<Item = &'v (VarId, View)>,
        written: impl Iterator<Item = &'v (VarId, View)>,
    ) -> String {
        let slice = |(var, view): &(VarId, View)| {
            let (of, index) = (self.place(&view.of), self.expr(&view.index));
            let row = view.row.as_ref();
            let row = row.map(|row| format!("[{}]", self.expr(row)));
            let row = row.unwrap_or_default();
            format!("{} = {of}{row}[{index}]", self.name(*var))
        };
        let written = written.map(|w| format!("mut {}", slice(w)));
        let texts: Vec<String> = read.map(slice).chain(written).collect();
        texts.join(", ")
    }

    fn sliced(&mut self, s: &Sliced) {
        let slices = self.slices(s.views.iter().chain(&s.loads), s.edits.iter().flatten());
        let groups = s.groups.iter().map(|group| {
            let (name, of) = (self.name(group.var), self.place(&group.of));
            format!("{name} = groups of {} in {of}, ", group.size)
        });
        let slices = groups.collect::<String>() + &slices;
        let how = match (&s.search, s.whole_blocks) {
            (Some(_), _) => "search".to_owned(),
            (None, Some(length)) => format!("sliced in blocks of {length}"),
            (None, None) if s.wide.is_some() => "sliced in registers".to_owned(),
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
            let gathered = |g: &Gather| g.terms.iter().any(|(term, _)| *term == k);
            let how = match sum.direct {
                _ if s.wide.is_some() => "at once",
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
    }

    fn few_rows(&mut self, t: &Tiled) {
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
    }

    fn nest(&mut self, parts: &[NestPart]) {
        for part in parts {
            match part {
                NestPart::Same(stmt) => self.stmt(stmt),
                NestPart::Segment(sliced) => {
                    let slices = self.slices(sliced.loads.iter().chain(&sliced.views), [].iter());
                    self.nested(&format!("on ({slices})"), &sliced.segment.body);
                }
                NestPart::Loop(this, parts) => {
                    self.plain_loop(this);
                    self.inside("inside", |printer| printer.nest(parts));
                }
            }
        }
    }

    fn jam(&mut self, j: &Jam) {
        let read = j.loads.iter().chain(&j.views).chain(&j.across);
        let slices = self.slices(read.chain(&j.shared).chain(&j.rows), j.written());
        let kept: Vec<VarId> = j.lanes.kept.iter().map(|(var, _)| *var).collect();
        let head = format!(
            "{} at once{} for {} in {} on ({}) lanes ({})",
            j.lanes.together,
            if j.blocks { " over blocks" } else { "" },
            self.name(j.lanes.counter),
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
        for product in j.deferred.iter().flat_map(|d| &d.products) {
            let text = format!(
                "or {} of {} and {};",
                self.name(product.store),
                self.expr(&product.term.of_row),
                self.expr(&product.term.of_column)
            );
            self.line(&text);
        }
    }

    fn own_adjoint(&self, own: &OwnAdjoint) -> String {
        let held = match own.held {
            Held::Value => "",
            Held::Reference => "*",
            Held::Elements => "elements of ",
        };
        let begins = if own.copied { " from a copy" } else { "" };
        format!("{held}{}{begins}", self.name(own.bar))
    }

    pub(super) fn parallel(&mut self, p: &Parallel) {
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
            p.own
                .iter()
                .map(|own| self.own_adjoint(own))
                .collect::<Vec<_>>()
                .join(", "),
        );
        self.nested(&head, &p.body);
    }
}

pub(super) fn order_text(order: Order) -> &'static str {
    match order {
        Order::Forward => " forwards",
        Order::Chained => " forwards, one by one",
        Order::Backward => "",
    }
}
