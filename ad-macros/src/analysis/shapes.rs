//! How many elements vectors have whose length never changes.
//!
//! The adjoint of a vector is as long as the vector. Where the reverse sweep reads no element of it, a word on the tape
//! serves, or nothing, where the length is known: a list that `vec![0.0; n]` makes has `n` elements.
//!
//! Being wrong would give an adjoint another length. So a vector is taken only if nothing but single elements of it is
//! written after its declaration; the length is asked for right behind that, and held by an immutable variable.

use crate::ir::edit::blocks_mut;
use crate::ir::faults::Fault;
use crate::ir::hash::{HashMap, HashSet};
use crate::ir::{
    Block, Class, Expr, ExprKind, Func, Place, Stmt, StmtKind, Ty, VarId, has_static_zero, resized,
};

use super::activity::Activity;
use super::plan::declared_by;

/// The number of elements of vectors, as literals or immutable variables.
pub(crate) type Lengths = HashMap<VarId, Expr>;

/// Looks for the vectors of the function that keep their lengths, and declares a variable for each length that the text
/// does not show.
pub(crate) fn lengths(func: &mut Func, activity: &Activity, body: &mut Block) -> Lengths {
    let mut changing = HashSet::default();
    if !Fault::ResizedKeepsLength.is_on() {
        resized(body, &mut changing);
    }
    let mut shapes = Shapes {
        func,
        activity,
        changing,
        known: HashMap::default(),
    };
    shapes.block(body);
    shapes.known
}

struct Shapes<'a> {
    func: &'a mut Func,
    activity: &'a Activity,
    /// Of these, more than elements is written.
    changing: HashSet<VarId>,
    known: Lengths,
}

impl Shapes<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut out = Vec::with_capacity(block.stmts.len());
        for mut stmt in std::mem::take(&mut block.stmts) {
            for inner in blocks_mut(&mut stmt) {
                self.block(inner);
            }
            let mut vectors = declared_by(&stmt);
            vectors.retain(|var| self.keeps_length(*var));
            let named = vectors
                .into_iter()
                .filter_map(|var| self.length(&stmt, var));
            let named: Vec<Stmt> = named.collect();
            out.push(stmt);
            out.extend(named);
        }
        block.stmts = out;
    }

    fn keeps_length(&self, var: VarId) -> bool {
        let vector = matches!(&self.func.var(var).ty, Ty::Vec(of) if has_static_zero(of));
        vector && self.activity.is_active(var) && !self.changing.contains(&var)
    }

    /// Takes note of the length of a vector, and declares a variable for it if the text does not show it.
    fn length(&mut self, stmt: &Stmt, var: VarId) -> Option<Stmt> {
        let span = stmt.span;
        if let Some(length) = self.shown(stmt) {
            self.known.insert(var, length);
            return None;
        }
        let base = format!("{}_len", self.func.var(var).name);
        let base = base.trim_start_matches("r#");
        let length = self.func.temp_of(Class::Primal, base, Ty::USIZE, span);
        self.known
            .insert(var, Expr::read_var(length, Ty::USIZE, span));
        let of_vector = ExprKind::Len(Place::var(var, span));
        Some(Stmt::new(
            StmtKind::Let {
                var: length,
                init: Some(Expr::new(of_vector, Ty::USIZE, span)),
            },
            span,
        ))
    }

    /// The length of what the statement declares, if the text shows it.
    fn shown(&self, stmt: &Stmt) -> Option<Expr> {
        let StmtKind::Let {
            init: Some(init), ..
        } = &stmt.kind
        else {
            return None;
        };
        if let ExprKind::VecRepeat(_, length) = &init.kind {
            let fixed = |var| {
                let info = self.func.var(var);
                !info.mutable && info.ty == Ty::USIZE
            };
            let var = length.place().filter(|p| p.is_var()).map(|p| p.root);
            let known = length.int_literal().is_some()
                || matches!(length.kind, ExprKind::Read(_)) && var.is_some_and(fixed);
            return known.then(|| (**length).clone());
        }
        if let ExprKind::VecLit(elements) = &init.kind {
            return Some(Expr::usize_literal(elements.len(), stmt.span));
        }
        if let ExprKind::Read(of) = &init.kind {
            return self.known.get(&of.root).filter(|_| of.is_var()).cloned();
        }
        None
    }
}
