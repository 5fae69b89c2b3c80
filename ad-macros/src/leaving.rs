//! The sweeps of a function with outputs, for callers that do not read what the outputs were before: the reverse sweep
//! leaves them, so the forward sweep need not save them. They are derived once more, and go through the same passes.

use crate::analysis::outputs::has_outputs;
use crate::diag::{Diagnostics, catalog};
use crate::dump;
use crate::interface::{Surface, may_leave};
use crate::ir::{Block, Func, Remarks, Sweeps, Transforms};
use crate::pipeline::{Stopped, Unrolled, optimized};
use crate::reverse;

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
    let Unrolled {
        func,
        activity,
        shares,
        ..
    } = primal;
    let signature = Func {
        body: Block::default(),
        ..func.clone()
    };
    let mut remarks = Remarks::default();
    let cx = reverse::Context {
        shares: &shares,
        transforms,
        remarks: &mut remarks,
        leaving: true,
    };
    let derived = reverse::reverse(func, &activity, cx).map_err(|_| "derivation".to_owned());
    let derived = derived.and_then(|(mut sweeps, _)| {
        optimized(&mut sweeps, transforms, &mut remarks, &mut |_, _| {})?;
        // Callers know the seed later.
        sweeps.joint = None;
        Ok(sweeps)
    });
    match derived {
        Ok(sweeps) => {
            dump::stage(&sweeps.func, "leaving", || sweeps.text());
            Ok(sweeps)
        }
        Err(reason) => {
            let message = catalog::internal(&format!("leaving: {reason}"));
            diags.at(signature.name.span(), message);
            Err(Stopped::at(signature))
        }
    }
}
