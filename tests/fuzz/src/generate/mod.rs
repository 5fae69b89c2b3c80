//! The random-program generator.
//!
//! Programs are well typed and pass the borrow checker by construction, keep their values bounded, and
//! terminate: every loop has a small trip count, every recursion a decreasing counter.

mod arrays;
mod calls;
mod chain_ends;
mod chain_items;
mod chains;
mod closures;
mod containers;
mod control;
mod counters;
mod descending;
mod expr;
mod fallible;
mod function;
mod grid_forms;
mod grids;
mod index_loops;
mod index_math;
mod kernels;
mod list_rows;
mod lists;
mod math;
mod neighbours;
mod nested;
mod own;
mod own_elements;
mod own_enums;
mod own_methods;
mod own_statements;
mod own_values;
mod parts;
mod places;
mod plain;
mod rules;
mod scope;
mod searches;
mod second_writes;
mod signature;
mod small;
mod small_forms;
mod small_statements;
mod small_views;
mod stmt;
mod takers;
mod turns;
mod values;
mod view_lengths;
mod views;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

pub(crate) use function::{Program, array_program, program, program_with};
#[cfg(test)]
pub(crate) use grids::in_place;
#[cfg(test)]
pub(crate) use index_math::{FORMS, Numbers};
pub(crate) use own::{Body, Own, Variant};
pub(crate) use scope::Ty;
pub(crate) use signature::{Param, entries};

use crate::rng::Rng;
use crate::text::Item;
use scope::Scope;

/// An expression's text; `typed` unless rustc could take it for an `{float}` of unknown width.
#[derive(Clone)]
pub(crate) struct Value {
    text: String,
    typed: bool,
}

impl Value {
    fn typed(text: impl Into<String>) -> Value {
        Value {
            text: text.into(),
            typed: true,
        }
    }
}

/// A loop or labelled block around the current place.
#[derive(Clone)]
struct Target {
    label: Option<String>,
    /// Whether `break` and `continue` are for it, or only `break 'label value`.
    is_loop: bool,
    /// What `break` must carry.
    value: Option<Ty>,
}

/// A function that may be called.
#[derive(Clone)]
struct Callee {
    path: String,
    params: Vec<Ty>,
    ret: Ty,
    /// Its `usize` parameter bounds its recursion.
    recursive: bool,
    /// Not too long to be called from a loop.
    cheap: bool,
    /// Its first parameter may be a receiver.
    method: bool,
}

/// The state of one program's generation.
pub(crate) struct Gen<'a> {
    rng: Rng,
    disabled: &'a BTreeSet<String>,
    used: BTreeMap<&'static str, u32>,
    scope: Scope,
    callees: Vec<Callee>,
    /// Callees that cannot be called yet.
    pending: Vec<Callee>,
    /// Closures and functions as arguments that can be called here.
    callables: Vec<closures::Callable>,
    /// Functions that take functions.
    takers: Vec<takers::Taker>,
    /// Above zero: in a function of another module than that of the types, or in the body of another function.
    apart: usize,
    /// Functions without `#[gradient]`.
    plain: plain::Plain,
    /// The types that the program declares.
    types: Vec<Rc<Own>>,
    targets: Vec<Target>,
    ret: Ty,
    names: u32,
    /// Statements left.
    budget: i32,
    /// Depth of nested statements, and of loops among them.
    depth: usize,
    loops: usize,
    /// Above zero: expressions must not change variables (a borrow or another operand is in flight).
    pure: usize,
    /// Above zero: no jumps out (closures, checkpointed regions).
    sealed: usize,
    /// Above zero: inside a chain, whose closures have no chains of that kind.
    chains: usize,
    /// Above zero: inside a region that runs twice.
    regions: usize,
    /// Elements of arrays and vectors must show their type: the declaration does not.
    literals_typed: bool,
    /// Above zero: inside `vec![…]` or a closure, where `#[checkpoint]` does not apply.
    unmarked: usize,
    /// The function consists of a few loops over longer arrays: as much of those per second as can be had.
    array_program: bool,
    /// Structs of numbers that statements brought with them, and their text.
    small_structs: Vec<small::Shape>,
    late_items: Vec<Item>,
    /// The length of the last array passed by reference.
    array_length: Option<usize>,
    /// The function being written, if it may call itself, with its counter.
    recursion: Option<(Callee, String)>,
}

impl<'a> Gen<'a> {
    fn new(rng: Rng, disabled: &'a BTreeSet<String>) -> Self {
        Gen {
            rng,
            disabled,
            used: BTreeMap::new(),
            scope: Scope::default(),
            callees: Vec::new(),
            pending: Vec::new(),
            callables: Vec::new(),
            takers: Vec::new(),
            apart: 0,
            plain: plain::Plain::default(),
            types: Vec::new(),
            targets: Vec::new(),
            ret: Ty::Float,
            names: 0,
            budget: 0,
            depth: 0,
            loops: 0,
            pure: 0,
            sealed: 0,
            chains: 0,
            regions: 0,
            literals_typed: false,
            unmarked: 0,
            array_program: false,
            small_structs: Vec::new(),
            late_items: Vec::new(),
            array_length: None,
            recursion: None,
        }
    }

    /// Picks from a weighted table among the constructs that are not disabled, and counts its use.
    fn choose(&mut self, table: &[(usize, &'static str)]) -> &'static str {
        let open: Vec<_> = table
            .iter()
            .filter(|(w, name)| *w > 0 && !self.disabled.contains(*name))
            .collect();
        let total: usize = open.iter().map(|(w, _)| w).sum();
        if total == 0 {
            return "";
        }
        let mut at = self.rng.below(total);
        for (weight, name) in open {
            if at < *weight {
                *self.used.entry(name).or_default() += 1;
                return name;
            }
            at -= weight;
        }
        ""
    }

    /// Decides for an optional construct with a probability in percent.
    fn maybe(&mut self, percent: usize, name: &'static str) -> bool {
        if self.disabled.contains(name) || !self.rng.percent(percent) {
            return false;
        }
        *self.used.entry(name).or_default() += 1;
        true
    }

    /// A fresh name.
    fn name(&mut self, base: &str) -> String {
        self.names += 1;
        format!("{base}{}", self.names)
    }

    /// Runs `f` in a scope of its own.
    fn scoped<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        let mark = self.scope.mark();
        let result = f(self);
        self.scope.leave(mark);
        result
    }

    /// Runs `f` while chains have no others inside.
    fn in_chain<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        self.chains += 1;
        let result = f(self);
        self.chains -= 1;
        result
    }

    /// Runs `f` while expressions must have no effects.
    fn purely<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        self.pure += 1;
        let result = f(self);
        self.pure -= 1;
        result
    }
}
