//! The body of a loop, on slices.

mod sums;

use std::collections::BTreeMap;

use smallvec::smallvec;

use crate::analysis::affine::Poly;
use crate::analysis::dependence::reach::{Iterations, Reach};
use crate::analysis::target::{contributions, worth};
use crate::ir::edit::blocks_mut;
use crate::ir::place_ty;
use crate::ir::{
    Block, Class, Expr, ExprKind, Func, Part, Place, Proj, Sliced, Steps, Stmt, StmtKind, SumInto,
    Ty, VarId, View,
};

use super::access_classes::{Role, Roles, written_where_shared};
use super::paths::parts_on_the_way;
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
                if *self.roles.role(place.root) == Role::Sum || self.is_shared_and_edited(place) {
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
                let mut proj = Steps::new();
                if !self.roles.is_edited(place.root) {
                    proj.push(Proj::Deref);
                }
                proj.extend(place.proj[at + 1..].iter().cloned());
                (self.load(place, at, index), proj)
            }
            Reach::Variable | Reach::Elsewhere(_) => return,
        };
        *place = Place { root, proj, span };
    }

    /// Whether it is an element that all iterations share, of an array that they change elsewhere.
    fn is_shared_and_edited(&self, place: &Place) -> bool {
        self.roles.is_edited(place.root)
            && matches!(self.iterations.reach(place), Reach::Fixed { .. })
    }

    /// The elements that all iterations share of arrays that they change, by the index, each with a slice that must not
    /// have it.
    fn apart(&self) -> Vec<(Expr, View)> {
        let edited = |root: VarId| self.roles.is_edited(root);
        let loads = self.loads.iter().filter(|(.., view)| edited(view.of.root));
        let loads = loads.map(|(_, _, view)| (view.of.root, &*view.of.proj, &view.index));
        let sums = self.sums.iter().filter_map(|(_, sum)| {
            let at = sum.place.proj.len().checked_sub(sum.part.len() + 1)?;
            let index = sum.place.proj[at].as_index()?;
            let shared = sum.along.is_none() && edited(sum.place.root);
            shared.then(|| (sum.place.root, &sum.place.proj[..at], index))
        });
        let key = |path: &[Proj]| self.iterations.array_key(path);
        let with_slices = |(root, path, index): (VarId, &[Proj], &Expr)| {
            let path = key(path);
            let same = self.slices.iter();
            let same =
                same.filter(move |(of, _, _, view)| *of == root && key(&view.of.proj) == path);
            let index = index.clone();
            same.map(move |(.., view)| (index.clone(), view.clone()))
                .collect::<Vec<_>>()
        };
        loads.chain(sums).flat_map(with_slices).collect()
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
            row: None,
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
        // While its array is changed elsewhere, an element is held by a copy.
        let ty = match self.roles.is_edited(place.root) {
            true => element,
            false => Ty::Ref(false, Box::new(element)),
        };
        let var = self.fresh.temp(
            self.func.var(place.root).class,
            self.base(&view, "element"),
            ty,
            false,
        );
        self.loads.push((index, var, view));
        var
    }

    /// Whether all that is added goes into numbers, in any order.
    fn sums_are_partial(&self, head: &Head<'_>) -> bool {
        head.reverse
            && !self.sums.is_empty()
            && weight(&head.body.stmts) <= contributions::WRITTEN_TWICE
            && self.sums.iter().all(|(_, sum)| {
                !sum.ordered
                    && sum.along.is_none()
                    && matches!(self.fresh.ty(sum.source), Ty::F32 | Ty::F64)
            })
    }

    /// Whether elements that all iterations share, of arrays that they change, are numbers, and are added to in partial
    /// sums.
    fn check_shared(&self, partial: bool) -> Result<(), String> {
        let edited = |root: VarId| self.roles.is_edited(root);
        let name = |root: VarId| self.func.var(root).name.to_string();
        for (_, var, View { of, .. }) in &self.loads {
            if edited(of.root) && !self.fresh.ty(*var).is_scalar() {
                return Err(format!("elements of `{}` are no numbers", name(of.root)));
            }
        }
        let mut roots = self.sums.iter().map(|(_, sum)| sum.place.root);
        match roots.find(|root| edited(*root)).filter(|_| !partial) {
            Some(root) => Err(written_where_shared(&name(root))),
            None => Ok(()),
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
        let apart = self.apart();
        let partial = self.sums_are_partial(head);
        self.check_shared(partial)?;
        let (mut views, mut edits) = (Vec::new(), BTreeMap::<VarId, Vec<(VarId, View)>>::new());
        for (root, _, var, mut view) in self.slices {
            if self.roles.is_edited(root) {
                let group = edits.entry(root).or_default();
                lead_alike(
                    self.iterations,
                    &mut view,
                    group.iter().map(|(_, other)| other),
                );
                group.push((var, view));
            } else {
                views.push((var, view));
            }
        }
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
            apart,
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

/// Lets what leads to an array be written as it is in other views of the array, so that different arrays of a variable
/// are told apart by it.
fn lead_alike<'v>(
    iterations: &Iterations<'_>,
    view: &mut View,
    mut others: impl Iterator<Item = &'v View>,
) {
    let key = |view: &View| (view.of.root, iterations.array_key(&view.of.proj));
    if let Some(other) = others.find(|other| key(other) == key(view)) {
        view.of = other.of.clone();
    }
}

/// How many iterations a block has whose sums of the value take their terms one by one when the block is done. While
/// they wait for each other, the next block has begun, as far ahead as the processor sees.
fn block_length(body: &Block) -> usize {
    match weight(&body.stmts) {
        0..contributions::HEAVY => contributions::SHORT_BLOCK,
        _ => contributions::LONG_BLOCK,
    }
}
