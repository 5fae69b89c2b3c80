//! Places of floats, and indices.

use super::Gen;
use super::scope::{Ty, Var};
use crate::text::to_int;

impl Gen<'_> {
    /// An index expression below `len` (`len` is a literal or `v.len()`).
    pub(super) fn index(&mut self, len: &str) -> String {
        let fixed: Option<usize> = len.parse().ok();
        match self.choose(&[
            (40, "index-literal"),
            (35, "index-int"),
            (12, "index-data"),
            (8, "index-last"),
        ]) {
            "index-int" => {
                let i = self.size(1);
                format!("{} % {len}", self.grouped(&i))
            }
            "index-data" => {
                let scale = crate::text::literal("3.0");
                let place = self
                    .float_scalar()
                    .unwrap_or_else(|| "⟨0.6_f64│num(0.6)⟩".into());
                format!(
                    "{} % {len}",
                    to_int(&format!("({place}).abs() * {scale}"), "usize")
                )
            }
            "index-last" => match fixed {
                Some(n) => (n - 1).to_string(),
                None => format!("{len} - 1"),
            },
            _ => match fixed {
                Some(n) => self.rng.below(n).to_string(),
                None => "0".to_string(),
            },
        }
    }

    /// The length of a sequence variable, as it can be written in an index.
    pub(super) fn length(&mut self, var: &Var) -> String {
        match &var.ty {
            Ty::Array(n) | Ty::ArrayRef(n) | Ty::ArrayMut(n) if self.rng.percent(80) => {
                n.to_string()
            }
            Ty::Matrix(n, _) if self.rng.percent(80) => n.to_string(),
            _ => format!("{}.len()", var.name),
        }
    }

    /// A variable that is a float itself: fit for an index.
    fn float_scalar(&mut self) -> Option<String> {
        let vars = self.scope.readable(|v| v.ty == Ty::Float);
        (!vars.is_empty()).then(|| vars[self.rng.below(vars.len())].name.clone())
    }

    /// A place of type float inside `var`.
    pub(super) fn place_in(&mut self, var: &Var) -> Option<String> {
        let name = &var.name;
        Some(match &var.ty {
            Ty::Float => name.clone(),
            Ty::Ref | Ty::RefMut => format!("*{name}"),
            Ty::Tuple(n) => format!("{name}.{}", self.rng.below(*n)),
            Ty::Mixed => format!("{name}.0"),
            Ty::TupleMut => format!("{name}.{}", self.rng.below(2)),
            Ty::Pairs(n) => format!(
                "{name}[{}].{}",
                self.index(&n.to_string()),
                self.rng.below(2)
            ),
            Ty::Own(o) | Ty::OwnRef(o) | Ty::OwnMut(o) => {
                return self
                    .element_place(var, o, false)
                    .or_else(|| self.field_place(name, o, false));
            }
            Ty::OwnVec(o) | Ty::OwnSlice(o) => {
                let i = self.index(&format!("{name}.len()"));
                return self.field_place(&format!("{name}[{i}]"), o, false);
            }
            Ty::Points => format!(
                "{name}[{}][{}]",
                self.index(&format!("{name}.len()")),
                self.index("2")
            ),
            Ty::Matrix(_, m) => {
                let (m, n) = (m.to_string(), self.length(var));
                let (i, j) = (self.index(&n), self.index(&m));
                format!("{name}[{i}][{j}]")
            }
            Ty::MatrixSlice(m) => {
                let i = self.index(&format!("{name}.len()"));
                let j = self.index(&m.to_string());
                format!("{name}[{i}][{j}]")
            }
            Ty::Rows | Ty::RowsSlice => {
                let k = if self.rng.percent(50) {
                    "0".to_string()
                } else {
                    format!("{name}.len() - 1")
                };
                let j = self.index(&format!("{name}[{k}].len()"));
                format!("{name}[{k}][{j}]")
            }
            ty if ty.is_sequence() => {
                let n = self.length(var);
                format!("{name}[{}]", self.index(&n))
            }
            _ => return None,
        })
    }

    /// A float to read. Scalars are preferred.
    pub(super) fn float_place(&mut self) -> Option<String> {
        let scalars = self.scope.readable(|v| v.ty == Ty::Float);
        let all = self.scope.readable(|v| holds_floats(&v.ty));
        let from = if !scalars.is_empty() && self.rng.percent(55) {
            scalars
        } else {
            all
        };
        // Later variables carry more of the computation.
        let at =
            from.len().checked_sub(1)? - self.rng.below(from.len()).min(self.rng.below(from.len()));
        self.place_in(&from[at])
    }

    /// A float to write, after the statement that computes its index.
    pub(super) fn float_target(&mut self) -> Option<(String, String)> {
        let from = self.scope.writable(|v| holds_floats(&v.ty));
        let var = from.get(self.rng.below(from.len().max(1)))?.clone();
        if matches!(var.ty, Ty::Vector | Ty::VectorMut) {
            self.place_to_borrow(&var)
        } else {
            Some((String::new(), self.place_to_write(&var)?))
        }
    }

    /// A place in `var` that may be assigned. Nested vectors cannot be indexed by their own lengths there.
    pub(super) fn place_to_write(&mut self, var: &Var) -> Option<String> {
        match &var.ty {
            Ty::Own(o) | Ty::OwnMut(o) => self
                .element_place(var, o, true)
                .or_else(|| self.field_place(&var.name, o, true)),
            Ty::OwnVec(o) => self.field_place(&format!("{}[0]", var.name), o, true),
            Ty::Rows => Some(format!("{}[0][0]", var.name)),
            Ty::Points => Some(format!("{}[0][{}]", var.name, self.rng.below(2))),
            _ => self.place_in(var),
        }
    }

    /// A place in `var` that may be borrowed mutably, after the statement that computes its index.
    pub(super) fn place_to_borrow(&mut self, var: &Var) -> Option<(String, String)> {
        if !var.ty.is_sequence() {
            return Some((String::new(), self.place_to_write(var)?));
        }
        let n = self.length(var);
        let i = self.index(&n);
        if i.parse::<usize>().is_ok() {
            return Some((String::new(), format!("{}[{i}]", var.name)));
        }
        let at = self.name("n");
        Some((format!("let {at} = {i}; "), format!("{}[{at}]", var.name)))
    }
}

pub(super) fn holds_floats(ty: &Ty) -> bool {
    match ty {
        Ty::Own(o) | Ty::OwnRef(o) | Ty::OwnMut(o) => o.fields().is_some(),
        ty => !matches!(
            ty,
            Ty::Size | Ty::Int | Ty::Bool | Ty::Unit | Ty::Maybe | Ty::Fallible | Ty::Op
        ),
    }
}
