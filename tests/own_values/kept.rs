//! The functions of `state` with structs that are looked at as a whole, so that they stay structs.

use retrograde::gradient;

use crate::types::{Body, Pair, Polar, Vec3, check};

const POINTS: [[f64; 2]; 4] = [[0.3, 0.7], [0.9, 0.2], [0.5, 0.6], [-0.4, 0.0]];

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
fn mutated(x: f64, y: f64) -> f64 {
    let mut p = Pair { a: x, b: y };
    assert_eq!(p, p);
    for _ in 0..4 {
        p.a *= p.b;
        p.b += p.a.sin();
    }
    let mut q = Polar(p.a, x);
    assert_eq!(q, q);
    q.1 *= q.0;
    q.0 -= p.b;
    p.a * p.b * q.0 * q.1
}

#[gradient]
fn carried(x: f64, y: f64) -> f64 {
    let mut p = Pair { a: x, b: y };
    assert_eq!(p, p);
    for _ in 0..4 {
        p = Pair {
            a: p.a * p.b,
            b: p.b + p.a.sin(),
        };
    }
    let mut n = 0;
    while n < 3 && p.a < 2.0 {
        p = Pair {
            a: p.a + p.b * p.b,
            ..p
        };
        n += 1;
    }
    p.a * p.b
}

#[gradient]
fn zero_trips(x: f64, y: f64) -> f64 {
    let mut p = Pair { a: x, b: y };
    assert_eq!(p, p);
    let none = 0;
    for _ in 0..none {
        p = Pair { a: p.b, b: 0.0 };
        p.b *= 2.0;
    }
    p.a * p.b
}

#[gradient]
fn nested(x: f64, y: f64) -> f64 {
    let mut b = Body {
        pos: Vec3 { x, y, z: x * y },
        vel: Vec3 {
            x: 1.0,
            y: x,
            z: 0.0,
        },
        mass: y,
    };
    assert_eq!(b, b);
    for _ in 0..3 {
        b.pos.x += 0.1 * b.vel.x;
        b.vel.x -= 0.1 * b.pos.x * b.mass;
        b.vel = Vec3 {
            y: b.pos.x * b.vel.x,
            ..b.vel
        };
        let pos = b.pos;
        b.pos.z *= pos.x;
        b.pos = Vec3 { x: b.pos.z, ..pos };
    }
    b.pos.x * b.vel.y * b.mass + b.pos.z
}

#[gradient]
fn chosen(x: f64, y: f64) -> f64 {
    let p = if x > y {
        Pair { a: x, b: y }
    } else {
        Pair { a: y * y, b: x }
    };
    assert_eq!(p, p);
    let mut q = p;
    if q.a > 0.5 {
        q = Pair {
            b: q.a,
            a: q.b * 2.0,
        };
    }
    let r;
    if x > 0.4 {
        r = Pair { a: x, b: q.b };
    } else {
        r = p;
    }
    let target = if y > 0.5 { &mut q } else { &mut q };
    target.a *= r.a;
    q.a * p.b * q.b * q.b + r.b
}

#[gradient]
fn left_early(x: f64, y: f64) -> f64 {
    let mut p = Pair { a: x, b: y };
    assert_eq!(p, p);
    for i in 0..5 {
        if p.a > 1.0 {
            return p.a * p.b;
        }
        if i == 3 {
            break;
        }
        p = Pair {
            a: p.a + p.b,
            b: p.b * y,
        };
        if p.b < 0.1 {
            continue;
        }
        p.a *= 1.1;
    }
    p.b * p.a
}

#[gradient]
fn passive_at_first(x: f64, y: f64) -> f64 {
    let constant = Pair { a: 2.0, b: 3.0 };
    assert_eq!(constant, constant);
    let mut sum = Vec3::zero();
    let mut count = Pair { a: 0.0, b: 1.0 };
    assert_eq!(count, count);
    for k in 0..3 {
        sum.x += x * k as f64;
        sum.y += sum.x * y;
        count.a += 1.0;
    }
    sum.x * sum.y * constant.a * count.a + constant.b * x
}

#[gradient]
fn exchanged(x: f64, y: f64) -> f64 {
    let mut p = Pair { a: x, b: y };
    assert_eq!(p, p);
    let mut q = Pair { a: y, b: x * x };
    assert_eq!(q, q);
    for _ in 0..3 {
        std::mem::swap(&mut p, &mut q);
        p.a *= q.b;
    }
    std::mem::swap(&mut p.a, &mut q.b);
    let old = std::mem::replace(&mut p, Pair { a: q.a, b: x });
    assert_eq!(old, old);
    p.a * p.b * q.b * old.a + old.b
}

#[gradient]
fn shadowed(x: f64, y: f64) -> f64 {
    let p = Pair { a: x, b: y };
    assert_eq!(p, p);
    let p = Pair {
        a: p.b,
        b: p.a * p.a,
    };
    assert_eq!(p, p);
    let value = {
        let mut p = p;
        p.a *= p.b;
        p.a
    };
    value * p.a + p.b
}

#[gradient]
fn again(x: f64, y: f64) -> f64 {
    let mut p = Pair { a: x, b: y };
    assert_eq!(p, p);
    #[checkpoint]
    for _ in 0..4 {
        p.a *= p.b;
        p.b += p.a.sin();
    }
    p.a * p.b
}

#[test]
fn fields_are_overwritten_one_by_one() {
    check_two!(mutated mutated_grad, nested nested_grad, passive_at_first passive_at_first_grad, again again_grad);
}

#[test]
fn structs_are_overwritten_as_a_whole() {
    check_two!(carried carried_grad, zero_trips zero_trips_grad, exchanged exchanged_grad);
}

#[test]
fn structs_under_conditions() {
    check_two!(chosen chosen_grad, left_early left_early_grad, shadowed shadowed_grad);
}
