//! What sweeps for several seeds call.

/// The first parts of pairs, and the second.
#[inline(always)]
pub fn apart<A, B, const N: usize>(pairs: [(A, B); N]) -> ([A; N], [B; N]) {
    let mut second = [const { None }; N];
    let mut slots = second.iter_mut();
    let first = pairs.map(|(a, b)| {
        if let Some(slot) = slots.next() {
            *slot = Some(b);
        }
        a
    });
    (
        first,
        second.map(|b| b.expect("a second part of each pair")),
    )
}

/// Adjoints as a callee takes them: an array or a vector as a slice, as a reference alone would be coerced.
pub trait Lend<B: ?Sized, const N: usize> {
    /// The adjoints, one for each seed.
    fn lend(&mut self) -> [&mut B; N];
}

impl<B: ?Sized, const N: usize> Lend<B, N> for [&mut B; N] {
    #[inline(always)]
    fn lend(&mut self) -> [&mut B; N] {
        self.each_mut().map(|adjoint| &mut **adjoint)
    }
}

impl<T, const LEN: usize, const N: usize> Lend<[T], N> for [&mut [T; LEN]; N] {
    #[inline(always)]
    fn lend(&mut self) -> [&mut [T]; N] {
        self.each_mut().map(|adjoint| &mut adjoint[..])
    }
}

impl<T, const N: usize> Lend<[T], N> for [&mut Vec<T>; N] {
    #[inline(always)]
    fn lend(&mut self) -> [&mut [T]; N] {
        self.each_mut().map(|adjoint| &mut adjoint[..])
    }
}

#[cfg(test)]
mod tests {
    use super::{Lend, apart};

    #[test]
    fn pairs_come_apart_in_order() {
        let pairs = [(1, "a"), (2, "b"), (3, "c")];
        assert_eq!(apart(pairs), ([1, 2, 3], ["a", "b", "c"]));
        assert_eq!(apart::<u8, u8, 0>([]), ([], []));
    }

    #[test]
    fn arrays_and_vectors_are_lent_as_slices() {
        let mut arrays = [[1, 2], [3, 4]];
        let mut lent = arrays.each_mut();
        let lent: [&mut [i32]; 2] = lent.lend();
        lent[1][0] = 5;
        let mut vectors = [vec![6], vec![7, 8]];
        let mut lent = vectors.each_mut();
        let lent: [&mut [i32]; 2] = lent.lend();
        lent[1][1] = 9;
        let mut lent = arrays.each_mut();
        let lent: [&mut [i32; 2]; 2] = lent.lend();
        lent[0][0] = 0;
        assert_eq!((arrays, vectors), ([[0, 2], [5, 4]], [vec![6], vec![7, 9]]));
    }
}
