//! What generated code calls. Not a public interface: it changes with the macro crate, to which
//! it is pinned by an exact version.

pub use crate::block_rows::{BlockRows, FRONT};
pub use crate::blocks::{COLUMNS, Corners, Rows, RowsMut, block, height, set_block, set_end};
pub use crate::differentiable::Differentiable;
pub use crate::float::{Float, Number, assert_float, mul_add};
pub use crate::fours::{F32s, F64s, FOUR, Fours, add_terms, four, splat, sub_terms};
pub use crate::lanes::{
    AHEAD, LANES, Lanes, PARTIAL, add_row, gather, gather_anew, gather_ends, gather_rest, sub_row,
    sum_row, total,
};
pub use crate::no_gradient;
pub use crate::products::Products;
pub use crate::record::{Either, Record, fields};
pub use crate::rules;
pub use crate::search::{Greater, GreaterOrEqual, Less, LessOrEqual, search};
pub use crate::slices::{
    At, Ix, element, exists, groups, groups_mut, room, rows, rows_mut, seldom,
};
pub use crate::tangent::Tangent;
pub use crate::tape::{
    Mark, Rewind, Site, StripRecords, Tape, TapeError, TileMut, TileRef, catch_tape_error,
    report_tape_error, with_tape,
};
pub use crate::tiles::{Cells, few_rows, reverse_tiles};

pub use crate::windows::{view, view_mut, views_mut, within};

/// Numbers of several iterations side by side.
pub mod wide {
    pub use crate::wide::{
        Numbers, Wide, add, cells, div_lhs, div_lhs_by, div_rhs, div_rhs_by, goes_on, inverse,
        load, mul_add, number, recip, sqrt, sqrt_by, sqrt_times, store, sub,
    };
}

#[cfg(feature = "rayon")]
pub mod parallel {
    pub use crate::parallel::{Part, ranges, run, split, workers};
}

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
    if value_len != buffer_len {
        length_mismatch(arg, kind, value_len, buffer_len);
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn length_mismatch(arg: &str, kind: &str, value_len: usize, buffer_len: usize) -> ! {
    panic!(
        "retrograde: argument `{arg}` has length {value_len}, but its {kind} buffer has length \
         {buffer_len}; they must be equal"
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
    fn zero_and_accumulate_follow_the_value() {
        let x = vec![1.0, 2.0];
        let mut bar = zero(&x);
        accumulate(&mut bar, &x);
        accumulate(bar.as_mut_slice(), &x);
        assert_eq!(bar, [2.0, 4.0]);
    }
}
