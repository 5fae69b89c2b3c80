//! Loops that look like a pattern which a compiler knows (a search, a sum, rows, elements that are kept), with
//! something more in them.

use super::Gen;
use crate::text::{Item, line, literal, nest};

/// What a loop that looks for an element asks, of the element `{e}`.
const FOUND: &[&str] = &[
    "{e} > {m}",
    "{e} > {m}",
    "{e} >= {m}",
    "{e} < {m}",
    "{e} <= {m}",
    "{m} < {e}",
    "{m} >= {e}",
    "{e} > {m} && {i} != 3",
    "{e} > {m} && {x}[{i}] > «0.0»",
    "{i} > 2 && {e} > {m}",
    "{e} > {w}",
];

/// What it does besides keeping the element.
const BESIDES: &[&str] = &[
    "{at} = {i};",
    "{at} = {i};",
    "{at} = {i};",
    "{at} = {i} + 1;",
    "{at} = {q};",
    "{at} = 2;",
    "{at} = ({at} + 1) % 7;",
    "{q} = {i};",
    "{q} = {at};",
    "{m} = «0.5»;",
    "{m} = «0.5»;",
    "{m} = «-0.5»;",
    "{m} = {m} * «0.5»;",
    "{m} = {x}[{i}];",
    "{m} = {x}[{i}];",
    "{m} = {e};",
    "{m} = {w};",
    "{m} = {m} + «0.01»;",
    "{w} = {m};",
    "{w} = {m};",
    "{w} = {e};",
    "{w} = {m} * {x}[{i}];",
    "{w} = {e} - {m};",
];

/// What is added to a sum.
const TERMS: &[&str] = &[
    "{s} += {x}[{i}] * {y}[{i}];",
    "{s} -= {x}[{i}] * {c}[{i}];",
    "{s} += ({x}[{i}] * {x}[{i}] + «1.0»).sqrt() / («2.0» + {y}[{i}] * {y}[{i}]);",
    "{s} += {x}[{i}].exp() * {c}[{i}];",
    "let {v}: ƒ = {x}[{i}] * {y}[{i}]; {s} += {v} * {v};",
    "if {c}[{i}] > «0.2» { {s} += {x}[{i}]; }",
    "{s} = {s} + {x}[{i}] * {y}[{i}];",
    "{s} += {x}[{i}];",
];

/// What else is done with it.
const WITH_SUM: &[&str] = &[
    "",
    "{s} += {y}[{i}];",
    "{s} += {x}[{i}] * {y}[{i}];",
    "{s} -= «0.5» * {y}[{i}];",
    "{s} *= «0.97»;",
    "{s} = {s} * «0.5» + {y}[{i}];",
    "{s} = {x}[{i}];",
    "if {c}[{i}] > «0.8» { {s} = «0.3»; }",
    "{t} += {s} * «0.01»;",
    "if {s} > «0.5» { {t} += {x}[{i}]; }",
    "if {c}[{i}] > «0.0» { {s} += {y}[{i}]; } else { {s} -= {x}[{i}]; }",
    "std::mem::swap(&mut {s}, &mut {t});",
    "if {i} > 0 { {s} += {x}[{i} - 1]; }",
    "{t} = {t} * «0.9» + {x}[{i}]; {s} += {t};",
    "{s} = {s}.max({y}[{i}] * «3.0»);",
    "let {v} = {x}[{i}] * {s}; {t} += {v};",
    "if {c}[{i}] > «0.95» { break; }",
    "if {c}[{i}] > «0.5» { continue; } {s} += {y}[{i}];",
    "{t} += {x}[{i}] * {x}[{i}]; {s} += {y}[{i}] * {t} * «0.1»;",
    "{s} = -{s};",
    "{y}[{i}] = {s} * «0.1»;",
];

/// Elements that two statements write.
const ELEMENTS: &[&str] = &[
    "{y}[{i}] = {x}[{i}] * «0.5»; {y}[{i}] += {c}[{i}] * {x}[{i}];",
    "{y}[{i}] += {x}[{i}] * {x}[{i}]; {y}[{i}] -= {x}[{i}] * «0.3»;",
    "{y}[{i}] += {x}[{i}]; {y}[{i} + 1] += {x}[{i}] * «0.5»;",
    "{y}[{i} + 1] = {x}[{i}]; {y}[{i}] = {y}[{i}] * «0.5» + {x}[{i} + 1];",
    "let {v}: ƒ = {y}[{i}]; {y}[{i}] = {v} * {x}[{i}]; {y}[{i}] += {v};",
    "{y}[{i}] = {x}[{i}].sin(); if {c}[{i}] > «0.1» { {y}[{i}] = {x}[{i}] * {x}[{i}]; }",
    "{y}[{i}] *= {x}[{i}]; {s} += {y}[{i}]; {y}[{i}] = {s} * «0.1»;",
    "{y}[{i}] = {x}[{i}] * {x}[{i}]; {s} += {y}[{i}] * {y}[{i}]; {y}[{i}] = «0.25»;",
    "{x}[{i}] = {x}[{i}] * «0.5»; {y}[{i}] = {x}[{i}] * {x}[{i}]; {x}[{i}] = {y}[{i}] + «0.1»;",
];

/// What is done in each column of a row, and before or after the row.
const ROW: &[(&str, &str, &str)] = &[
    (
        "{y}[{i}] = «0.1»;",
        "{y}[{i}] += {a}[{i} * {w} + {j}] * {x}[{j}];",
        "{y}[{i}] *= «0.5»;",
    ),
    (
        "",
        "{y}[{i}] += {a}[{i} * {w} + {j}] * {x}[{j}]; {y}[{i}] -= {x}[{j}] * «0.1»;",
        "",
    ),
    (
        "let mut {v}: ƒ = «0.0»;",
        "{v} += {a}[{i} * {w} + {j}] * {x}[{j}]; {v} *= «0.9»;",
        "{y}[{i}] = {v}; {y}[{i}] += {v} * {v};",
    ),
    (
        "let mut {v}: ƒ = «0.0»;",
        "{v} += {a}[{i} * {w} + {j}] * {x}[{j}];",
        "{y}[{i}] = {v} * «0.5»; {s} += {v}; {y}[{i}] = {y}[{i}] * {y}[{i}];",
    ),
    (
        "",
        "{a}[{i} * {w} + {j}] = {a}[{i} * {w} + {j}] * {x}[{j}]; {y}[{i}] += {a}[{i} * {w} + {j}];",
        "{a}[{i} * {w}] = {y}[{i}] * «0.2»;",
    ),
    (
        "{y}[{i}] += {x}[{i}];",
        "{a}[{i} * {w} + {j}] += {y}[{i}] * {x}[{j}]; {a}[{i} * {w} + {j}] *= «0.5»;",
        "",
    ),
];

/// Counters that the loop itself moves, `{k}`, and that are used behind it.
const COUNTED: &[&str] = &[
    "if {c}[{i}] > «0.1» { {y}[{k}] = {x}[{i}]; {k} += 1; }",
    "if {c}[{i}] > «0.1» { {y}[{k}] = {x}[{i}] * {x}[{i}]; {k} += 1; {y}[{k}] = {x}[{i}]; }",
    "{y}[{k}] += {x}[{i}]; {k} = ({k} + 1) % 5; if {c}[{i}] > «0.6» { {k} = 0; }",
    "{y}[{k}] = {x}[{i}]; {k} += 1; if {c}[{i}] > «0.8» { {k} -= 1; }",
    "{k} = {i}; if {c}[{i}] > «0.5» { break; } {s} += {x}[{k}];",
    "{k} = {i} / 2; {y}[{k}] = {y}[{k}] * «0.5» + {x}[{i}]; {k} += 1;",
    "if {x}[{i}] > «0.3» { {k} = {i}; {s} = {x}[{k}]; } {s} += {x}[{k}] * «0.1»;",
];

/// The names in one of these loops.
struct Names(Vec<(&'static str, String)>);

impl Names {
    fn fill(&self, template: &str) -> String {
        let mut text = template.to_string();
        for (mark, name) in &self.0 {
            text = text.replace(mark, name);
        }
        literals(&text)
    }
}

/// `«0.5»` as a literal of both forms.
pub(super) fn literals(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, tail)) = rest.split_once('«') {
        let (number, after) = tail.split_once('»').expect("a closed literal");
        out.push_str(before);
        out.push_str(&literal(number));
        rest = after;
    }
    out + rest
}

impl Gen<'_> {
    /// A loop of one of these patterns, with its arrays, and a float of all that it has done.
    pub(super) fn second_write(&mut self) -> Option<Vec<Item>> {
        let kind = self.choose(&[
            (30, "search-twice"),
            (25, "sum-twice"),
            (15, "element-twice"),
            (15, "row-twice"),
            (12, "counter-after"),
        ]);
        let seed = self.name("x");
        let e = self.purely(|g| g.receiver(1));
        let n = self.name("n");
        let size = self.size(0);
        // Blocks of elements begin at some two dozen.
        let least = self
            .rng
            .pick(&["0", "8", "24", "25", "33", "40"])
            .to_string();
        let mut items = vec![
            line(format!("let {seed}: ƒ = ({e}).sin();")),
            line(format!("let {n}: usize = {least} + ({size}) % 4;")),
        ];
        let total = self.pattern(kind, &seed, &n, &mut items);
        self.float_of(&total, &mut items);
        Some(items)
    }

    fn pattern(&mut self, kind: &str, seed: &str, n: &str, items: &mut Vec<Item>) -> String {
        let longer = format!("({n} + 8)");
        let x = self.filled("a", seed, &longer, items);
        let y = self.filled("b", seed, &longer, items);
        let c = self.compared(&longer, items);
        let mut names = Names(vec![
            ("{x}", x.clone()),
            ("{y}", y.clone()),
            ("{c}", c),
            ("{n}", n.to_string()),
        ]);
        for (mark, base) in [
            ("{i}", "i"),
            ("{j}", "j"),
            ("{s}", "s"),
            ("{t}", "t"),
            ("{v}", "v"),
            ("{m}", "m"),
            ("{at}", "at"),
            ("{w}", "w"),
            ("{q}", "q"),
            ("{k}", "k"),
        ] {
            names.0.push((mark, self.name(base)));
        }
        for text in [
            "let mut {s}: ƒ = «0.1»;",
            "let mut {t}: ƒ = «0.75»;",
            "let mut {k}: usize = 0;",
        ] {
            items.push(line(names.fill(text)));
        }
        let sums = match kind {
            "search-twice" => return self.search(names, items),
            "row-twice" => {
                self.rows_twice(seed, names, items);
                return self.summed(&y, items) + &format!(" + {}", self.summed(&x, items));
            }
            "sum-twice" => {
                let (one, more) = (self.of(TERMS), self.of(WITH_SUM));
                if self.rng.percent(60) {
                    format!("{one} {more}")
                } else {
                    format!("{more} {one}")
                }
            }
            "counter-after" => self.of(COUNTED).to_string(),
            _ => self.of(ELEMENTS).to_string(),
        };
        let head = self.rng.pick(&[
            "for {i} in 0..{n}",
            "for {i} in 0..{n}",
            "for {i} in 1..{n}",
            "for {i} in (0..{n}).rev()",
        ]);
        items.push(nest(names.fill(head), statements(&names.fill(&sums))));
        let elements = self.summed(&y, items);
        names.fill("{s} + {t} * {x}[{k}] + {y}[{k}]") + &format!(" + {elements}")
    }

    fn of(&mut self, templates: &[&'static str]) -> &'static str {
        templates[self.rng.below(templates.len())]
    }

    /// What a search compares: numbers without a derivative, some of them equal.
    fn compared(&mut self, len: &str, items: &mut Vec<Item>) -> String {
        let (c, i) = (self.name("c"), self.name("i"));
        let period = self.rng.pick(&["5", "11", "1000"]).to_string();
        items.push(line(format!(
            "let mut {c}: Vec<ƒ> = vec![{}; {len}];",
            literal("0.0")
        )));
        let number = crate::text::to_float(&format!("({i} % {period})"));
        let body = vec![line(format!(
            "{c}[{i}] = ({number} * {}).sin();",
            literal("0.73")
        ))];
        items.push(nest(format!("for {i} in 0..{len}"), body));
        c
    }

    fn search(&mut self, mut names: Names, items: &mut Vec<Item>) -> String {
        let element = self.rng.pick(&["{c}[{i}]", "{c}[{i}]", "{x}[{i}]"]);
        let element = names.fill(element);
        let start = self
            .rng
            .pick(&["«0.1»", "«0.0»", "{c}[0]", "{x}[0]", "«-9.0»", "«9.0»"]);
        for text in [
            format!("let mut {{m}}: ƒ = {start};"),
            "let mut {w}: ƒ = «0.25»;".into(),
            "let mut {at}: usize = 0;".into(),
            "let mut {q}: usize = 1;".into(),
        ] {
            items.push(line(names.fill(&text)));
        }
        names.0.push(("{e}", element));
        let mut arm = vec!["{m} = {e};"];
        for _ in 0..self.rng.within(0, 3) {
            let besides = self.of(BESIDES);
            arm.insert(self.rng.below(arm.len() + 1), besides);
        }
        let arm = statements(&names.fill(&arm.join(" ")));
        let found = names.fill(self.of(FOUND));
        let named = self.rng.percent(15);
        let mut body = Vec::new();
        if named {
            body.push(line(names.fill("let {v}: ƒ = {e};")));
        }
        let mut parts = vec![(format!("if {found}"), arm)];
        if self.rng.percent(12) {
            let other = names.fill(self.of(BESIDES));
            parts.push(("else".into(), vec![line(other)]));
        }
        body.push(Item::Nest {
            parts,
            tail: String::new(),
        });
        if self.rng.percent(12) {
            body.push(line(names.fill(self.of(BESIDES))));
        }
        if named {
            body.push(line(names.fill("{s} += {v} * «0.1»;")));
        }
        items.push(nest(names.fill("for {i} in 0..{n}"), body));
        names.fill("{x}[{at}] * {m} + {y}[{q}] * {w} + {s}")
    }

    fn rows_twice(&mut self, seed: &str, mut names: Names, items: &mut Vec<Item>) {
        let (before, column, after) = ROW[self.rng.below(ROW.len())];
        let width = self.rng.pick(&["2", "5", "8"]).to_string();
        names.0.retain(|(mark, _)| *mark != "{w}");
        names.0.push(("{w}", width.clone()));
        let len = names.fill(&format!("({{n}} * {width} + 1)"));
        let a = self.filled("a", seed, &len, items);
        names.0.push(("{a}", a));
        let mut row = statements(&names.fill(before));
        row.push(nest(
            names.fill(&format!("for {{j}} in 0..{width}")),
            statements(&names.fill(column)),
        ));
        row.extend(statements(&names.fill(after)));
        items.push(nest(names.fill("for {i} in 0..{n}"), row));
    }
}

/// Statements in one text, a line each where no block is around them, so that each can be taken away.
fn statements(text: &str) -> Vec<Item> {
    let (mut out, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        let end = c == ';' || c == '}' && !text[at + 1..].trim_start().starts_with("else");
        if depth == 0 && end {
            out.push(line(text[start..=at].trim()));
            start = at + 1;
        }
    }
    out
}
