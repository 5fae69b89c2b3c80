//! Float, integer and boolean expressions.

use super::scope::Ty;
use super::{Gen, Target, Value};
use crate::text::{literal, to_float, to_int};

impl Gen<'_> {
    /// A float expression. `depth` bounds its nesting.
    #[expect(clippy::too_many_lines, reason = "one arm per form of expression")]
    pub(super) fn float(&mut self, depth: usize) -> Value {
        if depth == 0 {
            return self.leaf();
        }
        let d = depth - 1;
        let effects = usize::from(self.pure == 0);
        let calls = usize::from(!self.callees.is_empty() || self.recursion.is_some());
        let kind = self.choose(&[
            (22, "leaf"),
            (34, "arithmetic"),
            (8, "quotient"),
            (6, "negation"),
            (30, "math"),
            (7, "if-value"),
            (4, "match-value"),
            (4, "block-value"),
            (3 * effects, "effect-value"),
            (9 * calls, "call"),
            (24 * usize::from(!self.callables.is_empty()), "closure-call"),
            (9 * usize::from(!self.takers.is_empty()), "taker-call"),
            (4, "iterator-sum"),
            (4, "iterator-fold"),
            (4 * usize::from(self.chains == 0), "chain-value"),
            (2, "no_gradient"),
            (2 * effects, "labelled-value"),
            (2 * effects, "loop-value"),
            (2 * effects, "replace-value"),
            (2, "option-value"),
            (5, "option-method"),
            (usize::from(self.unmarked == 0), "checkpoint-value"),
        ]);
        match kind {
            "arithmetic" => self.arithmetic(d),
            "quotient" => {
                let a = self.float(d).text;
                let b = self.receiver(d);
                let b = self.grouped(&b);
                let below = match self.rng.below(3) {
                    0 => format!("({} + {b}.cos())", literal("1.7")),
                    1 => format!("({b}.abs() + {})", literal("0.8")),
                    _ => format!("({} - {b}.sin())", literal("-1.9")),
                };
                Value::typed(format!("({a} / {below})"))
            }
            "negation" => {
                let v = self.float(d);
                Value {
                    text: format!("(-{})", self.grouped(&v.text)),
                    typed: v.typed,
                }
            }
            "math" => self.math(d),
            "if-value" => {
                let c = self.condition(1);
                let (a, b) = (self.float(d), self.float(d));
                let typed = a.typed || b.typed;
                if self.rng.percent(25) {
                    let c2 = self.condition(0);
                    let e = self.float(d).text;
                    return Value {
                        text: format!(
                            "(if {c} {{ {} }} else if {c2} {{ {e} }} else {{ {} }})",
                            a.text, b.text
                        ),
                        typed,
                    };
                }
                Value {
                    text: format!("(if {c} {{ {} }} else {{ {} }})", a.text, b.text),
                    typed,
                }
            }
            "match-value" => self.match_value(d),
            "block-value" => self.block_value(d),
            "effect-value" => self.effect_value(d),
            "call" => self.call_value(d).unwrap_or_else(|| self.leaf()),
            "closure-call" => self.closure_call(d).unwrap_or_else(|| self.leaf()),
            "taker-call" => self.taker_call(d).unwrap_or_else(|| self.leaf()),
            "iterator-sum" => self.iterator_sum(d).unwrap_or_else(|| self.leaf()),
            "iterator-fold" => self.iterator_fold(d).unwrap_or_else(|| self.leaf()),
            "chain-value" => self
                .in_chain(|g| g.chain_value(d))
                .unwrap_or_else(|| self.leaf()),
            "no_gradient" => {
                let t = self.purely(|g| g.receiver(0));
                Value::typed(format!("no_gradient({t})"))
            }
            "labelled-value" => self.labelled_value(d),
            "loop-value" => self.loop_value(d),
            "replace-value" => self.replace_value(d).unwrap_or_else(|| self.leaf()),
            "option-method" => self.option_method(d).unwrap_or_else(|| self.leaf()),
            "option-value" => {
                let vars = self.scope.readable(|v| v.ty == Ty::Maybe);
                if vars.is_empty() {
                    return self.leaf();
                }
                let o = vars[self.rng.below(vars.len())].name.clone();
                let name = self.name("v");
                let (some, none) = self.scoped(|g| {
                    g.scope.declare(&name, Ty::Float, false);
                    (g.receiver(d), g.float(0).text)
                });
                // The other branch must not see the binding.
                let none = if none.contains(&name) {
                    literal("0.3")
                } else {
                    none
                };
                Value::typed(format!(
                    "(if let Some({name}) = {o} {{ {some} }} else {{ {none} }})"
                ))
            }
            "checkpoint-value" => {
                self.sealed += 1;
                self.regions += 1;
                let v = self.purely(|g| g.block_value(d));
                self.regions -= 1;
                self.sealed -= 1;
                let name = self.name("k");
                Value::typed(format!("{{ let {name}: ƒ = § {}; {name} }}", v.text))
            }
            _ => self.leaf(),
        }
    }

    fn arithmetic(&mut self, d: usize) -> Value {
        let op = self.rng.pick(&["+", "-", "*", "+", "*"]).to_string();
        let (a, b) = (self.float(d), self.float(d));
        let typed = a.typed || b.typed;
        if self.rng.percent(20) {
            // A chain without parentheses.
            let c = self.float(0);
            let op2 = self.rng.pick(&["+", "-", "*"]).to_string();
            return Value {
                text: format!("({} {op} {} {op2} {})", a.text, b.text, c.text),
                typed: typed || c.typed,
            };
        }
        Value {
            text: format!("({} {op} {})", a.text, b.text),
            typed,
        }
    }

    fn leaf(&mut self) -> Value {
        match self.choose(&[
            (70, "place"),
            (16, "literal"),
            (8, "int-cast"),
            (4, "constant"),
        ]) {
            "literal" => self.literal(),
            "int-cast" => {
                let i = if self.rng.percent(70) {
                    self.size(1)
                } else {
                    self.int(1)
                };
                let i = self.grouped(&i);
                let scale = self.rng.pick(&["0.25", "0.1", "0.5"]).to_string();
                Value::typed(format!("({} * {})", to_float(&i), literal(&scale)))
            }
            "constant" => Value::typed(match self.rng.below(3) {
                0 => "⟨SCALE│num(SCALE)⟩".to_string(),
                1 => {
                    let i = self.index("4");
                    format!("⟨│num(⟩TABLE[{i}]⟨│)⟩")
                }
                _ => "⟨std::f64::consts::FRAC_PI_3│num(std::f64::consts::FRAC_PI_3)⟩".to_string(),
            }),
            _ => match self.float_place() {
                Some(text) => Value::typed(text),
                None => self.literal(),
            },
        }
    }

    fn literal(&mut self) -> Value {
        let digits = self
            .rng
            .pick(&[
                "0.5", "1.5", "2.0", "0.25", "1e-1", "0.75", "1.0", "0.0", "3.", "0.125",
            ])
            .to_string();
        if !digits.ends_with('.') && self.rng.percent(25) {
            return Value::typed(literal(&format!("{digits}_f64")));
        }
        Value {
            text: literal(&digits),
            typed: false,
        }
    }

    fn block_value(&mut self, d: usize) -> Value {
        let (x, y) = (self.name("b"), self.name("b"));
        self.scoped(|g| {
            let a = g.receiver(d);
            g.scope.declare(&x, Ty::Float, false);
            if g.rng.percent(50) {
                let b = g.receiver(d);
                g.scope.declare(&y, Ty::Float, false);
                let e = g.receiver(d);
                Value::typed(format!("{{ let {x} = {a}; let {y} = {b}; {e} }}"))
            } else {
                let e = g.receiver(d);
                Value::typed(format!("{{ let {x} = {a}; {e} }}"))
            }
        })
    }

    /// A block that overwrites a scalar that other operands may read.
    fn effect_value(&mut self, d: usize) -> Value {
        let vars = self.scope.writable(|v| v.ty == Ty::Float);
        if vars.is_empty() {
            return self.leaf();
        }
        let x = vars[self.rng.below(vars.len())].name.clone();
        let e = self.purely(|g| g.float(d)).text;
        let op = self.rng.pick(&["=", "=", "+=", "-="]).to_string();
        Value::typed(format!(
            "{{ ⟨{x} {op} {e}│{{ let late = {e}; {x} {op} late; }}⟩; {x} }}"
        ))
    }

    /// `std::mem::replace(&mut place, e)`
    fn replace_value(&mut self, d: usize) -> Option<Value> {
        let vars = self.scope.writable(|v| super::places::holds_floats(&v.ty));
        let var = vars.get(self.rng.below(vars.len().max(1)))?.clone();
        let (before, place) = self.place_to_borrow(&var)?;
        self.scope.lock(&var.name, true);
        let e = self.purely(|g| g.float(d)).text;
        self.scope.unlock(&var.name, true);
        let call = if self.maybe(15, "mem-take") {
            format!("std::mem::take(&mut {place})")
        } else {
            format!("std::mem::replace(&mut {place}, {e})")
        };
        Some(Value::typed(if before.is_empty() {
            call
        } else {
            format!("{{ {before}{call} }}")
        }))
    }

    fn match_value(&mut self, d: usize) -> Value {
        let ops = self.scope.readable(|v| v.ty == Ty::Op);
        let (a, b, c) = (self.float(d), self.float(d), self.receiver(d));
        let (a, b) = (a.text, b.text);
        if !ops.is_empty() && self.rng.percent(50) {
            let op = &ops[0].name;
            return Value::typed(format!(
                "(match {op} {{ Op::Add => {a}, Op::Mul => {b}, Op::Sin => {c} }})"
            ));
        }
        let i = self.size(1);
        Value::typed(match self.rng.below(5) {
            4 => format!("(match {i} % 2 {{ 0 => {a}, 1 => {c}, _ => unreachable!() }})"),
            0 => format!("(match {i} {{ 0 => {a}, 1 | 2 => {b}, _ => {c} }})"),
            1 => format!("(match {i} {{ 0..=2 => {a}, 3..6 => {b}, _ => {c} }})"),
            2 => {
                let guard = self.condition(0);
                format!("(match {i} % 3 {{ 0 if {guard} => {a}, 0 => {b}, _ => {c} }})")
            }
            _ => {
                let j = self.condition(0);
                format!(
                    "(match ({i} % 2, {j}) {{ (0, true) => {a}, (_, false) => {b}, _ => {c} }})"
                )
            }
        })
    }

    fn labelled_value(&mut self, d: usize) -> Value {
        let label = self.name("'v");
        self.targets.push(Target {
            label: Some(label.clone()),
            is_loop: false,
            value: Some(Ty::Float),
        });
        let c = self.condition(1);
        let (a, b) = (self.float(d).text, self.receiver(d));
        self.targets.pop();
        Value::typed(format!(
            "{label}: {{ if {c} {{ break {label} {a}; }} {b} }}"
        ))
    }

    fn loop_value(&mut self, d: usize) -> Value {
        let (k, acc) = (self.name("k"), self.name("acc"));
        let limit = self.rng.within(1, 4);
        let start = self.float(0).text;
        let (step, out) = self.scoped(|g| {
            g.scope.declare_counter(&k, Ty::Size);
            g.scope.declare(&acc, Ty::Float, true);
            g.purely(|g| (g.bounded(d).text, g.receiver(0)))
        });
        Value::typed(format!(
            "{{ let mut {k}: usize = 0; let mut {acc}: ƒ = {start}; loop {{ {k} += 1; {acc} += {step}; if {k} >= \
             {limit} {{ break {acc} + {out}; }} }} }}"
        ))
    }

    /// A `usize` expression of modest size.
    pub(super) fn size(&mut self, depth: usize) -> String {
        let vars = self.scope.readable(|v| v.ty == Ty::Size);
        let lens = self.scope.readable(|v| v.ty.is_sequence());
        let has = usize::from(!vars.is_empty());
        let more = usize::from(depth > 0);
        let len = usize::from(!lens.is_empty());
        let plain = usize::from(self.plain.has_levels() && self.regions + self.unmarked == 0);
        match self.choose(&[
            (30 * has, "int-var"),
            (20, "int-literal"),
            (8 * len, "len"),
            (14 * more, "int-add"),
            (8 * more, "int-mul"),
            (6 * more, "int-rem"),
            (4 * more, "int-if"),
            (4 * more, "int-method"),
            (5 * more, "float-to-int"),
            (4 * more, "int-bits"),
            (8 * plain, "plain-level"),
        ]) {
            "int-var" => vars[self.rng.below(vars.len())].name.clone(),
            "len" => format!("{}.len()", lens[self.rng.below(lens.len())].name),
            "int-add" => format!("({} + {})", self.size(depth - 1), self.size(depth - 1)),
            "int-mul" => format!("({} * {})", self.size(depth - 1), self.rng.within(2, 3)),
            "int-rem" => format!("({} % {})", self.size(depth - 1), self.rng.within(2, 5)),
            "int-bits" => match self.rng.below(4) {
                0 => format!("(({} ^ {}) & 7)", self.size(depth - 1), self.size(0)),
                1 => format!("({} << 1)", self.size(depth - 1)),
                2 => format!("({} >> 1 | 1)", self.size(depth - 1)),
                _ => {
                    let c = self.condition(0);
                    format!("usize::from({c})")
                }
            },
            "int-if" => format!(
                "(if {} {{ {} }} else {{ {} }})",
                self.condition(0),
                self.size(0),
                self.size(0)
            ),
            "int-method" => {
                let name = self.rng.pick(&["min", "max", "saturating_sub"]).to_string();
                let vars = self.scope.readable(|v| v.ty == Ty::Size && !v.counter);
                let receiver = if vars.is_empty() {
                    "5_usize".to_string()
                } else {
                    vars[self.rng.below(vars.len())].name.clone()
                };
                format!("{receiver}.{name}({})", self.size(depth - 1))
            }
            "plain-level" => self.plain_level(),
            "float-to-int" => {
                let t = self.bounded(0).text;
                let four = literal("4.0");
                to_int(&format!("({t}).abs() * {four}"), "usize")
            }
            _ => self.rng.within(0, 7).to_string(),
        }
    }

    /// An `i32` expression of modest size.
    pub(super) fn int(&mut self, depth: usize) -> String {
        let vars = self.scope.readable(|v| v.ty == Ty::Int);
        match self.rng.below(if depth > 0 { 5 } else { 2 }) {
            0 if !vars.is_empty() => vars[self.rng.below(vars.len())].name.clone(),
            0 | 1 => format!("{}_i32", self.rng.within(0, 6)),
            2 => format!("({} as i32)", self.size(depth - 1)),
            3 => format!("(-{})", self.int(depth - 1)),
            _ => format!("({} - {})", self.int(depth - 1), self.rng.within(1, 4)),
        }
    }

    /// A boolean expression.
    pub(super) fn condition(&mut self, depth: usize) -> String {
        let more = usize::from(depth > 0);
        let bools = self.scope.readable(|v| v.ty == Ty::Bool);
        let plain = usize::from(self.plain.has_predicates() && self.regions + self.unmarked == 0);
        match self.choose(&[
            (30, "compare-floats"),
            (25, "compare-ints"),
            (10 * more, "and"),
            (8 * more, "or"),
            (4 * more, "not"),
            (6 * usize::from(!bools.is_empty()), "bool-var"),
            (3, "float-predicate"),
            (4, "matches"),
            (8 * plain, "plain-predicate"),
        ]) {
            "plain-predicate" => self.plain_predicate(),
            "compare-floats" => {
                let a = self.purely(|g| g.receiver(depth));
                let b = self.purely(|g| g.float(0)).text;
                format!("{a} {} {b}", self.rng.pick(&["<", ">", "<=", ">=", "!="]))
            }
            "and" => format!(
                "({} && {})",
                self.condition(depth - 1),
                self.condition(depth - 1)
            ),
            "or" => format!(
                "({} || {})",
                self.condition(depth - 1),
                self.condition(depth - 1)
            ),
            "matches" => {
                let i = self.size(1);
                format!("matches!({i}, 0 | 2..=4)")
            }
            "not" => format!("!({})", self.condition(depth - 1)),
            "bool-var" => bools[self.rng.below(bools.len())].name.clone(),
            "float-predicate" => {
                let t = self.purely(|g| g.receiver(0));
                let t = self.grouped(&t);
                format!(
                    "{t}.{}()",
                    self.rng.pick(&["is_nan", "is_finite", "is_sign_negative"])
                )
            }
            _ => {
                let a = self.size(1);
                let a = self.grouped(&a);
                match self.rng.below(3) {
                    0 => format!("{a} % 2 == 0"),
                    1 => format!("{a} < {}", self.rng.within(1, 6)),
                    _ => format!("{a} != {}", self.rng.within(0, 4)),
                }
            }
        }
    }
}
