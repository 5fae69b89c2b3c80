//! `RETROGRADE_DUMP=function:stage[,function:stage…]` prints the IR after a stage, or what was decided (`explain`), while the macro runs.
//!
//! Stages: `lower`, `structured`, `unrolled`, `activity`, `sweeps`, `explain`, `tokens`, or `all`; `*` stands for every function.

use crate::ir::Func;

/// Prints `text` to standard error if the environment asks for this function and stage.
pub(crate) fn stage(func: &Func, stage: &str, text: impl FnOnce() -> String) {
    let Ok(wanted) = std::env::var("RETROGRADE_DUMP") else {
        return;
    };
    let name = func.name.to_string();
    let asked = wanted.split(',').any(|one| {
        let (f, s) = one.trim().split_once(':').unwrap_or((one.trim(), "all"));
        (f == "*" || f == name) && (s == "all" || s == stage)
    });
    if asked {
        eprintln!("// {name}: {stage}\n{}", text());
    }
}
