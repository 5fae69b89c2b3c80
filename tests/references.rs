//! References inside of types: pairs of slices, slices of slices, options of references, lists of borrowed values.

#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    unused,
    unused_qualifications,
    unreachable_pub,
    reason = "the functions are written as users write them"
)]

use retrograde::{Differentiable, Record, Tape, gradient};

#[path = "support/mod.rs"]
mod support;

use support::{check, check_exact};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Body {
    mass: f64,
    at: [f64; 2],
}

fn body(p: &[f64]) -> Body {
    Body {
        mass: p[0],
        at: [p[1], p[2]],
    }
}

fn numbers(d: &BodyTangent) -> [f64; 3] {
    [d.mass, d.at[0], d.at[1]]
}

/// A pair of slices.
#[gradient]
fn dot(pair: (&[f64], &[f64])) -> f64 {
    let mut sum = 0.0;
    for i in 0..pair.0.len() {
        sum += pair.0[i] * pair.1[i];
    }
    sum
}

/// The same by a pattern, and by iterators.
#[gradient]
fn dot_of_parts((a, b): (&[f64], &[f64; 2]), scale: &f64) -> f64 {
    let by_items: f64 = a.iter().zip(b).map(|(x, y)| x * y).sum();
    by_items * scale + a[0].sin()
}

/// Rows of their own lengths, by all ways to reach them.
#[gradient]
fn rows(rows: &[&[f64]], x: f64) -> f64 {
    let mut sum = 0.0;
    for row in rows {
        for v in row.iter() {
            sum += v.sin() * x;
        }
    }
    for i in 0..rows.len() {
        let row = rows[i];
        for j in 0..row.len() {
            sum += row[j] * rows[0][j.min(rows[0].len() - 1)];
        }
    }
    let last = rows[0];
    for (k, row) in rows.iter().enumerate() {
        if row.len() > 1 {
            sum -= (k + 1) as f64 * row[1] * row[1];
        }
    }
    sum + last[0]
}

/// What is borrowed from elsewhere: iterated, indexed, twice the same.
#[gradient]
fn centre(bodies: &[&Body], exponent: f64) -> f64 {
    let (mut sum, mut mass) = (0.0, 0.0);
    for b in bodies {
        sum += b.mass * b.at[0];
        mass += b.mass;
    }
    let first = bodies[0];
    let rest: f64 = bodies.iter().skip(1).map(|b| b.mass.powf(exponent)).sum();
    sum / mass + first.at[1] * first.at[1] * rest
}

#[gradient]
fn in_a_vector(bodies: &Vec<&Body>, exponent: f64) -> f64 {
    centre(bodies, exponent) * bodies[bodies.len() - 1].mass
}

/// Absent, or borrowed.
#[gradient]
fn weighted(weights: Option<&[f64]>, x: &[f64]) -> f64 {
    match weights {
        Some(w) => w[0] * x[0] + w[1] * x[1] * w[1],
        None => x[0] * x[1],
    }
}

#[gradient]
fn limited(limit: Option<&f64>, b: Option<&Body>, x: f64) -> f64 {
    let most = if let Some(l) = limit { *l } else { 1.0 };
    let mass = b.map_or(x, |b| b.mass * b.mass);
    let Some(b) = b else {
        return most * x;
    };
    most * x.sin() * mass + b.at[1]
}

/// References to numbers, and to a value of one's own.
#[gradient]
fn parts(of: (&f64, &Body), all: &[&f64]) -> f64 {
    let mut sum = *of.0 * of.1.mass + of.0.sqrt();
    for v in all {
        sum += **v * **v;
    }
    let square = |b: &Body| b.at[0] * b.at[0];
    sum * *all[0] + square(of.1)
}

/// A table of series: constants, nested twice.
const SERIES: &[&[[f64; 3]]] = &[
    &[[1.0, 2.0, 3.0]],
    &[[0.5, 0.1, 0.2], [1.0, -1.0, 0.7]],
    &[],
];

#[gradient]
fn series(t: f64, terms: &[&[[f64; 3]]]) -> f64 {
    let mut sum = 0.0;
    for (power, terms) in terms.iter().enumerate() {
        let of_power: f64 = terms.iter().map(|[a, b, c]| a * (b + c * t).cos()).sum();
        sum += of_power * t.powi(power as i32);
    }
    sum
}

#[gradient]
fn of_constants(t: f64) -> f64 {
    series(t * t, SERIES)
}

/// A method of a block, and one that is generic.
#[gradient]
impl Body {
    fn pulled(&self, by: &[&Body]) -> f64 {
        let mut sum = 0.0;
        for other in by {
            sum += self.mass * other.mass / (1.0 + (self.at[0] - other.at[0]).powi(2));
        }
        sum
    }

    fn heavier<'a>(pair: (&'a Body, &'a Body)) -> f64 {
        let (a, b) = pair;
        if a.mass > b.mass {
            a.mass * a.at[0]
        } else {
            b.mass * a.at[1]
        }
    }
}

#[gradient]
fn norm<T: num_traits::Float>(rows: &[&[T]]) -> T {
    let mut sum = T::zero();
    for row in rows {
        for &v in row.iter() {
            sum = sum + v * v;
        }
    }
    sum.sqrt()
}

/// A field.
#[derive(Clone, Debug, Differentiable)]
struct Table<'a> {
    rows: Vec<&'a [f64]>,
    scale: f64,
}

#[gradient]
fn of_table(table: &Table<'_>, x: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..table.rows.len() {
        sum += table.rows[i][0] * table.scale * x;
    }
    sum
}

const POINTS: &[&[f64]] = &[
    &[0.5, 1.5, -2.0, 0.25, 1.0, 3.0],
    &[-1.0, 2.0, 0.75, 0.1, 0.2, 0.3],
    &[4.0, 0.5, 0.5, -0.3, 2.0, -1.0],
];

#[test]
fn pairs_of_slices() {
    check_exact(
        |p| dot((&p[..3], &p[3..])),
        |p| dot_grad((&p[..3], &p[3..])),
        |p| [&p[3..], &p[..3]].concat(),
        POINTS,
    );
    assert_eq!(dot_grad((&[], &[])), (0.0, (vec![], vec![])));
    check_exact(
        |p| dot_of_parts((&p[..2], &[p[2], p[3]]), &p[4]),
        |p| dot_of_parts_grad((&p[..2], &[p[2], p[3]]), &p[4]),
        |p| {
            let s = p[4];
            let dot = p[0] * p[2] + p[1] * p[3];
            vec![p[2] * s + p[0].cos(), p[3] * s, p[0] * s, p[1] * s, dot]
        },
        &[&[0.5, 1.5, -2.0, 0.25, 1.5], &[-1.0, 2.0, 0.75, 0.1, 0.2]],
    );
    // Buffers, and adjoints that are added to.
    let (mut tape, mut d) = (Tape::new(), (vec![9.0; 2], vec![9.0; 2]));
    let value = dot_grad_into(&mut tape, (&[1.0, 2.0], &[3.0, 4.0]), &mut d);
    assert_eq!(
        (value, &d.0[..], &d.1[..]),
        (11.0, &[3.0, 4.0][..], &[1.0, 2.0][..])
    );
    dot_adjoint(&mut tape, (&[1.0, 2.0], &[3.0, 4.0]), &mut d, 2.0);
    assert_eq!((&d.0[..], &d.1[..]), (&[9.0, 12.0][..], &[3.0, 6.0][..]));
    // One slice twice: each place has its own share.
    let x = [2.0, 3.0];
    assert_eq!(dot_grad((&x, &x)).1, (x.to_vec(), x.to_vec()));
}

#[test]
#[should_panic(expected = "pair")]
fn a_buffer_of_another_length() {
    dot_grad_into(
        &mut Tape::new(),
        (&[1.0, 2.0], &[3.0, 4.0]),
        &mut (vec![0.0; 2], vec![0.0; 1]),
    );
}

#[test]
fn slices_of_slices() {
    check(
        |p| rows(&[&p[..1], &p[1..3], &p[3..5]], p[5]),
        |p| rows_grad(&[&p[..1], &p[1..3], &p[3..5]], p[5]),
        POINTS,
    );
    check(
        |p| norm(&[&p[..4], &p[4..]]),
        |p| norm_grad(&[&p[..4], &p[4..]]),
        POINTS,
    );
    let (value, d) = norm_grad(&[&[3.0_f32][..], &[4.0]]);
    assert_eq!((value, d), (5.0, vec![vec![0.6], vec![0.8]]));
    check(
        |p| of_constants(p[0]),
        |p| of_constants_grad(p[0]),
        &[&[0.5], &[1.25], &[-1.0], &[0.0]],
    );
    check(
        |p| series(p[0], &[&[[p[1], p[2], p[3]]], &[[p[3], p[4], p[5]]]]),
        |p| {
            let (value, (t, d)) =
                series_grad(p[0], &[&[[p[1], p[2], p[3]]], &[[p[3], p[4], p[5]]]]);
            // One number stands in two places.
            let (a, b) = (d[0][0], d[1][0]);
            (value, [t, a[0], a[1], a[2] + b[0], b[1], b[2]])
        },
        POINTS,
    );
}

#[test]
fn borrowed_values() {
    check(
        |p| centre(&[&body(&p[..3]), &body(&p[3..])], 2.5),
        |p| {
            let (value, (d, _)) = centre_grad(&[&body(&p[..3]), &body(&p[3..])], 2.5);
            (value, [numbers(&d[0]), numbers(&d[1])])
        },
        &[POINTS[0], POINTS[1], &[4.0, 0.5, 0.5, 0.3, 2.0, -1.0]],
    );
    check(
        |p| in_a_vector(&vec![&body(&p[..3]), &body(&p[3..6])], p[6]),
        |p| {
            let (value, (d, e)) = in_a_vector_grad(&vec![&body(&p[..3]), &body(&p[3..6])], p[6]);
            (value, (numbers(&d[0]), numbers(&d[1]), e))
        },
        &[
            &[0.5, 1.5, -2.0, 0.25, 1.0, 3.0, 1.5],
            &[1.0, -1.5, 2.0, 2.25, 0.5, 3.0, 0.5],
        ],
    );
    // The same value twice.
    let b = body(&[2.0, 3.0, 1.0]);
    let (_, (d, _)) = centre_grad(&[&b, &b], 1.0);
    assert_eq!(d.len(), 2);
    check(
        |p| {
            body(&p[..3]).pulled(&[&body(&p[3..])])
                + Body::heavier((&body(&p[..3]), &body(&p[3..])))
        },
        |p| {
            let (own, other) = (body(&p[..3]), body(&p[3..]));
            let (value, (d, by)) = own.pulled_grad(&[&other]);
            let (second, (a, b)) = Body::heavier_grad((&own, &other));
            let sum = |a: [f64; 3], b: [f64; 3]| [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
            let (a, b) = (numbers(&a), numbers(&b));
            (
                value + second,
                [sum(numbers(&d), a), sum(numbers(&by[0]), b)],
            )
        },
        POINTS,
    );
}

#[test]
fn options_of_references() {
    check(
        |p| weighted(Some(&p[..2]), &p[2..4]) + weighted(None, &p[4..]),
        |p| {
            let (a, (w, x)) = weighted_grad(Some(&p[..2]), &p[2..4]);
            let (b, (none, y)) = weighted_grad(None, &p[4..]);
            assert_eq!(none, None);
            (a + b, (w.unwrap(), x, y))
        },
        POINTS,
    );
    check(
        |p| limited(Some(&p[0]), Some(&body(&p[1..4])), p[4]) + limited(None, None, p[5]),
        |p| {
            let (a, (l, b, x)) = limited_grad(Some(&p[0]), Some(&body(&p[1..4])), p[4]);
            let (c, (_, _, y)) = limited_grad(None, None, p[5]);
            (a + c, ([l.unwrap()], numbers(&b.unwrap()), x, y))
        },
        POINTS,
    );
}

#[test]
fn references_to_numbers() {
    check(
        |p| parts((&p[0], &body(&p[1..4])), &[&p[4], &p[5]]),
        |p| {
            let (value, ((x, b), all)) = parts_grad((&p[0], &body(&p[1..4])), &[&p[4], &p[5]]);
            (value, ([x], numbers(&b), all))
        },
        &[POINTS[0], &[4.0, 0.5, 0.5, -0.3, 2.0, -1.0]],
    );
}

#[test]
fn fields() {
    check_exact(
        |p| {
            of_table(
                &Table {
                    rows: vec![&p[..2], &p[2..4]],
                    scale: p[4],
                },
                p[5],
            )
        },
        |p| {
            let (value, (d, x)) = of_table_grad(
                &Table {
                    rows: vec![&p[..2], &p[2..4]],
                    scale: p[4],
                },
                p[5],
            );
            (value, (d.rows, d.scale, x))
        },
        |p| {
            let both = p[4] * p[5];
            let sum = p[0] + p[2];
            vec![both, 0.0, both, 0.0, sum * p[5], sum * p[4]]
        },
        POINTS,
    );
}

#[test]
#[should_panic(expected = "a value holds a shared reference")]
fn a_step_does_not_move_what_is_borrowed() {
    let x = [1.0, 2.0];
    let mut pair = (&x[..], 3.0);
    pair.step(0.5, &(vec![0.0, 1.0], 1.0));
}
