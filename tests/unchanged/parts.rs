//! Parts of containers of structs, and what methods of options make of them.

use retrograde::{Differentiable, Record, gradient};

use crate::support::{assert_same_value, check};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Key {
    t: f64,
    v: f64,
}

#[derive(Clone, Debug, Differentiable, Record)]
struct Spline(Vec<Key>);

#[gradient]
impl Spline {
    fn scale(&mut self, i: usize, by: f64) -> Option<f64> {
        self.0.get_mut(i).map(|k| {
            k.v *= by;
            k.v
        })
    }
    fn last_value(&self, default: f64) -> f64 {
        self.0.last().map_or(default * 2.0, |k| k.v * k.t)
    }
    fn first_above(&self, t: f64) -> Option<f64> {
        self.0.iter().find(|k| k.t > t).map(|k| k.v * t)
    }
    fn later_below(&self, t: f64) -> f64 {
        self.0
            .iter()
            .skip(1)
            .find(|k| k.t < t)
            .map_or(-1.0, |k| k.v)
    }
    fn nearest(&self, t: f64) -> Option<Key> {
        self.0
            .iter()
            .min_by(|a, b| (a.t - t).abs().partial_cmp(&(b.t - t).abs()).unwrap())
            .copied()
    }
    fn above_or(&self, t: f64, other: f64) -> f64 {
        let mut missed = 0.0;
        let value = self.0.iter().find(|k| k.t > t).map_or_else(
            || {
                missed = other * other;
                other
            },
            |k| k.v,
        );
        value + missed
    }
    fn positive(&self, i: usize) -> bool {
        self.0.get(i).is_some_and(|k| k.v > 0.0)
    }
    fn chained(&self, t: f64) -> Option<f64> {
        self.0
            .iter()
            .find(|k| k.t > t)
            .and_then(|k| if k.v > 0.0 { Some(k.v.sqrt()) } else { None })
    }
    fn raise(&mut self, t: f64, by: f64) -> f64 {
        let raised = self.0.iter_mut().find(|k| k.t > t).map_or(0.0, |k| {
            k.v += by * k.t;
            k.v
        });
        if let Some(last) = self.0.last_mut() {
            last.t *= by;
        }
        raised * self.0[0].v
    }
}

#[gradient]
fn rising(v: &[f64]) -> f64 {
    v.windows(2)
        .find(|w| w[1] > w[0])
        .map(|w| w[0] * w[1])
        .unwrap_or(-1.0)
}

#[gradient]
fn last_pair(v: &[f64]) -> f64 {
    v.chunks(2).last().map_or(0.0, |c| c[0] * c.len() as f64)
}

#[gradient]
fn all(x: &[f64]) -> f64 {
    let mut spline = Spline(vec![
        Key { t: 0.0, v: x[0] },
        Key { t: 1.0, v: x[1] },
        Key { t: 2.0, v: x[2] },
    ]);
    let scaled = spline.scale(1, x[3]).unwrap_or(0.0) + spline.scale(7, x[3]).unwrap_or(5.0);
    let near = spline.nearest(1.2).unwrap();
    let raised = spline.raise(0.5, x[0]) + spline.raise(5.0, x[1]);
    let sign = if spline.positive(0) && !spline.positive(9) {
        2.0
    } else {
        3.0
    };
    scaled * spline.last_value(x[3])
        + spline.first_above(x[3]).unwrap_or(x[2] * 3.0)
        + spline.later_below(x[3])
        + near.v * near.t
        + raised * sign
        + spline.above_or(x[3], x[1])
        + spline.chained(0.5).unwrap_or(x[2])
        + Spline(vec![]).last_value(x[1])
}

#[test]
fn options_of_parts() {
    let inputs: &[&[f64]] = &[
        &[0.7, -1.3, 2.1, 0.4],
        &[1.5, 0.3, -0.8, 2.2],
        &[-0.6, 1.1, 0.9, -1.7],
        &[0.6, 1.1, 0.9, 1.7],
    ];
    check(all, all_grad, inputs);
}

#[test]
fn windows_and_chunks() {
    check(
        rising,
        rising_grad,
        &[&[3.0, 2.0, 4.0, 5.0], &[1.0, 2.0], &[0.5, 0.7, 0.2]],
    );
    assert_eq!(rising_grad(&[3.0, 2.0]), (-1.0, vec![0.0, 0.0]));
    assert_eq!(rising_grad(&[]), (-1.0, vec![]));
    check(last_pair, last_pair_grad, &[&[3.0, 2.0, 4.0], &[1.0, 2.0]]);
    assert_eq!(last_pair_grad(&[]), (0.0, vec![]));
}

/// What is yielded where there is none is computed in any case, also where that fails.
#[gradient]
fn value_or_share(x: f64, count: usize) -> f64 {
    let keys = vec![Key { t: x, v: x * x }];
    keys.iter()
        .find(|k| k.t > 0.0)
        .map_or((12 / count) as f64 * x, |k| k.v)
}

#[test]
fn defaults_are_computed_in_any_case() {
    assert_eq!(value_or_share_grad(1.5, 4), (2.25, 3.0));
    assert_eq!(value_or_share_grad(-1.5, 4), (-4.5, 3.0));
    let none = || std::panic::catch_unwind(|| value_or_share(1.5, 0)).is_err();
    assert!(none() && std::panic::catch_unwind(|| value_or_share_grad(1.5, 0)).is_err());
}

#[test]
fn where_there_is_none() {
    let empty = Spline(vec![]);
    let (value, (d, dt)) = empty.later_below_grad(2.0);
    assert_eq!((value, dt), (-1.0, 0.0));
    assert!(d.0.is_empty());
    assert_same_value(empty.above_or(1.0, 3.0), 12.0);
    let (value, (_, _, dother)) = empty.above_or_grad(1.0, 3.0);
    assert_eq!((value, dother), (12.0, 7.0));
}

/// Of a type that is called as one of std's.
mod named_like_std {
    use retrograde::{Differentiable, Record, gradient};

    use crate::support::check;

    #[derive(Clone, Copy, Debug, Differentiable, Record)]
    struct Point {
        x: f64,
        y: f64,
    }

    #[derive(Clone, Debug, Differentiable, Record)]
    struct Path {
        points: Vec<Point>,
    }

    #[gradient]
    impl Path {
        fn begin(at: Point) -> Path {
            Path { points: vec![at] }
        }
        fn bounds(&self) -> Option<(f64, f64)> {
            let first = self.points.first()?;
            let mut low = *first;
            let mut high = first.x;
            for p in &self.points[1..] {
                low.x = low.x.min(p.x);
                high = high.max(p.x * p.y);
            }
            Some((low.x, high))
        }
    }

    #[gradient]
    fn extent(x: &[f64]) -> f64 {
        let mut path = Path::begin(Point {
            x: 0.25,
            y: x.iter().sum(),
        });
        for pair in x.chunks_exact(2) {
            path.points.push(Point {
                x: pair[0],
                y: pair[1],
            });
        }
        match path.bounds() {
            Some((low, high)) => high * high - low,
            None => 0.0,
        }
    }

    #[test]
    fn a_path_of_points() {
        check(
            extent,
            extent_grad,
            &[
                &[0.7, -1.3, 2.1, 0.4],
                &[1.5, 0.3, -0.8, 2.2, 3.0, 4.0],
                &[],
            ],
        );
    }
}

/// The mean so far, of a type whose definition the method does not ask for.
mod running {
    use num_traits::{Float, NumAssign};
    use retrograde::{Differentiable, Record, gradient};

    use crate::support::{check, panic_message};

    #[derive(Clone, Copy, Differentiable, Record)]
    struct Mean<T> {
        mean: Option<T>,
        squares: T,
    }

    impl<T: Float + NumAssign> Mean<T> {
        #[gradient]
        fn push(&mut self, value: T, weight: T) {
            if self.mean.is_none() {
                self.mean = Some(value);
            }
            *self.mean.as_mut().unwrap() += value * weight;
            *self.mean.as_mut().expect("a mean") *= value;
            self.squares += value * *self.mean.as_ref().unwrap();
        }

        #[gradient]
        fn shift(&mut self, by: T) {
            *self.mean.as_mut().unwrap() -= by;
        }
    }

    #[gradient]
    fn squares(x: &[f64]) -> f64 {
        let mut mean = Mean {
            mean: None,
            squares: 0.0,
        };
        for pair in x.chunks_exact(2) {
            mean.push(pair[0], pair[1]);
        }
        mean.squares * mean.mean.unwrap_or(1.0)
    }

    #[gradient]
    fn shifted(x: f64) -> f64 {
        let mut mean = Mean {
            mean: None,
            squares: x,
        };
        mean.shift(x);
        mean.squares
    }

    #[test]
    fn an_option_that_is_written_to() {
        let inputs: [&[f64]; 3] = [
            &[0.7, -1.3, 1.1, 0.4],
            &[1.5, 0.3, -0.8, 1.2, 0.5, 0.25],
            &[],
        ];
        check(squares, squares_grad, &inputs);
    }

    #[test]
    fn an_option_without_a_value() {
        let [alone, beside] = [
            panic_message(|| _ = shifted(1.0)),
            panic_message(|| _ = shifted_grad(1.0)),
        ];
        assert_eq!(alone, beside);
    }
}
