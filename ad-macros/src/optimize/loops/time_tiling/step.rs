//! What a step of the forward sweep must be.

use crate::ir::hash::HashSet;
use crate::ir::{Place, RangeIter, Sliced, Stmt, StmtKind, VarId, VarSet, effects_of};

use super::{Loop, Other};
use crate::analysis::affine::Poly;

/// A step from one array to the other.
pub(in crate::optimize) struct Step {
    pub(in crate::optimize) steps: RangeIter,
    pub(in crate::optimize) lets: Vec<Stmt>,
    pub(in crate::optimize) alike: bool,
    pub(in crate::optimize) arrays: [VarId; 2],
    pub(in crate::optimize) sliced: Sliced,
    /// The index that is computed, and the range of the loop.
    pub(in crate::optimize) cells: [Option<Poly>; 3],
    /// How far from it the slices of the array that is read lie.
    pub(in crate::optimize) offsets: Vec<(VarId, i128)>,
    pub(in crate::optimize) others: Vec<Other>,
    /// The variables that it reads, beside its own.
    pub(in crate::optimize) reads: VarSet,
}

impl Step {
    pub(in crate::optimize) fn of(mut time: Loop<'_>) -> Result<Self, String> {
        let (run, sliced, arrays) = parts(&time)?;
        let (lets, mut alike) = time.lets(arrays)?;
        time.check(sliced, arrays, &mut alike)?;
        let [from, to] = arrays;
        if time.element(from)? != time.element(to)? {
            return Err("the arrays are of different types".to_owned());
        }
        let cell = match sliced.edits.as_slice() {
            [group] if let [(_, view)] = group.as_slice() => view,
            _ => return Err("a step writes more than one element of one array".to_owned()),
        };
        if cell.of.root != to || !cell.of.is_var() || !sliced.sums.is_empty() {
            return Err(format!(
                "a step does not compute elements of `{}`",
                time.name(to)
            ));
        }
        let reads_itself = |view: &crate::ir::View| view.of.root == to;
        if sliced
            .views
            .iter()
            .chain(&sliced.loads)
            .any(|(_, v)| reads_itself(v))
        {
            return Err(format!(
                "a step reads `{}`, which it overwrites",
                time.name(to)
            ));
        }
        if sliced.loads.iter().any(|(_, v)| v.of.root == from) {
            return Err(format!(
                "a step reads the same element of `{}` for all others",
                time.name(from)
            ));
        }
        let mut offsets = Vec::new();
        for (var, view) in sliced.views.iter().filter(|(_, v)| v.of.root == from) {
            offsets.push((*var, time.distance(view, cell)?));
        }
        let others = time.others(sliced, &arrays)?;
        body(&time, sliced)?;
        let poly = |e| time.definitions.poly(e);
        let cells = [
            poly(&cell.index),
            poly(&sliced.range.lo),
            poly(&sliced.range.hi),
        ];
        let mut reads = effects_of([run]);
        for array in arrays {
            reads.reads.remove(array);
        }
        reads.reads.retain(|var| !reads.declares.contains(&var));
        Ok(Self {
            steps: time.counting.range.clone(),
            lets,
            alike,
            arrays,
            sliced: sliced.clone(),
            cells,
            offsets,
            others,
            reads: reads.reads,
        })
    }
}

/// The loop on slices and the arrays: declarations, the save, the loop, the exchange, and nothing else.
fn parts<'a>(time: &Loop<'a>) -> Result<(&'a Stmt, &'a Sliced, [VarId; 2]), String> {
    let mut rest = time.counting.body.stmts.iter();
    let mut next = || {
        rest.by_ref()
            .find(|s| !matches!(s.kind, StmtKind::Let { .. }))
    };
    let (save, run, swap, end) = (next(), next(), next(), next());
    let (Some(StmtKind::PushRange { slice, .. }), Some((run, sliced)), Some(StmtKind::Swap(a, b))) = (
        save.map(|s| &s.kind),
        run.and_then(|run| Some((run, run.on_windows()?))),
        swap.map(|s| &s.kind),
    ) else {
        return Err("a step does more than compute one array from another".to_owned());
    };
    if end.is_some() || !a.is_var() || !b.is_var() || !slice.is_var() {
        return Err("a step does more than compute one array from another".to_owned());
    }
    let to = slice.root;
    let from = if a.root == to { b.root } else { a.root };
    if from == to || ![a.root, b.root].contains(&to) {
        return Err(format!(
            "`{}` is not exchanged with what it is computed from",
            time.name(to)
        ));
    }
    Ok((run, sliced, [from, to]))
}

/// Declarations, and the element at last.
fn body(time: &Loop<'_>, sliced: &Sliced) -> Result<(), String> {
    let Some((last, lets)) = sliced.body.stmts.split_last() else {
        return Err("a step does nothing".to_owned());
    };
    let mut own = HashSet::default();
    for stmt in lets {
        let StmtKind::Let {
            var,
            init: Some(init),
        } = &stmt.kind
        else {
            return Err("a step does more than compute a value for each element".to_owned());
        };
        time.check_reads(init, sliced, &own)?;
        own.insert(*var);
    }
    let StmtKind::Assign { place, value, .. } = &last.kind else {
        return Err("a step does more than compute a value for each element".to_owned());
    };
    let cell = sliced.edits[0][0].0;
    let is_cell = |p: &Place| p.root == cell && super::is_lane(p, sliced.lane);
    if !is_cell(place)
        || lets
            .iter()
            .chain([last])
            .any(|s| effects_of([s]).reads.contains(&cell))
    {
        return Err("a step reads the element that it overwrites".to_owned());
    }
    time.check_reads(value, sliced, &own)
}
