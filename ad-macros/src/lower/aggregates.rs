//! Scalar replacement of aggregates: a struct variable of which only fields are used becomes a variable for each field.
//!
//! Done where the text makes the struct by a literal, and every type that the struct said is known without it. Then
//! nothing asks for records or adjoints of the struct, and analyses tell its fields apart. A value of the whole struct
//! that is needed somewhere is made again; what takes its address keeps the struct.

mod parameters;
mod rewrite;
mod uses;

use crate::ir::hash::HashMap;
use crate::ir::{
    Block, Constructor, ExprKind, Field, Func, Makes, StmtKind, Ty, VarId, VarInfo, visit_stmts,
};
pub(super) use parameters::{cut_constant_fields, share_what_is_read, split_parameters};
use rewrite::Replacement;
use uses::Uses;

/// Replaces what can be replaced; structs in structs, from the outside to the inside.
pub(super) fn replace(func: &mut Func, body: &mut Block) {
    while makes_structs(body) {
        let mut uses = Uses::default();
        visit_stmts(body, &mut |stmt| uses.stmt(func, stmt));
        let groups = uses.groups(func);
        if groups.is_empty() {
            return;
        }
        let parts = declare(func, groups);
        Replacement { func, parts }.block(body);
    }
}

/// Whether a variable is given a struct by a literal.
fn makes_structs(body: &Block) -> bool {
    let mut found = false;
    visit_stmts(body, &mut |stmt| {
        if let StmtKind::Let { init: Some(e), .. } | StmtKind::Assign { value: e, .. } = &stmt.kind
        {
            found |= matches!(&e.kind, ExprKind::Struct(by, _) if by.makes == Makes::Struct);
        }
    });
    found
}

/// Variables that are given to one another, so that they have the same fields.
struct Group {
    vars: Vec<VarId>,
    fields: Vec<(Field, Ty)>,
    /// What makes the whole, if that is known.
    constructor: Option<Constructor>,
}

/// What a variable is replaced by.
#[derive(Clone)]
struct Parts {
    fields: Vec<(Field, VarId)>,
    constructor: Option<Constructor>,
}

fn declare(func: &mut Func, groups: Vec<Group>) -> HashMap<VarId, Parts> {
    let mut replaced = HashMap::default();
    for group in groups {
        for var in group.vars {
            let info = func.var(var).clone();
            let part = |(field, ty): &(Field, Ty)| {
                let base = info.name.to_string();
                let field_name = field.to_string();
                let field_name = field_name.trim_start_matches("r#");
                let base = format!("{}_{field_name}", base.trim_start_matches("r#"));
                let name = func.fresh_name(&base, info.name.span());
                let part = VarInfo {
                    name,
                    ty: ty.clone(),
                    ..info.clone()
                };
                (*field, func.add(part))
            };
            let parts = Parts {
                fields: group.fields.iter().map(part).collect(),
                constructor: group.constructor.clone(),
            };
            replaced.insert(var, parts);
        }
    }
    replaced
}
