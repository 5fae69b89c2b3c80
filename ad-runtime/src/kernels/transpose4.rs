//! Four numbers side by side: terms of sums along four rows, which are turned into columns to be added in their order.
//!
//! The compiler sees that the terms of neighbouring columns are independent, but where they meet in sums over the
//! columns it takes them apart again, or gathers elements of different rows one by one. Registers named as such stay
//! whole.

#[cfg(any(test, not(target_arch = "x86_64")))]
#[cfg_attr(test, allow(unreachable_pub, reason = "the tests compare both"))]
mod plain;
#[cfg(target_arch = "x86_64")]
mod registers;

use std::ops::{Add, Div, Mul, Neg, Sub};

/// How many numbers stand side by side.
pub const FOUR: usize = 4;

/// What generated code does with four numbers. Each operation is that of the numbers one by one, to the bit.
pub trait Vector4:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The numbers.
    type Number: Copy + Default;

    /// The same number four times.
    fn splat(value: Self::Number) -> Self;

    /// Four neighbours.
    fn load(from: &[Self::Number; FOUR]) -> Self;

    /// The numbers one by one.
    fn store(self, to: &mut [Self::Number; FOUR]);

    /// Of each number the root.
    #[must_use]
    fn sqrt(self) -> Self;

    /// The columns of four rows.
    fn columns(rows: [Self; FOUR]) -> [Self; FOUR];
}

/// The elements from `at` on.
///
/// # Panics
///
/// If there are fewer than four.
#[inline(always)]
#[must_use]
pub fn load4<F: Vector4>(of: &[F::Number], at: usize) -> F {
    let part: &[F::Number; FOUR] = of[at..][..FOUR].try_into().expect("a slice of this length");
    F::load(part)
}

/// The same number four times.
#[inline(always)]
#[must_use]
pub fn splat4<F: Vector4>(value: F::Number) -> F {
    F::splat(value)
}

/// Adds the terms of each row to its sum, column by column. `L` is a multiple of four.
#[inline(always)]
pub fn add_transposed<F: Vector4, const L: usize>(sums: &mut [F::Number; L], terms: &[F; L]) {
    each_column(sums, terms, |sum, term| sum + term);
}

/// Subtracts the terms of each row from its sum, column by column. `L` is a multiple of four.
#[inline(always)]
pub fn sub_transposed<F: Vector4, const L: usize>(sums: &mut [F::Number; L], terms: &[F; L]) {
    each_column(sums, terms, |sum, term| sum - term);
}

#[inline(always)]
fn each_column<F: Vector4, const L: usize>(
    sums: &mut [F::Number; L],
    rows: &[F; L],
    f: impl Fn(F, F) -> F,
) {
    const { assert!(L.is_multiple_of(FOUR)) };
    let (sums, _) = sums.as_chunks_mut::<FOUR>();
    let (rows, _) = rows.as_chunks::<FOUR>();
    for (sums, rows) in sums.iter_mut().zip(rows) {
        // Written out, as iterators over arrays are not inlined in every build.
        let [first, second, third, fourth] = F::columns(*rows);
        f(f(f(f(F::load(sums), first), second), third), fourth).store(sums);
    }
}

#[cfg(not(target_arch = "x86_64"))]
pub use plain::{F32x4, F64x4};
#[cfg(target_arch = "x86_64")]
pub use registers::{F32x4, F64x4};

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! of_each_type {
        ($test:ident $vector:ident $number:ident) => {
            #[test]
            fn $test() {
                let special: [$number; 8] = [
                    $number::INFINITY,
                    -0.0,
                    $number::MIN_POSITIVE / 4.0,
                    $number::MAX,
                    0.1,
                    -3.0,
                    2.0,
                    7.5e-3,
                ];
                let one_by_one = |wide: $vector, f: &dyn Fn(usize) -> $number| {
                    let mut found: [$number; FOUR] = [0.0; FOUR];
                    wide.store(&mut found);
                    for (k, found) in found.into_iter().enumerate() {
                        let same = found.to_bits() == f(k).to_bits();
                        assert!(same || found.is_nan() && f(k).is_nan(), "{found} {k}");
                    }
                };
                for at in 0..=4 {
                    for other in 0..=4 {
                        let (x, y) = (&special[at..], &special[other..]);
                        let a = load4::<$vector>(&special, at);
                        let b = load4::<$vector>(&special, other);
                        one_by_one(a + b, &|k| x[k] + y[k]);
                        one_by_one(a - b, &|k| x[k] - y[k]);
                        one_by_one(a * b, &|k| x[k] * y[k]);
                        one_by_one(a / b, &|k| x[k] / y[k]);
                        one_by_one(-a, &|k| -x[k]);
                        one_by_one(a.sqrt(), &|k| x[k].sqrt());
                        one_by_one(splat4(x[0]), &|_| x[0]);
                    }
                }
                let entry = |row: usize, column: usize| (10 * row + column) as $number / 3.0;
                let rows: [[$number; FOUR]; 8] =
                    std::array::from_fn(|row| std::array::from_fn(|column| entry(row, column)));
                let terms = rows.map(|row| $vector::load(&row));
                let mut sums: [$number; 8] = [1e-3; 8];
                add_transposed(&mut sums, &terms);
                let want = |row: usize| (0..FOUR).fold(1e-3, |s, column| s + entry(row, column));
                assert_eq!(sums, std::array::from_fn(want));
                sub_transposed(&mut sums, &terms);
                let want =
                    |row: usize| (0..FOUR).fold(want(row), |s, column| s - entry(row, column));
                assert_eq!(sums, std::array::from_fn(want));
            }
        };
    }
    of_each_type!(doubles F64x4 f64);
    of_each_type!(singles F32x4 f32);

    mod in_arrays {
        use super::super::plain::{F32x4, F64x4};
        use super::*;

        of_each_type!(doubles F64x4 f64);
        of_each_type!(singles F32x4 f32);
    }

    #[test]
    #[should_panic(expected = "range end index 4 out of range for slice of length 3")]
    fn nothing_is_read_behind_the_end() {
        let _ = load4::<F64x4>(&[0.0; 5], 2);
    }
}
