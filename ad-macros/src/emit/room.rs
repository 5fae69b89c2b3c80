//! Whether the indices of a loop on slices can overflow: one look at the numbers that they are made of, for all of
//! them.
//!
//! Indices are sums, differences and products of numbers that the loop does not change, and of its counter. With all
//! factors of products below one bound and all other numbers below another (`room` in the runtime), sums and products
//! stay below the largest number, and a difference does if it is none below zero, which is looked at for each one. If
//! some number is larger, each index is computed once with a look at each sum, out of the way. Being wrong here would
//! lose a panic, never an access to an array.

use std::collections::{HashMap, HashSet};

use proc_macro2::TokenStream;
use quote::quote;

use crate::ir::{BinOp, Expr, ExprKind, Sliced, VarId, literal};

use super::Emitter;
use super::slices::{End, Number, label};

/// Loops that ask for fewer slices look at each sum.
const MANY: usize = 8;

/// Numbers in the text up to this one count as so many summands.
const SMALL: u64 = 16;

/// Sums of more than `2^BITS` numbers, and products of more than `FACTORS`, are not looked at this way.
const BITS: u32 = 10;
const FACTORS: u32 = 6;

impl Emitter<'_> {
    /// The integers that indices use, if there is room for all indices; or the end of the block. Nothing for a loop
    /// with few slices.
    pub(super) fn room(&self, sliced: &Sliced) -> Option<TokenStream> {
        let slices = sliced.views.len()
            + sliced.edits.iter().map(Vec::len).sum::<usize>()
            + sliced.sums.iter().filter(|sum| sum.along.is_some()).count();
        if slices < MANY {
            return None;
        }
        let indices = indices(sliced);
        let mut leaves = Leaves::new(self, sliced);
        indices.iter().for_each(|e| leaves.find(e, false));
        let mut bounds = Bounds::new(&leaves);
        for e in &indices {
            bounds.of(e)?;
        }
        let (degree, bits) = (bounds.degree.max(1), bits(bounds.most)?);
        let (rt, label) = (self.rt(), label());
        let below = |list: &[(String, TokenStream, bool)], factor: bool, degree: u32| {
            let all: Vec<&TokenStream> = list
                .iter()
                .filter(|leaf| leaf.2 == factor)
                .map(|leaf| &leaf.1)
                .collect();
            let [degree, bits] = [degree, bits].map(literal::count32);
            (!all.is_empty()).then(|| quote!((#(#all)|*) < const { #rt::room(#degree, #bits) }))
        };
        let conditions = [
            below(&leaves.list, true, degree),
            below(&leaves.list, false, 1),
        ];
        let conditions = conditions.into_iter().flatten();
        let differences = self.differences(sliced, &indices);
        let (known, exact) = (
            self.ints(sliced, Number::Known),
            self.exact(sliced, &indices),
        );
        Some(quote! {
            #known
            if !(true #(&& #conditions)* #(&& #differences)*) && !#rt::seldom(|| { #exact }) {
                break #label false;
            }
        })
    }

    /// That no difference is below zero, in the first iteration and in the last.
    fn differences(&self, sliced: &Sliced, indices: &[&Expr]) -> Vec<TokenStream> {
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        let held = sliced.ints.iter().map(|(_, held)| held);
        for e in held.chain(indices.iter().copied()) {
            each_difference(e, &mut |a, b| {
                for end in End::BOTH {
                    let [a, b] = [a, b].map(|e| self.ix(e, sliced, (end, Number::Known)));
                    let condition = quote!(#a.number() >= #b.number());
                    if seen.insert(condition.to_string()) {
                        found.push(condition);
                    }
                }
            });
        }
        found
    }

    /// Whether nothing overflows, by a look at each sum.
    fn exact(&self, sliced: &Sliced, indices: &[&Expr]) -> TokenStream {
        let ints = self.ints(sliced, Number::Checked);
        let each = indices.iter().flat_map(|e| {
            End::BOTH.map(|end| {
                let index = self.ix(e, sliced, (end, Number::Checked));
                quote!(#index.get().is_some())
            })
        });
        quote!(#ints true #(&& #each)*)
    }
}

/// All indices of a loop.
fn indices(sliced: &Sliced) -> Vec<&Expr> {
    let loads = sliced.loads.iter().map(|(_, view)| &view.index);
    let views = sliced.views.iter().map(|(_, view)| &view.index);
    let edits = sliced.edits.iter().flatten().map(|(_, view)| &view.index);
    let sums = sliced.sums.iter().filter_map(|sum| sum.along.as_ref());
    let parts = sliced.parts.iter().flat_map(|part| part.bounds());
    let held = sliced.ints.iter().map(|(_, held)| held);
    held.chain(parts)
        .chain(loads)
        .chain(views)
        .chain(edits)
        .chain(sums.map(|view| &view.index))
        .collect()
}

fn each_difference<'e>(e: &'e Expr, f: &mut dyn FnMut(&'e Expr, &'e Expr)) {
    if let ExprKind::Binary(op, a, b) = &e.kind {
        each_difference(a, f);
        each_difference(b, f);
        if *op == BinOp::Sub {
            f(a, b);
        }
    }
}

/// A small number in the text.
fn small(e: &Expr) -> Option<u64> {
    e.int_literal().filter(|number| *number <= SMALL)
}

/// The numbers that indices are made of.
struct Leaves<'a> {
    emitter: &'a Emitter<'a>,
    sliced: &'a Sliced,
    held: HashMap<VarId, &'a Expr>,
    /// The integers whose numbers were looked at, and whether as factors.
    done: HashSet<(VarId, bool)>,
    /// The text, the code, and whether it is a factor of a product.
    list: Vec<(String, TokenStream, bool)>,
}

impl<'a> Leaves<'a> {
    fn new(emitter: &'a Emitter<'a>, sliced: &'a Sliced) -> Self {
        Self {
            emitter,
            sliced,
            held: sliced.ints.iter().map(|(var, held)| (*var, held)).collect(),
            done: HashSet::new(),
            list: Vec::new(),
        }
    }

    /// What an integer of the loop holds.
    fn held(&self, e: &Expr) -> Option<(VarId, &'a Expr)> {
        let ExprKind::Read(p) = &e.kind else {
            return None;
        };
        self.held.get(&p.root).map(|held| (p.root, *held))
    }

    fn find(&mut self, e: &Expr, factor: bool) {
        if small(e).is_some() {
            return;
        }
        if let Some((var, held)) = self.held(e) {
            if self.done.insert((var, factor)) {
                self.find(held, factor);
            }
            return;
        }
        if let ExprKind::Binary(op, a, b) = &e.kind {
            let product = !matches!(op, BinOp::Add | BinOp::Sub);
            let factor = factor || product && small(a).is_none() && small(b).is_none();
            self.find(a, factor);
            self.find(b, factor);
            return;
        }
        let (text, code) = self.code(e);
        match self.list.iter_mut().find(|leaf| leaf.0 == text) {
            Some(leaf) => leaf.2 |= factor,
            None => self.list.push((text, code, factor)),
        }
    }

    fn is_factor(&self, e: &Expr) -> bool {
        let (text, _) = self.code(e);
        self.list.iter().any(|leaf| leaf.0 == text && leaf.2)
    }

    /// The number itself; of the counter, the largest one.
    fn code(&self, e: &Expr) -> (String, TokenStream) {
        let code = match &e.kind {
            ExprKind::Read(p) if p.root == self.sliced.counter => {
                let name = self.emitter.name(self.sliced.counter);
                let last = self.emitter.end_of(name, End::Last);
                quote!(#last.number())
            }
            _ => {
                let value = self.emitter.leaf(e);
                quote!((#value))
            }
        };
        (code.to_string(), code)
    }
}

/// A bound of an index: so many products of so many factors at most, and so many other numbers.
#[derive(Clone, Copy)]
struct Bound {
    degree: u32,
    products: u64,
    others: u64,
}

struct Bounds<'a> {
    leaves: &'a Leaves<'a>,
    known: HashMap<VarId, Bound>,
    /// The most of each.
    degree: u32,
    most: u64,
}

impl<'a> Bounds<'a> {
    fn new(leaves: &'a Leaves<'a>) -> Self {
        Self {
            leaves,
            known: HashMap::new(),
            degree: 0,
            most: 0,
        }
    }

    /// The bound of an index, which holds where no difference is below zero; none if it is too large.
    fn of(&mut self, e: &Expr) -> Option<Bound> {
        let bound = self.find(e)?;
        self.degree = self.degree.max(bound.degree);
        self.most = self.most.max(bound.products).max(bound.others);
        (self.degree <= FACTORS && bits(self.most).is_some()).then_some(bound)
    }

    fn find(&mut self, e: &Expr) -> Option<Bound> {
        if let Some(number) = small(e) {
            return Some(Bound {
                degree: 0,
                products: number,
                others: 0,
            });
        }
        if let Some((var, held)) = self.leaves.held(e) {
            if let Some(bound) = self.known.get(&var) {
                return Some(*bound);
            }
            let bound = self.of(held)?;
            self.known.insert(var, bound);
            return Some(bound);
        }
        let ExprKind::Binary(op, a, b) = &e.kind else {
            let factor = self.leaves.is_factor(e);
            return Some(Bound {
                degree: factor.into(),
                products: factor.into(),
                others: (!factor).into(),
            });
        };
        let (x, y) = (self.of(a)?, self.of(b)?);
        Some(match op {
            BinOp::Add => Bound {
                degree: x.degree.max(y.degree),
                products: x.products + y.products,
                others: x.others + y.others,
            },
            BinOp::Sub => x,
            // Of two that are no small numbers, all leaves are factors.
            _ => Bound {
                degree: x.degree + y.degree,
                products: x.products * y.products,
                others: x.others * y.products + y.others * x.products,
            },
        })
    }
}

/// How many bits so many summands need, unless it is many.
fn bits(most: u64) -> Option<u32> {
    let bits = most.max(1).next_power_of_two().trailing_zeros();
    (bits <= BITS).then_some(bits)
}
