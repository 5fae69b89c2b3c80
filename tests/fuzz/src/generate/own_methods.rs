//! What is implemented for the program's own types: operators, methods, a trait; functions generic over a float.

use std::rc::Rc;

use super::own::Own;
use super::scope::Ty;
use super::{Callee, Gen};
use crate::text::{Item, line, literal, nest};

impl Gen<'_> {
    /// The operators of a vector.
    pub(super) fn operators(&mut self, own: &Own, items: &mut Vec<Item>) {
        let name = &own.name;
        let (path, variant) = own.variant(0);
        let each = |part: &dyn Fn(&str) -> String| {
            let parts: Vec<String> = variant.fields.iter().map(|(f, _)| part(f)).collect();
            variant.written(&path, &parts)
        };
        let mut implemented = |head: &str, output: bool, signature: &str, body: Vec<Item>| {
            let mut inside = Vec::new();
            if output {
                inside.push(line(format!("type Output = {name};")));
            }
            inside.push(nest(format!("fn {signature}"), body));
            items.push(nest(format!("†\n    impl std::ops::{head}"), inside));
        };
        let sum = each(&|f| format!("self.{f} + other.{f}"));
        let signature = format!("add(self, other: {name}) -> {name}");
        implemented(
            &format!("Add for {name}"),
            true,
            &signature,
            vec![line(sum)],
        );
        let difference = each(&|f| format!("self.{f} - other.{f}"));
        let signature = format!("sub(self, other: {name}) -> {name}");
        implemented(
            &format!("Sub for {name}"),
            true,
            &signature,
            vec![line(difference)],
        );
        let opposite = each(&|f| format!("-self.{f}"));
        let signature = format!("neg(self) -> {name}");
        implemented(
            &format!("Neg for {name}"),
            true,
            &signature,
            vec![line(opposite)],
        );
        let product = each(&|f| format!("self * other.{f}"));
        let signature = format!("mul(self, other: {name}) -> {name}");
        implemented(
            &format!("Mul<{name}> for ƒ"),
            true,
            &signature,
            vec![line(product)],
        );
        let added = if self.rng.percent(40) {
            vec![line("*self = *self + other;")]
        } else {
            variant
                .fields
                .iter()
                .map(|(f, _)| line(format!("self.{f} += other.{f};")))
                .collect()
        };
        let signature = format!("add_assign(&mut self, other: {name})");
        implemented(&format!("AddAssign for {name}"), false, &signature, added);
    }

    /// A block of methods and associated functions.
    pub(super) fn methods(&mut self, own: &Rc<Own>, generic: bool, items: &mut Vec<Item>) {
        let mut inside = Vec::new();
        let mut made = Vec::new();
        for _ in 0..self.rng.within(1, 2) {
            let receiver = match self.rng.below(8) {
                0..=3 => Some(Ty::OwnRef(own.clone())),
                4 | 5 => Some(Ty::OwnMut(own.clone())),
                6 => Some(Ty::Own(own.clone())),
                _ => None,
            };
            let (mut params, mut ret) = self.signature("fn-method", false);
            params.truncate(2);
            if generic {
                params.retain(|p| !p.text().contains(&own.name));
            }
            if ret == Ty::Unit && !params.iter().any(Ty::in_out)
                || generic && matches!(ret, Ty::Own(_))
            {
                ret = Ty::Float;
            }
            let method = receiver.is_some();
            if let Some(receiver) = receiver {
                params.insert(0, receiver);
            } else if params.iter().all(|p| matches!(p, Ty::Size | Ty::Bool)) {
                params.push(Ty::Float);
            }
            let name = self.name("method");
            let kind = if method { "fn-method" } else { "fn-plain" };
            let (f, mut callee) = self.written(&name, "pub fn", kind, None, (params, ret));
            inside.push(nest(f.head.replacen("†\n    ", "", 1), f.body));
            let args = if generic && self.rng.percent(50) {
                "::<3>"
            } else {
                ""
            };
            callee.path = format!("{}{args}::{name}", own.name);
            made.push(callee);
        }
        let head = if generic {
            // Of one length: what others give and take has it, too.
            format!("impl {}<3>", own.name)
        } else {
            format!("impl {}", own.name)
        };
        items.push(nest(format!("†\n    {head}"), inside));
        self.callees.extend(made);
    }

    /// A trait that two types implement, and functions that take any of them.
    pub(super) fn own_trait(&mut self, items: &mut Vec<Item>) {
        let types: Vec<Rc<Own>> = self
            .types
            .iter()
            .filter(|t| t.fields().is_some() && t.args.is_empty())
            .cloned()
            .collect();
        if types.is_empty() || !self.maybe(45, "own-trait") {
            return;
        }
        let (name, at) = (self.name("Law"), self.name("at"));
        let changes = self.maybe(40, "trait-mut").then(|| self.name("turn"));
        let mut inside = vec![line(format!("fn {at}(&self, t: ƒ) -> ƒ;"))];
        if let Some(turn) = &changes {
            inside.push(line(format!("fn {turn}(&mut self, t: ƒ);")));
        }
        items.push(nest(format!("†\n    pub trait {name}"), inside));
        for own in types.iter().take(2) {
            let mut methods = Vec::new();
            let signatures = [
                (Some(&at), Ty::OwnRef(own.clone()), Ty::Float),
                (changes.as_ref(), Ty::OwnMut(own.clone()), Ty::Unit),
            ];
            for (method, receiver, ret) in signatures {
                let Some(method) = method else { continue };
                let params = vec![receiver, Ty::Float];
                let (f, mut callee) = self.written(method, "fn", "fn-method", None, (params, ret));
                methods.push(nest(f.head.replacen("†\n    ", "", 1), f.body));
                callee.path = if self.rng.percent(50) {
                    format!("<{} as {name}>::{method}", own.name)
                } else {
                    format!("{}::{method}", own.name)
                };
                // Not known by that name to the functions in front of it.
                self.pending.push(callee);
            }
            items.push(nest(
                format!("†\n    impl {name} for {}", own.name),
                methods,
            ));
        }
        let pending = std::mem::take(&mut self.pending);
        self.callees.extend(pending);
        self.trait_users(&types, &name, &at, changes.as_deref(), items);
    }

    /// Functions that call through the trait.
    fn trait_users(
        &mut self,
        types: &[Rc<Own>],
        name: &str,
        at: &str,
        turn: Option<&str>,
        items: &mut Vec<Item>,
    ) {
        for kind in ["trait-static", "trait-dyn"] {
            if !self.maybe(60, kind) {
                continue;
            }
            let f = self.name("g");
            let changes = turn.filter(|_| self.rng.percent(50));
            let mark = if changes.is_some() { "&mut " } else { "&" };
            let (generics, ty) = match (kind, self.rng.below(2)) {
                ("trait-dyn", _) => (String::new(), format!("{mark}dyn {name}")),
                (_, 0) => (String::new(), format!("{mark}impl {name}")),
                _ => (format!("<M: {name}>"), format!("{mark}M")),
            };
            let (a, n) = (literal("0.7"), self.rng.within(1, 3));
            let mut body = vec![line(format!("let mut sum: ƒ = m.{at}(x) * {a};"))];
            let mut steps = Vec::new();
            if let Some(turn) = changes {
                steps.push(line(format!("m.{turn}(sum.sin());")));
            }
            steps.push(line(format!("sum = sum * {a} + m.{at}((x + sum).cos());")));
            body.push(nest(format!("for _ in 0..{n}"), steps));
            body.push(line("sum"));
            items.push(nest(
                format!("†\n    fn {f}{generics}(m: {ty}, x: ƒ) -> ƒ"),
                body,
            ));
            for own in types.iter().take(2) {
                let receiver = if changes.is_some() {
                    Ty::OwnMut(own.clone())
                } else {
                    Ty::OwnRef(own.clone())
                };
                self.callees.push(Callee {
                    path: f.clone(),
                    params: vec![receiver, Ty::Float],
                    ret: Ty::Float,
                    recursive: false,
                    cheap: true,
                    method: false,
                });
            }
        }
    }

    /// A function generic over the float: `fn g<T: Float>(a: T, b: T) -> T`.
    pub(super) fn float_generic(&mut self, items: &mut Vec<Item>) {
        let name = self.name("g");
        let many = self.rng.percent(50);
        let last = if many {
            "&[⟨T│D⟩]"
        } else {
            "⟨T│D⟩"
        };
        let mut body = Vec::new();
        let first = self.generic_term("a", "b");
        body.push(line(format!("let mut s = {first};")));
        if many {
            body.truncate(0);
            body.push(line("let mut s = a;"));
            let term = self.generic_term("b[i]", "s");
            body.push(nest(
                "for i in 0..b.len()",
                vec![line(format!("s = {term};"))],
            ));
        } else if self.rng.percent(50) {
            let (x, y) = (self.generic_term("s", "b"), self.generic_term("s", "a"));
            body.push(Item::Nest {
                parts: vec![
                    (
                        "if s > ⟨T::zero()│num(0.0)⟩".into(),
                        vec![line(format!("s = {x};"))],
                    ),
                    ("else".into(), vec![line(format!("s = s - {y};"))]),
                ],
                tail: String::new(),
            });
        }
        body.push(line("s"));
        items.push(nest(
            format!("†\n    fn {name}⟨<T: Float>│⟩(a: ⟨T│D⟩, b: {last}) -> ⟨T│D⟩"),
            body,
        ));
        self.callees.push(Callee {
            path: name,
            params: vec![Ty::Float, if many { Ty::Slice } else { Ty::Float }],
            ret: Ty::Float,
            recursive: false,
            cheap: true,
            method: false,
        });
    }

    fn generic_term(&mut self, a: &str, b: &str) -> String {
        let one = "⟨T::one()│num(1.0)⟩";
        let third = "⟨T::from(0.3).unwrap()│num(0.3)⟩";
        match self.rng.below(7) {
            0 => format!("({a} * {b}).sin() + {third} * {a}"),
            1 => format!("{a} / ({one} + {b} * {b})"),
            2 => format!("({a}.abs() + {third}).ln() * {b}.tanh()"),
            3 => format!("{a}.max({b}) * {third} - {a}"),
            4 => format!("({one} - {a}.cos()) * {b}.powi(2).sin()"),
            5 => format!("{third} * {a} + ({a} * {a} + {one}).sqrt().sin() - {b}.atan2({one})"),
            _ => format!("{a}.mul_add({third}, {b}.sin())"),
        }
    }
}
