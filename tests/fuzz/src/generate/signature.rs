//! Parameters and results of functions.

use super::Gen;
use super::own::Body;
use super::scope::Ty;

/// A parameter of the program under test.
#[derive(Clone)]
pub(crate) struct Param {
    pub(crate) ty: Ty,
    /// Lengths of its parts: rows of ragged data, or one length.
    pub(crate) shape: Vec<usize>,
    /// The argument of a parameter without derivative.
    pub(crate) passive: String,
}

/// How many floats an argument of type `ty` holds.
pub(crate) fn entries(ty: &Ty, shape: &[usize]) -> usize {
    match ty {
        Ty::Float | Ty::Ref | Ty::RefMut => 1,
        Ty::Tuple(n) | Ty::Array(n) | Ty::ArrayRef(n) => *n,
        Ty::Matrix(n, m) => n * m,
        Ty::TupleMut => 2,
        Ty::ArrayMut(n) => *n,
        Ty::Pairs(n) => 2 * n,
        Ty::Points => 2 * shape[0],
        Ty::MatrixSlice(m) => shape[0] * m,
        Ty::Maybe
        | Ty::Vector
        | Ty::VectorRef
        | Ty::Slice
        | Ty::SliceMut
        | Ty::Rows
        | Ty::RowsSlice => shape.iter().sum(),
        Ty::Size
        | Ty::Int
        | Ty::Bool
        | Ty::Unit
        | Ty::Fallible
        | Ty::Op
        | Ty::Mixed
        | Ty::VectorMut
        | Ty::AnyArrayRef => 0,
        Ty::Own(o) | Ty::OwnRef(o) | Ty::OwnMut(o) => {
            o.entries(shape.first().copied().unwrap_or(0))
        }
        Ty::OwnVec(o) | Ty::OwnSlice(o) => shape[0] * o.entries(0),
    }
}

impl Gen<'_> {
    pub(super) fn signature(&mut self, kind: &str, recursive: bool) -> (Vec<Ty>, Ty) {
        let mut params = Vec::new();
        for _ in 0..self.rng.within(1, 3) {
            if self.maybe(25, "own-parameter")
                && let Some(ty) = self.own_parameter()
            {
                params.push(ty);
                continue;
            }
            params.push(match self.rng.below(17) {
                0..=3 => Ty::Float,
                14 => Ty::ArrayMut(self.rng.within(1, 3)),
                15 => Ty::VectorMut,
                16 => Ty::TupleMut,
                4 | 5 => Ty::Slice,
                6 => Ty::RefMut,
                7 => Ty::SliceMut,
                8 => Ty::Array(self.rng.within(1, 3)),
                9 => Ty::Tuple(2),
                10 => Ty::Ref,
                11 => Ty::ArrayRef(2),
                12 => self.passive_or(Ty::Vector),
                _ => self.passive_or(Ty::VectorRef),
            });
        }
        match kind {
            "fn-const-generic" => params.push(Ty::AnyArrayRef),
            "fn-lifetime" => params.push(Ty::Slice),
            _ => {}
        }
        if recursive {
            params.push(Ty::Size);
        }
        let in_out = params.iter().any(Ty::in_out);
        match kind {
            "fn-fallible" => return (params, Ty::Fallible),
            "fn-option" => return (params, Ty::Maybe),
            _ => {}
        }
        let ret = match self.rng.below(10) {
            0 | 1 => Ty::Tuple(2),
            2 => Ty::Array(self.rng.within(2, 3)),
            3 | 4 if in_out => Ty::Unit,
            _ => match self.any_type(|_| true) {
                Some(own) if self.maybe(20, "own-result") => Ty::Own(own),
                _ => Ty::Float,
            },
        };
        (params, ret)
    }

    /// How a value of an own type is passed.
    fn own_parameter(&mut self) -> Option<Ty> {
        let own = self.any_type(|_| true)?;
        let list = own.fields().is_some();
        Some(match self.rng.below(9) {
            0..=2 => Ty::OwnRef(own),
            3 | 4 => Ty::OwnMut(own),
            5 if list => Ty::OwnSlice(own),
            6 if list => Ty::OwnVec(own),
            _ => Ty::Own(own),
        })
    }

    fn passive_or(&mut self, ty: Ty) -> Ty {
        if self.rng.percent(50) {
            self.rng.pick(&[&Ty::Size, &Ty::Bool]).clone()
        } else {
            ty
        }
    }

    pub(super) fn main_signature(&mut self) -> (Vec<Param>, Ty) {
        let mut params = Vec::new();
        let in_out = self.maybe(15, "main-in-out");
        for k in 0..self.rng.within(1, 4) {
            if self.maybe(35, "main-own")
                && let Some(ty) = self.own_parameter()
                && (in_out || !ty.in_out())
                // The adjoint has the variant of the value at the end, which nobody knows.
                && !matches!(&ty, Ty::OwnMut(own) if own.fields().is_none())
            {
                let param = self.param(ty);
                params.push(param);
                continue;
            }
            let ty = match self.rng.below(21) {
                0..=5 => Ty::Float,
                6 | 7 => Ty::Slice,
                8 => Ty::Array(self.rng.within(1, 4)),
                9 => Ty::ArrayRef(self.rng.within(1, 3)),
                10 => Ty::Tuple(2),
                11 => Ty::Vector,
                12 => Ty::VectorRef,
                13 => Ty::MatrixSlice(2),
                14 => Ty::Matrix(2, 2),
                15 => Ty::RowsSlice,
                16 => Ty::Maybe,
                17 => Ty::Ref,
                20 => Ty::Points,
                18 if k > 0 => Ty::Size,
                19 if k > 0 => {
                    if self.maybe(60, "main-enum") {
                        Ty::Op
                    } else {
                        Ty::Int
                    }
                }
                _ => Ty::Float,
            };
            params.push(self.param(ty));
        }
        if in_out {
            let ty = match self.rng.below(6) {
                0 | 1 => Ty::RefMut,
                2 => Ty::ArrayMut(self.rng.within(1, 3)),
                3 => Ty::TupleMut,
                _ => Ty::SliceMut,
            };
            params.push(self.param(ty));
        }
        if params.iter().all(|p| entries(&p.ty, &p.shape) == 0) {
            params.push(self.param(Ty::Float));
        }
        if self.callees.iter().any(|c| c.ret == Ty::Fallible) && self.maybe(40, "main-fallible") {
            return (params, Ty::Fallible);
        }
        let ret = match self.rng.below(20) {
            0 => Ty::Tuple(2),
            1 => Ty::Array(2),
            2 | 3 if in_out => Ty::Unit,
            5 | 6 if self.maybe(70, "main-fallible") => Ty::Fallible,
            // What is compared gives each entry a seed, and does not know the lengths of vectors.
            4 => match self.any_type(|t| t.fields().is_some() && t.copy) {
                Some(own) => Ty::Own(own),
                None => Ty::Float,
            },
            _ => Ty::Float,
        };
        (params, ret)
    }

    fn param(&mut self, ty: Ty) -> Param {
        let shape = match &ty {
            Ty::Own(o) | Ty::OwnRef(o) | Ty::OwnMut(o) => match &o.body {
                Body::Enum(all) => vec![self.rng.below(all.len())],
                Body::Struct(_) => vec![0],
            },
            Ty::OwnVec(_) | Ty::OwnSlice(_) => vec![self.rng.within(1, 3)],
            Ty::Slice | Ty::SliceMut | Ty::Vector | Ty::VectorRef => vec![self.rng.within(1, 4)],
            Ty::MatrixSlice(_) | Ty::Points => vec![self.rng.within(1, 3)],
            Ty::RowsSlice | Ty::Rows => (0..self.rng.within(1, 3))
                .map(|_| self.rng.within(1, 3))
                .collect(),
            Ty::Maybe => vec![self.rng.below(2)],
            _ => Vec::new(),
        };
        let passive = match ty {
            Ty::Size => self.rng.below(6).to_string(),
            Ty::Int => format!("({})", self.rng.below(9) as i32 - 4),
            Ty::Bool => self.rng.percent(50).to_string(),
            Ty::Op => self
                .rng
                .pick(&["Op::Add", "Op::Mul", "Op::Sin"])
                .to_string(),
            _ => String::new(),
        };
        Param { ty, shape, passive }
    }
}
