//! Vectors that sweeps are done with, for the next ones.
//!
//! The adjoint of a local vector lives as long as a block of the reverse sweep. Given back to the allocator it is asked
//! for again a moment later; an allocator that then returns the end of the heap to the system makes each gradient pay
//! for fresh pages. So a thread keeps some. They hold whatever was written to them last: who takes one writes all of
//! it.

use crate::float::Float;
use crate::kernels::products::spare::Buffers;

/// What a thread keeps of one type of floats while nothing uses it.
#[derive(Debug)]
pub struct Spare<F> {
    /// Those of [products](crate::kernels::products) that wait.
    pub(crate) products: Vec<Buffers<F>>,
    vectors: Vectors<F>,
}

impl<F> Spare<F> {
    pub(crate) const NONE: Self = Self {
        products: Vec::new(),
        vectors: Vectors {
            kept: Vec::new(),
            numbers: 0,
        },
    };
}

impl<F> Default for Spare<F> {
    fn default() -> Self {
        Self::NONE
    }
}

/// A vector of fewer numbers is left to the allocator, which has lists of short ones.
const SHORTEST: usize = 128;

/// A vector of more numbers is left to the allocator: its pages cost little beside what is done with them.
const LONGEST: usize = 1 << 15;

/// So many numbers stay with a thread.
const OF_THREAD: usize = 1 << 17;

/// In so many vectors.
const MOST: usize = 32;

/// Vectors by the time at which they came, the latest last.
#[derive(Debug)]
struct Vectors<F> {
    kept: Vec<Vec<F>>,
    /// The sum of their capacities.
    numbers: usize,
}

impl<F> Vectors<F> {
    /// The latest with room for `len` numbers, and not for many more.
    fn take(&mut self, len: usize) -> Option<Vec<F>> {
        let fits = |kept: &Vec<F>| (len..=2 * len).contains(&kept.capacity());
        let found = self.kept.remove(self.kept.iter().rposition(fits)?);
        self.numbers -= found.capacity();
        Some(found)
    }

    /// Keeps a vector, and lets go of those that came before all others until there is room for it.
    fn keep(&mut self, vector: Vec<F>) {
        self.numbers += vector.capacity();
        self.kept.push(vector);
        while self.numbers > OF_THREAD || self.kept.len() > MOST {
            self.numbers -= self.kept.remove(0).capacity();
        }
    }
}

/// A vector of `len` zeros.
#[inline]
pub fn zeros<F: Float>(len: usize) -> Vec<F> {
    if len < SHORTEST {
        return vec![F::lit(0.0); len];
    }
    let mut vector = room(len);
    vector.resize(len, F::lit(0.0));
    vector
}

/// Ends a vector that a sweep is done with.
#[inline]
pub fn recycle<F: Float>(vector: Vec<F>) {
    if (SHORTEST..=LONGEST).contains(&vector.capacity()) {
        keep(vector);
    }
}

/// An empty vector with room for `len` numbers.
#[inline]
pub(crate) fn room<F: Float>(len: usize) -> Vec<F> {
    if (SHORTEST..=LONGEST).contains(&len) {
        taken(len)
    } else {
        Vec::with_capacity(len)
    }
}

#[inline(never)]
fn taken<F: Float>(len: usize) -> Vec<F> {
    let taken = F::with_spare(|spare| spare.vectors.take(len));
    let mut vector = taken.unwrap_or_else(|| Vec::with_capacity(len));
    vector.clear();
    vector
}

#[inline(never)]
fn keep<F: Float>(vector: Vec<F>) {
    F::with_spare(|spare| spare.vectors.keep(vector));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::float::sealed::Arithmetic as _;

    fn held() -> Vec<usize> {
        f64::with_spare(|spare| spare.vectors.kept.iter().map(Vec::len).collect())
    }

    fn numbers() -> usize {
        f64::with_spare(|spare| {
            let sum = spare.vectors.kept.iter().map(Vec::capacity).sum();
            assert_eq!(spare.vectors.numbers, sum);
            sum
        })
    }

    #[test]
    fn what_is_taken_is_zero_whatever_it_held() {
        for len in [0, 1, SHORTEST - 1, SHORTEST, 1000, LONGEST, LONGEST + 1] {
            for _ in 0..3 {
                let mut vector = zeros::<f64>(len);
                assert!(vector.len() == len && vector.iter().all(|x| x.to_bits() == 0));
                vector.fill(f64::NAN);
                recycle::<f64>(vector);
            }
        }
    }

    #[test]
    fn one_that_fits_is_taken_again_and_no_other() {
        let first = zeros::<f32>(1000);
        let at = first.as_ptr();
        recycle::<f32>(first);
        let others = [zeros::<f32>(400), zeros(1001)];
        assert!(others.iter().all(|other| other.as_ptr() != at));
        let again = room::<f32>(600);
        assert_eq!((again.as_ptr(), again.len()), (at, 0));
    }

    #[test]
    fn a_thread_keeps_a_bounded_number_of_numbers() {
        for len in [SHORTEST, 5000, LONGEST, SHORTEST, 300] {
            let vectors: Vec<_> = (0..2 * MOST).map(|_| zeros::<f64>(len)).collect();
            vectors.into_iter().for_each(recycle);
            assert!(numbers() <= OF_THREAD && held().len() <= MOST);
            assert!(held().contains(&len), "the latest are kept");
        }
        recycle::<f64>(Vec::with_capacity(LONGEST + 1));
        recycle::<f64>(Vec::with_capacity(SHORTEST - 1));
        assert!(held().iter().all(|len| *len == 300));
    }

    #[test]
    fn a_thread_that_ends_lets_go_of_them() {
        struct Late(Vec<f64>);
        impl Drop for Late {
            fn drop(&mut self) {
                recycle::<f64>(std::mem::take(&mut self.0));
                assert_eq!(zeros::<f64>(500), [0.0; 500]);
            }
        }
        thread_local!(static LATE: Late = Late(vec![1.0; 500]));
        std::thread::spawn(|| LATE.with(|late| recycle::<f64>(late.0.clone())))
            .join()
            .expect("no panic");
    }
}
