//! Which elements a place means, seen over all iterations of the loop around it.
//!
//! Assumes that two roots never alias, which the borrow checker sees to, and that a variable without `mut` holds one
//! value. An index is followed through the integers that the body declares ([`affine`](crate::analysis::affine)); what
//! is said of the elements holds as long as no part of the index overflows, in the first iteration and in the last: an
//! index is linear in the counter, and so is every part of it, so that nothing in between can overflow then.

mod alike;
pub(crate) mod nest;

use proc_macro2::Span;

use crate::analysis::affine::{Definitions, Poly};
use crate::analysis::invariant::Varying;
use crate::ir::hash::HashSet;
use crate::ir::place_ty;
use crate::ir::{
    BOUNDS, BinOp, Block, Expr, ExprKind, Func, Opaque, OpaqueArg, OpaqueKind, Part, Place, Proj,
    Ty, VarId, VarSet, effects_of, is_constant, is_path, place_index_reads,
};

/// The elements that a place means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// A variable, or a field of it.
    Variable,
    /// The element `counter + k` of an array, or a part of that element, with the same `k` in each iteration. The index
    /// is the projection `at`.
    Along { at: usize, index: Poly },
    /// The element `k - counter`, or a part of it, with the same `k` in each iteration.
    Down { at: usize, index: Poly },
    /// The same element of an array in each iteration, or a part of it.
    Fixed { at: usize, index: Poly },
    /// Anything else, and why it is none of the above.
    Elsewhere(&'static str),
}

/// Its parts may overflow in an iteration that is neither the first nor the last.
const CANCELS: &str = "a counter cancels out in its index";

const DIVIDED: &str = "it is divided among workers";

/// A loop's body and its counter.
pub(crate) struct Iterations<'a> {
    func: &'a Func,
    counter: VarId,
    definitions: Definitions<'a>,
    /// What each iteration declares, with the counter.
    own: Varying,
    written: VarSet,
    /// Both.
    varying: Varying,
    /// What each iteration declares, and holds one value in all of them.
    settled: HashSet<VarId>,
    /// Arrays that are divided among workers: a worker's part is no slice.
    divided: &'a HashSet<VarId>,
}

impl<'a> Iterations<'a> {
    /// `declared`: what the loop declares for its body beside the counter; `divided`: the arrays around it of which
    /// each worker has a part.
    pub(crate) fn of(
        func: &'a Func,
        counter: VarId,
        declared: &[VarId],
        body: &'a Block,
        divided: &'a HashSet<VarId>,
    ) -> Iterations<'a> {
        let effects = effects_of(&body.stmts);
        let own = Varying::of([counter]).with(effects.declares);
        let own = own.with(declared.iter().copied());
        Iterations {
            func,
            counter,
            definitions: Definitions::of(func, body),
            varying: own.clone().with(effects.writes.iter()),
            own,
            written: effects.writes,
            settled: HashSet::default(),
            divided,
        }
    }

    /// Notes that a variable holds one value in all iterations that are looked at, though each declares it.
    pub(crate) fn settle(&mut self, var: VarId) {
        self.own.settle(var);
        self.varying.settle(var);
        self.settled.insert(var);
    }

    /// Whether a variable holds one value in all iterations that are looked at.
    pub(crate) fn is_same(&self, var: VarId) -> bool {
        !self.varying.contains(var)
    }

    /// Whether each iteration has a variable of its own of this name.
    pub(crate) fn owns(&self, var: VarId) -> bool {
        self.own.contains(var)
    }

    /// Whether the array is divided among workers.
    pub(crate) fn is_divided(&self, var: VarId) -> bool {
        self.divided.contains(&var)
    }

    /// An integer that is the same in all iterations, by what is known in front of the loop: numbers, constants,
    /// variables and lengths from outside, and their sums, differences and products.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing is known of others")]
    pub(crate) fn known_outside(&self, e: &Expr) -> Option<Expr> {
        match &e.kind {
            ExprKind::Lit(_) => Some(e.clone()),
            ExprKind::Opaque(o) if is_constant(o) => Some(e.clone()),
            ExprKind::Read(p) if p.is_var() => match self.held(p.root) {
                Some(held) => self.known_outside(held),
                None => (!self.varying.contains(p.root)).then(|| e.clone()),
            },
            ExprKind::Len(p) => (!self.owns(p.root) && p.is_path()).then(|| e.clone()),
            ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub | BinOp::Mul), a, b) => {
                let (a, b) = (self.known_outside(a)?, self.known_outside(b)?);
                let kind = ExprKind::Binary(*op, Box::new(a), Box::new(b));
                Some(Expr::new(kind, e.ty.clone(), e.span))
            }
            _ => None,
        }
    }

    pub(crate) fn reach(&self, place: &Place) -> Reach {
        if self.divided.contains(&place.root) {
            return Reach::Elsewhere(DIVIDED);
        }
        let mut found = Reach::Variable;
        let mut index_follows = false;
        for (at, proj) in place.proj.iter().enumerate() {
            match proj {
                Proj::Deref | Proj::Field(_) => {}
                Proj::Payload => return Reach::Elsewhere("it is inside of an `Option`"),
                Proj::Variant(_) => return Reach::Elsewhere("it is inside of an enum"),
                Proj::Unbox => return Reach::Elsewhere("it is inside of a `Box`"),
                Proj::Index(index) if index_follows && matches!(index.kind, ExprKind::Lit(_)) => {}
                // What was taken for the element is an array, or what comes next is a part of it: the same one in all
                // iterations.
                Proj::Range { .. } | Proj::Index(_)
                    if index_follows && !self.leads_to_one(place, at) =>
                {
                    return Reach::Elsewhere("it is an array in an array");
                }
                Proj::Range { .. } => {
                    if !self.leads_to_one(place, at + 1) {
                        return Reach::Elsewhere(
                            "it is a part of a slice, another one in each iteration",
                        );
                    }
                    (found, index_follows) = (Reach::Variable, false);
                }
                Proj::Index(index) => {
                    let array = Place {
                        proj: place.proj[..at].into(),
                        ..place.clone()
                    };
                    found = self.element(&array, index, at);
                    if matches!(found, Reach::Elsewhere(_)) {
                        return found;
                    }
                    index_follows = true;
                }
            }
        }
        if found == Reach::Variable || !self.owns(place.root) {
            return found;
        }
        Reach::Elsewhere("it is an array of the iteration's own")
    }

    /// Whether the first projections of a place lead to the same array in all iterations, by what is known in front of
    /// the loop.
    pub(crate) fn leads_to_one(&self, place: &Place, end: usize) -> bool {
        let fixed = |e: &Expr| self.definitions.poly(e).is_some() && self.varying.is_invariant(e);
        place.proj[..end].iter().enumerate().all(|(at, proj)| {
            let is_array = || {
                let array = Place {
                    proj: place.proj[..at].into(),
                    ..place.clone()
                };
                self.check_array(&array).is_ok()
            };
            match proj {
                Proj::Deref | Proj::Field(_) => true,
                Proj::Index(e) => fixed(e) && is_array(),
                Proj::Range {
                    lo, hi, inclusive, ..
                } => !inclusive && lo.iter().chain(hi).all(|e| fixed(e)) && is_array(),
                Proj::Payload | Proj::Variant(_) | Proj::Unbox => false,
            }
        })
    }

    /// What leads to an array that is the same in all iterations, as text: equal for equal arrays.
    pub(crate) fn array_key(&self, path: &[Proj]) -> String {
        let index = |e: &Expr| match self.definitions.poly(e) {
            Some(poly) => format!("{poly:?}"),
            None => "?".to_owned(),
        };
        let text = |proj: &Proj| match proj {
            Proj::Deref => String::new(),
            Proj::Field(field) => format!(".{field}"),
            Proj::Index(e) => format!("[{}]", index(e)),
            Proj::Range { lo, hi, .. } => {
                let [lo, hi] = [lo, hi].map(|e| e.as_deref().map(index).unwrap_or_default());
                format!("[{lo}..{hi}]")
            }
            Proj::Payload => "?".to_owned(),
            Proj::Unbox => "*".to_owned(),
            Proj::Variant(part) => format!("?{}.{}", part.name(), part.field),
        };
        path.iter().map(text).collect()
    }

    /// The part of an array, or the element, of which a check of bounds makes sure that it exists: all that matters is
    /// that it does in the first and in the last iteration.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing is known of others")]
    pub(crate) fn checked_part(&self, o: &Opaque) -> Option<Part> {
        let [(_, OpaqueArg::Ref(place))] = o.args.as_slice() else {
            return None;
        };
        if !matches!(o.kind, OpaqueKind::Other(BOUNDS)) || self.divided.contains(&place.root) {
            return None;
        }
        let (last, path) = place.proj.split_last()?;
        let linear = |e: &Expr| {
            let poly = self.linear(e, &[self.counter])?;
            let (slope, rest) = poly.linear_in(self.counter)?;
            let fixed = |p: &Poly| self.own.is_invariant_poly(p);
            (fixed(&slope) && fixed(&rest)).then_some(())
        };
        let of = Place {
            proj: path.into(),
            ..place.clone()
        };
        let legal = is_path(path)
            && !self.owns(place.root)
            && self.check_array(&of).is_ok()
            && match last {
                Proj::Index(e) => linear(e).is_some(),
                Proj::Range {
                    lo,
                    hi,
                    inclusive: false,
                } => lo.iter().chain(hi).all(|e| linear(e).is_some()),
                _ => false,
            };
        legal.then(|| Part {
            of,
            which: last.clone(),
        })
    }

    /// Whether projection `k` is a number that is sure to be an index of an array.
    pub(crate) fn is_in_array(&self, place: &Place, k: usize, index: &Expr) -> bool {
        let array = Place {
            proj: place.proj[..k].into(),
            ..place.clone()
        };
        let Ty::Array(_, Some(len)) = place_ty(self.func, &array).peel().clone() else {
            return false;
        };
        let len = len.number();
        index.int_literal().is_some_and(|index| Some(index) < len)
    }

    fn check_array(&self, array: &Place) -> Result<(), &'static str> {
        if let Ty::Array(..) | Ty::Slice(_) | Ty::Vec(_) = place_ty(self.func, array).peel() {
            Ok(())
        } else {
            Err("its type is not an array, slice or `Vec` that the text shows")
        }
    }

    fn element(&self, array: &Place, index: &Expr, at: usize) -> Reach {
        let ty = place_ty(self.func, array);
        if !matches!(ty.peel(), Ty::Array(..) | Ty::Slice(_) | Ty::Vec(_)) {
            return Reach::Elsewhere(
                "its type is not an array, slice or `Vec` that the text shows",
            );
        }
        const NOT_LINEAR: &str = "its index is not the counter plus something fixed";
        let Some(poly) = self.linear(index, &[self.counter]) else {
            return Reach::Elsewhere(NOT_LINEAR);
        };
        let Some((slope, rest)) = poly.linear_in(self.counter) else {
            return Reach::Elsewhere(NOT_LINEAR);
        };
        if !self.own.is_invariant_poly(&rest) {
            return Reach::Elsewhere("its index depends on what an iteration reads or computes");
        }
        match slope.constant() {
            Some(0) if self.mentions(index, self.counter) => Reach::Elsewhere(CANCELS),
            Some(0) => Reach::Fixed { at, index: poly },
            Some(1) => Reach::Along { at, index: poly },
            Some(-1) => Reach::Down { at, index: poly },
            _ => Reach::Elsewhere("its index does not go up or down by one with the counter"),
        }
    }

    /// By how much an index goes up with the counter, if that is a number in the text and every part of the index is
    /// linear.
    pub(crate) fn step(&self, index: &Expr) -> Option<i128> {
        let (slope, rest) = self
            .linear(index, &[self.counter])?
            .linear_in(self.counter)?;
        slope
            .constant()
            .filter(|_| self.own.is_invariant_poly(&rest))
    }

    /// The polynomial of an index whose every part is linear in each of the counters, without products of two of them,
    /// and which consists of nothing but sums, differences and products of integers.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing is known of others")]
    fn linear(&self, e: &Expr, counters: &[VarId]) -> Option<Poly> {
        let poly = self.definitions.poly(e)?;
        for counter in counters {
            let (slope, _) = poly.linear_in(*counter)?;
            if slope.vars().any(|v| counters.contains(&v)) {
                return None;
            }
        }
        match &e.kind {
            ExprKind::Lit(_) => {}
            ExprKind::Read(p) => {
                let var = p.root;
                match self.held(var) {
                    Some(_) if self.settled.contains(&var) => {}
                    Some(held) => {
                        self.linear(held, counters)?;
                    }
                    None if self.written.contains(&var) => return None,
                    None => {}
                }
            }
            ExprKind::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul, a, b) => {
                self.linear(a, counters)?;
                self.linear(b, counters)?;
            }
            ExprKind::Opaque(o) if is_constant(o) => {}
            _ => return None,
        }
        Some(poly)
    }

    /// Whether a counter is in the text of an index.
    fn mentions(&self, e: &Expr, counter: VarId) -> bool {
        if let ExprKind::Read(p) = &e.kind {
            let held = self.held(p.root);
            p.root == counter || held.is_some_and(|held| self.mentions(held, counter))
        } else {
            e.children()
                .into_iter()
                .any(|child| self.mentions(child, counter))
        }
    }

    /// What an integer comes to, by what the body declares.
    pub(crate) fn poly(&self, e: &Expr) -> Option<Poly> {
        self.definitions.poly(e)
    }

    /// Such a polynomial as an expression over `usize`, if it has no negative part.
    pub(crate) fn expression(&self, poly: &Poly, span: Span) -> Option<Expr> {
        self.definitions.expression(poly, span)
    }

    /// What an integer that the body declares holds.
    pub(crate) fn held(&self, var: VarId) -> Option<&'a Expr> {
        self.definitions.held(var)
    }

    /// The integers of the body that an index uses, those that others use first.
    pub(crate) fn collect_ints(&self, index: &Expr, ints: &mut Vec<(VarId, Expr)>) {
        if let ExprKind::Read(p) = &index.kind {
            let Some(held) = self.held(p.root) else {
                return;
            };
            if ints.iter().all(|(v, _)| *v != p.root) {
                self.collect_ints(held, ints);
                ints.push((p.root, held.clone()));
            }
        } else {
            let children = index.children();
            (children.into_iter()).for_each(|child| self.collect_ints(child, ints));
        }
    }

    /// Whether the indices of a place can be computed in front of the loop as they stand.
    pub(crate) fn stands_outside(&self, place: &Place) -> bool {
        let mut outside = !self.owns(place.root);
        place_index_reads(place, &mut |p| outside &= !self.owns(p.root));
        outside
    }
}
