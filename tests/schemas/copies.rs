//! Constant fields of structs in containers, and of copies: structs that are changed and copied as a whole.

use retrograde::{Differentiable, Record, gradient};

use super::oracle::{in_out, value};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Point {
    x: f64,
    y: f64,
}

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct Body {
    at: Point,
    v: Point,
    #[constant]
    mass: f64,
    charge: f64,
    id: usize,
}

#[gradient]
fn moved(bodies: &mut Vec<Body>) {
    for i in 0..bodies.len() {
        for j in 0..bodies.len() {
            if bodies[i].id != bodies[j].id {
                let d = bodies[j].at.x - bodies[i].at.x;
                bodies[i].v.x += d * bodies[j].mass * bodies[i].charge;
            }
        }
    }
    for b in bodies.iter_mut() {
        b.at.x += 0.1 * b.v.x / b.mass;
        b.at = Point {
            y: b.at.x,
            x: b.at.y,
        };
        b.mass = 2.0;
        b.id += 1;
    }
    if bodies.len() > 1 {
        bodies.swap(0, 1);
        let first = bodies[0].clone();
        bodies[1].charge *= first.mass * first.charge;
    }
}

#[gradient]
fn twice(bodies: &mut Vec<Body>) {
    moved(bodies);
    for b in bodies.iter_mut() {
        b.charge *= b.mass * b.at.x;
    }
    moved(bodies);
}

#[gradient]
fn copied(bodies: &Vec<Body>) -> f64 {
    let mut sum = 0.0;
    for b in bodies.iter() {
        let Body { at, v, mass, .. } = b.clone();
        let p = at;
        sum += p.x * v.y * mass + b.charge * b.mass;
    }
    for i in 0..bodies.len() {
        let q = bodies[i].at;
        sum += q.x * q.y;
    }
    sum
}

#[test]
fn bodies() {
    let body = |i: usize| Body {
        at: Point {
            x: i as f64,
            y: 0.3,
        },
        v: Point {
            x: 0.1,
            y: 0.2 * i as f64,
        },
        mass: 1.0 + i as f64,
        charge: 0.7,
        id: i,
    };
    let starts = [vec![], vec![body(1)], vec![body(0), body(1), body(2)]];
    in_out("moved", &starts, moved, &|s, t, d| {
        moved_adjoint(t, s, d, ())
    });
    in_out("twice", &starts, twice, &|s, t, d| {
        twice_adjoint(t, s, d, ())
    });
    value("copied", &starts, copied, copied_grad);
}
