//! Operators on loop-carried and in-out state.

use retrograde::{Flat, gradient};

use crate::support::check;
use crate::types::{Body, V, bodies};

#[gradient]
fn energy(b: &[Body]) -> f64 {
    let mut sum = 0.0;
    for i in 0..b.len() {
        sum += 0.5 * b[i].mass * b[i].vel.norm2();
        for j in 0..i {
            let d = b[i].pos - b[j].pos;
            sum -= b[i].mass * b[j].mass / (d.dot(d) + 0.01).sqrt();
        }
    }
    sum
}

#[gradient]
fn step(b: &mut Vec<Body>, dt: f64) {
    for i in 0..b.len() {
        let mut force = V::new(0.0, 0.0);
        for j in 0..b.len() {
            if i != j {
                let d = b[j].pos - b[i].pos;
                let r2 = d.dot(d) + 0.01;
                force += d * (b[j].mass / (r2 * r2.sqrt()));
            }
        }
        b[i].vel += force * dt;
    }
    for i in 0..b.len() {
        let moved = b[i].vel * dt;
        b[i].pos += moved;
    }
}

#[gradient]
fn after(mut b: Vec<Body>, dt: f64, steps: usize) -> f64 {
    for _ in 0..steps {
        step(&mut b, dt);
    }
    energy(&b) + b[0].pos.x
}

const AT: &[f64] = &[
    1.0, 0.5, -0.3, 0.2, 0.9, 2.0, -0.7, 0.1, 0.4, -0.2, 0.5, 1.4, 1.0, -0.3, 0.1, 0.02,
];

#[test]
fn bodies_that_move() {
    for (n, steps) in [(1, 2), (2, 0), (2, 1), (3, 5)] {
        let p: Vec<f64> = AT[..5 * n].iter().chain(&[0.02]).copied().collect();
        check(
            |p| after(bodies(&p[..5 * n]), p[5 * n], steps),
            |p| {
                let (value, (db, dt)) = after_grad(bodies(&p[..5 * n]), p[5 * n], steps);
                let mut flat = db.to_flat();
                flat.push(dt);
                (value, flat)
            },
            &[&p],
        );
    }
}

#[gradient]
fn carried(a: V, k: f64, n: usize) -> f64 {
    let mut p = a;
    let mut q = a * k;
    let mut sum = V::new(0.0, 0.0);
    for i in 0..n {
        let old = p;
        p = p * q - a;
        q -= old * 0.1;
        q *= k;
        sum += p + q;
        sum /= 1.5;
        if i == 3 {
            continue;
        }
        sum = sum * a;
    }
    sum.norm2() + p.x * q.y
}

#[test]
fn loop_carried_values() {
    for n in [0, 1, 2, 5] {
        check(
            |p| carried(V { x: p[0], y: p[1] }, p[2], n),
            |p| {
                let (value, (d, k)) = carried_grad(V { x: p[0], y: p[1] }, p[2], n);
                (value, [d.x, d.y, k])
            },
            &[&[0.7, 0.3, 0.9], &[-0.2, 0.6, 1.1]],
        );
    }
}

#[gradient]
fn vectors(vs: &[V], w: &[f64]) -> f64 {
    let mut sum = V { x: 0.0, y: 0.0 };
    for (v, k) in vs.iter().zip(w) {
        sum += *v * *k;
        sum = &sum + v;
    }
    let mut copies = vs.to_vec();
    for i in 1..copies.len() {
        let before = copies[i - 1];
        copies[i] -= before * 0.5;
        copies[i - 1] = copies[i] + before;
    }
    for v in &copies {
        sum += *v * sum;
    }
    sum.norm2()
}

#[test]
fn slices_of_vectors() {
    for n in [0, 1, 2, 3] {
        let p: Vec<f64> = (0..3 * n).map(|k| (k as f64 * 0.7 + 0.2).sin()).collect();
        let at = move |p: &[f64]| {
            let vs: Vec<V> = p[..2 * n]
                .chunks(2)
                .map(|p| V { x: p[0], y: p[1] })
                .collect();
            (vs, p[2 * n..].to_vec())
        };
        check(
            |p| {
                let (vs, w) = at(p);
                vectors(&vs, &w)
            },
            |p| {
                let (vs, w) = at(p);
                let (value, (dv, dw)) = vectors_grad(&vs, &w);
                let mut flat = dv.to_flat();
                flat.extend(dw);
                (value, flat)
            },
            &[&p],
        );
    }
}

#[gradient]
fn checkpointed(a: V, n: usize) -> f64 {
    let mut p = a;
    #[checkpoint]
    for _ in 0..n {
        p += p * a;
        p = p - a * 0.1;
    }
    p.norm2()
}

#[test]
fn in_a_checkpointed_loop() {
    check(
        |p| checkpointed(V { x: p[0], y: p[1] }, 4),
        |p| {
            let (value, d) = checkpointed_grad(V { x: p[0], y: p[1] }, 4);
            (value, [d.x, d.y])
        },
        &[&[0.2, 0.3], &[-0.2, 0.1]],
    );
}
