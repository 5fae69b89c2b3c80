//! What stands in front of the dot.

use std::ops::{Deref, DerefMut};

use retrograde::{Differentiable, Record, Tangent, gradient};

use crate::support::check;
use crate::types::{V2, own_tangent};

#[gradient]
impl V2 {
    fn area(&self) -> f64 {
        self.x * self.y
    }

    fn grow(&mut self, by: f64) -> &mut Self {
        self.x *= by;
        self
    }

    fn stretch(&mut self, by: f64) {
        self.x *= by;
        self.y += by * by;
    }
}

#[derive(Clone, Debug, Record)]
struct Shape {
    size: V2,
    parts: Vec<V2>,
    pair: [V2; 2],
}

own_tangent! { [] Shape { size, parts, pair } }

#[gradient]
impl Shape {
    fn all(&mut self, by: f64) -> f64 {
        self.size.stretch(by);
        for i in 0..self.parts.len() {
            self.parts[i].stretch(self.size.area());
            self.pair[i % 2].stretch(by);
        }
        let last = &mut self.parts[0];
        last.stretch(by);
        let area = last.area();
        let size = &self.size;
        size.area() + area + self.pair[1].area() * self.parts[1].area()
    }

    fn twice(mut self, by: f64) -> f64 {
        let first = self.all(by);
        first * self.all(by * 0.5) + self.size.area()
    }
}

#[test]
fn fields_elements_and_references() {
    let shape = |p: &[f64]| {
        let v = |k: usize| V2 {
            x: p[k],
            y: p[k + 1],
        };
        Shape {
            size: v(0),
            parts: vec![v(2), v(4)],
            pair: [v(6), v(8)],
        }
    };
    check(
        |p| shape(p).twice(p[10]),
        |p| shape(p).twice_grad(p[10]),
        &[&[0.7, 0.3, 1.2, -0.4, 0.9, 0.1, 0.5, 0.6, -0.3, 0.2, 0.8]],
    );
}

#[gradient]
fn tuples(a: (V2, f64), k: Option<V2>) -> f64 {
    let mut a = a;
    a.0.stretch(a.1);
    match k {
        Some(v) => v.area() * a.0.area(),
        None => a.0.area(),
    }
}

#[test]
fn parts_of_tuples_and_options() {
    let v = |p: &[f64]| V2 { x: p[0], y: p[1] };
    check(
        |p| tuples((v(p), p[2]), Some(v(&p[3..]))),
        |p| tuples_grad((v(p), p[2]), Some(v(&p[3..]))),
        &[&[0.7, 0.3, 1.2, -0.4, 0.9]],
    );
    check(
        |p| tuples((v(p), p[2]), None),
        |p| tuples_grad((v(p), p[2]), None),
        &[&[0.7, 0.3, 1.2]],
    );
}
