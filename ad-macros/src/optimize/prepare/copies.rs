//! Copies of a loop's body, each with variables of its own.

use syn::ext::IdentExt;

use crate::ir::edit::{each_name, each_place_within, each_stmt};
use crate::ir::hash::HashMap;
use crate::ir::{Block, ExprKind, Func, Place, Proj, Stmt, StmtKind, VarId, VarInfo, effects_of};

/// What the names of a body stand for in one copy of it.
pub(in crate::optimize) struct Names {
    pub(in crate::optimize) renamed: HashMap<VarId, VarId>,
    /// Variables whose declarations are gone.
    pub(in crate::optimize) gone: Vec<VarId>,
    /// The array, the counter that picks its item, whether the items are tuples, and the variables for this copy's
    /// item.
    pub(in crate::optimize) item: Option<(VarId, VarId, bool, Vec<VarId>)>,
}

impl Names {
    /// `anew`: the copy has variables of its own.
    pub(in crate::optimize) fn new(func: &mut Func, body: &Block, anew: bool) -> Self {
        let mut names = Names {
            renamed: HashMap::default(),
            gone: Vec::new(),
            item: None,
        };
        if anew {
            let mut declared: Vec<VarId> = effects_of(&body.stmts).declares.into_iter().collect();
            declared.sort_unstable();
            for var in declared {
                names.declare(func, var, true);
            }
        }
        names
    }

    /// The variable that stands for `var` in this copy.
    pub(in crate::optimize) fn declare(
        &mut self,
        func: &mut Func,
        var: VarId,
        anew: bool,
    ) -> VarId {
        if !anew {
            return var;
        }
        let name = fresh(func, var);
        let info = VarInfo {
            name,
            ..func.var(var).clone()
        };
        let own = func.add(info);
        if func.ends.contains(&var) {
            func.ends.insert(own);
        }
        self.renamed.insert(var, own);
        own
    }

    pub(in crate::optimize) fn copy(&self, body: &Block, out: &mut Vec<Stmt>) {
        let mut copy = body.clone();
        copy.stmts.retain(
            |stmt| !matches!(&stmt.kind, StmtKind::Let { var, .. } if self.gone.contains(var)),
        );
        each_stmt(&mut copy, &mut |stmt| {
            each_place_within(stmt, &mut |place| self.place(place));
            each_name(stmt, &mut |var| self.name(var));
        });
        out.extend(copy.stmts);
    }

    fn place(&self, place: &mut Place) {
        if let Some((array, counter, tuples, held)) = &self.item
            && place.root == *array
            && let Some((part, rest)) = item_of(place, *counter, *tuples)
        {
            let rest = rest.into();
            place.root = held[part];
            place.proj = rest;
        } else {
            self.name(&mut place.root);
        }
    }

    fn name(&self, var: &mut VarId) {
        if let Some(own) = self.renamed.get(var) {
            *var = *own;
        }
    }
}

/// A new name after that of a variable.
pub(in crate::optimize) fn fresh(func: &mut Func, like: VarId) -> proc_macro2::Ident {
    let name = func.var(like).name.clone();
    let plain = name.unraw().to_string();
    // A raw name may be a keyword without its prefix.
    let base = if name == plain {
        plain
    } else {
        format!("{plain}_")
    };
    func.fresh_name(&base, name.span())
}

/// The number of the part (0 if the items have none), if the place is in the item `var[counter]`; and what comes
/// behind.
pub(in crate::optimize) fn item_of(
    place: &Place,
    counter: VarId,
    tuples: bool,
) -> Option<(usize, &[Proj])> {
    let (Proj::Index(index), rest) = place.proj.split_first()? else {
        return None;
    };
    if !matches!(&index.kind, ExprKind::Read(p) if p.is_var() && p.root == counter) {
        return None;
    }
    if !tuples {
        return Some((0, rest));
    }
    match rest.split_first()? {
        (Proj::Field(part), rest) => Some((part.position()?, rest)),
        _ => None,
    }
}
