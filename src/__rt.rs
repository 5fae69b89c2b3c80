//! The surface that generated code uses.

pub use ad_runtime::__rt::{
    Conversion, Differentiable, Duplicate, Either, FixedShape, Flat, Float, FloatFunctions, Number,
    Record, Rewind, Seed, Site, StripRecords, Tangent, Tape, TapeError, Width, accumulate, again,
    agree, catch_tape_error, check_clone, check_clone_from, check_len, check_queue, check_seed,
    check_shape, check_slice, derived, fallible, fields, functions, libm, no_gradient, operators,
    outputs, recycle, seeds, std_names, unwanted, with_tape, zero, zeros,
};

/// Copies that `Clone` has no part in.
pub use ad_runtime::__rt::{clones, copy, copy_field, same_field};

/// Functions, and where their sweeps are.
pub use ad_runtime::__rt::{HasSweeps, Place, Required, Reveals, place, place_behind};

/// For special functions.
#[cfg(feature = "special")]
pub(crate) use ad_runtime::__rt::digamma;

/// Checks of places.
pub use ad_runtime::__rt::{elements_of, items, kept, parts_of};

/// Methods and their receivers.
pub use ad_runtime::__rt::{
    Asked, Called, Exclusive, Given, HasGradient, InScope, OfLanguage, OfTheTrait, OfTheType,
    Owned, Provided, Shared, Sweeps, SweepsMut, SweepsOf, WithTrait, Witness, anywhere,
    check_method, dynamic, erased, known_types_alone, like_of, name_of, never, never_mut, object,
    only_method, receiver, receiver_mut, receivers, same_method, through_numbers, witness,
    written_by_the_trait, written_by_the_type,
};

/// Definitions of types.
pub use ad_macros::{__define_schema, __with_schemas};
pub use ad_runtime::__rt::ways::{
    IndexType, Known, index_by, known, leads_to, shown_as_option, shown_as_queue, shown_as_vec,
};

/// The kernels.
pub use ad_runtime::__rt::{
    AHEAD, At, ContributionRows, Contributions, Corners, F32x4, F64x4, FORWARD, FOUR, GRADIENT,
    Greater, GreaterOrEqual, Ix, JOINT, Less, LessOrEqual, ListCorners, ListMatrix, ListMatrixMut,
    MAX_BLOCK, MAX_SHIFT, Matrix, MatrixMut, Mirrored, MirroredMut, PANEL, PARTIAL, Products,
    REVERSE, Stencil, Vector4, add_row, add_row_mirrored, add_transposed, arrays_mut, begin,
    begin_all, clear_around, element, exists, forward_tiles, gather, gather_anew, gather_ends,
    gather_rest, groups, groups_mut, less, list_rows_mut, load_panel, load4, outside, panel_height,
    reverse_tiles, room, rows, rows_mut, search, seldom, simd, splat4, store_panel,
    store_panel_end, sub_row, sub_row_mirrored, sub_transposed, sum, sum_row, total, trips, view,
    view_mut, views_mut, within, written,
};

#[cfg(feature = "rayon")]
pub use ad_runtime::__rt::parallel;

/// The macro reads this variable. Named here, it is a dependency that cargo knows of: when it changes, this crate is
/// compiled again, and so is what depends on it.
const _: Option<&str> = option_env!("RETROGRADE_NO");

pub use crate::list::List;
pub use ad_runtime::__rt::std;

/// The macros that a body can use, for the check that their names mean these.
pub mod std_macros {
    pub use ::std::{
        assert, assert_eq, assert_ne, cfg, column, concat, debug_assert, debug_assert_eq,
        debug_assert_ne, env, eprint, eprintln, file, format, include_str, line, matches,
        module_path, option_env, print, println, stringify, todo, unimplemented, unreachable, vec,
    };
}

/// The derivative rules, and what generated code needs beside them.
pub mod rules {
    pub use ad_runtime::rules::*;

    pub use ad_runtime::__rt::mul_add;
    use ad_runtime::__rt::{Answer, Float, Integer, Number};

    #[cfg(feature = "rayon")]
    pub use ad_runtime::__rt::parallel::workers;

    /// The value as it is; only the numbers of the language have it, whose methods are known.
    #[inline(always)]
    pub fn number<N: Number>(value: N) -> N {
        value
    }

    /// The value as it is; only integers have it, which carry no derivative.
    #[inline(always)]
    pub fn integer<N: Integer>(value: N) -> N {
        value
    }

    /// The value as it is; only what has the element in its adjoint, too.
    #[inline(always)]
    pub fn position<P: super::Position>(at: P) -> P {
        at
    }

    /// The value as it is; only what carries no derivative has it, such as an order.
    #[inline(always)]
    pub fn answer<A: Answer>(value: A) -> A {
        value
    }

    /// The seed as it is; only floats have it, so arithmetic on a type that the macro could not see is a
    /// compile error unless the type is a float.
    #[inline(always)]
    pub fn float<F: Float>(seed: F) -> F {
        seed
    }

    /// The adjoint of a number, of a type that the macro could not see, from that of its cast to a float: none for an
    /// integer, `bool` or `char`.
    #[inline(always)]
    pub fn uncast<F: Float, T: Uncast<F>>(seed: F) -> T {
        T::uncast(seed)
    }

    /// What the adjoint of a cast to `F` becomes.
    #[diagnostic::on_unimplemented(
        message = "retrograde cannot differentiate this cast",
        label = "the operand is no primitive number",
        note = "annotate its type with `let x: T = …`"
    )]
    pub trait Uncast<F> {
        #[doc(hidden)]
        fn uncast(seed: F) -> Self;
    }

    macro_rules! uncast {
        ($($from:ident to $to:ty, $seed:pat => $value:expr;)*) => {$(
            impl Uncast<$from> for $to {
                #[inline(always)]
                fn uncast($seed: $from) -> Self {
                    $value
                }
            }
        )*};
    }

    uncast! {
        f32 to f32, seed => seed;
        f64 to f64, seed => seed;
        f32 to f64, seed => f64::from(seed);
        f64 to f32, seed => seed as f32;
        f32 to (), _ => ();
        f64 to (), _ => ();
    }
}

/// What elements are taken from by index where the text iterates.
#[diagnostic::on_unimplemented(
    message = "retrograde does not know how to iterate over `{Self}`",
    label = "this is no slice, array or `Vec`",
    note = "copy the elements into a `Vec` outside of the function, or loop over an index"
)]
pub trait Sequence {}

impl<T> Sequence for [T] {}
impl<T, const N: usize> Sequence for [T; N] {}
impl<T> Sequence for Vec<T> {}
impl<T> Sequence for std::collections::VecDeque<T> {}
impl<S: Sequence + ?Sized> Sequence for &S {}
impl<S: Sequence + ?Sized> Sequence for &mut S {}
impl<S: Sequence + ?Sized> Sequence for Box<S> {}
impl<S: Sequence + ?Sized> Sequence for std::rc::Rc<S> {}
impl<S: Sequence + ?Sized> Sequence for std::sync::Arc<S> {}
impl<S: Sequence, F: FnOnce() -> S> Sequence for std::sync::LazyLock<S, F> {}

/// What an alias of `Result` stands for, by its name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no `Result`, and the text of the package declares an alias of one under this name",
    label = "the name means something else here",
    note = "write `Result<…>` here, or give the alias another name"
)]
pub trait Outcome {
    type Error;
}

impl<T, E> Outcome for Result<T, E> {
    type Error = E;
}

/// What slices, arrays and `Vec` have elements at.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no position of an element: an `Index` by a type of one's own may lead anywhere",
    label = "the element that is written may be another one than that which is read",
    note = "index with the `usize` that it stands for, or write a method under `#[gradient]` that returns the element"
)]
pub trait Position {}

impl Position for usize {}

/// Compiles only for what has elements in the order of their indices.
#[inline(always)]
pub fn require_sequence<S: Sequence + ?Sized>(_: &S) {}

/// What generated code takes the content of, where its adjoint is the content of the adjoint: no other `Deref`.
#[diagnostic::on_unimplemented(
    message = "the derivative of what `{Self}` dereferences to is not known",
    label = "only references and `Box` are dereferenced in differentiated code",
    note = "read a field, or write a function with `#[gradient]` that takes the `{Self}`"
)]
pub trait IsBox {}

impl<T: ?Sized> IsBox for Box<T> {}

/// Compiles only for a `Box`.
#[inline(always)]
pub fn require_box<B: IsBox>(_: &B) {}

/// What generated code takes the content of more than once.
#[diagnostic::on_unimplemented(
    message = "what `{Self}` dereferences to may be another value each time",
    label = "only references, `Box`, `Rc` and `Arc` are dereferenced as places",
    note = "bind the value first, `let value = *pointer;`"
)]
pub trait IsPointer {}

impl<T: ?Sized> IsPointer for &T {}
impl<T: ?Sized> IsPointer for &mut T {}
impl<T: ?Sized> IsPointer for Box<T> {}
impl<T: ?Sized> IsPointer for std::rc::Rc<T> {}
impl<T: ?Sized> IsPointer for std::sync::Arc<T> {}

/// Compiles only for a pointer of std's.
#[inline(always)]
pub fn require_pointer<P: IsPointer>(_: &P) {}

/// What has the methods that the compiler takes for those of `Vec`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no `Vec`",
    label = "`push`, `pop`, `clear` and `truncate` are read as methods of `Vec` here",
    note = "a method of your own type is called by its path: `S::push(&mut s, x)`"
)]
pub trait IsVec {}

impl<T> IsVec for Vec<T> {}

/// Compiles only for a `Vec`.
#[inline(always)]
pub fn require_vec<V: IsVec>(_: &V) {}

/// What has the methods that the compiler takes for those of `VecDeque`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no `VecDeque`",
    label = "what is pushed and popped at both ends is read as a queue of std's here",
    note = "a method of your own type is called by its path: `S::push_back(&mut s, x)`"
)]
pub trait IsQueue {}

impl<T> IsQueue for ::std::collections::VecDeque<T> {}

/// Compiles only for a `VecDeque`.
#[inline(always)]
pub fn require_queue<Q: IsQueue>(_: &Q) {}

/// What has the methods that the compiler takes for those of `Option`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no `Option`",
    label = "`unwrap`, `expect` and `unwrap_or` are read as methods of `Option` here",
    note = "a method of your own type is called by its path: `S::unwrap_or(&s, x)`"
)]
pub trait IsOption {}

impl<T> IsOption for Option<T> {}

/// Compiles only for an `Option`.
#[inline(always)]
pub fn require_option<O: IsOption>(_: &O) {}

/// What a closure that names it does not take out of its variable.
#[diagnostic::on_unimplemented(
    message = "a closure may take a `{Self}` by value, while its variable is assigned again",
    label = "only what is `Copy` is certainly left in its variable",
    note = "give the closure a reference, or assign the new value to another variable"
)]
pub trait IsCopy {}

impl<T: Copy> IsCopy for T {}

/// Compiles only for what is `Copy`.
#[inline(always)]
pub fn require_copy<C: IsCopy>(_: &C) {}

/// The result of `Box::new`, if that is std's.
#[inline]
pub fn std_box<T: ?Sized>(made: Box<T>) -> Box<T> {
    made
}

/// A vector as a slice in a box.
#[inline]
pub fn boxed_slice<T>(values: Vec<T>) -> Box<[T]> {
    values.into_boxed_slice()
}

/// Has rustc infer one type for two variables.
#[inline(always)]
pub const fn same_type<T>(_: &Option<T>, _: &T) {}

/// Panics if `callee`, which the caller names, is not `own`, whose sweeps run: a plain function then shadows
/// the name of a function with `#[gradient]`, and the gradient would be that of another function.
#[inline(always)]
pub fn check_callee<F: 'static, G: 'static>(_callee: &F, _own: &G) {
    if core::any::TypeId::of::<F>() != core::any::TypeId::of::<G>() {
        shadowed(core::any::type_name::<F>(), core::any::type_name::<G>());
    }
}

/// Whether a generator of random numbers that a function draws from is one of `rand`'s, or of a crate beside it: the
/// sweeps do not bring its state back, of which the caller may read nothing but the numbers.
///
/// # Panics
///
/// If it is not.
#[inline(always)]
pub fn check_generator<R: ?Sized>(_generator: &mut R) {
    let name = core::any::type_name::<R>();
    if !is_of_rand(name) {
        unknown_generator(name);
    }
}

const CRATES_OF_RAND: &[&str] = &[
    "rand",
    "rand_chacha",
    "rand_core",
    "rand_hc",
    "rand_isaac",
    "rand_mt",
    "rand_pcg",
    "rand_sfc",
    "rand_xorshift",
    "rand_xoshiro",
];

/// Whether the type of this name is of `rand`'s crates, behind references.
fn is_of_rand(name: &str) -> bool {
    let name = name.trim_start_matches("&mut ");
    let krate = name.split_once("::").map(|(krate, _)| krate);
    krate.is_some_and(|krate| CRATES_OF_RAND.contains(&krate))
}

#[cold]
#[inline(never)]
fn unknown_generator(name: &str) -> ! {
    panic!(
        "a generator of random numbers of the type `{name}` is passed to a function with `#[gradient]`, whose sweeps \
         do not bring its state back: pass one of `rand` or of the crates beside it, or the numbers that are drawn"
    )
}

/// As [`check_callee`], of functions with type parameters.
///
/// # Panics
///
/// As [`check_callee`].
#[inline(always)]
pub fn check_callee_by_name<F, G>(_callee: &F, _own: &G) {
    let [callee, own] = [core::any::type_name::<F>(), core::any::type_name::<G>()];
    if callee != own {
        shadowed(callee, own);
    }
}

/// A number for the definition of a function: its text, and the module that gives names in it their meaning.
#[must_use]
pub const fn definition(module: &str, text: u64) -> u64 {
    let (module, mut hash, mut at) = (module.as_bytes(), text, 0);
    while at < module.len() {
        hash = (hash ^ module[at] as u64).wrapping_mul(0x0100_0000_01b3);
        at += 1;
    }
    hash
}

/// Compares the definition of a function, as its companion type has it, with that of a body which stands in its place.
///
/// # Panics
///
/// If they differ: a compile error, where generated code calls it.
pub const fn check_definition(companion: u64, module: &str, text: u64) {
    assert!(
        companion == definition(module, text),
        "`#[gradient]` on this function saw another definition than the text of the file shows. Write \
         `#[gradient(no(inline))]` on the function that calls it."
    );
}

/// Brings the adjoint of a vector to the length of the vector; new elements are zero in the shape of theirs.
pub fn regrow<T: Differentiable>(bar: &mut Vec<T::Tangent>, value: &[T]) {
    while bar.len() < value.len() {
        bar.push(value[bar.len()].zero_tangent());
    }
}

/// The same for a queue, or what the text shows to be neither.
pub fn regrow_of<L: List<Item: Differentiable>>(
    bar: &mut Vec<<L::Item as Differentiable>::Tangent>,
    value: &L,
) {
    while bar.len() < value.length() {
        bar.push(value.item(bar.len()).zero_tangent());
    }
}

#[cold]
#[inline(never)]
fn shadowed(callee: &str, own: &str) -> ! {
    panic!(
        "`{callee}` is called where the sweeps of `{own}` are in scope: a function without `#[gradient]` shadows one \
         that has it. \
         Rename one of the two, or import both from the same place."
    );
}

/// What a variable holds until it is assigned, where an exit in between cuts assignments off.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no default value",
    label = "a variable of this type is assigned on several paths, some of which an early exit cuts off",
    note = "derive `Default` for it, or assign on all paths before the first exit"
)]
pub trait Placeholder: Sized {
    #[doc(hidden)]
    fn placeholder() -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: Default> Placeholder for T {
    #[inline(always)]
    fn placeholder() -> Self {
        T::default()
    }
}

/// A value that nothing reads.
#[inline(always)]
pub fn placeholder<T: Placeholder>() -> T {
    T::placeholder()
}

/// The value as it is. References and cells have no tangent, so they do not pass: what is written through them later
/// would be a write to something else.
#[inline(always)]
pub fn owned<T: Differentiable>(value: T) -> T {
    value
}
