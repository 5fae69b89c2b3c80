//! Assignments of reference variables: the code and the integers that say where they point.

use proc_macro2::Span;

use super::candidates::{Candidate, Step, extend};
use super::dynamic::Expander;
use super::finish::usize_binop;
use crate::diag::catalog;
use crate::ir::{
    BinOp, Block, Expr, ExprKind, Place, Proj, Stmt, StmtKind, Ty, VarId, expr_reads,
    place_index_reads,
};

impl Expander<'_, '_> {
    /// Lets the reference point to `place`: its code and integers are set.
    pub(super) fn point(&mut self, var: VarId, place: &Place, span: Span, out: &mut Vec<Stmt>) {
        let mut through = Vec::new();
        let mut note = |p: &Place| {
            if self.choices.of.contains_key(&p.root) && !through.contains(&p.root) {
                through.push(p.root);
            }
        };
        note(place);
        place_index_reads(place, &mut note);
        match through.as_slice() {
            [] => self.set(
                var,
                place,
                Candidate {
                    root: place.root,
                    way: Vec::new(),
                },
                &place.proj,
                Vec::new(),
                span,
                out,
            ),
            [source] if *source == place.root => {
                let choice = &self.choices.of[source];
                let mut arms = Vec::new();
                for n in 0..choice.candidates.len() {
                    let candidate = choice.candidates[n].clone();
                    let held = choice
                        .integers
                        .iter()
                        .take(candidate.integers())
                        .map(|v| Expr::read_var(*v, Ty::USIZE, span))
                        .collect();
                    let full = self.candidate_place(*source, n, span);
                    let mut stmts = Vec::new();
                    self.set(
                        var,
                        &full,
                        candidate,
                        &place.proj[1..],
                        held,
                        span,
                        &mut stmts,
                    );
                    arms.push(Block { stmts });
                }
                match (choice.code, arms.len()) {
                    (Some(code), _) => {
                        let selector = Expr::read_var(code, Ty::U8, span);
                        out.push(Stmt::new(StmtKind::Switch { selector, arms }, span));
                    }
                    (None, _) => out.extend(arms.into_iter().flat_map(|b| b.stmts)),
                }
            }
            _ => self.l.diags.at(span, catalog::reference_too_dynamic()),
        }
    }

    /// `source` with its integers, then the further projections of the assigned place.
    #[expect(
        clippy::too_many_arguments,
        reason = "one call site per case; a struct would only rename them"
    )]
    fn set(
        &mut self,
        var: VarId,
        base: &Place,
        source: Candidate,
        proj: &[Proj],
        mut integers: Vec<Expr>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        let slice = self.slices[&var];
        let target = extend(source.clone(), proj, slice);
        let mut way = source.way;
        let mut here = base.clone();
        if way.is_empty() {
            here.proj.clear();
        }
        for step in proj {
            match step {
                Proj::Index(e) => integers.push((**e).clone()),
                Proj::Range { lo, hi, inclusive } => {
                    let folded = matches!(way.last(), Some(Step::Range));
                    let (from, to) = if folded {
                        (integers.len() - 2, integers.len() - 1)
                    } else {
                        (0, 0)
                    };
                    let start = folded.then(|| integers[from].clone());
                    let low = relative(start.clone(), lo.as_deref().cloned(), span);
                    let high = match hi {
                        Some(hi) => {
                            let hi = if *inclusive {
                                usize_binop(BinOp::Add, (**hi).clone(), one(span))
                            } else {
                                (**hi).clone()
                            };
                            relative(start, Some(hi), span)
                        }
                        None if folded => integers[to].clone(),
                        None => Expr::new(ExprKind::Len(here.clone()), Ty::USIZE, span),
                    };
                    if folded {
                        integers[from] = low;
                        integers[to] = high;
                    } else {
                        integers.extend([low, high]);
                    }
                }
                Proj::Deref | Proj::Field(_) | Proj::Payload | Proj::Variant(_) | Proj::Unbox => {}
            }
            way = extend(
                Candidate {
                    root: base.root,
                    way,
                },
                std::slice::from_ref(step),
                false,
            )
            .way;
            here.proj.push(step.clone());
        }
        if slice && !matches!(way.last(), Some(Step::Range)) {
            integers.push(zero(span));
            integers.push(Expr::new(ExprKind::Len(here), Ty::USIZE, span));
        }
        self.store(var, &target, integers, span, out);
    }

    fn store(
        &mut self,
        var: VarId,
        target: &Candidate,
        integers: Vec<Expr>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        let choice = &self.choices.of[&var];
        let Some(n) = choice.candidates.iter().position(|c| c.same(target)) else {
            self.l.diags.at(span, catalog::reference_too_dynamic());
            return;
        };
        let assign = |var: VarId, value: Expr| {
            Stmt::new(
                StmtKind::Assign {
                    place: Place::var(var, span),
                    value,
                    init: false,
                },
                span,
            )
        };
        let own = |e: &Expr| {
            let mut found = false;
            expr_reads(e, &mut |p| {
                found |= choice.integers.contains(&p.root) || Some(p.root) == choice.code
            });
            found
        };
        // New values may be made of old ones: all are computed before any is set.
        let mut values = Vec::new();
        for e in integers {
            if own(&e)
                && !matches!(&e.kind, ExprKind::Read(p) if choice.integers.get(values.len()) == Some(&p.root))
            {
                let temp = self.l.func.temp("at", Ty::USIZE, span);
                out.push(Stmt::new(
                    StmtKind::Let {
                        var: temp,
                        init: Some(e),
                    },
                    span,
                ));
                values.push(Expr::read_var(temp, Ty::USIZE, span));
            } else {
                values.push(e);
            }
        }
        for (slot, value) in choice.integers.iter().zip(values) {
            if !matches!(&value.kind, ExprKind::Read(p) if p.root == *slot) {
                out.push(assign(*slot, value));
            }
        }
        if let Some(code) = choice.code {
            out.push(assign(code, variant(n, span)));
        }
    }
}

fn relative(start: Option<Expr>, bound: Option<Expr>, span: Span) -> Expr {
    match (start, bound) {
        (Some(start), Some(bound)) => usize_binop(BinOp::Add, start, bound),
        (Some(start), None) => start,
        (None, Some(bound)) => bound,
        (None, None) => zero(span),
    }
}

/// The number of one of the references that a variable may be.
pub(super) fn variant(n: usize, span: Span) -> Expr {
    let n = i128::try_from(n).unwrap_or(i128::MAX);
    Expr::integer(n, &Ty::U8, span)
}

fn zero(span: Span) -> Expr {
    Expr::usize_literal(0, span)
}

fn one(span: Span) -> Expr {
    Expr::usize_literal(1, span)
}
