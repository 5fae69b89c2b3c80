//! Struct values as the state of a computation: mutated, loop-carried, overwritten as a whole or in part, chosen by
//! conditions.

use retrograde::{Differentiable, Record, gradient};

use crate::types::{Body, Pair, Polar, Series, Vec3, body, check, numbers};

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
    for _ in 0..4 {
        p.a *= p.b;
        p.b += p.a.sin();
    }
    let mut q = Polar(p.a, x);
    q.1 *= q.0;
    q.0 -= p.b;
    p.a * p.b * q.0 * q.1
}

#[gradient]
fn carried(x: f64, y: f64) -> f64 {
    let mut p = Pair { a: x, b: y };
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
    let mut sum = Vec3::zero();
    let mut count = Pair { a: 0.0, b: 1.0 };
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
    let mut q = Pair { a: y, b: x * x };
    for _ in 0..3 {
        std::mem::swap(&mut p, &mut q);
        p.a *= q.b;
    }
    std::mem::swap(&mut p.a, &mut q.b);
    let old = std::mem::replace(&mut p, Pair { a: q.a, b: x });
    p.a * p.b * q.b * old.a + old.b
}

#[gradient]
fn shadowed(x: f64, y: f64) -> f64 {
    let p = Pair { a: x, b: y };
    let p = Pair {
        a: p.b,
        b: p.a * p.a,
    };
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

#[gradient]
fn parameter(mut p: Pair, mut s: Series) -> f64 {
    for k in 0..s.values.len() {
        p.a *= p.b;
        s.values[k] *= s.scale;
        s.scale += s.values[k] * p.a;
        s.kind += 1;
        p.b += s.values[k];
    }
    p.a * p.b * s.scale * s.values[0]
}

#[gradient]
fn copied(b: &Body) -> f64 {
    let mut c = *b;
    for _ in 0..3 {
        c.pos.x += b.vel.x * c.mass;
        c.vel.y *= c.pos.x;
    }
    let d = c.clone();
    c.mass = d.vel.y;
    c.pos.x * c.vel.y * c.mass * d.mass * d.pos.x
}

#[test]
fn parameters_that_are_changed_or_copied() {
    let series = |x: &[f64]| Series {
        values: x[2..4].to_vec(),
        scale: x[4],
        kind: 0,
    };
    let pair = |x: &[f64]| Pair { a: x[0], b: x[1] };
    check(
        |x| parameter(pair(x), series(x)),
        |x| {
            let (value, (p, s)) = parameter_grad(pair(x), series(x));
            (value, vec![p.a, p.b, s.values[0], s.values[1], s.scale])
        },
        &[[1.3, 0.7, 0.2, -0.4, 0.9]],
    );
    check(
        |x| copied(&body(x)),
        |x| {
            let (value, b) = copied_grad(&body(x));
            (value, numbers(&b))
        },
        &[[0.3, 0.1, 0.2, 0.5, 0.4, 0.9, 1.2]],
    );
}

#[gradient]
fn step(p: &Pair, dt: f64) -> Pair {
    let mut q = *p;
    q.a += dt * p.b;
    q.b -= dt * p.a.sin();
    q
}

#[gradient]
fn kick(p: &mut Pair, dt: f64) {
    p.a += dt * p.b;
    p.b -= dt * p.a.sin();
}

#[gradient]
fn by_value(p: Pair) -> Pair {
    Pair { a: p.b * p.a, ..p }
}

#[gradient]
fn stepped(x: f64, dt: f64) -> f64 {
    let mut p = Pair { a: x, b: 1.0 - x };
    for k in 0..5 {
        p = step(&p, dt);
        kick(&mut p, dt * dt);
        p.b *= 0.9;
        if k == 3 {
            p = by_value(p);
        }
    }
    let q = step(&Pair { a: p.b, b: p.a }, dt);
    p.a * q.b + by_value(q).a
}

#[test]
fn structs_go_through_calls() {
    check_two!(stepped stepped_grad);
}

/// Fields that the derive knows nothing of are compared where their types say how.
#[derive(Clone, Debug, Differentiable, Record)]
struct Counted {
    mass: f64,
    #[constant]
    steps: usize,
    #[constant]
    name: String,
}

#[gradient]
fn product_of_clones(start: &Counted, x: f64) -> f64 {
    let own = Counted {
        mass: x * start.mass,
        ..start.clone()
    };
    let again = own.clone();
    let all = vec![again.clone(); 2];
    own.mass * again.mass * all[1].mass * again.steps as f64
}

#[test]
fn a_clone_with_constant_fields_is_compared() {
    let start = Counted {
        mass: 2.0,
        steps: 3,
        name: "spring".to_owned(),
    };
    let (value, (dstart, dx)) = product_of_clones_grad(&start, 0.5);
    assert_eq!((value, dstart.mass, dx), (3.0, 4.5, 18.0));
}
