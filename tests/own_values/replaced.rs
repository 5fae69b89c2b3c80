//! Struct variables that become variables for their fields: no trait is asked of the types.

use retrograde::{Differentiable, Record, Tangent, gradient};

use crate::types::{check, own_type};

struct Plain {
    a: f64,
    b: f64,
}

struct Nested {
    first: Plain,
    second: (f64, f64),
    values: Vec<f64>,
    count: usize,
}

const POINTS: [[f64; 2]; 3] = [[0.3, 0.7], [0.9, 0.2], [-0.4, 0.1]];

macro_rules! check_two {
    ($($f:ident $gradient:ident),*) => { $(
        check(
            |x| $f(x[0], x[1]),
            |x| {
                let (value, (dx, dy)) = $gradient(x[0], x[1]);
                (value, vec![dx, dy])
            },
            &POINTS,
        );
    )* };
}

#[gradient]
fn plain(x: f64, y: f64) -> f64 {
    let mut p = Plain { a: x, b: y };
    for _ in 0..3 {
        p = Plain {
            a: p.b * x,
            b: p.a + p.b,
        };
        p.a *= p.b;
    }
    let Plain { a, b } = p;
    a * b
}

#[gradient]
fn nested(x: f64, y: f64) -> f64 {
    let n: usize = 2;
    let mut s = Nested {
        first: Plain { a: x, b: y },
        second: (x, y * y),
        values: vec![x, y, x * y],
        count: n,
    };
    for i in 0..s.values.len() {
        s.values[i] *= s.first.a;
        s.first.b += s.values[i] * s.second.1;
        s.second.0 *= s.first.b;
        s.count += 1;
    }
    s.values.push(s.second.0);
    s.first = Plain {
        a: s.first.b,
        ..s.first
    };
    s.first.a * s.first.b * s.values[3] * s.values[0] * s.count as f64
}

#[gradient]
fn moved(x: f64, y: f64) -> f64 {
    let p = Plain { a: x, b: y };
    let mut q = Plain { a: p.b, ..p };
    q.b *= x;
    let mut r = Plain { b: q.a, a: q.b };
    r.a += y;
    std::mem::swap(&mut q, &mut r);
    q.a * q.b + r.a
}

#[gradient]
fn deferred(x: f64, y: f64) -> f64 {
    let p;
    if x > y {
        p = Plain { a: x, b: y };
    } else if y > 0.5 {
        p = Plain { a: y, b: x * x };
    } else {
        return x * y;
    }
    let Plain { a, b } = p;
    let q = if a > 0.5 {
        Plain { a: a * b, b }
    } else {
        Plain { a: p.b, b: 2.0 * y }
    };
    q.a * q.b
}

#[gradient]
fn swapped_fields(x: f64, y: f64) -> f64 {
    let mut p = Plain { a: x, b: y };
    let mut sum = 0.0;
    for k in 0..4 {
        std::mem::swap(&mut p.a, &mut p.b);
        p = Plain {
            a: p.b,
            b: p.a * 0.5,
        };
        let field = if k % 2 == 0 { &mut p.a } else { &mut p.b };
        *field += x;
        sum += p.a * p.b;
    }
    sum
}

#[test]
fn structs_without_any_trait() {
    check_two!(plain plain_grad, nested nested_grad, moved moved_grad, deferred deferred_grad,
        swapped_fields swapped_fields_grad);
}

/// The literal shows less than the types of the fields, so it stays a struct.
#[derive(Clone, retrograde::Duplicate, Record)]
struct Narrow {
    single: f32,
    double: f64,
    small: u8,
}

#[derive(Clone, retrograde::Duplicate)]
struct NarrowTangent {
    single: f32,
    double: f64,
    small: (),
}
own_type!(
    Narrow,
    NarrowTangent {
        single,
        double,
        small
    }
);

#[gradient]
fn narrow(x: f64, y: f64) -> f64 {
    let mut n = Narrow {
        single: 0.1,
        double: x,
        small: 250,
    };
    n.double *= y;
    n.small = n.small.wrapping_add(10);
    let wrapped = n.small as f64;
    n.double * n.single as f64 * wrapped
}

#[test]
fn numbers_keep_the_types_of_their_fields() {
    assert_eq!(narrow(2.0, 3.0), 6.0 * f64::from(0.1_f32) * 4.0);
    check_two!(narrow narrow_grad);
}

struct Many {
    x: [f64; 3],
    kind: Option<f64>,
}

#[gradient]
fn arrays(x: f64, y: f64) -> f64 {
    let mut m = Many {
        x: [x, y, 1.0],
        kind: Some(x),
    };
    for i in 0..3 {
        for j in 0..i {
            m.x[i] += m.x[j] * y;
        }
    }
    m.kind = match m.kind {
        Some(k) if k > 0.0 => Some(k * m.x[2]),
        _ => None,
    };
    let sum: f64 = m.x.iter().sum();
    sum * m.kind.unwrap_or(2.0)
}

#[test]
fn fields_that_hold_several_numbers() {
    check_two!(arrays arrays_grad);
}
