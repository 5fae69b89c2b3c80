//! The sweeps of a function with outputs, for callers that do not read what the outputs were before: the reverse sweep
//! leaves them, so the forward sweep need not save them. They are derived once more, and go through the same passes.

use crate::analysis::outputs::has_outputs;
use crate::diag::Diagnostics;
use crate::interface::{Surface, may_leave};
use crate::ir::{Sweeps, Transforms};
use crate::once_more::{self, Form};
use crate::pipeline::{Stopped, Unrolled};

/// Whether there can be such sweeps.
pub(crate) fn may_be_asked_for(surface: &Surface<'_>, primal: &Unrolled) -> bool {
    has_outputs(&primal.func) && may_leave(surface, primal.func.signature())
}

/// Both sweeps, verified. Mistakes of the function were reported before.
pub(crate) fn sweeps(
    primal: Unrolled,
    transforms: Transforms,
    diags: &mut Diagnostics,
) -> Result<Sweeps, Stopped> {
    once_more::sweeps(primal, transforms, Form::Leaving, diags)
}
