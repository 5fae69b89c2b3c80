//! Loops over arrays that are longer than those of the other statements: time loops between two arrays, sums over rows,
//! divisions by roots, choices that are looked up. What they begin with comes from the program around them, and their
//! sum goes back to it.

use super::Gen;
use super::scope::Ty;
use crate::text::{Item, line, literal, nest, to_float};

impl Gen<'_> {
    pub(super) fn kernel(&mut self) -> Option<Vec<Item>> {
        let kind = self.choose(&[
            (30, "time-loop"),
            (25, "row-sums"),
            (10, "columns"),
            (20, "roots"),
            (15, "branch-codes"),
            (25, "counters"),
            (20, "scratch"),
            (45, "search"),
            (20, "triangle"),
            (35, "recurrence"),
            (18, "called"),
            (90, "neighbours"),
            (70, "descending"),
            (110, "lists"),
            (80, "parts"),
            (120, "small"),
            (100, "grids"),
            (80, "turns"),
        ]);
        let seed = self.name("x");
        let e = self.purely(|g| g.receiver(1));
        let n = self.name("n");
        let size = self.size(0);
        let least = self.rng.pick(&["7", "9", "17", "36"]).to_string();
        let mut items = vec![
            line(format!("let {seed}: ƒ = ({e}).sin();")),
            line(format!("let {n}: usize = {least} + ({size}) % 9;")),
        ];
        let sum = match kind {
            "row-sums" => self.row_sums(&seed, &n, &mut items),
            "columns" => self.columns(&seed, &n, &mut items),
            "roots" => self.roots(&seed, &n, &mut items),
            "search" => self.searched(&seed, &n, &mut items),
            "triangle" => self.triangle(&seed, &n, &mut items),
            "recurrence" => self.recurrence(&seed, &n, &mut items),
            "called" => self.called(&seed, &n, &mut items),
            "scratch" => self.scratch(&seed, &n, &mut items),
            "counters" => self.counters(&seed, &n, &mut items),
            "neighbours" => self.neighbours(&seed, &n, &mut items),
            "lists" => self.lists(&seed, &n, &mut items),
            "parts" => self.parts(&seed, &n, &mut items),
            "grids" => self.grids(&seed, &n, &mut items),
            "turns" => self.turns(&seed, &n, &mut items),
            "small" => self.small(&seed, &n, &mut items),
            "descending" => self.descending(&seed, &n, &mut items),
            "branch-codes" => self.branch_codes(&seed, &n, &mut items),
            _ => self.time_loop(&seed, &n, &mut items),
        };
        let x = self.name("x");
        items.push(line(format!("let mut {x}: ƒ = ({sum}).sin();")));
        self.scope.declare(&x, Ty::Float, true);
        Some(items)
    }

    /// An array of `len` numbers that depend on `seed`, and its elements' number.
    pub(super) fn filled(
        &mut self,
        base: &str,
        seed: &str,
        len: &str,
        items: &mut Vec<Item>,
    ) -> String {
        let (a, i) = (self.name(base), self.name("i"));
        items.push(line(format!(
            "let mut {a}: Vec<ƒ> = vec![{}; {len}];",
            literal("0.0")
        )));
        let phase = literal(&format!("{}.7", self.rng.below(5)));
        let number = to_float(&i);
        let body = vec![line(format!(
            "{a}[{i}] = ({seed} * {phase} + {number} * {}).sin();",
            literal("0.73")
        ))];
        items.push(nest(format!("for {i} in 0..{len}"), body));
        a
    }

    /// The sum over an array: squares, or in the order of the elements.
    pub(super) fn summed(&mut self, a: &str, items: &mut Vec<Item>) -> String {
        let (s, i) = (self.name("s"), self.name("i"));
        items.push(line(format!("let mut {s}: ƒ = {};", literal("0.1"))));
        let term = if self.rng.percent(50) {
            format!("{a}[{i}] * {a}[{i}]")
        } else {
            format!("{a}[{i}] * {}", to_float(&format!("({i} % 3)")))
        };
        items.push(nest(
            format!("for {i} in 0..{a}.len()"),
            vec![line(format!("{s} += {term};"))],
        ));
        s
    }

    /// Steps from one array to another, which change places or are copied back.
    fn time_loop(&mut self, seed: &str, n: &str, items: &mut Vec<Item>) -> String {
        let a = self.filled("a", seed, n, items);
        let longer = self.rng.percent(20);
        let len = if longer {
            format!("({n} + 2)")
        } else {
            n.to_owned()
        };
        let b = self.filled("b", seed, &len, items);
        let c = self.filled("c", &literal("0.4"), n, items);
        let (t, i) = (self.name("t"), self.name("i"));
        let (left, right) = (self.rng.within(0, 3), self.rng.within(0, 3));
        let at = |k: usize| match k.cmp(&left) {
            std::cmp::Ordering::Less => format!("{a}[{i} - {}]", left - k),
            std::cmp::Ordering::Equal => format!("{a}[{i}]"),
            std::cmp::Ordering::Greater => format!("{a}[{i} + {}]", k - left),
        };
        let mut value = format!("{} * {} * {}", literal("0.3"), at(0), at(left + right));
        for k in 0..=left + right {
            let factor = literal(&format!("0.{}", self.rng.within(1, 2)));
            let term = match self.rng.below(5) {
                0 => format!("{factor} * {} * {}", at(k), at(left)),
                1 => format!("{factor} * {c}[{i}] * {}", at(k)),
                2 => format!("{factor} * {}.max({})", at(k), at(0)),
                3 => format!("{factor} * {} * {}", at(k), at(k)),
                _ => format!("{factor} * {}", at(k)),
            };
            value = format!("{value} {} {term}", self.rng.pick(&["+", "-"]));
        }
        // Enough steps now and then that few rows are kept; what is around the cells stays.
        let long = self.maybe(10, "time-long");
        if long {
            value = format!("{} * ({value})", literal("0.5"));
        }
        let limited = if self.maybe(25, "time-choice") {
            format!(
                "if {} > {} {{ {value} }} else {{ {} * {c}[{i}] }}",
                at(0),
                at(left),
                at(left + right)
            )
        } else {
            value
        };
        let inner = nest(
            format!("for {i} in {left}..{n} - {right}"),
            vec![line(format!("{b}[{i}] = {limited};"))],
        );
        let mut body = vec![inner];
        if self.maybe(25, "time-ends") {
            body.push(line(format!(
                "{b}[0] = {a}[0] * {} + {a}[{n} - 1] * {};",
                literal("0.5"),
                literal("0.25")
            )));
        }
        body.push(if self.rng.percent(75) {
            line(format!("std::mem::swap(&mut {a}, &mut {b});"))
        } else {
            line(format!("{a}[..{n}].copy_from_slice(&{b}[..{n}]);"))
        });
        let steps = if long {
            "9_001".to_owned()
        } else {
            self.rng.within(0, 6).to_string()
        };
        items.push(nest(format!("for {t} in 0..{steps}"), body));
        let last = if self.rng.percent(70) { &a } else { &b };
        self.summed(&last.clone(), items)
    }

    /// Sums over the rows of a matrix in one array.
    fn row_sums(&mut self, seed: &str, n: &str, items: &mut Vec<Item>) -> String {
        let m = self.name("m");
        let width = self.rng.pick(&["1", "8", "19", "44"]).to_string();
        items.push(line(format!("let {m}: usize = {width};")));
        let a = self.filled("a", seed, &format!("({n} * {m})"), items);
        let x = self.filled("b", seed, &m, items);
        let (total, s) = (self.name("s"), self.name("s"));
        let (i, j, p) = (self.name("i"), self.name("j"), self.name("p"));
        items.push(line(format!("let mut {total}: ƒ = {};", literal("0.1"))));
        let term = match self.rng.below(5) {
            0 => format!("{p} * {x}[{j}] - {p} / ({p} * {p} + {})", literal("1.5")),
            1 => format!("({p} * {p} + {}).sqrt() * {x}[{j}]", literal("0.3")),
            2 => format!("{p} * {seed}"),
            3 => format!("{p}.max({x}[{j}])"),
            _ => format!("{p} * {x}[{j}]"),
        };
        let op = self.rng.pick(&["+=", "-="]).to_string();
        let last = format!("{total} += {s} * {s} * {} + {seed} * {s};", literal("0.01"));
        let start = line(format!("let mut {s}: ƒ = {};", literal("-0.0")));
        let add = line(format!("{s} {op} {term};"));
        if self.maybe(35, "row-chunks") {
            let (row, q) = (self.name("row"), self.name("q"));
            let term = vec![
                line(format!("let {p}: ƒ = *{q};")),
                line(format!("let {j}: usize = 0;")),
                add,
            ];
            let body = vec![
                start,
                nest(format!("for {q} in {row}.iter()"), term),
                line(last),
            ];
            items.push(nest(format!("for {row} in {a}.chunks({m})"), body));
        } else {
            let term = vec![line(format!("let {p}: ƒ = {a}[{i} * {m} + {j}];")), add];
            let body = vec![start, nest(format!("for {j} in 0..{m}"), term), line(last)];
            items.push(nest(format!("for {i} in 0..{n}"), body));
        }
        total
    }

    /// Rows that are added to columns, and sums over columns.
    fn columns(&mut self, seed: &str, n: &str, items: &mut Vec<Item>) -> String {
        let m = self.name("m");
        let width = self.rng.pick(&["2", "11", "23"]).to_string();
        items.push(line(format!("let {m}: usize = {width};")));
        let a = self.filled("a", seed, &format!("({n} * {m})"), items);
        let x = self.filled("b", seed, &m, items);
        let (i, j, w) = (self.name("i"), self.name("j"), self.name("w"));
        if self.rng.percent(50) {
            let add = line(format!("{x}[{j}] += {a}[{i} * {m} + {j}] * {w};"));
            let body = vec![
                line(format!("let {w}: ƒ = {a}[{i}] * {};", literal("0.3"))),
                nest(format!("for {j} in 0..{m}"), vec![add]),
            ];
            items.push(nest(format!("for {i} in 0..{n}"), body));
        } else {
            let add = line(format!("{w} += {a}[{i} * {m} + {j}] * {seed};"));
            let body = vec![
                line(format!("let mut {w}: ƒ = {};", literal("0.2"))),
                nest(format!("for {i} in 0..{n}"), vec![add]),
                line(format!("{x}[{j}] = {x}[{j}] * {w};")),
            ];
            items.push(nest(format!("for {j} in 0..{m}"), body));
        }
        self.summed(&x, items)
    }

    /// Several divisions by one root.
    fn roots(&mut self, seed: &str, n: &str, items: &mut Vec<Item>) -> String {
        let a = self.filled("a", seed, n, items);
        let b = self.filled("b", seed, n, items);
        let (s, i, l, q) = (
            self.name("s"),
            self.name("i"),
            self.name("l"),
            self.name("q"),
        );
        items.push(line(format!("let mut {s}: ƒ = {};", literal("0.1"))));
        let (x, y) = (format!("{a}[{i}]"), format!("{b}[{i}]"));
        let mut body = vec![
            line(format!(
                "let {l}: ƒ = ({x} * {x} + {y} * {y} + {}).sqrt();",
                literal("0.2")
            )),
            line(format!("let {q}: ƒ = {x} / {l};")),
        ];
        for _ in 0..self.rng.within(1, 4) {
            let term = match self.rng.below(6) {
                0 => format!("{y} / {l} * {q}"),
                1 => format!("({l} - {}) / {l} * {x}", literal("0.4")),
                2 => format!("{q}.max({y}) * {q}"),
                3 => format!("({q} - {}).abs() * {y}", literal("0.5")),
                4 => format!("(if {q} > {y} {{ {q} }} else {{ {y} / {l} }})"),
                _ => format!("{q} * {q} / {l}"),
            };
            let op = self.rng.pick(&["+=", "-="]).to_string();
            body.push(line(format!("{s} {op} {term};")));
        }
        if self.rng.percent(30) {
            body.push(line(format!("{b}[{i}] = {q} * {};", literal("0.5"))));
        }
        items.push(nest(format!("for {i} in 0..{n}"), body));
        s
    }

    /// Which neighbour was the least, by number, and what is done with that.
    fn branch_codes(&mut self, seed: &str, n: &str, items: &mut Vec<Item>) -> String {
        let a = self.filled("a", seed, n, items);
        let b = self.filled("b", seed, n, items);
        let (codes, i, m) = (self.name("codes"), self.name("i"), self.name("m"));
        items.push(line(format!("let mut {codes} = vec![0u8; {n}];")));
        let body = vec![
            line(format!("let mut {m}: ƒ = {a}[{i}];")),
            line(format!(
                "if {a}[{i} - 1] < {m} {{ {m} = {a}[{i} - 1]; {codes}[{i}] = 1; }}"
            )),
            line(format!(
                "if {a}[{i} + 1] < {m} {{ {m} = {a}[{i} + 1]; {codes}[{i}] = 2; }}"
            )),
            line(format!("{b}[{i}] = {b}[{i}] + {m};")),
        ];
        items.push(nest(format!("for {i} in 1..{n} - 1"), body));
        let s = self.name("s");
        items.push(line(format!("let mut {s}: ƒ = {};", literal("0.1"))));
        let choose = line(format!(
            "match {codes}[{i}] {{ 0 => {{ {s} += {b}[{i}] * {seed}; }} 1 => {{ {s} -= {b}[{i}]; }} _ => {{ {s} += \
             {b}[{i}] * {b}[{i}]; }} }}"
        ));
        items.push(nest(format!("for {i} in 0..{n}"), vec![choose]));
        s
    }
}
