//! Privatization: whether each iteration of a loop has an array, or a variable, for itself although it is declared
//! outside of the loop.
//!
//! An iteration does if it reads no element that it has not written before (no read is *upward exposed*): then what
//! other iterations leave there does not matter. Writes are collected along the text: an element by its index; behind a
//! loop that runs up a range to its end, the elements `counter + offset` that all its iterations write; an array, where
//! those are all of its elements. What only branches write, or loops that may end early, is not counted behind them.
//!
//! Indices are compared as words ([`affine`](crate::analysis::affine)): a section is the set of words `k + offset` for
//! `k` in a range, whether or not they wrap around, and a read is inside if its index is another `k` of a part of that
//! range plus the same offset. That a part lies in a range is read off its bounds, which are compared as words too.
//!
//! Saves are no reads: what they take goes back to where it was. The length of the variable itself is none either, as
//! nothing changes it; that of an element or a field is, as it comes and goes with what is written there.
//!
//! Being wrong would let an iteration start from values that another one has taken back.

mod around;

pub(crate) use around::{clears, length, resizes};

use std::cell::OnceCell;

use crate::analysis::affine::{Definitions, Poly};
use crate::ir::faults::Fault;
use crate::ir::hash::HashSet;
use crate::ir::{
    ArgMode, Block, Expr, ExprKind, Func, Place, Proj, RangeIter, Stmt, StmtKind, Touch, Ty, VarId,
    effects_of, same_place, shallow_touches, visit_stmts,
};

/// An iteration that runs forward and then in reverse.
pub(crate) struct Iteration<'a> {
    func: &'a Func,
    forward: &'a Block,
    reverse: &'a Block,
    /// What is the same for all variables, once one of them is asked for.
    known: OnceCell<(Definitions<'a>, HashSet<VarId>)>,
}

impl<'a> Iteration<'a> {
    pub(crate) fn new(func: &'a Func, forward: &'a Block, reverse: &'a Block) -> Self {
        Iteration {
            func,
            forward,
            reverse,
            known: OnceCell::new(),
        }
    }

    /// Whether each iteration has the variable for itself. `length`: how many elements it has, where that is known.
    pub(crate) fn has_for_itself(&self, var: VarId, length: Option<Poly>) -> bool {
        if Fault::ExposedReadIgnored.is_on() {
            return true;
        }
        let known = || (Definitions::of(self.func, self.forward), self.restored());
        let (definitions, restored) = self.known.get_or_init(known);
        let mut walk = Walk {
            func: self.func,
            length,
            definitions,
            var,
            restored,
            loops: Vec::new(),
            written: Vec::new(),
            exposed: false,
        };
        walk.block(self.forward);
        !walk.exposed
    }

    /// The variables that hold what a place held, and are used to put it back there alone.
    fn restored(&self) -> HashSet<VarId> {
        let mut taken: Vec<(VarId, &Place)> = Vec::new();
        let mut used: HashSet<VarId> = HashSet::default();
        visit_stmts(self.forward, &mut |stmt| {
            if let StmtKind::Let {
                var,
                init: Some(init),
            } = &stmt.kind
                && let ExprKind::Read(place) = &init.kind
                && !self.func.var(*var).mutable
            {
                taken.push((*var, place));
            }
            if !is_save(stmt) {
                shallow_touches(stmt, &mut |place, touch| {
                    if touch != Touch::Declare {
                        used.insert(place.root);
                    }
                });
            }
        });
        visit_stmts(self.reverse, &mut |stmt| {
            let put_back = |var| {
                let StmtKind::Assign { place, value, .. } = &stmt.kind else {
                    return false;
                };
                let mut from = taken.iter().filter(|(of, _)| *of == var);
                matches!(&value.kind, ExprKind::Read(p) if p.is_var() && p.root == var)
                    && from.all(|(_, from)| same_place(from, place))
            };
            shallow_touches(stmt, &mut |place, touch| {
                if touch != Touch::Declare && !put_back(place.root) {
                    used.insert(place.root);
                }
            });
        });
        let vars = taken.into_iter().map(|(var, _)| var);
        vars.filter(|var| !used.contains(var)).collect()
    }
}

/// Whether the statement only leaves on the tape what variables hold.
fn is_save(stmt: &Stmt) -> bool {
    matches!(
        stmt.kind,
        StmtKind::PushRecord { .. } | StmtKind::PushSlice { .. } | StmtKind::PushRange { .. }
    )
}

/// What an iteration has written at some point of its text.
#[derive(Clone, PartialEq)]
enum Written {
    All,
    Element(Poly),
    /// `k + offset` for `k` in `from..to`, or in `from..=to`.
    Section {
        offset: Poly,
        from: Poly,
        to: Poly,
        inclusive: bool,
    },
}

struct Walk<'a> {
    func: &'a Func,
    definitions: &'a Definitions<'a>,
    var: VarId,
    length: Option<Poly>,
    restored: &'a HashSet<VarId>,
    /// The loops around, from the outside in.
    loops: Vec<(VarId, &'a RangeIter)>,
    written: Vec<Written>,
    /// Whether something is read that was not written before.
    exposed: bool,
}

impl<'a> Walk<'a> {
    fn block(&mut self, block: &'a Block) {
        block.stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &'a Stmt) {
        let takes = |var: &VarId| self.restored.contains(var);
        if is_save(stmt) || matches!(&stmt.kind, StmtKind::Let { var, .. } if takes(var)) {
            return;
        }
        self.exposed |= self.changes_length(stmt);
        if let StmtKind::Fill { slice: to, .. } | StmtKind::CopyFrom { dst: to, .. } = &stmt.kind {
            self.reads(stmt, Some(to));
            if to.root == self.var && is_whole(to) {
                self.written.push(Written::All);
            }
            return;
        }
        self.reads(stmt, None);
        if let StmtKind::Assign { place, .. } = &stmt.kind
            && place.root == self.var
        {
            self.writes(place);
        }
        if let StmtKind::Loop(this) = &stmt.kind {
            self.body(stmt, &this.body);
        } else if let StmtKind::Scope(body) = &stmt.kind {
            self.block(body);
        } else if let StmtKind::Switch { .. } | StmtKind::Branch { .. } = &stmt.kind {
            self.arms(&stmt.kind.blocks());
        } else {
            let before = self.written.len();
            for block in stmt.kind.blocks() {
                self.block(block);
                self.written.truncate(before);
            }
        }
    }

    /// Notes what the statement itself reads; `but`: what it overwrites as a whole.
    fn reads(&mut self, stmt: &Stmt, but: Option<&Place>) {
        let mut exposed = false;
        shallow_touches(stmt, &mut |place, touch| {
            let reads = match touch {
                Touch::Read | Touch::Add | Touch::AddInCall => true,
                Touch::Update => {
                    but.is_none_or(|whole| !is_whole(whole) || !same_place(whole, place))
                }
                Touch::Length => is_inside(place),
                Touch::Write | Touch::Declare => false,
            };
            exposed |= reads && place.root == self.var && !self.is_written(place);
        });
        self.exposed |= exposed;
    }

    /// Whether the statement may change how many elements there are.
    fn changes_length(&self, stmt: &Stmt) -> bool {
        let whole = |place: &Place| place.root == self.var && steps(place).is_empty();
        let grows = || !is_fixed(&self.func.var(self.var).ty);
        let mut changes = false;
        if let StmtKind::CallForward { args, .. } | StmtKind::Call { args, .. } = &stmt.kind {
            let lends = |mode: &ArgMode| matches!(mode, ArgMode::InOut(place) if whole(place));
            changes = args.iter().any(|arg| lends(&arg.mode)) && grows();
        } else if !matches!(
            stmt.kind,
            StmtKind::Fill { .. } | StmtKind::CopyFrom { .. } | StmtKind::Update { .. }
        ) {
            shallow_touches(stmt, &mut |place, touch| {
                changes |= matches!(touch, Touch::Write | Touch::Update) && whole(place);
            });
            changes = changes && grows();
        }
        changes
    }

    fn writes(&mut self, place: &Place) {
        if place.is_var() {
            self.written.push(Written::All);
        } else if let [Proj::Index(index)] = steps(place)
            && let Some(index) = self.definitions.poly(index)
        {
            self.written.push(Written::Element(index));
        }
    }

    /// What all arms write is written behind them.
    fn arms(&mut self, arms: &[&'a Block]) {
        let before = self.written.len();
        let mut common: Option<Vec<Written>> = None;
        for arm in arms {
            self.block(arm);
            let mut here = self.written.split_off(before);
            if let Some(common) = &common {
                here.retain(|one| common.contains(one));
            }
            common = Some(here);
        }
        self.written.extend(common.unwrap_or_default());
    }

    fn body(&mut self, stmt: &'a Stmt, body: &'a Block) {
        let before = self.written.len();
        let counting = stmt.counting();
        if let Some(counting) = &counting {
            self.loops.push((counting.counter, counting.range));
        }
        self.block(body);
        let inside = self.written.split_off(before);
        let Some(counting) = counting else { return };
        self.loops.pop();
        let (counter, range) = (counting.counter, counting.range);
        let bounds = self.bounds(range);
        let Some((from, to)) = bounds.filter(|_| range.step.is_none()) else {
            return;
        };
        let own = effects_of(&body.stmts).declares;
        for one in inside {
            let Written::Element(index) = one else {
                continue;
            };
            if let Some((slope, offset)) = index.linear_in(counter)
                && slope.constant() == Some(1)
                && offset
                    .vars()
                    .all(|var| var != counter && !own.contains(&var))
            {
                let section = self.section(offset, from.clone(), to.clone(), range);
                self.written.push(section);
            }
        }
    }

    fn section(&self, offset: Poly, from: Poly, to: Poly, range: &RangeIter) -> Written {
        let inclusive = range.inclusive;
        let end = to.clone().plus(&Poly::number(i128::from(inclusive)), 1);
        let up_to_the_end =
            self.length.as_ref() == Some(&end) || self.is_length(&range.hi) && !inclusive;
        if up_to_the_end && from.is_zero() && offset.is_zero() {
            return Written::All;
        }
        Written::Section {
            offset,
            from,
            to,
            inclusive,
        }
    }

    /// Whether the expression is the length of the array itself.
    fn is_length(&self, e: &Expr) -> bool {
        let held = if let ExprKind::Read(place) = &e.kind
            && place.is_var()
        {
            self.definitions.held(place.root)
        } else {
            Some(e)
        };
        let whole = |place: &Place| place.root == self.var && steps(place).is_empty();
        let of = |e: &Expr| matches!(&e.kind, ExprKind::Len(place) if whole(place));
        held.is_some_and(of)
    }

    /// Whether the iteration has written all that a read of the place meets.
    fn is_written(&self, place: &Place) -> bool {
        if self.written.contains(&Written::All) {
            return true;
        }
        let [Proj::Index(index), ..] = steps(place) else {
            return false;
        };
        let Some(index) = self.definitions.poly(index) else {
            return false;
        };
        self.written.iter().any(|one| match one {
            Written::All => true,
            Written::Element(other) => *other == index,
            Written::Section {
                offset,
                from,
                to,
                inclusive,
            } => self.is_in(&index, offset, (from, to, *inclusive)),
        })
    }

    /// Whether the index is a counter around plus the offset, and that counter stays in the range.
    fn is_in(
        &self,
        index: &Poly,
        offset: &Poly,
        (from, to, inclusive): (&Poly, &Poly, bool),
    ) -> bool {
        self.loops.iter().any(|(counter, range)| {
            let Some((slope, rest)) = index.linear_in(*counter) else {
                return false;
            };
            let bounds = self.bounds(range);
            let within = |(lo, hi): (Poly, Poly)| {
                let ends = if range.inclusive && !inclusive {
                    self.is_below(&hi, to)
                } else {
                    self.is_at_most(&hi, to)
                };
                self.is_at_most(from, &lo) && ends
            };
            slope.constant() == Some(1) && rest == *offset && bounds.is_some_and(within)
        })
    }

    fn bounds(&self, range: &RangeIter) -> Option<(Poly, Poly)> {
        self.definitions
            .poly(&range.lo)
            .zip(self.definitions.poly(&range.hi))
    }

    /// Whether one word is another one or less.
    fn is_at_most(&self, a: &Poly, b: &Poly) -> bool {
        let numbers = a.constant().zip(b.constant());
        let next = a.clone().minus(&Poly::number(1));
        a == b
            || a.is_zero()
            || numbers.is_some_and(|(a, b)| 0 <= a && a <= b)
            || self.is_below(a, b)
            || self.is_below(&next, b)
    }

    /// Whether one word is a counter around that stays below another one.
    fn is_below(&self, a: &Poly, b: &Poly) -> bool {
        self.loops.iter().any(|(counter, range)| {
            let hi = || self.definitions.poly(&range.hi);
            *a == Poly::term(vec![*counter], 1) && !range.inclusive && hi().as_ref() == Some(b)
        })
    }
}

/// What leads from the variable, or what it refers to, to the place.
fn steps(place: &Place) -> &[Proj] {
    match place.proj.as_slice() {
        [Proj::Deref, steps @ ..] => steps,
        steps => steps,
    }
}

/// Whether nothing but all elements is meant.
fn is_whole(place: &Place) -> bool {
    match steps(place) {
        [] => true,
        [Proj::Range { lo, hi, .. }] => lo.is_none() && hi.is_none(),
        _ => false,
    }
}

/// Whether an element or a field is meant, or a part of one: its length is part of what the variable holds.
fn is_inside(place: &Place) -> bool {
    let part = |step: &Proj| matches!(step, Proj::Range { .. });
    !steps(place).iter().all(part)
}

/// Whether a value of the type always has as many elements.
fn is_fixed(ty: &Ty) -> bool {
    ty.is_scalar() || matches!(ty, Ty::Array(element, _) if is_fixed(element))
}
