//! What the reverse of a step must be.

use crate::ir::hash::{HashMap, HashSet};
use crate::ir::{
    BinOp, ExprKind, Place, RangeIter, Sliced, Stmt, StmtKind, SumInto, VarId, VarSet, View,
    effects_of,
};

use super::{Loop, Other};
use crate::analysis::affine::Poly;

/// The reverse of a step.
pub(in crate::optimize) struct Reverse {
    pub(in crate::optimize) steps: RangeIter,
    pub(in crate::optimize) lets: Vec<Stmt>,
    pub(in crate::optimize) alike: bool,
    pub(in crate::optimize) arrays: [VarId; 2],
    pub(in crate::optimize) adjoints: [VarId; 2],
    pub(in crate::optimize) seeds: VarId,
    pub(in crate::optimize) sliced: Sliced,
    pub(in crate::optimize) cells: [Option<Poly>; 3],
    pub(in crate::optimize) offsets: Vec<(VarId, i128)>,
    pub(in crate::optimize) others: Vec<Other>,
    /// The distances of the first and the last element that it adds to.
    pub(in crate::optimize) into: (i128, i128),
    /// What the loop reads or declares in each step.
    pub(in crate::optimize) reads: VarSet,
}

impl Reverse {
    pub(in crate::optimize) fn of(
        mut time: Loop<'_>,
        bars: &HashMap<VarId, VarId>,
    ) -> Result<Self, String> {
        let (sliced, arrays, adjoints) = parts(&time, bars)?;
        let (lets, mut alike) = time.lets(arrays)?;
        time.check(sliced, arrays, &mut alike)?;
        let [from, to] = arrays;
        for (array, adjoint) in arrays.into_iter().zip(adjoints) {
            if time.element(array)? != time.element(adjoint)? {
                return Err("an adjoint has another type than its array".to_owned());
            }
        }
        let (seeds, cell) = match sliced.edits.as_slice() {
            [group] if let [(seeds, view)] = group.as_slice() => (*seeds, view),
            _ => return Err("the reverse of a step changes more than one adjoint".to_owned()),
        };
        if cell.of.root != adjoints[1] || !cell.of.is_var() {
            let adjoint = time.name(to);
            return Err(format!(
                "the reverse of a step does not clear the adjoint of `{adjoint}`"
            ));
        }
        let none_of = [to, adjoints[0], adjoints[1]];
        let used = |(_, view): &&(VarId, View)| none_of.contains(&view.of.root);
        let fixed = |(_, view): &&(VarId, View)| view.of.root == from;
        let views = sliced.views.iter().chain(&sliced.loads);
        if views.clone().any(|v| used(&v)) || sliced.loads.iter().any(|v| fixed(&v)) {
            return Err("the reverse of a step reads other elements than the step".to_owned());
        }
        let mut offsets = Vec::new();
        for (var, view) in sliced.views.iter().filter(|(_, v)| v.of.root == from) {
            offsets.push((*var, time.distance(view, cell)?));
        }
        let of = |adjoint: VarId| time.name(bars.get(&adjoint).copied().unwrap_or(adjoint));
        let into = gathered(&time, sliced, (adjoints[0], cell), &of)?;
        let others = time.others(sliced, &[from, to, adjoints[0], adjoints[1]])?;
        let poly = |e| time.definitions.poly(e);
        let cells = [
            poly(&cell.index),
            poly(&sliced.range.lo),
            poly(&sliced.range.hi),
        ];
        let mut all = sliced.clone();
        body(&time, &mut all, seeds)?;
        all.views.append(&mut all.edits.pop().unwrap_or_default());
        let effects = effects_of([time.stmt]);
        let mut reads = effects.reads;
        reads.extend(lets.iter().filter_map(|s| {
            if let StmtKind::Let { var, .. } = &s.kind {
                Some(*var)
            } else {
                None
            }
        }));
        Ok(Self {
            steps: time.counting.range.clone(),
            lets,
            alike,
            arrays,
            adjoints,
            seeds,
            sliced: all,
            cells,
            offsets,
            others,
            into,
            reads,
        })
    }
}

/// The loop on slices, the arrays and their adjoints: exchanges, declarations, the loop, what is restored, and nothing
/// else.
fn parts<'a>(
    time: &Loop<'a>,
    bars: &HashMap<VarId, VarId>,
) -> Result<(&'a Sliced, [VarId; 2], [VarId; 2]), String> {
    let more = || {
        "the reverse of a step does more than that of computing one array from another".to_owned()
    };
    let mut rest = time.counting.body.stmts.iter();
    let mut next = || {
        rest.by_ref()
            .find(|s| !matches!(s.kind, StmtKind::Let { .. }))
    };
    let [first, second, run, restore] = [next(), next(), next(), next()];
    let kinds = [first, second, restore].map(|s| s.map(|s| &s.kind));
    let (
        [
            Some(StmtKind::Swap(a, b)),
            Some(StmtKind::Swap(c, d)),
            Some(StmtKind::PopRange { slice, .. }),
        ],
        Some(sliced),
    ) = (kinds, run.and_then(Stmt::on_windows))
    else {
        return Err(more());
    };
    let whole = [a, b, c, d, slice].into_iter().all(Place::is_var);
    if !whole || next().is_some() {
        return Err(more());
    }
    let pairs = if bars.contains_key(&a.root) {
        [[c, d], [a, b]]
    } else {
        [[a, b], [c, d]]
    };
    let [mut arrays, mut adjoints] = pairs.map(|pair| pair.map(|p| p.root));
    if arrays[0] == slice.root {
        arrays.reverse();
    }
    if bars.get(&adjoints[0]) == Some(&arrays[1]) {
        adjoints.reverse();
    }
    let theirs = adjoints.map(|adjoint| bars.get(&adjoint).copied());
    if arrays[1] != slice.root || arrays[0] == arrays[1] || theirs != arrays.map(Some) {
        return Err(more());
    }
    Ok((sliced, arrays, adjoints))
}

/// The distances of the first and last element that the one pass adds to, if it adds all.
fn gathered(
    time: &Loop<'_>,
    sliced: &Sliced,
    (adjoint, cell): (VarId, &View),
    of: &dyn Fn(VarId) -> String,
) -> Result<(i128, i128), String> {
    let array = || of(adjoint);
    let alone = |sum: &SumInto| {
        sum.place.root == adjoint
            && sum.part.is_empty()
            && sum.direct.is_none()
            && !sum.ordered
            && sum.along.as_ref().is_some_and(|view| view.of.is_var())
    };
    if let Some(sum) = sliced.sums.iter().find(|sum| sum.place.root != adjoint) {
        let other = of(sum.place.root);
        return Err(format!(
            "the reverse of a step adds to the adjoint of `{other}` as well"
        ));
    }
    let [gather] = sliced.gathers.as_slice() else {
        return Err(format!(
            "what is added to the adjoint of `{}` is not added in one pass",
            array()
        ));
    };
    if gather.terms.len() != sliced.sums.len() || !sliced.sums.iter().all(alone) || sliced.partial {
        return Err(format!(
            "what is added to the adjoint of `{}` is not added in one pass",
            array()
        ));
    }
    let views = sliced.sums.iter().filter_map(|sum| sum.along.as_ref());
    let distances: Result<Vec<i128>, String> = views.map(|v| time.distance(v, cell)).collect();
    let distances = distances?;
    let ends = (distances.iter().min(), distances.iter().max());
    match ends {
        (Some(low), Some(high)) => Ok((*low, *high)),
        _ => Err(format!("nothing is added to the adjoint of `{}`", array())),
    }
}

/// Takes out where the adjoint of the cell is cleared: it is read before that, and not again.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "what is not named keeps the pass from applying"
)]
fn body(time: &Loop<'_>, sliced: &mut Sliced, seeds: VarId) -> Result<(), String> {
    let mut own = HashSet::default();
    let mut cleared = None;
    let more = || "the reverse of a step does more than add to adjoints".to_owned();
    for (at, stmt) in sliced.body.stmts.iter().enumerate() {
        let value = match &stmt.kind {
            StmtKind::Assign { place, value, .. }
                if place.root == seeds
                    && super::is_lane(place, sliced.lane)
                    && matches!(value.kind, ExprKind::Zero) =>
            {
                if cleared.replace(at).is_some() {
                    return Err(more());
                }
                continue;
            }
            StmtKind::Let {
                var,
                init: Some(init),
            } => {
                own.insert(*var);
                init
            }
            StmtKind::Update {
                place,
                value,
                op: BinOp::Add | BinOp::Sub,
            }
            | StmtKind::Assign { place, value, .. }
                if place.is_var() && own.contains(&place.root) =>
            {
                value
            }
            _ => return Err(more()),
        };
        time.check_reads(value, sliced, &own)?;
        if cleared.is_some() && value.reads(seeds) {
            return Err("the adjoint of a cell is read after it was cleared".to_owned());
        }
    }
    let at = cleared.ok_or_else(|| "the adjoint of a cell is not cleared".to_owned())?;
    sliced.body.stmts.remove(at);
    Ok(())
}
