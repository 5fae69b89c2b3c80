//! `RETROGRADE_DUMP=function:stage[,function:stage…]` prints the IR after a stage, or what was decided (`explain`),
//! while the macro runs.
//!
//! Stages: `lower`, `structured`, `unrolled`, `activity`, `sweeps`, `explain`, `tokens`, or `all`; `*` stands for every
//! function. `after-<pass>` is both sweeps behind a pass, as in `loss:after-strips`, and `after` those behind each
//! pass, from `after-derivation` on.

use crate::ir::Func;

/// Prints the text to standard error if the environment asks for this function and stage.
pub(crate) fn stage(func: &Func, stage: &str, text: impl FnOnce() -> String) {
    let Ok(wanted) = std::env::var("RETROGRADE_DUMP") else {
        return;
    };
    let name = func.name.to_string();
    if wanted.split(',').any(|one| asks(one, &name, stage)) {
        eprintln!("// {name}: {stage}\n{}", text());
    }
}

/// Whether `one` of what is wanted is this function and stage.
fn asks(one: &str, function: &str, stage: &str) -> bool {
    let (f, s) = one.trim().split_once(':').unwrap_or((one.trim(), "all"));
    let pass = stage.starts_with("after-");
    let wanted = s == stage || s == if pass { "after" } else { "all" };
    (f == "*" || f == function) && wanted
}

#[cfg(test)]
mod tests {
    use super::asks;

    #[test]
    fn a_stage_is_asked_for_by_name_or_with_its_kind() {
        assert!(asks("loss:sweeps", "loss", "sweeps") && asks("*:sweeps", "loss", "sweeps"));
        assert!(asks("loss", "loss", "lower") && asks(" loss:all ", "loss", "lower"));
        assert!(!asks("loss:sweeps", "other", "sweeps") && !asks("loss:sweeps", "loss", "lower"));
        assert!(asks("loss:after-strips", "loss", "after-strips"));
        assert!(asks("loss:after", "loss", "after-strips"));
        assert!(!asks("loss:all", "loss", "after-strips") && !asks("loss", "loss", "after-jam"));
        assert!(
            !asks("loss:after-jam", "loss", "after-strips") && !asks("loss:after", "loss", "lower")
        );
    }
}
