//! Index expressions as polynomials.
//!
//! An index is followed through the immutable variables that hold its parts, and written as a polynomial with integer
//! coefficients in the variables that are left, which are immutable too.
//!
//! A polynomial stands for machine arithmetic: sums, differences and products of words, which wrap around where
//! overflow is not checked. Nothing else has one: no cast, no other type of integer, no method that saturates, checks
//! or wraps by itself. So polynomials say what holds modulo the size of a word, whatever the variables hold:
//!
//! - equal polynomials are equal words, and
//! - polynomials that differ by a number are words that differ by it.
//!
//! Nothing else follows from a form alone. That one word is less than another, or never equals another, are facts about
//! integers: they hold as long as nothing wraps around. [`disjoint`](super::dependence::disjoint) proves that before it
//! says so.

mod poly;

use std::cell::RefCell;

use proc_macro2::Span;
use quote::ToTokens;

use super::dependence::instances::Comparisons;

use crate::ir::hash::HashMap;
use crate::ir::is_constant;
use crate::ir::{
    Block, Expr, ExprKind, Func, IntTy, Opaque, OpaqueArg, Place, Proj, RangeIter, Ty, VarId,
};

pub(crate) use poly::Poly;

/// The immutable variables that a block declares, with what they hold, and the loops over ranges in it.
pub(crate) struct Definitions<'a> {
    func: &'a Func,
    held: HashMap<VarId, &'a Expr>,
    /// Loops that run to their end, by their counters.
    loops: HashMap<VarId, Nested<'a>>,
    /// The polynomials of variables that were asked for.
    known: RefCell<HashMap<VarId, Option<Poly>>>,
    /// The named constants in them.
    constants: RefCell<HashMap<String, Expr>>,
    /// What is known of elements that its polynomials lead to.
    pub(super) comparisons: RefCell<Comparisons>,
}

/// A loop that runs to its end, and what is around it in the block.
pub(super) struct Nested<'a> {
    pub(super) range: &'a RangeIter,
    /// From the outside in.
    pub(super) around: Vec<Around>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Around {
    /// A loop that runs to its end.
    Loop(VarId),
    /// Anything else: what is inside may run, or may not.
    Other,
}

impl<'a> Definitions<'a> {
    pub(crate) fn of(func: &'a Func, block: &'a Block) -> Self {
        let mut definitions = Self {
            func,
            held: HashMap::default(),
            loops: HashMap::default(),
            known: RefCell::default(),
            constants: RefCell::default(),
            comparisons: RefCell::default(),
        };
        definitions.collect(block, &mut Vec::new());
        definitions
    }

    fn collect(&mut self, block: &'a Block, around: &mut Vec<Around>) {
        for stmt in &block.stmts {
            self.held.extend(stmt.definition(self.func));
            let inside = match stmt.counting() {
                Some(counting) => {
                    self.note(counting.counter, counting.range, around);
                    Around::Loop(counting.counter)
                }
                None => Around::Other,
            };
            around.push(inside);
            for inner in stmt.kind.blocks() {
                self.collect(inner, around);
            }
            around.pop();
        }
    }

    /// Both sweeps of a loop have one counter. Where they stand in different places, nothing is known of the place.
    fn note(&mut self, counter: VarId, range: &'a RangeIter, around: &[Around]) {
        let nested = self.loops.entry(counter).or_insert_with(|| Nested {
            range,
            around: around.to_vec(),
        });
        if nested.around != around {
            nested.around = vec![Around::Other];
        }
    }

    /// The loop over a counter of `usize`.
    pub(super) fn loop_over(&self, counter: VarId) -> Option<&Nested<'a>> {
        let is_word = is_word(&self.func.var(counter).ty);
        self.loops.get(&counter).filter(|_| is_word)
    }

    /// Whether a variable holds words.
    pub(super) fn is_word_variable(&self, var: VarId) -> bool {
        is_word(&self.func.var(var).ty)
    }

    /// Polynomials that a counter of `usize` stays below: equal words are meant.
    pub(crate) fn ends(&self, counter: VarId) -> Vec<Poly> {
        let loop_over = self.loop_over(counter);
        let exclusive = loop_over.filter(|l| !l.range.inclusive);
        exclusive.map_or_else(Vec::new, |l| self.ends_of(l.range))
    }

    /// Polynomials that the upper end of a range does not exceed: equal words are meant.
    pub(super) fn ends_of(&self, range: &RangeIter) -> Vec<Poly> {
        let end = self.through(&range.hi);
        let parts = match method(end, "min") {
            Some((a, b)) => vec![a, b],
            None => vec![range.hi.clone()],
        };
        parts.iter().filter_map(|e| self.poly(e)).collect()
    }

    /// What an immutable variable of the block holds.
    pub(crate) fn held(&self, var: VarId) -> Option<&'a Expr> {
        self.held.get(&var).copied()
    }

    /// What an expression holds: that of an immutable variable of the block, or itself.
    pub(super) fn through<'e>(&'e self, e: &'e Expr) -> &'e Expr {
        if let ExprKind::Read(p) = &e.kind
            && p.is_var()
        {
            self.held(p.root).unwrap_or(e)
        } else {
            e
        }
    }

    /// The polynomial of an expression over `usize`; `None` if it is none.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing is known of others")]
    pub(crate) fn poly(&self, e: &Expr) -> Option<Poly> {
        Poly::of(e, &|e| match &e.kind {
            ExprKind::Read(p) if p.is_var() => self.variable(p.root),
            ExprKind::Opaque(o) if is_constant(o) => {
                let name = o.code.to_token_stream().to_string();
                let mut constants = self.constants.borrow_mut();
                constants.entry(name.clone()).or_insert_with(|| e.clone());
                Some(Poly::named(name))
            }
            ExprKind::Len(p) => self.length(p),
            _ => None,
        })
    }

    /// The same, where `known` says what some of its parts are.
    pub(crate) fn poly_where(
        &self,
        e: &Expr,
        known: &dyn Fn(&Expr) -> Option<Poly>,
    ) -> Option<Poly> {
        Poly::of(e, &|e| known(e).or_else(|| self.poly(e)))
    }

    /// A polynomial of this block as an expression over `usize`, if it has no negative part.
    pub(crate) fn expression(&self, poly: &Poly, span: Span) -> Option<Expr> {
        let constants = self.constants.borrow();
        poly.expression_with(span, &|name| constants.get(name).cloned())
    }

    fn variable(&self, var: VarId) -> Option<Poly> {
        if let Some(known) = self.known.borrow().get(&var) {
            return known.clone();
        }
        let poly = self.followed(var);
        self.known.borrow_mut().insert(var, poly.clone());
        poly
    }

    fn followed(&self, var: VarId) -> Option<Poly> {
        let info = self.func.var(var);
        let held = self.held.get(&var).and_then(|held| self.poly(held));
        // Without what it holds, a mutable one may hold something else by the time of another use.
        held.or_else(|| {
            let fixed = self.held.contains_key(&var) || !info.mutable;
            (fixed && is_word(&info.ty)).then(|| Poly::term(vec![var], 1))
        })
    }

    /// The length of a part of an array, which is the difference of its ends if the part exists.
    fn length(&self, part: &Place) -> Option<Poly> {
        let Some(Proj::Range {
            lo,
            hi: Some(hi),
            inclusive: false,
        }) = part.proj.last()
        else {
            return None;
        };
        let hi = self.poly(hi)?;
        match lo {
            Some(lo) => Some(hi.minus(&self.poly(lo)?)),
            None => Some(hi),
        }
    }

    /// A polynomial that the length of the part `lo..hi` of an array does not exceed, as words, if the part exists:
    /// `hi` is this far from `lo`, or less far where it is the smaller of two or has reached the largest word.
    pub(crate) fn longest(&self, lo: &Expr, hi: &Expr) -> Option<Poly> {
        let start = self.poly(lo)?;
        let mut end = self.through(hi).clone();
        if let Some((smaller, _)) = method(&end, "min") {
            end = self.through(&smaller).clone();
        }
        match method(&end, "saturating_add") {
            Some((from, size)) => (self.poly(&from)? == start).then(|| self.poly(&size))?,
            None => Some(self.poly(&end)?.minus(&start)),
        }
    }
}

/// Whether a value of the type is a word: a `usize`, or a number without a suffix that stands beside one.
fn is_word(ty: &Ty) -> bool {
    matches!(ty, Ty::Int(None | Some(IntTy::Usize)))
}

/// The operands, if the expression is this method of words.
pub(crate) fn method(e: &Expr, name: &str) -> Option<(Expr, Expr)> {
    let ExprKind::Opaque(o) = &e.kind else {
        return None;
    };
    let syn::Expr::MethodCall(call) = &o.code else {
        return None;
    };
    if call.method != name || call.args.len() != 1 || !is_word(&e.ty) {
        return None;
    }
    Some((operand(o, &call.receiver)?, operand(o, &call.args[0])?))
}

/// A number or a placeholder for a word, in the text of opaque code. A cast keeps a number alone.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "of other expressions nothing is known"
)]
fn operand(o: &Opaque, code: &syn::Expr) -> Option<Expr> {
    let usize = || Ty::USIZE;
    match code {
        syn::Expr::Paren(inner) => operand(o, &inner.expr),
        syn::Expr::Cast(cast)
            if matches!(&*cast.expr, syn::Expr::Lit(_))
                && matches!(&*cast.ty, syn::Type::Path(to) if to.path.is_ident("usize")) =>
        {
            operand(o, &cast.expr)
        }
        syn::Expr::Lit(syn::ExprLit {
            lit: lit @ syn::Lit::Int(int),
            ..
        }) if matches!(int.suffix(), "" | "usize") => {
            let kind = ExprKind::Lit(lit.into());
            Some(Expr::new(kind, usize(), lit.span()))
        }
        syn::Expr::Path(path) => {
            let name = path.path.get_ident()?;
            let (_, arg) = o.args.iter().find(|(placeholder, _)| placeholder == name)?;
            match arg {
                OpaqueArg::Value(e) => is_word(&e.ty).then(|| e.clone()),
                OpaqueArg::Place(p) if p.is_var() => Some(Expr::read_var(p.root, usize(), p.span)),
                OpaqueArg::Place(_) | OpaqueArg::Ref(_) | OpaqueArg::RefMut(_) => None,
            }
        }
        _ => None,
    }
}
