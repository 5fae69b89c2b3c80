//! Nests with a counter of their own, which the loops add to or subtract from: in rows, in triangles, backwards, more
//! than once in an iteration, by amounts that may vary, under conditions, and read wherever it may be. Arrays that
//! steps use again.

use super::Gen;
use crate::text::{Item, line, literal, nest, to_float};

/// The names of one nest.
struct Nest<'n> {
    /// The counter, and the array that it goes over.
    at: &'n str,
    array: &'n str,
    sum: &'n str,
    seed: &'n str,
    /// How often the outer loop runs at most, and a number that the amounts are one of.
    n: &'n str,
    by: &'n str,
    /// `+=` or `-=`.
    op: &'n str,
}

/// The largest amount that is added at once.
const LARGEST: usize = 3;

impl Gen<'_> {
    /// A nest, and the sum that it leaves.
    pub(super) fn counters(&mut self, seed: &str, n: &str, items: &mut Vec<Item>) -> String {
        let (at, sum, by, i) = (
            self.name("at"),
            self.name("s"),
            self.name("by"),
            self.name("i"),
        );
        let rows = self.name("n");
        items.push(line(format!("let {rows}: usize = {n} % 23 + 1;")));
        let n = &rows;
        let parts = self.rng.within(1, 4);
        // Each part adds at most twice in each of `n + 2` iterations.
        let len = format!("(({n} + 2) * ({n} + 2) * {} + 9)", 2 * parts * LARGEST);
        let array = self.filled("a", seed, &len, items);
        let backwards = self.maybe(20, "counter-down");
        let start = if backwards {
            format!("{array}.len() - 4")
        } else {
            self.rng.pick(&["0", "3", "by", "n"]).to_owned()
        };
        let start = match start.as_str() {
            "by" => by.clone(),
            "n" => format!("{n} / 8"),
            _ => start,
        };
        let amount = self.rng.within(1, LARGEST);
        let varies = self.maybe(10, "counter-amount-varies");
        let mutable = if varies { "mut " } else { "" };
        items.push(line(format!("let {mutable}{by}: usize = {amount};")));
        items.push(line(format!("let mut {at} = {start};")));
        items.push(line(format!("let mut {sum}: ƒ = {};", literal("0.1"))));
        let op = if backwards { "-=" } else { "+=" };
        let names = Nest {
            at: &at,
            array: &array,
            sum: &sum,
            seed,
            n,
            by: &by,
            op,
        };
        let mut body = Vec::new();
        for _ in 0..parts {
            self.counter_part(&names, &i, &mut body);
        }
        if varies {
            body.push(line(format!("{by} = 4 - {by};")));
        }
        let range = match self.rng.below(5) {
            0 => format!("(0..{n}).rev()"),
            1 => format!("1..{n}"),
            2 => format!("0..={n}"),
            _ => format!("0..{n}"),
        };
        items.push(nest(format!("for {i} in {range}"), body));
        if self.rng.percent(60) {
            items.push(line(format!("{sum} += {array}[{at}] * {seed};")));
        }
        sum
    }

    /// An array that each step overwrites, all of it or a part, before it is changed and read.
    pub(super) fn scratch(&mut self, seed: &str, n: &str, items: &mut Vec<Item>) -> String {
        let (t, sum, p) = (self.name("t"), self.name("s"), self.name("p"));
        let a = self.filled("a", seed, &format!("({n} + 8)"), items);
        let zero = literal("0.0");
        let len = self.rng.pick(&["n", "n", "n + 1"]).replace('n', n);
        items.push(line(format!("let mut {t}: Vec<ƒ> = vec![{zero}; {len}];")));
        items.push(line(format!("let mut {sum}: ƒ = {};", literal("0.1"))));
        let mut body = Vec::new();
        for _ in 0..self.rng.within(2, 4) {
            let i = self.name("i");
            let range = match self.rng.below(6) {
                0 => format!("1..{n}"),
                1 => format!("(0..{n}).rev()"),
                2 => format!("0..{t}.len()"),
                3 => format!("0..{n} - 1"),
                _ => format!("0..{n}"),
            };
            let from = format!("{a}[{i} + {p}]");
            let mut inside = vec![line(match self.rng.below(6) {
                0 => format!("{t}[{i}] += {from};"),
                1 => format!("{t}[{i}] = {t}[{i}] * {} + {from};", literal("0.5")),
                2 => format!("{sum} += {t}[{i}] * {t}[{i}] * {};", literal("0.1")),
                _ => format!("{t}[{i}] = {from} * {a}[{i}];"),
            })];
            if self.rng.percent(20) {
                inside.push(line(format!("{sum} += {t}[{i}] * {t}[0];")));
            }
            match self.rng.below(8) {
                0 => body.push(line(format!("{t}.fill({a}[{p}]);"))),
                1 => body.push(line(format!("{t}[..{n}].copy_from_slice(&{a}[..{n}]);"))),
                2 if self.maybe(50, "scratch-condition") => {
                    let inside = nest(format!("for {i} in {range}"), inside);
                    let head = format!("if {a}[{p}] > {}", literal("0.2"));
                    body.push(nest(head, vec![inside]));
                }
                _ => body.push(nest(format!("for {i} in {range}"), inside)),
            }
        }
        let i = self.name("i");
        let last = line(format!(
            "{sum} += {t}[{i}] * {t}[{i}] * {};",
            literal("0.1")
        ));
        body.push(nest(format!("for {i} in 0..{n}"), vec![last]));
        items.push(nest(format!("for {p} in 0..5"), body));
        sum
    }

    /// Statements of the outer body.
    fn counter_part(&mut self, names: &Nest<'_>, i: &str, body: &mut Vec<Item>) {
        let Nest { at, n, array, .. } = names;
        match self.rng.below(8) {
            0 => body.push(self.counter_step(names)),
            1 => body.push(self.counter_read(names, at, i)),
            2 if self.maybe(60, "counter-condition") => {
                let step = self.counter_step(names);
                let head = format!("if {array}[{at}] > {}", literal("0.3"));
                body.push(nest(head, vec![step]));
            }
            3 if self.maybe(30, "counter-exit") => {
                let jump = self.rng.pick(&["break", "continue"]);
                let head = format!("if {array}[{at}] > {}", literal("0.8"));
                body.push(nest(head, vec![line(format!("{jump};"))]));
            }
            4 => {
                let k = self.name("k");
                body.push(line(format!("let {k} = {at};")));
                body.push(self.counter_step(names));
                body.push(self.counter_read(names, &k, i));
            }
            _ => {
                let j = self.name("j");
                let range = match self.rng.below(9) {
                    0 => format!("{i}..{n}"),
                    1 => format!("{i} + 1..{n}"),
                    2 => format!("0..={i}"),
                    3 => format!("1..={i}"),
                    4 => format!("0..{n}"),
                    5 => "0..3".to_owned(),
                    6 => format!("(0..{i}).rev()"),
                    7 => format!("{i} + 2..{n}"),
                    _ => format!("0..{i}"),
                };
                let mut inside = vec![self.counter_read(names, at, &j)];
                inside.push(self.counter_step(names));
                if self.rng.percent(25) {
                    inside.push(self.counter_read(names, at, i));
                    inside.push(self.counter_step(names));
                }
                if self.rng.percent(25) {
                    inside.rotate_left(1);
                }
                body.push(nest(format!("for {j} in {range}"), inside));
            }
        }
    }

    fn counter_step(&mut self, names: &Nest<'_>) -> Item {
        let Nest { at, by, op, .. } = names;
        let amount = match self.rng.below(4) {
            0 => (*by).to_owned(),
            1 => self.rng.within(0, LARGEST).to_string(),
            _ => "1".to_owned(),
        };
        line(format!("{at} {op} {amount};"))
    }

    /// A use of the counter, or of a copy of it.
    fn counter_read(&mut self, names: &Nest<'_>, at: &str, other: &str) -> Item {
        let Nest {
            array, sum, seed, ..
        } = names;
        let text = match self.rng.below(6) {
            0 => format!(
                "{array}[{at}] = {array}[{at}] * {} + {seed};",
                literal("0.5")
            ),
            1 => format!("{sum} = {sum} * {} + {array}[{at}];", literal("0.9")),
            2 => {
                let number = to_float(&format!("({at} % 5)"));
                format!("{sum} += {number} * {seed} * {};", literal("0.01"))
            }
            3 => {
                let (from, to) = (format!("{array}[{at}]"), format!("{array}[{other}]"));
                format!("{to} = {to} + {from} * {};", literal("0.1"))
            }
            _ => format!("{sum} += {array}[{at}] * {array}[{other}];"),
        };
        line(text)
    }
}
