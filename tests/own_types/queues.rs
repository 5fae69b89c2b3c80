//! Queues in fields and parameters: their tangents are vectors.

use std::collections::VecDeque;

use super::support::{assert_close, check, differences};
use retrograde::{Differentiable, Flat, Record, Tape, gradient};

/// A mean over the last values, as streams have it.
#[derive(Clone, Debug, Differentiable, Record)]
struct Mean {
    window: VecDeque<f64>,
    period: usize,
    sum: f64,
}

#[gradient]
impl Mean {
    fn new(period: usize) -> Self {
        Self {
            window: VecDeque::with_capacity(period),
            period,
            sum: 0.0,
        }
    }

    fn next(&mut self, x: f64) -> f64 {
        if self.window.len() == self.period {
            let old = self.window.pop_front().unwrap();
            self.sum -= old;
        }
        self.window.push_back(x);
        self.sum += x;
        self.sum / self.window.len() as f64
    }

    fn variance(&self) -> f64 {
        let n = self.window.len() as f64;
        let mean = self.window.iter().sum::<f64>() / n;
        self.window.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n
    }

    fn spread(&self) -> Option<f64> {
        let first = self.window.front()?;
        let last = self.window.back()?;
        Some(last - first * self.sum)
    }

    fn scale(&mut self, by: f64) {
        for v in self.window.iter_mut() {
            *v *= by * self.sum;
        }
        if let Some(first) = self.window.front_mut() {
            *first += by;
        }
    }

    fn reset(&mut self) {
        self.window.clear();
        self.sum = 0.0;
    }
}

#[gradient]
fn streamed(x: &[f64]) -> f64 {
    let mut mean = Mean::new(3);
    let mut s = 0.0;
    for &v in x {
        s += mean.next(v * v) * v;
        if mean.window.len() > 2 {
            s += mean.variance() * mean.spread().unwrap_or(0.5);
        }
    }
    mean.scale(0.3);
    s += mean.window[0] * mean.variance();
    mean.reset();
    s + mean.next(x[0]) + mean.window.len() as f64
}

/// Of a given state.
#[gradient]
fn after(mean: &Mean, x: &[f64]) -> f64 {
    let mut own = mean.clone();
    let mut s = 0.0;
    for v in x {
        s += own.next(*v).sin();
    }
    s * own.variance()
        + mean
            .window
            .iter()
            .rev()
            .zip(x)
            .map(|(a, b)| a * b)
            .sum::<f64>()
}

#[gradient]
fn in_place(mean: &mut Mean, x: f64) -> f64 {
    if let Some(old) = mean.window.pop_front() {
        mean.sum += old * x;
    }
    while mean.window.len() > 3 {
        let last = mean.window.pop_back().unwrap();
        mean.sum -= last * last;
    }
    mean.window.push_front(x * mean.sum);
    mean.window.push_back(x.exp());
    mean.window.swap(0, 1);
    let n = mean.window.len();
    mean.window[n - 2] *= x;
    mean.sum
}

#[gradient]
fn dot(a: &VecDeque<f64>, b: &VecDeque<f64>) -> f64 {
    let mut s = 0.0;
    for i in 0..a.len() {
        s += a[i] * b[i] * b[a.len() - 1 - i];
    }
    for (i, v) in a.iter().enumerate().skip(1) {
        s += v * v * (i as f64);
    }
    s + a.back().copied().unwrap_or_default() * b.get(1).copied().unwrap_or(2.0)
}

#[gradient]
fn rolled(q: &mut VecDeque<f64>, x: f64) -> f64 {
    let old = q.pop_front().unwrap_or(0.0);
    q.push_back(x * old);
    q.rotate_left(1);
    q.iter().fold(1.0, |a, b| a * b)
}

#[gradient]
fn by_value(q: VecDeque<f64>, k: f64) -> f64 {
    let n = q.len() as f64;
    let all: Vec<f64> = q.into_iter().map(|v| v * k).collect();
    all.iter().map(|v| v.exp()).sum::<f64>() / n
}

#[derive(Clone, Copy, Debug, Differentiable, Record)]
struct Quote {
    price: f64,
    size: f64,
}

#[derive(Clone, Debug, Differentiable, Record)]
struct Book {
    quotes: VecDeque<Quote>,
    levels: VecDeque<[f64; 2]>,
    names: VecDeque<usize>,
}

#[gradient]
impl Book {
    fn pressure(&self) -> f64 {
        let weighed: f64 = self.quotes.iter().map(|q| q.price * q.size).sum();
        let size: f64 = self.quotes.iter().map(|q| q.size).sum();
        let named: f64 = self.names.iter().map(|n| self.quotes[*n].price).sum();
        weighed / size + self.levels.iter().map(|l| l[0] * l[1]).sum::<f64>() * named
    }

    fn add(&mut self, quote: Quote) {
        self.quotes.push_back(quote);
        if let Some(q) = self.quotes.pop_front() {
            self.levels.push_back([q.price, q.size * q.price]);
        }
        if let Some(q) = self.quotes.back_mut() {
            q.size *= 1.5;
        }
        self.names.push_back(self.names.len() % 2);
        self.names.pop_front();
    }
}

#[gradient]
fn traded(book: &Book, x: f64) -> f64 {
    let mut own = book.clone();
    own.add(Quote {
        price: x * x,
        size: x + 2.0,
    });
    own.add(Quote {
        price: 1.0 - x,
        size: x * 3.0,
    });
    own.pressure() * book.pressure()
}

fn mean_of(x: &[f64], from: usize) -> Mean {
    let mut window = VecDeque::with_capacity(8);
    // Begins in the middle of the ring.
    for k in 0..5 {
        window.push_back(k as f64);
    }
    window.clear();
    window.extend(&x[from..]);
    window.rotate_left(1);
    Mean {
        window,
        period: 3,
        sum: x[0],
    }
}

const POINTS: &[&[f64]] = &[
    &[0.7, 0.4, -0.3, 1.2, 0.9, -0.8, 0.35],
    &[-1.3, 0.9, 1.1, -0.2, 0.6],
    &[0.25, -0.75],
];

#[test]
fn queues_in_structs_of_the_function() {
    check(streamed, streamed_grad, POINTS);
    check(of_a_call, of_a_call_grad, POINTS);
}

#[test]
fn the_tangent_of_a_queue_is_a_vector_in_its_order() {
    for p in POINTS {
        let value = |p: &[f64]| after(&mean_of(p, 1), &[0.3, 0.8, p[1]]);
        let (got, (mean, x)) = after_grad(&mean_of(p, 1), &[0.3, 0.8, p[1]]);
        assert_eq!(got.to_bits(), value(p).to_bits());
        let mut want = vec![mean.sum];
        want.extend(&mean.window);
        // The window begins with the third number.
        want[1..].rotate_right(1);
        want[1] += x[2];
        assert_close(&want, &differences(value, p), 1e-7, p);
    }
}

#[test]
fn queues_in_and_out() {
    for p in &POINTS[..2] {
        let value = |p: &[f64]| {
            let mut mean = mean_of(p, 1);
            let y = in_place(&mut mean, p[1]);
            y + mean.sum * 0.5
                + mean
                    .window
                    .iter()
                    .enumerate()
                    .map(|(k, v)| v * (k + 1) as f64)
                    .sum::<f64>()
        };
        let mut mean = mean_of(p, 1);
        let mut after = mean.clone();
        in_place(&mut after, p[1]);
        let mut bar = mean.zero_tangent();
        bar.sum = 0.5;
        bar.window = (1..=after.window.len()).map(|k| k as f64).collect();
        let mut dx = 0.0;
        in_place_adjoint(&mut Tape::new(), &mut mean, &mut bar, p[1], &mut dx, 1.0);
        assert_eq!((mean.window, mean.sum), (after.window, after.sum));
        let mut got = vec![bar.sum];
        got.extend(&bar.window);
        got[1..].rotate_right(1);
        got[1] += dx;
        assert_close(&got, &differences(value, p), 1e-7, p);
    }
}

#[test]
fn queues_as_parameters() {
    for p in POINTS {
        let of = |p: &[f64]| -> [VecDeque<f64>; 2] {
            [
                p.iter().map(|v| v * 2.0).collect(),
                p.iter().rev().copied().collect(),
            ]
        };
        let value = |p: &[f64]| dot(&of(p)[0], &of(p)[1]);
        let [a, b] = of(p);
        let (got, (da, db)) = dot_grad(&a, &b);
        assert_eq!(got.to_bits(), value(p).to_bits());
        let want: Vec<f64> = da
            .iter()
            .zip(db.iter().rev())
            .map(|(a, b)| 2.0 * a + b)
            .collect();
        assert_close(&want, &differences(value, p), 1e-7, p);

        let value = |p: &[f64]| by_value(p.iter().copied().collect(), p[0]);
        let (got, (mut dq, dk)) = by_value_grad(p.iter().copied().collect(), p[0]);
        assert_eq!(got.to_bits(), value(p).to_bits());
        dq[0] += dk;
        assert_close(&dq, &differences(value, p), 1e-7, p);

        let value = |p: &[f64]| {
            let mut q: VecDeque<f64> = p.iter().copied().collect();
            rolled(&mut q, p[0]) + q.iter().enumerate().map(|(k, v)| v * k as f64).sum::<f64>()
        };
        let mut q: VecDeque<f64> = p.iter().copied().collect();
        let mut bar: Vec<f64> = (0..p.len()).map(|k| k as f64).collect();
        let mut dx = 0.0;
        rolled_adjoint(&mut Tape::new(), &mut q, &mut bar, p[0], &mut dx, 1.0);
        bar[0] += dx;
        assert_close(&bar, &differences(value, p), 1e-7, p);
    }
}

#[test]
fn queues_of_structs_and_arrays() {
    let book = |p: &[f64]| Book {
        quotes: [
            Quote {
                price: p[0],
                size: p[1],
            },
            Quote {
                price: p[2],
                size: p[3],
            },
        ]
        .into(),
        levels: [[p[4], p[5]]].into(),
        names: [0, 1].into(),
    };
    let points: &[&[f64]] = &[
        &[1.7, 2.4, 0.3, 1.2, 0.9, -0.8, 0.35],
        &[-1.3, 0.9, 1.1, 0.2, 0.6, 0.5, 1.25],
    ];
    for p in points {
        let value = |p: &[f64]| traded(&book(p), p[6]);
        let (got, (d, dx)) = traded_grad(&book(p), p[6]);
        assert_eq!(got.to_bits(), value(p).to_bits());
        let mut all = d.to_flat();
        all.push(dx);
        assert_close(&all, &differences(value, p), 1e-7, p);
    }
}

#[test]
fn queues_have_a_flat_view_and_steps() {
    let mut mean = mean_of(&[1.0, 2.0, 3.0, 4.0], 1);
    assert_eq!(mean.to_flat(), [3.0, 4.0, 2.0, 1.0]);
    assert_eq!(mean.names_flat()[1], "window[1]");
    let (_, (d, _)) = after_grad(&mean, &[0.5]);
    assert_eq!(d.window.len(), 3);
    let mut tangent = mean.zero_tangent();
    tangent.window[2] = 2.0;
    mean.step(0.5, &tangent);
    assert_eq!(mean.window, [3.0, 4.0, 3.0]);
    tangent.window.pop();
    let text = mean.check_shape(&tangent).unwrap_err().to_string();
    assert!(text.contains("window"), "{text}");
}

/// What its fields are, the definition does not say to the functions.
#[derive(Clone, Debug, Differentiable, Record)]
#[differentiable(schema = false)]
struct Unseen {
    ring: VecDeque<f64>,
    last: VecDeque<f64>,
}

#[gradient]
impl Unseen {
    fn turn(&mut self, x: f64) -> f64 {
        self.ring.push_back(x * x);
        let first = self.ring.pop_front().unwrap();
        self.last.push_front(first * x);
        if self.last.len() > 2 {
            self.last.pop_back();
        }
        self.ring[0] * self.last[0]
    }
}

/// What a call returns, of which the text shows no type.
#[gradient]
fn of_a_call(x: &[f64]) -> f64 {
    let mut mean = Mean::new(2);
    mean.window.push_back(x[0] * x[1]);
    mean.window.push_front(x[1]);
    let first = mean.window.pop_front().unwrap();
    if let Some(second) = mean.window.pop_back() {
        mean.sum += second * first;
    }
    mean.window.resize(2, mean.sum);
    let last = mean.window.back().unwrap() * x[0];
    mean.next(last) + mean.next(x[1]) * mean.window[1]
}

#[gradient]
fn turned(unseen: &Unseen, x: f64) -> f64 {
    let mut own = unseen.clone();
    own.turn(x) + own.turn(x * 2.0) * unseen.ring[1]
}

#[test]
fn queues_that_the_definition_does_not_show() {
    let of = |p: &[f64]| Unseen {
        ring: p[..2].iter().copied().collect(),
        last: p[2..4].iter().copied().collect(),
    };
    for p in &POINTS[..2] {
        let value = |p: &[f64]| turned(&of(p), p[4]);
        let (got, (d, dx)) = turned_grad(&of(p), p[4]);
        assert_eq!(got.to_bits(), value(p).to_bits());
        let mut all = d.to_flat();
        all.push(dx);
        assert_close(&all, &differences(value, &p[..5]), 1e-7, p);
    }
}
