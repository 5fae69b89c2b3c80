//! What the generator knows of the variables in scope.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::own::Own;

/// A type of the generated language. Lengths of vectors and slices are at least one at run time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Ty {
    Float,
    /// `usize`
    Size,
    /// `i32`
    Int,
    Bool,
    Unit,
    Tuple(usize),
    Array(usize),
    /// `[[f64; M]; N]` as (N, M)
    Matrix(usize, usize),
    Vector,
    /// `Vec<Vec<f64>>`
    Rows,
    /// `(f64, usize)`
    Mixed,
    /// `[(f64, f64); N]`
    Pairs(usize),
    /// `Vec<[f64; 2]>`
    Points,
    /// `&mut [f64; N]`
    ArrayMut(usize),
    /// `&mut Vec<f64>`
    VectorMut,
    /// `&mut (f64, f64)`
    TupleMut,
    /// `Option<f64>`
    Maybe,
    /// `Result<f64, u32>`, of a function alone
    Fallible,
    /// `&f64`
    Ref,
    /// `&mut f64`
    RefMut,
    /// `&[f64]`
    Slice,
    /// `&mut [f64]`
    SliceMut,
    /// `&[f64; N]`
    ArrayRef(usize),
    /// `&[f64; N]` of a function generic over `N`; in its body a slice
    AnyArrayRef,
    /// `&Vec<f64>`
    VectorRef,
    /// `&[[f64; M]]`
    MatrixSlice(usize),
    /// `&[Vec<f64>]`
    RowsSlice,
    /// A field-less enum with the variants `Add`, `Mul`, `Sin`.
    Op,
    /// A type that the program declares, and what holds its values.
    Own(Rc<Own>),
    OwnRef(Rc<Own>),
    OwnMut(Rc<Own>),
    /// `Vec<S>`
    OwnVec(Rc<Own>),
    /// `&[S]`
    OwnSlice(Rc<Own>),
}

impl Ty {
    pub(crate) fn text(&self) -> String {
        match self {
            Ty::Float => "ƒ".into(),
            Ty::Size => "usize".into(),
            Ty::Int => "i32".into(),
            Ty::Bool => "bool".into(),
            Ty::Unit => "()".into(),
            Ty::Tuple(n) => format!("({})", vec!["ƒ"; *n].join(", ")),
            Ty::Array(n) => format!("[ƒ; {n}]"),
            Ty::Matrix(n, m) => format!("[[ƒ; {m}]; {n}]"),
            Ty::Vector => "Vec<ƒ>".into(),
            Ty::Rows => "Vec<Vec<ƒ>>".into(),
            Ty::Mixed => "(ƒ, usize)".into(),
            Ty::Pairs(n) => format!("[(ƒ, ƒ); {n}]"),
            Ty::Points => "Vec<[ƒ; 2]>".into(),
            Ty::ArrayMut(n) => format!("&mut [ƒ; {n}]"),
            Ty::VectorMut => "&mut Vec<ƒ>".into(),
            Ty::TupleMut => "&mut (ƒ, ƒ)".into(),
            Ty::Maybe => "Option<ƒ>".into(),
            Ty::Fallible => "Result<ƒ, u32>".into(),
            Ty::Ref => "&ƒ".into(),
            Ty::RefMut => "&mut ƒ".into(),
            Ty::Slice => "&[ƒ]".into(),
            Ty::SliceMut => "&mut [ƒ]".into(),
            Ty::ArrayRef(n) => format!("&[ƒ; {n}]"),
            Ty::AnyArrayRef => "&[ƒ; N]".into(),
            Ty::VectorRef => "&Vec<ƒ>".into(),
            Ty::MatrixSlice(m) => format!("&[[ƒ; {m}]]"),
            Ty::RowsSlice => "&[Vec<ƒ>]".into(),
            Ty::Op => "Op".into(),
            Ty::Own(o) => format!("{}{}", o.name, o.args),
            Ty::OwnRef(o) => format!("&{}{}", o.name, o.args),
            Ty::OwnMut(o) => format!("&mut {}{}", o.name, o.args),
            Ty::OwnVec(o) => format!("Vec<{}{}>", o.name, o.args),
            Ty::OwnSlice(o) => format!("&[{}{}]", o.name, o.args),
        }
    }

    /// Writing through it changes the caller's data.
    pub(crate) fn in_out(&self) -> bool {
        matches!(
            self,
            Ty::RefMut
                | Ty::SliceMut
                | Ty::ArrayMut(_)
                | Ty::VectorMut
                | Ty::TupleMut
                | Ty::OwnMut(_)
        )
    }

    /// A sequence of floats: `v[i]` is a float.
    pub(crate) fn is_sequence(&self) -> bool {
        matches!(
            self,
            Ty::Array(_)
                | Ty::Vector
                | Ty::Slice
                | Ty::SliceMut
                | Ty::ArrayRef(_)
                | Ty::VectorRef
                | Ty::ArrayMut(_)
                | Ty::VectorMut
        )
    }
}

/// A variable.
#[derive(Clone, Debug)]
pub(crate) struct Var {
    pub(crate) name: String,
    pub(crate) ty: Ty,
    /// Declared `mut`, or a mutable reference.
    pub(crate) writable: bool,
    /// Live shared views of it.
    pub(crate) shared: u32,
    /// Live mutable views of it, or another reason not to touch it.
    pub(crate) locked: u32,
    /// A loop counter that only the loop may change.
    pub(crate) counter: bool,
    /// Its declaration says its type.
    pub(crate) typed: bool,
    /// A pattern took it out of a type of the program, so nothing says its type.
    pub(crate) taken: bool,
}

/// The variables, innermost last.
#[derive(Clone, Default)]
pub(crate) struct Scope {
    vars: Vec<Var>,
}

impl Scope {
    pub(crate) fn declare(&mut self, name: &str, ty: Ty, writable: bool) {
        self.vars.push(Var {
            name: name.into(),
            ty,
            writable,
            shared: 0,
            locked: 0,
            counter: false,
            typed: false,
            taken: false,
        });
    }

    /// Declares a variable whose type stands in the text.
    pub(crate) fn declare_typed(&mut self, name: &str, ty: Ty, writable: bool) {
        self.declare(name, ty, writable);
        self.vars.last_mut().expect("just pushed").typed = true;
    }

    /// Declares a variable of which nothing in the function says the type.
    pub(crate) fn declare_taken(&mut self, name: &str, ty: Ty) {
        self.declare(name, ty, false);
        self.vars.last_mut().expect("just pushed").taken = true;
    }

    pub(crate) fn declare_counter(&mut self, name: &str, ty: Ty) {
        self.declare(name, ty, false);
        self.vars.last_mut().expect("just pushed").counter = true;
    }

    pub(crate) fn mark(&self) -> usize {
        self.vars.len()
    }

    pub(crate) fn leave(&mut self, mark: usize) {
        self.vars.truncate(mark);
    }

    fn visible(&self, i: usize) -> bool {
        !self.vars[i + 1..]
            .iter()
            .any(|v| v.name == self.vars[i].name)
    }

    /// Visible variables that may be read and satisfy `accept`.
    pub(crate) fn readable(&self, accept: impl Fn(&Var) -> bool) -> Vec<Var> {
        (0..self.vars.len())
            .filter(|&i| self.visible(i) && self.vars[i].locked == 0 && accept(&self.vars[i]))
            .map(|i| self.vars[i].clone())
            .collect()
    }

    /// Visible variables that may be written and satisfy `accept`.
    pub(crate) fn writable(&self, accept: impl Fn(&Var) -> bool) -> Vec<Var> {
        self.readable(|v| v.writable && v.shared == 0 && !v.counter && accept(v))
    }

    fn last(&mut self, name: &str) -> &mut Var {
        self.vars
            .iter_mut()
            .rev()
            .find(|v| v.name == name)
            .expect("a variable in scope")
    }

    /// The last `n` variables that were declared.
    pub(crate) fn last_declared(&self, n: usize) -> Vec<Var> {
        self.vars[self.vars.len() - n..].to_vec()
    }

    /// The visible variables that a text names.
    pub(crate) fn mentioned(&self, text: &str) -> Vec<String> {
        let words: BTreeSet<&str> = text
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .collect();
        (0..self.vars.len())
            .filter(|&i| self.visible(i) && words.contains(self.vars[i].name.as_str()))
            .map(|i| self.vars[i].name.clone())
            .collect()
    }

    pub(crate) fn lock(&mut self, name: &str, exclusive: bool) {
        let var = self.last(name);
        if exclusive {
            var.locked += 1
        } else {
            var.shared += 1
        }
    }

    pub(crate) fn unlock(&mut self, name: &str, exclusive: bool) {
        let var = self.last(name);
        if exclusive {
            var.locked -= 1
        } else {
            var.shared -= 1
        }
    }
}
