//! Indices that go down: convolutions, recurrences over what was computed last, mirrored halves, substitutions from
//! the back. `{a}`, `{w}` and `{b}` have `{n}` elements, `{o}` has twice as many; `{k}` is a small number.

use super::Gen;
use super::neighbours::fractions;
use crate::text::{Item, line, literal, nest};

/// Head of the outer loop, of the inner one if there is one, and what is done.
type Form = (&'static str, &'static str, &'static str);

const CONVOLUTIONS: &[Form] = &[
    (
        "for {i} in 0..{n}",
        "for {j} in 0..={i}",
        "{b}[{i}] += {w}[{j}] * {a}[{i} - {j}] * {q};",
    ),
    (
        "for {i} in 0..{n}",
        "for {j} in 0..{i} + 1",
        "{s} += {w}[{j}] * {a}[{i} - {j}] * {q};",
    ),
    (
        "for {i} in 0..{n}",
        "for {j} in 0..{k}.min({i} + 1)",
        "{b}[{i}] += {w}[{j}] * {a}[{i} - {j}] * {q};",
    ),
    (
        "for {i} in {k}..{n}",
        "for {j} in 0..{k}",
        "{b}[{i}] += {w}[{j}] * {a}[{i} - {j}] * {q};",
    ),
    (
        "for {i} in {k}..{n}",
        "for {j} in 0..{k}",
        "{b}[{i}] += {w}[{j}] * {a}[{i} - 1 - {j}];",
    ),
    (
        "for {i} in {k}..{n}",
        "for {j} in 1..={k}",
        "{b}[{i}] -= {w}[{j} - 1] * {a}[{i} - {j}] * {h};",
    ),
    (
        "for {i} in 0..{n}",
        "for {j} in 0..{k}",
        "if {i} >= {j} { {b}[{i}] += {w}[{j}] * {a}[{i} - {j}]; }",
    ),
    (
        "for {i} in 0..{n}",
        "for {j} in 0..{k}",
        "if {j} <= {i} { {s} += {w}[{j}] * {a}[{i} - {j}]; }",
    ),
    (
        "for {i} in 0..{n}",
        "for {j} in 0..{k}",
        "if {j} > {i} { break; }\n{b}[{i}] += {w}[{j}] * {a}[{i} - {j}];",
    ),
    (
        "for {i} in 0..{n}",
        "for {j} in 0..{k}",
        "if let Some({l}) = {i}.checked_sub({j}) { {b}[{i}] += {w}[{j}] * {a}[{l}]; }",
    ),
    (
        "for {i} in 0..{n}",
        "for {j} in {i}..{n}",
        "{b}[{j}] += {w}[{i}] * {a}[{j} - {i}] * {q};",
    ),
    (
        "for {i} in 0..{n}",
        "for {j} in 0..{n} - {i}",
        "{b}[{i}] += {a}[{j}] * {a}[{j} + {i}] * {q};",
    ),
    (
        "for {i} in 0..{n}",
        "for {j} in 0..{n} - {i}",
        "{b}[{n} - 1 - {j}] += {a}[{j}] * {w}[{i}] * {q};",
    ),
    (
        "for {i} in 0..{n}",
        "for {j} in 0..{n}",
        "{o}[{i} + {j}] += {a}[{i}] * {w}[{j}];",
    ),
    (
        "for {i} in 0..{n}",
        "for {j} in 0..{n}",
        "{o}[2 * {n} - 2 - {i} - {j}] += {a}[{i}] * {w}[{j}] * {q};",
    ),
    (
        "for {i} in 0..{n}",
        "for {j} in 0..{n}",
        "{b}[{i}] += {o}[{n} + {i} - {j}] * {w}[{j}] * {q};",
    ),
    (
        "for {i} in 0..{n}",
        "for {j} in 0..{n}",
        "{b}[{i}] += {w}[({i} + {n} - {j}) % {n}] * {a}[{j}] * {q};",
    ),
    (
        "for {i} in 0..{n}",
        "for {j} in 0..{n}",
        "{b}[{i}] += {w}[{i}.abs_diff({j})] * {a}[{j}] * {q};",
    ),
    (
        "for {i} in 0..{n}",
        "for {j} in 0..{n}",
        "{b}[{i}] += {w}[if {i} > {j} { {i} - {j} } else { {j} - {i} }] * {a}[{j}] * {q};",
    ),
    (
        "for {i} in (0..{n}).rev()",
        "for {j} in (0..{i}).rev()",
        "{b}[{j}] += {w}[{i} - {j}] * {a}[{i}] * {q};",
    ),
    (
        "for {i} in (0..{n}).rev()",
        "for {j} in 0..{i}",
        "{s} += {w}[{i} - {j} - 1] * {a}[{j}] * {q};",
    ),
];

/// What was computed last comes in again.
const RECURRENCES: &[Form] = &[
    (
        "for {i} in 0..{n}",
        "for {j} in 1..={i}",
        "{b}[{i}] += {w}[{j}] * {b}[{i} - {j}] * {t};",
    ),
    (
        "for {i} in {k}..{n}",
        "for {j} in 1..={k}",
        "{a}[{i}] += {w}[{j}] * {a}[{i} - {j}] * {t};",
    ),
    (
        "for {i} in {k}..{n}",
        "for {j} in 0..{k}",
        "{a}[{i}] += {w}[{j}] * {a}[{i} - 1 - {j}] * {t};",
    ),
    (
        "for {i} in 0..{n}",
        "for {j} in 0..{i}",
        "{b}[{j}] = {b}[{j}] + {w}[{i}] * {a}[{i} - 1 - {j}] * {t};",
    ),
    (
        "for {i} in 1..{n}",
        "for {j} in 0..{i}",
        "{a}[{j}] = {a}[{j}] + {w}[{i}] * {a}[{i} - 1 - {j}] * {t};",
    ),
    (
        "for {i} in 1..{n}",
        "for {j} in 0..{i} / 2",
        "let {l}: ƒ = {a}[{j}];\n{a}[{j}] += {w}[{i}] * {a}[{i} - 1 - {j}] * {t};\n\
         {a}[{i} - 1 - {j}] += {w}[{i}] * {l} * {t};",
    ),
    (
        "for {i} in {k}..{n}",
        "",
        "{a}[{i}] = {a}[{i} - {k}] * {h} + {w}[{n} - {i}] * {q};",
    ),
    (
        "for {i} in ({k}..{n}).rev()",
        "",
        "{a}[{i}] = {a}[{i} - {k}];",
    ),
    (
        "for {i} in ({k}..{n}).rev()",
        "",
        "{a}[{i}] = {a}[{i} - {k}] * {w}[{i}] + {a}[{i}] * {q};",
    ),
    (
        "for {i} in ({k}..{n}).rev()",
        "",
        "{a}[{i} - {k}] += {a}[{i}] * {w}[{i}] * {q};",
    ),
    (
        "for {i} in (0..{n} - 1).rev()",
        "",
        "{a}[{i}] = ({a}[{i}] - {w}[{i}] * {a}[{i} + 1]) * {h};",
    ),
    (
        "for {i} in (1..{n}).rev()",
        "",
        "{a}[{i} - 1] -= {w}[{i}] * {a}[{i}] * {q};",
    ),
    (
        "for {i} in (0..{n}).rev()",
        "for {j} in {i} + 1..{n}",
        "{a}[{i}] -= {w}[{j} - {i}] * {a}[{j}] * {t};",
    ),
    (
        "for {i} in 1..{n}",
        "",
        "{a}[{n} - 1 - {i}] = {a}[{n} - 1 - {i}] * {h} + {a}[{n} - {i}] * {q};",
    ),
    (
        "for {i} in (0..{n}).rev()",
        "",
        "{s} = {s} * {h} + {a}[{i}] * {w}[{n} - 1 - {i}];",
    ),
    (
        "for {i} in (0..{n}).rev().step_by({k})",
        "",
        "{b}[{i}] = {a}[{i}] * {w}[{n} - 1 - {i}] + {b}[{i} / 2];",
    ),
    (
        "for {i} in ({k}..{n}).step_by({k})",
        "",
        "{a}[{i}] = {a}[{i} - {k}] * {h} + {a}[{i}] * {q};",
    ),
];

/// Both ends at once.
const MIRRORS: &[Form] = &[
    (
        "for {i} in 0..{n}",
        "",
        "{b}[{n} - 1 - {i}] = {a}[{i}] * {w}[{i}];",
    ),
    (
        "for {i} in 0..{n}",
        "",
        "{b}[{i}] += {a}[{n} - 1 - {i}] * {w}[{i}];",
    ),
    (
        "for {i} in 0..{n}",
        "",
        "{b}[{i}] = {a}[{n} - {i} - 1] * {a}[{i}] * {h};",
    ),
    (
        "for {i} in 0..{n}",
        "",
        "{s} += {a}[{i}] * {a}[{n} - 1 - {i}];",
    ),
    (
        "for {i} in 0..{n}",
        "",
        "{a}[{n} - 1 - {i}] = {a}[{i}] * {h} + {w}[{i}] * {q};",
    ),
    (
        "for {i} in 1..{n}",
        "",
        "{b}[{n} - {i}] += {a}[{i}] * {a}[{i} - 1];",
    ),
    (
        "for {i} in 0..{n} / 2",
        "",
        "let {l}: ƒ = {a}[{i}];\n{a}[{i}] = {a}[{n} - 1 - {i}] * {h};\n{a}[{n} - 1 - {i}] = {l} * {w}[{i}];",
    ),
    (
        "for {i} in 0..{n} / 2",
        "",
        "{a}.swap({i}, {n} - 1 - {i});\n{s} += {a}[{i}] * {w}[{i}];",
    ),
    (
        "for {i} in 0..{n}",
        "",
        "let {l} = {n} - 1 - {i};\n{b}[{l}] = {b}[{l}] * {h} + {a}[{i}] * {w}[{l}];",
    ),
    (
        "let mut {i} = {n};\nwhile {i} > 0",
        "",
        "{i} -= 1;\n{b}[{i}] = {a}[{i}] * {w}[{n} - 1 - {i}];",
    ),
    (
        "let mut {i} = {n};\nwhile {i} > {k}",
        "",
        "{i} -= 1;\n{s} = {s} * {h} + {a}[{i}] * {a}[{i} - {k}];",
    ),
    (
        "let (mut {i}, mut {j}) = (0, {n} - 1);\nwhile {i} < {j}",
        "",
        "{s} += {a}[{i}] * {w}[{j}];\n{b}[{j}] = {a}[{i}] * {h};\n{i} += 1;\n{j} -= 1;",
    ),
    (
        "let mut {j} = {n};\nfor {i} in 0..{n}",
        "",
        "{j} -= 1;\n{b}[{i}] += {a}[{j}] * {w}[{i}];",
    ),
];

impl Gen<'_> {
    /// One to three nests with indices that go down, once or in steps, and the sum that they leave.
    pub(super) fn descending(&mut self, seed: &str, n: &str, items: &mut Vec<Item>) -> String {
        let a = self.filled("a", seed, n, items);
        let w = self.filled("w", seed, n, items);
        let o = self.filled("o", seed, &format!("(2 * {n})"), items);
        let (b, s, k) = (self.name("b"), self.name("s"), self.name("k"));
        let zero = literal("0.0");
        let fresh = line(format!("let mut {b}: Vec<ƒ> = vec![{zero}; {n}];"));
        let small = self.rng.within(1, 4);
        items.push(line(format!("let mut {s}: ƒ = {};", literal("0.1"))));
        let k = if self.rng.percent(50) {
            items.push(line(format!("let {k}: usize = {small};")));
            k
        } else {
            format!("{small}_usize")
        };
        let mut body = Vec::new();
        for _ in 0..self.rng.within(1, 3) {
            let forms = match self.choose(&[
                (40, "down-convolution"),
                (30, "down-recurrence"),
                (25, "down-mirror"),
            ]) {
                "down-recurrence" => RECURRENCES,
                "down-mirror" => MIRRORS,
                _ => CONVOLUTIONS,
            };
            let form = forms[self.rng.below(forms.len())];
            let (i, j, l) = (self.name("i"), self.name("j"), self.name("l"));
            let named = |text: &str| {
                let text = [
                    ("{i}", &i),
                    ("{j}", &j),
                    ("{l}", &l),
                    ("{n}", &n.to_owned()),
                    ("{a}", &a),
                    ("{b}", &b),
                    ("{w}", &w),
                    ("{o}", &o),
                    ("{s}", &s),
                    ("{k}", &k),
                    ("{t}", &literal("0.05")),
                ]
                .iter()
                .fold(text.to_owned(), |text, (mark, name)| {
                    text.replace(mark, name)
                });
                fractions(&text)
            };
            let statements: Vec<String> = form.2.lines().map(|l| late(&named(l))).collect();
            let mut inside = vec![line(statements.join("\n"))];
            if !form.1.is_empty() {
                inside = vec![nest(named(form.1), inside)];
            }
            let head = named(form.0);
            let (before, head) = head.rsplit_once('\n').unwrap_or(("", &head));
            if !before.is_empty() {
                body.push(line(before));
            }
            body.push(nest(head, inside));
        }
        if self.maybe(45, "down-steps") {
            // What the steps fill is there before them, or made in each.
            let t = self.name("t");
            if self.rng.percent(50) {
                items.push(fresh);
                items.push(nest(
                    format!("for {t} in 0..{}", self.rng.within(0, 3)),
                    body,
                ));
                let total = self.summed(&b, items);
                return format!("{s} + {total} + {o}[{n}] * {a}[0]");
            }
            body.insert(0, fresh);
            body.push(line(format!("{s} += {b}[{n} / 2] * {b}[0];")));
            if self.rng.percent(50) {
                body.push(line(format!("{a} = {b};")));
            }
            items.push(nest(
                format!("for {t} in 0..{}", self.rng.within(0, 3)),
                body,
            ));
        } else {
            items.push(fresh);
            items.extend(body);
            let total = self.summed(&b, items);
            items.push(line(format!("{s} += {total};")));
        }
        let (first, second) = (self.summed(&a, items), self.summed(&o, items));
        format!("{s} + {first} - {second} * {}", literal("0.1"))
    }
}

/// The statement, where the oracle's operators take their left side before they compute the right one.
fn late(statement: &str) -> String {
    let compound = [" += ", " -= "].iter().find_map(|op| {
        let (place, value) = statement.split_once(op)?;
        let value = value.strip_suffix(';')?;
        let is_place = place.ends_with(']') && !place.contains('{');
        is_place.then(|| format!("⟨{statement}│{{ let late = {value}; {place}{op}late; }}⟩"))
    });
    compound.unwrap_or_else(|| statement.to_owned())
}
