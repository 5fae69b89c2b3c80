//! Each question of legality, asked of small functions.

mod dependence;
mod invariant;
mod purity;
mod target;

use crate::diag::Diagnostics;
use crate::ir::hash::HashMap;
use crate::ir::{
    self, Block, CountingLoop, Expr, Func, Remarks, Stmt, StmtKind, Sweeps, Transforms, VarId,
    VarKind,
};
use crate::{analysis, pipeline, reverse};

/// The primal of the function in `source`, as the analyses see it.
fn primal(source: &str) -> Func {
    let item: syn::ItemFn = syn::parse_str(source).expect("the source parses");
    let mut diags = Diagnostics::new();
    match pipeline::structured(&item, &mut diags) {
        Ok(primal) => primal.func,
        Err(_) => panic!("refused: {:?}", diags.names()),
    }
}

/// Both sweeps of the function, as they are derived.
fn derived(source: &str) -> Sweeps {
    let func = primal(source);
    let activity = analysis::activity::activity(&func);
    let cx = reverse::Context {
        shares: &HashMap::default(),
        transforms: Transforms::ON,
        remarks: &mut Remarks::default(),
        leaving: false,
    };
    let derived = reverse::reverse(func, &activity, cx);
    derived.unwrap_or_else(|_| panic!("no adjoint")).0
}

/// The loops of a block over ranges that run to their ends, outer ones first.
fn loops(block: &Block) -> Vec<CountingLoop<'_>> {
    let mut found = Vec::new();
    for stmt in &block.stmts {
        found.extend(stmt.counting());
        found.extend(stmt.kind.blocks().into_iter().flat_map(loops));
    }
    found
}

/// The variable of this name.
fn var(func: &Func, name: &str) -> VarId {
    let at = func.vars.iter().position(|info| info.name == name);
    let at = at.unwrap_or_else(|| panic!("no variable `{name}`"));
    VarId(u32::try_from(at).expect("few variables"))
}

/// The names of the user's variables of whose initialisers the question is true, in the order of the text.
fn those(func: &Func, question: &dyn Fn(&Expr) -> bool) -> String {
    let mut names = Vec::new();
    ir::visit_stmts(&func.body, &mut |stmt: &Stmt| {
        if let StmtKind::Let {
            var,
            init: Some(init),
        } = &stmt.kind
            && func.var(*var).kind != VarKind::Temp
            && question(init)
        {
            names.push(func.var(*var).name.to_string());
        }
    });
    names.join(" ")
}
