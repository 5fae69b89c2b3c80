//! `#[gradient(seeds)]`: the sweeps for several seeds at once. They are derived as those for one seed, and keep the
//! form in which adjoints are adjoints alone: no loop is written in two versions, and no gradient is begun with an
//! assignment. `emit::seeds` prints them.

use crate::diag::{Diagnostics, Message, catalog};
use crate::dump;
use crate::ir::seeds::Unseeded;
use crate::ir::{Block, Func, Remarks, Sweeps, Transforms};
use crate::pipeline::{Stopped, Unrolled, optimized};
use crate::reverse;

/// What ties loops to the adjoints of one seed.
const WITHOUT: [&str; 13] = [
    "reslice",
    "lanes",
    "wide",
    "gather",
    "combine",
    "jam",
    "hoist",
    "terms",
    "defer",
    "assign",
    "interchange",
    "tiles",
    "outputs",
];

/// Both sweeps for several seeds, verified. Mistakes of the function were reported before.
pub(crate) fn sweeps(
    primal: Unrolled,
    mut transforms: Transforms,
    diags: &mut Diagnostics,
) -> Result<Sweeps, Stopped> {
    for name in WITHOUT {
        transforms.switch_off(name);
    }
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
    if let Some(object) = func
        .params
        .iter()
        .find(|p| p.differentiable() && p.is_object())
    {
        diags.at(object.ident.span(), catalog::seeds_object());
        return Err(Stopped::at(signature));
    }
    let mut remarks = Remarks::default();
    let cx = reverse::Context {
        shares: &shares,
        transforms,
        remarks: &mut remarks,
        leaving: false,
    };
    let derived = reverse::reverse(func, &activity, cx).map_err(|_| "derivation".to_owned());
    let derived = derived.and_then(|(mut sweeps, _)| {
        optimized(&mut sweeps, transforms, &mut remarks, &mut |_, _| {})?;
        Ok(sweeps)
    });
    match derived {
        Ok(sweeps) => {
            dump::stage(&sweeps.func, "seeds", || sweeps.text());
            Ok(sweeps)
        }
        Err(reason) => {
            let message = catalog::internal(&format!("seeds: {reason}"));
            diags.at(signature.name.span(), message);
            Err(Stopped::at(signature))
        }
    }
}

/// Why there are none.
pub(crate) fn refusal(why: &Unseeded) -> Message {
    match why {
        Unseeded::Operator => catalog::seeds_call(),
        Unseeded::Parallel => catalog::seeds_loop(),
        Unseeded::Unforeseen(what) => catalog::internal(&format!("seeds: {what}")),
    }
}
