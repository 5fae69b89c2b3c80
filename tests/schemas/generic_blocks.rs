//! Types of fields in blocks that are generic.

use num_traits::Float;
use retrograde::{Differentiable, Record, gradient};

use super::blocks::{AT, Inner};
use super::support::check;

#[derive(Clone, Debug, Differentiable, Record)]
struct Line<T, const N: usize> {
    samples: Vec<T>,
    limit: Option<T>,
    a: [T; 3],
    rows: Vec<Vec<T>>,
    one: T,
    inner: Inner<T>,
    number: f64,
    fixed: [T; N],
}

#[gradient]
impl<T: Float, const N: usize> Line<T, N> {
    fn ends(&self) -> T {
        *self.samples.last().unwrap() * self.samples.first().copied().unwrap()
    }

    fn limited(&self, x: T) -> T {
        self.limit.map_or(x, |l| l * x) + self.limit.unwrap_or(self.one)
    }

    fn run(&self, x: &[T]) -> T {
        let mut sum = T::zero();
        for i in 0..x.len() {
            sum = sum + self.samples[i] * x[i] * self.a[i];
        }
        for i in 0..N {
            sum = sum + self.fixed[i] * x[0];
        }
        sum * self.inner.k
    }

    /// Itself, and by its name, at whatever width.
    fn beside(&self, other: &Self, narrow: &Line<f32, N>) -> T {
        let mut sum = T::zero();
        for i in 0..self.samples.len() {
            sum = sum + self.samples[i] * other.samples[i];
        }
        if narrow.samples.is_empty() {
            sum
        } else {
            sum * sum
        }
    }
}

trait Flow<T> {
    fn flow(&self, x: T) -> T;
    fn scale(&mut self, x: &[T]);
    fn consumed(self, x: T) -> T;
}

#[gradient]
impl<T: Float, const N: usize> Flow<T> for Line<T, N> {
    fn flow(&self, x: T) -> T {
        let mut sum = T::zero();
        for k in 0..self.samples.len() {
            sum = sum + self.samples[k] * x;
        }
        sum * self.limit.map_or(x, |l| l)
    }

    fn scale(&mut self, x: &[T]) {
        for i in 0..self.samples.len() {
            self.samples[i] = self.samples[i] * x[i];
        }
    }

    fn consumed(self, x: T) -> T {
        let squares = self.samples.iter().map(|&v| v * x);
        squares.fold(T::zero(), |a, b| a + b)
    }
}

#[gradient]
fn of_line(line: &Line<f64, 2>, narrow: &Line<f32, 2>, x: f64) -> f64 {
    let mut own = line.clone();
    own.scale(&[x, 2.0]);
    let of_both = own.beside(line, narrow) + own.ends() * own.limited(x);
    of_both + own.run(&[x, 0.5]) * own.flow(x) + own.consumed(x)
}

impl<T: Float> Line<T, 2> {
    fn at(p: &[f64]) -> Self {
        let p: Vec<T> = p.iter().map(|&x| T::from(x).unwrap()).collect();
        Line {
            samples: vec![p[0], p[1]],
            limit: Some(p[2]),
            a: [p[3], p[4], p[5]],
            rows: Vec::new(),
            one: p[9],
            inner: Inner { k: p[6], o: None },
            number: 0.0,
            fixed: [p[7], p[8]],
        }
    }
}

#[test]
fn generic_over_a_float() {
    let narrow = Line::<f32, 2>::at(AT[0]);
    check(
        |p| of_line(&Line::at(p), &narrow, 1.3),
        |p| {
            let (value, (d, _, _)) = of_line_grad(&Line::at(p), &narrow, 1.3);
            let limit = d.limit.unwrap_or_default();
            let [a, b, c] = d.a;
            let [e, f] = d.fixed;
            let [first, second] = d.samples[..] else {
                panic!("two samples")
            };
            (
                value,
                [first, second, limit, a, b, c, d.inner.k, e, f, d.one],
            )
        },
        AT,
    );
    let (value, (line, x)) = narrow.flow_grad(2.0);
    let sum = narrow.samples[0] + narrow.samples[1];
    assert_eq!(value, narrow.flow(2.0));
    assert_eq!(x, sum * 0.7);
    assert_eq!(line.samples, [2.0 * 0.7, 2.0 * 0.7]);
}

#[gradient]
trait Rate {
    fn rate(&self, x: f64) -> f64;
}

#[gradient]
impl Rate for Inner<f64> {
    fn rate(&self, x: f64) -> f64 {
        self.o.map_or(x, |o| o * x * self.k)
    }
}

#[derive(Clone, Debug, Differentiable, Record)]
struct Weighted<M> {
    rate: M,
    weights: Vec<f64>,
    others: Vec<M>,
    limit: Option<f64>,
}

#[gradient]
impl<M: Rate + Differentiable + Record> Rate for Weighted<M> {
    fn rate(&self, x: f64) -> f64 {
        let mut sum = 0.0;
        for i in 0..self.weights.len() {
            sum += self.rate.rate(x) * self.weights[i];
        }
        for other in &self.others {
            sum += other.rate(x);
        }
        sum * self.limit.map_or(1.0, |l| l * x) + self.weights.last().copied().unwrap_or(0.0)
    }
}

#[gradient]
fn through<R: Rate>(of: &R, x: f64) -> f64 {
    of.rate(x) * of.rate(2.0)
}

#[test]
fn generic_over_a_trait() {
    let at = |p: &[f64]| Weighted {
        rate: Inner {
            k: p[0],
            o: Some(p[1]),
        },
        weights: vec![p[2], p[3]],
        others: vec![Inner {
            k: p[4],
            o: Some(p[5]),
        }],
        limit: Some(p[6]),
    };
    check(
        |p| through(&at(p), 1.3),
        |p| {
            let (value, (d, _)) = through_grad(&at(p), 1.3);
            let other = &d.others[0];
            let grad = [
                d.rate.k,
                d.rate.o.unwrap_or_default(),
                d.weights[0],
                d.weights[1],
                other.k,
                other.o.unwrap_or_default(),
                d.limit.unwrap_or_default(),
            ];
            (value, grad)
        },
        &AT.iter().map(|p| &p[..7]).collect::<Vec<_>>(),
    );
}

/// A type that is called like the parameter of another one.
mod names {
    use super::*;

    #[derive(Clone, Copy, Debug, Differentiable, Record)]
    pub(super) struct T {
        pub(super) q: f64,
    }

    mod elsewhere {
        use super::*;

        /// Its `T` is not that of its user.
        #[derive(Clone, Debug, Differentiable, Record)]
        pub(in super::super) struct Holder<T> {
            pub(in super::super) one: T,
            pub(in super::super) all: Vec<T>,
        }
    }

    pub(super) use elsewhere::Holder;

    #[gradient]
    impl Holder<T> {
        pub(super) fn product(&self, x: f64) -> f64 {
            let mut product = x;
            for i in 0..self.all.len() {
                product *= self.all[i].q;
            }
            product * self.one.q
        }
    }

    #[gradient]
    impl<U: Float> Holder<(U, U)> {
        pub(super) fn sum(&self, x: U) -> U {
            let mut sum = x;
            for pair in &self.all {
                sum = sum + pair.0 * pair.1;
            }
            sum * self.one.0
        }
    }
}

#[test]
fn parameters_and_types_of_one_name() {
    use names::{Holder, T};
    check(
        |p| {
            let all = vec![T { q: p[1] }, T { q: p[2] }];
            Holder {
                one: T { q: p[0] },
                all,
            }
            .product(1.5)
        },
        |p| {
            let all = vec![T { q: p[1] }, T { q: p[2] }];
            let (value, (d, _)) = Holder {
                one: T { q: p[0] },
                all,
            }
            .product_grad(1.5);
            (value, [d.one.q, d.all[0].q, d.all[1].q])
        },
        &[&[1.5, 2.0, -0.5]],
    );
    check(
        |p| {
            let all = vec![(p[1], p[2]), (p[2], p[0])];
            Holder {
                one: (p[0], p[1]),
                all,
            }
            .sum(1.5)
        },
        |p| {
            let all = vec![(p[1], p[2]), (p[2], p[0])];
            let (value, (d, _)) = Holder {
                one: (p[0], p[1]),
                all,
            }
            .sum_grad(1.5);
            let [first, second] = d.all[..] else {
                panic!("two pairs")
            };
            (
                value,
                [d.one.0 + second.1, d.one.1 + first.0, first.1 + second.0],
            )
        },
        &[&[1.5, 2.0, -0.5]],
    );
}
