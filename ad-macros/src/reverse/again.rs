//! Results of calls that are computed again: what the forward sweep keeps of them, and how the reverse sweep has them.

use proc_macro2::{Ident, Span};

use crate::ir::hash::HashMap;
use crate::ir::{
    AGAIN, Arg, ArgMode, Block, Callee, Expr, ExprKind, KEPT, Opaque, OpaqueArg, OpaqueKind, Place,
    Stmt, StmtKind, Ty, VarId,
};

use super::assemble::Assembly;

/// The callee and the arguments, if the statement is a call with a result.
fn call(stmt: &Stmt) -> Option<(VarId, &Callee, &[Arg])> {
    if let StmtKind::Call {
        dest: Some(dest),
        callee,
        args,
    } = &stmt.kind
    {
        Some((*dest, callee, args))
    } else {
        None
    }
}

impl Assembly<'_> {
    /// Keeps at the end of the block what has to be kept of results, and says where that of each result is.
    pub(super) fn kept_of_calls(
        &mut self,
        block: &Block,
        forward: &mut Vec<Stmt>,
    ) -> HashMap<VarId, VarId> {
        let mut all = HashMap::default();
        for stmt in &block.stmts {
            let Some((dest, callee, _)) = call(stmt) else {
                continue;
            };
            if !self.plan.recompute.contains_key(&dest) {
                continue;
            }
            let kept = self.adjoints.func.temp("kept", Ty::Unknown, stmt.span);
            let result = OpaqueArg::Place(Place::var(dest, stmt.span));
            forward.push(of_call(
                KEPT,
                kept,
                (Ty::Unknown, callee),
                vec![result],
                stmt.span,
            ));
            all.insert(dest, kept);
        }
        all
    }

    /// The result of a call in the reverse sweep, and in front of the adjoint of which statement.
    pub(super) fn result_again(
        &self,
        stmt: &Stmt,
        kept: &HashMap<VarId, VarId>,
    ) -> Option<(usize, Stmt)> {
        let (dest, callee, args) = call(stmt)?;
        let (at, kept) = (self.plan.recompute.get(&dest)?, kept.get(&dest)?);
        let mut operands = vec![OpaqueArg::Place(Place::var(*kept, stmt.span))];
        for arg in args {
            operands.push(match &arg.mode {
                ArgMode::Value(e) => OpaqueArg::Value(e.clone()),
                ArgMode::Shared(place) => OpaqueArg::Ref(place.clone()),
                ArgMode::InOut(_) => return None,
            });
        }
        let ty = self.adjoints.func.var(dest).ty.clone();
        Some((*at, of_call(AGAIN, dest, (ty, callee), operands, stmt.span)))
    }
}

/// `let var = …` of a call.
fn of_call(
    kind: &'static str,
    var: VarId,
    (ty, callee): (Ty, &Callee),
    operands: Vec<OpaqueArg>,
    span: Span,
) -> Stmt {
    let name = |k: usize| Ident::new(&format!("__operand_{k}"), Span::mixed_site());
    let args = operands.into_iter().enumerate();
    let opaque = Opaque {
        code: syn::Expr::Path(callee.path.clone()),
        args: args.map(|(k, arg)| (name(k), arg)).collect(),
        kind: OpaqueKind::Other(kind),
    };
    let init = Expr::new(ExprKind::Opaque(Box::new(opaque)), ty, span);
    Stmt::new(
        StmtKind::Let {
            var,
            init: Some(init),
        },
        span,
    )
}
