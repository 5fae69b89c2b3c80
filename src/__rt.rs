//! The surface that generated code uses.

pub use ad_runtime::__rt::{
    AHEAD, At, BlockRows, COLUMNS, Cells, Corners, Differentiable, Either, F32s, F64s, FOUR, FRONT,
    Float, Fours, Greater, GreaterOrEqual, Ix, LANES, Lanes, Less, LessOrEqual, Number, PARTIAL,
    Products, Record, Rewind, Rows, RowsMut, Site, StripRecords, Tangent, Tape, TapeError,
    accumulate, add_row, add_terms, block, catch_tape_error, check_len, check_seed, check_shape,
    check_slice, element, exists, few_rows, fields, four, gather, gather_anew, gather_ends,
    gather_rest, groups, groups_mut, height, no_gradient, reverse_tiles, room, rows, rows_mut,
    search, seldom, set_block, set_end, splat, sub_row, sub_terms, sum_row, total, view, view_mut,
    views_mut, wide, with_tape, within, zero,
};

#[cfg(feature = "rayon")]
pub use ad_runtime::__rt::parallel;

/// The macro reads this variable. Named here, it is a dependency that cargo knows of: when it changes, this crate is compiled again,
/// and so is what depends on it.
const _: Option<&str> = option_env!("RETROGRADE_NO");

/// The forward sweep alone: pushes the record of the function.
pub const FORWARD: u8 = 0;
/// The reverse sweep alone: pops it.
pub const REVERSE: u8 = 1;
/// Both, the record staying in locals.
pub const JOINT: u8 = 2;
/// As `JOINT`, for gradients that hold anything: those that the reverse sweep begins are not cleared before.
pub const GRADIENT: u8 = 3;

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
    use ad_runtime::__rt::{Float, Number};

    #[cfg(feature = "rayon")]
    pub use ad_runtime::__rt::parallel::workers;

    /// The value as it is; only the numbers of the language have it, whose methods are known.
    #[inline(always)]
    pub fn number<N: Number>(value: N) -> N {
        value
    }

    /// The seed as it is; only floats have it, so arithmetic on a type that the macro could not see is a
    /// compile error unless the type is a float.
    #[inline(always)]
    pub fn float<F: Float>(seed: F) -> F {
        seed
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

/// Compiles only for what has elements in the order of their indices.
#[inline(always)]
pub fn require_sequence<S: Sequence + ?Sized>(_: &S) {}

/// The sum of the elements.
#[inline]
pub fn sum<F: Float + core::ops::Add<Output = F> + Default>(values: &[F]) -> F {
    values.iter().fold(F::default(), |sum, v| sum + *v)
}

/// Panics if `callee`, which the caller names, is not `own`, whose sweeps run: a plain function then shadows
/// the name of a function with `#[gradient]`, and the gradient would be that of another function.
#[inline(always)]
pub fn check_callee<F: 'static, G: 'static>(_callee: &F, _own: &G) {
    if core::any::TypeId::of::<F>() != core::any::TypeId::of::<G>() {
        shadowed(core::any::type_name::<F>(), core::any::type_name::<G>());
    }
}

/// Brings the adjoint of a vector to the length of the vector; new elements are zero in the shape of theirs.
pub fn regrow<T: Differentiable>(bar: &mut Vec<T::Tangent>, value: &[T]) {
    while bar.len() < value.len() {
        bar.push(value[bar.len()].zero_tangent());
    }
}

#[cold]
#[inline(never)]
fn shadowed(callee: &str, own: &str) -> ! {
    panic!(
        "`{callee}` is called where the sweeps of `{own}` are in scope: a function without `#[gradient]` shadows one that has it. \
         Rename one of the two, or import both from the same place."
    );
}

/// The number of iterations of `lo..=hi`; one less for all numbers that there are.
#[inline(always)]
pub fn trips(lo: usize, hi: usize) -> usize {
    if lo <= hi {
        (hi - lo).saturating_add(1)
    } else {
        0
    }
}

/// The indices that a loop over `lo..hi` (`lo..=hi` if `inclusive`) writes when its index is the counter plus
/// `offset().0` minus `offset().1`, cut to `len`; all, if it wraps around on the way.
#[inline]
pub fn written(
    len: usize,
    lo: usize,
    hi: usize,
    inclusive: bool,
    offset: impl FnOnce() -> (usize, usize),
) -> core::ops::Range<usize> {
    if lo > hi || lo == hi && !inclusive {
        return 0..0;
    }
    let (plus, minus) = offset();
    let first = lo.wrapping_add(plus).wrapping_sub(minus);
    // The last index may be the largest word, and what comes behind it none.
    let trips = (hi - lo).checked_add(usize::from(inclusive));
    match trips.and_then(|trips| first.checked_add(trips)) {
        Some(end) => first.min(len)..end.min(len),
        None => 0..len,
    }
}

/// The first contribution to an element of a gradient that the reverse sweep begins. Where it is added for the caller instead, an element that is zero
/// takes it as it is, so that adding to zeros gives the bits of the gradient, the sign of a zero included.
#[inline(always)]
pub fn begin<const MODE: u8, F>(value: F, element: &mut F)
where
    F: Float + Default + PartialEq + core::ops::AddAssign,
{
    if MODE == GRADIENT || MODE == JOINT && *element == F::default() {
        *element = value;
    } else {
        *element += value;
    }
}

/// The first contribution to all elements.
///
/// # Panics
///
/// If the lengths differ.
#[inline]
pub fn begin_all<const MODE: u8, F>(gradient: &mut [F], values: &[F])
where
    F: Float + Tangent + Default + PartialEq + core::ops::AddAssign,
{
    if (MODE == GRADIENT || MODE == JOINT) && gradient.len() == values.len() {
        for (element, value) in gradient.iter_mut().zip(values) {
            begin::<MODE, F>(*value, element);
        }
    } else {
        gradient.accumulate(values);
    }
}

/// Sets to zero what a nest of loops leaves out that is about to begin one element from `start` on in each of its iterations;
/// all, if there are none or if it would not end well.
#[inline]
pub fn clear_around<const MODE: u8, F: Float + Default>(
    gradient: &mut [F],
    start: usize,
    trips: &[usize],
) {
    if MODE != GRADIENT {
        return;
    }
    // A product that overflows may have a factor of zero; then there are no iterations either.
    let product = |count: usize, trips: &usize| count.checked_mul(*trips);
    let count = trips.iter().try_fold(1, product).unwrap_or(0);
    let end = start
        .checked_add(count)
        .filter(|end| *end <= gradient.len());
    let begun = match end {
        Some(end) if count > 0 => start..end,
        _ => 0..0,
    };
    let (before, rest) = gradient.split_at_mut(begun.start);
    before.fill(F::default());
    rest[begun.len()..].fill(F::default());
}

/// The value as it is. References and cells have no tangent, so they do not pass: what is written through them later
/// would be a write to something else.
#[inline(always)]
pub fn owned<T: Differentiable>(value: T) -> T {
    value
}
