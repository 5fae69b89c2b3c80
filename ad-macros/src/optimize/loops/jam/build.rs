//! The jammed loop: the body of both loops, on slices.

use std::collections::{BTreeMap, BTreeSet};

use smallvec::smallvec;

use crate::analysis::affine::Poly;
use crate::analysis::dependence::reach::Iterations;
use crate::analysis::dependence::reach::nest::{Reach2, Slope};
use crate::analysis::target::cache::ROWS_OF_A_BLOCK;
use crate::analysis::target::registers::{
    CHAINS, MATRICES_IN_LANES, MATRICES_IN_PANELS, ROWS_OF_A_PASS,
};
use crate::analysis::target::worth;
use crate::ir::place_ty;
use crate::ir::{
    Block, Class, Expr, Func, Jam, Part, Place, Proj, Segment, SideBySide, Steps, Stmt, StmtKind,
    Ty, VarId, View, effects_of,
};
use crate::optimize::loops::windows::{Fresh, parts_on_the_way, weight};

use super::Nest;
use super::numbers::{Numbers, Places, Use};

/// How an array from outside is reached.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::optimize) enum Kind {
    Load,
    Along,
    Shared,
    Row,
    /// Side by side for the iterations of the outer loop, in another place for each of the inner one.
    Across,
}

pub(in crate::optimize) struct Slice {
    pub(in crate::optimize) root: VarId,
    pub(in crate::optimize) index: Poly,
    /// Which array of a list.
    pub(in crate::optimize) row: Option<Poly>,
    pub(in crate::optimize) array: String,
    pub(in crate::optimize) kind: Kind,
    pub(in crate::optimize) var: VarId,
    pub(in crate::optimize) view: View,
}

pub(in crate::optimize) struct Builder<'a, 'b> {
    pub(in crate::optimize) func: &'a Func,
    pub(in crate::optimize) iterations: &'b Iterations<'a>,
    pub(in crate::optimize) nest: &'b Nest<'a>,
    pub(in crate::optimize) fresh: Fresh,
    pub(in crate::optimize) lane: VarId,
    pub(in crate::optimize) column: VarId,
    pub(in crate::optimize) slices: Vec<Slice>,
    pub(in crate::optimize) ints: Vec<(VarId, Expr)>,
    parts: Vec<Part>,
    /// Arrays that are written.
    pub(in crate::optimize) written: BTreeSet<VarId>,
    /// Whether a sum of the iteration's own grows in the inner loop: a variable or an element.
    pub(in crate::optimize) sums: bool,
    /// Whether iterations go over blocks of columns.
    blocks: bool,
    /// Whether the jam is worth it although iterations share nothing.
    pub(in crate::optimize) anyway: bool,
}

/// Statements inside of the inner loop, or beside it.
struct InSegment<'s, 'a, 'b>(&'s mut Builder<'a, 'b>, bool);

impl Places for InSegment<'_, '_, '_> {
    fn place(&mut self, place: &mut Place, how: Use) -> Result<(), String> {
        let InSegment(builder, inside) = self;
        let written = how == Use::Write && !place.is_var() && !builder.iterations.owns(place.root);
        if written {
            builder.written.insert(place.root);
        }
        let kind = builder.place(place, *inside)?;
        builder.sums |= *inside && written && kind == Some(Kind::Along);
        Ok(())
    }
}

impl<'a, 'b> Builder<'a, 'b> {
    pub(in crate::optimize) fn new(
        func: &'a Func,
        iterations: &'b Iterations<'a>,
        nest: &'b Nest<'a>,
        blocks: bool,
    ) -> Self {
        let mut builder = Self {
            func,
            iterations,
            nest,
            fresh: Fresh::after(func),
            lane: VarId(0),
            column: VarId(0),
            slices: Vec::new(),
            ints: Vec::new(),
            parts: Vec::new(),
            written: BTreeSet::new(),
            sums: false,
            blocks,
            anyway: false,
        };
        let index = || Ty::USIZE;
        builder.lane = builder
            .fresh
            .temp(Class::Primal, "lane".to_owned(), index(), false);
        builder.column = builder
            .fresh
            .temp(Class::Primal, "column".to_owned(), index(), false);
        builder
    }

    pub(in crate::optimize) fn name(&self, var: VarId) -> String {
        self.func.var(var).name.to_string()
    }

    /// `None` if iterations cannot go over blocks.
    pub(in crate::optimize) fn build(mut self) -> Result<Option<(Jam, Fresh)>, String> {
        let nest = self.nest;
        let inner_range = self.inner_range()?;
        let mut segments = Vec::new();
        for (k, stmts) in nest.segments().into_iter().enumerate() {
            let mut stmts = stmts.to_vec();
            if k != 1 {
                self.take_checks(&mut stmts);
            }
            let numbers = Numbers {
                func: self.func,
                counter: nest.counter,
                range: nest.range,
            };
            numbers.stmts(&mut stmts, &mut InSegment(&mut self, k == 1))?;
            segments.push(Segment {
                body: Block { stmts },
                ..Segment::default()
            });
        }
        self.check_written()?;
        self.check_ints()?;
        let across = self.goes_across()?;
        let matrices = self.slices.iter().filter(|s| s.kind == Kind::Row).count();
        if self.blocks && (across || !self.fit_blocks(&segments)) {
            return Ok(None);
        }
        if self.blocks && matrices > MATRICES_IN_PANELS {
            return Err("the rows of too many matrices would be in registers".to_owned());
        }
        let again = if self.blocks {
            self.read_again(&mut segments)
        } else {
            BTreeSet::new()
        };
        let mut kept = self.keep(&mut segments, &again)?;
        if !self.blocks {
            kept.extend(self.promote(&mut segments));
        }
        let mut segments = segments.into_iter();
        let mut next = || segments.next().unwrap_or_default();
        let (before, inside, after) = (next(), next(), next());
        let (mut edits, mut by_kind) = (BTreeMap::<VarId, Vec<_>>::new(), BTreeMap::new());
        for slice in self.slices {
            let written = self.written.contains(&slice.root);
            if written && slice.kind == Kind::Along {
                edits
                    .entry(slice.root)
                    .or_default()
                    .push((slice.var, slice.view));
            } else {
                let list: &mut Vec<_> = by_kind.entry((slice.kind, written)).or_default();
                list.push((slice.var, slice.view));
            }
        }
        let mut of = |kind, written| by_kind.remove(&(kind, written)).unwrap_or_default();
        let (shared_edits, row_edits) = (of(Kind::Shared, true), of(Kind::Row, true));
        let together = match (self.blocks, shared_edits.is_empty() && row_edits.is_empty()) {
            (true, _) => ROWS_OF_A_BLOCK,
            (false, false) if !across => ROWS_OF_A_PASS,
            (false, _) if matrices > MATRICES_IN_LANES => CHAINS / 2,
            (false, _) => CHAINS,
        };
        let jam = Jam {
            lanes: SideBySide {
                counter: nest.counter,
                together,
                lane: self.lane,
                kept,
            },
            range: nest.range.clone(),
            inner_counter: nest.inner_counter,
            inner_range,
            ints: self.ints,
            parts: self.parts,
            loads: of(Kind::Load, false),
            views: of(Kind::Along, false),
            edits: edits.into_values().collect(),
            shared: of(Kind::Shared, false),
            shared_edits,
            rows: of(Kind::Row, false),
            row_edits,
            across: of(Kind::Across, false),
            across_edits: of(Kind::Across, true),
            blocks: self.blocks,
            least: (worth::JAM / (together * weight(&nest.inside.stmts)).max(1)).max(1),
            column: self.column,
            before,
            inside,
            after,
            terms: None,
            begin: Vec::new(),
            finish: Block::default(),
            deferred: None,
            only_deferred: self.anyway,
        };
        Ok(Some((jam, self.fresh)))
    }

    /// Whether the columns hold numbers, and the inner loop changes nothing else: a sum over a row would take columns
    /// twice that two blocks have in common, and its additions wait for one another anyway.
    fn fit_blocks(&self, segments: &[Segment]) -> bool {
        let columns = |s: &&Slice| matches!(s.kind, Kind::Shared | Kind::Row);
        let columns: Vec<&Slice> = self.slices.iter().filter(columns).collect();
        let numbers = columns.iter().all(|s| self.holds_numbers(s));
        let inside = effects_of(&segments[1].body.stmts);
        let is_outer = |var: &VarId| !inside.declares.contains(var);
        let mut changed = inside.writes.iter().filter(is_outer);
        numbers && changed.all(|var| columns.iter().any(|s| s.var == var))
    }

    fn holds_numbers(&self, slice: &Slice) -> bool {
        let element = self.fresh.ty(slice.var).element();
        matches!(element, Ty::F32 | Ty::F64 | Ty::Bool | Ty::Int(Some(_)))
    }

    /// Whether some elements lie side by side for the iterations of the outer loop, and not for those of the inner one.
    fn goes_across(&self) -> Result<bool, String> {
        let mut across = self.slices.iter().filter(|s| s.kind == Kind::Across);
        match across.clone().find(|s| !self.holds_numbers(s)) {
            Some(slice) => Err(format!(
                "`{}` does not hold plain numbers",
                self.name(slice.root)
            )),
            None => Ok(across.next().is_some()),
        }
    }

    /// Takes the checks of bounds out of a segment: they are done in front of the loop.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is not named keeps the pass from applying"
    )]
    fn take_checks(&mut self, stmts: &mut Vec<Stmt>) {
        let mut parts = Vec::new();
        stmts.retain(|stmt| {
            let part = match &stmt.kind {
                StmtKind::Opaque(o) => self.iterations.checked_part(o),
                _ => None,
            };
            parts.extend(part.clone());
            part.is_none()
        });
        for part in &parts {
            for e in part.bounds() {
                self.iterations.collect_ints(e, &mut self.ints);
            }
        }
        self.parts.extend(parts);
    }

    /// Puts a slice in the place of an array; says how that is reached.
    fn place(&mut self, place: &mut Place, inside: bool) -> Result<Option<Kind>, String> {
        let has_index = place.proj.iter().any(|p| matches!(p, Proj::Index(_)));
        if !has_index {
            return Ok(None);
        }
        let reach = self
            .iterations
            .reach2(place, self.nest.inner_counter)
            .map_err(|why| format!("`{}`: {why}", self.name(place.root)))?;
        let kind = self.kind(&reach, place.root, inside).ok_or_else(|| {
            let name = self.name(place.root);
            match reach.row {
                Some(_) => format!("`{name}`: it is an array in an array"),
                None => format!("`{name}`: its index does not go up by one with a counter"),
            }
        })?;
        let span = place.span;
        let read = |var| Expr::read_var(var, Ty::USIZE, span);
        let mut proj: Steps = match kind {
            Kind::Load => smallvec![Proj::Deref],
            Kind::Along | Kind::Across => smallvec![Proj::index(read(self.lane))],
            Kind::Shared => smallvec![Proj::index(read(self.column))],
            Kind::Row if self.blocks => smallvec![Proj::index(read(self.column))],
            Kind::Row => smallvec![Proj::index(read(self.lane)), Proj::index(read(self.column))],
        };
        proj.extend(place.proj[reach.at + 1..].iter().cloned());
        let root = self.slice(place, reach, kind);
        *place = Place { root, proj, span };
        Ok(Some(kind))
    }

    /// How elements are reached; `None` if they are not side by side for either loop.
    fn kind(&self, reach: &Reach2, root: VarId, inside: bool) -> Option<Kind> {
        let by = (reach.index.outer, reach.index.inner);
        if let Some(row) = &reach.row {
            return match ((row.index.outer, row.index.inner), by) {
                ((Slope::Zero, Slope::One | Slope::Fixed), (Slope::One, Slope::Zero)) if inside => {
                    Some(Kind::Across)
                }
                ((Slope::One | Slope::Fixed, Slope::Zero), (Slope::Zero, Slope::One)) if inside => {
                    Some(Kind::Row)
                }
                _ => None,
            };
        }
        match by {
            (Slope::Zero, Slope::Zero) => Some(Kind::Load),
            (Slope::One, Slope::Zero) => Some(Kind::Along),
            (Slope::Zero, Slope::One) if inside => Some(Kind::Shared),
            (Slope::One, Slope::Fixed) if inside => Some(Kind::Across),
            (outer, Slope::One)
                if inside && (outer != Slope::One || !self.written.contains(&root)) =>
            {
                Some(Kind::Row)
            }
            _ => None,
        }
    }

    fn slice(&mut self, place: &Place, reach: Reach2, kind: Kind) -> VarId {
        let end = reach.row.as_ref().map_or(reach.at, |row| row.at);
        let array = self.iterations.array_key(&place.proj[..end]);
        let Some(index) = place.proj[reach.at].as_index() else {
            unreachable!("`at` is the index")
        };
        let which = reach
            .row
            .as_ref()
            .and_then(|row| place.proj[row.at].as_index());
        let row = reach.row.as_ref().map(|row| row.index.poly.clone());
        let same = |s: &&Slice| {
            let alike_rows = match (&s.view.row, which) {
                (Some(a), Some(b)) => s.row == row && self.iterations.alike(a, b),
                (None, None) => true,
                (Some(_), None) | (None, Some(_)) => false,
            };
            s.root == place.root
                && s.index == reach.index.poly
                && s.array == array
                && alike_rows
                && self.iterations.alike(&s.view.index, index)
        };
        if let Some(known) = self.slices.iter().find(same) {
            return known.var;
        }
        for e in which.into_iter().chain([index]) {
            self.iterations.collect_ints(e, &mut self.ints);
        }
        self.parts.extend(parts_on_the_way(place, end));
        let up_to = |end: usize| Place {
            proj: place.proj[..end].into(),
            ..place.clone()
        };
        let element = Box::new(place_ty(self.func, &up_to(reach.at)).element());
        let (what, ty) = match kind {
            Kind::Load => ("element", Ty::Ref(false, element)),
            Kind::Row => ("rows", Ty::Slice(element)),
            Kind::Across => ("across", Ty::Slice(element)),
            Kind::Along | Kind::Shared => ("slice", Ty::Slice(element)),
        };
        let name = self.name(place.root);
        let base = format!("{}_{what}", name.trim_start_matches("r#"));
        let var = self
            .fresh
            .temp(self.func.var(place.root).class, base, ty, false);
        self.slices.push(Slice {
            root: place.root,
            index: reach.index.poly,
            row,
            array,
            kind,
            var,
            view: View {
                mirrored: false,
                of: up_to(end),
                index: index.clone(),
                row: which.cloned(),
            },
        });
        var
    }
}
