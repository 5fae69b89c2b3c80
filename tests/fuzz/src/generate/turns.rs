//! Vectors that go from one name to another: what a step makes becomes what the next one begins with, by a move, an
//! exchange, `take` and `replace`, through functions, lists of rows, tuples and structs; and both are read afterwards.

use super::Gen;
use super::grids::in_place;
use super::neighbours::fractions;
use crate::text::{Item, line, literal, nest};

/// A step that makes another vector of `{u}` in `{v}`, which it declares.
const MADE: &[&str] = &[
    "let mut {v}: Vec<ƒ> = vec![{zero}; {n}];\n\
     for {i} in 0..{n} { {v}[{i}] = {u}[{i}] * {h} + {u}[{n} - 1 - {i}] * {c}[{i}] * {q}; }",
    "let {v}: Vec<ƒ> = (0..{n}).map(|{i}| {u}[{i}] * {u}[({i} + 1) % {n}] * {h} + {c}[{i}]).collect();",
    "let mut {v}: Vec<ƒ> = Vec::with_capacity({n});\n\
     for {i} in 0..{n} { {v}.push(({u}[{i}] * {seed} + {c}[{i}]).sin()); }",
    "let mut {v}: Vec<ƒ> = {u}.clone();\n\
     for {i} in 1..{n} { {v}[{i}] = {v}[{i}] * {h} + {u}[{i} - 1] * {v}[{i} - 1] * {q}; }",
    "let mut {v}: Vec<ƒ> = {c}.to_vec();\nfor {i} in 0..{n} { {v}[{i}] -= {u}[{i}] * {u}[{i}] * {q}; }",
    "let {v}: Vec<ƒ> = {u}.iter().zip({c}.iter()).map(|({i}, w)| *{i} * {h} + *w * {seed}).collect();",
    "let mut {v}: Vec<ƒ> = {u}.clone();\nlet total: ƒ = {u}.iter().map(|{i}| *{i} * *{i}).sum::<ƒ>() + {one};\n\
     for {i} in 0..{n} { {v}[{i}] /= total; }",
];

/// A step that begins with the vector gone: `{v}` is what it was, and `{u}` is new.
const GONE: &[&str] = &[
    "let {v}: Vec<ƒ> = {u};\n{u} = vec![{zero}; {n}];\n\
     for {i} in 0..{n} { {u}[{i}] = {v}[{i}] * {h} + {c}[{i}] * {v}[{n} - 1 - {i}]; }",
    "let {v}: Vec<ƒ> = std::mem::take(&mut {u});\n\
     for {i} in 0..{n} { {u}.push({v}[{i}] * {v}[{i}] * {h} + {c}[{i}]); }",
    "let {v}: Vec<ƒ> = std::mem::replace(&mut {u}, {c}.clone());\n\
     for {i} in 0..{n} { {u}[{i}] = {u}[{i}] * {h} + {v}[{i}] * {v}[({i} + 1) % {n}] * {q}; }",
    "let {v}: Vec<ƒ> = {u};\n{u} = {v}.iter().map(|{i}| (*{i} + {seed}).sin()).collect();",
    "let {v}: Vec<ƒ> = {u}.clone();\n{u} = {v}.iter().rev().map(|{i}| *{i} * {seed}).collect();",
    "let {v}: Vec<ƒ> = {u};\n{u} = {c}.clone();\nfor {i} in 0..{n} { {u}[{i}] /= {v}[{i}] * {v}[{i}] + {one}; }",
];

/// `{v}` becomes `{u}`, and is not read again.
const COMMITTED: &[&str] = &[
    "{u} = {v};",
    "{u} = {v};",
    "let {d}: Vec<ƒ> = {u};\n{u} = {v};\n{s} += {d}[0] * {u}[{n} - 1] * {q};",
    "let {d}: Vec<ƒ> = std::mem::replace(&mut {u}, {v});\n{s} += {d}[{n} / 2] * {u}[0] * {q};",
    "{w} = {u};\n{u} = {v};",
    "{w} = std::mem::replace(&mut {u}, {v});",
    "let {d}: Vec<ƒ> = {w};\n{w} = {u};\n{u} = {v};\n{s} += {d}[0] * {w}[0] * {u}[0] * {q};",
    "if {v}[0] > {u}[0] { {u} = {v}; } else { {w} = {v}; }",
    "{u} = if {t} % 2 == 0 { {v} } else { {c}.clone() };",
    "({w}, {u}) = ({u}, {v});",
    "let pair: (Vec<ƒ>, Vec<ƒ>) = ({u}, {v});\n({w}, {u}) = pair;",
    "{rows}.push({v}.clone());\n{u} = {v};",
    "{rows}.push({u});\n{u} = {v};",
    "{rows}.push(std::mem::replace(&mut {u}, {v}));",
    "{rows}[0] = {u};\n{u} = {v};",
    "{u} = {v};\n{rows}[0] = {u}.clone();",
    "let {d}: Vec<ƒ> = std::mem::take(&mut {rows}[0]);\n{rows}[0] = {v};\n{s} += {d}[0] * {rows}[0][0] * {q};\n\
     {u} = {d};",
    "std::mem::swap(&mut {u}, &mut {w});\n{u} = {v};",
    "{u} = { let mut {d}: Vec<ƒ> = {v};\n{d}[0] = {d}[0] * {seed} + {d}[{n} - 1] * {q};\n{d} };",
    "let {d}: &[ƒ] = &{v};\n{s} += {d}[0] * {d}[{n} - 1] * {q};\n{u} = {v};",
    "let {d}: ƒ = {v}[0] * {u}[0];\n{u} = {v};\n{s} += {d} * {u}[{n} - 1] * {q};",
    "if {v}[0] > {big} { break; }\n{u} = {v};",
];

/// Behind a step: nothing is left over from it.
const BESIDE: &[&str] = &[
    "std::mem::swap(&mut {u}, &mut {w});",
    "let {d}: Vec<ƒ> = {w};\n{w} = {u};\n{u} = {d};",
    "{s} += {rows}[{rows}.len() - 1][0] * {u}[0] * {q};",
    "{s} += {rows}[{t} % {rows}.len()][{n} - 1] * {rows}[0][0] * {q};",
    "let {d} = {t} % {rows}.len();\n{rows}.swap(0, {d});",
    "let {d} = {rows}.len() - 1;\n{u} = {rows}[{d}].clone();",
    "for {i} in 0..{n} { {w}[{i}] = {u}[{i}] * {w}[{i}] * {h} + {c}[{i}] * {q}; }\nstd::mem::swap(&mut {u}, &mut {w});",
    "for {i} in 0..{n} { {w}[{i}] = {u}[{i}] * {h} + {w}[{i}] * {w}[{i}] * {q}; }\nlet {d}: Vec<ƒ> = {u};\n\
     {u} = {w};\n{w} = {d};",
    "let {d}: Vec<ƒ> = {rows}[0].clone();\n{rows}[0] = {w};\n{w} = {d};",
    "{w}.copy_from_slice(&{u});\n{w}[0] *= {seed};",
    "{c} = {u}.clone();",
    "for {i} in 0..{n} { {c}[{i}] /= {u}[{i}] * {u}[{i}] + {one}; }",
];

/// Through a function, by its name.
const THROUGH: &[&str] = &[
    "{u} = {moved}({u}, {seed});",
    "let {v}: Vec<ƒ> = {moved}({u}, {seed});\n{u} = {v};",
    "{w} = {moved}(std::mem::take(&mut {u}), {seed});\n{u} = {c}.clone();\n{s} += {w}[0] * {u}[0] * {q};",
    "{w} = {moved}({u}.clone(), {seed});\n{s} += {w}[0] * {u}[0] * {q};",
    "{rows}.push({moved}({w}, {seed}));\n{w} = {u}.clone();",
];

/// In a struct of two.
const HELD: &[&str] = &[
    "let {d} = {both} { u: {u}, w: {w} };\n{s} += {d}.u[0] * {d}.w[{n} - 1] * {q};\n{u} = {d}.w;\n{w} = {d}.u;",
    "let mut {d} = {both} { u: {u}, w: {w} };\nstd::mem::swap(&mut {d}.u, &mut {d}.w);\n{d}.u[0] *= {seed};\n\
     {u} = {d}.u;\n{w} = {d}.w;",
    "let mut {d} = {both} { u: {u}.clone(), w: {w} };\nlet {v}: Vec<ƒ> = std::mem::take(&mut {d}.u);\n\
     {d}.u = {d}.w.clone();\nfor {i} in 0..{n} { {d}.w[{i}] = {v}[{i}] * {h} + {d}.u[{i}] * {c}[{i}]; }\n\
     {u} = {d}.u;\n{w} = {d}.w;",
    "let {d} = {both} { u: {u}, w: {w} };\nlet {both} { u: {v}, w: {i} } = {d};\n{u} = {i};\n{w} = {v};",
    "let mut {d} = {both} { u: {u}, w: {w} };\nlet {v}: Vec<ƒ> = {d}.u.iter().map(|{i}| *{i} * {seed}).collect();\n\
     {d}.w = {d}.u;\n{d}.u = {v};\n{u} = {d}.w;\n{w} = {d}.u;",
];

/// The body of that function, which takes `u` and `s`.
const FUNCTIONS: &[&str] = &[
    "let mut u = u;\nfor i in 1..u.len() { u[i] = u[i] * {h} + u[i - 1] * s; }\nu",
    "let mut v: Vec<ƒ> = u.clone();\nfor i in 0..u.len() { v[i] = u[u.len() - 1 - i] * s + v[i] * {q}; }\nv",
    "u.into_iter().map(|w| (w * s + {h}).sin()).collect()",
    "let old: Vec<ƒ> = u;\nlet mut u: Vec<ƒ> = Vec::new();\n\
     for i in 0..old.len() { u.push(old[i] * old[0] * {h} + s); }\nu",
    "let mut u = u;\nlet d: ƒ = u.iter().map(|w| *w * *w).sum::<ƒ>() + {one};\nfor w in u.iter_mut() { *w /= d; }\nu",
];

/// The names of a scene of vectors that take turns.
struct Turns {
    u: String,
    w: String,
    c: String,
    rows: String,
    n: String,
    t: String,
    s: String,
    seed: String,
}

impl Turns {
    fn named(&self, text: &str) -> String {
        let text = text
            .replace("{u}", &self.u)
            .replace("{w}", &self.w)
            .replace("{c}", &self.c)
            .replace("{rows}", &self.rows)
            .replace("{n}", &self.n)
            .replace("{t}", &self.t)
            .replace("{s}", &self.s)
            .replace("{seed}", &self.seed)
            .replace("{zero}", &literal("0.0"))
            .replace("{one}", &literal("1.0"))
            .replace("{big}", &literal("0.9"));
        in_place(&fractions(&text))
    }
}

impl Gen<'_> {
    /// Steps between vectors, and what is left of them.
    pub(super) fn turns(&mut self, seed: &str, n: &str, items: &mut Vec<Item>) -> String {
        let names = Turns {
            u: self.filled("u", seed, n, items),
            w: self.filled("w", seed, n, items),
            c: self.filled("c", seed, n, items),
            rows: self.name("rows"),
            n: n.to_owned(),
            t: self.name("t"),
            s: self.name("s"),
            seed: seed.to_owned(),
        };
        items.push(line(format!(
            "let mut {}: ƒ = {};",
            names.s,
            literal("0.1")
        )));
        items.push(line(format!(
            "let mut {}: Vec<Vec<ƒ>> = vec![{}.clone()];",
            names.rows, names.c
        )));
        let mut body = Vec::new();
        for _ in 0..self.rng.within(1, 3) {
            self.turn(&names, &mut body);
        }
        if self.maybe(15, "turn-until") {
            let jump = self.rng.pick(&["break", "continue"]);
            let asked = line(format!(
                "if {}[0] > {} {{ {jump}; }}",
                names.u,
                literal("0.8")
            ));
            let at = self.rng.below(2) * body.len();
            body.insert(at, asked);
        }
        let steps = self.rng.pick(&["0", "1", "2", "3", "5"]).to_owned();
        let mark = if self.unmarked == 0 && self.maybe(8, "turn-checkpoint") {
            self.regions += 1;
            "§ "
        } else {
            ""
        };
        let looped = if mark.is_empty() && self.rng.percent(20) {
            body.insert(0, line(format!("{} += 1;", names.t)));
            items.push(line(format!("let mut {}: usize = 0;", names.t)));
            nest(format!("while {} < {steps}", names.t), body)
        } else {
            nest(format!("{mark}for {} in 0..{steps}", names.t), body)
        };
        if !mark.is_empty() {
            self.regions -= 1;
        }
        items.push(looped);
        let mut total = names.s.clone();
        for name in [&names.u, &names.w, &names.c] {
            if self.rng.percent(70) {
                total = format!("{total} + {}", self.summed(name, items));
            }
        }
        if self.rng.percent(60) {
            let (i, j) = (self.name("i"), self.name("j"));
            let (rows, s) = (&names.rows, &names.s);
            let inner = line(format!(
                "{s} += {rows}[{i}][{j}] * {rows}[{i}][0] * {};",
                literal("0.1")
            ));
            let inner = nest(format!("for {j} in 0..{rows}[{i}].len()"), vec![inner]);
            items.push(nest(format!("for {i} in 0..{rows}.len()"), vec![inner]));
        }
        total
    }

    /// The statements of one turn.
    fn turn(&mut self, names: &Turns, body: &mut Vec<Item>) {
        let kind = self.choose(&[
            (50, "turn-made"),
            (25, "turn-gone"),
            (25, "turn-beside"),
            (15, "turn-through"),
            (12, "turn-struct"),
        ]);
        let (v, d, i) = (self.name("v"), self.name("d"), self.name("i"));
        let mut put = |text: &str| {
            let text = text
                .replace("{v}", &v)
                .replace("{d}", &d)
                .replace("{i}", &i);
            body.push(line(names.named(&text)));
        };
        match kind {
            "turn-gone" => {
                put(self.rng.pick(GONE));
                if self.rng.percent(50) {
                    put("{s} += {v}[0] * {u}[{n} - 1] * {q};");
                }
            }
            "turn-beside" => put(self.rng.pick(BESIDE)),
            "turn-through" => {
                let text = self.rng.pick(THROUGH).replace("{moved}", &self.mover());
                put(&text);
            }
            "turn-struct" => {
                let text = self.rng.pick(HELD).replace("{both}", &self.both());
                put(&text);
            }
            _ => {
                put(self.rng.pick(MADE));
                put(self.rng.pick(COMMITTED));
            }
        }
    }

    /// A struct of two vectors.
    fn both(&mut self) -> String {
        let name = self.name("Both");
        self.late_items.push(line(format!(
            "‡\n#[derive(Clone, Debug)]\npub struct {name} {{ pub u: Vec<ƒ>, pub w: Vec<ƒ> }}"
        )));
        name
    }

    /// A function that takes a vector and yields one.
    fn mover(&mut self) -> String {
        let name = self.name("moved");
        let text = self.rng.pick(FUNCTIONS).replace("{one}", &literal("1.0"));
        let text = in_place(&fractions(&text));
        self.late_items.push(nest(
            format!("†\nfn {name}(u: Vec<ƒ>, s: ƒ) -> Vec<ƒ>"),
            vec![line(text)],
        ));
        name
    }
}
