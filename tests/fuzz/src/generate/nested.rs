//! Statements and loops on data of data: matrices, rows, points, pairs.

use super::Gen;
use super::scope::{Ty, Var};
use crate::text::{Item, line, nest};

fn is_nested(ty: &Ty) -> bool {
    matches!(
        ty,
        Ty::Matrix(..) | Ty::Rows | Ty::Points | Ty::Pairs(_) | Ty::MatrixSlice(_) | Ty::RowsSlice
    )
}

impl Gen<'_> {
    fn nested_variable(&mut self, writable: bool) -> Option<Var> {
        let vars = if writable {
            self.scope.writable(|v| is_nested(&v.ty))
        } else {
            self.scope.readable(|v| is_nested(&v.ty))
        };
        vars.get(self.rng.below(vars.len().max(1))).cloned()
    }

    pub(super) fn nested_statement(&mut self) -> Option<Vec<Item>> {
        let table = &[
            (20, "nested-swap"),
            (20, "nested-copy"),
            (15, "nested-push"),
            (10, "nested-pop"),
            (15, "nested-element"),
        ];
        let text = match self.choose(table) {
            "nested-copy" => self.nested_copy()?,
            "nested-push" => self.nested_push()?,
            "nested-pop" => self.nested_pop()?,
            "nested-element" => self.nested_element()?,
            _ => {
                let var = self.nested_variable(true)?;
                let (a, b) = (self.name("n"), self.name("n"));
                let (i, j) = (self.size(1), self.size(1));
                let (name, i, j) = (&var.name, self.grouped(&i), self.grouped(&j));
                self.scope.declare(&a, Ty::Size, false);
                self.scope.declare(&b, Ty::Size, false);
                format!(
                    "let ({a}, {b}) = ({i} % {name}.len(), {j} % {name}.len());\n{name}.swap({a}, {b});"
                )
            }
        };
        Some(vec![line(text)])
    }

    /// A part of nested data as a variable of its own.
    fn nested_copy(&mut self) -> Option<String> {
        let var = self.nested_variable(false)?;
        let (name, x, n) = (var.name.clone(), self.name("part"), self.name("n"));
        let i = self.size(1);
        let i = self.grouped(&i);
        let (ty, clone) = match var.ty {
            Ty::Matrix(_, m) | Ty::MatrixSlice(m) => (Ty::Array(m), ""),
            Ty::Points => (Ty::Array(2), ""),
            Ty::Pairs(_) => (Ty::Tuple(2), ""),
            _ => (Ty::Vector, ".clone()"),
        };
        self.scope.declare(&x, ty, true);
        Some(format!(
            "let {n} = {i} % {name}.len();\nlet mut {x} = {name}[{n}]{clone};"
        ))
    }

    fn nested_push(&mut self) -> Option<String> {
        let var = self.nested_variable(true)?;
        let name = var.name.clone();
        match var.ty {
            Ty::Points => {
                let e = self.purely(|g| g.value(&Ty::Array(2), 1));
                Some(format!("if {name}.len() < 5 {{ {name}.push({e}); }}"))
            }
            Ty::Rows if self.rng.percent(50) => {
                let e = self.purely(|g| g.bounded(1)).text;
                let x = self.name("x");
                Some(format!(
                    "let {x} = {e};\nif {name}[0].len() < 5 {{ {name}[0].push({x}); }}"
                ))
            }
            Ty::Rows => {
                let e = self.purely(|g| g.value(&Ty::Vector, 1));
                let v = self.name("v");
                Some(format!(
                    "let {v} = {e};\nif {name}.len() < 4 {{ {name}.push({v}); }}"
                ))
            }
            _ => None,
        }
    }

    fn nested_pop(&mut self) -> Option<String> {
        let var = self.nested_variable(true)?;
        let name = var.name.clone();
        let (element, e) = match var.ty {
            Ty::Points => ("last[1]", self.purely(|g| g.receiver(1))),
            Ty::Rows => ("last[0]", self.purely(|g| g.receiver(1))),
            _ => return None,
        };
        let x = self.name("x");
        self.scope.declare(&x, Ty::Float, true);
        Some(format!(
            "let mut {x} = {e};\nif {name}.len() > 1 {{ let last = {name}.pop().unwrap(); {x} = {x} * {element}; }}"
        ))
    }

    /// A whole row, point or pair is assigned.
    fn nested_element(&mut self) -> Option<String> {
        let var = self.nested_variable(true)?;
        let e = match var.ty {
            Ty::Matrix(_, m) => self.value(&Ty::Array(m), 1),
            Ty::Points => self.value(&Ty::Array(2), 1),
            Ty::Pairs(_) => self.value(&Ty::Tuple(2), 1),
            Ty::Rows => self.value(&Ty::Vector, 1),
            _ => return None,
        };
        let x = self.name("e");
        Some(format!("let {x} = {e};\n{}[0] = {x};", var.name))
            .map(|text| annotate(&text, &x, &var.ty))
    }

    /// Loops over rows, points and pairs.
    pub(super) fn for_rows(&mut self) -> Option<Vec<Item>> {
        let exclusive = self.maybe(35, "for-rows-mut");
        let var = self.nested_variable(exclusive)?;
        let (a, b) = (self.name("row"), self.name("q"));
        let array = |m| {
            if exclusive {
                Ty::ArrayMut(m)
            } else {
                Ty::ArrayRef(m)
            }
        };
        let scalar = if exclusive { Ty::RefMut } else { Ty::Ref };
        let whole = |ty| (a.clone(), vec![(a.clone(), ty)]);
        let parts = |pattern: String, ty: &Ty| {
            (
                pattern,
                vec![(a.clone(), ty.clone()), (b.clone(), ty.clone())],
            )
        };
        let (pattern, declared) = match var.ty {
            Ty::Matrix(_, m) | Ty::MatrixSlice(m) => whole(array(m)),
            Ty::Points => match self.rng.below(3) {
                0 => whole(array(2)),
                1 if !exclusive => parts(format!("&[{a}, {b}]"), &Ty::Float),
                _ => parts(format!("[{a}, {b}]"), &scalar),
            },
            Ty::Pairs(_) => match self.rng.below(2) {
                0 if !exclusive => parts(format!("&({a}, {b})"), &Ty::Float),
                _ => parts(format!("({a}, {b})"), &scalar),
            },
            _ if exclusive => whole(Ty::VectorMut),
            _ => whole(Ty::VectorRef),
        };
        let i = self.name("i");
        let counted = self.rng.percent(25);
        self.scope.lock(&var.name, exclusive);
        let (label, body) = self.loop_body(|g| {
            for (name, ty) in declared {
                let writable = ty.in_out();
                g.scope.declare(&name, ty, writable);
            }
            if counted {
                g.scope.declare_counter(&i, Ty::Size);
            }
        });
        self.scope.unlock(&var.name, exclusive);
        let iter = if exclusive { "iter_mut" } else { "iter" };
        let head = if counted {
            format!(
                "{label}for ({i}, {pattern}) in {}.{iter}().enumerate()",
                var.name
            )
        } else {
            format!("{label}for {pattern} in {}.{iter}()", var.name)
        };
        Some(vec![nest(head, body)])
    }
}

/// The type of `x` shown in its declaration: what is moved into an element must be known.
fn annotate(text: &str, x: &str, ty: &Ty) -> String {
    let ty = match ty {
        Ty::Matrix(_, m) => Ty::Array(*m),
        Ty::Points => Ty::Array(2),
        Ty::Pairs(_) => Ty::Tuple(2),
        _ => Ty::Vector,
    };
    text.replacen(
        &format!("let {x} ="),
        &format!("let {x}: {} =", ty.text()),
        1,
    )
}
