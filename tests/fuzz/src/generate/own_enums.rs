//! Enums with data: states of machines, matches, payloads that change in place.

use super::Gen;
use super::own::{Body, Own};
use super::scope::Ty;
use crate::text::{Item, line, literal, nest};

impl Gen<'_> {
    /// An enum as the state of a machine.
    pub(super) fn machine(&mut self) -> Option<Vec<Item>> {
        let own = self.any_type(|t| t.fields().is_none())?;
        let start = self.own_value(&own, 1);
        let (s, k) = (self.name("s"), self.name("k"));
        let ty = Ty::Own(own.clone());
        let text = format!("let mut {s}: {} = {start};", ty.text());
        self.scope.declare(&s, ty, true);
        let steps = self.rng.within(2, 4);
        self.loops += 1;
        let body = self.scoped(|g| {
            g.scope.declare_counter(&k, Ty::Size);
            let arms = g.arms(&own, "", |g| g.own_value(&own, 1));
            let mut body = vec![nest(format!("{s} = match {s}"), arms)];
            if let Some(Item::Nest { tail, .. }) = body.last_mut() {
                *tail = ";".into();
            }
            if g.rng.percent(40) {
                body.extend(g.in_place(&s, &own));
            }
            body
        });
        self.loops -= 1;
        let mut items = vec![line(text), nest(format!("for {k} in 0..{steps}"), body)];
        items.extend(self.matched(&s, &own));
        Some(items)
    }

    /// `if let E::A(x) = &mut s { *x += …; }`
    fn in_place(&mut self, s: &str, own: &Own) -> Vec<Item> {
        let (path, variant) = own.variant(0);
        let x = self.name("x");
        let mut parts = vec!["_".to_owned(); variant.fields.len()];
        parts[0].clone_from(&x);
        self.scope.lock(s, true);
        let e = self.purely(|g| g.bounded(1)).text;
        self.scope.unlock(s, true);
        let half = literal("0.5");
        let body = match self.rng.below(2) {
            0 => format!("*{x} = *{x} * {half} + {e};"),
            _ => format!("⟨*{x} *= {e}│{{ let late = {e}; *{x} *= late; }}⟩;"),
        };
        let pattern = variant.written(&path, &parts);
        vec![nest(
            format!("if let {pattern} = &mut {s}"),
            vec![line(body)],
        )]
    }

    /// Arms for all variants, sometimes with guards. `mark` is that of the value that is matched.
    fn arms(&mut self, own: &Own, mark: &str, value: impl Fn(&mut Self) -> String) -> Vec<Item> {
        let Body::Enum(all) = &own.body else {
            return Vec::new();
        };
        let mut arms = Vec::new();
        for (k, variant) in all.iter().enumerate() {
            let path = own.variant(k).0;
            for guarded in [true, false] {
                if guarded && !self.rng.percent(35) {
                    continue;
                }
                let arm = self.scoped(|g| {
                    let mut parts = Vec::new();
                    for (_, ty) in &variant.fields {
                        let x = g.name("x");
                        let ty = match ty {
                            Ty::Float if mark == "&" => Some(Ty::Ref),
                            Ty::Array(n) if mark == "&" => Some(Ty::ArrayRef(*n)),
                            Ty::Size => None,
                            ty => Some(ty.clone()),
                        };
                        match ty {
                            Some(ty) => {
                                g.scope.declare(&x, ty, false);
                                parts.push(x);
                            }
                            None => parts.push("_".to_owned()),
                        }
                    }
                    let pattern = variant.written(&path, &parts);
                    let guard = if guarded {
                        format!(" if {}", g.condition(0))
                    } else {
                        String::new()
                    };
                    let e = g.purely(&value);
                    line(format!("{pattern}{guard} => {e},"))
                });
                arms.push(arm);
            }
        }
        arms
    }

    /// A float from the value of an enum.
    fn matched(&mut self, s: &str, own: &Own) -> Vec<Item> {
        let arms = self.arms(own, "&", |g| g.receiver(1));
        let x = self.name("x");
        let mut item = nest(format!("let mut {x}: ƒ = match &{s}"), arms);
        if let Item::Nest { tail, .. } = &mut item {
            *tail = ";".into();
        }
        self.scope.declare(&x, Ty::Float, true);
        vec![item]
    }

    pub(super) fn own_match(&mut self) -> Option<Vec<Item>> {
        let vars = self
            .scope
            .readable(|v| matches!(&v.ty, Ty::Own(o) | Ty::OwnRef(o) if o.fields().is_none()));
        let var = vars.get(self.rng.below(vars.len().max(1)))?.clone();
        let (Ty::Own(own) | Ty::OwnRef(own)) = &var.ty else {
            return None;
        };
        if matches!(var.ty, Ty::Own(_)) && var.writable && var.shared == 0 && self.rng.percent(40) {
            return Some(self.in_place(&var.name, own));
        }
        let name = if matches!(var.ty, Ty::OwnRef(_)) {
            format!("*{}", var.name)
        } else {
            var.name.clone()
        };
        Some(self.matched(&name, own))
    }
}
