//! Arrays, slices, `Vec`s, tuples and options of structs, and structs of arrays.

use retrograde::gradient;

use crate::types::{Body, BodyTangent, Pair, Polar, Series, Vec3, body, check, numbers};

const POINTS: [[f64; 2]; 3] = [[0.3, 0.7], [0.9, 0.2], [-0.4, 0.0]];

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

fn bodies(x: &[f64]) -> Vec<Body> {
    x.chunks(7).map(body).collect()
}

fn all_numbers(bodies: &[BodyTangent]) -> Vec<f64> {
    bodies.iter().flat_map(numbers).collect()
}

const TWO: [f64; 14] = [
    0.3, 0.1, 0.2, 0.5, 0.4, 0.9, 1.2, -0.3, 0.6, -0.8, 0.1, -0.2, 0.35, 0.7,
];

#[gradient]
fn potential(bodies: &[Body]) -> f64 {
    let mut sum = 0.0;
    for i in 0..bodies.len() {
        for j in 0..i {
            let (p, q) = (&bodies[i].pos, &bodies[j].pos);
            let d = Vec3 {
                x: p.x - q.x,
                y: p.y - q.y,
                z: p.z - q.z,
            };
            sum -= bodies[i].mass * bodies[j].mass / (d.x * d.x + d.y * d.y + d.z * d.z).sqrt();
        }
    }
    for Body { vel, mass, .. } in bodies {
        sum += 0.5 * mass * (vel.x * vel.x + vel.y * vel.y + vel.z * vel.z);
    }
    sum
}

#[gradient]
fn drift(bodies: &mut [Body], dt: f64) {
    for i in 0..bodies.len() {
        bodies[i].pos.x += dt * bodies[i].vel.x;
        bodies[i].vel.x *= bodies[i].pos.x;
    }
    for b in bodies.iter_mut() {
        b.pos.y *= b.mass;
        b.vel = Vec3 {
            x: b.pos.y,
            ..b.vel
        };
    }
    for Body { pos, vel, .. } in bodies {
        pos.z += vel.x * dt;
        *vel = *pos;
    }
}

#[gradient]
fn simulated(mut bodies: Vec<Body>, dt: f64) -> f64 {
    for _ in 0..3 {
        drift(&mut bodies, dt);
        bodies[0].mass *= 1.1;
    }
    potential(&bodies)
}

#[test]
fn fields_of_elements_are_read_and_written() {
    check(
        |x| potential(&bodies(x)),
        |x| {
            let (value, d) = potential_grad(&bodies(x));
            (value, all_numbers(&d))
        },
        &[TWO],
    );
    assert_eq!(potential_grad(&[]), (0.0, vec![]));
    check(
        |x| simulated(bodies(x), 0.1),
        |x| {
            let (value, (d, _)) = simulated_grad(bodies(x), 0.1);
            (value, all_numbers(&d))
        },
        &[TWO],
    );
    check(
        |x| simulated(bodies(&TWO), x[0]),
        |x| {
            let (value, (_, dt)) = simulated_grad(bodies(&TWO), x[0]);
            (value, vec![dt])
        },
        &[[0.1], [0.0]],
    );
}

#[gradient]
fn arrays(x: f64, y: f64) -> f64 {
    let pairs = [Pair { a: x, b: y }, Pair { a: y, b: x * x }];
    let mut sum = 0.0;
    for p in &pairs {
        sum += p.a * p.b * p.b;
    }
    let mut same = [Pair { a: x, b: y }; 3];
    for i in 0..3 {
        same[i].a *= same[(i + 1) % 3].b;
        same[i].b += same[i].a;
    }
    for p in same.iter_mut() {
        p.a *= p.b;
    }
    same[2] = Pair {
        a: same[0].b,
        ..same[1]
    };
    sum + pairs[1].b * pairs[0].a + same[1].b * same[0].a * same[2].a
}

#[gradient]
fn vectors(x: f64, y: f64) -> f64 {
    let mut pairs = Vec::new();
    for i in 0..4 {
        pairs.push(Pair {
            a: x * i as f64,
            b: y,
        });
    }
    let mut sum = 0.0;
    for i in 0..pairs.len() {
        sum += pairs[i].a * pairs[i].b;
        pairs[i].a = sum;
    }
    let last = pairs.pop().unwrap();
    pairs.push(Pair {
        a: last.b,
        b: last.a * sum,
    });
    pairs.swap(0, 3);
    pairs.truncate(3);
    for p in &pairs {
        sum += p.a * p.b;
    }
    let polars = vec![Polar(x, y), Polar(y, x)];
    let copies = vec![Pair { a: x, b: sum }; 2];
    sum * polars[0].1 * polars[1].0 + copies[1].b * copies[0].a
}

#[gradient]
fn rows(x: f64, y: f64) -> f64 {
    let mut rows = Vec::new();
    for i in 0..3 {
        let mut row = Vec::new();
        for j in 0..=i {
            row.push(Pair {
                a: x * j as f64,
                b: y + i as f64,
            });
        }
        rows.push(row);
    }
    for i in 0..rows.len() {
        for j in 0..rows[i].len() {
            rows[i][j].a *= rows[i][0].b;
        }
    }
    let mut sum = 0.0;
    for row in &rows {
        for p in row {
            sum += p.a * p.b;
        }
    }
    sum + rows[2][1].a
}

#[gradient]
fn tuples_and_options(x: f64, y: f64) -> f64 {
    let t = (Pair { a: x, b: y }, Polar(x, x));
    let (p, q) = t;
    let option = if x > 0.0 {
        Some(Pair { a: x * y, b: p.a })
    } else {
        None
    };
    let first = match option {
        Some(Pair { a, b }) => a * b,
        None => y,
    };
    let second = if let Some(p) = option { p.a } else { 2.0 };
    p.a * q.1 * p.b + t.0.a * first * second
}

#[test]
fn containers_of_structs() {
    check_two!(arrays arrays_grad, vectors vectors_grad, rows rows_grad, tuples_and_options tuples_and_options_grad);
}

#[gradient]
fn of_rows(rows: &Vec<Vec<Pair>>, offset: &[[Pair; 2]]) -> f64 {
    let mut sum = 0.0;
    for row in rows {
        for p in row.iter() {
            sum += p.a * p.b;
        }
    }
    for i in 0..rows.len() {
        for j in 0..rows[i].len() {
            sum += rows[i][j].a * offset[i][j].b;
        }
    }
    sum
}

#[test]
fn nested_containers_of_structs_as_parameters() {
    let pair = |x: &[f64]| Pair { a: x[0], b: x[1] };
    let rows = |x: &[f64]| vec![vec![pair(x), pair(&x[1..])], vec![], vec![pair(&x[2..])]];
    let offset = |x: &[f64]| vec![[pair(x), pair(&x[2..])]; 3];
    check(
        |x| of_rows(&rows(x), &offset(x)),
        |x| {
            let (value, (r, o)) = of_rows_grad(&rows(x), &offset(x));
            let mut sum = vec![
                r[0][0].a,
                r[0][0].b + r[0][1].a,
                r[0][1].b + r[2][0].a,
                r[2][0].b,
            ];
            for [p, q] in o {
                for (sum, d) in sum.iter_mut().zip([p.a, p.b, q.a, q.b]) {
                    *sum += d;
                }
            }
            (value, sum)
        },
        &[[0.3, 0.7, -0.2, 1.5]],
    );
}

#[gradient]
fn of_arrays(x: &[f64], scale: f64) -> f64 {
    let mut s = Series {
        values: x.to_vec(),
        scale,
        kind: 0,
    };
    for i in 0..s.values.len() {
        s.values[i] *= s.scale;
        s.scale += s.values[i];
        s.kind += 1;
    }
    let mut t = Series {
        values: vec![0.0; s.kind],
        ..s.clone()
    };
    for (to, from) in t.values.iter_mut().zip(&s.values) {
        *to = from * s.scale;
    }
    t.values.push(s.scale);
    s.scale * s.values[0] * t.values[1] * t.values[t.values.len() - 1]
}

type Real = f32;

#[gradient]
fn counted(s: &Series, x: Real) -> f64 {
    let mut sum = s.kind as f64 * s.scale + x as f64;
    for i in 0..s.kind {
        sum += s.values[i] / (s.kind as f64 + i as f64);
    }
    let n = s.kind;
    sum * n as f64 + (s.kind - 1) as f64 * s.scale as f32 as f64
}

#[test]
fn fields_are_cast_to_floats_whatever_they_are() {
    let series = |x: &[f64]| Series {
        values: x[..2].to_vec(),
        scale: x[2],
        kind: 2,
    };
    for x in [[0.25, 0.75, 1.5], [-0.5, 0.125, 8.0]] {
        let (value, (s, dx)) = counted_grad(&series(&x), 3.0);
        assert_eq!(value, counted(&series(&x), 3.0));
        assert_eq!((s.values, s.scale, dx), (vec![1.0, 2.0 / 3.0], 5.0, 2.0));
    }
}

#[test]
fn structs_of_arrays() {
    check(
        |x| of_arrays(&x[..2], x[2]),
        |x| {
            let (value, (dx, scale)) = of_arrays_grad(&x[..2], x[2]);
            (value, vec![dx[0], dx[1], scale])
        },
        &[[0.3, 0.7, 1.1]],
    );
}
