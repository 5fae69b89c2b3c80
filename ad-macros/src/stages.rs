//! The stages of one function, from its text to verified sweeps.

use crate::analysis::activity::{Activity, activity};
use crate::analysis::{generators, lost, parallel};
use crate::diag::{Diagnostics, catalog};
use crate::explain::Explain;
use crate::ir::hash::HashMap;
use crate::ir::verify::{is_thorough, verify_sweeps};
use crate::ir::{Func, LoopId, Remarks, Shares, Sweeps, Transform, Transforms};
use crate::lower::{self, Owner};
use crate::{dump, functions, inlining, ir, optimize, reverse};

/// A mistake was reported, in this function or in one in front of it: what stubs need of the function, if it has a
/// signature.
#[derive(Debug)]
pub(crate) struct Stopped(pub(crate) Option<Box<Func>>);

impl Stopped {
    pub(crate) fn at(func: Func) -> Self {
        Stopped(Some(Box::new(func)))
    }
}

/// The primal in the IR, without jumps.
#[derive(Debug)]
pub(crate) struct Structured {
    pub(crate) func: Func,
    /// How parallel loops divide their work.
    shares: HashMap<LoopId, Shares>,
}

/// The primal as the reverse transformation gets it.
#[derive(Clone, Debug)]
pub(crate) struct Unrolled {
    pub(crate) func: Func,
    pub(crate) activity: Activity,
    pub(crate) shares: HashMap<LoopId, Shares>,
    remarks: Remarks,
}

/// The primal of a function that stands in no block.
#[cfg(test)]
pub(crate) fn structured(
    function: &syn::ItemFn,
    diags: &mut Diagnostics,
) -> Result<Structured, Stopped> {
    structured_in(function, &Owner::default(), diags)
}

/// The primal, verified, and nothing in it that is refused.
pub(crate) fn structured_in(
    function: &syn::ItemFn,
    owner: &Owner,
    diags: &mut Diagnostics,
) -> Result<Structured, Stopped> {
    let Some(mut func) = lower::lower(function, owner, diags) else {
        return Err(Stopped(signature_only(function, owner).map(Box::new)));
    };
    for written in functions::written_captures(&func, owner) {
        diags.at(written, catalog::closure_writes());
    }
    dump::stage(&func, "lower", || ir::text(&func));
    for var in lower::exits::structure(&mut func) {
        let info = func.var(var);
        diags.at(info.name.span(), catalog::early_exit_type());
    }
    reverse::prepare::prepare(&mut func);
    reverse::inject::into_primal(&mut func);
    dump::stage(&func, "structured", || ir::text(&func));
    if let Err(reason) = ir::verify(&func) {
        diags.at(
            func.name.span(),
            catalog::internal(&format!("lowering: {reason}")),
        );
    }
    let (shares, found) = parallel::shares(&func);
    diags.report(found);
    diags.report(lost::lost(&func, &activity(&func)));
    diags.report(lost::unrepeatable(&func));
    diags.report(generators::read(&func));
    if diags.is_empty() {
        Ok(Structured { func, shares })
    } else {
        Err(Stopped::at(func))
    }
}

/// The primal with short loops written out, and its activity. The programs that are accepted are the same without it.
pub(crate) fn unrolled(
    primal: Structured,
    transforms: Transforms,
    diags: &mut Diagnostics,
) -> Result<Unrolled, Stopped> {
    let Structured { mut func, shares } = primal;
    let mut remarks = Remarks::default();
    inlining::remark(&func, &mut remarks);
    optimize::prepare::prepare(&mut func, transforms, &mut remarks);
    let mut active = activity(&func);
    if transforms.has(Transform::Last) && reverse::choices::name(&mut func, &active) {
        active = activity(&func);
    }
    let activity = active;
    func.name_open_types();
    dump::stage(&func, "unrolled", || ir::text(&func));
    dump::stage(&func, "activity", || activity.text(&func));
    if let Err(reason) = ir::verify(&func) {
        diags.at(
            func.name.span(),
            catalog::internal(&format!("unrolling: {reason}")),
        );
        return Err(Stopped::at(func));
    }
    Ok(Unrolled {
        func,
        activity,
        shares,
        remarks,
    })
}

/// Both sweeps, verified, and the report of them.
pub(crate) fn sweeps(
    primal: Unrolled,
    transforms: Transforms,
    diags: &mut Diagnostics,
) -> Result<(Sweeps, Explain), Stopped> {
    let Unrolled {
        func,
        activity,
        shares,
        mut remarks,
    } = primal;
    let signature = func.without_body();
    let cx = reverse::Context {
        shares: &shares,
        transforms,
        remarks: &mut remarks,
        leaving: false,
    };
    let (mut sweeps, facts) = match reverse::reverse(func, &activity, cx) {
        Ok(derived) => derived,
        Err(places) => {
            for (span, reason) in places {
                diags.at(
                    span,
                    if reason == "cast-of-unknown" {
                        catalog::cast_of_unknown()
                    } else {
                        catalog::internal(reason)
                    },
                );
            }
            return Err(Stopped::at(signature));
        }
    };
    let mut see = |stage: &str, sweeps: &Sweeps| dump::stage(&sweeps.func, stage, || sweeps.text());
    if let Err(reason) = optimized(&mut sweeps, transforms, &mut remarks, &mut see) {
        diags.at(
            signature.name.span(),
            catalog::internal(&format!("reverse: {reason}")),
        );
        return Err(Stopped::at(signature));
    }
    let explain = Explain::of(&sweeps, &facts, transforms, &remarks);
    dump::stage(&sweeps.func, "sweeps", || sweeps.text());
    dump::stage(&sweeps.func, "explain", || explain.text());
    Ok((sweeps, explain))
}

/// Runs the passes over sweeps as they are derived, and verifies what comes out.
pub(crate) fn optimized(
    sweeps: &mut Sweeps,
    transforms: Transforms,
    remarks: &mut Remarks,
    see: &mut dyn FnMut(&str, &Sweeps),
) -> Result<(), String> {
    let verify = is_thorough();
    see("after-derivation", sweeps);
    if verify {
        verify_sweeps(sweeps).map_err(|reason| format!("derivation: {reason}"))?;
    }
    let watch = optimize::Watch {
        verify,
        see: &mut |pass, sweeps| {
            see(&format!("after-{pass}"), sweeps);
        },
    };
    optimize::run_passes(sweeps, transforms, remarks, watch)?;
    reverse::inject::into_finished(sweeps);
    verify_sweeps(sweeps)
}

/// What the signature alone gives, for stubs; `None` if the signature itself is refused.
pub(crate) fn signature_only(function: &syn::ItemFn, owner: &Owner) -> Option<Func> {
    let mut empty = function.clone();
    empty.block = syn::parse_quote!({ ::core::panic!() });
    let mut ignored = Diagnostics::new();
    let func = lower::lower(&empty, owner, &mut ignored);
    let _reported_already = ignored.is_empty();
    func
}
