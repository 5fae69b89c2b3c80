//! Types as far as a macro can see them.

use std::rc::Rc;

use super::{Field, Len};

/// A type, or what is known of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Ty {
    F32,
    F64,
    /// A float whose width the function's text does not show (`let a = 0.5;` beside a constant): rustc infers it.
    Float,
    /// An integer; its type if written (`usize`), else inferred by rustc.
    Int(Option<IntTy>),
    /// An index of generated code, which may know whether it overflowed.
    Index,
    /// Four numbers of generated code, side by side in a register.
    Four(Box<Ty>),
    /// A window of generated code whose elements are counted from its end.
    Mirrored(Box<Ty>),
    Bool,
    Char,
    Unit,
    Str,
    /// `[T; N]` with the length, where it is known.
    Array(Box<Ty>, Option<Box<Len>>),
    Slice(Box<Ty>),
    Vec(Box<Ty>),
    /// A `VecDeque<T>`, whose adjoint is a vector. It has elements by index, but no slices.
    Queue(Box<Ty>),
    Tuple(Vec<Ty>),
    Option(Box<Ty>),
    /// `&T` or `&mut T` (`true`); only parameters have it.
    Ref(bool, Box<Ty>),
    /// A type that carries no derivative and is not looked into.
    Passive,
    /// A type that the macro cannot see: the result of a call, a path type (`S`), a constant.
    Unknown,
    /// A struct of the user's whose definition is known. All that is known of it are its fields, so it is taken for
    /// [`Unknown`](Ty::Unknown) wherever they do not matter.
    Struct(Rc<Struct>),
    /// A type variable of `lower`'s inference; there is none in the result of `lower`.
    Infer(u32),
}

/// A struct of the user's, or its tangent, as far as its definition shows it.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Struct {
    /// What says in the generated code which type it is.
    pub(crate) id: u64,
    pub(crate) fields: Vec<StructField>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct StructField {
    pub(crate) field: Field,
    pub(crate) ty: Ty,
    /// It is marked `#[constant]`: in the tangent, there is nothing of it.
    pub(crate) constant: bool,
}

impl Struct {
    /// The field, if there is one of this name.
    pub(crate) fn field(&self, field: &Field) -> Option<&StructField> {
        self.fields.iter().find(|known| known.field == *field)
    }

    /// The tangent.
    fn tangent(&self) -> Self {
        let fields = self.fields.iter().map(|known| StructField {
            ty: if known.constant {
                Ty::Unit
            } else {
                tangent_ty(&known.ty)
            },
            ..known.clone()
        });
        Struct {
            id: self.id,
            fields: fields.collect(),
        }
    }
}

/// The integer types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum IntTy {
    U8,
    U16,
    U32,
    U64,
    U128,
    Usize,
    I8,
    I16,
    I32,
    I64,
    I128,
    Isize,
}

impl IntTy {
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "u8" => IntTy::U8,
            "u16" => IntTy::U16,
            "u32" => IntTy::U32,
            "u64" => IntTy::U64,
            "u128" => IntTy::U128,
            "usize" => IntTy::Usize,
            "i8" => IntTy::I8,
            "i16" => IntTy::I16,
            "i32" => IntTy::I32,
            "i64" => IntTy::I64,
            "i128" => IntTy::I128,
            "isize" => IntTy::Isize,
            _ => return None,
        })
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            IntTy::U8 => "u8",
            IntTy::U16 => "u16",
            IntTy::U32 => "u32",
            IntTy::U64 => "u64",
            IntTy::U128 => "u128",
            IntTy::Usize => "usize",
            IntTy::I8 => "i8",
            IntTy::I16 => "i16",
            IntTy::I32 => "i32",
            IntTy::I64 => "i64",
            IntTy::I128 => "i128",
            IntTy::Isize => "isize",
        }
    }

    /// The size of a value. Addresses are taken to have 64 bits.
    fn bytes(self) -> usize {
        match self {
            IntTy::U8 | IntTy::I8 => 1,
            IntTy::U16 | IntTy::I16 => 2,
            IntTy::U32 | IntTy::I32 => 4,
            IntTy::U64 | IntTy::I64 | IntTy::Usize | IntTy::Isize => 8,
            IntTy::U128 | IntTy::I128 => 16,
        }
    }
}

impl Ty {
    pub(crate) const USIZE: Ty = Ty::Int(Some(IntTy::Usize));
    pub(crate) const U8: Ty = Ty::Int(Some(IntTy::U8));
    pub(crate) const U32: Ty = Ty::Int(Some(IntTy::U32));
    pub(crate) const I32: Ty = Ty::Int(Some(IntTy::I32));

    /// Whether it is a type that the text does not show, whatever is known of its fields.
    pub(crate) fn is_unseen(&self) -> bool {
        matches!(self, Ty::Unknown | Ty::Struct(_))
    }

    /// Whether a number in it has a type that the uses of the value decide, or else the default of its literal.
    pub(crate) fn is_open(&self) -> bool {
        match self {
            Ty::Int(None) | Ty::Float => true,
            Ty::Array(t, _) | Ty::Vec(t) | Ty::Queue(t) | Ty::Option(t) => t.is_open(),
            Ty::Tuple(parts) => parts.iter().any(Ty::is_open),
            Ty::F32
            | Ty::F64
            | Ty::Int(Some(_))
            | Ty::Index
            | Ty::Four(_)
            | Ty::Mirrored(_)
            | Ty::Bool
            | Ty::Char
            | Ty::Unit
            | Ty::Str
            | Ty::Slice(_)
            | Ty::Ref(..)
            | Ty::Passive
            | Ty::Unknown
            | Ty::Struct(_)
            | Ty::Infer(_) => false,
        }
    }

    pub(crate) fn is_float(&self) -> bool {
        matches!(self, Ty::F32 | Ty::F64 | Ty::Float)
    }

    /// Whether a value of the type may carry a derivative. `Unknown` may.
    pub(crate) fn may_carry_derivative(&self) -> bool {
        match self {
            Ty::F32 | Ty::F64 | Ty::Float | Ty::Unknown | Ty::Struct(_) | Ty::Infer(_) => true,
            Ty::Int(_) | Ty::Index | Ty::Bool | Ty::Char | Ty::Unit | Ty::Str | Ty::Passive => {
                false
            }
            Ty::Four(t)
            | Ty::Mirrored(t)
            | Ty::Array(t, _)
            | Ty::Slice(t)
            | Ty::Vec(t)
            | Ty::Queue(t)
            | Ty::Option(t)
            | Ty::Ref(_, t) => t.may_carry_derivative(),
            Ty::Tuple(ts) => ts.iter().any(Ty::may_carry_derivative),
        }
    }

    /// Whether it may be, or hold, a type of the user's, whose implementations of std's traits may do anything.
    pub(crate) fn may_be_own(&self) -> bool {
        match self {
            Ty::Unknown | Ty::Struct(_) | Ty::Infer(_) | Ty::Passive => true,
            Ty::Array(t, _) | Ty::Slice(t) | Ty::Vec(t) | Ty::Queue(t) | Ty::Option(t) => {
                t.may_be_own()
            }
            Ty::Tuple(ts) => ts.iter().any(Ty::may_be_own),
            Ty::Four(_)
            | Ty::Mirrored(_)
            | Ty::F32
            | Ty::F64
            | Ty::Float
            | Ty::Int(_)
            | Ty::Index
            | Ty::Bool
            | Ty::Char
            | Ty::Unit
            | Ty::Str
            | Ty::Ref(..) => false,
        }
    }

    /// Whether the shape of a value can differ from that of its gradient in more than a length.
    pub(crate) fn shape_varies(&self) -> bool {
        match self {
            Ty::Option(_) => true,
            Ty::Tuple(parts) => parts.iter().any(Ty::shape_varies),
            Ty::Array(t, _) => t.shape_varies(),
            // Of vectors the lengths are compared, and behind references there is a type that says.
            Ty::F32
            | Ty::F64
            | Ty::Float
            | Ty::Four(_)
            | Ty::Mirrored(_)
            | Ty::Int(_)
            | Ty::Index
            | Ty::Bool
            | Ty::Char
            | Ty::Unit
            | Ty::Str
            | Ty::Passive
            | Ty::Unknown
            | Ty::Struct(_)
            | Ty::Infer(_)
            | Ty::Slice(_)
            | Ty::Vec(_)
            | Ty::Queue(_)
            | Ty::Ref(..) => false,
        }
    }

    /// A scalar whose reads are copies and cost nothing.
    pub(crate) fn is_scalar(&self) -> bool {
        self.is_float() || matches!(self, Ty::Int(_) | Ty::Bool | Ty::Char)
    }

    /// Whether the type is certainly `Copy` and of a size known to rustc.
    pub(crate) fn is_copy(&self) -> bool {
        match self {
            Ty::F32
            | Ty::F64
            | Ty::Float
            | Ty::Int(_)
            | Ty::Index
            | Ty::Four(_)
            | Ty::Bool
            | Ty::Char
            | Ty::Unit => true,
            Ty::Array(t, _) | Ty::Option(t) => t.is_copy(),
            Ty::Tuple(ts) => ts.iter().all(Ty::is_copy),
            Ty::Ref(mutable, _) => !mutable,
            Ty::Str
            | Ty::Mirrored(_)
            | Ty::Slice(_)
            | Ty::Vec(_)
            | Ty::Queue(_)
            | Ty::Passive
            | Ty::Unknown
            | Ty::Struct(_)
            | Ty::Infer(_) => false,
        }
    }

    /// The types that it is made of.
    pub(crate) fn parts(&self) -> &[Ty] {
        match self {
            Ty::Four(t)
            | Ty::Mirrored(t)
            | Ty::Array(t, _)
            | Ty::Slice(t)
            | Ty::Vec(t)
            | Ty::Queue(t)
            | Ty::Option(t)
            | Ty::Ref(_, t) => std::slice::from_ref(t),
            Ty::Tuple(parts) => parts,
            Ty::F32
            | Ty::F64
            | Ty::Float
            | Ty::Int(_)
            | Ty::Index
            | Ty::Bool
            | Ty::Char
            | Ty::Unit
            | Ty::Str
            | Ty::Passive
            | Ty::Unknown
            | Ty::Struct(_)
            | Ty::Infer(_) => &[],
        }
    }

    /// Whether it is a container of floats of a width that the text does not show.
    pub(crate) fn has_float_inside(&self) -> bool {
        let is_inside = |t: &Ty| *t == Ty::Float || t.has_float_inside();
        self.parts().iter().any(is_inside)
    }

    /// The size of a value on the tape, if the type says. Addresses are taken to have 64 bits.
    pub(crate) fn bytes(&self) -> Option<usize> {
        match self {
            Ty::F64 => Some(8),
            Ty::F32 | Ty::Char => Some(4),
            Ty::Bool => Some(1),
            Ty::Unit => Some(0),
            Ty::Int(Some(ty)) => Some(ty.bytes()),
            Ty::Array(t, Some(len)) => {
                let len = usize::try_from(len.number()?).ok()?;
                t.bytes()?.checked_mul(len)
            }
            Ty::Tuple(parts) => parts.iter().map(Ty::bytes).sum(),
            Ty::Option(t) => Some(1 + t.bytes()?),
            Ty::Float
            | Ty::Int(None)
            | Ty::Index
            | Ty::Four(_)
            | Ty::Mirrored(_)
            | Ty::Array(_, None)
            | Ty::Str
            | Ty::Slice(_)
            | Ty::Vec(_)
            | Ty::Queue(_)
            | Ty::Ref(..)
            | Ty::Passive
            | Ty::Unknown
            | Ty::Struct(_)
            | Ty::Infer(_) => None,
        }
    }

    /// The name of a primitive type.
    pub(crate) fn primitive_name(&self) -> Option<&'static str> {
        match self {
            Ty::F32 => Some("f32"),
            Ty::F64 => Some("f64"),
            Ty::Int(ty) => ty.map(IntTy::name),
            Ty::Bool => Some("bool"),
            Ty::Char => Some("char"),
            Ty::Str => Some("str"),
            Ty::Float
            | Ty::Index
            | Ty::Four(_)
            | Ty::Mirrored(_)
            | Ty::Unit
            | Ty::Array(..)
            | Ty::Slice(_)
            | Ty::Vec(_)
            | Ty::Queue(_)
            | Ty::Tuple(_)
            | Ty::Option(_)
            | Ty::Ref(..)
            | Ty::Passive
            | Ty::Unknown
            | Ty::Struct(_)
            | Ty::Infer(_) => None,
        }
    }

    /// Whether the text shows it in full.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is not named is not spelled out"
    )]
    pub(crate) fn is_spelled_out(&self) -> bool {
        match self {
            Ty::F32 | Ty::F64 | Ty::Int(Some(_)) | Ty::Bool | Ty::Char => true,
            Ty::Array(t, Some(_)) => t.is_spelled_out(),
            Ty::Tuple(parts) => parts.iter().all(Ty::is_spelled_out),
            _ => false,
        }
    }

    /// Whether a value is a reference, or holds one.
    pub(crate) fn holds_reference(&self) -> bool {
        matches!(self, Ty::Ref(..)) || self.parts().iter().any(Ty::holds_reference)
    }

    /// The type behind references.
    pub(crate) fn peel(&self) -> &Ty {
        if let Ty::Ref(_, t) = self {
            t.peel()
        } else {
            self
        }
    }

    /// The element type of an array, slice, vector or queue (also behind a reference).
    pub(crate) fn element(&self) -> Ty {
        if let Ty::Array(t, _)
        | Ty::Slice(t)
        | Ty::Vec(t)
        | Ty::Queue(t)
        | Ty::Four(t)
        | Ty::Mirrored(t) = self.peel()
        {
            (**t).clone()
        } else {
            Ty::Unknown
        }
    }
}

/// Whether the type alone says what its zero adjoint looks like.
pub(crate) fn has_static_zero(ty: &Ty) -> bool {
    match ty {
        Ty::F32
        | Ty::F64
        | Ty::Float
        | Ty::Int(_)
        | Ty::Index
        | Ty::Bool
        | Ty::Char
        | Ty::Unit
        | Ty::Str
        | Ty::Passive => true,
        Ty::Array(t, len) => len.is_some() && has_static_zero(t),
        Ty::Tuple(parts) => parts.iter().all(has_static_zero),
        Ty::Four(_)
        | Ty::Mirrored(_)
        | Ty::Slice(_)
        | Ty::Vec(_)
        | Ty::Queue(_)
        | Ty::Option(_)
        | Ty::Ref(..)
        | Ty::Unknown
        | Ty::Struct(_)
        | Ty::Infer(_) => false,
    }
}

/// The type of the adjoint of a value.
pub(crate) fn tangent_ty(ty: &Ty) -> Ty {
    let part = |t: &Ty| Box::new(part_tangent(t));
    match ty {
        Ty::F32 | Ty::F64 | Ty::Float | Ty::Unknown | Ty::Infer(_) => ty.clone(),
        Ty::Struct(of) => Ty::Struct(Rc::new(of.tangent())),
        Ty::Int(_) | Ty::Index | Ty::Bool | Ty::Char | Ty::Unit | Ty::Str | Ty::Passive => Ty::Unit,
        Ty::Array(t, len) => Ty::Array(part(t), len.clone()),
        // The adjoint of a borrowed slice or vector is a slice of the caller's.
        Ty::Slice(t) => Ty::Slice(part(t)),
        Ty::Vec(t) | Ty::Queue(t) => Ty::Vec(part(t)),
        Ty::Option(t) => Ty::Option(part(t)),
        Ty::Tuple(parts) => Ty::Tuple(parts.iter().map(part_tangent).collect()),
        Ty::Four(t) => Ty::Four(part(t)),
        Ty::Mirrored(t) => Ty::Mirrored(part(t)),
        Ty::Ref(_, t) => tangent_ty(t),
    }
}

/// The type of the adjoint of a part. That of what is behind a reference owns.
fn part_tangent(ty: &Ty) -> Ty {
    match (ty, tangent_ty(ty)) {
        (Ty::Ref(..), Ty::Slice(t)) => Ty::Vec(t),
        (_, tangent) => tangent,
    }
}
