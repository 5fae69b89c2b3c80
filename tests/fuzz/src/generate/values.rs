//! Values of any type, and iterator chains.

use super::scope::{Ty, Var};
use super::{Gen, Value};
use crate::text::literal;

impl Gen<'_> {
    /// An expression of type `ty` (not of a reference type).
    pub(super) fn value(&mut self, ty: &Ty, depth: usize) -> String {
        match ty {
            Ty::Float => self.float(depth).text,
            Ty::Size => self.size(1),
            Ty::Int => self.int(1),
            Ty::Bool => self.condition(1),
            Ty::Unit => "()".into(),
            Ty::Tuple(n) => {
                let parts: Vec<String> = (0..*n).map(|_| self.element(depth)).collect();
                format!("({})", parts.join(", "))
            }
            Ty::Array(n) => self.array(*n, depth),
            Ty::Matrix(n, m) => {
                if self.rng.percent(40) {
                    let row = self.purely(|g| g.array(*m, depth));
                    return format!("[{row}; {n}]");
                }
                let rows: Vec<String> = (0..*n).map(|_| self.array(*m, depth)).collect();
                format!("[{}]", rows.join(", "))
            }
            Ty::Vector => self.vector(depth),
            Ty::Rows => {
                if self.rng.percent(50) {
                    let row = self.purely(|g| g.vector(depth));
                    return format!("vec![{row}; {}]", self.rng.within(1, 3));
                }
                let rows: Vec<String> = (0..self.rng.within(1, 3))
                    .map(|_| self.vector(depth))
                    .collect();
                format!("vec![{}]", rows.join(", "))
            }
            Ty::Mixed => format!("({}, {})", self.element(depth), self.size(1)),
            Ty::Pairs(n) => {
                let parts: Vec<String> =
                    (0..*n).map(|_| self.value(&Ty::Tuple(2), depth)).collect();
                format!("[{}]", parts.join(", "))
            }
            Ty::Points => {
                self.unmarked += 1;
                let parts: Vec<String> = (0..self.rng.within(1, 3))
                    .map(|_| self.value(&Ty::Array(2), depth))
                    .collect();
                self.unmarked -= 1;
                format!("vec![{}]", parts.join(", "))
            }
            Ty::Maybe => {
                let c = self.condition(1);
                let e = self.element(depth);
                match self.rng.below(3) {
                    0 => format!("Some({e})"),
                    _ => format!("if {c} {{ Some({e}) }} else {{ None }}"),
                }
            }
            Ty::Op => self
                .rng
                .pick(&["Op::Add", "Op::Mul", "Op::Sin"])
                .to_string(),
            Ty::Fallible => match self.rng.below(5) {
                0 => format!("Err({})", self.rng.below(9)),
                _ => format!("Ok({})", self.float(depth).text),
            },
            Ty::Own(o) => self.own_value(o, depth),
            Ty::OwnVec(o) => self.own_list(o, depth),
            Ty::OwnRef(_)
            | Ty::OwnMut(_)
            | Ty::OwnSlice(_)
            | Ty::ArrayMut(_)
            | Ty::VectorMut
            | Ty::TupleMut
            | Ty::Ref
            | Ty::RefMut
            | Ty::Slice
            | Ty::SliceMut
            | Ty::ArrayRef(_)
            | Ty::AnyArrayRef
            | Ty::VectorRef
            | Ty::MatrixSlice(_)
            | Ty::RowsSlice => {
                unreachable!("references are made by `argument`")
            }
        }
    }

    /// An element of a composite value.
    fn element(&mut self, depth: usize) -> String {
        if self.literals_typed {
            self.receiver(depth)
        } else {
            self.float(depth).text
        }
    }

    /// An array, from a variable of that type or from elements.
    fn array(&mut self, n: usize, depth: usize) -> String {
        let same = self.scope.readable(|v| v.ty == Ty::Array(n));
        if !same.is_empty() && self.maybe(20, "array-copy") {
            return same[self.rng.below(same.len())].name.clone();
        }
        if self.maybe(25, "array-repeat") {
            let e = self.purely(|g| g.element(depth));
            return format!("[{e}; {n}]");
        }
        let parts: Vec<String> = (0..n).map(|_| self.element(depth)).collect();
        format!("[{}]", parts.join(", "))
    }

    /// A vector of one to four elements, or as long as another sequence.
    fn vector(&mut self, depth: usize) -> String {
        let sequences = self.scope.readable(|v| v.ty.is_sequence());
        let vectors = self.scope.readable(|v| v.ty == Ty::Vector);
        let (s, v) = (
            usize::from(!sequences.is_empty()),
            usize::from(!vectors.is_empty()),
        );
        self.unmarked += 1;
        let text = self.vector_of(depth, &sequences, &vectors, (s, v));
        self.unmarked -= 1;
        text
    }

    fn vector_of(
        &mut self,
        depth: usize,
        sequences: &[Var],
        vectors: &[Var],
        (s, v): (usize, usize),
    ) -> String {
        match self.choose(&[
            (30, "vec-list"),
            (25, "vec-repeat"),
            (25 * s, "to_vec"),
            (15 * v, "clone"),
            (10 * s, "vec-like"),
        ]) {
            "vec-repeat" => {
                let e = self.purely(|g| g.element(depth));
                let n = self.size(0);
                format!("vec![{e}; {n} % 3 + 1]")
            }
            "to_vec" => {
                let var = &sequences[self.rng.below(sequences.len())];
                let from = if self.rng.percent(20) {
                    format!("[{}.len() / 2..]", var.name)
                } else {
                    String::new()
                };
                format!("{}{from}.to_vec()", var.name)
            }
            "clone" => format!("{}.clone()", vectors[self.rng.below(vectors.len())].name),
            "vec-like" => {
                let var = &sequences[self.rng.below(sequences.len())];
                format!("vec![{}; {}.len()]", literal("0.0_f64"), var.name)
            }
            _ => {
                let n = self.rng.within(1, 4);
                let parts: Vec<String> = (0..n).map(|_| self.element(depth)).collect();
                format!("vec![{}]", parts.join(", "))
            }
        }
    }

    /// A sequence to iterate over by shared reference: the text that `.iter()` is called on.
    pub(super) fn iterable(&mut self) -> Option<String> {
        let sequences = self.scope.readable(|v| v.ty.is_sequence());
        if sequences.is_empty() {
            return None;
        }
        let var = sequences[self.rng.below(sequences.len())].clone();
        Some(if self.rng.percent(20) {
            let cut = if self.rng.percent(50) {
                "..{}.len() - 1]"
            } else {
                "1..]"
            };
            format!("{}[{}", var.name, cut.replace("{}", &var.name))
        } else {
            var.name
        })
    }

    pub(super) fn iterator_sum(&mut self, d: usize) -> Option<Value> {
        let pairs = self
            .scope
            .readable(|v| matches!(v.ty, Ty::Pairs(_) | Ty::Points));
        if !pairs.is_empty() && self.maybe(30, "sum-of-pairs") {
            let var = pairs[self.rng.below(pairs.len())].clone();
            return Some(self.pair_sum(&var, d));
        }
        let seq = self.iterable()?;
        let v = self.name("v");
        let (pattern, declared) = match self.rng.below(3) {
            0 => (format!("&{v}"), Ty::Float),
            _ => (v.clone(), Ty::Ref),
        };
        let zipped = if self.maybe(30, "zip") {
            self.iterable()
        } else {
            None
        };
        self.closed(|g| {
            g.scope.declare(&v, declared, false);
            if let Some(other) = zipped {
                let w = g.name("w");
                g.scope.declare(&w, Ty::Ref, false);
                let body = g.receiver(d);
                return Some(Value::typed(format!(
                    "{seq}.iter().zip({other}.iter()).map(|({pattern}, {w})| {body}).sum::<ƒ>()"
                )));
            }
            if g.maybe(25, "enumerate") {
                let i = g.name("i");
                g.scope.declare_counter(&i, Ty::Size);
                let body = g.receiver(d);
                return Some(Value::typed(format!(
                    "{seq}.iter().enumerate().map(|({i}, {pattern})| {body}).sum::<ƒ>()"
                )));
            }
            if g.maybe(12, "sum-of-range") {
                let i = g.name("i");
                let n = g.rng.within(0, 4);
                g.scope.leave(g.scope.mark() - 1);
                g.scope.declare_counter(&i, Ty::Size);
                let body = g.receiver(d);
                return Some(Value::typed(format!(
                    "(0..{n}).map(|{i}| {body}).sum::<ƒ>()"
                )));
            }
            if g.maybe(12, "plain-sum") {
                return Some(Value::typed(format!("{seq}.iter().sum::<ƒ>()")));
            }
            let body = g.receiver(d);
            Some(Value::typed(format!(
                "{seq}.iter().map(|{pattern}| {body}).sum::<ƒ>()"
            )))
        })
    }

    /// `pairs.iter().map(|&(a, b)| …).sum()`
    fn pair_sum(&mut self, var: &Var, d: usize) -> Value {
        let (a, b) = (self.name("a"), self.name("b"));
        let by_value = self.rng.percent(50);
        let mark = if by_value { "&" } else { "" };
        let pattern = if var.ty == Ty::Points {
            format!("{mark}[{a}, {b}]")
        } else {
            format!("{mark}({a}, {b})")
        };
        let body = self.closed(|g| {
            let ty = if by_value { Ty::Float } else { Ty::Ref };
            g.scope.declare(&a, ty.clone(), false);
            g.scope.declare(&b, ty, false);
            g.receiver(d)
        });
        Value::typed(format!(
            "{}.iter().map(|{pattern}| {body}).sum::<ƒ>()",
            var.name
        ))
    }

    pub(super) fn iterator_fold(&mut self, d: usize) -> Option<Value> {
        let seq = self.iterable()?;
        let start = self.purely(|g| g.receiver(0));
        let (acc, v) = (self.name("acc"), self.name("v"));
        let byref = self.rng.percent(50);
        let text = self.closed(|g| {
            g.scope.declare(&acc, Ty::Float, false);
            g.scope
                .declare(&v, if byref { Ty::Ref } else { Ty::Float }, false);
            let step = g.bounded(d).text;
            match g.rng.below(3) {
                0 => format!("{acc} + {step}"),
                1 => format!("{acc} * {} - {step}", literal("0.7")),
                _ => format!("({acc} + {step}).sin()"),
            }
        });
        let pattern = if byref { v } else { format!("&{v}") };
        let start = self.grouped(&start);
        Some(Value::typed(format!(
            "{seq}.iter().fold({start}, |{acc}, {pattern}| {text})"
        )))
    }

    /// Generates the body of a closure: no effects, no jumps, no use of names declared in it outside.
    pub(super) fn closed<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        self.sealed += 1;
        self.unmarked += 1;
        let result = self.scoped(|g| g.purely(f));
        self.unmarked -= 1;
        self.sealed -= 1;
        result
    }
}
