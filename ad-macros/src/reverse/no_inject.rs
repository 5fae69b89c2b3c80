//! What stands for `inject` where the compiler has no deliberate faults.

use crate::ir::{Func, Sweeps};

pub(crate) fn into_primal(_: &mut Func) {}

pub(crate) fn into_derived(_: &mut Sweeps) {}

pub(crate) fn into_finished(_: &mut Sweeps) {}
