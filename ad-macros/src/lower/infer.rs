//! Type inference by unification, as far as the text of one function shows types.
//!
//! A guess can only be wrong where the macro cannot see a type; the emitter annotates the guess, so that rustc
//! rejects it. Contradictions are therefore not reported here. That something is a float of one width or the other is
//! not annotated: rustc infers the width as it does in the user's function, and checks where the value meets a
//! derivative rule that it is a float.

use std::collections::BTreeMap;

use crate::ir::{BinOp, Ty};

/// What is known of a type variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    General,
    /// The result of a differentiated function: a number, a container or a tuple of them.
    Result,
    /// A number; a float unless something else is found out.
    Number,
    Float,
    Int,
    /// A struct whose fields the text shows, in part.
    Struct,
}

#[derive(Clone, Debug)]
enum Slot {
    Free(Kind),
    Bound(Ty),
}

/// The family of a type, as far as it is known now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    Float,
    Int,
    /// A number of either family.
    Number,
    /// Not known yet.
    Open,
    /// A type that stays unknown to the macro.
    Hidden,
    Other,
}

/// `a op b = c`. `scales`: where one operand is a number, the other one may still be something that is scaled.
struct Pending {
    types: [Ty; 3],
    scales: bool,
}

#[derive(Default)]
pub(super) struct Infer {
    slots: Vec<Slot>,
    /// Types of the parts of a value whose type is a variable, so that each part has one type.
    parts: BTreeMap<(u32, String), Ty>,
    /// `a op b = c` on types not known at the time.
    arithmetic: Vec<Pending>,
}

impl Infer {
    pub(super) fn fresh(&mut self, kind: Kind) -> Ty {
        self.slots.push(Slot::Free(kind));
        Ty::Infer(u32::try_from(self.slots.len() - 1).expect("fewer than 2^32 type variables"))
    }

    /// The type with its outermost constructor known, where it is.
    pub(super) fn shallow(&self, ty: &Ty) -> Ty {
        let mut ty = ty.clone();
        while let Ty::Infer(n) = ty {
            match &self.slots[n as usize] {
                Slot::Bound(t) => ty = t.clone(),
                Slot::Free(_) => break,
            }
        }
        ty
    }

    /// The type with everything known filled in; what is open stays a variable.
    pub(super) fn deep(&self, ty: &Ty) -> Ty {
        self.map(ty, &|n, _| Ty::Infer(n))
    }

    /// The final type: open variables take their default.
    pub(super) fn finish(&self, ty: &Ty) -> Ty {
        self.map(ty, &|_, kind| match kind {
            Kind::General | Kind::Result | Kind::Struct => Ty::Unknown,
            Kind::Number | Kind::Float => Ty::Float,
            Kind::Int => Ty::Int(None),
        })
    }

    fn map(&self, ty: &Ty, open: &dyn Fn(u32, Kind) -> Ty) -> Ty {
        let inner = |t: &Ty| Box::new(self.map(t, open));
        match self.shallow(ty) {
            Ty::Infer(n) => match self.slots[n as usize] {
                Slot::Free(kind) => open(n, kind),
                Slot::Bound(_) => Ty::Unknown,
            },
            Ty::Array(t, n) => Ty::Array(inner(&t), n),
            Ty::Slice(t) => Ty::Slice(inner(&t)),
            Ty::Vec(t) => Ty::Vec(inner(&t)),
            Ty::Queue(t) => Ty::Queue(inner(&t)),
            Ty::Option(t) => Ty::Option(inner(&t)),
            Ty::Ref(m, t) => Ty::Ref(m, inner(&t)),
            Ty::Tuple(ts) => Ty::Tuple(ts.iter().map(|t| self.map(t, open)).collect()),
            leaf => leaf,
        }
    }

    pub(super) fn class(&self, ty: &Ty) -> Class {
        match self.shallow(ty) {
            Ty::F32 | Ty::F64 | Ty::Float => Class::Float,
            Ty::Int(_) => Class::Int,
            Ty::Infer(n) => match self.slots[n as usize] {
                Slot::Free(Kind::Float) => Class::Float,
                Slot::Free(Kind::Int) => Class::Int,
                Slot::Free(Kind::Number) => Class::Number,
                Slot::Free(Kind::Struct) => Class::Hidden,
                Slot::Free(Kind::General | Kind::Result) | Slot::Bound(_) => Class::Open,
            },
            Ty::Unknown | Ty::Struct(_) | Ty::Passive => Class::Hidden,
            Ty::Ref(_, t) => self.class(&t),
            _ => Class::Other,
        }
    }

    /// Whether the type is known to be a number, `bool` or `char`.
    pub(super) fn is_plain(&self, ty: &Ty) -> bool {
        let number = matches!(self.class(ty), Class::Float | Class::Int | Class::Number);
        number || matches!(self.shallow(ty), Ty::Bool | Ty::Char)
    }

    /// Whether a value of the type certainly carries no derivative.
    pub(super) fn is_passive(&self, ty: &Ty) -> bool {
        match self.shallow(ty) {
            Ty::Infer(n) => matches!(self.slots[n as usize], Slot::Free(Kind::Int)),
            Ty::Array(t, _)
            | Ty::Slice(t)
            | Ty::Vec(t)
            | Ty::Queue(t)
            | Ty::Option(t)
            | Ty::Ref(_, t) => self.is_passive(&t),
            Ty::Tuple(ts) => ts.iter().all(|t| self.is_passive(t)),
            other => !other.may_carry_derivative(),
        }
    }

    /// The element type of a container, also behind references; `None` if it is not known to be one.
    pub(super) fn element(&self, ty: &Ty) -> Option<Ty> {
        match self.shallow(ty) {
            Ty::Array(t, _) | Ty::Slice(t) | Ty::Vec(t) | Ty::Queue(t) => Some(*t),
            Ty::Ref(_, t) => self.element(&t),
            _ => None,
        }
    }

    /// Notes that a type is the result of a differentiated function, where nothing else is known of it.
    pub(super) fn set_result(&mut self, ty: &Ty) {
        match self.shallow(ty) {
            Ty::Infer(n) if self.kind(n) == Kind::General => {
                self.slots[n as usize] = Slot::Free(Kind::Result);
            }
            Ty::Tuple(parts) => parts.iter().for_each(|part| self.set_result(part)),
            _ => {}
        }
    }

    /// Notes that a type is one of the user's, where nothing else is known of it.
    pub(super) fn set_struct(&mut self, ty: &Ty) {
        if let Ty::Infer(n) = self.shallow(ty)
            && matches!(self.kind(n), Kind::General | Kind::Result)
        {
            self.slots[n as usize] = Slot::Free(Kind::Struct);
        }
    }

    /// Whether all that is known of a type is that a differentiated function returned it.
    pub(super) fn is_result(&self, ty: &Ty) -> bool {
        matches!(self.shallow(ty), Ty::Infer(n) if self.kind(n) == Kind::Result)
    }

    /// Whether it is a struct or an enum that the text has made, and no box of something.
    pub(super) fn is_made(&self, ty: &Ty) -> bool {
        let made = |n| self.kind(n) == Kind::Struct && self.part(n, "*").is_none();
        matches!(self.shallow(ty), Ty::Infer(n) if made(n))
    }

    fn occurs(&self, var: u32, ty: &Ty) -> bool {
        match self.shallow(ty) {
            Ty::Infer(n) => n == var,
            Ty::Array(t, _)
            | Ty::Slice(t)
            | Ty::Vec(t)
            | Ty::Queue(t)
            | Ty::Option(t)
            | Ty::Ref(_, t) => self.occurs(var, &t),
            Ty::Tuple(ts) => ts.iter().any(|t| self.occurs(var, t)),
            _ => false,
        }
    }

    fn kind(&self, var: u32) -> Kind {
        match self.slots[var as usize] {
            Slot::Free(kind) => kind,
            Slot::Bound(_) => Kind::General,
        }
    }

    /// Makes two types one, as far as they agree.
    pub(super) fn unify(&mut self, a: &Ty, b: &Ty) {
        match (self.shallow(a), self.shallow(b)) {
            (Ty::Infer(x), Ty::Infer(y)) if x == y => {}
            (Ty::Infer(x), Ty::Infer(y)) => self.join(x, y),
            (Ty::Infer(x), ty) | (ty, Ty::Infer(x)) => self.bind(x, &ty),
            (
                Ty::Array(s, _) | Ty::Slice(s) | Ty::Vec(s) | Ty::Queue(s),
                Ty::Array(t, _) | Ty::Slice(t) | Ty::Vec(t) | Ty::Queue(t),
            )
            | (Ty::Option(s), Ty::Option(t)) => self.unify(&s, &t),
            (Ty::Ref(_, s), t) | (t, Ty::Ref(_, s)) => self.unify(&s, &t),
            (Ty::Tuple(ss), Ty::Tuple(ts)) if ss.len() == ts.len() => {
                for (s, t) in ss.iter().zip(&ts) {
                    self.unify(s, t);
                }
            }
            _ => {}
        }
    }

    fn join(&mut self, x: u32, y: u32) {
        let kind = match (self.kind(x), self.kind(y)) {
            (Kind::General, k) | (k, Kind::General) => k,
            (Kind::Result, k) | (k, Kind::Result) => k,
            (Kind::Number, k) | (k, Kind::Number) => k,
            (j, k) if j == k => k,
            _ => return,
        };
        self.slots[y as usize] = Slot::Free(kind);
        self.slots[x as usize] = Slot::Bound(Ty::Infer(y));
        let parts = std::mem::take(&mut self.parts).into_iter();
        let (own, rest): (BTreeMap<_, _>, _) = parts.partition(|((var, _), _)| *var == x);
        self.parts = rest;
        for ((_, tag), part) in own {
            match self.part(y, &tag) {
                Some(same) => self.unify(&part, &same),
                None => self.set_part(y, tag, part),
            }
        }
    }

    /// The type of a part of a value whose type is a variable.
    pub(super) fn part(&self, var: u32, tag: &str) -> Option<Ty> {
        self.parts.get(&(var, tag.to_owned())).cloned()
    }

    pub(super) fn set_part(&mut self, var: u32, tag: String, ty: Ty) {
        self.parts.insert((var, tag), ty);
    }

    pub(super) fn bind(&mut self, var: u32, ty: &Ty) {
        let fits = match self.kind(var) {
            Kind::General | Kind::Result => true,
            Kind::Number => matches!(ty, Ty::F32 | Ty::F64 | Ty::Int(_)),
            Kind::Float => ty.is_float(),
            Kind::Int => matches!(ty, Ty::Int(_)),
            Kind::Struct => false,
        };
        if fits && !self.occurs(var, ty) {
            self.slots[var as usize] = Slot::Bound(ty.clone());
        }
    }

    /// The type of `a op b` for an arithmetic operator.
    ///
    /// One operand that is a number makes the other one, of an unknown type, the same, but for a float that multiplies
    /// or divides: vectors are scaled so. There the result decides, if more is known of it.
    pub(super) fn arithmetic(&mut self, op: BinOp, a: &Ty, b: &Ty) -> Ty {
        let (a, b) = (
            self.shallow(a).peel().clone(),
            self.shallow(b).peel().clone(),
        );
        let scales = match op {
            BinOp::Mul => self.is_scaled(&a, &b) || self.is_scaled(&b, &a),
            BinOp::Div => self.is_scaled(&a, &b),
            _ => false,
        };
        match (self.class(&a), self.class(&b)) {
            (Class::Hidden | Class::Other, _) | (_, Class::Hidden | Class::Other) => Ty::Unknown,
            (Class::Open, Class::Open) => self.pending(a, b, scales),
            _ if scales => self.pending(a, b, scales),
            _ => {
                self.unify(&a, &b);
                a
            }
        }
    }

    /// The type of `a op b` for an operator on bits, which types of the user may have as well.
    pub(super) fn bits(&mut self, a: &Ty, b: &Ty) -> Ty {
        let (a, b) = (
            self.shallow(a).peel().clone(),
            self.shallow(b).peel().clone(),
        );
        match (self.class(&a), self.class(&b)) {
            (Class::Hidden, _) | (_, Class::Hidden) => Ty::Unknown,
            _ => {
                self.unify(&a, &b);
                a
            }
        }
    }

    /// Whether a value of a type that is not known may be scaled by one of the other type.
    fn is_scaled(&self, a: &Ty, by: &Ty) -> bool {
        self.class(a) == Class::Open && self.class(by) == Class::Float
    }

    fn pending(&mut self, a: Ty, b: Ty, scales: bool) -> Ty {
        let result = self.fresh(Kind::General);
        self.arithmetic.push(Pending {
            types: [a, b, result.clone()],
            scales,
        });
        result
    }

    /// Settles arithmetic whose operands were not known at the time: one known number makes all three one type, in a
    /// product of which one factor is known the result, or both factors.
    pub(super) fn solve(&mut self) {
        loop {
            let pending = std::mem::take(&mut self.arithmetic);
            let before = pending.len();
            for Pending { types, scales } in pending {
                let number =
                    |t: &&Ty| matches!(self.class(t), Class::Float | Class::Int | Class::Number);
                let numbers = types.iter().filter(number).count();
                let of_result = number(&&types[2]);
                let known = types.iter().find(number).cloned();
                match known {
                    Some(number) if of_result || numbers > 1 || !scales => {
                        types.iter().for_each(|t| self.unify(t, &number));
                    }
                    _ => self.arithmetic.push(Pending { types, scales }),
                }
            }
            if self.arithmetic.len() == before {
                return;
            }
        }
    }
}
