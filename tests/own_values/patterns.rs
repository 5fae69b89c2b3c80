//! Struct patterns: in `let`, parameters, `match`, `if let`, assignments, loops.

use retrograde::gradient;

use crate::types::{Body, Pair, Polar, Series, Vec3, body, check, numbers};

fn pair(x: &[f64]) -> Pair {
    Pair { a: x[0], b: x[1] }
}

#[gradient]
fn taken_apart(p: &Pair, q: Pair, r: &Polar) -> f64 {
    let Pair { a, b } = p;
    let Pair { a: c, .. } = q;
    let Polar(d, e) = r;
    let &Polar(f, _) = r;
    a * b * a + c * d * e * f
}

#[test]
fn let_patterns_by_value_and_by_reference() {
    check(
        |x| taken_apart(&pair(x), pair(&x[1..]), &Polar(x[3], x[4])),
        |x| {
            let (value, (p, q, r)) = taken_apart_grad(&pair(x), pair(&x[1..]), &Polar(x[3], x[4]));
            (value, vec![p.a, p.b + q.a, q.b, r.0, r.1])
        },
        &[[1.3, 0.7, 0.2, -0.4, 2.0]],
    );
}

#[gradient]
fn nested(b: &Body) -> f64 {
    let Body {
        pos: Vec3 { x, y: height, .. },
        vel,
        mass,
    } = b;
    let Vec3 { z, .. } = *vel;
    x * vel.y * mass + height * z
}

#[gradient]
fn parameters(Pair { a, b }: Pair, Polar(r, phi): &Polar, Body { mass, .. }: &Body) -> f64 {
    a * b * r * phi.sin() * mass
}

#[test]
fn nested_patterns_and_patterns_of_parameters() {
    let at = [0.3, -0.2, 0.5, 1.1, 0.9, -0.7, 2.0];
    check(
        |x| nested(&body(x)),
        |x| {
            let (value, b) = nested_grad(&body(x));
            (value, numbers(&b))
        },
        &[at],
    );
    check(
        |x| parameters(pair(x), &Polar(x[2], x[3]), &body(x)),
        |x| {
            let (value, (p, r, b)) = parameters_grad(pair(x), &Polar(x[2], x[3]), &body(x));
            let mut sum = numbers(&b);
            for (k, d) in [p.a, p.b, r.0, r.1].into_iter().enumerate() {
                sum[k] += d;
            }
            (value, sum)
        },
        &[at],
    );
}

#[gradient]
fn arms(p: &Pair) -> f64 {
    match p {
        Pair { a, b } if *a > 1.0 => a * b,
        Pair { a, .. } if *a < -1.0 => -a,
        Pair { b, a } => a * a * b,
    }
}

#[gradient]
fn arms_by_value(p: Pair, q: Polar) -> f64 {
    match (p, q) {
        (Pair { a, b }, Polar(r, _)) if b > 0.0 => a * b * r,
        (p, Polar(_, phi)) => p.a * phi,
    }
}

#[test]
fn arms_of_a_match() {
    let points = [[1.3, 0.7], [-1.5, 0.7], [0.5, -0.3]];
    check(
        |x| arms(&pair(x)),
        |x| {
            let (value, p) = arms_grad(&pair(x));
            (value, vec![p.a, p.b])
        },
        &points,
    );
    check(
        |x| arms_by_value(pair(x), Polar(x[1], x[0])),
        |x| {
            let (value, (p, q)) = arms_by_value_grad(pair(x), Polar(x[1], x[0]));
            (value, vec![p.a + q.1, p.b + q.0])
        },
        &points,
    );
}

#[gradient]
fn by_kind(s: &Series) -> f64 {
    let first = match s {
        Series { kind: 0, scale, .. } => *scale,
        Series {
            kind: 1 | 2,
            values,
            scale,
        } => values[0] * scale,
        Series { values, .. } => values[0],
    };
    let second = if let Series { kind: 2, scale, .. } = s {
        scale * scale
    } else {
        1.0
    };
    let Series {
        kind: 0..=2, scale, ..
    } = s
    else {
        return first * 3.0;
    };
    let third = if matches!(s, Series { kind: 1, .. }) {
        scale * first
    } else {
        *scale
    };
    first * second * third
}

#[test]
fn constants_beside_fields_in_patterns() {
    for kind in 0..4 {
        let series = |x: &[f64]| Series {
            values: vec![x[0]],
            scale: x[1],
            kind,
        };
        check(
            |x| by_kind(&series(x)),
            |x| {
                let (value, s) = by_kind_grad(&series(x));
                (value, vec![s.values[0], s.scale])
            },
            &[[1.3, 0.7]],
        );
    }
}

#[gradient]
fn optional(p: Option<Pair>, q: &Option<Pair>) -> f64 {
    let first = match p {
        Some(Pair { a, b }) => a * b,
        None => 0.5,
    };
    if let Some(Pair { a, .. }) = q {
        a * a * first
    } else {
        first
    }
}

#[test]
fn structs_in_options() {
    let some = |x: &[f64]| (x[0] > 0.0).then(|| pair(x));
    check(
        |x| optional(some(x), &some(&x[1..])),
        |x| {
            let (value, (p, q)) = optional_grad(some(x), &some(&x[1..]));
            let (p, q) = (p.unwrap_or_default(), q.unwrap_or_default());
            (value, vec![p.a, p.b + q.a, q.b])
        },
        &[[0.3, 0.4, 0.5], [-0.3, 0.4, 0.5], [0.3, -0.4, 0.5]],
    );
}

#[gradient]
fn assigned(p: &Pair, q: Polar) -> f64 {
    let (mut a, mut b, mut c) = (0.5, 1.0, 2.0);
    for _ in 0..3 {
        b *= a + 1.0;
        Pair { a, .. } = *p;
        Polar(c, _) = q;
        Pair { a: c, b } = Pair { a: c * b, b: a * b };
    }
    a * b * c
}

#[test]
fn assignments_that_take_a_struct_apart() {
    check(
        |x| assigned(&pair(x), Polar(x[1], x[0])),
        |x| {
            let (value, (p, q)) = assigned_grad(&pair(x), Polar(x[1], x[0]));
            (value, vec![p.a + q.1, p.b + q.0])
        },
        &[[1.3, 0.7], [0.0, -2.0]],
    );
}

#[gradient]
fn over(pairs: &[Pair], polars: &[Polar]) -> f64 {
    let mut sum = 0.0;
    for Pair { a, b } in pairs {
        sum += a * b;
    }
    for (k, &Pair { a, .. }) in pairs.iter().enumerate() {
        sum += a * k as f64;
    }
    for (Pair { a, .. }, Polar(r, _)) in pairs.iter().zip(polars) {
        sum += a * r * sum;
    }
    sum
}

#[test]
fn patterns_of_loops() {
    let pairs = |x: &[f64]| vec![pair(x), pair(&x[1..])];
    let polars = |x: &[f64]| vec![Polar(x[0], x[1]), Polar(x[2], x[2])];
    check(
        |x| over(&pairs(x), &polars(x)),
        |x| {
            let (value, (p, q)) = over_grad(&pairs(x), &polars(x));
            (
                value,
                vec![
                    p[0].a + q[0].0,
                    p[0].b + p[1].a + q[0].1,
                    p[1].b + q[1].0 + q[1].1,
                ],
            )
        },
        &[[0.3, 0.4, 0.5]],
    );
    assert_eq!(over_grad(&[], &[]), (0.0, (vec![], vec![])));
}
