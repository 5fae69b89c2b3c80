//! Calls of methods from differentiated functions.

use retrograde::gradient;

use crate::support::{check, check_exact};
use crate::types::{Spring, V2, own_tangent, spring};
use retrograde::{Differentiable, Record, Tangent};

#[gradient]
impl Spring {
    pub fn force(&self, x: f64) -> f64 {
        -self.stiffness * (x - self.rest).tanh()
    }

    /// By the receiver, by `Self`, by the name of the type; each argument a call.
    pub fn work(&self, x: f64) -> f64 {
        let a = self.force(x) * x;
        let b = Self::force(self, a + 1.0);
        let c = Spring::force(&self, self.force(b));
        a + b * c
    }

    /// `length` times, by recursion.
    pub fn again(&self, x: f64, length: u32) -> f64 {
        if length == 0 {
            return x * self.stiffness;
        }
        self.again(self.force(x), length - 1) + 0.5 * x
    }

    pub fn even(&self, x: f64, n: u32) -> f64 {
        if n == 0 {
            x
        } else {
            self.odd(x * self.stiffness, n - 1)
        }
    }

    fn odd(&self, x: f64, n: u32) -> f64 {
        if n == 0 {
            x.sin()
        } else {
            Self::even(self, x + self.rest, n - 1)
        }
    }
}

const AT: &[&[f64]] = &[&[0.7, 0.3, 1.2], &[-0.4, 0.9, 0.2], &[1.3, -0.5, -0.8]];

#[test]
fn calls_through_self_and_the_type() {
    check(|p| spring(p).work(p[2]), |p| spring(p).work_grad(p[2]), AT);
}

#[test]
fn recursion() {
    for n in [0, 1, 4] {
        check(
            |p| spring(p).again(p[2], n),
            |p| spring(p).again_grad(p[2], n),
            AT,
        );
        check(
            |p| spring(p).even(p[2], n),
            |p| spring(p).even_grad(p[2], n),
            AT,
        );
    }
}

#[gradient]
fn free(s: &Spring, x: f64, n: usize) -> f64 {
    let mut sum = 0.0;
    for k in 0..n {
        let y = x * k as f64;
        if k % 2 == 0 {
            sum += s.force(y) * Spring::force(s, sum);
        } else {
            sum -= crate::types::Spring::force(s, y + s.work(0.5));
        }
        while sum > 3.0 {
            sum *= 0.5;
        }
    }
    sum
}

#[gradient]
fn by_value(s: Spring, x: f64) -> f64 {
    let t = &s;
    let again = s.force(x);
    t.force(again) + (&s).force(2.0) * s.work(x)
}

#[test]
fn calls_from_functions() {
    for n in [0, 1, 5] {
        check(
            |p| free(&spring(p), p[2], n),
            |p| free_grad(&spring(p), p[2], n),
            AT,
        );
    }
    check(
        |p| by_value(spring(p), p[2]),
        |p| by_value_grad(spring(p), p[2]),
        AT,
    );
}

#[gradient]
impl V2 {
    fn plus(self, other: V2) -> V2 {
        let mut sum = self;
        sum.x += other.x;
        sum.y += other.y;
        sum
    }

    fn times(self, factor: f64) -> V2 {
        let mut product = self;
        product.x *= factor;
        product.y = product.y * factor;
        product
    }

    fn inner(&self, other: &V2) -> f64 {
        self.x * other.x + self.y * other.y
    }

    fn turned(mut self, angle: f64) -> Self {
        let (s, c) = angle.sin_cos();
        let x = self.x;
        self.x = c * x - s * self.y;
        self.y = s * x + c * self.y;
        self
    }

    fn longest(&self) -> f64 {
        self.x.max(self.y)
    }
}

fn v2(p: &[f64]) -> V2 {
    V2 { x: p[0], y: p[1] }
}

#[gradient]
fn chained(a: V2, b: V2, angle: f64) -> f64 {
    let sum = a.plus(b.times(angle)).turned(angle);
    sum.inner(&a) + a.times(2.0).plus(a).inner(&sum) + sum.longest()
}

#[gradient]
fn the_same_twice(a: V2) -> f64 {
    let mut b = a;
    b.x *= 2.0;
    a.inner(&a) * b.inner(&b) + b.plus(b).inner(&a.plus(a))
}

#[gradient]
fn temporaries(a: V2, angle: f64) -> f64 {
    V2::plus(a, a).turned(angle).inner(&V2::times(a, angle)) + V2::inner(&a, &a.turned(0.5))
}

const PAIRS: &[&[f64]] = &[&[0.7, 0.3, 1.2, -0.4, 0.9], &[-1.5, 0.2, 0.6, 1.1, -2.0]];

#[test]
fn values_of_ones_own_go_through_methods() {
    check(
        |p| chained(v2(p), v2(&p[2..]), p[4]),
        |p| chained_grad(v2(p), v2(&p[2..]), p[4]),
        PAIRS,
    );
    check_exact(
        |p| the_same_twice(v2(p)),
        |p| the_same_twice_grad(v2(p)),
        |p| {
            // b = (2x, y); (x² + y²)(4x² + y²) + (4x, 2y)·(2x, 2y)
            let (x, y) = (p[0], p[1]);
            let (aa, bb) = (x * x + y * y, 4.0 * x * x + y * y);
            vec![
                2.0 * x * bb + aa * 8.0 * x + 16.0 * x,
                2.0 * y * bb + aa * 2.0 * y + 8.0 * y,
            ]
        },
        &[&[0.7, 0.3], &[-1.5, 0.2]],
    );
    check(
        |p| temporaries(v2(p), p[2]),
        |p| temporaries_grad(v2(p), p[2]),
        &[&[0.7, 0.3, 1.2], &[-1.5, 0.2, 0.6]],
    );
}

/// Two springs and the places of three masses.
#[derive(Clone, Debug, Record)]
struct Chain {
    left: V2,
    right: V2,
    at: Vec<f64>,
}

own_tangent! { [] Chain { left, right, at } }

#[gradient]
impl Chain {
    fn energy(&self) -> f64 {
        let mut e = 0.0;
        for i in 0..self.at.len() {
            e += self.left.inner(&self.right) * self.part(i);
        }
        e + self.left.plus(self.right).longest()
    }

    fn part(&self, i: usize) -> f64 {
        self.at[i] * self.at[i] * self.left.x
    }

    fn shifted(&self, by: &[f64]) -> Chain {
        let mut other = self.clone();
        for i in 0..by.len() {
            other.at[i] += by[i] * self.right.y;
        }
        other.left = self.left.turned(by[0]);
        other
    }
}

#[gradient]
fn shifted_energy(c: &Chain, by: &[f64]) -> f64 {
    c.shifted(by).energy() - c.energy()
}

fn chain(p: &[f64]) -> Chain {
    Chain {
        left: v2(p),
        right: v2(&p[2..]),
        at: p[4..7].to_vec(),
    }
}

#[test]
fn methods_of_fields() {
    let at: &[&[f64]] = &[&[0.7, 0.3, 1.2, -0.4, 0.9, 0.1, -0.6, 0.2, 0.4, -0.3]];
    check(
        |p| chain(p).energy(),
        |p| chain(p).energy_grad(),
        &[&at[0][..7]],
    );
    check(
        |p| shifted_energy(&chain(p), &p[7..]),
        |p| shifted_energy_grad(&chain(p), &p[7..]),
        at,
    );
}

/// A binary tree.
#[derive(Clone, Debug, Record)]
struct Pair {
    value: f64,
    weight: V2,
}

own_tangent! { [] Pair { value, weight } }

#[gradient]
impl Pair {
    fn score(&self) -> f64 {
        self.weight.inner(&self.weight) * self.value.exp()
    }
}

#[gradient]
fn scores(all: &[Pair]) -> f64 {
    let mut s = 0.0;
    for i in 0..all.len() {
        s += all[i].score() * all[0].weight.x;
    }
    for one in all {
        s += one.score();
    }
    s
}

#[gradient]
fn boxed(p: &Box<Pair>) -> f64 {
    p.score() + p.weight.x
}

/// A binary tree.
#[derive(Clone, Debug, Differentiable, Record)]
struct Node {
    value: f64,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

#[gradient]
impl Node {
    /// A method of std has this name, but no argument.
    fn sum(&self, x: f64) -> f64 {
        let mut s = self.value * x;
        if let Some(left) = &self.left {
            s += left.sum(s.sin()) * 0.5;
        }
        match &self.right {
            Some(right) => s *= right.sum(x) + self.value,
            None => s += x,
        }
        s
    }
}

#[test]
fn a_tree_of_boxes() {
    let leaf = |value: f64| Node {
        value,
        left: None,
        right: None,
    };
    let boxed = |node: Node| Some(Box::new(node));
    let tree = |p: &[f64]| Node {
        value: p[0],
        left: boxed(leaf(p[1])),
        right: boxed(Node {
            value: p[2],
            left: boxed(leaf(p[3])),
            right: None,
        }),
    };
    check(
        |p| tree(p).sum(p[4]),
        |p| {
            let (value, (d, dx)) = tree(p).sum_grad(p[4]);
            let (left, right) = (d.left.unwrap(), d.right.unwrap());
            let inner = right.left.unwrap().value;
            (value, [d.value, left.value, right.value, inner, dx])
        },
        &[&[1.2, 0.4, 0.9, -0.3, 0.7], &[-0.5, 0.8, 0.2, 1.1, 0.3]],
    );
}

#[test]
fn methods_of_elements_and_boxes() {
    let pairs = |p: &[f64]| -> Vec<Pair> {
        let pair = |q: &[f64]| Pair {
            value: q[0],
            weight: v2(&q[1..]),
        };
        p.chunks(3).map(pair).collect()
    };
    let at: &[&[f64]] = &[&[0.7, 0.3, 1.2, -0.4, 0.9, 0.1]];
    check(|p| scores(&pairs(p)), |p| scores_grad(&pairs(p)), at);
    let one = |p: &[f64]| Box::new(pairs(p).swap_remove(0));
    let three = &[&at[0][..3]];
    check(
        |p| boxed(&one(p)),
        |p| {
            let (value, tangent) = boxed_grad(&one(p));
            (value, *tangent)
        },
        three,
    );
}
