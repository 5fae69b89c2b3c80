//! Calls of the program's other functions.

use super::scope::{Ty, Var};
use super::{Callee, Gen, Value};
use crate::text::{Item, line};

impl Gen<'_> {
    /// A callee that `accept`s, with its path; the function's own recursion counts.
    fn callee(&mut self, accept: impl Fn(&Callee) -> bool) -> Option<(Callee, Option<String>)> {
        if self.loops == 0
            && let Some((own, counter)) = &self.recursion
            && accept(own)
            && self.rng.percent(40)
        {
            return Some((own.clone(), Some(counter.clone())));
        }
        let open: Vec<Callee> = self
            .callees
            .iter()
            .filter(|c| accept(c) && (self.loops == 0 || c.cheap))
            .cloned()
            .collect();
        (!open.is_empty()).then(|| (open[self.rng.below(open.len())].clone(), None))
    }

    /// A call as a float.
    pub(super) fn call_value(&mut self, d: usize) -> Option<Value> {
        let pure = self.pure > 0;
        let (callee, counter) = self.callee(|c| {
            matches!(c.ret, Ty::Float | Ty::Tuple(_)) && !(pure && c.params.iter().any(Ty::in_out))
        })?;
        let call = self.call(&callee, counter, d.min(1))?;
        Some(Value::typed(match callee.ret {
            Ty::Tuple(n) => format!("{call}.{}", self.rng.below(n)),
            _ => call,
        }))
    }

    /// A call of one of the functions that `accept`s.
    pub(super) fn call_that(&mut self, accept: impl Fn(&Callee) -> bool) -> Option<String> {
        let (callee, counter) = self.callee(accept)?;
        self.call(&callee, counter, 1)
    }

    pub(super) fn call_statement(&mut self) -> Option<Vec<Item>> {
        let (callee, counter) = self.callee(|_| true)?;
        let call = self.call(&callee, counter, 2)?;
        let text = match callee.ret {
            Ty::Unit => format!("{call};"),
            Ty::Fallible => return Some(self.result_used(&call)),
            Ty::Own(ref own) if own.fields().is_some() && self.rng.percent(30) => {
                let place = self.field_place(&call, own, true)?;
                let x = self.name("x");
                self.scope.declare(&x, Ty::Float, true);
                format!("let mut {x}: ƒ = {place};")
            }
            Ty::Tuple(n) if self.rng.percent(60) => {
                let names: Vec<String> = (0..n).map(|_| self.name("x")).collect();
                names
                    .iter()
                    .for_each(|x| self.scope.declare(x, Ty::Float, true));
                format!("let (mut {}) = {call};", names.join(", mut "))
            }
            Ty::Array(n) if self.rng.percent(40) => {
                let names: Vec<String> = (0..n).map(|_| self.name("x")).collect();
                names
                    .iter()
                    .for_each(|x| self.scope.declare(x, Ty::Float, false));
                format!("let [{}] = {call};", names.join(", "))
            }
            ref ty => {
                let x = self.name("x");
                self.scope.declare(&x, ty.clone(), true);
                // What a callee returns cannot be seen: methods of arrays need the type.
                let annotation = if matches!(ty, Ty::Array(_) | Ty::Vector) || self.rng.percent(35)
                {
                    format!(": {}", ty.text())
                } else {
                    String::new()
                };
                format!("let mut {x}{annotation} = {call};")
            }
        };
        Some(vec![line(text)])
    }

    /// The call with its arguments. Places passed by `&mut` are out of reach for the other arguments.
    fn call(&mut self, callee: &Callee, counter: Option<String>, depth: usize) -> Option<String> {
        let mut args: Vec<Option<String>> = vec![None; callee.params.len()];
        let mut locked = Vec::new();
        for (k, ty) in callee.params.iter().enumerate() {
            if ty.in_out() {
                match self.in_out_argument(ty) {
                    Some((root, text)) => {
                        self.scope.lock(&root, true);
                        locked.push(root);
                        args[k] = Some(text);
                    }
                    None => {
                        locked.iter().for_each(|root| self.scope.unlock(root, true));
                        return None;
                    }
                }
            }
        }
        let mut counter = counter;
        for (k, ty) in callee.params.iter().enumerate() {
            if args[k].is_none() {
                args[k] = Some(match ty {
                    Ty::Size if callee.recursive && k + 1 == callee.params.len() => {
                        match counter.take() {
                            Some(n) => format!("{n} - 1"),
                            None => {
                                let n = self.size(0);
                                format!("{n} % 4")
                            }
                        }
                    }
                    _ => self.purely(|g| g.argument(ty, depth)),
                });
            }
        }
        locked.iter().for_each(|root| self.scope.unlock(root, true));
        let args: Vec<String> = args.into_iter().flatten().collect();
        // On what a branch yields, and on a literal in a condition, methods of own types are refused.
        let named = callee.method && !args[0].contains('(');
        if named && self.maybe(65, "method-call") {
            let receiver = args[0]
                .trim_start_matches("&mut ")
                .trim_start_matches(['&', '*']);
            let receiver = self.grouped(receiver);
            let name = callee.path.rsplit("::").next().unwrap_or_default();
            return Some(format!("{receiver}.{name}({})", args[1..].join(", ")));
        }
        let turbofish = match self.array_length.take() {
            Some(n) if callee.params.contains(&Ty::AnyArrayRef) && self.maybe(50, "turbofish") => {
                format!("::<{n}>")
            }
            _ => String::new(),
        };
        Some(format!("{}{turbofish}({})", callee.path, args.join(", ")))
    }

    /// `&mut …` with its root.
    fn in_out_argument(&mut self, ty: &Ty) -> Option<(String, String)> {
        if let Ty::OwnMut(own) = ty {
            let vars = self.scope.writable(
                |v| matches!(&v.ty, Ty::Own(o) | Ty::OwnMut(o) | Ty::OwnVec(o) if o == own),
            );
            let var = vars.get(self.rng.below(vars.len().max(1)))?.clone();
            let text = match var.ty {
                Ty::OwnMut(_) => var.name.clone(),
                Ty::OwnVec(_) => format!("&mut {}[0]", var.name),
                _ => format!("&mut {}", var.name),
            };
            return Some((var.name, text));
        }
        if *ty == Ty::RefMut {
            let vars = self.scope.writable(|v| super::places::holds_floats(&v.ty));
            let var = vars.get(self.rng.below(vars.len().max(1)))?.clone();
            if var.ty == Ty::RefMut {
                return Some((var.name.clone(), var.name));
            }
            let (before, place) = self.place_to_borrow(&var)?;
            return Some((
                var.name,
                if before.is_empty() {
                    format!("&mut {place}")
                } else {
                    format!("{{ {before}&mut {place} }}")
                },
            ));
        }
        let fits = |own: &Ty| match ty {
            Ty::ArrayMut(n) => matches!(own, Ty::Array(m) | Ty::ArrayMut(m) if n == m),
            Ty::VectorMut => matches!(own, Ty::Vector | Ty::VectorMut),
            Ty::TupleMut => matches!(own, Ty::Tuple(2) | Ty::TupleMut),
            _ => own.is_sequence() && (own.in_out() || matches!(own, Ty::Array(_) | Ty::Vector)),
        };
        let vars = self.scope.writable(|v| fits(&v.ty));
        let var = vars.get(self.rng.below(vars.len().max(1)))?.clone();
        let name = var.name.clone();
        let slice = *ty == Ty::SliceMut;
        let text = match (&var.ty, self.rng.below(4)) {
            (_, 2) if slice => format!("&mut {name}[..]"),
            (Ty::Array(n) | Ty::ArrayMut(n), 3) if slice => format!("&mut {name}[{}..]", n / 2),
            (own, _) if own.in_out() => name.clone(),
            _ => format!("&mut {name}"),
        };
        Some((var.name, text))
    }

    fn any_of(&mut self, accept: impl Fn(&Var) -> bool) -> Option<Var> {
        let vars = self.scope.readable(accept);
        (!vars.is_empty()).then(|| vars[self.rng.below(vars.len())].clone())
    }

    /// An argument that is not in-out.
    pub(super) fn argument(&mut self, ty: &Ty, depth: usize) -> String {
        match ty {
            Ty::Ref => match self.float_place() {
                // In a closure, a `&mut` variable passed on could be written there: it is refused.
                Some(place) if place.starts_with('*') && self.sealed == 0 => place[1..].to_string(),
                Some(place) => format!("&{place}"),
                None => format!("&{}", self.receiver(0)),
            },
            Ty::Slice => match self.any_of(|v| v.ty.is_sequence()) {
                Some(v) if self.rng.percent(85) => {
                    let name = &v.name;
                    match self.rng.below(3) {
                        0 if matches!(v.ty, Ty::Slice | Ty::ArrayRef(_) | Ty::VectorRef) => {
                            name.clone()
                        }
                        1 => format!("&{name}[{name}.len() - 1..]"),
                        0 if !v.ty.in_out() => format!("&{name}"),
                        _ => format!("&{name}[..]"),
                    }
                }
                _ => {
                    let n = self.rng.within(1, 3);
                    format!("&{}", self.value(&Ty::Array(n), depth))
                }
            },
            Ty::ArrayRef(n) => self.array_reference(Some(*n), depth),
            Ty::AnyArrayRef => self.array_reference(None, depth),
            Ty::VectorRef => match self.any_of(|v| v.ty == Ty::Vector) {
                Some(v) => format!("&{}", v.name),
                None => format!("&{}", self.value(&Ty::Vector, depth)),
            },
            Ty::MatrixSlice(m) => {
                match self.any_of(|v| matches!(v.ty, Ty::Matrix(_, k) if k == *m)) {
                    Some(v) => format!("&{}", v.name),
                    None => format!("&{}", self.value(&Ty::Matrix(2, *m), depth)),
                }
            }
            Ty::RowsSlice => match self.any_of(|v| v.ty == Ty::Rows) {
                Some(v) => format!("&{}", v.name),
                None => format!("&{}", self.value(&Ty::Rows, depth)),
            },
            Ty::Own(_) | Ty::OwnRef(_) | Ty::OwnVec(_) | Ty::OwnSlice(_) => {
                self.own_argument(ty, depth)
            }
            other => match self.any_of(|v| v.ty == *other) {
                Some(v) if self.rng.percent(40) && *other != Ty::Vector && *other != Ty::Rows => {
                    v.name
                }
                Some(v) if *other != Ty::Float => format!("{}.clone()", v.name),
                _ => self.value(other, depth),
            },
        }
    }

    fn array_reference(&mut self, n: Option<usize>, depth: usize) -> String {
        let fits = |k: usize| n.is_none_or(|n| n == k);
        let found = self.any_of(|v| matches!(v.ty, Ty::Array(k) | Ty::ArrayRef(k) if fits(k)));
        let text = match &found {
            Some(v) if matches!(v.ty, Ty::ArrayRef(_)) => v.name.clone(),
            Some(v) => format!("&{}", v.name),
            None => format!("&{}", self.value(&Ty::Array(n.unwrap_or(2)), depth)),
        };
        self.array_length = match found.map(|v| v.ty) {
            Some(Ty::Array(k) | Ty::ArrayRef(k)) => Some(k),
            _ => Some(n.unwrap_or(2)),
        };
        text
    }
}
