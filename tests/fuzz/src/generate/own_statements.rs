//! Statements with values of the program's own types.

use super::Gen;
use super::scope::{Ty, Var};
use crate::text::{Item, line, nest};

impl Gen<'_> {
    /// A statement with values of own types.
    pub(super) fn own_statement(&mut self) -> Option<Vec<Item>> {
        let of = |some: bool| usize::from(some);
        let lists = self.scope.writable(|v| matches!(v.ty, Ty::OwnVec(_)));
        let structs = self
            .scope
            .writable(|v| matches!(&v.ty, Ty::Own(o) if o.fields().is_some()));
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
                let vars = self
                    .scope
                    .writable(|v| matches!(&v.ty, Ty::Own(o) | Ty::OwnMut(o) if o.vector));
                let var = vars.get(self.rng.below(vars.len().max(1)))?.clone();
                let (Ty::Own(own) | Ty::OwnMut(own)) = &var.ty else {
                    return None;
                };
                let e = self.purely(|g| g.own_value(own, 2));
                let mark = if matches!(var.ty, Ty::OwnMut(_)) {
                    "*"
                } else {
                    ""
                };
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
                Some(vec![line(format!(
                    "std::mem::swap(&mut {}, &mut {});",
                    a.name, b.name
                ))])
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
                    let annotation = format!(": {}", ty.text());
                    self.scope.declare_typed(&s, ty, true);
                    annotation
                } else {
                    self.scope.declare(&s, ty, true);
                    String::new()
                };
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
            self.scope.declare_taken(&x, ty);
        }
        Some(vec![line(format!(
            "let {} = {e};",
            variant.written(&path, &parts)
        ))])
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
            (false, 1) if own.copy => (
                format!("{}.iter().copied()", var.name),
                Ty::Own(own.clone()),
            ),
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
            Some((field, Ty::Own(part))) if self.rng.percent(50) => {
                (format!("{}.{field}", var.name), part)
            }
            _ => (var.name.clone(), own),
        };
        self.scope.lock(&var.name, writing);
        let mut body = self.scoped(|g| {
            let ty = if writing {
                Ty::OwnMut(own.clone())
            } else {
                Ty::OwnRef(own.clone())
            };
            g.scope.declare(&r, ty, writing);
            g.block(1, 3)
        });
        self.scope.unlock(&var.name, writing);
        let mark = if writing { "&mut " } else { "&" };
        body.insert(0, line(format!("let {r} = {mark}{place};")));
        Some(vec![nest("", body)])
    }
}
