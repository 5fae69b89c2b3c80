//! The windows of a loop.

use crate::ir::faults::Fault;
use crate::ir::versions::{Check, Window, Windows};
use crate::ir::{Expr, Part, Proj, Sliced, Stmt, StmtKind, Ty, VarId, View};

use super::index::{End, Ends};
use super::{Iterations, Maker};

impl Maker<'_> {
    /// What the fast version needs to exist, and the windows that it runs on.
    pub(super) fn windows(
        &mut self,
        sliced: &Sliced,
        ends: &Ends,
        iterations: &mut Iterations,
        stmts: &mut Vec<Stmt>,
    ) {
        for part in &sliced.parts {
            let checks = End::BOTH.map(|end| self.exists(part, &|e| self.at(e, ends, end)));
            stmts.extend(checks.into_iter().flatten());
        }
        for group in &sliced.groups {
            self.func.var_mut(group.var).mutable = group.mutable;
            stmts.push(self.window(Windows::Groups(group.clone())));
        }
        for part in &sliced.fixed {
            stmts.extend(self.exists(part, &|e| self.at(e, &Ends::none(), End::First)));
        }
        for (var, view) in &sliced.loads {
            let element = Windows::Element {
                copied: !matches!(self.func.var(*var).ty, Ty::Ref(..)),
                var: *var,
                of: view.of.clone(),
                at: self.at(&view.index, ends, End::First),
            };
            stmts.push(self.window(element));
        }
        let apart = sliced.apart.iter();
        for (index, view) in apart.filter(|_| !Fault::SharedElementAmong.is_on()) {
            let at = self.at(index, ends, End::First);
            let Window { first, last, .. } = self.span_of(sliced.lane, view, ends);
            stmts.push(self.check(Check::Outside {
                at,
                ends: [first, last],
            }));
        }
        for (var, view) in &sliced.views {
            let window = Windows::Read {
                window: self.span_of(*var, view, ends),
                len: self.read(iterations.n),
            };
            stmts.push(self.window(window));
        }
        for group in &sliced.edits {
            for (var, _) in group {
                self.func.var_mut(*var).mutable = true;
            }
            let windows = group.iter();
            let windows = windows.map(|(var, view)| self.span_of(*var, view, ends));
            let windows = Windows::Write {
                windows: windows.collect(),
                len: self.read(iterations.n),
            };
            stmts.push(self.window(windows));
        }
        for (k, sum) in sliced.sums.iter().enumerate() {
            let extent = sum.along.as_ref().map(|view| {
                let var = self.opaque(&format!("__to_{k}"));
                let window = self.span_of(var, view, ends);
                let len = self.read(iterations.n);
                stmts.push(self.window(Windows::Extent { window, len }));
                var
            });
            iterations.extents.push(extent);
        }
    }

    pub(super) fn window(&self, windows: Windows) -> Stmt {
        self.stmt(StmtKind::Windows(Box::new(windows)))
    }

    fn span_of(&self, var: VarId, view: &View, ends: &Ends) -> Window {
        let [mut first, mut last] = End::BOTH.map(|end| self.at(&view.index, ends, end));
        if view.mirrored {
            std::mem::swap(&mut first, &mut last);
        }
        Window {
            var,
            of: view.of.clone(),
            first,
            last,
        }
    }

    /// Checks that a part of an array exists, or an element, in an iteration for which `at` tells indices.
    pub(super) fn exists(&self, part: &Part, at: &dyn Fn(&Expr) -> Expr) -> Option<Stmt> {
        let of = part.of.clone();
        Some(self.check(match &part.which {
            Proj::Range { lo, hi, .. } => Check::Part {
                of,
                lo: lo.as_deref().map(at),
                hi: hi.as_deref().map(at),
            },
            Proj::Index(e) => Check::Element { of, at: at(e) },
            Proj::Deref | Proj::Field(_) | Proj::Payload | Proj::Variant(_) | Proj::Unbox => {
                return None;
            }
        }))
    }
}
