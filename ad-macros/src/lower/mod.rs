//! Lowering: the user's function in `syn` becomes IR with the same meaning.
//!
//! One walk over the body, in execution order. Expressions become pure trees; whatever has an effect is
//! emitted as a statement into the current [`Frame`]. References never become variables: a name bound to a
//! reference stands for a place ([`value::View`]); a reference that is re-assigned or chosen by a condition
//! is a variable during the walk, and [`dynamic`] replaces it by a choice between places afterwards.
//! Types are inferred on the way ([`infer`]); decisions that need the final type are taken in [`finish`].
//!
//! **Invariant:** what cannot be lowered exactly is reported, and lowering goes on with a poisoned value, so
//! that several mistakes are reported at once. A function is returned only if nothing was reported.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "what the user writes has more forms than are supported; whatever is not named is refused"
)]

mod aggregates;
mod alternatives;
mod answers;
mod apart;
mod array_map;
mod asserted;
mod assign;
mod attributes;
mod bodies;
mod bools;
mod branch;
mod call;
mod callee;
mod candidates;
mod captured;
mod cast_aliases;
mod chained;
mod checkpoint;
mod clones;
mod closure_values;
mod closures;
mod condition;
mod constructed;
mod container;
mod conversions;
mod cut;
mod defaults;
mod definitions;
mod drive;
mod dynamic;
mod effects;
mod ends;
mod entries;
pub(crate) mod exits;
mod expr;
mod extract;
mod fallible;
mod fallible_ends;
mod finish;
mod first_values;
mod float_traits;
mod format;
mod functions;
mod given_parameters;
mod guards;
mod guessed;
mod held;
mod infer;
mod inner_functions;
mod item;
mod items;
mod iterate;
mod itertools;
mod join;
mod jump;
mod known;
mod lawful;
mod libm;
mod lifted;
mod looking;
mod loops;
mod macro_args;
mod macros;
mod maps;
mod matching;
mod memory;
mod method;
mod method_names;
pub(crate) mod opaque;
mod open_integers;
mod operator;
mod operator_paths;
mod option;
mod option_closures;
mod option_places;
mod option_refs;
mod order;
mod orders;
mod outcome;
mod outcomes;
mod own_conversions;
mod own_ends;
mod own_method;
mod own_sums;
mod owner;
mod part;
mod part_values;
mod parted;
mod parts;
mod pattern;
mod place;
mod plain;
mod plain_bodies;
mod positions;
mod prescan;
mod primitive;
mod question;
mod queues;
mod ranges;
mod rearrange;
mod reduce;
mod refill;
mod remainders;
mod rename;
mod rename_captures;
mod rename_forms;
mod repoint;
mod results;
mod room;
mod scope;
mod selected;
mod sequence;
mod sequence_pattern;
mod shared;
mod shown_results;
mod side_by_side;
mod signature;
mod sources;
mod span;
mod stable;
mod stages;
mod std_items;
mod std_methods;
mod std_names;
mod stmt;
mod structs;
#[cfg(test)]
mod tests;
mod typed_fields;
mod types;
mod unchecked;
mod unknown_method;
mod value;
mod variables;
mod variants;
mod walk;
mod walks;

use proc_macro2::Span;
use quote::ToTokens;

use crate::diag::{Diagnostics, Message};
use crate::indexed::lent_written_out;
use crate::ir::hash::{HashMap, HashSet};
use crate::ir::{Block, Expr, Func, Jump, LoopId, Stmt, StmtKind, Ty, VarId, Written};
pub(crate) use attributes::attributes_of;
pub(crate) use callee::segment_names;
pub(crate) use definitions::uses_definitions;
pub(crate) use format::names_in_formats;
use infer::Infer;
pub(crate) use inner_functions::{Beside, Shown};
use join::Join;
pub(crate) use known::{imported_from_crate, imports_of_code};
pub(crate) use lifted::closure_function;
pub(crate) use macros::is_listed as is_listed_macro;
pub(crate) use method_names::is_float_function;
pub(crate) use operator::compound_operator;
pub(crate) use own_sums::{items_are_references, operators, sum_marker};
pub(crate) use owner::{Derivative, Member, Owner, passing};
pub(crate) use prescan::{collect, identifiers};
use scope::Scope;
pub(crate) use scope::key;
pub(crate) use std_methods::is_of_std as is_method_of_std;
pub(crate) use types::{field_type, is_of_std, is_primitive, own_types, type_argument};

/// Lowers `item`, which stands in the block `owner` if it is a method or an associated function. `None` if a mistake
/// was reported.
pub(crate) fn lower(item: &syn::ItemFn, owner: &Owner, diags: &mut Diagnostics) -> Option<Func> {
    let reported = diags.len();
    let (expanded, mut known) = known::expanded(item);
    let item = expanded.as_ref().unwrap_or(item);
    let adapted = itertools::written_out(item);
    let item = adapted.as_ref().map_or(item, |(item, _)| item);
    known.extend(adapted.iter().flat_map(|(_, checks)| checks.clone()));
    let of_chains = std_names::of_chains(item);
    let words = match of_chains.is_empty() {
        true => HashSet::default(),
        false => std_names::words(item),
    };
    let by_path = given_parameters::written_out(item);
    let item = by_path.as_ref().unwrap_or(item);
    let ranged = ranges::written_out(item);
    let item = ranged.as_ref().unwrap_or(item);
    let over = entries::written_out(item);
    let item = over.as_ref().unwrap_or(item);
    let mapped = maps::written_out(item);
    let item = mapped.as_ref().unwrap_or(item);
    let remaining = remainders::written_out(item);
    let item = remaining.as_ref().unwrap_or(item);
    let walked = walks::written_out(item);
    let item = walked.as_ref().unwrap_or(item);
    let queued = queues::written_out(item);
    let item = queued.as_ref().unwrap_or(item);
    let referred = option_refs::written_out(item);
    let item = referred.as_ref().unwrap_or(item);
    let converted = own_conversions::written_out(item);
    let item = converted.as_ref().unwrap_or(item);
    let ended = own_ends::written_out(item);
    let item = ended.as_ref().unwrap_or(item);
    let cast = cast_aliases::written_out(item);
    let item = cast.as_ref().map_or(item, |(item, _)| item);
    let lent = lent_written_out(item);
    let item = lent.as_ref().map_or(item, |(item, _)| item);
    let summed = own_sums::written_out(item);
    let item = summed.as_ref().map_or(item, |(item, _)| item);
    let operators = operator_paths::written_out(item);
    let item = operators.as_ref().map_or(item, |(item, _)| item);
    let marked = outcome::marked(item);
    let item = marked.as_ref().unwrap_or(item);
    let mut lowerer = Lowerer::new(item, owner, diags);
    lowerer.func.known_macros = known;
    lowerer.func.chain_methods = of_chains;
    lowerer.func.chain_words = words;
    lowerer.func.lent_parts = lent.iter().flat_map(|(_, parts)| parts.clone()).collect();
    let paths = operators.iter().flat_map(|(_, paths)| paths);
    paths.for_each(|path| lowerer.note_operator(path));
    let aliases = cast.iter().flat_map(|(_, aliases)| aliases);
    aliases.for_each(|(path, of)| lowerer.note_alias(path, of));
    let sums = summed.iter().flat_map(|(_, sums)| sums);
    sums.for_each(|sum| lowerer.note_sum(sum));
    lowerer.function(item);
    let func = lowerer.finish();
    (diags.len() == reported).then_some(func)
}

/// The statements of one block while it is being lowered.
#[derive(Default)]
struct Frame {
    stmts: Vec<Stmt>,
    /// Nothing after this point is reached; what would be emitted is dropped.
    diverged: bool,
}

/// A loop or labelled block that jumps can name.
struct Target {
    label: Option<String>,
    id: LoopId,
    /// Where `continue` goes.
    next: Jump,
    /// A labelled block can only be left by a labelled `break`.
    is_loop: bool,
    /// Where `break value` puts the value.
    join: Join,
    wanted: bool,
    /// Whether a `break` was seen: a `loop` without one never ends.
    broken: bool,
}

/// What must hold once all types are known.
enum Obligation {
    /// The type must be a primitive one, or the message is given.
    Primitive(Ty, Span, Message),
    /// The type must be `usize`, or the message is given.
    Usize(Ty, Span, Message),
    /// The container's elements must be passive, or the message is given.
    Passive(Ty, Span, Message),
}

struct Lowerer<'d> {
    diags: &'d mut Diagnostics,
    owner: &'d Owner,
    /// The parameters of the function, as the sweeps have them.
    generics: syn::Generics,
    /// The variable that `self` is.
    this: Option<VarId>,
    func: Func,
    /// What the text shows of calls and variables.
    shown: crate::shown::Shown,
    /// The body's text.
    source: proc_macro2::TokenStream,
    types: Infer,
    scopes: Vec<Scope>,
    frames: Vec<Frame>,
    targets: Vec<Target>,
    obligations: Vec<Obligation>,
    /// Inside a condition or comparison: nothing here carries a derivative, so nothing is hoisted (rule 7).
    passive: u32,
    /// Inside `no_gradient(…)`: unknown code may be kept as it stands.
    lenient: u32,
    /// Inside a closure that is being inlined.
    closures: u32,
    /// Inside a chain whose items are asked for before their time.
    eager: u32,
    /// The bodies of closures that `return` or `?` may leave, innermost last.
    bodies: Vec<bodies::Body>,
    /// Of the methods of options that are being lowered: where errors of their closures go.
    fails: Vec<Option<VarId>>,
    /// The error of the `Result` that a branch yields, while it is lowered.
    yielded: Option<VarId>,
    /// For each enclosing `#[checkpoint]` region: the number of targets outside it.
    regions: Vec<usize>,
    /// The next loop is under `#[checkpoint]`: each of its iterations is a region.
    region_loop: bool,
    /// Variables that hold references; replaced by `dynamic`.
    references: HashSet<VarId>,
    /// Arrays of which there are several parts that can be written.
    split: HashSet<VarId>,
    /// Variables that the user declared `mut` (or that the compiler writes): not stable as an index.
    unstable: HashSet<VarId>,
    /// `let mut x;`: given a default value at the end, since its first assignment is not known.
    deferred: HashMap<VarId, Span>,
    /// Integers that closures capture, whose types are written at the end.
    open_integers: Vec<open_integers::OpenInteger>,
    /// The types of variables as the text writes them, where nothing else tells.
    written_types: HashMap<VarId, syn::Type>,
    /// Names used in the body for something that is not a local variable.
    nonlocal: HashSet<String>,
    /// Names of variants that stand alone.
    variants: HashSet<String>,
    /// Names of variables whose fields are read: none of them is a number.
    with_fields: HashSet<String>,
    /// Names that variables already have.
    taken: HashSet<String>,
    /// Types of const parameters and of constants declared in the body.
    const_tys: HashMap<String, Ty>,
    /// Functions declared in the body that can be inlined.
    inner_functions: HashMap<String, std::rc::Rc<syn::ItemFn>>,
    result: Option<VarId>,
    early_return: bool,
    /// The next end of a chain yields an option beside which there is a value with a derivative.
    beside_active: bool,
    /// The next call of a method yields a `Result`, or an `Option`, that is taken apart.
    apart: bool,
    /// Where the error of the last such call is.
    error_of_call: Option<VarId>,
    next_loop: u32,
    next_placeholder: u32,
}

impl<'d> Lowerer<'d> {
    fn new(item: &syn::ItemFn, owner: &'d Owner, diags: &'d mut Diagnostics) -> Self {
        let names = identifiers(item);
        let func = Func {
            name: item.sig.ident.clone(),
            params: Vec::new(),
            split: None,
            ret_ty: Ty::Unit,
            ret_written: syn::parse_quote!(()),
            vars: Vec::new(),
            body: Block::default(),
            result: None,
            failure: None,
            written: Written::with_structs(definitions::proven(item, &owner.structs)),
            items: Vec::new(),
            closures: Vec::new(),
            names,
            numbers: HashMap::default(),
            cuts: Vec::new(),
            std_macros: Vec::new(),
            known_macros: Vec::new(),
            behind_references: Vec::new(),
            std_methods: Vec::new(),
            chain_methods: Vec::new(),
            chain_words: HashSet::default(),
            lent_parts: Vec::new(),
            beside_modules: Default::default(),
            hidden: HashMap::default(),
            unseen: HashSet::default(),
            inlined: Vec::new(),
            not_inlined: inner_functions::refused(&owner.beside),
            parallel: HashSet::default(),
            seeded: owner.sweeps_only,
            ends: HashSet::default(),
            part_of: HashMap::default(),
        };
        Lowerer {
            diags,
            owner,
            generics: {
                let mut generics = owner.generics.clone();
                generics.params.extend(item.sig.generics.params.clone());
                if let Some(clause) = &item.sig.generics.where_clause {
                    let predicates = clause.predicates.clone();
                    generics.make_where_clause().predicates.extend(predicates);
                }
                generics
            },
            this: None,
            func,
            shown: crate::shown::Shown::of(item),
            source: item.block.to_token_stream(),
            types: Infer::default(),
            scopes: vec![Scope::default()],
            frames: vec![Frame::default()],
            targets: Vec::new(),
            obligations: Vec::new(),
            passive: 0,
            lenient: 0,
            closures: 0,
            eager: 0,
            bodies: Vec::new(),
            fails: Vec::new(),
            yielded: None,
            regions: Vec::new(),
            region_loop: false,
            references: HashSet::default(),
            split: HashSet::default(),
            unstable: HashSet::default(),
            deferred: HashMap::default(),
            open_integers: Vec::new(),
            written_types: HashMap::default(),
            nonlocal: HashSet::default(),
            variants: variants::variants(&item.block),
            with_fields: prescan::with_fields(item),
            taken: HashSet::default(),
            const_tys: HashMap::default(),
            inner_functions: HashMap::default(),
            result: None,
            early_return: prescan::has_return(&item.block),
            beside_active: false,
            apart: false,
            error_of_call: None,
            next_loop: 0,
            next_placeholder: 0,
        }
    }

    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a frame is open")
    }

    /// Emits a statement, unless the current block has already been left.
    fn emit(&mut self, kind: StmtKind, span: Span) {
        let frame = self.frame();
        if !frame.diverged {
            frame.stmts.push(Stmt::new(kind, span));
        }
    }

    fn emit_let(&mut self, var: VarId, init: Option<Expr>, span: Span) {
        self.emit(StmtKind::Let { var, init }, span);
    }

    fn emit_all(&mut self, block: Block) {
        for stmt in block.stmts {
            self.emit(stmt.kind, stmt.span);
        }
    }

    /// `if selector { body }`
    fn emit_if(&mut self, selector: Expr, body: Block, span: Span) {
        let arms = vec![body, Block::default()];
        self.emit(StmtKind::Switch { selector, arms }, span);
    }

    /// The position after the last statement of the current block.
    fn mark(&mut self) -> usize {
        self.frame().stmts.len()
    }

    fn diverge(&mut self) {
        self.frame().diverged = true;
    }

    fn diverged(&mut self) -> bool {
        self.frame().diverged
    }

    fn open(&mut self) {
        self.frames.push(Frame::default());
    }

    /// Closes the current block; whether it was left before its end comes with it.
    fn close(&mut self) -> (Block, bool) {
        let frame = self.frames.pop().expect("a frame is open");
        (Block { stmts: frame.stmts }, frame.diverged)
    }

    fn fresh_loop(&mut self) -> LoopId {
        self.next_loop += 1;
        LoopId(self.next_loop - 1)
    }
}
