//! Structs that hold containers, used as programs do: through `&mut self`, fields that are borrowed apart, exchanged,
//! taken, and grown.

use retrograde::{Differentiable, Flat, Record, gradient};

use crate::types::{Vec3, check};

#[derive(Clone, Debug, Default, PartialEq, Differentiable, Record)]
struct Body {
    pos: Vec3,
    speed: f64,
    mass: f64,
}

#[derive(Clone, Debug, Default, PartialEq, Differentiable, Record)]
struct World {
    bodies: Vec<Body>,
    x: Vec<f64>,
    v: Vec<f64>,
    gravity: Option<f64>,
    next: Option<Box<World>>,
    count: usize,
}

fn world(p: &[f64]) -> World {
    let body = |p: &[f64]| Body {
        pos: Vec3 {
            x: p[0],
            y: p[1],
            z: 0.5,
        },
        speed: p[2],
        mass: p[3],
    };
    World {
        bodies: vec![body(p), body(&p[1..])],
        x: p[..2].to_vec(),
        v: p[3..5].to_vec(),
        gravity: (p[4] > 0.0).then(|| p[4]),
        next: None,
        count: 1,
    }
}

/// The gradient with respect to `p` above.
fn back(d: &WorldTangent) -> Vec<f64> {
    let mut p = vec![0.0; 5];
    for (k, b) in d.bodies.iter().enumerate() {
        for (i, value) in [b.pos.x, b.pos.y, b.speed, b.mass].into_iter().enumerate() {
            p[k + i] += value;
        }
    }
    for k in 0..2 {
        p[k] += d.x[k];
        p[3 + k] += d.v[k];
    }
    p[4] += d.gravity.unwrap_or(0.0);
    p
}

const POINTS: [[f64; 5]; 2] = [[0.7, 1.3, 0.4, 0.9, -0.3], [-0.2, 0.5, 1.1, 2.0, 0.6]];

macro_rules! check_worlds {
    ($($f:ident $gradient:ident),*) => { $(
        check(|p| $f(world(p)), |p| { let (value, d) = $gradient(world(p)); (value, back(&d)) }, &POINTS);
    )* };
}

#[gradient]
impl World {
    fn energy(&self) -> f64 {
        let mut sum = self
            .bodies
            .iter()
            .map(|b| 0.5 * b.mass * b.speed * b.speed)
            .sum::<f64>();
        for (i, body) in self.bodies.iter().enumerate() {
            sum += body.pos.x * self.x[i] * self.gravity.unwrap_or(9.81);
        }
        sum + self.x.iter().zip(&self.v).map(|(x, v)| x * v).sum::<f64>()
    }

    fn kick(&mut self, dt: f64) {
        for b in &mut self.bodies {
            b.speed += dt * b.mass * b.pos.x;
        }
        for b in self.bodies.iter_mut() {
            b.pos.x += b.speed * dt;
        }
        for (i, b) in self.bodies.iter().enumerate() {
            self.x[i] += b.speed * self.x[i];
        }
        self.bodies[0].pos.x *= self.bodies[1].pos.y;
    }

    fn apart(&mut self, dt: f64) {
        let (x, v) = (&mut self.x, &self.v);
        for i in 0..x.len() {
            x[i] += v[i] * dt * x[i];
        }
        let World { x, v, bodies, .. } = self;
        for (v, b) in v.iter_mut().zip(bodies.iter()) {
            *v *= b.mass;
        }
        std::mem::swap(x, v);
        let first = &mut self.bodies[0].pos;
        first.y *= self.x[0];
    }

    fn exchange(&mut self, dt: f64) {
        std::mem::swap(&mut self.x, &mut self.v);
        let old = std::mem::take(&mut self.v);
        for value in &old {
            self.x[0] += value * dt;
        }
        self.v = old;
        let gravity = std::mem::replace(&mut self.gravity, Some(dt * self.x[1]));
        if let Some(g) = gravity {
            self.x[1] *= g;
        }
        if let Some(g) = &mut self.gravity {
            *g *= self.x[0];
        }
    }

    fn grow(&mut self, dt: f64) {
        self.x.push(dt * self.x[0]);
        self.bodies.push(Body {
            pos: Vec3 {
                x: dt,
                ..self.bodies[0].pos
            },
            speed: self.v[0],
            mass: 1.0,
        });
        self.count += 1;
        let last = self.bodies.len() - 1;
        self.bodies[last].mass *= self.x[0];
        self.x[0] *= self.x.last().unwrap() * self.v.first().unwrap();
    }

    fn shrink(&mut self) -> f64 {
        let last = self.x.pop().unwrap();
        self.bodies.truncate(2);
        let mut sum = last * last;
        while let Some(v) = self.v.pop() {
            sum += v * last;
        }
        self.v.push(sum);
        self.v.push(last);
        self.count -= 1;
        sum
    }

    fn is_large(&self) -> bool {
        self.count > 3
    }

    fn done(&self) -> bool {
        self.count > 2
    }
}

#[gradient]
fn stepped(mut w: World) -> f64 {
    for k in 0..3 {
        w.kick(0.1);
        w.apart(0.2);
        if k == 1 {
            w.exchange(0.3);
        }
    }
    w.energy()
}

#[gradient]
fn grown(mut w: World) -> f64 {
    let mut sum = 0.0;
    while !w.done() {
        w.grow(0.3);
        sum += w.energy();
    }
    while w.count > 1 && !w.is_large() {
        sum += w.shrink();
    }
    sum + w.energy() * w.x[0]
}

#[gradient]
fn recorded(mut w: World) -> f64 {
    let target = &mut w;
    target.x.push(target.v[0]);
    target.x.clear();
    target.x.push(target.v[1] * target.v[0]);
    target.x.push(2.0);
    let mut local = World {
        x: vec![w.x[0]],
        ..w
    };
    local.x.push(local.v[0]);
    let last = local.x.pop().unwrap();
    last * local.x[0] * local.bodies[1].pos.y
}

#[test]
fn fields_of_self_are_looped_over_borrowed_and_exchanged() {
    check_worlds!(stepped stepped_grad);
}

#[test]
fn fields_grow_and_shrink() {
    check_worlds!(grown grown_grad, recorded recorded_grad);
}

#[gradient]
fn vectors(mut bodies: Vec<Body>, x: f64) -> f64 {
    bodies.push(Body {
        pos: Vec3 { x, y: x, z: 0.0 },
        speed: x,
        mass: 1.0,
    });
    for b in &mut bodies {
        b.speed += b.mass * x;
    }
    let last = bodies.pop().unwrap();
    let total: f64 = bodies.iter().map(|b| b.mass).sum();
    let mut sum = 0.0;
    for (i, a) in bodies.iter().enumerate() {
        for b in &bodies[i + 1..] {
            sum += a.mass * b.mass * (a.pos.x - b.pos.x);
        }
    }
    bodies.swap(0, 1);
    bodies.truncate(1);
    sum + last.speed * total * bodies[0].pos.y
}

#[gradient]
fn options(o: Option<Vec3>, p: &Option<Body>, mut w: Option<Vec3>) -> f64 {
    let mut s = 0.0;
    if let Some(v) = &mut w {
        v.x *= 2.0;
    }
    if let Some(v) = o {
        s += v.x;
    }
    if let Some(ref v) = w {
        s += v.x * v.y;
    }
    s += o.unwrap().y;
    s += match p {
        Some(Body {
            speed,
            pos: Vec3 { z, .. },
            ..
        }) => speed * z,
        None => 1.0,
    };
    if let Some(b) = p.as_ref() {
        s *= b.mass;
    }
    s
}

#[test]
fn vectors_and_options_of_structs() {
    check(
        |p| vectors(world(p).bodies, p[4]),
        |p| {
            let (value, (d, dx)) = vectors_grad(world(p).bodies, p[4]);
            let mut sum = back(&WorldTangent {
                bodies: d,
                x: vec![0.0; 2],
                v: vec![0.0; 2],
                ..world(p).zero_tangent()
            });
            sum[4] += dx;
            (value, sum)
        },
        &POINTS,
    );
    let vec3 = |p: &[f64]| Vec3 {
        x: p[0],
        y: p[1],
        z: p[2],
    };
    let body = |p: &[f64]| {
        (p[0] > 0.0).then(|| Body {
            pos: vec3(p),
            speed: p[3],
            mass: p[4],
        })
    };
    check(
        |p| options(Some(vec3(p)), &body(p), Some(vec3(&p[1..]))),
        |p| {
            let (value, (o, b, w)) = options_grad(Some(vec3(p)), &body(p), Some(vec3(&p[1..])));
            let (o, w, b) = (o.unwrap(), w.unwrap(), b.unwrap_or_default());
            let d = [
                o.x + b.pos.x,
                o.y + w.x + b.pos.y,
                o.z + w.y + b.pos.z,
                w.z + b.speed,
                b.mass,
            ];
            (value, d.to_vec())
        },
        &POINTS,
    );
}

#[derive(Clone, Debug, Differentiable, Record)]
struct Node {
    value: f64,
    next: Option<Box<Node>>,
}

#[gradient]
fn list(x: &[f64]) -> Option<Box<Node>> {
    let mut list = None;
    for v in x {
        list = Some(Box::new(Node {
            value: *v,
            next: list,
        }));
    }
    list
}

#[gradient]
fn total(node: &Option<Box<Node>>) -> f64 {
    match node {
        Some(node) => node.value * node.value + 0.5 * total(&node.next),
        None => 0.0,
    }
}

#[gradient]
impl Node {
    fn append(&mut self, value: f64) {
        match &mut self.next {
            Some(next) => Node::append(next, value * self.value),
            None => self.next = Some(Box::new(Node { value, next: None })),
        }
    }

    fn product(&self) -> f64 {
        match &self.next {
            Some(next) => self.value * Node::product(next),
            None => self.value,
        }
    }
}

#[gradient]
fn appended(x: &[f64]) -> f64 {
    let mut list = Node {
        value: x[0],
        next: None,
    };
    for v in x {
        list.append(*v);
    }
    list.product() + total(&list.next)
}

#[gradient]
fn of_list(x: &[f64]) -> f64 {
    total(&list(x))
}

#[test]
fn boxed_lists() {
    let points = [[0.7, 1.3, 0.4], [-0.2, 0.5, 1.1]];
    check(|x| of_list(x), |x| of_list_grad(x), &points);
    check(|x| appended(x), |x| appended_grad(x), &points);
    assert_eq!(of_list_grad(&[]), (0.0, vec![]));
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Differentiable, Record)]
#[differentiable(tangent = Self)]
struct Plane {
    x: f64,
    y: f64,
}

/// Methods with the names of those of std.
#[gradient]
impl Plane {
    fn abs(&self) -> f64 {
        (self.x * self.x + self.y * self.y).sqrt()
    }

    fn max(&self, other: f64) -> f64 {
        if self.x > other {
            self.x
        } else {
            other * self.y
        }
    }

    fn len(&self) -> f64 {
        self.x * self.y
    }

    fn push(&mut self, x: f64) {
        self.x += x * self.y;
    }

    fn twice(&self, other: &Self) -> f64 {
        self.abs() * other.len() + self.max(other.abs())
    }

    fn pushed(mut self, by: f64) -> f64 {
        self.push(by);
        self.push(self.len());
        self.x
    }
}

/// A plain method, which only answers.
impl Plane {
    fn contains(&self, x: f64) -> bool {
        x < self.x
    }
}

#[gradient]
fn asked(x: f64, y: f64) -> f64 {
    let mut plane = Plane { x, y };
    let mut sum = 0.0;
    for k in 0..3 {
        if plane.contains(0.5) || k == 1 {
            plane.x *= y;
            sum += plane.len();
        }
        plane.push(0.1);
        sum += plane.max(y);
    }
    sum
}

#[gradient]
fn by_path(p: &Plane, x: f64) -> f64 {
    Plane::abs(p) * Plane::max(p, x) + Plane::len(p)
}

#[test]
fn methods_named_like_those_of_std() {
    let plane = |p: &[f64]| Plane { x: p[0], y: p[1] };
    for_points(|p| {
        let (value, (d, e)) = plane(p).twice_grad(&plane(&p[2..]));
        (
            plane(p).twice(&plane(&p[2..])),
            value,
            vec![d.x, d.y, e.x, e.y],
        )
    });
    check(
        |p| plane(p).pushed(p[2]),
        |p| {
            let (value, (d, by)) = plane(p).pushed_grad(p[2]);
            (value, vec![d.x, d.y, by])
        },
        &[[0.7, 1.3, 0.4], [-0.2, 0.5, 1.1]],
    );
    check(
        |p| asked(p[0], p[1]),
        |p| {
            let (value, (dx, dy)) = asked_grad(p[0], p[1]);
            (value, vec![dx, dy])
        },
        &[[0.7, 1.3], [-0.2, 0.5], [0.3, -0.6]],
    );
    check(
        |p| by_path(&plane(p), p[2]),
        |p| {
            let (value, (d, x)) = by_path_grad(&plane(p), p[2]);
            (value, vec![d.x, d.y, x])
        },
        &[[0.7, 1.3, 0.4], [-0.2, 0.5, 1.1]],
    );
}

fn for_points(f: impl Fn(&[f64]) -> (f64, f64, Vec<f64>)) {
    check(
        |p| f(p).0,
        |p| (f(p).1, f(p).2),
        &[[0.7, 1.3, 0.4, -0.9], [-0.2, 0.5, 1.1, 2.0]],
    );
}
