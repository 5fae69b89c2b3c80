//! The body of a loop, on slices.

use std::collections::{BTreeMap, BTreeSet};

use smallvec::smallvec;

use crate::analysis::affine::Poly;
use crate::analysis::dependence::reach::{Iterations, Reach};
use crate::analysis::target::{contributions, worth};
use crate::ir::Transform;
use crate::ir::edit::blocks_mut;
use crate::ir::faults::Fault;
use crate::ir::place_ty;
use crate::ir::{
    BinOp, Block, Class, Expr, ExprKind, Func, Gather, Part, Place, Proj, Sliced, Steps, Stmt,
    StmtKind, SumInto, Ty, VarId, View,
};

use super::access_classes::{Role, Roles};
use super::gather::gathers;
use super::paths::{parts_on_the_way, path_text};
use super::sources::{share_sources, weight};
use super::{Fresh, Head};

/// The loop of `stmt` on slices. All that can be in the way is known to `roles`.
pub(in crate::optimize) fn sliced(
    func: &Func,
    head: &Head<'_>,
    iterations: &Iterations<'_>,
    roles: &Roles,
) -> Result<(Sliced, Fresh), String> {
    let mut body = head.body.clone();
    let mut rewrite = Rewrite::new(func, iterations, roles, head);
    rewrite.block(&mut body, true);
    let (mut sliced, fresh) = rewrite.finish(head, body)?;
    share_sources(&mut sliced);
    Ok((sliced, fresh))
}

/// What is added to: an element of a variable by its index, and what follows that; or a field by its path.
type Key = (VarId, Option<Poly>, String);

struct Rewrite<'a, 'b> {
    func: &'a Func,
    iterations: &'b Iterations<'a>,
    roles: &'b Roles,
    head: &'b Head<'a>,
    fresh: Fresh,
    lane: VarId,
    ints: Vec<(VarId, Expr)>,
    parts: Vec<Part>,
    fixed: Vec<Part>,
    loads: Vec<(Poly, VarId, View)>,
    slices: Vec<(VarId, Poly, VarId, View)>,
    sums: Vec<(Key, SumInto)>,
    /// Declared in front of the body: first added to under a condition.
    zeros: Vec<Stmt>,
}

impl<'a, 'b> Rewrite<'a, 'b> {
    fn new(
        func: &'a Func,
        iterations: &'b Iterations<'a>,
        roles: &'b Roles,
        head: &'b Head<'a>,
    ) -> Self {
        let mut rewrite = Self {
            func,
            iterations,
            roles,
            head,
            fresh: Fresh::after(func),
            lane: VarId(0),
            ints: Vec::new(),
            parts: Vec::new(),
            fixed: Vec::new(),
            loads: Vec::new(),
            slices: Vec::new(),
            sums: Vec::new(),
            zeros: Vec::new(),
        };
        rewrite.lane = rewrite
            .fresh
            .temp(Class::Primal, "lane".to_owned(), Ty::USIZE, false);
        rewrite
    }

    fn block(&mut self, block: &mut Block, always: bool) {
        block.stmts.retain(|stmt| !self.is_check(stmt));
        for stmt in &mut block.stmts {
            self.stmt(stmt, always);
        }
    }

    /// Notes what a check of bounds looks at: it is done in front of the loop.
    fn is_check(&mut self, stmt: &Stmt) -> bool {
        let StmtKind::Opaque(o) = &stmt.kind else {
            return false;
        };
        let Some(part) = self.iterations.checked_part(o) else {
            return false;
        };
        for e in part.bounds() {
            self.iterations.collect_ints(e, &mut self.ints);
        }
        self.parts.push(part);
        true
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "a loop on windows holds no other statements (`access_classes`)"
    )]
    fn stmt(&mut self, stmt: &mut Stmt, always: bool) {
        match &mut stmt.kind {
            StmtKind::Let {
                init: Some(init), ..
            } => self.expr(init),
            StmtKind::Assign { place, value, .. } | StmtKind::Begin { place, value } => {
                self.expr(value);
                self.place(place);
            }
            StmtKind::SetZero(place) => self.place(place),
            StmtKind::Update { place, op, value } => {
                self.expr(value);
                if *self.roles.role(place.root) == Role::Sum {
                    stmt.kind = self.contribution(place, *op, value, always);
                } else {
                    self.place(place);
                }
            }
            StmtKind::Switch { selector, .. } => {
                self.expr(selector);
                for arm in blocks_mut(stmt) {
                    self.block(arm, false);
                }
            }
            _ => {}
        }
    }

    fn expr(&mut self, e: &mut Expr) {
        if let ExprKind::Read(place) = &mut e.kind {
            self.place(place);
            return;
        }
        for child in e.children_mut() {
            self.expr(child);
        }
    }

    fn place(&mut self, place: &mut Place) {
        let span = place.span;
        let (root, proj) = match self.iterations.reach(place) {
            Reach::Along { at, index } | Reach::Down { at, index } => {
                let lane = Expr::read_var(self.lane, Ty::USIZE, span);
                let mut proj: Steps = smallvec![Proj::index(lane)];
                proj.extend(place.proj[at + 1..].iter().cloned());
                (self.slice(place, at, index), proj)
            }
            Reach::Fixed { at, index } => {
                let mut proj: Steps = smallvec![Proj::Deref];
                proj.extend(place.proj[at + 1..].iter().cloned());
                (self.load(place, at, index), proj)
            }
            Reach::Variable | Reach::Elsewhere(_) => return,
        };
        *place = Place { root, proj, span };
    }

    fn view(&mut self, place: &Place, at: usize) -> View {
        let Proj::Index(index) = &place.proj[at] else {
            unreachable!("`at` is the index")
        };
        self.iterations.collect_ints(index, &mut self.ints);
        self.parts.extend(parts_on_the_way(place, at));
        View {
            of: Place {
                proj: place.proj[..at].into(),
                ..place.clone()
            },
            index: (**index).clone(),
            mirrored: matches!(self.iterations.reach(place), Reach::Down { .. }),
        }
    }

    fn base(&self, view: &View, what: &str) -> String {
        let name = self.func.var(view.of.root).name.to_string();
        format!("{}_{what}", name.trim_start_matches("r#"))
    }

    fn slice(&mut self, place: &Place, at: usize, index: Poly) -> VarId {
        let view = self.view(place, at);
        let same = |(root, poly, _, other): &&(VarId, Poly, VarId, View)| {
            *root == place.root && *poly == index && self.same_elements(other, &view)
        };
        if let Some((_, _, var, _)) = self.slices.iter().find(same) {
            return *var;
        }
        let element = place_ty(self.func, &view.of).element();
        let var = self.fresh.temp(
            self.func.var(place.root).class,
            self.base(&view, "slice"),
            view.window_ty(element),
            false,
        );
        self.slices.push((place.root, index, var, view));
        var
    }

    /// Whether two views with one polynomial are of the same array, and exist together.
    fn same_elements(&self, a: &View, b: &View) -> bool {
        let key = |view: &View| self.iterations.array_key(&view.of.proj);
        key(a) == key(b) && self.iterations.alike(&a.index, &b.index)
    }

    fn load(&mut self, place: &Place, at: usize, index: Poly) -> VarId {
        let view = self.view(place, at);
        let same = |(poly, _, other): &&(Poly, VarId, View)| {
            *poly == index && other.of.root == place.root && self.same_elements(other, &view)
        };
        if let Some((_, var, _)) = self.loads.iter().find(same) {
            return *var;
        }
        let element = place_ty(self.func, &view.of).element();
        let ty = Ty::Ref(false, Box::new(element));
        let var = self.fresh.temp(
            self.func.var(place.root).class,
            self.base(&view, "element"),
            ty,
            false,
        );
        self.loads.push((index, var, view));
        var
    }

    /// What an addition becomes: into a variable of the iteration's own, which is added when the block is done.
    fn contribution(&mut self, place: &Place, op: BinOp, value: &Expr, always: bool) -> StmtKind {
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
            Some(self.view(place, *at))
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
    fn gather(&self, head: &Head<'_>, whole_blocks: bool) -> Vec<Gather> {
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
    fn near(&self, head: &Head<'_>) -> Vec<Gather> {
        if !head.around.transforms.has(Transform::Gather) {
            return Vec::new();
        }
        gathers(&self.elements(), contributions::NEAR)
    }

    /// The element that each sum goes to, where that is one of the iteration's own, in an array that is reached in one
    /// way.
    fn elements(&self) -> Vec<Option<(VarId, &Poly)>> {
        let mut elements = Vec::new();
        for ((root, index, _), sum) in &self.sums {
            let mut others = self.sums.iter().filter(|((other, ..), _)| other == root);
            let up = (sum.along.as_ref())
                .is_some_and(|view| !view.mirrored || Fault::MirroredIsGathered.is_on());
            let gathers = up
                && sum.part.is_empty()
                && others.all(|(_, other)| same_path(other, sum, self.iterations));
            let index = index.as_ref().filter(|_| gathers);
            elements.push(index.map(|index| (*root, index)));
        }
        elements
    }

    /// Of each array, the elements of one index are added to at once and need no row.
    fn add_directly(&mut self, gathers: &[Gather]) {
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

    fn finish(mut self, head: &Head<'_>, mut body: Block) -> Result<(Sliced, Fresh), String> {
        let ty = |var| self.fresh.ty(var);
        if let [(_, first), rest @ ..] = self.sums.as_slice()
            && rest
                .iter()
                .any(|(_, sum)| ty(sum.source) != ty(first.source))
        {
            return Err("it adds to numbers of several types".to_owned());
        }
        let inside =
            |sum: &SumInto| sum.along.is_none() && !self.iterations.stands_outside(&sum.place);
        if let Some((_, sum)) = self.sums.iter().find(|(_, sum)| inside(sum)) {
            return Err(format!(
                "the index of `{}` is computed in the loop",
                self.func.var(sum.place.root).name
            ));
        }
        let ordered = self.sums.iter().any(|(_, sum)| sum.ordered);
        let whole_blocks = (head.both && ordered).then(|| block_length(&body));
        let gathers = self.gather(head, whole_blocks.is_some());
        let near = self.near(head);
        self.add_directly(&gathers);
        body.stmts.splice(0..0, std::mem::take(&mut self.zeros));
        let (mut views, mut edits) = (Vec::new(), BTreeMap::<VarId, Vec<(VarId, View)>>::new());
        for (root, _, var, view) in self.slices {
            if *self.roles.role(root) == Role::Edit {
                edits.entry(root).or_default().push((var, view));
            } else {
                views.push((var, view));
            }
        }
        let partial = head.reverse
            && !self.sums.is_empty()
            && weight(&head.body.stmts) <= contributions::WRITTEN_TWICE
            && self.sums.iter().all(|(_, sum)| {
                !sum.ordered
                    && sum.along.is_none()
                    && matches!(self.fresh.ty(sum.source), Ty::F32 | Ty::F64)
            });
        let rows = !partial && !self.sums.is_empty();
        let worth = if rows {
            worth::CONTRIBUTIONS
        } else {
            worth::WINDOWS
        };
        let enough = (worth / weight(&head.body.stmts).max(1)).max(1);
        let least = whole_blocks.unwrap_or(enough);
        let sliced = Sliced {
            partial,
            whole_blocks,
            counter: head.counter,
            range: head.range.clone(),
            ints: self.ints,
            parts: self.parts,
            fixed: self.fixed,
            groups: Vec::new(),
            loads: self
                .loads
                .into_iter()
                .map(|(_, var, view)| (var, view))
                .collect(),
            views,
            edits: edits.into_values().collect(),
            sums: self.sums.into_iter().map(|(_, sum)| sum).collect(),
            gathers,
            split: None,
            wide: None,
            near,
            lane: self.lane,
            order: self.roles.order,
            least,
            body,
            search: None,
            middle: None,
        };
        Ok((sliced, self.fresh))
    }
}

/// Whether both are added to elements of the same array.
fn same_path(a: &SumInto, b: &SumInto, iterations: &Iterations<'_>) -> bool {
    let key = |sum: &SumInto| {
        let along = sum.along.as_ref();
        along.map(|view| iterations.array_key(&view.of.proj))
    };
    key(a) == key(b)
}

/// How many iterations a block has whose sums of the value take their terms one by one when the block is done. While
/// they wait for each other, the next block has begun, as far ahead as the processor sees.
fn block_length(body: &Block) -> usize {
    match weight(&body.stmts) {
        0..contributions::HEAVY => contributions::SHORT_BLOCK,
        _ => contributions::LONG_BLOCK,
    }
}
