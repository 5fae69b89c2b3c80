//! Loops as people write them: searches in all spellings, triangles, recurrences of what carries no derivative, calls
//! of small functions for each iteration.

use super::scope::Ty;
use super::{Gen, Value};
use crate::text::{Item, line, literal, nest, to_float};

impl Gen<'_> {
    /// The largest or smallest of something, and what is carried along.
    #[expect(clippy::too_many_lines, reason = "one arm per spelling")]
    pub(super) fn searched(&mut self, seed: &str, n: &str, items: &mut Vec<Item>) -> String {
        let a = self.filled("a", seed, n, items);
        let b = self.filled("b", seed, n, items);
        let (m, at, k, i) = (
            self.name("m"),
            self.name("at"),
            self.name("k"),
            self.name("i"),
        );
        let (s, r, d) = (self.name("s"), self.name("r"), self.name("d"));
        // One search, or one for each row of a triangle or a square.
        let rows = self.maybe(45, "search-rows");
        let measured = self.rng.percent(45);
        let value = if !measured {
            format!("{a}[{i}]")
        } else if rows {
            format!("({a}[{i}] - {b}[{r}]) * ({a}[{i}] - {b}[{r}])")
        } else {
            format!("({a}[{i}] - {seed}) * ({a}[{i}] - {seed})")
        };
        let up = self.rng.percent(50);
        let (name, op, strict) = if up {
            ("max", ">", ">=")
        } else {
            ("min", "<", "<=")
        };
        let start = literal(if up {
            "f64::NEG_INFINITY"
        } else {
            "f64::INFINITY"
        });
        let op = if self.rng.percent(30) { strict } else { op };
        let range = match (rows, self.rng.below(5)) {
            (true, 0) => format!("0..={r}"),
            (true, 1) => format!("{r}..{n}"),
            (true, 2) => format!("{r} + 1..{n}"),
            (_, 3) => format!("1..{n}"),
            _ => format!("0..{n}"),
        };
        let mut body = vec![line(format!("let mut {m}: ƒ = {start};"))];
        let kind = self.choose(&[
            (16, "search-method"),
            (16, "search-if"),
            (10, "search-select"),
            (14, "search-carried"),
            (10, "search-index"),
            (10, "search-fold"),
            (10, "search-min-max-by"),
            (8 * usize::from(self.regions == 0), "search-position"),
        ]);
        let carries = literal("0.5");
        // What is found goes into the sum, where anything was.
        let mut found = format!("if {m}.is_finite() {{ {s} = {s} * {carries} + {m}; }}");
        match kind {
            "search-method" => {
                let step = match self.rng.below(3) {
                    0 => format!("{m} = ƒ::{name}({m}, {value});"),
                    1 => format!("let {d}: ƒ = {value};\n{m} = {d}.{name}({m});"),
                    _ => format!("{m} = {m}.{name}({value});"),
                };
                body.push(nest(format!("for {i} in {range}"), vec![line(step)]));
            }
            "search-select" => {
                let step = format!(
                    "let {d}: ƒ = {value};\n{m} = if {d} {op} {m} {{ {d} }} else {{ {m} }};"
                );
                body.push(nest(format!("for {i} in {range}"), vec![line(step)]));
            }
            "search-carried" => {
                body.push(line(format!("let mut {k}: ƒ = {};", literal("0.25"))));
                body.push(line(format!("let mut {at}: usize = 0;")));
                let step = format!(
                    "let {d}: ƒ = {value};\nif {d} {op} {m} {{ {m} = {d}; {at} = {i}; {k} = {b}[{i}] * {carries}; }}"
                );
                body.push(nest(format!("for {i} in {range}"), vec![line(step)]));
                found.push_str(&format!(
                    "\n{s} += {k} * {a}[{at}] + {} * {carries};",
                    to_float(&format!("({at} % 7)"))
                ));
            }
            "search-index" => {
                body.push(line(format!("let mut {at}: usize = 0;")));
                let step = format!("if {a}[{i}] {op} {a}[{at}] {{ {at} = {i}; }}");
                body.push(nest(format!("for {i} in {range}"), vec![line(step)]));
                found = format!("{s} = {s} * {carries} + {a}[{at}] * {b}[{at}];");
            }
            "search-fold" => {
                let v = self.name("v");
                let of = format!("{a}[{}]", range.replace("..=", "..1 + "));
                let text = match self.rng.below(3) {
                    0 => format!("{m} = {of}.iter().copied().fold({m}, ƒ::{name});"),
                    1 => format!("{m} = {of}.iter().fold({m}, |{k}, {v}| {k}.{name}(*{v}));"),
                    _ => format!(
                        "{m} = {of}.iter().map(|{v}| {v} * {v}).fold({m}, |{k}, {v}| ƒ::{name}({k}, {v}));"
                    ),
                };
                body.push(line(text));
            }
            "search-min-max-by" => {
                let (x, y, j) = (self.name("x"), self.name("y"), self.name("j"));
                let by = if measured {
                    format!("{x}.abs().total_cmp(&{y}.abs())")
                } else {
                    format!("{x}.total_cmp({y})")
                };
                let of = format!("{a}[{}]", range.replace("..=", "..1 + "));
                let text = match self.rng.below(3) {
                    0 => format!(
                        "if let Some(({j}, {d})) = {of}.iter().copied().enumerate()\
                         .{name}_by(|(_, {x}), (_, {y})| {by}) {{ {m} = {d} * {b}[{j}]; }}"
                    ),
                    1 => format!(
                        "if let Some(&{d}) = {of}.iter().{name}_by(|{x}, {y}| {by}) {{ {m} = {d}; }}"
                    ),
                    _ => format!(
                        "{m} = {of}.iter().copied().{name}_by(|{x}, {y}| {by}).unwrap_or({m});"
                    ),
                };
                body.push(line(text));
            }
            "search-position" => {
                let v = self.name("v");
                body.push(line(format!(
                    "let {at} = {a}.iter().position(|{v}| *{v} {op} {seed}).unwrap_or({n} / 2);"
                )));
                found = format!("{s} = {s} * {carries} + {a}[{at}] * {b}[{at}];");
            }
            _ => {
                let step = match self.rng.below(3) {
                    0 => format!("let {d}: ƒ = {value};\nif {d} {op} {m} {{ {m} = {d}; }}"),
                    1 => format!("if !({m} {op} {value}) {{ {m} = {value}; }}"),
                    _ => format!("if {value} {op} {m} {{ {m} = {value}; }}"),
                };
                body.push(nest(format!("for {i} in {range}"), vec![line(step)]));
            }
        }
        body.push(line(found));
        items.push(line(format!("let mut {s}: ƒ = {};", literal("0.1"))));
        if rows {
            items.push(nest(format!("for {r} in 0..{n}"), body));
        } else {
            items.push(nest("", body));
        }
        s
    }

    /// A nest whose inner range depends on the outer counter, over a packed or a full matrix.
    pub(super) fn triangle(&mut self, seed: &str, n: &str, items: &mut Vec<Item>) -> String {
        let packed = self.rng.percent(50);
        let m = self.name("n");
        items.push(line(format!("let {m}: usize = {n} % 27 + 2;")));
        let a = self.filled("a", seed, &format!("({m} * {m})"), items);
        let (x, y) = (
            self.filled("b", seed, &m, items),
            self.filled("c", seed, &m, items),
        );
        let (i, j, s) = (self.name("i"), self.name("j"), self.name("s"));
        let lower = packed || self.rng.percent(50);
        let range = match (lower, self.rng.below(3)) {
            (true, 0) => format!("0..={i}"),
            (true, 1) => format!("(0..{i}).rev()"),
            (true, _) => format!("0..{i}"),
            (_, 0) => format!("{i}..{m}"),
            (_, 1) => format!("({i} + 1..{m}).rev()"),
            _ => format!("{i} + 1..{m}"),
        };
        let element = if packed {
            format!("{a}[{i} * ({i} + 1) / 2 + {j}]")
        } else {
            format!("{a}[{i} * {m} + {j}]")
        };
        let half = literal("0.5");
        let inner = match self.rng.below(6) {
            0 => format!("{s} += {element} * {x}[{j}];"),
            1 => format!("{s} += {element} * {x}[{i}] * {x}[{j}];"),
            2 => format!("{y}[{j}] += {element} * {x}[{i}];"),
            3 => format!(
                "{y}[{i}] = {y}[{i}] + {element} * {x}[{j}];\n{y}[{j}] = {y}[{j}] - {element} * {half};"
            ),
            4 => format!("{element} = {element} * {half} + {x}[{j}] * {x}[{i}];"),
            _ => format!("{s} += ({x}[{i}] - {x}[{j}]).abs() * {element};"),
        };
        // As in a solve by substitution, or a factorisation.
        let last = match self.rng.below(4) {
            0 => format!("{x}[{i}] = ({x}[{i}] - {s} * {}).sin();", literal("0.1")),
            1 => format!(
                "{y}[{i}] = {y}[{i}] * {half} + {s} / ({x}[{i}] * {x}[{i}] + {});",
                literal("1.5")
            ),
            2 => format!("{s} = {s} * {half};"),
            _ => format!("{y}[{i}] += {s} * {half};"),
        };
        let start = if self.rng.percent(50) {
            format!("{s} = {x}[{i}];")
        } else {
            String::new()
        };
        items.push(line(format!("let mut {s}: ƒ = {};", literal("0.1"))));
        let outer = if self.rng.percent(25) {
            format!("(0..{m}).rev()")
        } else {
            format!("0..{m}")
        };
        let mut body = vec![
            nest(format!("for {j} in {range}"), vec![line(inner)]),
            line(last),
        ];
        if !start.is_empty() {
            body.insert(0, line(start));
        }
        items.push(nest(format!("for {i} in {outer}"), body));
        let (p, q) = (self.summed(&y, items), self.summed(&x, items));
        let last = self.summed(&a, items);
        format!("{s} * {half} + {p} - {q} * {last}")
    }

    /// A loop that carries numbers without a derivative: powers, signs, generators, tables of indices.
    pub(super) fn recurrence(&mut self, seed: &str, n: &str, items: &mut Vec<Item>) -> String {
        let a = self.filled("a", seed, n, items);
        let (s, i, p) = (self.name("s"), self.name("i"), self.name("p"));
        items.push(line(format!("let mut {s}: ƒ = {};", literal("0.1"))));
        let half = literal("0.5");
        let mut body = Vec::new();
        let mut after = Vec::new();
        let factor = match self.choose(&[
            (12, "passive-power"),
            (12, "passive-sign"),
            (12, "passive-generator"),
            (10, "passive-table"),
            (10, "passive-exchange"),
            (8, "passive-condition"),
        ]) {
            "passive-sign" => {
                items.push(line(format!("let mut {p}: f64 = 1.0;")));
                after.push(line(format!("{p} = -{p};")));
                format!("⟨│num(⟩{p}⟨│)⟩")
            }
            "passive-generator" => {
                items.push(line(format!(
                    "let mut {p}: u64 = {};",
                    self.rng.within(1, 900)
                )));
                let step = format!(
                    "{p} = {p}.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);"
                );
                if self.rng.percent(50) {
                    &mut body
                } else {
                    &mut after
                }
                .push(line(step));
                format!("{a}[({p} >> 33) as usize % {n}]")
            }
            "passive-table" => {
                items.push(line(format!("let mut {p} = vec![0_usize; {n}];")));
                let k = self.name("k");
                items.push(nest(
                    format!("for {k} in 1..{n}"),
                    vec![line(format!("{p}[{k}] = ({p}[{k} - 1] * 5 + 3) % {n};"))],
                ));
                if self.rng.percent(40) {
                    after.push(line(format!("{p}[{i}] = ({p}[{i}] + 1) % {n};")));
                }
                format!("{a}[{p}[{i}]]")
            }
            "passive-exchange" => {
                let q = self.name("q");
                items.push(line(format!(
                    "let (mut {p}, mut {q}) = (0_usize, {n} / 2);"
                )));
                after.push(line(format!(
                    "{p} = ({p} + {q} + 1) % {n};\nstd::mem::swap(&mut {p}, &mut {q});"
                )));
                format!("{a}[{p}] * {a}[{q}]")
            }
            "passive-condition" => {
                items.push(line(format!("let mut {p} = 0_usize;")));
                after.push(line(format!(
                    "if {a}[{i}] > {half} {{ {p} += 1; }}\nif {p} >= {n} {{ break; }}"
                )));
                format!("{a}[{p}]")
            }
            _ => {
                items.push(line(format!("let mut {p}: f64 = 1.0;")));
                after.push(line(format!("{p} *= 0.9;")));
                format!("⟨│num(⟩{p}⟨│)⟩")
            }
        };
        body.push(line(match self.rng.below(4) {
            0 => format!("{s} += {factor} * {a}[{i}];"),
            1 => format!("{s} = {s} * {half} + {factor} * {a}[{i}];"),
            2 => format!("{a}[{i}] = {a}[{i}] * {half} + {factor};"),
            _ => format!("{s} += {factor} * {a}[{i}] * {a}[{i}];\n{a}[{i}] = {a}[{i}] * {half};"),
        }));
        body.extend(after);
        let range = if self.rng.percent(25) {
            format!("(0..{n}).rev()")
        } else {
            format!("0..{n}")
        };
        items.push(nest(format!("for {i} in {range}"), body));
        let last = self.summed(&a, items);
        format!("{s} + {last}")
    }

    /// A small function that is called for each iteration.
    pub(super) fn called(&mut self, seed: &str, n: &str, items: &mut Vec<Item>) -> String {
        let a = self.filled("a", seed, n, items);
        let b = self.filled("b", seed, n, items);
        let (s, i) = (self.name("s"), self.name("i"));
        items.push(line(format!("let mut {s}: ƒ = {};", literal("0.1"))));
        let open: Vec<super::Callee> = self
            .callees
            .iter()
            .filter(|c| c.cheap && matches!(c.ret, Ty::Float | Ty::Tuple(_)))
            .filter(|c| {
                c.params
                    .iter()
                    .all(|p| matches!(p, Ty::Float | Ty::Size | Ty::Slice | Ty::RefMut))
            })
            .filter(|c| c.params.contains(&Ty::Float))
            .cloned()
            .collect();
        let half = literal("0.5");
        let value = match open.get(self.rng.below(open.len().max(1))) {
            None => Value::typed(format!("({a}[{i}] * {b}[{i}]).sin()")),
            Some(callee) => {
                let mut written = 0;
                let args: Vec<String> = callee
                    .params
                    .iter()
                    .map(|p| match p {
                        Ty::Size => format!("{i} % 3"),
                        Ty::Slice => format!("&{b}[{i}..]"),
                        Ty::RefMut if written == 0 => {
                            written += 1;
                            format!("&mut {a}[{i}]")
                        }
                        Ty::RefMut => format!("&mut {}", literal("0.5_f64")),
                        _ => match self.rng.below(4) {
                            0 => format!("{b}[{i}]"),
                            1 => format!("{b}[({i} + 1) % {n}]"),
                            2 => format!("{seed} * {half}"),
                            _ => format!("{s}.sin()"),
                        },
                    })
                    .collect();
                let call = format!("{}({})", callee.path, args.join(", "));
                Value::typed(match callee.ret {
                    Ty::Tuple(n) => format!("{call}.{}", self.rng.below(n)),
                    _ => call,
                })
            }
        };
        let x = self.name("x");
        let body = vec![
            line(format!("let {x}: ƒ = {};", value.text)),
            line(match self.rng.below(3) {
                0 => format!("{s} = {s} * {half} + {x}.sin();"),
                1 => format!("{b}[{i}] = {x}.sin();"),
                _ => format!("{s} += {x}.cos() * {a}[{i}];"),
            }),
        ];
        items.push(nest(format!("for {i} in 0..{n}"), body));
        let last = self.summed(&b, items);
        format!("{s} + {last}")
    }
}
