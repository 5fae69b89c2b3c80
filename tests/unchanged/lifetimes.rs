//! Lifetimes that signatures leave out.

use retrograde::{Differentiable, gradient};

use crate::support::check;

#[derive(Differentiable)]
struct Field<'a> {
    values: &'a [f64],
    gain: f64,
}

#[derive(Differentiable)]
struct Pair<'a, 'b> {
    first: &'a [f64],
    second: &'b [f64],
}

#[gradient]
fn at(field: &Field, i: usize) -> f64 {
    field.values[i] * field.gain
}

#[gradient]
fn both(pair: Pair, field: &Field<'_>) -> f64 {
    pair.first[0] * pair.second[1] * at(field, 0)
}

#[test]
fn of_structs_with_references() {
    let primal = |x: &[f64]| {
        at(
            &Field {
                values: &x[..2],
                gain: x[2],
            },
            1,
        )
    };
    let gradient = |x: &[f64]| {
        let (value, d) = at_grad(
            &Field {
                values: &x[..2],
                gain: x[2],
            },
            1,
        );
        (value, [d.values, vec![d.gain]].concat())
    };
    check(primal, gradient, &[&[1.0, 2.0, 3.0], &[-0.5, 0.7, 2.0]]);
    let x = [2.0, 3.0];
    let field = Field {
        values: &x,
        gain: 5.0,
    };
    let pair = Pair {
        first: &[7.0],
        second: &x,
    };
    let (value, (dpair, dfield)) = both_grad(pair, &field);
    assert_eq!(
        (value, dpair.first, dpair.second),
        (210.0, vec![30.0], vec![0.0, 70.0])
    );
    assert_eq!((dfield.values, dfield.gain), (vec![105.0, 0.0], 42.0));
}
