//! What a `#[parallel]` loop touches, and whether its iterations can be divided among workers.
//!
//! Assumes a structured loop over `usize` (`lower::exits` has run) and that two roots never alias, which the borrow
//! checker sees to. Legal if every variable from outside the loop is one of these:
//!
//! - *read* only;
//! - a *part*: iteration `i` touches nothing of the array but `a[c*i + k]` with `k < c`, or `a[c*i..c*(i+1)]`, `c`
//!   being fixed: then the workers' parts are disjoint slices;
//! - a *sum*: a float that is only added to, and not read.
//!
//! An array that is only read can be a part as well: its adjoint is then divided instead of being copied for each
//! worker.

use std::collections::BTreeMap;

use proc_macro2::Span;

use super::Finding;
use super::affine::{Definitions, Poly};
use super::invariant::Varying;
use crate::ir::hash::HashMap;
use crate::ir::{
    Block, Domain, Expr, Func, Loop, LoopId, Opaque, OpaqueKind, Place, Proj, Shares, Stmt,
    StmtKind, Touch, Ty, VarId, VarKind, effects_of, leaf_stmts, shallow_touches, sweep_stmts,
};

/// How the marked loops divide their work, and what keeps those that cannot.
pub(crate) fn shares(func: &Func) -> (HashMap<LoopId, Shares>, Vec<Finding>) {
    let mut finder = Finder {
        func,
        shares: HashMap::default(),
        found: Vec::new(),
    };
    if !func.parallel.is_empty() {
        finder.block(&func.body, None);
    }
    (finder.shares, finder.found)
}

struct Finder<'a> {
    func: &'a Func,
    shares: HashMap<LoopId, Shares>,
    found: Vec<Finding>,
}

impl Finder<'_> {
    /// `around`: what a parallel loop must not be inside of.
    fn block(&mut self, block: &Block, around: Option<&'static str>) {
        for stmt in &block.stmts {
            let mut inside = around;
            match &stmt.kind {
                StmtKind::Checkpoint(_) => {
                    inside = Some("it is inside of a `#[checkpoint]` region, which runs twice");
                }
                StmtKind::Loop(Loop { id, .. }) if self.func.parallel.contains(id) => {
                    let divided = match around {
                        Some(reason) => Err(Finding::ParallelLoop(reason, stmt.span)),
                        None => divide(self.func, stmt),
                    };
                    match divided {
                        Ok(shares) => {
                            self.shares.insert(*id, shares);
                        }
                        Err(finding) => self.found.push(finding),
                    }
                    inside = Some("it is inside of another parallel loop");
                }
                StmtKind::Loop(_) | StmtKind::Switch { .. } | StmtKind::Labelled(..) => {}
                // Nothing is inside of these.
                leaf_stmts!()
                | StmtKind::Jump(_)
                // Of sweeps.
                | sweep_stmts!() => {}
            }
            for inner in stmt.kind.blocks() {
                self.block(inner, inside);
            }
        }
    }
}

fn divide(func: &Func, stmt: &Stmt) -> Result<Shares, Finding> {
    let refuse = |reason| Err(Finding::ParallelLoop(reason, stmt.span));
    let StmtKind::Loop(Loop {
        domain: Domain::Range { var, range },
        body,
        exit,
        ..
    }) = &stmt.kind
    else {
        return refuse("it is no `for` loop");
    };
    if exit.is_some() {
        return refuse("it can be left early");
    }
    if range.inclusive {
        return refuse("its range is inclusive (`0..n + 1` is not)");
    }
    if !range.counts_up_by_one() {
        return refuse("it does not count from a lower to an upper bound by one");
    }
    let usize = Ty::USIZE;
    if func.var(*var).ty != usize && range.lo.ty != usize && range.hi.ty != usize {
        return refuse("its counter is not known to be a `usize` (`0..3usize` is)");
    }
    let mut touched = Touched {
        func,
        counter: *var,
        own: Varying::of([*var]).with(effects_of(&body.stmts).declares),
        definitions: Definitions::of(func, body),
        outer: BTreeMap::new(),
    };
    touched.block(body)?;
    touched.shares()
}

/// How a variable from outside is touched.
#[derive(Default)]
struct Contact {
    /// Where it is written otherwise than by adding to it.
    written: Option<Span>,
    /// Where it is added to as a whole.
    added: Option<Span>,
    /// Where it is read.
    read: Option<Span>,
    /// Where its length alone is read.
    measured: Option<Span>,
    /// Elements per iteration, if all contacts agree on them.
    stride: Option<Expr>,
    /// A contact that is not the iteration's own part.
    astray: Option<Span>,
}

struct Touched<'a> {
    func: &'a Func,
    counter: VarId,
    /// What each iteration has for itself.
    own: Varying,
    definitions: Definitions<'a>,
    outer: BTreeMap<VarId, Contact>,
}

impl Touched<'_> {
    fn block(&mut self, block: &Block) -> Result<(), Finding> {
        for stmt in &block.stmts {
            self.stmt(stmt)?;
            for inner in stmt.kind.blocks() {
                self.block(inner)?;
            }
        }
        Ok(())
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<(), Finding> {
        if matches!(&stmt.kind, StmtKind::Opaque(o) if prints(o)) {
            let reason = "it prints, and the order would be lost";
            return Err(Finding::ParallelLoop(reason, stmt.span));
        }
        if matches!(stmt.kind, StmtKind::Checkpoint(_)) {
            let reason = "a `#[checkpoint]` region is inside of it";
            return Err(Finding::ParallelLoop(reason, stmt.span));
        }
        shallow_touches(stmt, &mut |place, touch| self.touch(place, touch));
        Ok(())
    }

    fn touch(&mut self, place: &Place, touch: Touch) {
        let stride = self.stride(place);
        let Some(contact) = contact(&mut self.outer, &self.own, place.root) else {
            return;
        };
        let whole = matches!(place.proj.as_slice(), [] | [Proj::Deref]);
        let sum = place.is_var() && self.func.var(place.root).ty.is_float();
        match touch {
            Touch::Declare => return,
            Touch::Length if whole => {
                contact.measured.get_or_insert(place.span);
                return;
            }
            Touch::Read | Touch::Length => contact.read.get_or_insert(place.span),
            Touch::Add if sum => contact.added.get_or_insert(place.span),
            Touch::Add | Touch::AddInCall | Touch::Update | Touch::Write => {
                contact.written.get_or_insert(place.span)
            }
        };
        match (stride, &contact.stride) {
            (Some(size), None) => contact.stride = Some(size),
            (Some(size), Some(known))
                if self.definitions.poly(&size) == self.definitions.poly(known) => {}
            (Some(_), Some(_)) | (None, _) => {
                contact.astray.get_or_insert(place.span);
            }
        }
    }

    /// How many elements of the root belong to an iteration, if the place is among those of its own.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is not named is refused"
    )]
    fn stride(&self, place: &Place) -> Option<Expr> {
        let first = match place.proj.as_slice() {
            [Proj::Deref, first, ..] | [first, ..] => first,
            [] => return None,
        };
        let whole = |e: &Expr| self.definitions.poly(e)?.linear_in(self.counter);
        match first {
            Proj::Index(index) => {
                let (slope, rest) = whole(index)?;
                let (size, k) = (slope.constant()?, rest.constant()?);
                if size < 1 || k < 0 || k >= size {
                    return None;
                }
                slope.expression(place.span)
            }
            Proj::Range {
                lo: Some(lo),
                hi: Some(hi),
                inclusive: false,
            } => {
                let (slope, rest) = whole(lo)?;
                let size = self.definitions.longest(lo, hi)?;
                if rest != Poly::default() || size != slope || !self.own.is_invariant_poly(&size) {
                    return None;
                }
                size.expression(place.span)
            }
            _ => None,
        }
    }

    fn shares(self) -> Result<Shares, Finding> {
        let mut shares = Shares::default();
        for (root, contact) in &self.outer {
            let name = &self.func.var(*root).name;
            let sequence = matches!(
                self.func.var(*root).ty.peel(),
                Ty::Slice(_) | Ty::Vec(_) | Ty::Array(..)
            );
            let part = contact
                .stride
                .clone()
                .filter(|_| contact.astray.is_none() && sequence);
            match (contact.written, contact.added, part) {
                (None, None, None) => {}
                (None, Some(span), _) => match contact.read {
                    Some(_) => {
                        return Err(Finding::ParallelData(
                            format!("`{name}` is added to and read in the same loop"),
                            span,
                        ));
                    }
                    None => shares.sums.push(*root),
                },
                (Some(_), _, Some(_)) if contact.measured.is_some() => {
                    return Err(Finding::ParallelData(
                        format!("the length of `{name}` is taken where a worker has a part of it"),
                        contact.measured.unwrap_or(name.span()),
                    ));
                }
                (_, _, Some(size)) => shares.parts.push((*root, size)),
                (Some(span), _, None) => return Err(self.written(*root, contact, span)),
            }
        }
        Ok(shares)
    }

    /// Why a variable may not be written as it is.
    #[expect(clippy::wildcard_enum_match_arm, reason = "a message for each type")]
    fn written(&self, root: VarId, contact: &Contact, span: Span) -> Finding {
        let info = self.func.var(root);
        let name = &info.name;
        let reason = match &info.ty {
            _ if info.kind == VarKind::Temp && info.ty == Ty::U32 => {
                return Finding::ParallelLoop(
                    "a jump in it leaves more than one loop or block",
                    span,
                );
            }
            _ if info.kind == VarKind::Temp => "only sums of floats are divided".to_owned(),
            Ty::Ref(_, t) if t.is_scalar() => format!(
                "`{name}` is a reference (add to a variable of this function, and store it afterwards)"
            ),
            ty if ty.is_float() => format!("`{name}` is written otherwise than by `+=` or `-=`"),
            ty if ty.is_scalar() => {
                format!("`{name}` is written, and is no float: only floats can be sums")
            }
            _ => {
                let span = contact.astray.unwrap_or(span);
                let reason = format!(
                    "`{name}` is written in the loop, and touched where the element is not known to be the iteration's \
                     own"
                );
                return Finding::ParallelData(reason, span);
            }
        };
        Finding::ParallelData(reason, span)
    }
}

/// What is known of a variable from outside; `None` for one of the loop's own.
fn contact<'a>(
    outer: &'a mut BTreeMap<VarId, Contact>,
    own: &Varying,
    root: VarId,
) -> Option<&'a mut Contact> {
    (!own.contains(root)).then(|| outer.entry(root).or_default())
}

fn prints(o: &Opaque) -> bool {
    matches!(&o.kind, OpaqueKind::Macro(name) if name.trim_end_matches('!').contains("print"))
}
