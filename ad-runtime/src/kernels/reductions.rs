//! Sums of adjoints: one by one, or in partial sums.

use std::ops::{Add, AddAssign};

use crate::float::Float;

/// The sum of the elements, in their order.
#[inline]
pub fn sum<F: Float + Add<Output = F> + Default>(values: &[F]) -> F {
    values.iter().fold(F::default(), |sum, v| sum + *v)
}

/// The sum of a row, in eight partial sums: for adjoints, where the order is free.
#[inline(always)]
#[must_use]
pub fn sum_row<T: Copy + Default + Add<Output = T> + AddAssign>(row: &[T]) -> T {
    let mut partial = [T::default(); PARTIAL];
    let (blocks, rest) = row.as_chunks::<PARTIAL>();
    for block in blocks {
        for (sum, value) in partial.iter_mut().zip(block) {
            *sum += *value;
        }
    }
    for (sum, value) in partial.iter_mut().zip(rest) {
        *sum += *value;
    }
    total(partial)
}

/// How many partial sums a sum in an adjoint has, where the order is free.
pub const PARTIAL: usize = 8;

/// The sum of partial sums. Written out, so that they stay in registers.
#[inline(always)]
#[must_use]
pub fn total<T: Copy + Add<Output = T>>([a, b, c, d, e, f, g, h]: [T; PARTIAL]) -> T {
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::contributions::MAX_BLOCK;

    #[test]
    fn a_total_has_all_partial_sums() {
        let partial = std::array::from_fn(|k| f64::from(1 << k));
        assert_eq!(total(partial), 255.0);
    }

    /// Two large numbers that cancel: what is added between them is lost in the order of the elements, and in no other.
    #[test]
    fn a_sum_has_the_order_of_its_elements() {
        let x = [1.0, 1e16, 1.0, 1.0, -1e16, 1.0, 1.0, 1.0, 1.0, 1.0];
        let mut want = 0.0;
        for x in x {
            want += x;
        }
        assert_eq!(sum(&x), want);
        assert_ne!(sum(&x), sum_row(&x));
        assert_eq!(sum::<f64>(&[]).to_bits(), 0.0_f64.to_bits());
    }

    #[test]
    fn sums_have_all_entries() {
        for n in 0..=MAX_BLOCK {
            let row: Vec<f64> = (0..n).map(|k| (1 << (k % 20)) as f64).collect();
            assert_eq!(sum_row(&row), row.iter().sum::<f64>(), "{n}");
        }
    }
}
