use retrograde::gradient;

/// Found before `Iterator`'s, which take `&mut self`.
trait Chain: Iterator {
    fn next(&self) -> Option<f64> {
        Some(1.0)
    }

    fn find(self, _: impl Fn(&Self::Item) -> bool) -> Option<Self::Item>
    where
        Self: Sized,
    {
        None
    }
}

impl<I: Iterator> Chain for I {}

#[gradient]
fn first(x: &[f64]) -> f64 {
    let mut all = x.iter();
    all.next().map_or(2.0, |v| v * v)
}

#[gradient]
fn positive(x: &[f64]) -> f64 {
    let found = x.iter().map(|v| v * v).find(|v| *v > 0.5);
    found.unwrap_or(x[0])
}

trait Last {
    fn pop(self) -> Option<f64>;
}

impl Last for &mut [f64] {
    fn pop(self) -> Option<f64> {
        self.first().copied()
    }
}

#[gradient]
fn popped(x: &mut [f64]) -> f64 {
    x.pop();
    x[0] * x[0]
}

/// For one kind of chain alone.
mod mapped {
    use std::iter::{Copied, Enumerate, Map};
    use std::slice::Iter;

    use retrograde::gradient;

    trait Walk: Sized {
        fn next(&self) -> Option<f64> {
            Some(3.0)
        }

        fn all(self, _: impl Fn(f64) -> bool) -> bool {
            false
        }

        fn nth(self, _: usize) -> Option<usize> {
            Some(0)
        }
    }

    impl<F> Walk for Map<Iter<'_, f64>, F> {}
    impl Walk for Enumerate<Copied<Iter<'_, f64>>> {}
    impl Walk for std::ops::Range<usize> {}

    #[gradient]
    fn first(x: &[f64]) -> f64 {
        let mut squares = x.iter().map(|v| v * v);
        squares.next().unwrap() * x[0]
    }

    #[gradient]
    fn positive(x: &[f64]) -> f64 {
        if x.iter().copied().enumerate().all(|(_, v)| v > 0.0) { x[0] } else { x[1] }
    }

    #[gradient]
    fn second(x: &[f64]) -> f64 {
        x[(0..x.len()).nth(1).unwrap()] * x[0]
    }
}

/// A trait of these names for types of one's own is none for iterators.
mod elsewhere {
    use retrograde::gradient;

    trait Source {
        fn next(&self) -> f64;
    }

    struct Half;

    impl Source for Half {
        fn next(&self) -> f64 {
            0.5
        }
    }

    const HALF: Half = Half;

    #[gradient]
    fn first(x: &[f64]) -> f64 {
        let mut all = x.iter();
        all.next().map_or(2.0, |v| v * v) * HALF.next()
    }
}

fn main() {}
