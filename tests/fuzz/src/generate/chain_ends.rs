//! What ends iterator chains: values, loops and vectors.

use super::chains::{Chain, Shape};
use super::scope::Ty;
use super::{Gen, Value};
use crate::text::{Item, line, literal, nest, to_float};

impl Gen<'_> {
    /// A float that a chain ends in.
    pub(super) fn chain_value(&mut self, depth: usize) -> Option<Value> {
        let d = depth.min(1);
        let kind = self.choose(&[
            (24, "end-sum"),
            (8, "end-product"),
            (14, "end-fold"),
            (8, "end-extreme"),
            (10, "end-reduce"),
            (12, "end-min-max-by"),
            (10, "end-find"),
            (8, "end-find-map"),
            (8, "end-last"),
            // Refused in a region, since they are kept as written.
            (10 * usize::from(self.regions == 0), "end-passive"),
        ]);
        let other = self.purely(|g| g.receiver(0));
        let text = match kind {
            "end-product" => {
                let c = self.value_chain(d)?;
                format!("{}.product::<ƒ>()", c.text)
            }
            "end-fold" => self.folded(d, &other)?,
            "end-extreme" => {
                let c = self.value_chain(d)?;
                let (start, f, bound) = if self.rng.percent(50) {
                    ("NEG_INFINITY", "max", "-3.0")
                } else {
                    ("INFINITY", "min", "3.0")
                };
                let start = literal(&format!("f64::{start}"));
                let bound = literal(bound);
                format!("{}.fold({start}, ƒ::{f}).{f}({bound})", c.text)
            }
            "end-reduce" => {
                let c = self.value_chain(d)?;
                let (a, b) = (self.name("a"), self.name("b"));
                let body = self.closed(|g| {
                    g.scope.declare(&a, Ty::Float, false);
                    g.scope.declare(&b, Ty::Float, false);
                    match g.rng.below(3) {
                        0 => format!("{a}.max({b})"),
                        1 => format!("({a} + {b}).sin()"),
                        _ => {
                            let e = g.bounded(1).text;
                            format!("{a} * {} + {b} * {e}", literal("0.6"))
                        }
                    }
                });
                format!("{}.reduce(|{a}, {b}| {body}).unwrap_or({other})", c.text)
            }
            "end-min-max-by" => self.extreme_by(d, &other)?,
            "end-find" => {
                let c = self.float_chain(d)?;
                let (pattern, test) = self.tested(&c.item, true);
                let end = self.unwrapped(&c.item, &other);
                format!("{}.find(|{pattern}| {test}){end}", c.text)
            }
            "end-find-map" => {
                // Not of parts.
                let c = self.float_chain(d)?;
                let closure = self.optional(&c.item, d);
                format!("{}.find_map({closure}).unwrap_or({other})", c.text)
            }
            "end-last" => {
                let c = self.float_chain(d)?;
                let end = self.unwrapped(&c.item, &other);
                format!("{}.last(){end}", c.text)
            }
            "end-passive" => self.counted(d, &other)?,
            _ => {
                let c = self.float_chain(d)?;
                format!("{}.sum::<ƒ>()", c.text)
            }
        };
        Some(Value::typed(text))
    }

    /// A chain of floats, by value or by reference.
    fn float_chain(&mut self, depth: usize) -> Option<Chain> {
        let c = self.chain(depth)?;
        if c.item == Shape::Ref {
            return Some(c);
        }
        Some(match c.item {
            Shape::Value => c,
            _ => self.value_chain(depth)?,
        })
    }

    /// The number of an option of an item.
    fn unwrapped(&mut self, item: &Shape, other: &str) -> String {
        let x = self.name("v");
        match (item, self.rng.below(3)) {
            (Shape::Ref, 0) => format!(".map_or({other}, |{x}| {x} * {})", literal("1.5")),
            (Shape::Ref, _) => format!(".copied().unwrap_or({other})"),
            (_, 0) => format!(".map_or({other}, |{x}| {x}.sin())"),
            _ => format!(".unwrap_or({other})"),
        }
    }

    fn folded(&mut self, d: usize, start: &str) -> Option<String> {
        let c = self.chain(d)?;
        let acc = self.name("acc");
        let item = c.item.clone();
        let (pattern, body) = self.with_item(&item, false, |g| {
            let step = g.bounded(d).text;
            match g.rng.below(3) {
                0 => format!("{acc} + {step}"),
                1 => format!("{acc} * {} - {step}", literal("0.7")),
                _ => format!("({acc} + {step}).sin()"),
            }
        });
        Some(format!(
            "{}.fold({start}, |{acc}, {pattern}| {body})",
            c.text
        ))
    }

    fn extreme_by(&mut self, d: usize, other: &str) -> Option<String> {
        let c = self.float_chain(d)?;
        let name = self.rng.pick(&["min_by", "max_by"]).to_owned();
        let (a, b) = (self.name("a"), self.name("b"));
        let by = match self.rng.below(3) {
            0 => format!("{b}.total_cmp({a})"),
            1 => format!("{a}.abs().total_cmp(&{b}.abs())"),
            _ => format!("{a}.total_cmp({b})"),
        };
        // Behind a reference there is one more.
        let by = if c.item == Shape::Ref {
            by.replace(&format!("_cmp({a})"), &format!("_cmp(*{a})"))
                .replace(&format!("_cmp({b})"), &format!("_cmp(*{b})"))
        } else {
            by
        };
        let end = self.unwrapped(&c.item, other);
        Some(format!("{}.{name}(|{a}, {b}| {by}){end}", c.text))
    }

    /// Ends without a derivative, as a factor or a condition.
    fn counted(&mut self, d: usize, other: &str) -> Option<String> {
        let c = self.chain(d)?;
        let text = match self.rng.below(3) {
            0 => {
                let count = to_float(&format!("({}.count())", c.text));
                format!("({count} * {other})")
            }
            k => {
                let (pattern, test) = self.tested(&c.item, false);
                let name = if k == 1 { "any" } else { "all" };
                let (a, b) = (self.receiver(0), literal("0.3"));
                format!(
                    "(if {}.{name}(|{pattern}| {test}) {{ {a} }} else {{ {b} }})",
                    c.text
                )
            }
        };
        // Such a chain is kept as written, where nothing is known of a method of one's own.
        (!calls_own_method(&text)).then_some(text)
    }

    /// A statement with a chain.
    pub(super) fn chain_statement(&mut self) -> Option<Vec<Item>> {
        let looping = usize::from(self.depth < super::stmt::MAX_DEPTH && self.loops < 2);
        match self.choose(&[
            (30 * looping, "chain-for"),
            (25, "chain-collect"),
            (10, "chain-unzip"),
            (10, "chain-partition"),
            (30, "chain-let"),
        ]) {
            "chain-for" => self.chain_loop(),
            "chain-collect" => {
                let c = self.purely(|g| g.value_chain(1))?;
                let v = self.name("v");
                // Of a chain over constants, which is kept as written, the annotation shows the type.
                let end = self
                    .rng
                    .pick(&["collect()", "collect::<Vec<_>>()", "collect::<Vec<ƒ>>()"])
                    .to_owned();
                let text = format!("let mut {v}: Vec<ƒ> = {}.{end};", c.text);
                let mut items = vec![line(text)];
                items.push(self.made(&v));
                Some(items)
            }
            "chain-unzip" => {
                let c = self.purely(|g| g.chain(1))?;
                let item = c.item.clone();
                let (pattern, body) = self.purely(|g| {
                    g.with_item(&item, false, |g| {
                        format!("({}, {})", g.receiver(1), g.receiver(0))
                    })
                });
                let (v, w) = (self.name("v"), self.name("v"));
                let text = format!(
                    "let (mut {v}, mut {w}): (Vec<ƒ>, Vec<ƒ>) = {}.map(|{pattern}| {body}).unzip();",
                    c.text
                );
                Some(vec![line(text), self.made(&v), self.made(&w)])
            }
            "chain-partition" => {
                let c = self.purely(|g| g.value_chain(1))?;
                let (pattern, test) = self.purely(|g| g.tested(&c.item, true));
                let (v, w) = (self.name("v"), self.name("v"));
                let text = format!(
                    "let (mut {v}, mut {w}): (Vec<ƒ>, Vec<ƒ>) = {}.partition(|{pattern}| {test});",
                    c.text
                );
                Some(vec![line(text), self.made(&v), self.made(&w)])
            }
            _ => {
                let e = self.purely(|g| g.chain_value(1))?.text;
                let x = self.name("x");
                self.scope.declare(&x, Ty::Float, true);
                Some(vec![line(format!("let mut {x}: ƒ = {e};"))])
            }
        }
    }

    /// Vectors of the generated language are not empty, and not long.
    fn made(&mut self, v: &str) -> Item {
        let e = self.purely(|g| g.bounded(0)).text;
        self.scope.declare(v, Ty::Vector, true);
        line(format!(
            "if {v}.is_empty() {{ {v}.push({e}); }}\n{v}.truncate(6);"
        ))
    }

    fn chain_loop(&mut self) -> Option<Vec<Item>> {
        let c = self.purely(|g| g.chain(1))?;
        let mentioned = self.scope.mentioned(&c.text);
        for name in &mentioned {
            self.scope.lock(name, false);
        }
        let mut pattern = String::new();
        let item = c.item.clone();
        let (label, body) = self.loop_body(|g| pattern = g.item_pattern(&item));
        for name in &mentioned {
            self.scope.unlock(name, false);
        }
        Some(vec![nest(
            format!("{label}for {pattern} in {}", c.text),
            body,
        )])
    }
}

/// Whether a method of a type of the program is called behind a dot.
fn calls_own_method(text: &str) -> bool {
    [".method", ".at"].iter().any(|name| {
        text.match_indices(name).any(|(at, _)| {
            let rest = &text[at + name.len()..];
            rest.starts_with(|c: char| c.is_ascii_digit())
        })
    })
}
