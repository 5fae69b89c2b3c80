//! Sweeps that are derived once more from what was unrolled, in another form: for several seeds, or such that leave
//! their outputs. Mistakes of the function were reported when it was derived first, so what fails here is the
//! compiler's.

use crate::diag::{Diagnostics, catalog};
use crate::dump;
use crate::ir::{Remarks, Sweeps, Transforms};
use crate::pipeline::{Stopped, Unrolled, optimized};
use crate::reverse;

/// A form of the sweeps.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// They put back what outputs were.
    Seeds,
    /// They leave outputs as they are.
    Leaving,
}

/// Both sweeps, optimised and verified.
pub(crate) fn sweeps(
    primal: Unrolled,
    transforms: Transforms,
    form: Form,
    diags: &mut Diagnostics,
) -> Result<Sweeps, Stopped> {
    let stage = match form {
        Form::Seeds => "seeds",
        Form::Leaving => "leaving",
    };
    let signature = primal.func.without_body();
    let mut remarks = Remarks::default();
    let cx = reverse::Context {
        shares: &primal.shares,
        transforms,
        remarks: &mut remarks,
        leaving: form == Form::Leaving,
    };
    let derived = reverse::reverse(primal.func, &primal.activity, cx);
    let derived = derived.map_err(|_| "derivation".to_owned());
    let derived = derived.and_then(|(mut sweeps, _)| {
        optimized(&mut sweeps, transforms, &mut remarks, &mut |_, _| {})?;
        Ok(sweeps)
    });
    match derived {
        Ok(mut sweeps) => {
            if form == Form::Leaving {
                // Callers know the seed later.
                sweeps.joint = None;
            }
            dump::stage(&sweeps.func, stage, || sweeps.text());
            Ok(sweeps)
        }
        Err(reason) => {
            let message = catalog::internal(&format!("{stage}: {reason}"));
            diags.at(signature.name.span(), message);
            Err(Stopped::at(signature))
        }
    }
}
