//! Which values the reverse sweep recomputes or reads back from arrays, which it records, and which overwrites save the
//! old value: the answers of `plan`, `kept`, `tbr` and `cut`, put together.

use crate::ir::hash::{HashMap, HashSet};
use crate::ir::{
    Block, ExprKind, Func, Returning, Stmt, StmtKind, Transform, Transforms, VarId, is_quotient_of,
    visit_stmts,
};

use super::StmtKey;
use super::activity::Activity;
use super::affine::Definitions;
use super::cost::cost;
use super::cut::Question;
use super::kept::kept;
use super::lasting::lasting;
use super::outputs;
use super::overwritten::overwritten;
use super::plan::{Fragments, Inputs, Plan, plan};
use super::shapes::Lengths;
use super::tbr::{Saves, tbr};

/// What is decided for the whole body.
#[derive(Debug)]
pub(crate) struct Decisions {
    pub(crate) plan: Plan,
    /// The overwrites that save the old value.
    pub(crate) saved: HashSet<StmtKey>,
    /// The overwrites that need not, as they are ahead of all reads.
    pub(crate) ahead: HashSet<StmtKey>,
    /// The outputs of calls that more than reverse sweeps of calls reads.
    pub(crate) needed: HashSet<(StmtKey, usize)>,
    /// Whether calls put back their outputs, where that is not certain.
    pub(crate) returning: HashMap<StmtKey, Returning>,
    /// Whether less would be saved if the reverse sweep left its outputs.
    pub(crate) leaves: bool,
}

/// What the decisions are about.
pub(crate) struct Subject<'a> {
    pub(crate) func: &'a Func,
    pub(crate) activity: &'a Activity,
    pub(crate) fragments: &'a Fragments,
    pub(crate) primal_vars: u32,
    pub(crate) transforms: Transforms,
    pub(crate) lengths: &'a Lengths,
    /// Whether the reverse sweep leaves its outputs as they are.
    pub(crate) leaving: bool,
}

/// Decides for the whole body.
pub(crate) fn decide(of: Subject<'_>, body: &Block) -> Decisions {
    let (none, nowhere) = (HashSet::default(), HashMap::default());
    let (func, transforms) = (of.func, of.transforms);
    let inputs = Inputs {
        func,
        activity: of.activity,
        fragments: of.fragments,
        primal_vars: of.primal_vars,
        transforms,
        saved: &HashSet::default(),
        definitions: &Definitions::of(func, body),
        kept: &nowhere,
        overwritten: &overwritten(func, body),
        recorded: &none,
        lasting: &lasting(func, body),
        lengths: of.lengths,
        leaving: of.leaving,
    };
    let mut decided = recorded_or_not(&inputs, body);
    let Decisions {
        plan,
        saved,
        needed,
        ..
    } = &decided;
    let returning = outputs::returning(&inputs, plan, (saved, needed), body);
    if !of.leaving && transforms.has(Transform::Outputs) && outputs::has_outputs(func) {
        let leaving = Inputs {
            leaving: true,
            ..inputs
        };
        let fewer = tbr(&Inputs { saved, ..leaving }, plan, body).saved != *saved;
        decided.leaves = fewer || outputs::needed(&leaving, plan, saved, body) != *needed;
    }
    decided.returning = returning;
    decided
}

fn recorded_or_not(inputs: &Inputs<'_>, body: &Block) -> Decisions {
    let transforms = inputs.transforms;
    let mut decided = with_arrays(inputs, body);
    let mut inputs = inputs;
    let quotients = &quotients(body);
    let recording = &Inputs {
        recorded: quotients,
        ..*inputs
    };
    if !quotients.is_empty() && transforms.has(Transform::Recompute) {
        let recorded = with_arrays(recording, body);
        if cost(recording, &recorded, body).total < cost(inputs, &decided, body).total {
            (inputs, decided) = (recording, recorded);
        }
    }
    if !transforms.has(Transform::Recompute) || !transforms.has(Transform::Cut) {
        return decided;
    }
    let question = Question::new(inputs, &decided, body);
    if question.candidates.is_empty() {
        return decided;
    }
    let recorded = &(&question.candidates | inputs.recorded);
    let all = planned(
        &Inputs {
            recorded,
            ..*inputs
        },
        body,
    );
    let answer = question.answer(&all, body);
    if answer.is_empty() {
        return decided;
    }
    let recorded = &(&answer | inputs.recorded);
    let inputs = &Inputs {
        recorded,
        ..*inputs
    };
    let cut = with_arrays(inputs, body);
    if cost(inputs, &cut, body).total < cost(inputs, &decided, body).total {
        cut
    } else {
        decided
    }
}

/// The quotients that take the places of what is divided, `let q = a[i] / d; a[i] = q;`. Recorded, they can be read
/// back from there.
fn quotients(body: &Block) -> HashSet<VarId> {
    let mut found = HashSet::default();
    let mut look = |stmts: &[Stmt]| {
        for pair in stmts.windows(2) {
            if let StmtKind::Let {
                var,
                init: Some(quotient),
            } = &pair[0].kind
                && let StmtKind::Assign { place, value, .. } = &pair[1].kind
                && is_quotient_of(quotient, place)
                && matches!(&value.kind, ExprKind::Read(of) if of.is_var() && of.root == *var)
            {
                found.insert(*var);
            }
        }
    };
    look(&body.stmts);
    visit_stmts(body, &mut |stmt| {
        stmt.kind.each_block(&mut |block| look(&block.stmts));
    });
    found
}

/// Decides, and lets arrays serve for values that they still hold.
fn with_arrays(inputs: &Inputs<'_>, body: &Block) -> Decisions {
    let without = planned(inputs, body);
    let saved = &without.saved;
    let all = kept(&Inputs { saved, ..*inputs }, &without.plan, body);
    if all.is_empty() || !inputs.transforms.has(Transform::Recompute) {
        return without;
    }
    let kept = &all;
    let with = planned(&Inputs { kept, ..*inputs }, body);
    if costs_nothing(&with, &without) {
        return with;
    }
    let (mut chosen, mut best) = (HashMap::default(), without);
    let mut vars: Vec<_> = all.into_iter().collect();
    vars.sort_unstable_by_key(|(var, _)| *var);
    for (var, place) in vars {
        chosen.insert(var, place);
        let kept = &chosen;
        let with = planned(&Inputs { kept, ..*inputs }, body);
        if costs_nothing(&with, &best) {
            best = with;
        } else {
            chosen.remove(&var);
        }
    }
    best
}

/// Whether what is read back from arrays needs no save that was not there, and records nothing that was recomputed.
fn costs_nothing(now: &Decisions, before: &Decisions) -> bool {
    let mut recomputed = before.plan.recompute.keys();
    let same = now.saved == before.saved && now.needed == before.needed;
    same && recomputed.all(|var| now.plan.recompute.contains_key(var))
}

/// Plans and saves feed each other: what is restored reads indices, what is recomputed must not be lost.
fn planned(inputs: &Inputs<'_>, body: &Block) -> Decisions {
    let mut saved = HashSet::default();
    loop {
        let inputs = Inputs {
            saved: &saved,
            ..*inputs
        };
        let plan = plan(&inputs, body);
        let Saves {
            saved: more,
            mut ahead,
        } = tbr(&inputs, &plan, body);
        if more.is_subset(&saved) {
            let needed = outputs::needed(&inputs, &plan, &saved, body);
            ahead.retain(|key| !saved.contains(key));
            return Decisions {
                plan,
                saved: std::mem::take(&mut saved),
                ahead,
                needed,
                returning: HashMap::default(),
                leaves: false,
            };
        }
        saved.extend(more);
    }
}
