//! Parts of arrays in nests, indices that a condition chooses, short lines of known length, and loops with more than
//! one exit. `{a}`, `{w}` and `{b}` have `{n}` elements, at least seven, `{o}` has twice as many; `{k}` is a small
//! number.

use super::Gen;
use super::neighbours::fractions;
use crate::text::{Item, line, literal, nest};

/// Parts that are split off, lent and windowed.
const PARTS: &[&str] = &[
    "let ({l}, {r}) = {a}.split_at({n} / 2);\n\
     for {i} in 0..{l}.len() { {b}[{i}] = {l}[{i}] * {r}[{i}] * {h} + {w}[{i}]; }",
    "let ({l}, {r}) = {b}.split_at_mut({n} / 2);\n\
     for {i} in 0..{l}.len() { {l}[{i}] = {a}[{i}] * {h};\n{r}[{i}] = {r}[{i}] + {l}[{i}] * {w}[{i}] * {q}; }",
    "for {i} in 1..{n} { let ({l}, {r}) = {a}.split_at_mut({i});\n\
     for {j} in 0..{k}.min({i}) { {r}[0] = {r}[0] + {l}[{i} - 1 - {j}] * {w}[{j}] * {t}; } }",
    "for {i} in 1..{n} { let ({l}, {r}) = {b}.split_at_mut({i});\n\
     for {j} in 0..{r}.len() { {r}[{j}] = {r}[{j}] * {h} + {l}[{i} - 1] * {a}[{j}] * {t}; } }",
    "for {r} in {a}.chunks_mut({k}) { for {i} in 1..{r}.len() { {r}[{i}] = {r}[{i}] * {h} + {r}[{i} - 1] * {q}; } }",
    "for {i} in 0..{n} { let {l}: &[ƒ] = &{o}[{i}..{i} + {n}];\nlet {r}: &mut [ƒ] = &mut {b}[..{i}];\n\
     for {j} in 0..{r}.len() { {r}[{j}] = {r}[{j}] * {h} + {l}[{j}] * {w}[{i}] * {q}; } }",
    "let ({l}, {r}) = {o}.split_at_mut({n});\n\
     for {i} in 0..{n} { for {j} in 0..={i} { {r}[{i}] = {r}[{i}] + {l}[{j}] * {a}[{i} - {j}] * {t}; } }",
    "if let Some(({l}, {r})) = {b}.split_first_mut() { for {i} in 0..{r}.len() { \
     *{l} = *{l} * {h} + {r}[{i}] * {a}[{i}];\n{r}[{i}] = {w}[{i}] * *{l}; } }",
    "for ({l}, {r}) in {b}.chunks_exact_mut(2).zip({a}.chunks_exact(2)) { {l}[0] = {r}[1] * {h};\n\
     {l}[1] = {l}[0] * {r}[0] + {q}; }",
    "for {i} in (1..{n}).rev() { let ({l}, {r}) = {a}.split_at_mut({i});\n\
     {l}[{i} - 1] = {l}[{i} - 1] * {h} + {r}[0] * {w}[{n} - {i}] * {q}; }",
    "for {r} in {a}.windows({k}) { {s} = {s} * {h} + {r}[0] * {r}[{r}.len() - 1]; }",
    "let {l}: &[ƒ] = &{a}[1..{n} - 1];\n\
     for {i} in 0..{l}.len() { {b}[{n} - 2 - {i}] = {l}[{i}] * {l}[{l}.len() - 1 - {i}] * {h}; }",
    "let {r}: &mut [ƒ] = &mut {a}[{k}..];\n\
     for {i} in 0..{r}.len() / 2 { let {p}: ƒ = {r}[{r}.len() - 1 - {i}];\n{r}[{i}] = {r}[{i}] * {p} * {h}; }",
    "let mut {p} = ({a}.clone(), {b}.clone());\n\
     for {i} in 1..{n} { {p}.0[{i}] = {p}.0[{i} - 1] * {h} + {p}.1[{i}] * {q};\n\
     {p}.1[{i}] = {p}.1[{i}] * {h} - {p}.0[{i}] * {w}[{i}]; }\n{s} = {s} + {p}.0[{n} - 1] * {p}.1[{n} / 2];",
    "fn {part}(x: &mut [ƒ], c: ƒ) { for i in 1..x.len() { x[i] = x[i] * {h} + x[i - 1] * c; } }\n\
     {part}(&mut {a}[{k}..], {q});\n{part}(&mut {b}[..{n} / 2], {a}[{n} - 1]);",
    "fn {part}(x: &mut [ƒ], y: &[ƒ]) -> ƒ { let m = x.len().min(y.len());\n\
     for i in 0..m { x[m - 1 - i] = x[m - 1 - i] * {h} + y[i] * {q}; }\nx[0] * y[m - 1] }\n\
     for {i} in 1..{k} + 1 { {s} = {s} * {h} + {part}(&mut {b}[..{n} - {i}], &{a}[{i}..]); }",
];

/// Indices that a condition chooses.
const CHOSEN: &[&str] = &[
    "for {i} in 0..{n} { let {l} = if {a}[{i}] > {h} { {i} } else { {n} - 1 - {i} };\n\
     {b}[{l}] = {b}[{l}] * {h} + {a}[{i}] * {w}[{l}]; }",
    "for {i} in 0..{n} { let {l} = if {i} % 3 == 0 { {i} / 3 } else { {i} };\n\
     {a}[{l}] = {a}[{l}] * {h} + {w}[{i}] * {q}; }",
    "for {i} in 0..{n} { for {j} in 0..{k} { let {l} = if {j} % 2 == 0 { {i} } else { {n} - 1 };\n\
     {s} = {s} * {h} + {a}[{l}] * {w}[{j}]; } }",
    "let mut {l} = 0;\nfor {i} in 1..{n} { if {a}[{i}] > {a}[{l}] { {l} = {i}; }\n\
     {b}[{i}] = {b}[{i}] * {h} + {a}[{l}] * {w}[{i}]; }",
    "for {i} in 0..{n} - 1 { let {l} = {i} + usize::from({w}[{i}] > {q});\n\
     {b}[{l}] = {a}[{i}] * {h} + {b}[{i}] * {q}; }",
];

/// Lines of few cells.
const SHORT: &[&str] = &[
    "let mut {c}: [ƒ; {m}] = [{z}; {m}];\nfor {i} in 0..{m} { {c}[{i}] = {a}[{i}] * {h}; }\n\
     for {j} in 0..3 { for {i} in 1..{m} - 1 { {c}[{i}] = {c}[{i}] * {h} + ({c}[{i} - 1] - {c}[{i} + 1]) * {q}; } }\n\
     {s} = {s} + {c}[0] * {c}[{m} - 2];",
    "const {N}: usize = {m};\nlet mut {c}: [ƒ; {N}] = [{z}; {N}];\n\
     for {i} in 0..{N} { {c}[{i}] = {a}[{N} - 1 - {i}] * {h}; }\n\
     for {j} in 0..2 { let mut {p}: [ƒ; {N}] = {c};\n\
     for {i} in 0..{N} { {p}[{i}] = {c}[({i} + {N} - 1) % {N}] * {h} + {c}[({i} + 1) % {N}] * {c}[{i}] * {q}; }\n\
     {c} = {p}; }\n{s} = {s} + {c}[0] * {c}[{N} - 1];",
    "const {N}: usize = {m};\nfor {j} in 0..{n} - {N} { let mut {p}: ƒ = {z};\n\
     for {i} in 0..{N} { {p} = {p} * {h} + {a}[{j} + {i}] * {w}[{N} - 1 - {i}]; }\n{b}[{j}] = {p}; }",
    "fn {part}(x: &[ƒ; {m}]) -> ƒ { let mut y = x[0];\n\
     for i in 0..{m} { y = y * {h} + x[i] * x[(i + {m} - 1) % {m}]; }\ny }\n\
     let {c}: [ƒ; {m}] = std::array::from_fn(|{i}| {a}[{i}] * {q});\n{s} = {s} + {part}(&{c});",
    "let mut {c} = [[{z}; {m}]; 2];\nfor {i} in 0..{m} { {c}[0][{i}] = {a}[{i}];\n{c}[1][{i}] = {w}[{i}] * {h}; }\n\
     for {i} in 1..{m} { {c}[{i} % 2][{i}] = {c}[({i} + 1) % 2][{i} - 1] * {h} + {c}[{i} % 2][{i}] * {q}; }\n\
     {s} = {s} + {c}[0][{m} - 1] * {c}[1][{m} - 1];",
];

/// Loops that something leaves in the middle.
const EXITS: &[&str] = &[
    "'{m}: for {i} in 0..{n} { for {j} in 0..{n} { if {a}[{j}] * {w}[{i}] > {h} { continue '{m}; }\n\
     if {i} + {j} > {n} + 3 { break '{m}; }\n{s} = {s} * {h} + {a}[{i}] * {w}[{j}] * {q}; } }",
    "let mut {i} = 0;\nwhile {i} < {n} { {s} = {s} * {h} + {a}[{i}];\nif {s} > {h} { {i} += 2; continue; }\n\
     if {i} > {n} - 3 && {a}[{i}] < {q} { break; }\n{i} += 1; }",
    "let mut {i} = 0;\nloop { if {i} >= {n} { break; }\n{b}[{i}] = {a}[{i}] * {w}[{i}];\n\
     if {b}[{i}] > {h} { break; }\n{i} += {k}; }",
    "let {p}: ƒ = '{m}: { for {i} in 0..{n} { for {j} in 0..{k} { \
     if {a}[{i}] * {w}[{j}] > {h} { break '{m} {a}[{i}] * {w}[{j}]; } } }\n{q} * {a}[0] };\n{s} = {s} + {p};",
    "for {i} in 0..{n} { let mut {j} = {i};\nwhile {j} > 0 && {a}[{j} - 1] > {a}[{j}] { {a}.swap({j} - 1, {j});\n\
     {j} -= 1; }\n{b}[{i}] = {a}[{j}] * {h}; }",
    "for {i} in 0..{n} { let mut {p}: ƒ = {a}[{i}];\nfor {j} in 0..5 { {p} = {p} * {h} + {w}[{j}] * {q};\n\
     if {p} < {q} { break; }\n{b}[{i}] = {p}; }\n{s} = {s} * {h} + {p}; }",
    "for {i} in (0..{n}).rev() { if {w}[{i}] > {h} { continue; }\n{b}[{i}] = {a}[{i}] * {w}[{i}];\n\
     if {a}[{i}] < {z} && {i} < 3 { break; } }",
];

impl Gen<'_> {
    /// One to three of these, once or in steps, and the sum that they leave.
    pub(super) fn parts(&mut self, seed: &str, n: &str, items: &mut Vec<Item>) -> String {
        let a = self.filled("a", seed, n, items);
        let w = self.filled("w", seed, n, items);
        let b = self.filled("b", seed, n, items);
        let o = self.filled("o", seed, &format!("(2 * {n})"), items);
        let s = self.name("s");
        items.push(line(format!("let mut {s}: ƒ = {};", literal("0.1"))));
        let mut body = Vec::new();
        for _ in 0..self.rng.within(1, 3) {
            let kind = self.choose(&[
                (45, "part-split"),
                (20, "part-chosen"),
                (30, "part-short"),
                (30, "part-exits"),
            ]);
            let forms = match kind {
                "part-chosen" => CHOSEN,
                "part-short" => SHORT,
                "part-exits" => EXITS,
                _ => PARTS,
            };
            let form = forms[self.rng.below(forms.len())];
            let small = self.rng.within(1, 3).to_string();
            let known = [
                ("{n}", n.to_owned()),
                ("{a}", a.clone()),
                ("{w}", w.clone()),
                ("{b}", b.clone()),
                ("{o}", o.clone()),
                ("{s}", s.clone()),
                ("{k}", format!("{small}_usize")),
                ("{t}", literal("0.05")),
                ("{z}", literal("0.0")),
            ];
            let names = ["i", "j", "l", "r", "p", "c", "part", "N"];
            let fresh = names.map(|base| (format!("{{{base}}}"), self.name(base)));
            let m = if kind == "part-short" {
                self.rng.within(4, 7).to_string()
            } else {
                self.name("m")
            };
            let text = form.replace("{m}", &m);
            let text = known
                .iter()
                .fold(text, |t, (mark, name)| t.replace(mark, name));
            let text = fresh
                .iter()
                .fold(text, |t, (mark, name)| t.replace(mark, name));
            body.push(nest("", vec![line(fractions(&text))]));
        }
        if self.maybe(40, "part-steps") {
            let t = self.name("t");
            let steps = self.rng.within(0, 3);
            items.push(nest(format!("for {t} in 0..{steps}"), body));
        } else {
            items.extend(body);
        }
        let [first, second, third] = [&a, &b, &o].map(|array| self.summed(array, items));
        format!("{s} + {first} - {second} * {} + {third}", literal("0.1"))
    }
}
