//! Sums in elements of the iteration's own, held in variables while the inner loop runs.
//!
//! `y[i] += a[i, j] * x[j]` loads and stores the element in each iteration of the inner loop. The lanes have it in
//! registers instead: it is read in front of the inner loop, and written behind it. Legal because nothing else reaches
//! the element meanwhile ([`check_written`](super::build::Builder::check_written)), and nothing in the loops panics.

use super::build::{Builder, Kind};
use crate::ir::edit::{each_place_within, each_stmt};
use crate::ir::{Expr, ExprKind, Place, Proj, Segment, Stmt, StmtKind, Ty, VarId, effects_of};

impl Builder<'_, '_> {
    /// Puts a variable in the place of each element that the inner loop writes; `segments` are what stands in front of
    /// it, its body, and what follows it. Answers the variables, with the numbers that all lanes have of them.
    pub(super) fn promote(&mut self, segments: &mut [Segment]) -> Vec<(VarId, VarId)> {
        let [before, inside, after] = segments else {
            unreachable!("three segments");
        };
        let written = effects_of(&inside.body.stmts).writes;
        let mut promoted = Vec::new();
        for k in 0..self.slices.len() {
            let slice = &self.slices[k];
            let (elements, root) = (slice.var, slice.root);
            let ty = self.fresh.ty(elements).element();
            if slice.kind != Kind::Along
                || !matches!(ty, Ty::F32 | Ty::F64)
                || !written.contains(&elements)
            {
                continue;
            }
            let class = self.func.var(root).class;
            let name = self.name(root);
            let base = name.trim_start_matches("r#").to_owned();
            let mut temp = |what| {
                self.fresh
                    .temp(class, format!("{base}_{what}"), ty.clone(), true)
            };
            let (var, lanes) = (temp("sum"), temp("sum_lanes"));
            each_stmt(&mut inside.body, &mut |stmt| {
                each_place_within(stmt, &mut |place| {
                    if place.root == elements {
                        *place = Place::var(var, place.span);
                    }
                });
            });
            let span = self.func.var(root).name.span();
            let lane = Proj::index(Expr::read_var(self.lane, Ty::USIZE, span));
            let element = Place {
                proj: std::iter::once(lane).collect(),
                ..Place::var(elements, span)
            };
            let read = ExprKind::Read(element.clone());
            let init = Some(Expr::new(read, ty.clone(), span));
            before
                .body
                .stmts
                .push(Stmt::new(StmtKind::Let { var, init }, span));
            let store = StmtKind::Assign {
                place: element,
                value: Expr::read_var(var, ty, span),
                init: false,
            };
            after.body.stmts.insert(0, Stmt::new(store, span));
            promoted.push((var, lanes));
        }
        for (var, _) in &promoted {
            before.leaves.push(*var);
            inside.takes.push(*var);
            inside.leaves.push(*var);
            after.takes.push(*var);
        }
        promoted
    }
}
