//! Functions without `#[gradient]` that have a rule of their own. Over dual numbers they are differentiated as they
//! stand, so that the rule is compared with the function.

use super::scope::Ty;
use super::{Callee, Gen};
use crate::text::{Item, line, literal, nest};

impl Gen<'_> {
    /// A function with a rule.
    #[expect(clippy::too_many_lines, reason = "one arm per form of rule")]
    pub(super) fn ruled(&mut self, items: &mut Vec<Item>) {
        let (f, a) = (
            self.name("ruled"),
            self.rng.pick(&["0.75", "1.5", "-0.6"]).to_string(),
        );
        let c = literal(&a);
        let one = literal("1.0");
        let kind = self.choose(&[
            (10, "rule-partial"),
            (8, "rule-result"),
            (10, "rule-partials"),
            (8, "rule-integer"),
            (10, "rule-adjoint"),
            (8, "rule-in-out"),
            (8, "rule-array"),
        ]);
        let (signature, body, rule, params, ret) = match kind {
            "rule-result" => (
                "x: ƒ) -> ƒ".to_owned(),
                format!("{c} / ({one} + x * x)"),
                format!("x: f64, #[result] y: f64) -> f64 {{ -2.0 * x * y * y / ({a}) }}"),
                vec![Ty::Float],
                Ty::Float,
            ),
            "rule-partials" => (
                "x: ƒ, y: ƒ) -> ƒ".to_owned(),
                format!("x.sin() * y + {c} * y * y"),
                format!("x: f64, y: f64) -> (f64, f64) {{ (x.cos() * y, x.sin() + 2.0 * ({a}) * y) }}"),
                vec![Ty::Float, Ty::Float],
                Ty::Float,
            ),
            "rule-integer" => (
                "x: ƒ, n: usize) -> ƒ".to_owned(),
                format!("x.tanh().powi((n % 4) as i32) * {c}"),
                format!(
                    "x: f64, n: usize) -> f64 {{ let (t, n) = (x.tanh(), (n % 4) as i32); if n == 0 {{ 0.0 }} else {{ \
                     ({a}) * n as f64 * t.powi(n - 1) * (1.0 - t * t) }} }}"
                ),
                vec![Ty::Float, Ty::Size],
                Ty::Float,
            ),
            "rule-adjoint" => (
                "x: &[ƒ], s: ƒ) -> ƒ".to_owned(),
                format!("let mut sum = {c};\nfor i in 0..x.len() {{ sum = sum + x[i] * x[i]; }}\nsum.ln_1p() * s")
                    .replace(&c, &literal("0.4")),
                "x: &[f64], s: f64, seed: f64, dx: &mut [f64], ds: &mut f64) { let mut sum = 0.4; for i in \
                 0..x.len() { sum += x[i] * x[i]; } *ds += seed * sum.ln_1p(); for i in 0..x.len() { dx[i] += seed * s \
                 * 2.0 * x[i] / (1.0 + sum); } }"
                    .to_owned(),
                vec![Ty::Slice, Ty::Float],
                Ty::Float,
            ),
            "rule-in-out" => (
                "x: &mut [ƒ], r: ƒ)".to_owned(),
                format!("for t in x.iter_mut() {{ *t = *t * r + {c}; }}"),
                "#[in_out] x: &[f64], r: f64, _seed: (), dx: &mut [f64], dr: &mut f64) { for i in 0..x.len() { *dr += \
                 dx[i] * x[i]; dx[i] *= r; } }"
                    .to_owned(),
                vec![Ty::SliceMut, Ty::Float],
                Ty::Unit,
            ),
            "rule-array" => (
                "x: ƒ, y: ƒ) -> [ƒ; 2]".to_owned(),
                format!("[x * {c} - y, x + y * {c}]"),
                format!(
                    "x: f64, y: f64, seed: &[f64; 2], dx: &mut f64, dy: &mut f64) {{ let _ = (x, y); *dx += ({a}) * \
                     seed[0] + seed[1]; *dy += ({a}) * seed[1] - seed[0]; }}"
                ),
                vec![Ty::Float, Ty::Float],
                Ty::Array(2),
            ),
            _ => (
                "x: ƒ) -> ƒ".to_owned(),
                format!("(x * {c}).sin() + x"),
                format!("x: f64) -> f64 {{ ({a}) * (x * ({a})).cos() + 1.0 }}"),
                vec![Ty::Float],
                Ty::Float,
            ),
        };
        let function = nest(format!("pub fn {f}({signature}"), vec![line(body)]);
        let path = if self.rng.percent(40) {
            let module = self.name("library");
            items.push(nest(
                format!("mod {module}"),
                vec![line("use super::*;"), function],
            ));
            items.push(line(format!("use {module}::{f};")));
            format!("{module}::{f}")
        } else {
            items.push(function);
            f.clone()
        };
        items.push(line(format!(
            "¶#[retrograde::derivative_of({path})]\n¶fn {f}_rule({rule}"
        )));
        self.callees.push(Callee {
            path: f,
            params,
            ret,
            recursive: false,
            cheap: true,
            method: false,
        });
    }
}
