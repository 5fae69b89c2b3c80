//! Elements that are fields, behind a `match`, and vectors of such types.

use std::ops::{Index, IndexMut};

use retrograde::{Differentiable, Flat, Record, gradient};

use crate::support::{check, panic_message};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct V3 {
    x: f64,
    y: f64,
    z: f64,
}

impl ::std::ops::Index<usize> for V3 {
    type Output = f64;

    fn index(&self, index: usize) -> &f64 {
        match index {
            0 => &self.x,
            1 => &self.y,
            2 => &self.z,
            _ => panic!("index {} out of range", index),
        }
    }
}

impl ::std::ops::IndexMut<usize> for V3 {
    fn index_mut(&mut self, index: usize) -> &mut f64 {
        match index {
            0 => &mut self.x,
            1 => &mut self.y,
            2 => &mut self.z,
            _ => panic!("index {} out of range", index),
        }
    }
}

#[gradient]
fn beyond(v: V3, i: usize) -> f64 {
    v[i] * v[0]
}

#[gradient]
fn squared_length(v: &V3) -> f64 {
    let mut sum = 0.0;
    for i in 0..3 {
        sum += v[i] * v[i].sin();
    }
    sum + v[2] * -v[1]
}

#[gradient]
fn turned(v: V3, by: f64) -> V3 {
    let mut result = v;
    let mut next = 0;
    for i in 0..3 {
        // What is assigned is evaluated first.
        result[{
            next += 1;
            next % 3
        }] = by * v[next] + v[i];
    }
    result[0] *= result[1];
    result[next - 1] -= by;
    let old = std::mem::replace(&mut result[0], v[1]);
    result[2] += old;
    let last = &mut result[1];
    *last *= 3.0;
    result
}

#[gradient]
fn turned_length(v: V3, by: f64) -> f64 {
    let w = turned(v, by);
    let parts = vec![w[0], 2.0 * w[1], w[2]];
    squared_length(&w) + parts[0] * parts[1] * parts[2]
}

#[test]
fn points() {
    let at: [&[f64]; 3] = [
        &[0.3, -0.7, 1.1, 0.4],
        &[2.0, 0.0, -0.0, 0.5],
        &[-1.0, 0.25, 0.5, 3.0],
    ];
    let v = |p: &[f64]| V3 {
        x: p[0],
        y: p[1],
        z: p[2],
    };
    check(
        |p| squared_length(&v(p)),
        |p| {
            let (value, d) = squared_length_grad(&v(p));
            (value, vec![d.x, d.y, d.z])
        },
        &at.map(|p| &p[..3]),
    );
    check(
        |p| turned_length(v(p), p[3]),
        |p| {
            let (value, (d, by)) = turned_length_grad(v(p), p[3]);
            (value, vec![d.x, d.y, d.z, by])
        },
        &at,
    );
    for i in 0..3 {
        check(
            |p| beyond(v(p), i),
            |p| {
                let (value, d) = beyond_grad(v(p), i);
                (value, vec![d.x, d.y, d.z])
            },
            &at.map(|p| &p[..3]),
        );
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct Path(Vec<V3>);

impl Index<usize> for Path {
    type Output = V3;

    fn index(&self, i: usize) -> &V3 {
        self.0.get(i).expect("a point")
    }
}

impl IndexMut<usize> for Path {
    fn index_mut(&mut self, i: usize) -> &mut V3 {
        self.0.get_mut(i).expect("a point")
    }
}

#[gradient]
fn along(path: &Path, by: f64) -> f64 {
    let mut moved = path.clone();
    for i in 1..moved.0.len() {
        moved[i].x += by * path[i - 1].y;
        let before = moved[i - 1];
        moved[i].z = before.x * before.y;
    }
    let end = &moved[path.0.len() - 1];
    end.x * end.z + squared_length(&moved[0])
}

#[test]
fn elements_that_are_structs() {
    let path = |p: &[f64]| {
        let points = p.chunks(3).map(|p| V3 {
            x: p[0],
            y: p[1],
            z: p[2],
        });
        Path(points.collect())
    };
    check(
        |p| along(&path(&p[1..]), p[0]),
        |p| {
            let (value, (d, by)) = along_grad(&path(&p[1..]), p[0]);
            (value, [vec![by], d.to_flat()].concat())
        },
        &[
            &[0.5, 0.3, -0.7, 1.1, 0.4, 0.2, 0.9],
            &[-1.0, 0.3, 2.0, 1.5, 0.4, 0.0, 0.9, 1.0, 0.25, 0.5],
        ],
    );
}

/// One name for two things: what is indexed last is a vector.
#[gradient]
fn shadowed(v: V3) -> f64 {
    let sum = {
        let v = vec![v.z, v.y, v.x];
        v[0] * v[1]
    };
    sum * v.x
}

#[test]
fn a_name_that_is_declared_twice() {
    check(
        |p| {
            shadowed(V3 {
                x: p[0],
                y: p[1],
                z: p[2],
            })
        },
        |p| {
            let v = V3 {
                x: p[0],
                y: p[1],
                z: p[2],
            };
            let (value, d) = shadowed_grad(v);
            (value, vec![d.x, d.y, d.z])
        },
        &[&[0.3, -0.7, 1.1], &[2.0, 0.5, -1.0]],
    );
}

/// Elements behind references.
#[gradient]
fn mixed(v: &V3, w: &mut V3) -> f64 {
    let mut copy = *v;
    copy[0] += (*w)[1] * (*v)[2];
    (*w)[2] = copy[0] * (*v)[1];
    w[2] * w[0]
}

#[gradient]
fn behind_references(v: &V3, w: &V3) -> f64 {
    let mut w = *w;
    mixed(v, &mut w) * w.z
}

#[test]
fn elements_behind_references() {
    let vectors = |p: &[f64]| {
        let of = |p: &[f64]| V3 {
            x: p[0],
            y: p[1],
            z: p[2],
        };
        (of(p), of(&p[3..]))
    };
    check(
        |p| {
            let (v, w) = vectors(p);
            behind_references(&v, &w)
        },
        |p| {
            let (v, w) = vectors(p);
            let (value, (dv, dw)) = behind_references_grad(&v, &w);
            (value, [dv.to_flat(), dw.to_flat()].concat())
        },
        &[
            &[0.3, -0.7, 1.1, 0.4, 0.2, 0.9],
            &[2.0, 0.5, -1.0, 1.5, -0.25, 3.0],
        ],
    );
}

#[test]
fn arms_that_panic() {
    let by_grad = panic_message(|| {
        beyond_grad(
            V3 {
                x: 1.0,
                y: 2.0,
                z: 3.0,
            },
            3,
        );
    });
    assert_eq!(by_grad, "index 3 out of range");
}

// A function of the body that names the type, too, and a constant of the body.

#[gradient]
fn beside_a_function(v: &V3, x: f64) -> f64 {
    const SCALE: f64 = 1.5;
    fn last(v: V3, index: usize) -> f64 {
        let V3 { x, y, z } = v;
        x * y + z * index as f64
    }
    let mut sum = last(V3 { x, ..*v }, 2) * SCALE;
    sum += loop {
        sum += v[0] * x;
        if sum > 1.0 {
            break v[1] * x;
        }
        sum += 2.0;
    };
    sum * v[2].sin()
}

#[test]
fn elements_beside_a_function_of_the_body() {
    let at = |p: &[f64]| V3 {
        x: p[0],
        y: p[1],
        z: p[2],
    };
    check(
        |p| beside_a_function(&at(p), p[3]),
        |p| {
            let (value, (dv, dx)) = beside_a_function_grad(&at(p), p[3]);
            (value, [dv.x, dv.y, dv.z, dx])
        },
        &[&[0.7, 0.4, -0.3, 1.2], &[-1.3, 0.9, 1.1, 0.2]],
    );
}

/// Whose last arm takes all other indices.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Pair {
    a: f64,
    b: f64,
}

impl Index<usize> for Pair {
    type Output = f64;

    fn index(&self, i: usize) -> &f64 {
        match i {
            0 => &self.a,
            _ => &self.b,
        }
    }
}

impl IndexMut<usize> for Pair {
    fn index_mut(&mut self, i: usize) -> &mut f64 {
        match i {
            0 => &mut self.a,
            _ => &mut self.b,
        }
    }
}

#[gradient]
fn in_the_last_arm(a: f64, b: f64) -> f64 {
    let mut pair = Pair { a, b };
    pair[1] = a * (b - std::mem::replace(&mut pair[1], a * a));
    std::mem::swap(&mut pair[0], &mut 2.0);
    let other = &mut pair[3];
    *other *= 3.0;
    pair[1] + pair[0] * b
}

#[test]
fn the_last_arm() {
    check(
        |p| in_the_last_arm(p[0], p[1]),
        |p| {
            let (value, (a, b)) = in_the_last_arm_grad(p[0], p[1]);
            (value, vec![a, b])
        },
        &[&[0.3, -0.7], &[2.0, 0.5], &[-1.0, 0.25]],
    );
}
