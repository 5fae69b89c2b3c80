//! `#[gradient(seeds)]`: the sweeps for several seeds at once. They are derived as those for one seed, and keep the
//! form in which adjoints are adjoints alone: no loop is written in two versions, and no gradient is begun with an
//! assignment. `emit::seeds` prints them.

use crate::diag::{Diagnostics, Message, catalog};
use crate::ir::seeds::Unseeded;
use crate::ir::{Sweeps, Transforms};
use crate::once_more::{self, Form};
use crate::pipeline::{Stopped, Unrolled};

/// What ties loops to the adjoints of one seed.
const WITHOUT: [&str; 14] = [
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
    "sink",
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
    let params = &primal.func.params;
    if let Some(object) = params.iter().find(|p| p.differentiable() && p.is_object()) {
        diags.at(object.ident.span(), catalog::seeds_object());
        return Err(Stopped::at(primal.func.without_body()));
    }
    once_more::sweeps(primal, transforms, Form::Seeds, diags)
}

/// Why there are none.
pub(crate) fn refusal(why: &Unseeded) -> Message {
    match why {
        Unseeded::Operator => catalog::seeds_call(),
        Unseeded::Parallel => catalog::seeds_loop(),
        Unseeded::Unforeseen(what) => catalog::internal(&format!("seeds: {what}")),
    }
}
