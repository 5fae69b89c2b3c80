//! The operators that have a derivative.

use crate::ir::{BinOp, UnOp};

use super::{Entry, entry};

impl BinOp {
    /// What the table says of the operator on floats; `None` if floats do not have it, or its result is no number.
    pub(crate) fn entry(self) -> Option<&'static Entry> {
        Some(match self {
            BinOp::Add => entry!(Cheap [seed, seed]),
            BinOp::Sub => entry!(Cheap [seed, negated]),
            BinOp::Mul => entry!(Cheap [times(y), times(x)]),
            BinOp::Div => entry!(Cheap [DivLhs(y), DivRhs(y, r)]),
            BinOp::Rem => entry!(Cheap [seed, RemRhs(x, y)]),
            BinOp::And
            | BinOp::Or
            | BinOp::BitAnd
            | BinOp::BitOr
            | BinOp::BitXor
            | BinOp::Shl
            | BinOp::Shr
            | BinOp::Eq
            | BinOp::Ne
            | BinOp::Lt
            | BinOp::Le
            | BinOp::Gt
            | BinOp::Ge
            | BinOp::AddAssign
            | BinOp::SubAssign
            | BinOp::MulAssign
            | BinOp::DivAssign
            | BinOp::RemAssign
            | BinOp::BitAndAssign
            | BinOp::BitOrAssign
            | BinOp::BitXorAssign
            | BinOp::ShlAssign
            | BinOp::ShrAssign => return None,
        })
    }
}

impl UnOp {
    /// As [`BinOp::entry`].
    pub(crate) fn entry(self) -> Option<&'static Entry> {
        match self {
            UnOp::Neg => Some(entry!(Cheap[negated])),
            UnOp::Not => None,
        }
    }
}
