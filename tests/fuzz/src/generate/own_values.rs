//! Values of the program's own types, and statements with them.

use std::rc::Rc;

use super::Gen;
use super::own::{Body, Own};
use super::scope::{Ty, Var};
use crate::text::{Item, line, literal, nest};

impl Gen<'_> {
    /// A value of an own type.
    pub(super) fn own_value(&mut self, own: &Rc<Own>, depth: usize) -> String {
        let same = self.scope.readable(|v| match &v.ty {
            Ty::Own(o) | Ty::OwnRef(o) | Ty::OwnMut(o) | Ty::OwnVec(o) | Ty::OwnSlice(o) => o == own,
            _ => false,
        });
        let of = |some: bool| usize::from(some);
        let deeper = depth > 0;
        let kind = self.choose(&[
            (30, "own-literal"),
            (24 * of(!same.is_empty()), "own-copied"),
            (10 * of(own.copy && own.fields().is_some() && !same.is_empty()), "own-base"),
            (60 * of(own.vector && deeper), "own-operator"),
            (5 * of(deeper), "own-chosen"),
            (8 * of(deeper && self.pure == 0), "own-returned"),
        ]);
        let d = depth.saturating_sub(1);
        match kind {
            "own-copied" => {
                let var = same[self.rng.below(same.len())].clone();
                self.own_copy(&var, own.copy)
            }
            "own-base" => {
                let var = same[self.rng.below(same.len())].clone();
                let base = self.own_copy(&var, true);
                let (path, variant) = own.variant(0);
                let k = self.rng.below(variant.fields.len());
                let (name, ty) = variant.fields[k].clone();
                let e = self.part(&ty, d);
                format!("{path} {{ {name}: {e}, ..{base} }}")
            }
            "own-operator" => {
                let a = self.own_value(own, d);
                match self.rng.below(6) {
                    0 => format!("(-{a})"),
                    1 | 2 => {
                        let x = self.purely(|g| g.bounded(d)).text;
                        format!("({x} * {a})")
                    }
                    3 => {
                        let b = self.own_value(own, d);
                        format!("({a} - {b})")
                    }
                    _ => {
                        let b = self.own_value(own, d);
                        format!("({a} + {b})")
                    }
                }
            }
            "own-chosen" => {
                let c = self.condition(1);
                let (a, b) = (self.own_value(own, 0), self.own_value(own, 0));
                format!("(if {c} {{ {a} }} else {{ {b} }})")
            }
            "own-returned" => {
                let call = self.call_that(|c| matches!(&c.ret, Ty::Own(o) if o == own));
                call.unwrap_or_else(|| self.own_literal(own, 0))
            }
            _ => self.own_literal(own, d),
        }
    }

    fn own_literal(&mut self, own: &Own, depth: usize) -> String {
        let k = match &own.body {
            Body::Struct(_) => 0,
            Body::Enum(all) => self.rng.below(all.len()),
        };
        let (path, variant) = own.variant(k);
        let parts: Vec<String> = variant.fields.iter().map(|(_, t)| self.part(t, depth)).collect();
        variant.written(&path, &parts)
    }

    /// The value of a field.
    fn part(&mut self, ty: &Ty, depth: usize) -> String {
        match ty {
            Ty::Size => format!("{} % 5", self.size(0)),
            ty => self.value(ty, depth.min(1)),
        }
    }

    /// A copy of the value in a variable.
    fn own_copy(&mut self, var: &Var, copy: bool) -> String {
        let name = &var.name;
        match (&var.ty, copy) {
            (Ty::OwnRef(_) | Ty::OwnMut(_), true) if self.rng.percent(70) => format!("*{name}"),
            (Ty::OwnVec(_) | Ty::OwnSlice(_), true) => format!("{name}[0]"),
            (Ty::OwnVec(_) | Ty::OwnSlice(_), false) => format!("{name}[{name}.len() - 1].clone()"),
            (Ty::Own(_), true) => name.clone(),
            _ => format!("{name}.clone()"),
        }
    }

    pub(super) fn own_argument(&mut self, ty: &Ty, depth: usize) -> String {
        match ty {
            Ty::OwnRef(o) => {
                let vars = self.scope.readable(|v| match &v.ty {
                    Ty::Own(p) | Ty::OwnRef(p) | Ty::OwnMut(p) | Ty::OwnVec(p) | Ty::OwnSlice(p) => p == o,
                    _ => false,
                });
                match vars.get(self.rng.below(vars.len().max(1))) {
                    Some(v) => match v.ty {
                        Ty::OwnRef(_) => v.name.clone(),
                        Ty::OwnMut(_) => format!("&*{}", v.name),
                        Ty::OwnVec(_) | Ty::OwnSlice(_) => format!("&{}[0]", v.name),
                        _ => format!("&{}", v.name),
                    },
                    None => format!("&{}", self.own_value(o, depth)),
                }
            }
            Ty::OwnSlice(o) => {
                let vars = self
                    .scope
                    .readable(|v| matches!(&v.ty, Ty::OwnVec(p) | Ty::OwnSlice(p) if p == o));
                match vars.get(self.rng.below(vars.len().max(1))) {
                    Some(v) if matches!(v.ty, Ty::OwnSlice(_)) => v.name.clone(),
                    Some(v) => format!("&{}", v.name),
                    None => format!("&[{}]", self.own_value(o, depth)),
                }
            }
            Ty::OwnVec(o) => self.own_list(o, depth),
            Ty::Own(o) => self.own_value(o, depth),
            _ => unreachable!("an own type"),
        }
    }

    pub(super) fn own_list(&mut self, own: &Rc<Own>, depth: usize) -> String {
        let same = self.scope.readable(|v| matches!(&v.ty, Ty::OwnVec(o) if o == own));
        self.unmarked += 1;
        let text = match (same.first(), self.rng.below(4)) {
            (Some(v), 0) => format!("{}.clone()", v.name),
            (_, 1) => {
                let e = self.purely(|g| g.own_value(own, depth));
                format!("vec![{e}; {}]", self.rng.within(1, 3))
            }
            _ => {
                let n = self.rng.within(1, 3);
                let parts: Vec<String> = (0..n).map(|_| self.own_value(own, depth)).collect();
                format!("vec![{}]", parts.join(", "))
            }
        };
        self.unmarked -= 1;
        text
    }

    /// A statement with values of own types.
    pub(super) fn own_statement(&mut self) -> Option<Vec<Item>> {
        let of = |some: bool| usize::from(some);
        let lists = self.scope.writable(|v| matches!(v.ty, Ty::OwnVec(_)));
        let structs = self.scope.writable(|v| matches!(&v.ty, Ty::Own(o) if o.fields().is_some()));
        let enums = self.types.iter().any(|t| t.fields().is_none());
        let looping = of(self.depth < super::stmt::MAX_DEPTH && self.loops < 2);
        match self.choose(&[
            (26, "own-let"),
            (12, "own-let-vec"),
            (14, "own-assign"),
            (10, "own-assign-operator"),
            (9, "own-pattern"),
            (7 * of(!structs.is_empty()), "own-swap"),
            (12 * looping, "own-for"),
            (8 * of(!structs.is_empty()), "own-borrow"),
            (8 * of(!lists.is_empty()), "own-push"),
            (16 * of(enums) * looping, "own-machine"),
            (12 * of(enums), "own-match"),
        ]) {
            "own-let-vec" => {
                let own = self.any_struct()?;
                let e = self.own_list(&own, 1);
                let v = self.name("u");
                let list = Ty::OwnVec(own);
                let text = list.text();
                self.scope.declare(&v, list, true);
                Some(vec![line(format!("let mut {v}: {text} = {e};"))])
            }
            "own-assign" => self.own_assign(),
            "own-assign-operator" => {
                let vars = self.scope.writable(|v| matches!(&v.ty, Ty::Own(o) | Ty::OwnMut(o) if o.vector));
                let var = vars.get(self.rng.below(vars.len().max(1)))?.clone();
                let (Ty::Own(own) | Ty::OwnMut(own)) = &var.ty else {
                    return None;
                };
                let e = self.purely(|g| g.own_value(own, 2));
                let mark = if matches!(var.ty, Ty::OwnMut(_)) { "*" } else { "" };
                Some(vec![line(format!("{mark}{} += {e};", var.name))])
            }
            "own-pattern" => self.own_pattern(),
            "own-swap" => {
                let a = structs[self.rng.below(structs.len())].clone();
                let b = structs.iter().find(|b| b.name != a.name && b.ty == a.ty)?;
                if self.rng.percent(40) {
                    let x = self.name("s");
                    let text = format!(
                        "let mut {x} = std::mem::replace(&mut {}, {}.clone());",
                        a.name, b.name
                    );
                    self.scope.declare(&x, a.ty, true);
                    return Some(vec![line(text)]);
                }
                Some(vec![line(format!("std::mem::swap(&mut {}, &mut {});", a.name, b.name))])
            }
            "own-for" => self.own_for(),
            "own-borrow" => self.own_borrow(&structs),
            "own-push" => {
                let var = lists[self.rng.below(lists.len())].clone();
                let Ty::OwnVec(own) = &var.ty else {
                    return None;
                };
                let v = &var.name;
                if self.rng.percent(35) {
                    return Some(vec![line(format!("if {v}.len() > 1 {{ {v}.pop(); }}"))]);
                }
                let e = self.purely(|g| g.own_value(own, 1));
                Some(vec![line(format!("if {v}.len() < 5 {{ {v}.push({e}); }}"))])
            }
            "own-machine" => self.machine(),
            "own-match" => self.own_match(),
            _ => {
                let own = self.any_type(|_| true)?;
                let e = self.own_value(&own, 2);
                let s = self.name("s");
                let ty = Ty::Own(own);
                let annotation = if self.rng.percent(50) {
                    format!(": {}", ty.text())
                } else {
                    String::new()
                };
                self.scope.declare(&s, ty, true);
                Some(vec![line(format!("let mut {s}{annotation} = {e};"))])
            }
        }
    }

    fn own_assign(&mut self) -> Option<Vec<Item>> {
        let vars = self
            .scope
            .writable(|v| matches!(&v.ty, Ty::Own(_) | Ty::OwnMut(_) | Ty::OwnVec(_)));
        let var = vars.get(self.rng.below(vars.len().max(1)))?.clone();
        let (Ty::Own(own) | Ty::OwnMut(own) | Ty::OwnVec(own)) = &var.ty else {
            return None;
        };
        let place = match var.ty {
            Ty::OwnMut(_) => format!("*{}", var.name),
            Ty::OwnVec(_) => format!("{}[0]", var.name),
            _ => var.name.clone(),
        };
        // A field that is a struct itself.
        let inner = own.fields().unwrap_or_default();
        let inner = inner.iter().find(|(_, t)| matches!(t, Ty::Own(_)));
        if let Some((field, Ty::Own(part))) = inner
            && self.rng.percent(40)
        {
            let e = self.purely(|g| g.own_value(part, 1));
            let base = place.trim_start_matches('*');
            return Some(vec![line(format!("{base}.{field} = {e};"))]);
        }
        let e = self.purely(|g| g.own_value(own, 2));
        Some(vec![line(format!("{place} = {e};"))])
    }

    /// `let S { x, f0: y, .. } = s;`
    fn own_pattern(&mut self) -> Option<Vec<Item>> {
        let own = self.any_struct()?;
        let e = self.purely(|g| g.own_value(&own, 1));
        let (path, variant) = own.variant(0);
        let mut parts = Vec::new();
        let mut declared = Vec::new();
        for (_, ty) in &variant.fields {
            if *ty == Ty::Size || self.rng.percent(15) {
                parts.push("_".to_owned());
                continue;
            }
            let x = self.name("x");
            parts.push(x.clone());
            declared.push((x, ty.clone()));
        }
        for (x, ty) in declared {
            self.scope.declare(&x, ty, false);
        }
        Some(vec![line(format!("let {} = {e};", variant.written(&path, &parts)))])
    }

    fn own_for(&mut self) -> Option<Vec<Item>> {
        let vars = self
            .scope
            .readable(|v| matches!(&v.ty, Ty::OwnVec(_) | Ty::OwnSlice(_)));
        let var = vars.get(self.rng.below(vars.len().max(1)))?.clone();
        let (Ty::OwnVec(own) | Ty::OwnSlice(own)) = &var.ty else {
            return None;
        };
        let s = self.name("s");
        let owned = matches!(var.ty, Ty::OwnVec(_));
        let writing = owned && var.writable && var.shared == 0 && self.rng.percent(50);
        let (chain, ty) = match (writing, self.rng.below(3)) {
            (true, 0) => (format!("&mut {}", var.name), Ty::OwnMut(own.clone())),
            (true, _) => (format!("{}.iter_mut()", var.name), Ty::OwnMut(own.clone())),
            (false, 0) if owned => (format!("&{}", var.name), Ty::OwnRef(own.clone())),
            (false, 1) if own.copy => (format!("{}.iter().copied()", var.name), Ty::Own(own.clone())),
            _ => (format!("{}.iter()", var.name), Ty::OwnRef(own.clone())),
        };
        self.scope.lock(&var.name, writing);
        let (label, body) = self.loop_body(|g| g.scope.declare(&s, ty, writing));
        self.scope.unlock(&var.name, writing);
        Some(vec![nest(format!("{label}for {s} in {chain}"), body)])
    }

    /// A block in which a reference has a name.
    fn own_borrow(&mut self, structs: &[Var]) -> Option<Vec<Item>> {
        let var = structs[self.rng.below(structs.len())].clone();
        let Ty::Own(own) = &var.ty else {
            return None;
        };
        let r = self.name("r");
        let writing = self.rng.percent(60);
        let inner = own.fields()?.iter().find(|(_, t)| matches!(t, Ty::Own(_)));
        let (place, own) = match inner {
            Some((field, Ty::Own(part))) if self.rng.percent(50) => (format!("{}.{field}", var.name), part),
            _ => (var.name.clone(), own),
        };
        self.scope.lock(&var.name, writing);
        let mut body = self.scoped(|g| {
            let ty = if writing { Ty::OwnMut(own.clone()) } else { Ty::OwnRef(own.clone()) };
            g.scope.declare(&r, ty, writing);
            g.block(1, 3)
        });
        self.scope.unlock(&var.name, writing);
        let mark = if writing { "&mut " } else { "&" };
        body.insert(0, line(format!("let {r} = {mark}{place};")));
        Some(vec![nest("", body)])
    }

    /// An enum as the state of a machine.
    fn machine(&mut self) -> Option<Vec<Item>> {
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
        items.extend(self.matched(&s, &own, ""));
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
        vec![nest(format!("if let {pattern} = &mut {s}"), vec![line(body)])]
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
    fn matched(&mut self, s: &str, own: &Own, mark: &str) -> Vec<Item> {
        let by = if mark.is_empty() && self.rng.percent(50) { "&" } else { mark };
        let arms = self.arms(own, "&", |g| g.receiver(1));
        let x = self.name("x");
        let mut item = nest(format!("let mut {x}: ƒ = match {}{s}", if by.is_empty() { "&" } else { by }), arms);
        if let Item::Nest { tail, .. } = &mut item {
            *tail = ";".into();
        }
        self.scope.declare(&x, Ty::Float, true);
        vec![item]
    }

    fn own_match(&mut self) -> Option<Vec<Item>> {
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
        Some(self.matched(&name, own, "&"))
    }
}
