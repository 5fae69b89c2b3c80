//! Time loops between two arrays: rows that are computed on the tape, or few rows there and the others computed again
//! in tiles.
//!
//! A step computes cells of one array from cells of the other, each from those a fixed distance away, and the arrays
//! change places. What it overwrites is saved, row by row. The runtime lets a step compute its row on the tape instead,
//! so that nothing is copied; where that is much it saves every few steps only, and runs the steps in between again
//! (`ad-runtime/src/kernels/time_tiling`). Both sweeps ask the same lengths and numbers of steps which to do.
//!
//! Legal if a step does nothing else, and does the same each time: what it reads beside the array, and the range of its
//! cells, stay what they are from the first step to the last; the reverse of a step reads the adjoints of the cells
//! that the step computes, clears them, and adds in one pass to those of the cells that the step reads, and nowhere
//! else. Then cells can be computed in any order, and again, and the reverse of a cell that is run twice is used once.
//! What a step needs must be known in the reverse sweep, which is so for what the reverse of a step reads.

mod back;
mod step;

use crate::analysis::affine::{Definitions, Poly};
use crate::analysis::invariant::Varying;
use crate::analysis::purity::{is_all_arithmetic, is_arithmetic};
use crate::analysis::target::cache::HALO;
use crate::ir::Transform;
use crate::ir::edit::blocks_mut;
use crate::ir::hash::{HashMap, HashSet};
use crate::ir::name;
use crate::ir::{
    CountingLoop, Expr, ExprKind, Func, Place, Plan, Proj, Site, Sliced, Stmt, StmtKind, Tiled, Ty,
    VarId, View, expr_reads,
};
use crate::optimize::Cx;

use crate::optimize::loops::windows::path_text;
use back::Reverse;
use step::Step;

/// What becomes of the loops of each site, forward and in reverse.
pub(in crate::optimize) type Tilings = HashMap<Site, [Tiled; 2]>;

/// Which loops of both sweeps, which are in these lists, are tiled, and how.
pub(in crate::optimize) fn plan(func: &Func, cx: &mut Cx<'_>, lists: &[&Vec<Stmt>]) -> Tilings {
    let (mut steps, mut reverses) = (HashMap::default(), HashMap::default());
    for stmt in lists.iter().flat_map(|list| list.iter()) {
        each_loop(stmt, &mut |stmt| {
            let Some((site, counting)) = exchanging(stmt) else {
                return;
            };
            let loops = Loop::of(func, stmt, counting);
            if counting.reverse {
                if reverses
                    .insert(site, Reverse::of(loops, &cx.bars))
                    .is_some()
                {
                    reverses.insert(site, Err("its reverse stands in several places".to_owned()));
                }
            } else {
                let before = steps.insert(site, (stmt.span, Step::of(loops)));
                if before.is_some() {
                    let why = "the loop stands in several places".to_owned();
                    steps.insert(site, (stmt.span, Err(why)));
                }
            }
        });
    }
    let mut sites: Vec<Site> = steps.keys().copied().collect();
    sites.sort_unstable();
    let mut tiled = HashMap::default();
    for site in sites {
        let (Some((span, step)), Some(reverse)) = (steps.remove(&site), reverses.remove(&site))
        else {
            continue;
        };
        let both =
            step.and_then(|step| reverse.and_then(|reverse| join(func, site, step, reverse)));
        match both {
            Ok(both) => {
                let how = "rows are computed on the tape; where steps overwrite 2 MB or more, every 20th is kept and \
                    the others are computed again in tiles";
                cx.remarks.applied(span, Transform::Tiles, how);
                tiled.insert(site, both);
            }
            Err(why) => cx.remarks.refused(span, Transform::Tiles, why),
        }
    }
    tiled
}

/// Puts the tiled loops into their places.
pub(in crate::optimize) fn apply(tilings: &Tilings, stmts: &mut [Stmt]) {
    stmts.iter_mut().for_each(|stmt| put(stmt, tilings));
}

/// Loops outside of parallel ones, whose arrays may be parts.
fn each_loop<'a>(stmt: &'a Stmt, f: &mut dyn FnMut(&'a Stmt)) {
    f(stmt);
    if !matches!(stmt.kind, StmtKind::Parallel(_)) {
        for block in stmt.kind.blocks() {
            block.stmts.iter().for_each(|s| each_loop(s, f));
        }
    }
}

fn put(stmt: &mut Stmt, tilings: &Tilings) {
    let found = exchanging(stmt).and_then(|(site, counting)| {
        let [forward, reverse] = tilings.get(&site)?;
        Some(if counting.reverse { reverse } else { forward }.clone())
    });
    if let Some(found) = found {
        stmt.plan(Plan::Tiles(Box::new(found)));
    } else if !matches!(stmt.kind, StmtKind::Parallel(_)) {
        for block in blocks_mut(stmt) {
            block.stmts.iter_mut().for_each(|s| put(s, tilings));
        }
    }
}

/// A loop that exchanges variables, runs a loop on slices and saves or restores a range: the site of that.
fn exchanging(stmt: &Stmt) -> Option<(Site, CountingLoop<'_>)> {
    let counting = stmt.counting().filter(|c| c.strip.is_none())?;
    let stmts = &counting.body.stmts;
    let exchanges = stmts.iter().any(|s| matches!(s.kind, StmtKind::Swap(..)));
    let whole = |s: &Stmt| s.on_windows().is_some_and(|sliced| sliced.middle.is_none());
    if !exchanges || !stmts.iter().any(whole) {
        return None;
    }
    let site = stmts.iter().find_map(|s| {
        if let StmtKind::PushRange { site, .. } | StmtKind::PopRange { site, .. } = &s.kind {
            Some(*site)
        } else {
            None
        }
    })?;
    Some((site, counting))
}

/// A time loop of either sweep.
struct Loop<'a> {
    func: &'a Func,
    stmt: &'a Stmt,
    counting: CountingLoop<'a>,
    definitions: Definitions<'a>,
    /// What is not the same in each step.
    changes: Varying,
}

impl<'a> Loop<'a> {
    fn of(func: &'a Func, stmt: &'a Stmt, counting: CountingLoop<'a>) -> Self {
        Self {
            func,
            stmt,
            counting,
            definitions: Definitions::of(func, counting.body),
            changes: Varying::in_loop(counting.counter, counting.body),
        }
    }

    fn name(&self, var: VarId) -> String {
        name(self.func, var)
    }

    /// The declarations at the start of each step, which declare the same each time.
    fn lets(&mut self, arrays: [VarId; 2]) -> Result<(Vec<Stmt>, bool), String> {
        let (mut lets, mut alike) = (Vec::new(), false);
        for stmt in &self.counting.body.stmts {
            let StmtKind::Let { var, init } = &stmt.kind else {
                continue;
            };
            let same = init
                .as_ref()
                .is_some_and(|e| self.same(e, arrays, &mut alike));
            if !same || self.func.var(*var).mutable {
                return Err(format!(
                    "`{}` is not the same in each step",
                    self.name(*var)
                ));
            }
            self.changes.settle(*var);
            lets.push(stmt.clone());
        }
        Ok((lets, alike))
    }

    /// Whether an expression has one value in all steps. The lengths of the arrays have if they are `alike`.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is not named keeps the pass from applying"
    )]
    fn same(&self, e: &Expr, arrays: [VarId; 2], alike: &mut bool) -> bool {
        match &e.kind {
            ExprKind::Len(p) if p.is_var() && arrays.contains(&p.root) => {
                *alike = true;
                true
            }
            ExprKind::Read(p) | ExprKind::Len(p) => {
                p.proj.iter().all(|x| matches!(x, Proj::Deref)) && !self.changes.contains(p.root)
            }
            _ => {
                is_arithmetic(e)
                    && e.children()
                        .into_iter()
                        .all(|e| self.same(e, arrays, alike))
            }
        }
    }

    /// The range of a loop on slices is the same in each step, and nothing about it is special.
    fn check(&self, sliced: &Sliced, arrays: [VarId; 2], alike: &mut bool) -> Result<(), String> {
        if !self.counting.range.counts_up_by_one() {
            return Err("the steps do not count up by one".to_owned());
        }
        let range = &sliced.range;
        if !self.same(&range.lo, arrays, alike) || !self.same(&range.hi, arrays, alike) {
            return Err("the range of the inner loop is not the same in each step".to_owned());
        }
        if !sliced.ints.is_empty() || !sliced.parts.is_empty() || sliced.search.is_some() {
            return Err("the inner loop computes indices".to_owned());
        }
        Ok(())
    }

    /// How far the elements of one view lie behind those of another.
    fn distance(&self, view: &View, from: &View) -> Result<i128, String> {
        let poly = |view: &View| {
            let whole = view.of.is_var();
            whole.then(|| self.definitions.poly(&view.index))?
        };
        let apart = || poly(view)?.minus(&poly(from)?).constant();
        let apart = apart().filter(|k| k.unsigned_abs() <= HALO.unsigned_abs());
        apart.ok_or_else(|| {
            let array = self.name(view.of.root);
            format!("the elements of `{array}` are not a fixed small distance from the one that is computed")
        })
    }

    /// Views and elements of arrays that stay what they are.
    fn others(&self, sliced: &Sliced, arrays: &[VarId]) -> Result<Vec<Other>, String> {
        let mut others = Vec::new();
        for (_, view) in sliced.views.iter().chain(&sliced.loads) {
            if arrays.contains(&view.of.root) {
                continue;
            }
            let mut reads = HashSet::from_iter([view.of.root]);
            let mut note = |e: &Expr| expr_reads(e, &mut |p| _ = reads.insert(p.root));
            note(&view.index);
            for proj in &view.of.proj {
                match proj {
                    Proj::Deref | Proj::Field(_) => {}
                    Proj::Index(_)
                    | Proj::Range { .. }
                    | Proj::Payload
                    | Proj::Variant(_)
                    | Proj::Unbox => {
                        return Err(format!(
                            "`{}` is a part of an array",
                            self.name(view.of.root)
                        ));
                    }
                }
            }
            let changes = |var: &&VarId| **var != sliced.counter && self.changes.contains(**var);
            if let Some(var) = reads.iter().find(changes) {
                return Err(format!(
                    "`{}` is not the same in each step",
                    self.name(*var)
                ));
            }
            let poly = self.definitions.poly(&view.index);
            let poly = poly.ok_or_else(|| {
                format!("the index of `{}` is not a sum", self.name(view.of.root))
            })?;
            others.push((view.of.root, path_text(&view.of.proj), poly));
        }
        Ok(others)
    }

    /// Whether the code of a cell reads nothing but what it declares, its elements, and what is the same in each step.
    fn check_reads(&self, e: &Expr, sliced: &Sliced, own: &HashSet<VarId>) -> Result<(), String> {
        let mut bad = None;
        let slices = sliced.views.iter().chain(sliced.edits.iter().flatten());
        let slices: HashSet<VarId> = slices.map(|(var, _)| *var).collect();
        let loads: HashSet<VarId> = sliced.loads.iter().map(|(var, _)| *var).collect();
        expr_reads(e, &mut |p| {
            let whole = p.proj.iter().all(|x| matches!(x, Proj::Deref));
            let known = own.contains(&p.root)
                || p.root == sliced.lane
                || p.root == sliced.counter
                || slices.contains(&p.root) && is_lane(p, sliced.lane)
                || whole && (loads.contains(&p.root) || !self.changes.contains(p.root));
            if !known {
                bad = bad.or(Some(p.root));
            }
        });
        if let Some(var) = bad {
            return Err(format!("`{}` is not the same in each step", self.name(var)));
        }
        if !is_all_arithmetic(e) {
            return Err("a step does more than compute with numbers".to_owned());
        }
        Ok(())
    }

    /// The type of the elements, if it is a float that the text shows.
    fn element(&self, array: VarId) -> Result<Ty, String> {
        let ty = self.func.var(array).ty.element();
        if let Ty::F32 | Ty::F64 = ty {
            Ok(ty)
        } else {
            Err(format!(
                "`{}` is not seen to be an array of floats",
                self.name(array)
            ))
        }
    }
}

/// An element of an array that no step changes: array, path to it, index.
type Other = (VarId, String, Poly);

fn is_lane(place: &Place, lane: VarId) -> bool {
    let [Proj::Index(index)] = place.proj.as_slice() else {
        return false;
    };
    matches!(&index.kind, ExprKind::Read(p) if p.is_var() && p.root == lane)
}

/// What becomes of the loop in both sweeps.
fn join(func: &Func, site: Site, step: Step, reverse: Reverse) -> Result<[Tiled; 2], String> {
    let known = step.cells.iter().all(Option::is_some);
    if step.arrays != reverse.arrays || step.cells != reverse.cells || !known {
        return Err("the reverse of a step is another loop".to_owned());
    }
    if let Some((array, ..)) = reverse
        .others
        .iter()
        .find(|other| !step.others.contains(other))
    {
        return Err(format!(
            "the reverse of a step reads other elements of `{}`",
            name(func, *array)
        ));
    }
    if let Some(var) = step.reads.iter().find(|var| !reverse.reads.contains(var)) {
        return Err(format!(
            "a step reads `{}`, which the reverse of a step does not know",
            name(func, var)
        ));
    }
    let offsets = step.offsets.iter().chain(&reverse.offsets).map(|(_, k)| *k);
    let offsets = offsets.chain([0, reverse.into.0, reverse.into.1]);
    let (low, high) = offsets.fold((0, 0), |(low, high), k| (low.min(k), high.max(k)));
    let number = |k: i128| usize::try_from(k).unwrap_or_default();
    let begins = |offsets: &[(VarId, i128)]| -> Vec<(VarId, usize)> {
        let begin = |(var, k): &(VarId, i128)| (*var, number(k - low));
        offsets.iter().map(begin).collect()
    };
    let alike = step.alike || reverse.alike;
    let forward = Tiled {
        steps: step.steps,
        lets: step.lets,
        site,
        arrays: step.arrays,
        alike,
        around: [number(-low), number(high)],
        begins: begins(&step.offsets),
        step: step.sliced,
        back: None,
    };
    let mut both = forward.begins.clone();
    both.extend(begins(&reverse.offsets));
    let back = Tiled {
        steps: reverse.steps,
        lets: reverse.lets,
        begins: both,
        back: Some(crate::ir::Back {
            adjoints: reverse.adjoints,
            seeds: reverse.seeds,
            step: reverse.sliced,
            into: number(reverse.into.0 - low),
        }),
        ..forward.clone()
    };
    Ok([forward, back])
}
