//! Statements on arrays, slices and vectors.

use super::Gen;
use super::scope::{Ty, Var};
use crate::text::{Item, line, literal, nest};

impl Gen<'_> {
    fn writable_sequence(&mut self) -> Option<Var> {
        let vars = self.scope.writable(|v| {
            v.ty.is_sequence() && (v.ty.in_out() || matches!(v.ty, Ty::Array(_) | Ty::Vector))
        });
        vars.get(self.rng.below(vars.len().max(1))).cloned()
    }

    pub(super) fn vector_method(&mut self) -> Option<Vec<Item>> {
        let vars = self
            .scope
            .writable(|v| matches!(v.ty, Ty::Vector | Ty::VectorMut));
        let var = vars.get(self.rng.below(vars.len().max(1)))?.clone();
        let v = var.name;
        let owned = usize::from(var.ty == Ty::Vector);
        let text = match self.choose(&[
            (35, "push"),
            (20, "pop-value"),
            (8, "pop-drop"),
            (8, "truncate"),
            (6, "clear"),
            (6, "vec-new"),
            (5 * owned, "vec-take"),
            (5, "while-let"),
        ]) {
            "pop-value" => {
                let x = self.name("x");
                let other = self.purely(|g| g.receiver(1));
                self.scope.declare(&x, Ty::Float, true);
                if self.rng.percent(50) {
                    format!(
                        "let mut {x} = if {v}.len() > 1 {{ {v}.pop().unwrap() }} else {{ {other} }};"
                    )
                } else {
                    format!(
                        "let mut {x} = {other};\nif {v}.len() > 1 {{ if let Some(last) = {v}.pop() {{ {x} += last; }} \
                         }}"
                    )
                }
            }
            "pop-drop" => format!("if {v}.len() > 2 {{ {v}.pop(); }}"),
            "truncate" => format!("{v}.truncate({});", self.rng.within(1, 3)),
            "clear" => {
                let e = self.receiver(1);
                let x = self.name("x");
                format!("let {x} = {e};\n{v}.clear();\n{v}.push({x});")
            }
            "vec-take" => {
                let w = self.name("v");
                self.scope.declare(&w, Ty::Vector, true);
                format!("let mut {w} = std::mem::take(&mut {v});\n{v}.push({w}[0]);")
            }
            "while-let" => {
                let x = self.name("x");
                self.scope.declare(&x, Ty::Float, true);
                format!(
                    "let mut {x}: ƒ = {};\nwhile let Some(last) = {v}.pop() {{ {x} = {x} * {} + last; \
                     }}\n{v}.push({x});",
                    literal("0.0"),
                    literal("0.5")
                )
            }
            "vec-new" => {
                let e = self.purely(|g| g.bounded(1)).text;
                let w = self.name("v");
                let new = if self.rng.percent(50) {
                    "Vec::new()".to_string()
                } else {
                    format!("Vec::with_capacity({v}.len())")
                };
                self.scope.declare(&w, Ty::Vector, true);
                format!("let mut {w} = {new};\n{w}.push({e});\n{w}.push({v}[0]);")
            }
            _ => {
                let e = self.purely(|g| g.float(2)).text;
                // Loops must not let it grow without bound.
                format!("if {v}.len() < 7 {{ {v}.push({e}); }}")
            }
        };
        Some(vec![line(text)])
    }

    pub(super) fn swap_elements(&mut self) -> Option<Vec<Item>> {
        let var = self.writable_sequence()?;
        let n = self.length(&var);
        let (i, j) = (self.index(&n), self.index(&n));
        let (a, b) = (self.name("n"), self.name("n"));
        let text = format!("let ({a}, {b}) = ({i}, {j});\n{}.swap({a}, {b});", var.name);
        self.scope.declare(&a, Ty::Size, false);
        self.scope.declare(&b, Ty::Size, false);
        Some(vec![line(text)])
    }

    pub(super) fn mem_swap(&mut self) -> Option<Vec<Item>> {
        let kinds: &[fn(&Var) -> bool] = &[
            |v| v.ty == Ty::Float,
            |v| v.ty == Ty::Float,
            |v| v.ty == Ty::Vector,
            |v| v.ty == Ty::Array(2),
            |v| v.ty == Ty::Array(3),
            |v| matches!(v.ty, Ty::Float | Ty::Array(_) | Ty::Tuple(_)),
        ];
        let pick = self.rng.below(kinds.len());
        let vars = self.scope.writable(kinds[pick]);
        if vars.len() < 2 {
            return None;
        }
        let a = vars[self.rng.below(vars.len())].clone();
        let b = vars.iter().find(|v| v.name != a.name)?.clone();
        if pick < kinds.len() - 1 {
            return Some(vec![line(format!(
                "std::mem::swap(&mut {}, &mut {});",
                a.name, b.name
            ))]);
        }
        let ((before, p), (also, q)) = (self.place_to_borrow(&a)?, self.place_to_borrow(&b)?);
        Some(vec![line(format!(
            "{before}{also}\nstd::mem::swap(&mut {p}, &mut {q});"
        ))])
    }

    pub(super) fn fill(&mut self) -> Option<Vec<Item>> {
        let var = self.writable_sequence()?;
        let e = self.purely(|g| g.bounded(1)).text;
        let x = self.name("x");
        let part = if self.rng.percent(30) { "[1..]" } else { "" };
        Some(vec![line(format!(
            "let {x} = {e};\n{}{part}.fill({x});",
            var.name
        ))])
    }

    pub(super) fn copy_from_slice(&mut self) -> Option<Vec<Item>> {
        let to = self.writable_sequence()?;
        let from = self
            .scope
            .readable(|v| v.ty.is_sequence() && v.name != to.name);
        let from = from.get(self.rng.below(from.len().max(1)))?.clone();
        let n = self.name("n");
        Some(vec![line(format!(
            "let {n} = {t}.len().min({f}.len());\n{t}[..{n}].copy_from_slice(&{f}[..{n}]);",
            t = to.name,
            f = from.name
        ))])
    }

    pub(super) fn for_slice(&mut self) -> Option<Vec<Item>> {
        match self.choose(&[
            (30, "for-iter"),
            (30, "for-iter_mut"),
            (15, "for-matrix-rows"),
            (15, "for-index"),
            (12, "for-by-value"),
            (10, "for-zip-mut"),
        ]) {
            "for-iter_mut" => self.for_iter_mut(),
            "for-matrix-rows" => self.for_rows(),
            "for-index" => self.for_index(),
            "for-by-value" => self.for_by_value(),
            "for-zip-mut" => self.for_zip_mut(),
            _ => self.for_iter(),
        }
    }

    fn for_iter(&mut self) -> Option<Vec<Item>> {
        let sequences = self.scope.readable(|v| v.ty.is_sequence());
        let var = sequences
            .get(self.rng.below(sequences.len().max(1)))?
            .clone();
        let v = self.name("v");
        let reference = matches!(var.ty, Ty::Slice | Ty::ArrayRef(_) | Ty::VectorRef);
        let enumerated = self.rng.percent(30);
        let (chain, declared) = match self.rng.below(3) {
            0 => (format!("{}.iter()", var.name), Ty::Ref),
            1 if !enumerated && !var.ty.in_out() => (
                if reference {
                    var.name.clone()
                } else {
                    format!("&{}", var.name)
                },
                Ty::Ref,
            ),
            _ => (format!("{}.iter()", var.name), Ty::Float),
        };
        let pattern = if declared == Ty::Float {
            format!("&{v}")
        } else {
            v.clone()
        };
        let i = self.name("i");
        let other = if !enumerated && chain.ends_with("iter()") && self.maybe(30, "for-zip") {
            self.scope.readable(|w| w.ty.is_sequence()).pop()
        } else {
            None
        };
        self.scope.lock(&var.name, false);
        if let Some(o) = &other {
            self.scope.lock(&o.name, false);
        }
        let w = self.name("w");
        let zipped = other.is_some();
        let (label, body) = self.loop_body(|g| {
            g.scope.declare(&v, declared, false);
            if enumerated {
                g.scope.declare_counter(&i, Ty::Size);
            }
            if zipped {
                g.scope.declare(&w, Ty::Ref, false);
            }
        });
        self.scope.unlock(&var.name, false);
        let head = match &other {
            Some(o) => {
                self.scope.unlock(&o.name, false);
                format!(
                    "{label}for ({pattern}, {w}) in {chain}.zip({}.iter())",
                    o.name
                )
            }
            None if enumerated => format!("{label}for ({i}, {pattern}) in {chain}.enumerate()"),
            None => format!("{label}for {pattern} in {chain}"),
        };
        Some(vec![nest(head, body)])
    }

    fn for_iter_mut(&mut self) -> Option<Vec<Item>> {
        let var = self.writable_sequence()?;
        let v = self.name("v");
        let i = self.name("i");
        let enumerated = self.rng.percent(30);
        let chain = match (&var.ty, self.rng.below(3)) {
            (ty, _) if ty.in_out() => format!("{}.iter_mut()", var.name),
            (_, 0 | 1) => format!("{}.iter_mut()", var.name),
            _ if enumerated => format!("{}.iter_mut()", var.name),
            _ => format!("&mut {}", var.name),
        };
        self.scope.lock(&var.name, true);
        let e = self.purely(|g| g.bounded(1)).text;
        let (label, mut body) = self.loop_body(|g| {
            g.scope.declare(&v, Ty::RefMut, true);
            if enumerated {
                g.scope.declare_counter(&i, Ty::Size);
            }
        });
        self.scope.unlock(&var.name, true);
        let op = self.rng.pick(&["*=", "+=", "="]).to_string();
        body.insert(
            0,
            line(format!(
                "⟨*{v} {op} {e}│{{ let late = {e}; *{v} {op} late; }}⟩;"
            )),
        );
        let head = if enumerated {
            format!("for ({i}, {v}) in {chain}.enumerate()")
        } else {
            format!("for {v} in {chain}")
        };
        Some(vec![nest(format!("{label}{head}"), body)])
    }

    /// A copy of the data is iterated over, so that the body may change the original.
    fn for_by_value(&mut self) -> Option<Vec<Item>> {
        let vars = self
            .scope
            .readable(|v| matches!(v.ty, Ty::Array(_) | Ty::Vector));
        let var = vars.get(self.rng.below(vars.len().max(1)))?.clone();
        let v = self.name("v");
        let source = match var.ty {
            Ty::Array(_) => var.name,
            _ => format!("{}.clone()", var.name),
        };
        let (label, body) = self.loop_body(|g| g.scope.declare(&v, Ty::Float, false));
        Some(vec![nest(format!("{label}for {v} in {source}"), body)])
    }

    fn for_zip_mut(&mut self) -> Option<Vec<Item>> {
        let var = self.writable_sequence()?;
        let others = self
            .scope
            .readable(|v| v.ty.is_sequence() && v.name != var.name);
        let other = others.get(self.rng.below(others.len().max(1)))?.clone();
        let (v, w) = (self.name("v"), self.name("w"));
        let by_value = self.rng.percent(40);
        self.scope.lock(&var.name, true);
        self.scope.lock(&other.name, false);
        let (label, mut body) = self.loop_body(|g| {
            g.scope.declare(&v, Ty::RefMut, true);
            g.scope
                .declare(&w, if by_value { Ty::Float } else { Ty::Ref }, false);
        });
        self.scope.unlock(&var.name, true);
        self.scope.unlock(&other.name, false);
        let read = if by_value { w.clone() } else { format!("*{w}") };
        body.insert(
            0,
            line(format!("*{v} = *{v} * {} + {read};", literal("0.5"))),
        );
        let pattern = if by_value {
            format!("({v}, &{w})")
        } else {
            format!("({v}, {w})")
        };
        let (a, b) = (var.name, other.name);
        Some(vec![nest(
            format!("{label}for {pattern} in {a}.iter_mut().zip({b}.iter())"),
            body,
        )])
    }

    /// The classical loop over the indices of a sequence that it changes.
    fn for_index(&mut self) -> Option<Vec<Item>> {
        let var = self.writable_sequence()?;
        let name = var.name.clone();
        let i = self.name("i");
        let from = self.rng.within(0, 1);
        let (label, mut body) = self.loop_body(|g| g.scope.declare_counter(&i, Ty::Size));
        if body.len() > 2 {
            body.truncate(2);
        }
        let e = self.scoped(|g| {
            g.scope.declare_counter(&i, Ty::Size);
            g.purely(|g| g.bounded(1)).text
        });
        let half = literal("0.5");
        let update = match (from, self.rng.below(3)) {
            (1, 0) => format!("{name}[{i}] = {name}[{i}] * {name}[{i} - 1].sin() + {e};"),
            (1, _) => format!(
                "⟨{name}[{i}] += {half} * {name}[{i} - 1]│{name}[{i}] = {name}[{i}] + {half} * {name}[{i} - 1]⟩;"
            ),
            (_, 0) => format!("⟨{name}[{i}] *= {e}│{{ let late = {e}; {name}[{i}] *= late; }}⟩;"),
            _ => format!("{name}[{i}] = {half} * {name}[{i}] + {e};"),
        };
        body.insert(0, line(update));
        let fixed = if matches!(var.ty, Ty::Vector | Ty::VectorMut) {
            format!("let {i}_end = {name}.len();")
        } else {
            String::new()
        };
        // The body may push or truncate: the bound is checked again.
        let guard = if matches!(var.ty, Ty::Vector | Ty::VectorMut) {
            vec![line(format!("if {i} >= {name}.len() {{ break; }}"))]
        } else {
            Vec::new()
        };
        body.splice(0..0, guard);
        let end = if fixed.is_empty() {
            format!("{name}.len()")
        } else {
            format!("{i}_end")
        };
        let mut items = Vec::new();
        if !fixed.is_empty() {
            items.push(line(fixed));
        }
        items.push(nest(format!("{label}for {i} in {from}..{end}"), body));
        Some(items)
    }
}
