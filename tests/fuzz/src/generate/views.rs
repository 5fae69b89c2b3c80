//! References to parts of variables.

use super::Gen;
use super::scope::Ty;
use crate::text::{Item, line, nest};

impl Gen<'_> {
    /// A view in a block of its own, during which its root is out of reach (or read-only).
    pub(super) fn view(&mut self) -> Option<Vec<Item>> {
        match self.choose(&[
            (30, "view-float-mut"),
            (8, "view-float"),
            (20, "view-slice-mut"),
            (18, "view-slice"),
            (12, "view-chosen"),
            (8, "view-reassigned"),
            (8, "view-row"),
        ]) {
            "view-float" => self.shared_float_view(),
            "view-slice-mut" => self.slice_view(true),
            "view-slice" => self.slice_view(false),
            "view-chosen" => self.chosen_view(),
            "view-reassigned" => self.reassigned_view(),
            "view-row" => self.row_view(),
            _ => self.float_view(),
        }
    }

    /// `{ let r = …; body }` with the roots locked.
    fn under(
        &mut self,
        roots: &[String],
        exclusive: bool,
        head: String,
        views: &[(String, Ty)],
    ) -> Vec<Item> {
        for root in roots {
            self.scope.lock(root, exclusive);
        }
        let body = self.scoped(|g| {
            for (name, ty) in views {
                g.scope.declare(name, ty.clone(), ty.in_out());
            }
            let mut items = vec![line(head)];
            if let Some((name, Ty::RefMut)) = views.first() {
                let e = g.purely(|g| g.bounded(1)).text;
                let op = g.rng.pick(&["*=", "+=", "=", "-="]).to_string();
                items.push(line(format!(
                    "⟨*{name} {op} {e}│{{ let late = {e}; *{name} {op} late; }}⟩;"
                )));
            }
            items.extend(g.block(1, 4));
            items
        });
        for root in roots {
            self.scope.unlock(root, exclusive);
        }
        vec![nest("", body)]
    }

    fn float_view(&mut self) -> Option<Vec<Item>> {
        let vars = self.scope.writable(|v| super::places::holds_floats(&v.ty));
        let var = vars.get(self.rng.below(vars.len().max(1)))?.clone();
        let (before, place) = self.place_to_borrow(&var)?;
        let r = self.name("r");
        Some(self.under(
            &[var.name],
            true,
            format!("{before}let {r} = &mut {place};"),
            &[(r, Ty::RefMut)],
        ))
    }

    /// `let r = &place;`
    fn shared_float_view(&mut self) -> Option<Vec<Item>> {
        let vars = self.scope.readable(|v| super::places::holds_floats(&v.ty));
        let var = vars.get(self.rng.below(vars.len().max(1)))?.clone();
        let place = self.place_in(&var)?;
        let r = self.name("r");
        let annotation = if self.rng.percent(30) { ": &ƒ" } else { "" };
        let head = format!("let {r}{annotation} = &{place};");
        Some(self.under(&[var.name], false, head, &[(r, Ty::Ref)]))
    }

    fn slice_view(&mut self, exclusive: bool) -> Option<Vec<Item>> {
        let fits = |ty: &Ty| {
            if exclusive {
                ty.is_sequence() && (ty.in_out() || matches!(ty, Ty::Array(_) | Ty::Vector))
            } else {
                ty.is_sequence()
            }
        };
        let vars = if exclusive {
            self.scope.writable(|v| fits(&v.ty))
        } else {
            self.scope.readable(|v| fits(&v.ty))
        };
        let var = vars.get(self.rng.below(vars.len().max(1)))?.clone();
        let (name, s, n) = (&var.name, self.name("s"), self.name("n"));
        let i = self.size(1);
        let range = match self.rng.below(4) {
            0 => "[..]".to_string(),
            1 => format!("[{n}..]"),
            2 => format!("[..{n} + 1]"),
            _ => format!("[{n}..{n} + 1]"),
        };
        let mutability = if exclusive { "mut " } else { "" };
        let head = format!(
            "let {n} = {} % {name}.len();\nlet {s} = &{mutability}{name}{range};",
            self.grouped(&i)
        );
        let ty = if exclusive { Ty::SliceMut } else { Ty::Slice };
        Some(self.under(std::slice::from_ref(name), exclusive, head, &[(s, ty)]))
    }

    /// `let r = if c { &mut a } else { &mut b };`
    fn chosen_view(&mut self) -> Option<Vec<Item>> {
        let c = self.condition(1);
        let r = self.name("r");
        if self.rng.percent(30) {
            let vars = self.scope.readable(|v| v.ty.is_sequence());
            let (a, b) = (vars.first()?.clone(), vars.last()?.clone());
            let head = format!(
                "let {r}: &[ƒ] = if {c} {{ &{}[..] }} else {{ &{}[..] }};",
                a.name, b.name
            );
            return Some(self.under(&[a.name, b.name], false, head, &[(r, Ty::Slice)]));
        }
        let vars = self
            .scope
            .writable(|v| matches!(v.ty, Ty::Float | Ty::Array(_) | Ty::Tuple(_) | Ty::Vector));
        let a = vars.get(self.rng.below(vars.len().max(1)))?.clone();
        let b = vars.iter().rev().find(|v| v.name != a.name)?.clone();
        let ((before, p), (also, q)) = (self.place_to_borrow(&a)?, self.place_to_borrow(&b)?);
        let head = format!("{before}{also}let {r} = if {c} {{ &mut {p} }} else {{ &mut {q} }};");
        Some(self.under(&[a.name, b.name], true, head, &[(r, Ty::RefMut)]))
    }

    /// A slice variable that moves over its data, in a loop sometimes.
    fn reassigned_view(&mut self) -> Option<Vec<Item>> {
        let vars = self.scope.readable(|v| v.ty.is_sequence());
        let a = vars.first()?.clone();
        let b = vars.last()?.clone();
        let s = self.name("s");
        let head = format!("let mut {s}: &[ƒ] = &{}[..];", a.name);
        let step = if self.rng.percent(50) {
            format!("if {s}.len() > 1 {{ {s} = &{s}[1..]; }}")
        } else {
            let c = self.condition(0);
            format!("if {c} {{ {s} = &{}[..]; }}", b.name)
        };
        let mut items = self.under(&[a.name, b.name], false, head, &[(s, Ty::Slice)]);
        if let Item::Nest { parts, .. } = &mut items[0] {
            let body = &mut parts[0].1;
            let used = body.split_off(1);
            body.push(line(step));
            body.extend(used);
        }
        Some(items)
    }

    fn row_view(&mut self) -> Option<Vec<Item>> {
        let exclusive = self.rng.percent(50);
        let fits = |ty: &Ty| {
            matches!(ty, Ty::Matrix(..))
                || (!exclusive && matches!(ty, Ty::MatrixSlice(_) | Ty::Rows | Ty::RowsSlice))
        };
        let vars = if exclusive {
            self.scope.writable(|v| fits(&v.ty))
        } else {
            self.scope.readable(|v| fits(&v.ty))
        };
        let var = vars.get(self.rng.below(vars.len().max(1)))?.clone();
        let r = self.name("row");
        let n = self.length(&var);
        let (i, at) = (self.index(&n), self.name("n"));
        let mutability = if exclusive { "mut " } else { "" };
        let part = if self.rng.percent(50) { "[..]" } else { "" };
        let head = format!(
            "let {at} = {i};\nlet {r} = &{mutability}{}[{at}]{part};",
            var.name
        );
        let ty = match (&var.ty, part, exclusive) {
            (Ty::Matrix(_, m) | Ty::MatrixSlice(m), "", false) => Ty::ArrayRef(*m),
            (_, "", false) => Ty::VectorRef,
            (_, _, false) => Ty::Slice,
            (_, _, true) => Ty::SliceMut,
        };
        // A `&mut [f64; N]` is not a slice: only elements are used.
        Some(self.under(&[var.name], exclusive, head, &[(r, ty)]))
    }
}
