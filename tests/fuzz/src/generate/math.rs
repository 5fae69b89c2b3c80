//! Calls of float functions on safe domains.

use super::{Gen, Value};
use crate::text::literal;

/// What is done to a receiver `t` before the function, and the function.
const UNARY: &[(&str, &str)] = &[
    ("{t}", "sin"),
    ("{t}", "cos"),
    ("{t}.sin()", "tan"),
    ("({t}.sin() * «0.9»)", "asin"),
    ("({t}.cos() * «0.9»)", "acos"),
    ("{t}", "atan"),
    ("{t}.tanh()", "sinh"),
    ("{t}.sin()", "cosh"),
    ("{t}", "tanh"),
    ("{t}", "asinh"),
    ("({t}.abs() + «1.5»)", "acosh"),
    ("({t}.tanh() * «0.8»)", "atanh"),
    ("{t}.sin()", "exp"),
    ("(-{t}.abs())", "exp"),
    ("{t}.cos()", "exp2"),
    ("{t}.tanh()", "exp_m1"),
    ("({t}.abs() + «0.5»)", "ln"),
    ("({t} * {t} + «0.3»)", "ln"),
    ("{t}.abs()", "ln_1p"),
    ("({t}.abs() + «0.7»)", "log2"),
    ("({t}.abs() + «0.6»)", "log10"),
    ("({t}.abs() + «0.1»)", "sqrt"),
    ("({t}.abs() + «0.2»)", "cbrt"),
    ("({t}.abs() + «0.7»)", "recip"),
    ("{t}", "abs"),
    ("{t}", "signum"),
    ("{t}", "fract"),
    ("{t}", "floor"),
    ("{t}", "ceil"),
    ("{t}", "round"),
    ("{t}", "round_ties_even"),
    ("{t}", "trunc"),
    ("({t}.sin() * «0.01»)", "to_degrees"),
    ("{t}", "to_radians"),
];

/// Functions of two: receiver, name, argument.
const BINARY: &[(&str, &str, &str)] = &[
    ("({t}.abs() + «1.2»)", "log", "({u}.abs() + «1.5»)"),
    ("({t}.abs() + «0.4»)", "powf", "{u}.sin()"),
    ("({t}.tanh() + «1.5»)", "powf", "«2.5»"),
    ("({t}.tanh() + «1.5»)", "powf", "({u}.cos() * «1.5»)"),
    ("{t}", "hypot", "({u} + «0.5»)"),
    ("{t}", "atan2", "({u}.abs() + «0.3»)"),
    ("{t}", "atan2", "({u} - «0.3»)"),
    ("{t}", "copysign", "{u}"),
    ("{t}", "min", "{u}"),
    ("{t}", "max", "{u}"),
    ("{t}", "max", "«0.0»"),
    ("{t}", "min", "«0.5»"),
    ("{t}", "rem_euclid", "«1.5»"),
    ("{t}", "rem_euclid", "({u}.abs() + «0.8»)"),
    ("{t}", "div_euclid", "({u}.abs() + «0.8»)"),
];

/// Fills in a template: `{t}` and `{u}` are operands, `«…»` literals.
fn fill(template: &str, t: &str, u: &str) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, tail)) = rest.split_once('«') {
        let (lit, after) = tail.split_once('»').expect("a closed literal");
        out.push_str(before);
        out.push_str(&literal(lit));
        rest = after;
    }
    out.push_str(rest);
    out.replace("{t}", t).replace("{u}", u)
}

/// Whether one pair of parentheses holds the whole text.
fn enclosed(text: &str) -> bool {
    let mut depth = 0;
    for (i, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return c == ')' && i + 1 == text.len();
        }
    }
    false
}

impl Gen<'_> {
    /// A float with a type that rustc knows, so that it can be a receiver.
    pub(super) fn receiver(&mut self, depth: usize) -> String {
        let value = self.float(depth);
        self.typed(value)
    }

    pub(super) fn typed(&mut self, value: Value) -> String {
        if value.typed {
            return value.text;
        }
        let name = self.name("t");
        format!("{{ let {name}: ƒ = {}; {name} }}", value.text)
    }

    /// A typed operand short enough to be written twice.
    fn short(&mut self) -> String {
        match self.float_place() {
            Some(place) => format!("({place})"),
            None => "⟨0.75_f64│num(0.75)⟩".to_string(),
        }
    }

    /// Method or path form.
    fn call_math(&mut self, receiver: &str, name: &str, args: &[String]) -> Value {
        let args = args.join(", ");
        Value::typed(if self.maybe(20, "math-path") {
            let comma = if args.is_empty() { "" } else { ", " };
            format!("ƒ::{name}({receiver}{comma}{args})")
        } else {
            format!("{receiver}.{name}({args})")
        })
    }

    pub(super) fn math(&mut self, depth: usize) -> Value {
        let kind = self.choose(&[
            (50, "math-unary"),
            (18, "math-binary"),
            (10, "powi"),
            (6, "clamp"),
            (8, "mul_add"),
            (4, "sin_cos"),
            (5, "remainder"),
        ]);
        match kind {
            "math-binary" => {
                let (t, u) = (self.receiver(depth), self.receiver(depth));
                let (before, name, arg) = BINARY[self.rng.below(BINARY.len())];
                let (receiver, arg) = (
                    fill(before, &self.grouped(&t), &u),
                    fill(arg, &t, &self.grouped(&u)),
                );
                self.call_math(&receiver, name, &[arg])
            }
            "powi" => {
                let t = self.receiver(depth);
                let t = self.grouped(&t);
                let base = if self.rng.percent(70) {
                    format!("{t}.tanh()")
                } else {
                    format!("({t}.sin() + {})", literal("1.8"))
                };
                let exponent = if base.ends_with(".tanh()") {
                    if self.rng.percent(60) {
                        self.rng.pick(&["0", "1", "2", "3", "4"]).to_string()
                    } else {
                        format!("({} % 4) as i32", self.size(1))
                    }
                } else {
                    self.rng.pick(&["-1", "-2", "-3", "5", "2"]).to_string()
                };
                self.call_math(&base, "powi", &[exponent])
            }
            "clamp" => {
                let t = self.receiver(depth);
                let t = self.grouped(&t);
                let bounds = if self.rng.percent(60) {
                    [literal("-0.5"), literal("0.8")]
                } else {
                    let (u, v) = (self.receiver(0), self.receiver(0));
                    [
                        format!("({u}).sin() - {}", literal("1.0")),
                        format!("({v}).cos() + {}", literal("1.0")),
                    ]
                };
                self.call_math(&t, "clamp", &bounds)
            }
            "mul_add" => {
                let t = self.receiver(depth);
                let t = self.grouped(&t);
                let (a, b) = (self.float(depth).text, self.float(depth).text);
                self.call_math(&t, "mul_add", &[a, b])
            }
            "sin_cos" => {
                let t = self.receiver(depth);
                let t = self.grouped(&t);
                let side = self.rng.below(2);
                Value::typed(format!("{t}.sin_cos().{side}"))
            }
            "remainder" => {
                let (t, u) = (self.receiver(depth), self.receiver(0));
                let t = self.grouped(&t);
                let by = if self.rng.percent(60) {
                    literal("1.25")
                } else {
                    format!("(({u}).abs() + {})", literal("0.9"))
                };
                Value::typed(format!("({t} % {by})"))
            }
            _ => {
                let (before, name) = UNARY[self.rng.below(UNARY.len())];
                let t = if before.matches("{t}").count() > 1 {
                    self.short()
                } else {
                    self.receiver(depth)
                };
                let receiver = fill(before, &self.grouped(&t), "");
                self.call_math(&receiver, name, &[])
            }
        }
    }

    /// In parentheses unless it is an atom.
    pub(super) fn grouped(&mut self, text: &str) -> String {
        if text
            .chars()
            .all(|c| c.is_alphanumeric() || "_.[]".contains(c))
            || enclosed(text)
        {
            text.to_string()
        } else {
            format!("({text})")
        }
    }

    /// A value of about one at most.
    pub(super) fn bounded(&mut self, depth: usize) -> Value {
        let t = self.receiver(depth);
        let t = self.grouped(&t);
        Value::typed(match self.rng.below(7) {
            0 | 1 => format!("{t}.sin()"),
            2 => format!("{t}.tanh()"),
            3 => format!("{t}.cos()"),
            4 => format!("{} * {t}.atan()", literal("0.6")),
            5 => {
                let name = self.name("t");
                format!(
                    "{{ let {name} = {t}; {name} / ({} + {name} * {name}) }}",
                    literal("1.0")
                )
            }
            _ => format!("({t} * {}).sin()", literal("1.3")),
        })
    }
}
