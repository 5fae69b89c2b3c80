//! Methods of own types that answer by the names of std's, where the text does not show them.

use std::cmp::Ordering;

use retrograde::{Differentiable, Record, gradient, no_gradient};

use crate::support::{assert_same_value, check};
use crate::types::Level;

/// What it stands for is not seen.
type LevelType = Level;

#[derive(Clone, Copy, Debug, Differentiable, Record)]
struct Lake {
    level: LevelType,
    area: f64,
}

#[gradient]
fn ordered(lake: &Lake, other: &Lake) -> f64 {
    let order = lake.level.cmp(&other.level);
    let factor = match order {
        Ordering::Less => lake.area,
        Ordering::Equal => 2.0,
        Ordering::Greater => other.level.height,
    };
    let by = match lake.level.partial_cmp(&other.level).unwrap() {
        Ordering::Less => other.area * other.area,
        _ => 1.5 * lake.level.height,
    };
    let mut highest = lake.level.height;
    for _ in 0..3 {
        if lake.level.partial_cmp(&other.level) == Some(Ordering::Less)
            && !lake.level.cmp(&other.level).is_gt()
        {
            highest *= other.level.height;
        }
    }
    factor * by * highest
}

#[gradient]
fn answered(lake: &Lake, x: f64) -> f64 {
    let mut sum = x;
    if lake.level.is_below(x) {
        sum *= lake.level.height;
    }
    if lake.level.contains(x) && lake.level.is_some() != lake.level.is_empty() {
        sum += lake.area * lake.level.height;
    }
    let flooded = lake.level.is_below(2.0 * x);
    if flooded { sum * x } else { sum * sum }
}

/// Where no derivative is meant, the result may be anything.
#[gradient]
fn without(lake: &Lake, x: f64) -> f64 {
    x * no_gradient(lake.level.total_cmp(&x)) + lake.area
}

fn lake(x: &[f64]) -> Lake {
    Lake {
        level: Level { height: x[0] },
        area: x[1],
    }
}

const FOUR: &[&[f64]] = &[
    &[1.5, 0.7, 2.0, 3.0],
    &[2.0, 0.7, 1.5, 3.0],
    &[-1.0, 2.0, 0.25, -3.0],
];

#[test]
fn orders_choose() {
    let primal = |x: &[f64]| ordered(&lake(x), &lake(&x[2..]));
    let gradient = |x: &[f64]| {
        let (value, (a, b)) = ordered_grad(&lake(x), &lake(&x[2..]));
        (value, vec![a.level.height, a.area, b.level.height, b.area])
    };
    check(primal, gradient, FOUR);
    // A tie: the arm of equal ones.
    let tied = [1.25, 0.5, 1.25, 4.0];
    let (value, d) = gradient(&tied);
    assert_same_value(value, primal(&tied));
    assert_eq!(d, [2.0 * 1.5 * 2.0 * 1.25, 0.0, 0.0, 0.0]);
}

#[test]
fn answers_choose() {
    let primal = |x: &[f64]| answered(&lake(x), x[2]);
    let gradient = |x: &[f64]| {
        let (value, (lake, dx)) = answered_grad(&lake(x), x[2]);
        (value, vec![lake.level.height, lake.area, dx])
    };
    check(
        primal,
        gradient,
        &[
            &[1.5, 0.7, 2.0],
            &[2.0, 0.7, 1.5],
            &[-1.0, 2.0, -3.0],
            &[5.0, 2.0, 0.5],
        ],
    );
}

#[test]
fn what_is_cut_off_may_yield_a_float() {
    let (value, (d, dx)) = without_grad(&lake(&[1.5, 0.7]), 2.0);
    assert_same_value(value, 2.0 * (1.5 * 2.0) + 0.7);
    assert_eq!((d.level.height, d.area, dx), (0.0, 1.0, 3.0));
}
