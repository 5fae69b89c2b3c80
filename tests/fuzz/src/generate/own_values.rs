//! Values of the program's own types.

use std::rc::Rc;

use super::Gen;
use super::own::{Body, Own};
use super::scope::{Ty, Var};

impl Gen<'_> {
    /// A value of an own type.
    pub(super) fn own_value(&mut self, own: &Rc<Own>, depth: usize) -> String {
        let same = self.scope.readable(|v| match &v.ty {
            Ty::Own(o) | Ty::OwnRef(o) | Ty::OwnMut(o) | Ty::OwnVec(o) | Ty::OwnSlice(o) => {
                o == own
            }
            _ => false,
        });
        let of = |some: bool| usize::from(some);
        let deeper = depth > 0;
        let kind = self.choose(&[
            (30, "own-literal"),
            (24 * of(!same.is_empty()), "own-copied"),
            (
                10 * of(own.copy && own.fields().is_some() && !same.is_empty()),
                "own-base",
            ),
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
        let parts: Vec<String> = variant
            .fields
            .iter()
            .map(|(_, t)| self.part(t, depth))
            .collect();
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
                    Ty::Own(p)
                    | Ty::OwnRef(p)
                    | Ty::OwnMut(p)
                    | Ty::OwnVec(p)
                    | Ty::OwnSlice(p) => p == o,
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
        let same = self
            .scope
            .readable(|v| matches!(&v.ty, Ty::OwnVec(o) if o == own));
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
}
