//! The compiler behind `retrograde`: `#[gradient]` reads an ordinary function and writes
//! functions that return its value and exact gradient. Use it through the facade crate `retrograde`.

// An analysis or a pass says of each statement, expression and type what becomes of it.
#![warn(clippy::wildcard_enum_match_arm)]

mod accessors;
mod aliases;
mod analysis;
mod block;
mod by_hand;
mod configurations;
mod derive;
mod diag;
#[cfg(test)]
mod doc_tests;
mod dump;
mod edition;
mod elided;
mod emit;
#[cfg(test)]
mod expansion_tests;
mod explain;
#[cfg(test)]
mod fault_tests;
mod functions;
mod generic;
mod hash;
mod indexed;
mod inlining;
mod input;
mod interface;
mod ir;
mod iterated;
#[cfg(test)]
mod kernel_tests;
mod known_types;
#[cfg(test)]
mod layer_tests;
mod leaving;
#[cfg(test)]
mod legality_tests;
mod lent;
mod lower;
#[cfg(test)]
mod mode_tests;
mod no_std;
mod once_more;
mod optimize;
mod options;
mod own_macros;
#[cfg(test)]
mod pass_tests;
mod pipeline;
#[cfg(test)]
mod procedure_tests;
#[cfg(test)]
mod region_tests;
#[cfg(test)]
mod report_tests;
mod returned_self;
mod reverse;
mod rule;
mod schema;
mod seeds;
mod shown;
#[cfg(test)]
mod stage_tests;
mod stages;
mod surroundings;
mod traits;

use proc_macro::TokenStream;

/// What a macro gives back.
fn written(tokens: proc_macro2::TokenStream) -> TokenStream {
    edition::for_crate(no_std::for_crate(tokens)).into()
}

/// Writes the gradient functions of the function below it.
///
/// For `fn f(args…) -> R` it adds, with the same visibility and generics:
///
/// | item | what it does |
/// |---|---|
/// | `f_grad(args…) -> (R, G)` | value and gradient; where `R` is `f32` or `f64` |
/// | `f_grad_into(&mut Tape, arg, buffer, …) -> R` | the same into the caller's buffers, which are overwritten |
/// | `f_adjoint(&mut Tape, arg, adjoint, …, seed) -> R` | adds `seed · ∂f/∂arg` to the adjoints; for every `R` |
/// | `f_try_grad_into`, `f_try_adjoint` | the same, a failing tape being an error instead of a panic |
/// | `f_vjp_n(&mut Tape, args…, seeds, adjoints…) -> R` | `f_adjoint` for several seeds; under `#[gradient(seeds)]` |
///
/// `G` holds the gradients of the differentiable parameters in order (one alone is not wrapped in a tuple).
/// Integers, `bool`, `char`, `&str` have none. A parameter marked `#[constant]` has none either, whatever its type.
/// A function with `&mut` parameters has `f_adjoint` alone.
///
/// `#[checkpoint]` above a block, an expression or a loop inside the function: the region records nothing
/// but the state that it overwrites, and runs again in the reverse sweep.
///
/// `#[parallel]` above a `for` loop (feature `rayon`): both sweeps divide its iterations among threads. Each iteration
/// may write `a[i]` or `a[c*i..c*(i+1)]`, add to sums, and read everything else; loops that do more are refused.
///
/// Above an `impl` block of a type it differentiates each function of the block that can carry a derivative: `s.f(x)`
/// gets `s.f_grad(x)`, `s.f_grad_into(&mut tape, &mut ds, x, &mut dx)` and so on. `#[no_gradient]` leaves one out;
/// `#[gradient(…)]` on one adds arguments. Above the `impl` of a trait it does the same; above that of an operator
/// (`impl Mul<V> for f64`) it gives the operator a rule, by which expressions with it are differentiated. Above a
/// trait it lets functions that are generic over it, or take a `dyn` of it, have gradients: the trait gets hidden
/// items, and each `impl` needs the attribute. `#[gradient(dyn)]` there says that supertraits of the user's allow
/// `dyn`.
///
/// Arguments: `name = g` (prefix of the generated names), `companion = g` (name of the hidden companion type),
/// `crate = path` (where the facade crate is found), `no(a, b)` (transformations that the sweeps do without), `seeds`
/// (there are sweeps for several seeds).
///
/// # Several seeds
///
/// A function with several results has a row of its Jacobian for each. `#[gradient(seeds)]` adds
/// `f_vjp_n::<K>(&mut tape, args…, seeds, adjoints…)`, which computes `K` of them, or any `K` combinations, from one
/// forward and one reverse sweep. `seeds` is an array of what `f_adjoint` takes as its seed, and the adjoints of each
/// parameter are an array of its buffers, one for each seed, which are added to:
///
/// ```text
/// #[gradient(seeds)]
/// fn polar(r: f64, phi: f64) -> (f64, f64) { (r * phi.cos(), r * phi.sin()) }
///
/// let (mut dr, mut dphi) = ([0.0; 2], [0.0; 2]);
/// let rows = [(1.0, 0.0), (0.0, 1.0)];
/// polar_vjp_n(&mut tape, 2.0, 0.0, rows, dr.each_mut(), dphi.each_mut());
/// ```
///
/// Functions under `#[gradient]` that it calls need `seeds` as well. Each seed's adjoints are what `f_adjoint` adds for
/// it, with the same bits where both add in the same order: loops are not transformed as far.
///
/// # What the sweeps do
///
/// The documentation of `f_grad` has a section of this name: what each loop records, and how many bytes that takes per
/// iteration (where the types say; addresses count as 64 bits), what is restored and what is computed again, and which
/// of the transformations below apply. To see also why the others do not, compile with `RETROGRADE_DUMP=f:explain`.
///
/// # Transformations
///
/// What makes the sweeps fast can be switched off by name, to measure what it gains or to find out what is at fault:
/// `#[gradient(no(strips, bulk))]`; `no(all)` switches off all. The value keeps its bits; in the gradient, sums may be
/// added in another order.
///
/// | name | what it does |
/// |---|---|
/// | `reslice` | inner loops run on slices of just the elements that they touch, so that indices need no checks |
/// | `lanes` | sums in adjoints are collected for a block of iterations and then added array by array |
/// | `wide` | bodies that are arithmetic run on several iterations at once, in SIMD lanes, instead of filling rows |
/// | `gather` | sums in neighbouring elements of an adjoint are added in one pass over the array |
/// | `combine` | what neighbouring elements get in an adjoint is one sum, in which iterations share factors |
/// | `jam` | iterations of an outer loop run together in one inner loop |
/// | `hoist` | factors of adjoints that no row of a jammed loop changes are taken out of the loop over its rows |
/// | `terms` | what a jammed loop adds up is computed for four columns of a row at once |
/// | `defer` | outer products for the adjoint of a matrix wait, and those of several iterations are added at once |
/// | `assign` | an adjoint whose first use writes all of it is assigned, not cleared and added to |
/// | `inline` | small functions of the same module are inlined where loops call them |
/// | `unroll` | short loops of known length are written out |
/// | `scalars` | the elements of short arrays, and the parts of tuples, are variables of their own |
/// | `induction` | counters that loops add to are computed from the counters of the loops |
/// | `motion` | what has one value in all iterations is computed in front of the loop |
/// | `speculate` | conditions inside of branches are evaluated before them; what all arms write last is written once |
/// | `rename` | values that straight-line code gives to one number are variables of their own |
/// | `preallocate` | lists that loops fill have their lengths before, and elements are stored, not pushed |
/// | `replay` | scalars that a loop carries run again in its reverse, which then runs forwards, instead of recorded |
/// | `recompute` | cheap values are computed again in the reverse sweep instead of recorded |
/// | `cut` | what is recorded and what recomputed is chosen by a minimum cut, for the fewest bytes |
/// | `last` | of a variable that is written under a condition the last index is kept, not a flag per iteration |
/// | `ahead` | what loops overwrite ahead of all reads is not saved, and elements beside it are read again |
/// | `outputs` | what a call wrote through `&mut` is saved and put back only if the reverse sweep reads it |
/// | `bulk` | what a loop overwrites is saved in front of it, in one copy |
/// | `fuse` | an iteration runs forward and in reverse at once where its adjoint is known before the loop |
/// | `forward_order` | reverse loops that carry nothing from iteration to iteration run forwards |
/// | `interchange` | loops around an innermost one change places where its runs add to rows that overlap |
/// | `strips` | loops of known length reserve the tape for all their records |
/// | `tiles` | time loops compute rows on the tape, or keep few and run the others again in tiles that fit the cache |
/// | `factors` | signs and powers of two in adjoints cancel, and divisions by one root multiply by its inverse |
/// | `sink` | what adds nothing where a branch does nothing is added in the branch |
/// | `mul_add` | adjoints are added up with `mul_add` where the target has it in hardware |
/// | `recycle` | vectors that the reverse sweep is done with are used again, not given back to the allocator |
///
/// The environment variable `RETROGRADE_NO` (`RETROGRADE_NO=strips,bulk cargo build`) does the same for every function
/// that is compiled while it is set. Cargo compiles again what the variable changes where `retrograde` itself is a path
/// dependency; elsewhere, touch the crate, or give each value a target directory of its own (`CARGO_TARGET_DIR`).
///
/// With `RETROGRADE_VERIFY=1` the macro verifies both sweeps behind each of its passes, and not at the end alone;
/// `RETROGRADE_DUMP=f:after` prints them there. What the verifier finds is a mistake of the macro: please report it.
#[proc_macro_attribute]
pub fn gradient(arguments: TokenStream, item: TokenStream) -> TokenStream {
    surroundings::refresh();
    let (arguments, item): (proc_macro2::TokenStream, proc_macro2::TokenStream) =
        (arguments.into(), item.into());
    let as_written = item.clone();
    written(
        std::panic::catch_unwind(|| pipeline::expand(arguments, item))
            .unwrap_or_else(|_| pipeline::panicked(&as_written)),
    )
}

/// Makes a type of one's own differentiable: writes the type of its tangent, and what both implement.
///
/// For `struct S` it adds `struct STangent` with the same fields, each of the type of its tangent, and of the same
/// visibility. It is what `f_grad` returns for a parameter `S` or `&S`, and what `f_adjoint` takes.
///
/// | field | its tangent |
/// |---|---|
/// | `f64`, `f32` | the same |
/// | an array, a tuple, `Vec`, `Option`, `Box` | the same of tangents |
/// | a type that is `Differentiable` | its tangent |
/// | `&'a T` (`&'a [f64]`, `&'a f64`) | that of `T`, which owns its numbers: `Vec<f64>`, `f64` |
/// | integers, `bool`, `char`, strings, `PhantomData` | `()` |
/// | `#[constant] field: T`, whatever `T` is | `()` |
///
/// The tangent is a `Tangent` (sums, factors, scalar products), `Debug`, `Clone`, `PartialEq`; `Copy` if its fields
/// are; `FixedShape` and `Default` if the type says the lengths of all arrays. Of the type's parameters it has those
/// that its fields mention, without the lifetimes (but where type parameters stand beside them). `&mut` fields are
/// refused: a copy of such a struct would not have numbers of its own.
///
/// An optimiser's `step` moves all fields but those that are shared references; it panics where their tangent is not
/// zero.
///
/// The tangent of `enum E` is `enum ETangent` with the same variants; a value has the tangents of its own variant. Sums
/// and products of different variants panic. The tangent of an enum without data is `()`.
///
/// # Arguments
///
/// - `#[differentiable(tangent = Name)]` names the tangent.
/// - `#[differentiable(tangent = Self)]` makes the type its own tangent, so that the arithmetic that is defined for it
///   works on gradients. It needs `Clone`. All fields have to be their own tangents: floats, containers of them, types
///   with `tangent = Self`; beside them, `PhantomData`.
/// - `#[differentiable(flat = false)]`: without `Flat`, the list of the numbers for optimisers, which is otherwise
///   implemented for the type and the tangent.
/// - `#[differentiable(schema = false)]`: without the macro of the type's name by which functions find its definition,
///   so that loops over its fields are transformed. For a type whose name is that of a macro or derive in scope.
/// - `#[differentiable(crate = path)]` says where the facade crate is found.
///
/// # Errors
///
/// A field of a type that has no tangent is a compile error at the field: derive it for that type, or mark the field
/// `#[constant]`. So is a union.
///
#[proc_macro_derive(Differentiable, attributes(differentiable, constant))]
pub fn derive_differentiable(item: TokenStream) -> TokenStream {
    surroundings::refresh();
    written(derive::differentiable(item.into()))
}

/// The schemas of types, handed back to a function that asked for them. Generated code alone calls it.
#[doc(hidden)]
#[proc_macro]
pub fn __with_schemas(tokens: TokenStream) -> TokenStream {
    surroundings::refresh();
    let tokens: proc_macro2::TokenStream = tokens.into();
    written(
        std::panic::catch_unwind(|| schema::answered(tokens))
            .unwrap_or_else(|_| pipeline::panicked(&proc_macro2::TokenStream::new())),
    )
}

/// The schemas of the types of fields, handed back to the derive of their owner. Generated code alone calls it.
#[doc(hidden)]
#[proc_macro]
pub fn __define_schema(tokens: TokenStream) -> TokenStream {
    surroundings::refresh();
    written(schema::answered_for_fields(tokens.into()))
}

/// Makes an argument of a function, for functions with `#[gradient]` that take one.
///
/// `differentiable!(path)`, of a function with `#[gradient]`, or `differentiable!(|x: f64| …)`. What the closure
/// captures counts as constant. The types of its parameters and of its result are written, where they are not `f64`.
/// If the facade crate has another name: `differentiable!(crate = path; …)`.
#[proc_macro]
pub fn differentiable(tokens: TokenStream) -> TokenStream {
    surroundings::refresh();
    let tokens: proc_macro2::TokenStream = tokens.into();
    written(
        std::panic::catch_unwind(|| functions::literal(tokens))
            .unwrap_or_else(|_| pipeline::panicked(&proc_macro2::TokenStream::new())),
    )
}

/// Makes a type one that can be copied field by field, whatever its `Clone` does.
///
/// `#[derive(Differentiable)]` includes it: this one is for types that implement `Differentiable` by hand, and for
/// those without a derivative that a differentiated function moves or clones.
///
/// Each field has to be `Duplicate`; one that is not is marked `#[constant]`, and has to be `Copy` or a record. Where
/// it is neither, or `clone` is called, which compares all fields, the sweeps panic. Each type parameter `T` in a field
/// must be `Duplicate`.
///
/// `#[duplicate(crate = path)]` says where the facade crate is found.
///
/// # Errors
///
/// A field that cannot be copied is a compile error at the field; so are `&mut` fields and unions.
///
#[proc_macro_derive(Duplicate, attributes(duplicate, constant))]
pub fn derive_duplicate(item: TokenStream) -> TokenStream {
    surroundings::refresh();
    written(derive::duplicate(item.into()))
}

/// Makes a record of a struct or an enum whose fields are records: it can lie on a tape.
///
/// The fields lie on the tape side by side, without padding, in an enum after the number of the variant (one byte, up
/// to 255 variants). If all fields have a fixed size, so has the record (`Encoding::FIXED`), and it can lie in tiles.
/// Nothing is asked of the fields but that they are records: neither `Copy` nor `Clone` (of those of a
/// `#[repr(packed)]` struct, `Copy`).
///
/// Each type parameter `T` in a field must be a `Record` (behind `PhantomData`, it need not). A type that holds values
/// of itself, such as `enum List { End, Item(f64, Box<List>) }`, is of variable size; it is read by recursion.
///
/// The generated code contains no `unsafe`, so crates that forbid it can derive.
///
/// **Invariants.** A pop in the wrong order makes a value of whatever bytes are there. Each field is then a valid value
/// of its type or the pop panics, but nothing checks what the type itself promises about its fields. So do not derive
/// for a type on whose private fields unsafe code relies.
///
/// `#[record(crate = path)]` says where the facade crate is found.
///
/// # Errors
///
/// A field that is no record (a reference, a handle) is a compile error at the field; so is a union.
///
#[proc_macro_derive(Record, attributes(record))]
pub fn derive_record(item: TokenStream) -> TokenStream {
    surroundings::refresh();
    written(derive::record(item.into()))
}

/// Gives a function that has no `#[gradient]` a derivative: the user's own.
///
/// `#[derivative_of(path::g)]` stands on a function that says how `g` is differentiated, its *rule*. Functions with
/// `#[gradient]` then call `g`, if the rule is in scope where they call it. It has one of two forms.
///
/// - **Adjoints**: `fn rule(arguments of g…, seed, adjoints…)` adds to each adjoint what the seed, which is the adjoint
///   of the result, contributes: `*dx += seed * ∂g/∂x`.
/// - **Partials**, where `g` takes floats and returns one: `fn rule(arguments of g…) -> f64` returns the derivative, or
///   a tuple of the partial derivatives in the order of the arguments.
///
/// | parameter of the rule | what it gets |
/// |---|---|
/// | an argument of `g` | what `g` was called with, whatever happened to it since |
/// | an integer, `bool`, or `#[constant] n: T` | the same; it has no adjoint and no partial |
/// | `#[in_out] x: &T`, where `g` takes `x: &mut T` | what `g` found there |
/// | `#[result] y: R` or `y: &R`, in front of the seed | what `g` returned, or left in its in-out argument |
/// | `seed: f64`, `seed: &[f64]`, `seed: &R`; `seed: ()` | the adjoint of the result; `g` returns nothing |
/// | `dx: &mut f64`, `&mut [f64]`, `&mut STangent` | the adjoint of `x`: the rule adds to it |
/// | `dx` of an argument under `#[in_out]` | that of what `g` left there; the rule leaves that of what it found |
///
/// # How a call finds its rule
///
/// The rule declares a hidden type, of its own visibility, with the last name of the path, in the module where the rule
/// stands. A call of `g` finds the type `g` in its scope: in the module of the rule, or by an import of the name from
/// there. So rules are found as all names are. Two of one name in a module are an error, and so are two that globs
/// bring. Where the type is that of another function than the one that is called, the call panics and says so. A second
/// rule in a crate for a path that begins with a crate (`crate::a::g`, `libm::erf`) is an error wherever it stands.
///
/// # Arguments
///
/// `companion = name` names the type, where a module of the name of the function is in the way; `crate = path` says
/// where the facade crate is found.
#[proc_macro_attribute]
pub fn derivative_of(arguments: TokenStream, item: TokenStream) -> TokenStream {
    surroundings::refresh();
    let item: proc_macro2::TokenStream = item.into();
    let as_written = item.clone();
    written(
        std::panic::catch_unwind(|| rule::expand(arguments.into(), item))
            .unwrap_or_else(|_| pipeline::panicked(&as_written)),
    )
}
