//! The intermediate representation: one structured form for primal and adjoint.
//!
//! # Rules
//!
//! 1. **Expressions are pure trees.** Evaluating an [`Expr`] changes nothing and may only panic as the
//!    user's code would. Everything with an effect is a [`Stmt`]. Where Rust evaluates an operand before a
//!    later operand changes it, lowering has copied the operand into an immutable variable first.
//! 2. **Variables are unique.** A [`VarId`] stands for one declaration of the function; shadowing is gone
//!    and every variable has a name of its own. Plain blocks are flattened into the list that holds them.
//! 3. **Every variable is declared once**, by a parameter, a [`StmtKind::Let`], the counter of a loop, or
//!    the `dest` of a call or pop, in the block where it lives; nested blocks may use it.
//!    A `Let` without `init` declares a variable that every path assigns before use
//!    (first assignments carry `init: true`: they overwrite nothing).
//! 4. **Memory is reached through places**: a root variable and projections. References are not values:
//!    a local reference or view is replaced by the place that it stands for; only parameters can be
//!    references, and their places begin with [`Proj::Deref`]. Facts about memory are kept by [`Region`]: the root and
//!    the fields that come first on the way. Two places overlap only if one region lies in the other, and then as
//!    the remaining projections say.
//! 5. **The index of a written place does not read memory**: only literals and scalar integer variables, so
//!    that the place means the same before and after the write.
//! 6. **No jumps after lowering.** `return`, `break`, `continue` and labelled blocks exist only between
//!    `lower` and `lower::exits`, which turns them into structured branches and loop exit flags.
//! 7. **Expensive float functions** (everything in [`MathFn`] that calls into libm) in differentiated
//!    expressions are the whole initialiser of an immutable variable, so that their result can be recorded.
//! 8. Spans stand beside nodes and are the user's.

mod callee;
mod constructor;
mod display;
pub(crate) mod edit;
mod effects;
mod expr;
pub(crate) mod faults;
mod field;
pub(crate) mod hash;
pub(crate) mod lanes;
mod libm;
pub(crate) mod literal;
mod loops;
mod methods;
mod names;
mod operator;
mod place;
mod plan;
mod procs;
mod region;
pub(crate) mod registers;
mod remarks;
pub(crate) mod rules;
mod same;
pub(crate) mod seeds;
mod shapes;
pub(crate) mod simd;
mod std_names;
mod stmt;
mod stmt_groups;
mod sweeps;
mod tokens;
mod transform;
mod ty;
mod var_set;
mod variant;
pub(crate) mod verify;
pub(crate) mod versions;
mod walk;
mod written;
mod zeros;

pub(crate) use callee::{
    ARGUMENTS, Answer, Argument, Behind, Callee, CalleeKind, FunctionArg, FunctionKind, GivenArg,
    Output, ReadBy, Returning, Without,
};
pub(crate) use constructor::{Constructor, Makes};
pub(crate) use display::{expr_text, text};
pub(crate) use effects::{
    Effects, each_write, effects_of, free_regions, free_vars, is_invariant, mentioned, mentions,
    region_effects_of, resized,
};
pub(crate) use expr::{
    AGAIN, ANSWER, BOUNDS, CLONED, CONVERSION, DEFAULT_VALUE, ELEMENTS, ERROR, Expr, ExprKind,
    IS_BOX, IS_COPY, IS_OPTION, IS_POINTER, IS_QUEUE, IS_VEC, KEPT, ORDER, Opaque, OpaqueArg,
    OpaqueKind, Operands, PARTS, SEQUENCE, STD_NAME, UNWRAPPED, binary, is_check, is_constant,
};
pub(crate) use field::Field;
pub(crate) use libm::{Number as NumberOfLibm, function_of_libm, path_of_libm};
pub(crate) use literal::Lit;
pub(crate) use loops::{
    CountingLoop, Direction, Domain, Loop, LoopId, NO_RANGE, Order, RECORDS_OF_ONE, Strip,
};
pub(crate) use methods::{converts_to_integer, is_iterator_method, is_reader, only_reads};
pub(crate) use names::{is_of_impl, name, of_function, of_impl, region_name, written};
pub(crate) use operator::{BinOp, UnOp};
pub(crate) use place::{
    Place, Proj, Steps, constant_field, is_path, mark_parts, place_ty, whole_slice,
};
pub(crate) use plan::{
    Back, Combined, Comparison, Deferred, Deferring, Gather, Group, Jam, JammedNest, Middle,
    NestPart, Part, Plan, Product, Search, Segment, SideBySide, Sliced, SlicedSegment, Split,
    SumInto, Term, Terms, Tiled, View,
};
pub(crate) use procs::{Given, Interface, Proc, ProcId, Run, behind};
pub(crate) use region::{Region, RegionSet};
pub(crate) use remarks::Remarks;
pub(crate) use rules::{MathFn, Rule};
pub(crate) use same::{
    in_different_fields, is_quotient_of, nested, parted_at, same, same_element, same_place,
};
pub(crate) use shapes::Compared;
pub(crate) use std_names::{Owner, Takes, is_of_chains, is_of_std_by_name, std_method};
pub(crate) use stmt::{
    Arg, ArgMode, BarArg, Block, Held, Jump, Offset, OwnAdjoint, Parallel, RangeIter, Shares, Site,
    Stmt, StmtKind, Unused,
};
pub(crate) use stmt_groups::{control_stmts, leaf_stmts, sweep_stmts};
pub(crate) use sweeps::{Joint, Sweeps, has_local_accumulator, sites, starts_from_caller};
pub(crate) use tokens::{Dots, regroup, spells};
pub(crate) use transform::{Transform, Transforms};
pub(crate) use ty::{IntTy, Struct, StructField, Ty, has_static_zero, tangent_ty};
pub(crate) use var_set::VarSet;
pub(crate) use variant::{VariantPart, accessor};
pub(crate) use verify::verify;
pub(crate) use walk::{
    Access, Touch, expr_reads, expr_touches, place_index_reads, ref_mut_places, shallow_accesses,
    shallow_touches, stmt_exprs, stmt_places, visit_accesses, visit_stmts, visit_touches,
};
pub(crate) use written::{
    CastTarget, Len, Written, exact_text, is_float_type, is_type_named, parameter_names, path_text,
    without_reference,
};
pub(crate) use zeros::{adds_zeros, begins_with_zeros, is_zero};

use proc_macro2::{Ident, Span};

/// A variable of the function: an index into [`Func::vars`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct VarId(pub(crate) u32);

/// How a parameter is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Passing {
    /// `x: T`
    Value,
    /// `x: &T`
    Shared,
    /// `x: &mut T`: in-out.
    InOut,
}

/// What a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum VarKind {
    /// A parameter as passed; never assigned (a `mut` parameter is copied into a local on entry).
    Param,
    /// A `let` of the user.
    Local,
    /// A temporary of the compiler.
    Temp,
    /// The counter of a `for`; immutable inside the body.
    Counter,
    /// In the reverse sweep, a scalar of the function that runs again with its loop. No pass changes what it holds.
    Replayed,
}

/// Whose values a variable holds. No adjoint flows into a value of the function (`ir/verify/classes.rs`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    /// Those of the function: its own variables, and what the sweeps keep of them or compute from them alone.
    Primal,
    /// Adjoints.
    Adjoint,
    /// Memory of generated code, which may hold some of each.
    Either,
}

/// One declaration.
#[derive(Clone, Debug)]
pub(crate) struct VarInfo {
    /// Unique in the function, with the user's span.
    pub(crate) name: Ident,
    pub(crate) ty: Ty,
    /// Written after its declaration (a deferred first assignment does not count).
    pub(crate) mutable: bool,
    pub(crate) kind: VarKind,
    /// The value passes through `no_gradient`, or the user said `#[constant]`: never active.
    pub(crate) constant: bool,
    pub(crate) class: Class,
    /// The variable whose type it has, where the text does not show that type: what only one of the sweeps does may
    /// decide it, and it is the same in both.
    pub(crate) type_of: Option<VarId>,
}

/// One parameter in source order.
#[derive(Clone, Debug)]
pub(crate) struct Param {
    pub(crate) var: VarId,
    /// The name that the user wrote (for generated parameter names and messages).
    pub(crate) ident: Ident,
    pub(crate) passing: Passing,
    /// The type behind the reference.
    pub(crate) ty: Ty,
    /// The type as written, helper attributes stripped.
    pub(crate) written: syn::Type,
    /// `#[constant]`.
    pub(crate) constant: bool,
    /// It is a generator of random numbers behind `&mut`, see `analysis::generators`.
    pub(crate) generator: bool,
    /// It is a function, by value, and of a type that is bound by the runtime's `Function`.
    pub(crate) function: bool,
}

impl Param {
    /// Whether the generated functions have a gradient for it.
    pub(crate) fn differentiable(&self) -> bool {
        !self.constant && self.ty.may_carry_derivative()
    }

    /// Whether its type is `dyn`, behind references.
    pub(crate) fn is_object(&self) -> bool {
        matches!(without_reference(&self.written), syn::Type::TraitObject(_))
    }
}

/// A field of a parameter that the body sees as a parameter of its own.
#[derive(Clone, Debug)]
pub(crate) struct FieldParam {
    pub(crate) var: VarId,
    /// The name that its adjoint is given by.
    pub(crate) ident: Ident,
    /// The parameter, or the field of one, that it is a field of.
    pub(crate) of: VarId,
    pub(crate) field: Field,
}

/// Parameters of which the body sees the fields.
#[derive(Clone, Debug)]
pub(crate) struct SplitParams {
    /// The parameters as the signature has them.
    pub(crate) signature: Vec<Param>,
    /// Each behind what it is a field of.
    pub(crate) fields: Vec<FieldParam>,
}

/// A macro of a known crate, or a function of std that is taken apart.
#[derive(Clone, Debug)]
pub(crate) struct KnownMacro {
    pub(crate) path: syn::Path,
    /// The crate, for a macro; a function is checked by its type.
    pub(crate) krate: Option<Ident>,
    /// What stands in front of its name.
    pub(crate) prefix: Option<syn::Path>,
    /// A use that does nothing.
    pub(crate) harmless: proc_macro2::TokenStream,
}

/// A function of the same module that was inlined.
#[derive(Clone, Debug)]
pub(crate) struct Inlined {
    /// What its body consists of stands here, too.
    pub(crate) name: Ident,
    /// A number for its text.
    pub(crate) definition: u64,
}

/// A closure as a function: what it captures is given in front of its own parameters.
#[derive(Clone, Debug)]
pub(crate) struct Closure {
    pub(crate) function: syn::ItemFn,
    /// How many of the parameters these are.
    pub(crate) captures: usize,
    /// Those of them that are references where the body has the value, by their names.
    pub(crate) captured: hash::HashSet<String>,
}

/// A function in IR.
#[derive(Clone, Debug)]
pub(crate) struct Func {
    pub(crate) name: Ident,
    /// The parameters as the body sees them.
    pub(crate) params: Vec<Param>,
    /// Set if these are not those of the signature.
    pub(crate) split: Option<Box<SplitParams>>,
    /// Type of the result (`Unit` without `->`).
    pub(crate) ret_ty: Ty,
    /// The result type as written.
    pub(crate) ret_written: syn::Type,
    pub(crate) vars: Vec<VarInfo>,
    pub(crate) body: Block,
    /// The variable that holds the result at the end of `body`; `None` for a function without result.
    pub(crate) result: Option<VarId>,
    /// The variable that holds the error at the end of `body`, of a function that returns a `Result`: there `result`,
    /// and `ret_ty`, are an `Option`, the value if there is one.
    pub(crate) failure: Option<VarId>,
    /// Lengths of arrays and targets of casts that are kept as written.
    pub(crate) written: Written,
    /// Items declared inside the body (`fn`, `const`, `use`), emitted at the top of the sweeps.
    pub(crate) items: Vec<syn::Item>,
    /// Closures in the body that others call.
    pub(crate) closures: Vec<Closure>,
    /// Every identifier spelled in the body, and every name given since: for fresh names.
    pub(crate) names: hash::HashSet<String>,
    /// The last number behind a name that `fresh_name` gave.
    pub(crate) numbers: hash::HashMap<String, usize>,
    /// The paths by which the body calls `no_gradient`: the sweeps check that it is retrograde's.
    pub(crate) cuts: Vec<syn::Path>,
    /// Harmless uses of the std macros that the body names: the sweeps check that the names are std's.
    pub(crate) std_macros: Vec<syn::Macro>,
    /// Macros of known crates that the body uses; generated code checks that they are those.
    pub(crate) known_macros: Vec<KnownMacro>,
    /// Methods of floats that are called on references: generated code checks that no trait has others there.
    pub(crate) behind_references: Vec<BehindReference>,
    /// Methods of containers and options: generated code checks that no trait in scope has them first.
    pub(crate) std_methods: Vec<StdMethod>,
    /// Methods that take a chain of iterators by reference: generated code checks the same of these, whatever they are
    /// called on.
    pub(crate) chain_methods: Vec<Ident>,
    /// Words of the body, by which it is known what kinds of chains it may have; `..` stands for a range.
    pub(crate) chain_words: hash::HashSet<String>,
    /// What lends the parts that stand in place of calls.
    pub(crate) lent_parts: Vec<LentPart>,
    /// Functions that are called, beside each of which there is a module of its name, or which are in one, by their
    /// paths: what their sweeps are in.
    pub(crate) beside_modules: hash::HashMap<String, syn::Path>,
    /// Those of them that are in a module that is private here: what their places are found by.
    pub(crate) hidden: hash::HashMap<String, HiddenPlace>,
    /// Functions that are called, by their paths, of which the text does not show that they have sweeps.
    pub(crate) unseen: hash::HashSet<String>,
    /// Functions of the same module that were inlined: generated code checks that they are those.
    pub(crate) inlined: Vec<Inlined>,
    /// Why others that loops call are not, by their names.
    pub(crate) not_inlined: hash::HashMap<String, String>,
    /// Loops marked `#[parallel]`.
    pub(crate) parallel: hash::HashSet<LoopId>,
    /// Whether the reverse sweep is called with the adjoint of the result, always.
    pub(crate) seeded: bool,
    /// Variables of the compiler that end one part of an array each, `a[lo..end]`, which is known to exist wherever it
    /// is used.
    pub(crate) ends: hash::HashSet<VarId>,
    /// Variables that are a number of an aggregate each: what the user calls it, and which one it is, `.0` or `[1][2]`.
    pub(crate) part_of: hash::HashMap<VarId, (VarId, String)>,
}

/// Where a function in a private module is, as seen from a caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HiddenPlace {
    /// How many modules above, or in the root of the crate.
    pub(crate) up: Option<usize>,
    /// The path from there, with the name of the function.
    pub(crate) path: String,
}

/// A method of floats that is called on a reference to one.
#[derive(Clone, Debug)]
pub(crate) struct BehindReference {
    pub(crate) method: Ident,
    pub(crate) mutable: bool,
    /// The type of the float.
    pub(crate) ty: Ty,
    /// How many floats it takes beside the receiver; `None`: an integer.
    pub(crate) others: Option<usize>,
}

/// A method of std's for containers or options, as a body calls it.
#[derive(Clone, Debug)]
pub(crate) struct StdMethod {
    pub(crate) method: Ident,
    /// How the receiver stands there.
    pub(crate) receiver: Standing,
    /// The type behind the reference.
    pub(crate) ty: Ty,
    /// The parameter that the receiver is, whose type is written.
    pub(crate) whole: Option<VarId>,
}

/// A method of a type of the user's that lends a part, which stands in place of its calls.
#[derive(Clone, Debug)]
pub(crate) struct LentPart {
    pub(crate) ty: syn::Type,
    pub(crate) method: Ident,
    /// Whether it takes `&mut self`.
    pub(crate) exclusive: bool,
}

/// How a value is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    Itself,
    Shared,
    Exclusive,
}

impl Func {
    /// The type of the value that the function yields, in a `Result` that of `Ok`.
    pub(crate) fn value_ty(&self) -> &Ty {
        match (&self.ret_ty, self.failure) {
            (Ty::Option(value), Some(_)) => value,
            (ty, _) => ty,
        }
    }

    /// The function as stubs need it.
    pub(crate) fn without_body(&self) -> Func {
        Func {
            body: Block::default(),
            ..self.clone()
        }
    }

    /// The parameters as the user wrote them.
    pub(crate) fn signature(&self) -> &[Param] {
        self.split
            .as_ref()
            .map_or(&self.params, |split| &split.signature)
    }

    /// The parameters that are fields of others, each behind what it is a field of.
    pub(crate) fn field_params(&self) -> &[FieldParam] {
        self.split.as_ref().map_or(&[], |split| &split.fields)
    }

    /// What the user calls a variable: a field of a parameter by the way to it.
    pub(crate) fn shown_name(&self, var: VarId) -> String {
        match self.field_params().iter().find(|part| part.var == var) {
            Some(part) => format!("{}.{}", self.shown_name(part.of), part.field),
            None => {
                let param = self.signature().iter().find(|p| p.var == var);
                param
                    .map_or_else(|| &self.var(var).name, |p| &p.ident)
                    .to_string()
            }
        }
    }

    /// Whether the variable is a parameter that is a function.
    pub(crate) fn is_function(&self, var: VarId) -> bool {
        self.signature().iter().any(|p| p.var == var && p.function)
    }

    /// Whether there are `f_grad` and `f_grad_into`.
    pub(crate) fn has_gradient(&self) -> bool {
        let mut params = self.signature().iter();
        self.value_ty().is_float()
            && !params.any(|p| p.passing == Passing::InOut && p.differentiable())
    }

    pub(crate) fn var(&self, id: VarId) -> &VarInfo {
        &self.vars[id.0 as usize]
    }

    /// Every variable of a type that the text does not show has its own; copies of it have that.
    pub(crate) fn name_open_types(&mut self) {
        for (info, at) in self.vars.iter_mut().zip(0..) {
            let open = info.ty.is_open() && !faults::Fault::OpenTypeForgotten.is_on();
            info.type_of = open.then_some(VarId(at));
        }
    }

    pub(crate) fn var_mut(&mut self, id: VarId) -> &mut VarInfo {
        &mut self.vars[id.0 as usize]
    }

    /// A name not used yet: `base`, else `base_1`, `base_2`, …
    pub(crate) fn fresh_name(&mut self, base: &str, span: Span) -> Ident {
        let mut name = base.to_owned();
        if !self.names.insert(name.clone()) {
            // Numbers that were taken stay so.
            let n = self.numbers.entry(name).or_insert(0);
            name = loop {
                *n += 1;
                let name = format!("{base}_{n}");
                if self.names.insert(name.clone()) {
                    break name;
                }
            };
        }
        Ident::new(&name, span)
    }

    /// Declares a compiler temporary for values of the function, named after `base`.
    pub(crate) fn temp(&mut self, base: &str, ty: Ty, span: Span) -> VarId {
        self.temp_of(Class::Primal, base, ty, span)
    }

    /// Declares a compiler temporary, named after `base`.
    pub(crate) fn temp_of(&mut self, class: Class, base: &str, ty: Ty, span: Span) -> VarId {
        let name = self.fresh_name(base, Span::mixed_site().located_at(span));
        self.add(VarInfo {
            name,
            ty,
            mutable: false,
            kind: VarKind::Temp,
            constant: false,
            class,
            type_of: None,
        })
    }

    /// Whose value an expression is.
    pub(crate) fn class_of(&self, e: &Expr) -> Class {
        let mut class = Class::Primal;
        expr_touches(e, &mut |place, touch| {
            let of = self.var(place.root).class;
            if touch != Touch::Length && class != Class::Adjoint && of != Class::Primal {
                class = of;
            }
        });
        class
    }

    pub(crate) fn add(&mut self, info: VarInfo) -> VarId {
        let id = VarId(u32::try_from(self.vars.len()).expect("fewer than 2^32 variables"));
        self.vars.push(info);
        id
    }
}
