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
