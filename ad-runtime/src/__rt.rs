//! What generated code calls. Not a public interface: it changes with the macro crate, to which
//! it is pinned by an exact version.

/// What generated code calls in crates without std.
pub use ::std;

pub use crate::__erased as erased;
pub use crate::__object as object;
pub use crate::__only_method as only_method;
pub use crate::__receivers as receivers;
pub use crate::__through_numbers as through_numbers;
pub use crate::{
    __clones as clones, __copy as copy, __copy_field as copy_field, __elements_of as elements_of,
    __items as items, __kept as kept, __parts_of as parts_of, __same_field as same_field,
};
/// Checks of places.
pub mod ways {
    pub use crate::indices::*;
    pub use crate::ways::*;
}
/// Copies that `Clone` has no part in.
pub mod dynamic {
    pub use crate::dynamic::{
        DynTangent, Dynamic, Keep, Of, OfAnything, OfDifferentiable, OfFlat, OfFlatValue, OfOther,
        closed, incomparable, opened,
    };
}

pub mod duplicate {
    pub use crate::duplicate::choice::*;
}
pub use crate::duplicate::Duplicate;
pub use crate::duplicate::choice::{check_clone, check_clone_from};
/// What `#[derive(Differentiable)]` writes calls of.
pub mod derived {
    pub use crate::derived::{
        IfCopy, IfFixedShape, IfOwnFixedShape, SameAs, may_be_unsized, other_variant, own, own_mut,
        own_ref, stay, unchanged, variants_differ, within,
    };
}

pub use crate::callee::{HasSweeps, Place, Required, Reveals, place, place_behind};

/// Results that are recorded, or computed again.
pub mod again {
    pub use crate::again::{Recorded, again, keep};
}

/// Outputs that reverse sweeps put back, or leave.
pub mod outputs {
    pub use crate::outputs::{Choose, Returned, Says};
}

/// Whether the traits of a type parameter mean what floats do.
pub mod agree {
    pub use crate::__behind_a_reference as behind_a_reference;
    pub use crate::agree::{
        Absent, AbsentBehind, Agreement, Answer, IsAbsent, IsThere, Probe, Sample, answer, yielded,
    };
}

pub use crate::differentiable::Differentiable;
pub use crate::digamma::digamma;
pub use crate::fixed_shape::FixedShape;
pub use crate::flat::Flat;
/// `Result`s, whose halves travel apart.
pub mod fallible {
    pub use crate::fallible::{Fallible, apart, together};
}

/// The sweeps of functions of the crate `libm`, by their names.
pub mod libm {
    pub use crate::libm::*;
}

/// Functions that are arguments.
pub mod functions {
    pub use crate::functions::{Bound, Captures, Function, Sweeps, Text};
}

pub use crate::answer::Answer;
pub use crate::conversion::Conversion;
pub use crate::float::{Float, Integer, Number, Seed, Width, assert_float, mul_add};
pub use crate::float_functions::FloatFunctions;
pub use crate::method::{
    Anywhere, Asked, Called, Exclusive, Given, HasGradient, Holds, InScope, OfLanguage, OfMarked,
    OfTheTrait, OfTheType, OfUnmarked, OutOfScope, Owned, Provided, Receive, ReceiveMut, Same,
    Shared, Sweeps, SweepsMut, SweepsOf, WithTrait, Witness, anywhere, arguments, behind_mut,
    behind_ref, by_mut, by_ref, by_value, check_method, first, in_scope, is_found,
    known_types_alone, like_of, name_of, never, never_mut, receiver, receiver_mut, same_method,
    trait_of, witness, written_by_the_trait, written_by_the_type,
};
pub use crate::no_gradient;

/// The rules of operators on types that the macro does not see.
pub mod operators {
    pub use crate::operators::{
        Add, AddAssign, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Div,
        DivAssign, Mul, MulAssign, Neg, Not, Operator, Rem, RemAssign, Shl, ShlAssign, Shr,
        ShrAssign, Sub, SubAssign, UnaryOperator, reverse, reverse_unary,
    };
}
pub use crate::record::{Either, Record, fields};
pub use crate::rules;
use crate::shape::{ShapeError, check_all, check_each};
pub use crate::tangent::Tangent;
pub use crate::tape::{
    Mark, Rewind, Site, StripRecords, Tape, TapeError, TileMut, TileRef, catch_tape_error,
    report_tape_error, with_tape,
};

pub use crate::kernels::assignment::{
    FORWARD, GRADIENT, JOINT, REVERSE, begin, begin_all, clear_around,
};
pub use crate::kernels::column_panels::{
    Corners, Matrix, MatrixMut, PANEL, load_panel, panel_height, store_panel, store_panel_end,
};
pub use crate::kernels::contracts;
pub use crate::kernels::contribution_rows::ContributionRows;
pub use crate::kernels::contributions::{
    AHEAD, Contributions, MAX_BLOCK, MAX_SHIFT, add_row, gather, gather_anew, gather_ends,
    gather_rest, sub_row,
};
pub use crate::kernels::index::{At, Ix, less, outside, room, seldom, trips, written};
pub use crate::kernels::mirrored::{Mirrored, MirroredMut, add_row_mirrored, sub_row_mirrored};
pub use crate::kernels::products::Products;
pub use crate::kernels::reductions::{PARTIAL, sum, sum_row, total};
pub use crate::kernels::row_lists::{ListCorners, ListMatrix, ListMatrixMut, list_rows_mut};
pub use crate::kernels::search::{Greater, GreaterOrEqual, Less, LessOrEqual, search};
pub use crate::kernels::time_tiling::{Stencil, forward_tiles, reverse_tiles};
pub use crate::kernels::transpose4::{
    F32x4, F64x4, FOUR, Vector4, add_transposed, load4, splat4, sub_transposed,
};
pub use crate::kernels::windows::{
    arrays_mut, element, exists, groups, groups_mut, rows, rows_mut, view, view_mut, views_mut,
    within,
};

/// Numbers of several iterations side by side.
pub mod simd {
    pub use crate::kernels::simd::{
        Element, Near, Simd, Waiting, add, cells, div_lhs, div_lhs_by, div_rhs, div_rhs_by,
        goes_on, inverse, load, mul_add, number, recip, sqrt, sqrt_by, sqrt_times, store, sub,
    };
}

/// Adjoints that nobody reads. Generated code imports the traits where it calls them, since methods of the user's could
/// have the same name.
pub mod unwanted {
    pub use crate::unwanted::{OfConstant, OfReference, OfValue, Unwanted};
}

/// Names of methods that std has, for the check that no trait in scope has them first.
pub mod std_names {
    pub use crate::std_names::{
        Behind, ByValue, Chain, Exclusive, NoArray, NoBox, NoSlice, NoVector, OfChains, OfSlices,
        Otherwise, Receiver, Shared, is_of_std,
    };
}

/// Sweeps for several seeds.
pub mod seeds {
    pub use crate::seeds::{Lend, apart};
}

#[cfg(feature = "rayon")]
pub mod parallel {
    pub use crate::parallel::{Part, ranges, run, split, workers};
}

pub use crate::spare::{recycle, zeros};

/// The zero tangent of the shape of `value`.
#[inline(always)]
pub fn zero<T: Differentiable + ?Sized>(value: &T) -> T::Tangent {
    value.zero_tangent()
}

/// `dst += src`.
///
/// # Panics
///
/// If the shapes differ.
#[inline(always)]
pub fn accumulate<T: Tangent + ?Sized>(dst: &mut T, src: &T) {
    dst.accumulate(src);
}

/// Compares the length of an argument with that of its gradient buffer (`kind` names it:
/// `"gradient"`, `"adjoint"`).
///
/// # Panics
///
/// If they differ; the text names the argument and both lengths.
#[inline(always)]
#[track_caller]
pub fn check_len(arg: &'static str, kind: &'static str, value_len: usize, buffer_len: usize) {
    if let Err(error) = ShapeError::compare_lengths(value_len, buffer_len) {
        mismatch(arg, kind, &error);
    }
}

/// Compares the shape of an argument with that of its gradient buffer.
///
/// # Panics
///
/// If they differ; the text names the argument, the place in it, and both lengths, or which of them is `None`.
#[inline(always)]
#[track_caller]
pub fn check_shape<T: Differentiable + ?Sized>(
    arg: &'static str,
    kind: &'static str,
    value: &T,
    buffer: &T::Tangent,
) {
    if let Err(error) = value.check_shape(buffer) {
        mismatch(arg, kind, &error);
    }
}

/// As [`check_shape`], for a buffer that is a slice.
///
/// # Panics
///
/// If the shapes differ.
#[inline(always)]
#[track_caller]
pub fn check_slice<T: Differentiable>(
    arg: &'static str,
    kind: &'static str,
    values: &[T],
    buffer: &[T::Tangent],
) {
    if let Err(error) = check_all(values, buffer) {
        mismatch(arg, kind, &error);
    }
}

/// As [`check_shape`], for a queue, whose buffer is a slice.
///
/// # Panics
///
/// If the shapes differ.
#[inline(always)]
#[track_caller]
pub fn check_queue<T: Differentiable>(
    arg: &'static str,
    kind: &'static str,
    values: &::std::collections::VecDeque<T>,
    buffer: &[T::Tangent],
) {
    if let Err(error) = check_each(values.len(), values.iter(), buffer) {
        mismatch(arg, kind, &error);
    }
}

/// Compares the shape of what a function returns with that of the seed.
///
/// # Panics
///
/// If they differ.
#[inline(always)]
#[track_caller]
pub fn check_seed<R: Differentiable>(function: &'static str, result: &R, seed: &R::Tangent) {
    if let Err(error) = result.check_shape(seed) {
        seed_mismatch(function, &error);
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn mismatch(arg: &str, kind: &str, error: &ShapeError) -> ! {
    error.raise(
        format_args!("argument `{arg}`"),
        format_args!("its {kind} buffer"),
    );
}

#[cold]
#[inline(never)]
#[track_caller]
fn seed_mismatch(function: &str, error: &ShapeError) -> ! {
    error.raise(
        format_args!("the result of `{function}`"),
        format_args!("its seed"),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_lengths_pass() {
        check_len("w", "gradient", 3, 3);
    }

    #[test]
    #[should_panic(expected = "argument `w` has length 3, but its gradient buffer has length 4")]
    fn a_length_mismatch_names_the_argument_and_both_lengths() {
        check_len("w", "gradient", 3, 4);
    }

    #[test]
    #[should_panic(
        expected = "argument `w` has length 1 at `[1].0`, but its adjoint buffer has length 2 there; they must be equal"
    )]
    fn a_mismatch_inside_names_the_place() {
        let buffer = [(vec![], ()), (vec![0.0; 2], ())];
        check_slice("w", "adjoint", &[(vec![], 'a'), (vec![1.0], 'b')], &buffer);
    }

    #[test]
    #[should_panic(
        expected = "argument `w` is `Some`, but its adjoint buffer is `None`; they must be alike"
    )]
    fn what_is_missing_is_named() {
        check_shape("w", "adjoint", &Some(1.0), &None);
    }

    #[test]
    #[should_panic(
        expected = "the result of `f` has length 2 at `.1`, but its seed has length 0 there"
    )]
    fn a_seed_has_the_shape_of_the_result() {
        check_seed("f", &(1, vec![1.0; 2]), &((), vec![]));
    }

    #[test]
    fn zero_and_accumulate_follow_the_value() {
        let x = vec![1.0, 2.0];
        let mut bar = zero(&x);
        accumulate(&mut bar, &x);
        accumulate(bar.as_mut_slice(), &x);
        assert_eq!(bar, [2.0, 4.0]);
    }
}
