//! Functions that return a `Result` or an option, and what is done with such values.

use super::scope::Ty;
use super::{Gen, Value};
use crate::text::{Item, line, literal, nest};

impl Gen<'_> {
    /// What is done with a call that returns a `Result`.
    pub(super) fn result_used(&mut self, call: &str) -> Vec<Item> {
        let leaves =
            usize::from(self.sealed == 0 && self.targets.iter().all(|t| t.value.is_none()));
        let asks = leaves * usize::from(self.ret == Ty::Fallible);
        let returns = leaves * usize::from(self.ret != Ty::Unit);
        let nested = usize::from(self.sealed == 0 && self.depth < super::stmt::MAX_DEPTH);
        let (x, v) = (self.name("x"), self.name("v"));
        let kind = self.choose(&[
            (40 * asks, "result-question"),
            (12 * asks, "result-map_err"),
            (12, "result-unwrap_or"),
            (16 * nested, "result-match"),
            (12 * nested, "result-if-let"),
            (8 * returns, "result-let-else"),
            (6, "result-ok"),
        ]);
        // What stands for an error is evaluated before the call: nothing that would have to run in a region.
        let other = match kind {
            "result-match" => self.purely(|g| g.receiver(1)),
            _ => self.float_place().unwrap_or_else(|| literal("0.4_f64")),
        };
        let text = match kind {
            "result-question" => format!("let mut {x}: ƒ = {call}?;"),
            "result-map_err" => format!("let mut {x}: ƒ = {call}.map_err(|k| k + 1)?;"),
            "result-match" => {
                let e = self.scoped(|g| {
                    g.scope.declare(&v, Ty::Float, false);
                    g.purely(|g| g.receiver(1))
                });
                if self.rng.percent(40) {
                    let f = crate::text::to_float("(k % 4)");
                    format!(
                        "let mut {x}: ƒ = match {call} {{ Ok({v}) => {e}, Err(k) => ({other}) * {f} }};"
                    )
                } else {
                    format!(
                        "let mut {x}: ƒ = match {call} {{ Ok({v}) => {e}, Err(_) => {other} }};"
                    )
                }
            }
            "result-if-let" => {
                let body = self.scoped(|g| {
                    g.scope.declare(&v, Ty::Float, false);
                    g.block(1, 3)
                });
                let without = self.block(0, 2);
                let parts = vec![
                    (format!("if let Ok({v}) = {call}"), body),
                    ("else".into(), without),
                ];
                return vec![Item::Nest {
                    parts,
                    tail: String::new(),
                }];
            }
            "result-let-else" => {
                let ret = self.ret.clone();
                let e = self.value(&ret, 1);
                format!("let Ok({x}) = {call} else {{ return {e}; }};")
            }
            "result-ok" => {
                self.scope.declare(&x, Ty::Maybe, true);
                return vec![line(format!("let mut {x}: Option<ƒ> = {call}.ok();"))];
            }
            _ => format!("let mut {x}: ƒ = {call}.unwrap_or({other});"),
        };
        self.scope.declare(&x, Ty::Float, kind != "result-let-else");
        vec![line(text)]
    }

    /// `return Err(…)` in a branch; `let x = o?;` in a function that returns an option.
    pub(super) fn leaves_with_error(&mut self) -> Option<Vec<Item>> {
        match self.ret {
            Ty::Fallible => {
                let (c, n) = (self.condition(1), self.rng.below(9));
                Some(vec![nest(
                    format!("if {c}"),
                    vec![line(format!("return Err({n});"))],
                )])
            }
            Ty::Maybe => {
                let options = self.scope.readable(|v| v.ty == Ty::Maybe);
                let o = options
                    .get(self.rng.below(options.len().max(1)))?
                    .name
                    .clone();
                let x = self.name("x");
                self.scope.declare(&x, Ty::Float, true);
                Some(vec![line(format!("let mut {x}: ƒ = {o}?;"))])
            }
            _ => None,
        }
    }

    /// A float from an option by its methods.
    pub(super) fn option_method(&mut self, d: usize) -> Option<Value> {
        let options = self.scope.readable(|v| v.ty == Ty::Maybe);
        let o = options
            .get(self.rng.below(options.len().max(1)))?
            .name
            .clone();
        let p = options[self.rng.below(options.len())].name.clone();
        let other = self.purely(|g| g.receiver(0));
        let (v, w) = (self.name("v"), self.name("w"));
        // The closures of options are branches.
        let (value, test) = self.closed(|g| {
            g.scope.declare(&v, Ty::Float, false);
            (g.receiver(d.min(1)), g.condition(0))
        });
        let kind = self.choose(&[
            (12, "option-unwrap_or"),
            (12, "option-map"),
            (10, "option-map_or"),
            (8, "option-map_or_else"),
            (10, "option-and_then"),
            (8, "option-filter"),
            (8, "option-zip"),
            (8, "option-or"),
            (5, "option-xor"),
            (6, "option-unwrap_or_else"),
            (6, "option-is_some_and"),
        ]);
        Some(Value::typed(match kind {
            "option-map" => format!("{o}.map(|{v}| {value}).unwrap_or({other})"),
            "option-map_or" => format!("{o}.map_or({other}, |{v}| {value})"),
            "option-map_or_else" => format!("{o}.map_or_else(|| {other}, |{v}| {value})"),
            "option-and_then" => {
                format!(
                    "{o}.and_then(|{v}| if {test} {{ Some({value}) }} else {{ None }}).unwrap_or({other})"
                )
            }
            "option-filter" => {
                let bound = literal("0.2");
                format!("{o}.filter(|{w}| *{w} > {bound}).map_or({other}, |{v}| {value})")
            }
            "option-zip" => format!("{o}.zip({p}).map_or({other}, |({v}, {w})| {value} * {w})"),
            "option-or" => format!("{o}.or({p}).map_or({other}, |{v}| {value})"),
            "option-xor" => format!("{o}.xor({p}).map_or({other}, |{v}| {value})"),
            "option-unwrap_or_else" => format!("{o}.unwrap_or_else(|| {other})"),
            "option-is_some_and" => {
                let bound = literal("0.2");
                format!(
                    "(if {o}.is_some_and(|{v}| {v} > {bound}) {{ {other} }} else {{ {} }})",
                    literal("0.4")
                )
            }
            _ => format!("{o}.unwrap_or({other})"),
        }))
    }
}
