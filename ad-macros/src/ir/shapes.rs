//! How the shapes of buffers are compared with those of the values that they belong to: as far as types leave it open.

use super::{Param, Passing, Ty, has_static_zero};

/// What of a value and of its buffer is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Compared {
    Nothing,
    /// How many elements there are.
    Lengths,
    /// The shapes of all elements as well.
    Elements,
    /// The shapes of all parts.
    Whole,
}

impl Param {
    /// An argument and its buffer, before the forward sweep. `overwritten`: the buffer takes the shape of the argument
    /// anyway. What an in-out argument may change is not known yet.
    pub(crate) fn buffer_compared(&self, overwritten: bool) -> Compared {
        let in_out = self.passing == Passing::InOut;
        match (elements(&self.ty), &self.ty) {
            (Some(_), Ty::Vec(_) | Ty::Queue(_)) if in_out => Compared::Nothing,
            (Some(t), _) if in_out || has_static_zero(t) => Compared::Lengths,
            (Some(_), _) => Compared::Elements,
            (None, ty) if in_out || has_static_zero(ty) || overwritten => Compared::Nothing,
            (None, _) => Compared::Whole,
        }
    }

    /// The output of an in-out argument and its adjoint, behind the forward sweep. The length of a slice cannot have
    /// changed. `in_out`: it is one, or a field of one.
    pub(crate) fn output_compared(&self, in_out: bool) -> Compared {
        if !in_out {
            return Compared::Nothing;
        }
        match elements(&self.ty) {
            Some(t) if has_static_zero(t) && is_resizable(&self.ty) => Compared::Lengths,
            Some(t) if has_static_zero(t) => Compared::Nothing,
            Some(_) => Compared::Elements,
            None if has_static_zero(&self.ty) => Compared::Nothing,
            None => Compared::Whole,
        }
    }
}

/// Whether it is a vector or a queue.
fn is_resizable(ty: &Ty) -> bool {
    matches!(ty, Ty::Vec(_) | Ty::Queue(_))
}

/// The type of the elements of a slice, vector or queue.
fn elements(ty: &Ty) -> Option<&Ty> {
    if let Ty::Slice(t) | Ty::Vec(t) | Ty::Queue(t) = ty {
        Some(t)
    } else {
        None
    }
}
