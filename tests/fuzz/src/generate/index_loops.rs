//! Loops that overwrite elements which other iterations may have reached, at indices of all sorts.

use super::Gen;
use super::index_math::{COUNTERS, FORMS, Form, HEADS, Head, Numbers, ROWS, SIGNED_COUNTERS};
use crate::text::{Item, line, literal, nest};

/// Elements that the arrays of these loops have.
const LEN: u64 = 48;
/// Draws of an index until one stays within the array by itself.
const DRAWS: usize = 12;

/// A number of the program: how an index names it, and what it may be.
#[derive(Clone)]
struct Size {
    name: String,
    values: Vec<u64>,
}

/// The numbers around a loop.
struct Sizes {
    n: Size,
    m: Size,
    p: Size,
    b: Size,
}

/// The loops around an index.
struct Around<'a> {
    head: &'static Head,
    /// The counter of the loop inside, if there is one.
    inner: Option<&'a str>,
    counter: &'a str,
    sizes: &'a Sizes,
}

/// An index that has been chosen.
struct Index {
    text: String,
    family: &'static str,
}

impl Gen<'_> {
    /// A loop, with its arrays and its numbers, and a float of all that it has done.
    pub(super) fn index_loop(&mut self) -> Option<Vec<Item>> {
        let seed = self.name("x");
        let e = self.purely(|g| g.receiver(1));
        let mut items = vec![line(format!("let {seed}: ƒ = ({e}).sin();"))];
        let sizes = self.index_sizes(&mut items);
        let len = LEN.to_string();
        let a = if self.maybe(30, "index-array") {
            self.filled_array(&seed, &mut items)
        } else {
            self.filled("a", &seed, &len, &mut items)
        };
        let x = self.filled("b", &seed, &len, &mut items);
        let s = self.name("s");
        items.push(line(format!("let mut {s}: ƒ = {};", literal("0.1"))));
        let head = self.index_head();
        let (i, j) = (self.name("i"), self.name("j"));
        let inner = !head.signed && self.maybe(35, "index-nest");
        let around = Around {
            head,
            inner: inner.then_some(j.as_str()),
            counter: &i,
            sizes: &sizes,
        };
        let mut body = self.index_body(&around, &a, &x, &s, &seed);
        if inner {
            let text = self.rng.pick(&["0..{m}", "0..{m}", "(0..{m}).rev()"]);
            let range = text.replace("{m}", &sizes.m.name);
            body = vec![nest(format!("for {j} in {range}"), body)];
        }
        let fill = |text: &str| text.replace("{i}", &i).replace("{n}", &sizes.n.name);
        if !head.last.is_empty() {
            body.push(line(fill(head.last)));
        }
        if !head.before.is_empty() {
            items.push(line(fill(head.before)));
        }
        items.push(nest(fill(head.text), body));
        let total = self.summed(&a, &mut items);
        self.float_of(&format!("{total} + {s} * {x}[1]"), &mut items);
        Some(items)
    }

    /// Declares a float for the rest of the program.
    pub(super) fn float_of(&mut self, sum: &str, items: &mut Vec<Item>) {
        let x = self.name("x");
        items.push(line(format!("let mut {x}: ƒ = ({sum}).sin();")));
        self.scope.declare(&x, super::scope::Ty::Float, true);
    }

    fn filled_array(&mut self, seed: &str, items: &mut Vec<Item>) -> String {
        let (a, i) = (self.name("a"), self.name("i"));
        let scale = literal("0.7");
        items.push(line(format!(
            "let mut {a}: [ƒ; {LEN}] = [{seed} * {scale}; {LEN}];"
        )));
        let term = crate::text::to_float(&i);
        let body = vec![line(format!(
            "{a}[{i}] = ({a}[{i}] + {term} * {}).sin();",
            literal("0.61")
        ))];
        items.push(nest(format!("for {i} in 0..{LEN}"), body));
        a
    }

    fn index_head(&mut self) -> &'static Head {
        let open: Vec<&'static Head> = HEADS
            .iter()
            .filter(|h| !self.disabled.contains(h.construct))
            .collect();
        let head = open
            .get(self.rng.below(open.len().max(1)))
            .copied()
            .unwrap_or(&HEADS[0]);
        *self.used.entry(head.construct).or_default() += 1;
        head
    }

    /// The numbers of a loop: literals, names of literals, or what only a run can tell.
    fn index_sizes(&mut self, items: &mut Vec<Item>) -> Sizes {
        let (least, few) = (self.rng.within(2, 7) as u64, self.rng.within(1, 4) as u64);
        let trips = |base: &str, from: u64, g: &mut Self, items: &mut Vec<Item>| {
            let name = g.name(base);
            if g.rng.percent(25) {
                items.push(line(format!("let {name}: usize = {from};")));
                return Size {
                    name,
                    values: vec![from],
                };
            }
            let e = g.size(0);
            items.push(line(format!("let {name}: usize = {from} + ({e}) % 3;")));
            Size {
                name,
                values: (from..from + 3).collect(),
            }
        };
        let n = trips("n", least, self, items);
        let m = trips("m", few, self, items);
        let p = self.index_number("p", items);
        let b = match p.values[..] {
            [one] if self.rng.percent(45) => self.less_than(one, items),
            _ => self.index_number("k", items),
        };
        Sizes { n, m, p, b }
    }

    /// A number a little less than another one, extreme or not, that the text does not derive from it.
    fn less_than(&mut self, other: u64, items: &mut Vec<Item>) -> Size {
        let value = other.wrapping_sub(self.rng.below(8) as u64);
        let text = if value > u64::MAX - 40 {
            format!("usize::MAX - {}", u64::MAX - value)
        } else {
            format!("{value}_usize")
        };
        let name = self.name("k");
        items.push(line(format!("let {name}: usize = {text};")));
        Size {
            name,
            values: vec![value],
        }
    }

    /// A number that may be extreme.
    fn index_number(&mut self, base: &str, items: &mut Vec<Item>) -> Size {
        let (first, one) = self.extreme();
        if self.rng.percent(25) {
            return Size {
                name: format!("({first})"),
                values: vec![one],
            };
        }
        let name = self.name(base);
        if self.rng.percent(35) {
            items.push(line(format!("let {name}: usize = {first};")));
            return Size {
                name,
                values: vec![one],
            };
        }
        let (second, other) = self.extreme();
        let e = self.size(0);
        items.push(line(format!(
            "let {name}: usize = if ({e}) % 2 == 0 {{ {first} }} else {{ {second} }};"
        )));
        Size {
            name,
            values: vec![one, other],
        }
    }

    /// A literal with its value: small most of the time.
    fn extreme(&mut self) -> (String, u64) {
        if self.rng.percent(60) {
            let small = [0, 1, 1, 2, 3, 4, 5, 7, 9, 12][self.rng.below(10)];
            return (format!("{small}_usize"), small);
        }
        let c = self.rng.below(12) as u64;
        match self.rng.below(6) {
            0 | 1 => (format!("usize::MAX - {c}"), u64::MAX - c),
            2 => ("18446744073709551615usize".into(), u64::MAX),
            3 => ("1_usize << 63".into(), 1 << 63),
            4 => (format!("(1_usize << 63) + {c}"), (1 << 63) + c),
            _ => ("1_usize << 62".into(), 1 << 62),
        }
    }

    /// An index within the array. Most have nothing around them that keeps them there.
    fn index_of(&mut self, around: &Around<'_>) -> Index {
        let mut last = None;
        for _ in 0..DRAWS {
            let (text, family, most) = self.drawn(around);
            if most < LEN && !self.rng.percent(15) {
                return Index { text, family };
            }
            last = Some((text, family));
        }
        let (text, family) = last.expect("drawn");
        let text = match self.rng.below(4) {
            0 => format!("({text}) % {}", self.rng.within(5, LEN as usize)),
            1 => format!("({text}) & {}", self.rng.pick(&["7", "15", "31"])),
            2 => format!("({text}).min({})", LEN - 1),
            _ => format!("({text}) % {LEN}"),
        };
        Index { text, family }
    }

    /// Any index: its text, its family, and the largest that it is for any numbers of the program.
    fn drawn(&mut self, around: &Around<'_>) -> (String, &'static str, u64) {
        let operands = match (around.inner, around.head.signed) {
            (Some(_), _) => ROWS,
            (None, true) => SIGNED_COUNTERS,
            (None, false) => COUNTERS,
        };
        let families: Vec<(usize, &'static str)> = [
            (12, "index-plain"),
            (5, "index-bits"),
            (10, "index-wrapping"),
            (10, "index-saturating"),
            (6, "index-checked"),
            (7, "index-narrow"),
            (8, "index-signed"),
        ]
        .into_iter()
        .filter(|(_, name)| !self.disabled.contains(*name))
        .collect();
        let total: usize = families.iter().map(|(w, _)| w).sum();
        let mut at = self.rng.below(total.max(1));
        let family = families
            .iter()
            .find(|(w, _)| {
                let found = at < *w;
                at = at.saturating_sub(*w);
                found
            })
            .map_or("index-plain", |(_, name)| name);
        let operand = &operands[self.rng.below(operands.len())];
        // Rows are left as they are half of the time.
        let forms: Vec<&Form> = FORMS.iter().filter(|f| f.family == family).collect();
        let form = if around.inner.is_some() && self.rng.percent(50) {
            &FORMS[0]
        } else {
            forms[self.rng.below(forms.len())]
        };
        let c = self.rng.below(6) as u64;
        let d = c + self.rng.below(7) as u64;
        let most = largest(around, operand, form, c, d);
        let text = around.named(&form.text.replace("{a}", operand.text), c, d);
        (text, form.family, most)
    }

    /// What is done to the elements.
    fn index_body(
        &mut self,
        around: &Around<'_>,
        a: &str,
        x: &str,
        s: &str,
        seed: &str,
    ) -> Vec<Item> {
        let index = self.index_of(around);
        *self.used.entry(index.family).or_default() += 1;
        let (k, t) = (self.name("k"), self.name("t"));
        let o = around.other(self.rng.below(3));
        let w = literal(self.rng.pick(&["0.5", "0.4", "-0.3", "1.1"]));
        let named = line(format!("let {k} = {};", index.text));
        let inline = index.text;
        let (half, tenth) = (literal("0.5"), literal("0.1"));
        let body = match self.choose(&[
            (30, "index-update"),
            (12, "index-inline"),
            (12, "index-square"),
            (10, "index-scatter"),
            (10, "index-gather"),
            (14, "index-stored"),
            (10, "index-two"),
            (6, "index-exchange"),
            (6, "index-scaled"),
        ]) {
            "index-inline" => vec![line(format!(
                "{a}[{inline}] = {a}[{inline}] * {w} + {x}[{o}];"
            ))],
            "index-square" => vec![
                named,
                line(format!("let {t}: ƒ = {a}[{k}];")),
                line(format!(
                    "{a}[{k}] = {t} * {t} * {} + {x}[{o}] * {half};",
                    literal("0.2")
                )),
            ],
            "index-scatter" => vec![named, line(format!("{a}[{k}] += {x}[{o}] * {x}[{o}];"))],
            "index-gather" => vec![
                named,
                line(format!("let {t}: ƒ = {a}[{k}];")),
                line(format!("{s} += {t} * {t} * {tenth};")),
                line(format!("{a}[{o}] = {t} * {w} + {x}[{o}];")),
            ],
            "index-stored" => vec![
                named,
                line(format!("let {t}: ƒ = ({x}[{o}] * {seed}).sin();")),
                line(format!("{a}[{k}] = {t};")),
                line(format!("{s} += {t} * {t} * {a}[{o}];")),
            ],
            "index-two" => {
                let (l, also) = (self.name("k"), self.index_of(around));
                *self.used.entry(also.family).or_default() += 1;
                vec![
                    named,
                    line(format!("let {l} = {};", also.text)),
                    line(format!("{a}[{k}] = {a}[{l}] * {w} + {x}[{o}] * {half};")),
                ]
            }
            "index-exchange" => vec![
                named,
                line(format!("let {t}: ƒ = {a}[{k}];")),
                line(format!("{a}[{k}] = {a}[{o}] * {half};")),
                line(format!("{a}[{o}] = {t} * {w} + {x}[{o}];")),
            ],
            "index-scaled" => vec![named, line(format!("{a}[{k}] *= {x}[{o}];"))],
            _ => vec![
                named,
                line(format!("let {t}: ƒ = {a}[{k}];")),
                line(format!("{a}[{k}] = {t} * {w} + {x}[{o}];")),
            ],
        };
        if !self.maybe(18, "index-conditional") {
            return body;
        }
        let condition = match self.rng.below(3) {
            0 => format!("({o}) % 3 != 1"),
            1 => format!("{x}[{o}] > {tenth}"),
            _ => format!("{a}[{o}] < {half}"),
        };
        vec![nest(format!("if {condition}"), body)]
    }
}

impl Around<'_> {
    fn named(&self, text: &str, c: u64, d: u64) -> String {
        text.replace("{i}", self.counter)
            .replace("{j}", self.inner.unwrap_or("0"))
            .replace("{n}", &self.sizes.n.name)
            .replace("{m}", &self.sizes.m.name)
            .replace("{p}", &self.sizes.p.name)
            .replace("{b}", &self.sizes.b.name)
            .replace("{c}", &c.to_string())
            .replace("{d}", &d.to_string())
    }

    /// A small index of the iteration's own.
    fn other(&self, draw: usize) -> String {
        let text = match (self.head.signed, self.inner, draw) {
            (true, ..) => "{i}.unsigned_abs() as usize",
            (false, Some(_), 0) => "{i} + {j}",
            (false, Some(_), 1) => "{j}",
            (false, None, 0) => "{i} + {m}",
            (false, ..) => "{i}",
        };
        self.named(text, 0, 0)
    }
}

/// The largest index in any iteration, for any numbers of the program.
fn largest(around: &Around<'_>, operand: &Form, form: &Form, c: u64, d: u64) -> u64 {
    let sizes = around.sizes;
    let mut most = 0;
    for &n in &sizes.n.values {
        for &m in &sizes.m.values {
            let inner = if around.inner.is_some() {
                (0..m).collect()
            } else {
                vec![0]
            };
            for i in (around.head.values)(n) {
                for &j in &inner {
                    for &p in &sizes.p.values {
                        for &b in &sizes.b.values {
                            let at = Numbers {
                                i,
                                j,
                                n,
                                m,
                                p,
                                b,
                                c,
                                d,
                            };
                            most = most.max((form.value)((operand.value)(0, &at), &at));
                        }
                    }
                }
            }
        }
    }
    most
}
