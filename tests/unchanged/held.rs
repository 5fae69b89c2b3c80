//! Types and functions that are generic over what they hold, move and compare.

use retrograde::{Differentiable, Record, gradient};

use crate::support::{assert_same_value, check, check_exact};

#[derive(Clone, Debug, Differentiable, Record)]
struct Grid<T> {
    columns: usize,
    data: Vec<T>,
}

#[gradient]
impl<T: Copy> Grid<T> {
    fn at(&self, i: usize, j: usize) -> T {
        self.data[i * self.columns + j]
    }
    fn set(&mut self, i: usize, j: usize, x: T) {
        self.data[i * self.columns + j] = x;
    }
    fn remove(&mut self, i: usize) -> Option<T> {
        if i < self.data.len() {
            Some(self.data.remove(i))
        } else {
            None
        }
    }
}

#[derive(Clone, Copy, Debug, Differentiable, Record)]
struct Point {
    x: f64,
    y: f64,
}

#[gradient]
fn numbers(x: &[f64]) -> f64 {
    let mut grid = Grid {
        columns: 2,
        data: x.to_vec(),
    };
    let was = grid.at(0, 1);
    grid.set(0, 1, was * grid.at(1, 0));
    grid.set(0, 1, grid.at(0, 1) + was);
    let removed = grid.remove(2).unwrap_or(1.0);
    let none = grid.remove(9).unwrap_or(3.0);
    grid.at(0, 0) * grid.at(0, 1) * removed * none * grid.data[2]
}

#[gradient]
fn points(x: &[f64]) -> f64 {
    let p = Point { x: x[0], y: x[1] };
    let q = Point { x: x[2], y: x[3] };
    let mut grid = Grid {
        columns: 1,
        data: vec![p, q, p],
    };
    grid.set(0, 0, grid.at(1, 0));
    grid.set(
        1,
        0,
        Point {
            x: grid.at(0, 0).y * 2.0,
            y: x[0] * x[3],
        },
    );
    let mut sum = 0.0;
    for i in 0..3 {
        sum += grid.at(i, 0).x * grid.at(i, 0).y;
    }
    match grid.remove(1) {
        Some(point) => sum * point.x,
        None => sum,
    }
}

const FOUR: &[&[f64]] = &[
    &[0.7, -1.3, 2.1, 0.4],
    &[1.5, 0.3, -0.8, 2.2],
    &[-0.6, 1.1, 0.9, -1.7],
];

#[test]
fn numbers_and_structs_are_held() {
    check(numbers, numbers_grad, FOUR);
    check(points, points_grad, FOUR);
}

#[gradient]
fn partition<T>(v: &mut [T]) -> usize
where
    T: PartialOrd + Copy,
{
    let pivot = v[0];
    let mut i = 0;
    let mut j = 0;
    let end = v.len() - 1;
    while i < end {
        i += 1;
        if v[i] < pivot {
            v[j] = v[i];
            j += 1;
            v[i] = v[j];
        }
    }
    v[j] = pivot;
    j
}

#[gradient]
fn quicksort<T>(v: &mut [T])
where
    T: PartialOrd + Copy,
{
    if v.len() <= 1 {
        return;
    }
    let pivot = partition(v);
    quicksort(&mut v[..pivot]);
    quicksort(&mut v[(pivot + 1)..]);
}

#[gradient]
fn median<T: PartialOrd + Copy>(v: &[T]) -> T {
    let mut sorted = v.to_vec();
    quicksort(&mut sorted);
    sorted[sorted.len() / 2]
}

#[gradient]
fn weighted(x: &[f64]) -> f64 {
    let mut sorted = x.to_vec();
    quicksort(&mut sorted);
    let mut sum = median(x) * median(x);
    for (k, v) in sorted.iter().enumerate() {
        sum += k as f64 * v * v;
    }
    sum
}

#[test]
fn a_sort_of_ones_own() {
    let inputs: &[&[f64]] = &[
        &[3.0, 1.0, 2.0],
        &[0.5, 0.4, 0.3, -1.0, 7.0],
        &[2.0],
        &[1.0, 9.0, 4.0, 6.0],
    ];
    let want = |x: &[f64]| {
        let mut order: Vec<usize> = (0..x.len()).collect();
        order.sort_by(|a, b| x[*a].total_cmp(&x[*b]));
        let mut gradient = vec![0.0; x.len()];
        for (rank, at) in order.iter().enumerate() {
            gradient[*at] = 2.0 * rank as f64 * x[*at];
        }
        let middle = order[x.len() / 2];
        gradient[middle] += 2.0 * x[middle];
        gradient
    };
    check_exact(weighted, weighted_grad, want, inputs);
}

/// What is a mark alone is asked for nothing.
mod marks {
    use std::marker::PhantomData;

    use retrograde::{Differentiable, Record, gradient};

    struct Metres;

    #[derive(Clone, Differentiable, Record)]
    struct Length<U> {
        value: f64,
        unit: PhantomData<U>,
    }

    #[gradient]
    impl<U> Length<U> {
        fn squared(&self) -> f64 {
            self.value * self.value
        }
    }

    #[test]
    fn of_units() {
        let length = Length::<Metres> {
            value: 3.0,
            unit: PhantomData,
        };
        let (value, d) = length.squared_grad();
        assert_eq!((value, d.value), (9.0, 6.0));
    }
}

/// A block that asks for nothing, with methods that have the attribute of their own.
#[derive(Clone, Debug, Differentiable, Record)]
struct Keys<T, V>(Vec<(T, V)>);

impl<T, V> Keys<T, V> {
    #[gradient]
    fn take_out(&mut self, index: usize) -> Option<(T, V)> {
        if index >= self.0.len() {
            None
        } else {
            Some(self.0.remove(index))
        }
    }

    #[gradient]
    fn last_before(&self, t: T) -> Option<V>
    where
        T: PartialOrd + Copy,
        V: Copy,
    {
        let mut found = None;
        for (at, value) in &self.0 {
            if *at <= t {
                found = Some(*value);
            }
        }
        found
    }

    /// Its value is no matter of derivatives.
    #[gradient]
    fn scaled(#[constant] &self, x: f64) -> f64 {
        x * self.0.len() as f64
    }
}

#[gradient]
fn of_keys(x: &[f64]) -> f64 {
    let mut keys = Keys(vec![(0.0, x[0]), (1.0, x[1] * x[0]), (2.0, x[2])]);
    let before = keys.last_before(1.5).unwrap_or(1.0);
    let (at, first) = keys.take_out(0).unwrap();
    let none = keys.take_out(7).map_or(3.0, |(_, v)| v);
    before * first * none + keys.last_before(0.5).unwrap_or(x[2]) + at
}

struct Other;

#[test]
fn methods_ask_for_themselves() {
    let inputs: &[&[f64]] = &[&[0.5, 1.5, -2.0], &[1.0, 0.0, 4.0]];
    check(|p| of_keys(p), |p| of_keys_grad(p), inputs);
    assert_eq!(
        Keys(vec![(Other, 1_u8), (Other, 2)]).scaled_grad(3.0),
        (6.0, 2.0)
    );
}
