//! Loops whose bodies run on the numbers of several iterations at once, in registers.

use crate::ir::faults::Fault;
use crate::ir::hash::{HashMap, HashSet};
use crate::ir::registers::{RegisterRun, Registers, Rounds};
use crate::ir::simd::{Cells, Near, Shift, Simd};
use crate::ir::versions::{Buffer, BufferKind};
use crate::ir::{
    BinOp, Block, Class, Expr, ExprKind, Gather, Place, Sliced, Stmt, StmtKind, Ty, VarId,
    expr_text, is_invariant, same_place,
};

use super::{Iterations, Maker};

/// Longer registers leave fewer iterations than they hold numbers, which is room for one round of those of half the
/// length. These leave one iteration where they hold two.
const RUNS: [RegisterRun; 3] = {
    const fn run(registers: Registers, rounds: Rounds) -> RegisterRun {
        RegisterRun { registers, rounds }
    }
    [
        run(Registers::Longest, Rounds::All),
        run(Registers::Half, Rounds::One),
        run(Registers::Single, Rounds::OneBehindPairs),
    ]
};

impl Maker<'_> {
    pub(super) fn side_by_side(
        &mut self,
        sliced: &Sliced,
        iterations: &Iterations,
        ty: &Ty,
    ) -> Vec<Stmt> {
        let done = self.count_of("__done");
        let (cells, arrays, adds, sums) = self.additions(sliced, iterations, done);
        let near: Vec<Near> = sliced
            .gathers
            .iter()
            .filter_map(|g| self.near(g, &adds))
            .collect();
        let totals = Ty::Array(Box::new(ty.clone()), None);
        let totals = self
            .func
            .temp_of(Class::Either, "__totals", totals, self.span);
        self.func.var_mut(totals).mutable = true;
        let mut stmts = vec![
            self.stmt(StmtKind::Buffer(Box::new(Buffer {
                var: totals,
                kind: BufferKind::Totals(sums.len()),
            }))),
            self.declare(done, self.count(0)),
        ];
        let mut lanes = Lanes::of(sliced, ty, done);
        let body = lanes.iterations(self, sliced, &adds);
        stmts.push(
            self.stmt(StmtKind::Simd(Box::new(Simd {
                ty: ty.clone(),
                runs: RUNS.to_vec(),
                n: iterations.n,
                done,
                totals,
                reads: sliced.views.iter().map(|(var, _)| *var).collect(),
                edits: sliced.edits.iter().flatten().map(|(var, _)| *var).collect(),
                arrays,
                cells,
                near,
                fixed: lanes
                    .fixed
                    .into_iter()
                    .map(|(var, _, e)| (var, e))
                    .collect(),
                sums,
                body: Block { stmts: body },
            }))),
        );
        let inside = sliced.sums.iter().filter(|sum| sum.along.is_none());
        for (at, sum) in inside.enumerate() {
            let total = self.element(totals, vec![self.count(at)]);
            stmts.push(self.stmt(StmtKind::Update {
                place: sum.place.clone(),
                op: sum.op,
                value: Expr::new(ExprKind::Read(total), ty.clone(), self.span),
            }));
        }
        stmts
    }

    /// Sums in neighbouring cells, by the statements that add them.
    fn near(&mut self, group: &Gather, adds: &[Stmt]) -> Option<Near> {
        let cells = |k: usize| {
            let StmtKind::Update { place, .. } = &adds.get(k)?.kind else {
                return None;
            };
            Some(place.root)
        };
        let ((first, _), others) = group.terms.split_first()?;
        let first = cells(*first)?;
        let others = others.iter().map(|(k, by)| {
            Some(Shift {
                cells: cells(*k)?,
                by: *by,
                waiting: self.opaque("__waiting"),
            })
        });
        let mut others = others.collect::<Option<Vec<Shift>>>()?;
        if Fault::NearOutOfOrder.is_on() {
            others.reverse();
        }
        let [cells, sum] = ["__near", "__near_sum"].map(|name| self.opaque(name));
        Some(Near {
            cells,
            sum,
            first,
            others,
        })
    }

    /// The arrays that are added to, where in them, and the statement that each sum is added by.
    #[expect(clippy::type_complexity, reason = "the parts of one statement")]
    fn additions(
        &mut self,
        sliced: &Sliced,
        iterations: &Iterations,
        done: VarId,
    ) -> (Vec<Cells>, Vec<(VarId, Place)>, Vec<Stmt>, Vec<VarId>) {
        let (mut cells, mut arrays) = (Vec::new(), Vec::<(VarId, Place)>::new());
        let (mut adds, mut sums) = (Vec::new(), Vec::new());
        for (k, sum) in sliced.sums.iter().enumerate() {
            let value = self.read(sum.source);
            let (Some(view), Some(extent)) = (&sum.along, iterations.extents[k]) else {
                let ty = self.func.var(sum.source).ty.clone();
                let class = self.func.var(sum.source).class;
                let var = self
                    .func
                    .temp_of(class, &format!("__sum_{k}"), ty.clone(), self.span);
                self.func.var_mut(var).mutable = true;
                let value = self.binary(BinOp::Add, self.read(var), value, ty);
                adds.push(self.stmt(StmtKind::Assign {
                    place: Place::var(var, self.span),
                    value,
                    init: false,
                }));
                sums.push(var);
                continue;
            };
            let known = arrays.iter().find(|(_, of)| same_place(of, &view.of));
            let array = known.map(|(var, _)| *var).unwrap_or_else(|| {
                let var = self.opaque(&format!("__of_{}", arrays.len()));
                arrays.push((var, view.of.clone()));
                var
            });
            let ty = Ty::Slice(Box::new(self.func.var(sum.source).ty.clone()));
            let class = self.func.var(view.of.root).class;
            let var = self
                .func
                .temp_of(class, &format!("__cells_{k}"), ty, self.span);
            self.func.var_mut(var).mutable = true;
            let place = self.element(var, vec![self.read(done)]);
            let op = sum.op;
            adds.push(self.stmt(StmtKind::Update { place, op, value }));
            cells.push(Cells { var, extent, array });
        }
        (cells, arrays, adds, sums)
    }
}

/// The body of the loop, on the numbers of the iterations from `done` on.
struct Lanes<'a> {
    ty: &'a Ty,
    done: VarId,
    views: HashSet<VarId>,
    slices: HashSet<VarId>,
    /// What changes from iteration to iteration.
    varying: HashSet<VarId>,
    /// What does not, computed in front of the loop, with its text.
    fixed: Vec<(VarId, String, Expr)>,
    /// Slices that are only read of which elements have been loaded, and where they are.
    loaded: Vec<(VarId, VarId)>,
}

impl<'a> Lanes<'a> {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "other statements compute indices"
    )]
    fn of(sliced: &Sliced, ty: &'a Ty, done: VarId) -> Self {
        let views: HashSet<VarId> = sliced.views.iter().map(|(var, _)| *var).collect();
        let edits = sliced.edits.iter().flatten().map(|(var, _)| *var);
        let slices: HashSet<VarId> = views.iter().copied().chain(edits).collect();
        let declared = sliced.body.stmts.iter().filter_map(|s| match &s.kind {
            StmtKind::Let { var, .. } => Some(*var),
            _ => None,
        });
        let varying = declared.chain(slices.iter().copied());
        let varying = varying.chain([sliced.lane, sliced.counter]).collect();
        Self {
            ty,
            done,
            views,
            slices,
            varying,
            fixed: Vec::new(),
            loaded: Vec::new(),
        }
    }

    /// What goes into a sum is added as soon as it is there, as registers are few.
    fn iterations(&mut self, maker: &mut Maker<'_>, sliced: &Sliced, adds: &[Stmt]) -> Vec<Stmt> {
        let mut out = Vec::new();
        let ready = in_order(sliced, ready(sliced));
        for (at, stmt) in sliced.body.stmts.iter().enumerate() {
            let before = self.loaded.len();
            let code = self.stmt(maker, stmt);
            for (slice, lanes) in &self.loaded[before..] {
                let place = maker.element(*slice, vec![maker.read(self.done)]);
                let value = Expr::new(ExprKind::Read(place), self.ty.clone(), maker.span);
                out.push(maker.declare(*lanes, value));
            }
            out.extend(code);
            let ready = ready.iter().filter(|(last, _)| *last == at);
            out.extend(ready.map(|(_, k)| adds[*k].clone()));
        }
        out
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "other statements compute indices"
    )]
    fn stmt(&mut self, maker: &mut Maker<'_>, stmt: &Stmt) -> Option<Stmt> {
        let kind = match &stmt.kind {
            StmtKind::Let { var, init } if maker.func.var(*var).ty == *self.ty => StmtKind::Let {
                var: *var,
                init: init.as_ref().map(|value| self.value(maker, value)),
            },
            StmtKind::Assign { place, value, init } => {
                let value = self.value(maker, value);
                let (place, init) = (self.place(maker, place), *init);
                StmtKind::Assign { place, value, init }
            }
            StmtKind::Update { place, op, value } => {
                let old = self.read(maker, place);
                let value = self.value(maker, value);
                let value = maker.binary(*op, old, value, self.ty.clone());
                let (place, init) = (self.place(maker, place), false);
                StmtKind::Assign { place, value, init }
            }
            _ => return None, // an index
        };
        Some(Stmt::new(kind, stmt.span))
    }

    /// A place of the iterations from `done` on.
    fn place(&self, maker: &Maker<'_>, place: &Place) -> Place {
        if self.slices.contains(&place.root) {
            return maker.element(place.root, vec![maker.read(self.done)]);
        }
        place.clone()
    }

    fn read(&mut self, maker: &mut Maker<'_>, place: &Place) -> Expr {
        let place = if self.views.contains(&place.root) {
            let known = self.loaded.iter().find(|(slice, _)| *slice == place.root);
            let lanes = known.map(|(_, lanes)| *lanes).unwrap_or_else(|| {
                let name = format!("__{}_lanes", maker.func.var(place.root).name);
                let class = maker.func.var(place.root).class;
                let lanes = maker
                    .func
                    .temp_of(class, &name, self.ty.clone(), maker.span);
                self.loaded.push((place.root, lanes));
                lanes
            });
            Place::var(lanes, place.span)
        } else {
            self.place(maker, place)
        };
        Expr::new(ExprKind::Read(place), self.ty.clone(), maker.span)
    }

    fn value(&mut self, maker: &mut Maker<'_>, e: &Expr) -> Expr {
        if is_invariant(e, &|var| self.varying.contains(&var)) {
            return self.once(maker, e);
        }
        if let ExprKind::Read(place) = &e.kind {
            return self.read(maker, place);
        }
        let mut e = e.clone();
        for child in e.children_mut() {
            *child = self.value(maker, child);
        }
        e
    }

    /// A value that is the same for all iterations.
    fn once(&mut self, maker: &mut Maker<'_>, e: &Expr) -> Expr {
        let text = expr_text(maker.func, e);
        let known = self.fixed.iter().find(|(_, other, _)| *other == text);
        let var = known.map(|(var, ..)| *var).unwrap_or_else(|| {
            let name = format!("__fixed_{}", self.fixed.len());
            let class = maker.func.class_of(e);
            let var = maker
                .func
                .temp_of(class, &name, self.ty.clone(), maker.span);
            self.fixed.push((var, text, e.clone()));
            var
        });
        maker.read(var)
    }
}

/// Behind which statement each sum is added, in the order of adding: those in neighbouring elements when all of them
/// are there, the first of the elements first.
fn in_order(sliced: &Sliced, mut ready: Vec<usize>) -> Vec<(usize, usize)> {
    let mut order = vec![0; ready.len()];
    for group in &sliced.gathers {
        let last = group.terms.iter().map(|(k, _)| ready[*k]).max();
        for (at, (k, _)) in group.terms.iter().enumerate() {
            ready[*k] = last.unwrap_or_default();
            order[*k] = at;
        }
    }
    let mut sums: Vec<usize> = (0..ready.len()).collect();
    sums.sort_by_key(|k| order[*k]);
    sums.into_iter().map(|k| (ready[k], k)).collect()
}

/// For each sum the last statement that changes what is added to it.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "other statements compute indices"
)]
fn ready(sliced: &Sliced) -> Vec<usize> {
    let mut last: HashMap<VarId, usize> = HashMap::default();
    for (at, stmt) in sliced.body.stmts.iter().enumerate() {
        let var = match &stmt.kind {
            StmtKind::Let { var, .. } => *var,
            StmtKind::Assign { place, .. } | StmtKind::Update { place, .. } => place.root,
            _ => continue,
        };
        last.insert(var, at);
    }
    let sums = sliced.sums.iter();
    sums.map(|sum| last.get(&sum.source).copied().unwrap_or_default())
        .collect()
}
