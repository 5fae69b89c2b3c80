//! In-out struct parameters, borrows of fields, and `std::mem` on fields.

use retrograde::{Differentiable, Tape, gradient};

use crate::types::{Body, BodyTangent, Pair, Series, SeriesTangent, Vec3, body, check, numbers};

#[gradient]
fn mixed(p: &mut Pair) {
    for _ in 0..3 {
        p.a *= p.b;
        p.b += p.a * p.a;
    }
    std::mem::swap(&mut p.a, &mut p.b);
    p.a *= p.b;
    let Pair { a, b } = p;
    *a += *b;
    *b *= *a * *a;
}

#[gradient]
fn borrowed(b: &mut Body) {
    let (pos, vel) = (&mut b.pos, &b.vel);
    pos.x += vel.x;
    pos.y *= vel.y * pos.x;
    let x = &mut b.vel.x;
    *x *= b.pos.y;
    let (first, second) = (&mut b.pos, &mut b.vel);
    std::mem::swap(first, second);
    b.mass = b.pos.x * b.vel.x;
    *b = Body {
        mass: b.mass * b.pos.y,
        ..*b
    };
}

#[gradient]
fn taken(s: &mut Series) {
    let mut values = std::mem::take(&mut s.values);
    s.scale *= values[0];
    for v in values.iter_mut() {
        *v *= s.scale;
    }
    s.values = values;
    s.values[1] *= s.scale;
    let values: &mut Vec<f64> = &mut s.values;
    let scale = &s.scale;
    for v in values.iter_mut() {
        *v += scale * *v * *v;
    }
    values.push(*scale);
    let old = std::mem::replace(&mut s.scale, 0.5);
    s.scale += old * s.values[2];
}

/// The value of `f` and its gradient, where `f` changes its argument and `of` makes a number of that.
fn through<S: Differentiable + Clone>(
    start: &S,
    f: impl Fn(&mut S),
    of: impl Fn(&S) -> f64,
    seed: impl Fn(&S) -> S::Tangent,
    adjoint: impl Fn(&mut Tape, &mut S, &mut S::Tangent),
) -> (f64, S::Tangent) {
    let mut end = start.clone();
    f(&mut end);
    let (mut again, mut bar) = (start.clone(), seed(&end));
    adjoint(&mut Tape::new(), &mut again, &mut bar);
    assert_eq!(of(&again).to_bits(), of(&end).to_bits());
    (of(&end), bar)
}

fn pair(x: &[f64]) -> Pair {
    Pair { a: x[0], b: x[1] }
}

#[test]
fn fields_of_an_in_out_parameter() {
    let of = |p: &Pair| p.a.sin() + 2.0 * p.b;
    check(
        |x| {
            let mut p = pair(x);
            mixed(&mut p);
            of(&p)
        },
        |x| {
            let seed = |p: &Pair| Pair {
                a: p.a.cos(),
                b: 2.0,
            };
            let (value, bar) = through(&pair(x), mixed, of, seed, |tape, p, bar| {
                mixed_adjoint(tape, p, bar, ());
            });
            (value, vec![bar.a, bar.b])
        },
        &[[0.3, 0.7], [-0.5, 0.2]],
    );
}

#[test]
fn borrows_of_fields_that_are_disjoint() {
    let weights = [0.3, -0.2, 1.5, 0.8, 0.4, -0.6, 2.0];
    let of = |b: &Body| {
        let all = [b.pos.x, b.pos.y, b.pos.z, b.vel.x, b.vel.y, b.vel.z, b.mass];
        all.iter().zip(weights).map(|(x, w)| x * w).sum::<f64>()
    };
    check(
        |x| {
            let mut b = body(x);
            borrowed(&mut b);
            of(&b)
        },
        |x| {
            let Body { pos, vel, mass } = body(&weights);
            let seed = |_: &Body| BodyTangent { pos, vel, mass };
            let (value, bar) = through(&body(x), borrowed, of, seed, |tape, b, bar| {
                borrowed_adjoint(tape, b, bar, ());
            });
            (value, numbers(&bar))
        },
        &[[0.3, 0.7, -0.2, 0.4, 1.3, 0.1, 0.9]],
    );
}

#[test]
fn a_field_is_taken_and_put_back() {
    let series = |x: &[f64]| Series {
        values: x[..2].to_vec(),
        scale: x[2],
        kind: 3,
    };
    let of = |s: &Series| s.values[0] + 3.0 * s.values[1] + 0.5 * s.values[2] + 2.0 * s.scale;
    check(
        |x| {
            let mut s = series(x);
            taken(&mut s);
            of(&s)
        },
        |x| {
            let seed = |_: &Series| SeriesTangent {
                values: vec![1.0, 3.0, 0.5],
                scale: 2.0,
                kind: (),
            };
            let (value, bar) = through(&series(x), taken, of, seed, |tape, s, bar| {
                taken_adjoint(tape, s, bar, ());
            });
            (value, vec![bar.values[0], bar.values[1], bar.scale])
        },
        &[[0.3, 0.7, 1.1], [-0.4, 0.2, 0.8]],
    );
}

#[gradient]
fn two(p: &mut Pair, q: &mut Pair, scale: f64) {
    std::mem::swap(p, q);
    p.a *= scale * q.b;
    *q = Pair { a: p.a, ..*q };
}

#[gradient]
fn calls(x: f64, y: f64) -> f64 {
    let mut pairs = [Pair { a: x, b: y }, Pair { a: y, b: 1.0 }];
    let mut b = Body {
        pos: Vec3 { x, y, z: 0.5 },
        vel: Vec3 { x: y, y: x, z: 1.0 },
        mass: 2.0,
    };
    let (first, rest) = (&mut pairs[0], &mut b.mass);
    mixed(first);
    *rest *= first.a;
    let mut other = pairs[1];
    two(&mut pairs[0], &mut other, x);
    borrowed(&mut b);
    let mut c = Pair {
        a: b.mass,
        b: b.pos.x,
    };
    two(&mut pairs[1], &mut c, y);
    pairs[0].a * pairs[1].b + c.a * c.b + b.vel.y
}

#[test]
fn structs_and_their_parts_are_passed_on() {
    check(
        |x| calls(x[0], x[1]),
        |x| {
            let (value, (dx, dy)) = calls_grad(x[0], x[1]);
            (value, vec![dx, dy])
        },
        &[[0.3, 0.7], [-0.5, 0.2]],
    );
}
