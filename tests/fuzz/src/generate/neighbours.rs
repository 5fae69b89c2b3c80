//! Neighbours as people write them: on a ring, held at the ends, mirrored there, looked at only where there are some;
//! and steps in time whose next array is kept, made anew, pushed or collected, and then moved, exchanged or copied.

use super::Gen;
use crate::text::{Item, line, literal, nest};

/// The neighbour `{k}` in front of `{i}`, on a ring of `{n}`.
pub(super) const RING_BEFORE: &[&str] = &[
    "({i} + {n} - {k}) % {n}",
    "({n} + {i} - {k}) % {n}",
    "({i} + ({n} - {k})) % {n}",
    "if {i} == 0 { {n} - 1 } else { {i} - 1 }",
    "if {i} > 0 { {i} - 1 } else { {n} - 1 }",
    "if {i} < {k} { {i} + {n} - {k} } else { {i} - {k} }",
    "if {i} >= {k} { {i} - {k} } else { {n} - {k} + {i} }",
    "match {i} { 0 => {n} - 1, _ => {i} - 1 }",
    "{i}.checked_sub({k}).unwrap_or({n} - 1)",
    "({i} as i64 - {k}).rem_euclid({n} as i64) as usize",
];

/// The neighbour `{k}` behind `{i}`, on a ring of `{n}`.
pub(super) const RING_BEHIND: &[&str] = &[
    "({i} + {k}) % {n}",
    "({k} + {i}) % {n}",
    "if {i} + 1 == {n} { 0 } else { {i} + 1 }",
    "if {i} == {n} - 1 { 0 } else { {i} + 1 }",
    "if {i} < {n} - 1 { {i} + 1 } else { 0 }",
    "if {i} + {k} < {n} { {i} + {k} } else { {i} + {k} - {n} }",
    "if {i} + {k} >= {n} { {i} + {k} - {n} } else { {i} + {k} }",
    "({i} as i64 + {k}).rem_euclid({n} as i64) as usize",
];

/// Held or mirrored at the first element.
pub(super) const HELD_BEFORE: &[&str] = &[
    "{i}.saturating_sub({k})",
    "{i}.max({k}) - {k}",
    "if {i} >= {k} { {i} - {k} } else { 0 }",
    "if {i} == 0 { 0 } else { {i} - 1 }",
    "if {i} == 0 { 1 } else { {i} - 1 }",
    "if {i} < {k} { {k} - {i} } else { {i} - {k} }",
    "{i}.abs_diff({k})",
    "({i} as i64 - {k}).max(0) as usize",
];

/// Held or mirrored at the last one.
pub(super) const HELD_BEHIND: &[&str] = &[
    "({i} + {k}).min({n} - 1)",
    "std::cmp::min({i} + {k}, {n} - 1)",
    "if {i} + {k} < {n} { {i} + {k} } else { {n} - 1 }",
    "if {i} + 1 == {n} { {n} - 2 } else { {i} + 1 }",
    "if {i} + {k} >= {n} { {n} - {k} } else { {i} + {k} }",
    "({i} + {k}).clamp({k}, {n} - 1)",
];

/// From the back.
pub(super) const MIRRORED: &[&str] = &[
    "{n} - 1 - {i}",
    "{n} - {i} - 1",
    "{n} - ({i} + 1)",
    "({n} - 1) - {i}",
    "({n} - 1).wrapping_sub({i})",
];

/// What is stored with two neighbours `{l}` and `{r}`.
const VALUES: &[&str] = &[
    "{a}[{l}] * {q} + {a}[{i}] * {h} + {a}[{r}] * {q}",
    "{a}[{i}] * {h} + ({a}[{l}] - {a}[{r}]) * {q}",
    "{a}[{i}] * {h} - {a}[{l}] * {a}[{r}] * {q}",
    "{c}[{i}] * {a}[{l}] * {h} + {c}[{r}] * {a}[{i}] * {q}",
    "({a}[{r}] - {a}[{l}]) * {a}[{i}] * {h} + {c}[{i}] * {q}",
    "({a}[{l}] + {a}[{r}] * {seed}).sin()",
    "{a}[{l}].max({a}[{r}]) * {h} + {a}[{i}] * {q}",
    "if {a}[{l}] > {a}[{r}] { {a}[{i}] * {h} } else { {a}[{r}] * {a}[{i}] * {q} }",
];

/// Statements with two neighbours that do not store one element.
const SPREADS: &[&str] = &[
    "{b}[{l}] += {a}[{i}] * {c}[{i}] * {q};\n{b}[{r}] -= {a}[{i}] * {q};",
    "{b}[{r}] = {b}[{r}] * {h} + {a}[{i}] * {a}[{l}] * {q};",
    "{s} += {a}[{l}] * {a}[{r}] * {q};",
    "{s} = {s} * {h} + ({a}[{l}] - {a}[{i}]) * {a}[{r}];",
    "{b}[{i}] = {a}[{l}] * {h};\n{s} += {b}[{r}] * {a}[{i}] * {q};",
    "{a}[{i}] = {a}[{i}] * {h} + {a}[{l}] * {a}[{r}] * {q};",
    "{a}[{r}] = {a}[{l}] * {q} + {a}[{r}] * {h};",
];

/// Neighbours that are asked for.
const ENDS: &[&str] = &[
    "let mut {d}: ƒ = {a}[{i}] * {h};\nif {i} > 0 { {d} += {a}[{i} - 1] * {q}; }\n\
     if {i} + 1 < {n} { {d} -= {a}[{i} + 1] * {q}; }\n{b}[{i}] = {d};",
    "{b}[{i}] = if {i} == 0 || {i} == {n} - 1 { {a}[{i}] * {h} } \
     else { {a}[{i} - 1] * {h} + {a}[{i} + 1] * {a}[{i}] * {q} };",
    "if {i} == 0 { {b}[{i}] = {seed} * {h}; } else if {i} + 1 == {n} { {b}[{i}] = {a}[{i}] * {q}; } \
     else { {b}[{i}] = {a}[{i} - 1] * {h} + {a}[{i} + 1] * {q}; }",
    "let {d}: ƒ = if {i} > 0 { {a}[{i} - 1] } else { {seed} };\n\
     let {e}: ƒ = if {i} < {n} - 1 { {a}[{i} + 1] } else { {h} };\n{b}[{i}] = {d} * {e} * {h} + {c}[{i}] * {q};",
    "if {i} == 0 { continue; }\n{b}[{i}] = {a}[{i} - 1] * {h} + {b}[{i}] * {q};",
    "if {i} > 0 && {i} < {n} - 1 { {b}[{i}] = {h} * ({a}[{i} - 1] - {a}[{i} + 1]); }",
    "if {i} != 0 { {s} += {a}[{i}] * {a}[{i} - 1] * {q}; }",
    "if {i} >= 2 { {s} += {a}[{i} - 2] * {a}[{i}]; } else { {s} -= {a}[{i}] * {c}[{i}]; }",
    "match {i} { 0 => {b}[{i}] = {a}[{i}] * {h}, 1 => {b}[{i}] = {a}[{i} - 1] * {q}, \
     _ => {b}[{i}] = {a}[{i} - 2] * {a}[{i}] * {h} }",
    "if {i} % 2 == 0 && {i} + 1 < {n} { {b}[{i}] = {a}[{i} + 1] * {h};\n{b}[{i} + 1] = {a}[{i}] * {q}; }",
    "if {i} > 0 { {a}[{i}] = {a}[{i}] * {h} + {a}[{i} - 1] * {q}; }",
    "if {i} + 1 < {n} { {a}[{i}] = {a}[{i}] * {h} + {a}[{i} + 1] * {c}[{i}] * {q}; }",
    "if {i} == {n} - 1 { {s} += {a}[{i}] * {seed}; } else { {s} += ({a}[{i} + 1] - {a}[{i}]) * {c}[{i}]; }",
];

/// The names of a loop over a line of cells.
struct Cells {
    i: String,
    n: String,
    a: String,
    b: String,
    c: String,
    sum: String,
    seed: String,
}

impl Cells {
    fn named(&self, text: &str) -> String {
        let text = text
            .replace("{i}", &self.i)
            .replace("{n}", &self.n)
            .replace("{a}", &self.a)
            .replace("{b}", &self.b)
            .replace("{c}", &self.c)
            .replace("{s}", &self.sum)
            .replace("{seed}", &self.seed);
        fractions(&text)
    }
}

/// The text with its two numbers.
pub(super) fn fractions(text: &str) -> String {
    text.replace("{h}", &literal("0.5"))
        .replace("{q}", &literal("0.25"))
}

/// Where the next array of a step comes from.
#[derive(Clone, Copy, PartialEq)]
enum Next {
    /// It is there in front of the steps.
    Kept,
    /// `vec![0.0; n]` in each step.
    Zeros,
    /// A copy of the last one.
    Copied,
    /// Each element is pushed.
    Pushed,
    Collected,
}

impl Gen<'_> {
    /// Steps over a line of cells, and what is left of it.
    pub(super) fn neighbours(&mut self, seed: &str, n: &str, items: &mut Vec<Item>) -> String {
        let cells = Cells {
            i: self.name("i"),
            n: n.to_owned(),
            a: self.filled("a", seed, n, items),
            b: self.name("b"),
            c: self.filled("c", &literal("0.4"), n, items),
            sum: self.name("s"),
            seed: seed.to_owned(),
        };
        items.push(line(format!(
            "let mut {}: ƒ = {};",
            cells.sum,
            literal("0.1")
        )));
        let next = match self.choose(&[
            (30, "next-kept"),
            (20, "next-zeros"),
            (10, "next-copied"),
            (20, "next-pushed"),
            (10, "next-collected"),
        ]) {
            "next-zeros" => Next::Zeros,
            "next-copied" => Next::Copied,
            "next-pushed" => Next::Pushed,
            "next-collected" => Next::Collected,
            _ => Next::Kept,
        };
        if next == Next::Kept {
            items.push(line(self.zeros(&cells)));
        }
        let mut body = match next {
            Next::Pushed | Next::Collected => self.made_in_order(&cells, next == Next::Pushed),
            Next::Kept => self.stored(&cells),
            Next::Zeros => {
                let mut body = vec![line(self.zeros(&cells))];
                body.extend(self.stored(&cells));
                body
            }
            Next::Copied => {
                let copy = self.rng.pick(&["clone", "to_vec"]).to_owned();
                let mut body = vec![line(format!(
                    "let mut {}: Vec<ƒ> = {}.{copy}();",
                    cells.b, cells.a
                ))];
                body.extend(self.stored(&cells));
                body
            }
        };
        if self.maybe(12, "time-break") {
            let jump = self.rng.pick(&["break", "continue"]);
            body.push(line(format!(
                "if {}[{} / 2] > {} {{ {jump}; }}",
                cells.b,
                cells.n,
                literal("0.4")
            )));
        }
        body.push(line(self.commit(&cells, next)));
        let steps = self.rng.within(0, 5);
        let t = self.name("t");
        items.push(nest(format!("for {t} in 0..{steps}"), body));
        let last = if next == Next::Kept && self.rng.percent(30) {
            &cells.b
        } else {
            &cells.a
        };
        let total = self.summed(&last.clone(), items);
        format!("{} + {total}", cells.sum)
    }

    fn zeros(&mut self, cells: &Cells) -> String {
        let Cells { a, b, n, .. } = cells;
        let length = match self.rng.below(3) {
            0 => format!("{a}.len()"),
            _ => n.clone(),
        };
        format!("let mut {b}: Vec<ƒ> = vec![{}; {length}];", literal("0.0"))
    }

    /// How the next array becomes the last one.
    fn commit(&mut self, cells: &Cells, next: Next) -> String {
        let Cells { a, b, n, .. } = cells;
        let (copied, exchanged) = (
            format!("{a}.copy_from_slice(&{b});"),
            format!("std::mem::swap(&mut {a}, &mut {b});"),
        );
        let moved = format!("{a} = {b};");
        match (next, self.rng.below(8)) {
            (_, 0) => copied,
            (_, 1) => format!("{a}[..{n}].copy_from_slice(&{b}[..{n}]);"),
            (_, 2) => format!("{a} = {b}.clone();"),
            (_, 3) => format!("{a}.clone_from(&{b});"),
            (Next::Kept, _) | (Next::Zeros | Next::Copied | Next::Pushed, 4 | 5) => exchanged,
            _ => moved,
        }
    }

    /// The two neighbours of a cell, by their indices, and what names them in front.
    fn two_neighbours(&mut self, cells: &Cells) -> (Vec<Item>, String, String) {
        let kind = self.choose(&[
            (40, "neighbour-ring"),
            (25, "neighbour-held"),
            (20, "neighbour-mirrored"),
        ]);
        let (before, behind) = match kind {
            "neighbour-held" => (HELD_BEFORE, HELD_BEHIND),
            "neighbour-mirrored" => (MIRRORED, RING_BEHIND),
            _ => (RING_BEFORE, RING_BEHIND),
        };
        let mut around = Vec::new();
        let mut index = |g: &mut Self, forms: &[&str]| {
            let k = g.rng.pick(&["1", "1", "2", "3"]);
            let text = cells.named(&g.rng.pick(forms).replace("{k}", k));
            if g.rng.percent(30) {
                return text;
            }
            let l = g.name("l");
            around.push(line(format!("let {l}: usize = {text};")));
            l
        };
        let (l, r) = (index(self, before), index(self, behind));
        (around, l, r)
    }

    /// A loop that stores into arrays which are there.
    fn stored(&mut self, cells: &Cells) -> Vec<Item> {
        let Cells { i, n, b, .. } = cells;
        let mut body = Vec::new();
        if self.maybe(30, "neighbour-asked") {
            let (d, e) = (self.name("d"), self.name("e"));
            let text = self.rng.pick(ENDS).replace("{d}", &d).replace("{e}", &e);
            body.push(line(cells.named(&text)));
        } else {
            let (around, l, r) = self.two_neighbours(cells);
            let text = if self.rng.percent(60) {
                format!("{b}[{i}] = {};", self.rng.pick(VALUES))
            } else {
                self.rng.pick(SPREADS).to_owned()
            };
            body.extend(around);
            let text = text.replace("{l}", &l).replace("{r}", &r);
            body.push(line(cells.named(&text)));
        }
        // A loop of its own makes the rest of its iteration in any case.
        let skips = matches!(&body[0], Item::Line(text) if text.contains("continue"));
        let range = match self.rng.below(9) {
            0 => format!("(0..{n}).rev()"),
            1 => format!("1..{n} - 1"),
            2 => format!("1..{n}"),
            3 => format!("(0..{n} - 1).rev()"),
            4 => format!("0..={n} - 1"),
            5 if !skips => {
                body.push(line(format!("{i} += 1;")));
                return vec![
                    line(format!("let mut {i} = 0;")),
                    nest(format!("while {i} < {n}"), body),
                ];
            }
            6 => format!("0..{}.len()", cells.a),
            _ => format!("0..{n}"),
        };
        vec![nest(format!("for {i} in {range}"), body)]
    }

    /// A loop that makes the next array in the order of its elements.
    fn made_in_order(&mut self, cells: &Cells, pushed: bool) -> Vec<Item> {
        let Cells { i, n, a, b, .. } = cells;
        let (around, l, r) = self.two_neighbours(cells);
        let value = self.rng.pick(VALUES).replace("{l}", &l).replace("{r}", &r);
        let value = cells.named(&value);
        if !pushed {
            let around: String = around
                .into_iter()
                .map(|item| match item {
                    Item::Line(text) => text + " ",
                    Item::Nest { .. } => String::new(),
                })
                .collect();
            let collect = format!("(0..{n}).map(|{i}| {{ {around}{value} }}).collect();");
            return vec![line(format!("let mut {b}: Vec<ƒ> = {collect}"))];
        }
        let made = match self.rng.below(4) {
            0 => "vec![]".to_owned(),
            1 => format!("Vec::with_capacity({n})"),
            2 => format!("Vec::with_capacity({a}.len())"),
            _ => "Vec::new()".to_owned(),
        };
        let mut body = around;
        body.push(line(format!("{b}.push({value});")));
        let range = match self.rng.below(3) {
            0 => format!("0..{a}.len()"),
            _ => format!("0..{n}"),
        };
        vec![
            line(format!("let mut {b}: Vec<ƒ> = {made};")),
            nest(format!("for {i} in {range}"), body),
        ]
    }
}
