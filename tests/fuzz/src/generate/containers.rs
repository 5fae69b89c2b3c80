//! Methods of vectors and slices that move elements, and those that yield an option of one.

use super::Gen;
use super::chains::Shape;
use super::scope::{Ty, Var};
use crate::text::{Item, line, literal, nest};

/// Longer vectors do not grow.
const LONGEST: usize = 7;

impl Gen<'_> {
    pub(super) fn container_statement(&mut self) -> Option<Vec<Item>> {
        let vectors = self
            .scope
            .writable(|v| matches!(v.ty, Ty::Vector | Ty::VectorMut));
        let sequences = self.scope.writable(|v| {
            v.ty.is_sequence() && (v.ty.in_out() || matches!(v.ty, Ty::Array(_) | Ty::Vector))
        });
        let of = |some: bool| usize::from(some);
        let (grows, moves) = (of(!vectors.is_empty()), of(!sequences.is_empty()));
        let kind = self.choose(&[
            (12 * grows, "extend"),
            (8 * grows, "extend_from_slice"),
            (9 * grows, "resize"),
            (9 * grows, "insert"),
            (9 * grows, "remove"),
            (8 * grows, "swap_remove"),
            (10 * grows, "retain"),
            (8 * grows, "split_off"),
            (8, "concat"),
            (8 * moves, "reverse"),
            (8 * moves, "rotate"),
            (12 * moves, "split_at_mut"),
            (12 * moves * usize::from(self.regions == 0), "sort_by"),
            (14, "get"),
        ]);
        match kind {
            "concat" => return self.concat(),
            "get" => return self.element_option(),
            "reverse" | "rotate" | "split_at_mut" | "sort_by" => {
                let var = sequences[self.rng.below(sequences.len())].clone();
                return self.moved(kind, &var);
            }
            _ => {}
        }
        let var = vectors.get(self.rng.below(vectors.len().max(1)))?.clone();
        let v = var.name.clone();
        self.scope.lock(&v, true);
        let made = self.resized(kind, &v);
        self.scope.unlock(&v, true);
        if let Some((_, Some(w))) = &made {
            self.scope.declare(w, Ty::Vector, true);
        }
        Some(vec![line(made?.0)])
    }

    /// A statement that changes the length of `v`, and the vector that it declares.
    fn resized(&mut self, kind: &str, v: &str) -> Option<(String, Option<String>)> {
        let e = self.purely(|g| g.receiver(1));
        let n = self.size(1);
        let n = self.grouped(&n);
        let text = match kind {
            "extend" => {
                let from = self.purely(|g| g.in_chain(|g| g.chain(1)))?;
                let items = match from.item {
                    Shape::Value | Shape::Ref if self.rng.percent(60) => from.text,
                    _ => {
                        let (pattern, body) =
                            self.purely(|g| g.with_item(&from.item, false, |g| g.receiver(0)));
                        format!("{}.map(|{pattern}| {body})", from.text)
                    }
                };
                format!(
                    "if {v}.len() < {LONGEST} {{ {v}.extend({items}); }}\n{v}.truncate({LONGEST});"
                )
            }
            "extend_from_slice" => {
                let from = self.iterable()?;
                format!(
                    "if {v}.len() < {LONGEST} {{ {v}.extend_from_slice(&{from}[..]); }}\n{v}.truncate({LONGEST});"
                )
            }
            "resize" => format!("{v}.resize({n} % 5 + 1, {e});"),
            "insert" => {
                let at = self.name("n");
                format!(
                    "let {at} = {n} % ({v}.len() + 1);\nif {v}.len() < {LONGEST} {{ {v}.insert({at}, {e}); }}"
                )
            }
            "remove" | "swap_remove" => {
                let (at, x) = (self.name("n"), self.name("x"));
                let half = literal("0.5");
                match self.rng.below(3) {
                    0 => format!(
                        "let {at} = {n} % {v}.len();\nif {v}.len() > 1 {{ {v}.{kind}({at}); }}"
                    ),
                    1 => format!(
                        "let {at} = {n} % {v}.len();\nlet {x} = {v}.{kind}({at});\n{v}.push({x} * {half} + {e});"
                    ),
                    _ => format!(
                        "let {at} = {n} % {v}.len();\nif {v}.len() > 1 {{ let {x} = {v}.{kind}({at}); {v}[0] = {v}[0] \
                         + {x} * {half}; }}"
                    ),
                }
            }
            "retain" => {
                let (pattern, test) = self.purely(|g| g.tested(&Shape::Value, true));
                format!("{v}.retain(|{pattern}| {test});\nif {v}.is_empty() {{ {v}.push({e}); }}")
            }
            _ => {
                let (at, w) = (self.name("n"), self.name("v"));
                let text = format!(
                    "let {at} = {n} % {v}.len() + 1;\nlet mut {w} = {v}.split_off({at});\n{w}.push({e});"
                );
                return Some((text, Some(w)));
            }
        };
        Some((text, None))
    }

    /// A statement that moves the elements of `var`.
    fn moved(&mut self, kind: &str, var: &Var) -> Option<Vec<Item>> {
        let v = &var.name;
        let n = self.size(1);
        let n = self.grouped(&n);
        let text = match kind {
            "reverse" if self.rng.percent(30) => {
                let m = self.name("n");
                format!("let {m} = {n} % ({v}.len() + 1);\n{v}[..{m}].reverse();")
            }
            "reverse" => format!("{v}.reverse();"),
            "rotate" => {
                let m = self.name("n");
                let side = self.rng.pick(&["left", "right"]);
                format!("let {m} = {n} % ({v}.len() + 1);\n{v}.rotate_{side}({m});")
            }
            "sort_by" => {
                let (a, b) = (self.name("a"), self.name("b"));
                let by = match self.rng.below(3) {
                    0 => format!("{b}.total_cmp({a})"),
                    1 => format!("{a}.abs().total_cmp(&{b}.abs())"),
                    _ => format!("{a}.total_cmp({b})"),
                };
                let part = if self.rng.percent(25) { "[1..]" } else { "" };
                format!("{v}{part}.sort_by(|{a}, {b}| {by});")
            }
            _ => return Some(self.split_in_two(v, &n)),
        };
        Some(vec![line(text)])
    }

    /// `let (lo, hi) = v.split_at_mut(m);`
    fn split_in_two(&mut self, v: &str, n: &str) -> Vec<Item> {
        let (m, lo, hi) = (self.name("n"), self.name("lo"), self.name("hi"));
        let (a, b) = (self.name("a"), self.name("b"));
        self.scope.lock(v, true);
        let e = self.purely(|g| g.bounded(1)).text;
        self.scope.unlock(v, true);
        let half = literal("0.5");
        // The second part is never empty.
        let first = match self.rng.below(3) {
            0 => format!("{hi}[0] = {hi}[0] * {half} + {e};"),
            1 => format!("⟨{hi}[0] *= {e}│{{ let late = {e}; {hi}[0] *= late; }}⟩;"),
            _ => format!("for {b} in {hi}.iter_mut() {{ *{b} = *{b} * {half} + {e}; }}"),
        };
        let second = match self.rng.below(3) {
            0 => format!(
                "for ({a}, {b}) in {lo}.iter_mut().zip({hi}.iter()) {{ *{a} = *{a} + *{b} * {half}; }}"
            ),
            1 => format!(
                "for ({a}, {b}) in {hi}.iter_mut().zip({lo}.iter()) {{ *{a} = (*{a} - *{b}).sin(); }}"
            ),
            _ => format!("if !{lo}.is_empty() {{ std::mem::swap(&mut {lo}[0], &mut {hi}[0]); }}"),
        };
        let body = vec![
            line(format!("let {m} = {n} % {v}.len();")),
            line(format!("let ({lo}, {hi}) = {v}.split_at_mut({m});")),
            line(first),
            line(second),
        ];
        vec![nest("", body)]
    }

    /// `[v.to_vec(), w.to_vec()].concat()`
    fn concat(&mut self) -> Option<Vec<Item>> {
        let (a, b) = (self.iterable()?, self.iterable()?);
        let w = self.name("v");
        // An array of references is refused.
        let part = |x: &str| format!("{x}.to_vec()");
        let text = format!(
            "let mut {w}: Vec<ƒ> = [{}, {}].concat();\n{w}.truncate({LONGEST});",
            part(&a),
            part(&b)
        );
        // Parts of two sequences of one element may both be empty.
        let e = self.purely(|g| g.bounded(0)).text;
        self.scope.declare(&w, Ty::Vector, true);
        Some(vec![
            line(text),
            line(format!("if {w}.is_empty() {{ {w}.push({e}); }}")),
        ])
    }

    /// An element that may be missing.
    fn element_option(&mut self) -> Option<Vec<Item>> {
        let sequences = self.scope.readable(|v| v.ty.is_sequence() && !v.taken);
        let v = sequences
            .get(self.rng.below(sequences.len().max(1)))?
            .name
            .clone();
        let (x, other) = (self.name("x"), self.purely(|g| g.receiver(1)));
        let n = self.size(1);
        let option = match self.rng.below(4) {
            0 => format!("{v}.first()"),
            1 => format!("{v}.last()"),
            _ => format!("{v}.get({n} % 5)"),
        };
        let (u, half) = (self.name("u"), literal("0.5"));
        let text = match self.rng.below(5) {
            0 => format!("let mut {x}: ƒ = {option}.copied().unwrap_or({other});"),
            1 => format!("let mut {x}: ƒ = {option}.map_or({other}, |{u}| {u} * {half});"),
            2 => format!(
                "let mut {x}: ƒ = match {option} {{ Some({u}) => *{u} * {half}, None => {other} }};"
            ),
            3 => format!(
                "let mut {x}: ƒ = if let Some(&{u}) = {option} {{ {u}.sin() }} else {{ {other} }};"
            ),
            _ => {
                format!("let mut {x}: ƒ = {other};\nif let Some({u}) = {option} {{ {x} += {u}; }}")
            }
        };
        self.scope.declare(&x, Ty::Float, true);
        Some(vec![line(text)])
    }
}
