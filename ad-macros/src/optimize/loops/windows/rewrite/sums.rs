//! What is added to: variables of the iteration's own take it, and where it goes from there.

use std::collections::BTreeSet;

use crate::analysis::affine::Poly;
use crate::analysis::dependence::reach::Reach;
use crate::analysis::target::contributions;
use crate::ir::Transform;
use crate::ir::faults::Fault;
use crate::ir::{
    BinOp, Expr, ExprKind, Gather, Place, Proj, Stmt, StmtKind, SumInto, View, place_ty,
};

use super::super::Head;
use super::super::gather::gathers;
use super::super::paths::{parts_on_the_way, path_text};
use super::{Rewrite, lead_alike};

impl Rewrite<'_, '_> {
    /// What an addition becomes: into a variable of the iteration's own, which is added when the block is done.
    pub(super) fn contribution(
        &mut self,
        place: &Place,
        op: BinOp,
        value: &Expr,
        always: bool,
    ) -> StmtKind {
        let reach = self.iterations.reach(place);
        let (index, path, part) = match &reach {
            Reach::Along { at, index } | Reach::Down { at, index } | Reach::Fixed { at, index } => {
                let part = place.proj[at + 1..].to_vec();
                let array = self.iterations.array_key(&place.proj[..*at]);
                let path = format!("{array}/{}", path_text(&part));
                (Some(index.clone()), path, part)
            }
            Reach::Variable | Reach::Elsewhere(_) => (None, path_text(&place.proj), Vec::new()),
        };
        let key = (place.root, index, path);
        // What is subtracted first is collected as it is, and then subtracted.
        let update = |source, first| StmtKind::Update {
            place: Place::var(source, place.span),
            op: if op == first { BinOp::Add } else { BinOp::Sub },
            value: value.clone(),
        };
        if let Some((_, sum)) = self.sums.iter().find(|(k, _)| *k == key) {
            return update(sum.source, sum.op);
        }
        let ty = value.ty.clone();
        let source = self.fresh.temp(
            self.func.var(place.root).class,
            "sum".to_owned(),
            ty.clone(),
            true,
        );
        let along = if let Reach::Along { at, .. } | Reach::Down { at, .. } = &reach {
            let mut view = self.view(place, *at);
            let others = self.sums.iter().filter_map(|(_, sum)| sum.along.as_ref());
            lead_alike(self.iterations, &mut view, others);
            Some(view)
        } else {
            None
        };
        let place = self.known_outside(place, &reach);
        if matches!(reach, Reach::Fixed { .. }) {
            self.fixed
                .extend(parts_on_the_way(&place, place.proj.len()));
        }
        let (span, root) = (place.span, place.root);
        self.sums.push((
            key,
            SumInto {
                along,
                part,
                place,
                source,
                op,
                ordered: !self.head.in_any_order(root),
                direct: None,
            },
        ));
        if !always {
            let zero = Expr::new(ExprKind::Zero, ty, value.span);
            let declare = StmtKind::Let {
                var: source,
                init: Some(zero),
            };
            self.zeros.push(Stmt::new(declare, span));
            // The first contribution in the text: on no way to it is there another.
            return StmtKind::Assign {
                place: Place::var(source, span),
                value: value.clone(),
                init: false,
            };
        }
        StmtKind::Let {
            var: source,
            init: Some(value.clone()),
        }
    }

    /// A place that all iterations share, by what is known in front of the loop where its index is computed in it.
    fn known_outside(&self, place: &Place, reach: &Reach) -> Place {
        let mut place = place.clone();
        if let Reach::Fixed { at, .. } = reach
            && !self.iterations.stands_outside(&place)
            && let Proj::Index(index) = &mut place.proj[*at]
            && let Some(known) = self.iterations.known_outside(index)
        {
            **index = known;
        }
        place
    }

    /// Sums in neighbouring elements that one pass adds.
    pub(super) fn gather(&self, head: &Head<'_>, whole_blocks: bool) -> Vec<Gather> {
        let any = head.reverse || whole_blocks;
        let few = self.sums.len() <= contributions::GATHERED_AT_MOST;
        if !any || !few || !head.around.transforms.has(Transform::Gather) {
            return Vec::new();
        }
        let fewest = match whole_blocks {
            true => contributions::GATHERED_IN_SHORT_BLOCKS,
            false => head.around.fewest,
        };
        gathers(&self.elements(), fewest)
    }

    /// Sums in neighbouring elements that are added up in registers, if the loop runs there.
    pub(super) fn near(&self, head: &Head<'_>) -> Vec<Gather> {
        if !head.around.transforms.has(Transform::Gather) {
            return Vec::new();
        }
        gathers(&self.elements(), contributions::NEAR)
    }

    /// The element that each sum goes to, where that is one of the iteration's own: the number of its array, and the
    /// index.
    fn elements(&self) -> Vec<Option<(usize, &Poly)>> {
        let mut arrays = Vec::new();
        let mut elements = Vec::new();
        for ((_, index, _), sum) in &self.sums {
            let up = |view: &&View| !view.mirrored || Fault::MirroredIsGathered.is_on();
            let along = sum.along.as_ref().filter(up);
            let array = along.filter(|_| sum.part.is_empty()).map(|view| {
                let key = (view.of.root, self.iterations.array_key(&view.of.proj));
                let known = arrays.iter().position(|other| *other == key);
                known.unwrap_or_else(|| {
                    arrays.push(key);
                    arrays.len() - 1
                })
            });
            elements.push(array.zip(index.as_ref()));
        }
        elements
    }

    /// Of each array, the elements of one index are added to at once and need no row.
    pub(super) fn add_directly(&mut self, gathers: &[Gather]) {
        let mut seen = BTreeSet::new();
        let gathered: BTreeSet<usize> = gathers
            .iter()
            .flat_map(|g| g.terms.iter().map(|t| t.0))
            .collect();
        for k in 0..self.sums.len() {
            let sum = &self.sums[k].1;
            let Some(view) = sum.along.clone().filter(|_| sum.part.is_empty()) else {
                continue;
            };
            if !gathered.contains(&k) && seen.insert(view.of.root) {
                let element = place_ty(self.func, &view.of).element();
                let base = self.base(&view, "slice");
                let var = self.fresh.temp(
                    self.func.var(view.of.root).class,
                    base,
                    view.window_ty(element),
                    false,
                );
                self.sums[k].1.direct = Some(var);
            }
        }
    }
}
