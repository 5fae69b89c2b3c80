//! Innermost loops over slices of just the elements that they touch, and adjoints that are added to in blocks.
//!
//! Where every array is indexed by the counter plus something fixed, one check in front of the loop serves all of its
//! iterations, and the loop has no check left that would keep it from being vectorised. Elements a number apart are
//! taken in groups of so many ([`groups`]). A slice that is written meets no other of the same array; whether that is
//! so is seen at run time. Where a slice does not fit, the loop runs as it was.
//!
//! A reverse loop that carries nothing from iteration to iteration but sums in adjoints computes the contributions of a
//! block of iterations first and adds them then, one array after the other (`Contributions` in the runtime); cheap ones
//! are computed where they go (`split`), and those that arithmetic makes go there from registers with the numbers of
//! several iterations (`wide`). Where iterations run forward and in reverse at once, all blocks have one length, and
//! what they add to the value is added in its order when they are done.
//!
//! Nothing changes in what the forward sweep computes, nor in its order.

mod access_classes;
mod combine;
mod flatten;
mod gather;
mod groups;
mod linear;
mod middle;
mod paths;
mod report;
mod rewrite;
mod search;
mod sources;
mod split;
mod wide;

#[cfg(test)]
pub(crate) use wide::RULES;

use std::borrow::Cow;

use proc_macro2::Span;

use crate::analysis::dependence::reach::Iterations;
use crate::analysis::target::contributions::{GATHERED, GATHERED_ANEW, GATHERED_AT_MOST};
use crate::analysis::target::worth::UNROLLED_BY_RUSTC;
use crate::ir::edit::blocks_mut;
use crate::ir::hash::HashSet;
use crate::ir::{
    Block, Class, CountingLoop, Func, Gather, Loop, NO_RANGE, Order, Part, Plan, RangeIter, Sliced,
    Stmt, StmtKind, SumInto, Ty, VarId, effects_of,
};

use access_classes::Roles;
use flatten::Flat;
use middle::Kind;
pub(in crate::optimize) use paths::{parts_on_the_way, path_text};
use report::report;
pub(in crate::optimize) use sources::weight;

use crate::ir::{Transform, Transforms};
use crate::optimize::Cx;

/// What is known around a loop.
pub(in crate::optimize) struct Around<'a> {
    /// The arrays of which the code around has parts only.
    pub(in crate::optimize) divided: &'a HashSet<VarId>,
    /// The adjoints of variables.
    pub(in crate::optimize) adjoints: &'a HashSet<VarId>,
    pub(in crate::optimize) transforms: Transforms,
    /// As many sums in neighbouring elements as one pass adds, at least.
    pub(in crate::optimize) fewest: usize,
}

/// Slices the loops of a sweep. `divided`: the arrays of which the code around has parts only.
pub(in crate::optimize) fn slice_loops(
    func: &mut Func,
    cx: &mut Cx<'_>,
    stmts: &mut [Stmt],
    divided: &HashSet<VarId>,
) {
    for stmt in stmts {
        let around = &Around {
            divided,
            adjoints: &cx.adjoints,
            transforms: cx.transforms,
            fewest: GATHERED,
        };
        match slice(func, stmt, around) {
            Ok(Some(mut sliced)) => {
                if cx.transforms.has(Transform::Last) {
                    sliced.search = search::search(func, stmt, &sliced);
                }
                if sliced.search.is_some() {
                    let how = "elements are compared side by side";
                    cx.remarks.applied(stmt.span, Transform::Last, how);
                }
                let mut rows = gather_alone(func, stmt, &mut sliced, around);
                if sliced.split.is_none() && gather_pairs(func, stmt, &mut sliced, around) {
                    rows = None;
                }
                let narrow = widen(func, stmt, &mut sliced, around);
                report(cx.remarks, stmt, &sliced, around, rows);
                if let Some(why) = narrow {
                    let why = format!("{}: {why}", sweep_in(stmt, around));
                    cx.remarks.refused(stmt.span, Transform::Wide, why);
                }
                stmt.plan(Plan::Windows(Box::new(sliced)));
                continue;
            }
            Err(why) => {
                let why = format!("{}: {why}", sweep_in(stmt, around));
                cx.remarks.refused(stmt.span, Transform::Reslice, why);
            }
            Ok(None) => {}
        }
        let divided = divided_in(stmt, divided);
        for block in blocks_mut(stmt) {
            slice_loops(func, cx, &mut block.stmts, &divided);
        }
    }
}

/// Splits a loop whose sums are gathered; if it cannot, why they are collected in rows.
fn gather_alone(
    func: &mut Func,
    stmt: &Stmt,
    sliced: &mut Sliced,
    around: &Around<'_>,
) -> Option<&'static str> {
    let spread = sliced.gathers.iter().map(Gather::spread).max()?;
    match split::split(func, stmt, sliced, around) {
        Ok(split) => {
            if split.combined.is_empty() {
                sliced.least = sliced.least.max(spread + 1);
            }
            sliced.split = Some(split);
            None
        }
        Err(why) => Some(why),
    }
}

/// Lets two neighbours be gathered as well, if that splits the loop.
fn gather_pairs(func: &mut Func, stmt: &Stmt, sliced: &mut Sliced, around: &Around<'_>) -> bool {
    let reaches = |sum: &SumInto| sum.along.is_some() && !sum.ordered;
    let several = (GATHERED_ANEW..=GATHERED_AT_MOST).contains(&sliced.sums.len());
    if !several || sliced.whole_blocks.is_some() || !sliced.sums.iter().all(reaches) {
        return false;
    }
    let around = &Around {
        fewest: GATHERED_ANEW,
        ..*around
    };
    let mut with = func.clone();
    let Ok(Some(mut pairs)) = slice(&mut with, stmt, around) else {
        return false;
    };
    let splits =
        !pairs.gathers.is_empty() && gather_alone(&mut with, stmt, &mut pairs, around).is_none();
    if splits {
        (*func, *sliced) = (with, pairs);
    }
    splits
}

/// Lets the iterations of a loop that collects rows run in registers, where sums in neighbouring elements need no rows
/// either; if they cannot, why.
fn widen(func: &Func, stmt: &Stmt, sliced: &mut Sliced, around: &Around<'_>) -> Option<String> {
    let rows = !sliced.sums.is_empty() && !sliced.partial && sliced.split.is_none();
    if !rows || !around.transforms.has(Transform::Wide) {
        return None;
    }
    match wide::wide(func, stmt, sliced) {
        Ok(ty) => {
            sliced.wide = Some(ty);
            sliced.gathers = std::mem::take(&mut sliced.near);
            None
        }
        Err(why) => Some(why),
    }
}

/// The arrays of which the code in a statement has parts only.
pub(in crate::optimize) fn divided_in<'a>(
    stmt: &Stmt,
    around: &'a HashSet<VarId>,
) -> Cow<'a, HashSet<VarId>> {
    let StmtKind::Parallel(parallel) = &stmt.kind else {
        return Cow::Borrowed(around);
    };
    let parts = parallel.shares.parts.iter().map(|(root, _)| *root);
    Cow::Owned(around.iter().copied().chain(parts).collect())
}

/// In which sweep a loop is, for reports.
pub(in crate::optimize) fn sweep_of(stmt: &Stmt) -> &'static str {
    if is_reverse(stmt) {
        "reverse"
    } else {
        "forward"
    }
}

fn sweep_in(stmt: &Stmt, around: &Around<'_>) -> &'static str {
    if is_both(stmt, around) {
        "both at once"
    } else {
        sweep_of(stmt)
    }
}

/// Whether it is a loop whose iterations run forward and in reverse.
fn is_both(stmt: &Stmt, around: &Around<'_>) -> bool {
    !is_reverse(stmt) && effects_of([stmt]).writes.meets(around.adjoints)
}

fn is_reverse(stmt: &Stmt) -> bool {
    stmt.as_loop().is_some_and(Loop::is_reverse)
}

/// What all kinds of loops have.
struct Head<'a> {
    counter: VarId,
    range: &'a RangeIter,
    /// What the loop takes off the tape for each iteration.
    records: &'a [VarId],
    body: &'a Block,
    order: Order,
    reverse: bool,
    /// Whether each iteration runs forward and in reverse.
    both: bool,
    around: &'a Around<'a>,
}

impl<'a> Head<'a> {
    /// `None` if it is no loop over a range that runs to its end.
    fn of(stmt: &'a Stmt, around: &'a Around<'a>) -> Option<Self> {
        let CountingLoop {
            counter,
            range,
            body,
            order,
            reverse,
            strip,
        } = stmt.counting()?;
        Some(Head {
            counter,
            range,
            records: strip.filter(|_| reverse).unwrap_or_default(),
            body,
            order,
            reverse,
            both: is_both(stmt, around),
            around,
        })
    }

    /// Whether what is added to the variable may be added in any order.
    fn in_any_order(&self, var: VarId) -> bool {
        self.reverse || self.both && self.around.adjoints.contains(&var)
    }

    fn check(&self, func: &Func) -> Result<(), String> {
        counts_up_by_one(func, self.counter, self.range)?;
        let trips = self.range.literal_trips();
        if trips.is_some_and(|trips| trips <= UNROLLED_BY_RUSTC) {
            return Err("it has so few iterations that the optimiser unrolls it".to_owned());
        }
        if let Some(var) = self
            .records
            .iter()
            .find(|v| !func.var(**v).ty.is_scalar() || func.var(**v).ty == Ty::Float)
        {
            return Err(format!(
                "`{}` is recorded, whose type the text does not show",
                func.var(*var).name
            ));
        }
        Ok(())
    }
}

/// Whether the loop counts up by one over `usize`; `Err` says what else.
pub(in crate::optimize) fn counts_up_by_one(
    func: &Func,
    counter: VarId,
    range: &RangeIter,
) -> Result<(), String> {
    let is_usize = |ty: &Ty| *ty == Ty::USIZE;
    if !range.counts_up_by_one() {
        return Err("the range is reversed or has a step".to_owned());
    }
    if ![&func.var(counter).ty, &range.lo.ty, &range.hi.ty]
        .into_iter()
        .any(is_usize)
    {
        return Err("the counter is not known to be a `usize`".to_owned());
    }
    Ok(())
}

/// Variables to be declared, numbered while the function is still looked at.
pub(in crate::optimize) struct Fresh {
    first: usize,
    /// Whose values they hold, name, type, and whether it is mutable.
    vars: Vec<(Class, String, Ty, bool)>,
}

impl Fresh {
    pub(in crate::optimize) fn after(func: &Func) -> Self {
        Self {
            first: func.vars.len(),
            vars: Vec::new(),
        }
    }

    /// The number that the variable will have: they are declared in this order.
    pub(in crate::optimize) fn temp(
        &mut self,
        class: Class,
        base: String,
        ty: Ty,
        mutable: bool,
    ) -> VarId {
        let number = self.first + self.vars.len();
        self.vars.push((class, base, ty, mutable));
        VarId(u32::try_from(number).expect("fewer than 2^32 variables"))
    }

    pub(in crate::optimize) fn ty(&self, var: VarId) -> &Ty {
        &self.vars[var.0 as usize - self.first].2
    }

    pub(in crate::optimize) fn declare(self, func: &mut Func, span: Span) {
        for (class, base, ty, mutable) in self.vars {
            let var = func.temp_of(class, &base, ty, span);
            func.var_mut(var).mutable = mutable;
        }
    }
}

/// Whether a loop whose iterations run forward and in reverse will run in blocks of one length, the sums of the value
/// apart.
pub(in crate::optimize) fn runs_in_whole_blocks(
    func: &Func,
    stmt: &Stmt,
    around: &Around<'_>,
) -> Result<(), String> {
    let head = Head::of(stmt, around).ok_or(NO_RANGE)?;
    if !around.transforms.has(Transform::Reslice) {
        return Err("slices are switched off (`reslice`)".to_owned());
    }
    if !is_innermost(stmt) {
        return Err("it has a loop inside".to_owned());
    }
    let sliced = match on_slices(func, &head) {
        Ok((sliced, _)) => sliced,
        Err(why) => in_groups(&mut func.clone(), stmt, &head).ok_or(why)?.0,
    };
    match sliced.whole_blocks {
        Some(_) => Ok(()),
        None => Err("no sum of the value takes exactly one term in each iteration".to_owned()),
    }
}

/// Whether the loop, one of either sweep, will run on slices.
pub(in crate::optimize) fn runs_on_slices(func: &Func, stmt: &Stmt, around: &Around<'_>) -> bool {
    if !around.transforms.has(Transform::Reslice) || !is_innermost(stmt) {
        return false;
    }
    Head::of(stmt, around).is_some_and(|head| {
        on_slices(func, &head).is_ok() || in_groups(&mut func.clone(), stmt, &head).is_some()
    })
}

/// A loop that has no loop inside.
pub(in crate::optimize) fn is_innermost(stmt: &Stmt) -> bool {
    let holds_loop = |b: &&Block| b.stmts.iter().any(Stmt::holds_loop);
    stmt.is_loop() && stmt.kind.blocks().iter().all(|b| !holds_loop(b))
}

/// The loop on slices; `None` if it is no loop; `Err` says what is in the way.
fn slice(func: &mut Func, stmt: &Stmt, around: &Around<'_>) -> Result<Option<Sliced>, String> {
    if !is_innermost(stmt) {
        return Ok(None);
    }
    let head = Head::of(stmt, around).ok_or(NO_RANGE)?;
    let why = match on_slices(func, &head) {
        Ok((sliced, fresh)) => {
            fresh.declare(func, stmt.span);
            return Ok(Some(sliced));
        }
        Err(why) => why,
    };
    match in_groups(func, stmt, &head) {
        Some((sliced, fresh)) => {
            fresh.declare(func, stmt.span);
            Ok(Some(sliced))
        }
        None => Err(why),
    }
}

/// The loop on slices of groups of elements.
fn in_groups(func: &mut Func, stmt: &Stmt, head: &Head<'_>) -> Option<(Sliced, Fresh)> {
    head.check(func).ok()?;
    let divided = head.around.divided;
    let with = func.clone();
    let iterations = Iterations::of(&with, head.counter, head.records, head.body, divided);
    let grouped = groups::grouped(func, stmt, head.body, &iterations)?;
    let mut adjoints = head.around.adjoints.clone();
    let views = grouped.groups.iter();
    let bars = views.filter(|group| head.around.adjoints.contains(&group.of.root));
    adjoints.extend(bars.map(|group| group.var));
    let around = Around {
        divided,
        adjoints: &adjoints,
        ..*head.around
    };
    let (mut sliced, fresh) = on_slices(func, &Head::of(&grouped.stmt, &around)?).ok()?;
    for e in grouped.parts.iter().flat_map(|part| part.bounds()) {
        iterations.collect_ints(e, &mut sliced.ints);
    }
    sliced.parts.extend(grouped.parts);
    sliced.groups = grouped.groups;
    Some((sliced, fresh))
}

fn on_slices(func: &Func, head: &Head<'_>) -> Result<(Sliced, Fresh), String> {
    head.check(func)?;
    if let Some(found) = in_middle(func, head, Kind::Most) {
        return Ok(found);
    }
    of_all(func, head).or_else(|why| in_middle(func, head, Kind::Any).ok_or(why))
}

/// The loop on slices in its middle, if its iterations there are less than the others.
fn in_middle(func: &Func, head: &Head<'_>, kind: Kind) -> Option<(Sliced, Fresh)> {
    let iterations_of =
        |body| Iterations::of(func, head.counter, head.records, body, head.around.divided);
    let (body, middle) = middle::middle(func, head, &iterations_of(head.body), kind)?;
    let iterations = iterations_of(&body);
    let body = &body;
    let (mut sliced, fresh) = of_all(func, &Head { body, ..*head }).ok()?;
    for e in middle.holds.iter().flat_map(|holds| &holds.sides) {
        iterations.collect_ints(e, &mut sliced.ints);
    }
    sliced.middle = Some(middle);
    Some((sliced, fresh))
}

/// The loop on slices, whose iterations are all alike.
fn of_all(func: &Func, head: &Head<'_>) -> Result<(Sliced, Fresh), String> {
    let divided = head.around.divided;
    let iterations = Iterations::of(func, head.counter, head.records, head.body, divided);
    let Some((body, flat)) = Flat::of(head.body, &iterations) else {
        return of_elements(func, head, &iterations, &Flat::default());
    };
    let head = &Head {
        body: &body,
        ..*head
    };
    let iterations = Iterations::of(func, head.counter, head.records, head.body, divided);
    let (mut sliced, fresh) = of_elements(func, head, &iterations, &flat)?;
    for e in flat.parts.iter().flat_map(Part::bounds) {
        iterations.collect_ints(e, &mut sliced.ints);
    }
    sliced.parts.extend(flat.parts);
    Ok((sliced, fresh))
}

/// The loop on slices, whose body uses no elements of parts of arrays.
fn of_elements(
    func: &Func,
    head: &Head<'_>,
    iterations: &Iterations<'_>,
    flat: &Flat,
) -> Result<(Sliced, Fresh), String> {
    let roles = Roles::of(func, iterations, (head, flat))?;
    rewrite::sliced(func, head, iterations, &roles)
}
