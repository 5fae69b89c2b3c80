//! Types of the language that hold others with the trait, in loops, closures, references and other modules.

use retrograde::gradient;

use crate::support::check;
const AT: &[&[f64]] = &[&[2.0, 0.5, 1.1], &[0.3, -0.4, 2.0], &[-1.5, 0.25, 0.75]];

/// Elements.
#[gradient]
pub trait Mix {
    fn mix(&self, other: &Self, t: f64) -> Self;
    fn norm2(&self) -> f64;
}
#[gradient]
impl Mix for f64 {
    fn mix(&self, other: &Self, t: f64) -> Self {
        self * (1.0 - t) + other * t
    }
    fn norm2(&self) -> f64 {
        self * self
    }
}
#[gradient]
impl<T: Mix, const N: usize> Mix for [T; N]
where
    T: Copy,
{
    fn mix(&self, other: &Self, t: f64) -> Self {
        let mut out = *self;
        for i in 0..N {
            out[i] = self[i].mix(&other[i], t);
        }
        out
    }
    fn norm2(&self) -> f64 {
        let mut sum = 0.0;
        for x in self.iter() {
            sum += x.norm2();
        }
        sum
    }
}
#[gradient]
impl<A: Mix, B: Mix> Mix for (A, B) {
    fn mix(&self, other: &Self, t: f64) -> Self {
        (self.0.mix(&other.0, t), self.1.mix(&other.1, t * t))
    }
    fn norm2(&self) -> f64 {
        self.0.norm2() + self.1.norm2()
    }
}
#[gradient]
impl<T: Mix> Mix for Vec<T> {
    fn mix(&self, other: &Self, t: f64) -> Self {
        let mut out = Vec::new();
        for i in 0..self.len() {
            out.push(self[i].mix(&other[i], t));
        }
        out
    }
    fn norm2(&self) -> f64 {
        let mut sum = 0.0;
        for i in 0..self.len() {
            sum += self[i].norm2();
        }
        sum
    }
}

#[gradient]
fn nested(a: f64, b: f64, t: f64) -> f64 {
    let p = [[a, b], [b, t]];
    let q = p.mix(&[[1.0, 2.0], [t, a]], t);
    let r = (q, a).mix(&(p, b), 0.5);
    r.norm2() * q[0].norm2() + r.1
}
#[gradient]
fn vecs(a: f64, b: f64, t: f64) -> f64 {
    let p = vec![a, b];
    let q = p.mix(&vec![b, t], t);
    q.norm2() * p.norm2()
}
#[gradient]
fn of_slices(v: &[f64], w: &[[f64; 2]], t: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..v.len() {
        sum += v[i].mix(&w[i][0], t).norm2();
        sum += w[i].mix(&[t, v[i]], v[i]).norm2();
    }
    sum + v.iter().map(|x| x.mix(&1.0, t)).sum::<f64>()
}
#[gradient]
fn of_references(x: &f64, y: &[f64; 2], t: f64) -> f64 {
    x.mix(&y[0], t) * y.norm2() + (x * y[1]).mix(&2.0, 0.1) + 3.0_f64.mix(x, t)
}
#[gradient]
fn of_vec_parameter(v: Vec<f64>, t: f64) -> f64 {
    let w = v.mix(&v, t);
    w.norm2() * v[0]
}
#[gradient]
fn total<T: Mix>(items: &[T], t: f64) -> f64 {
    let mut sum = 0.0;
    for i in 1..items.len() {
        sum += items[i].mix(&items[i - 1], t).norm2();
    }
    sum
}
#[gradient]
fn totals(a: f64, b: f64, t: f64) -> f64 {
    total(&[a, b, t], t) * total(&[[a, b], [t, a]], b)
}

#[test]
fn elements() {
    check(
        |p| nested(p[0], p[1], p[2]),
        |p| nested_grad(p[0], p[1], p[2]),
        AT,
    );
    check(
        |p| vecs(p[0], p[1], p[2]),
        |p| vecs_grad(p[0], p[1], p[2]),
        AT,
    );
    check(
        |p| totals(p[0], p[1], p[2]),
        |p| totals_grad(p[0], p[1], p[2]),
        AT,
    );
    check(
        |p| of_slices(&[p[0], p[1]], &[[p[1], p[2]], [p[0], p[0]]], p[2]),
        |p| {
            let (v, (a, w, t)) = of_slices_grad(&[p[0], p[1]], &[[p[1], p[2]], [p[0], p[0]]], p[2]);
            (v, [a[0] + w[1][0] + w[1][1], a[1] + w[0][0], t + w[0][1]])
        },
        AT,
    );
    check(
        |p| of_references(&p[0], &[p[1], p[2]], p[2]),
        |p| {
            let (v, (a, w, t)) = of_references_grad(&p[0], &[p[1], p[2]], p[2]);
            (v, [a, w[0], w[1] + t])
        },
        AT,
    );
    check(
        |p| of_vec_parameter(vec![p[0], p[1]], p[2]),
        |p| {
            let (v, (a, t)) = of_vec_parameter_grad(vec![p[0], p[1]], p[2]);
            (v, [a[0], a[1], t])
        },
        AT,
    );
}

/// Beside what carries no derivative.
#[gradient]
pub trait Ask {
    fn big(&self) -> bool;
    fn cells(&self) -> usize;
    fn half(self) -> Self;
}
#[gradient]
impl Ask for f64 {
    fn big(&self) -> bool {
        *self > 1.0
    }
    fn cells(&self) -> usize {
        3
    }
    fn half(self) -> Self {
        if self.big() { 0.5 * self } else { self * self }
    }
}
#[gradient]
fn asked(a: f64, b: f64, t: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..a.cells() {
        if b.big() {
            sum += a * i as f64;
        } else {
            sum += t.half();
        }
    }
    let c = 2.0_f64;
    sum * a.half().half() + c.half() * t
}
#[test]
fn asks() {
    check(
        |p| asked(p[0], p[1], p[2]),
        |p| asked_grad(p[0], p[1], p[2]),
        &[&[2.5, 0.5, 1.1], &[0.3, -0.4, 2.0], &[-1.5, 1.25, 0.75]],
    );
}

/// In other modules, and by path.
mod inner {
    pub mod traits {
        #[retrograde::gradient]
        pub trait Deg {
            fn to_rad(&self) -> f64;
            fn turned(self, by: f64) -> Self;
        }
    }
    pub mod impls {
        #[retrograde::gradient]
        impl super::traits::Deg for f64 {
            fn to_rad(&self) -> f64 {
                self * 0.017
            }
            fn turned(self, by: f64) -> Self {
                self + by * by
            }
        }
    }
    pub mod calls {
        use super::traits::Deg as D;
        #[retrograde::gradient]
        pub fn by_name(a: f64, b: f64, t: f64) -> f64 {
            a.to_rad().sin() * b.turned(t).to_rad()
        }
    }
    #[retrograde::gradient]
    pub fn by_path(a: f64, b: f64, t: f64) -> f64 {
        <f64 as traits::Deg>::to_rad(&a) * traits::Deg::turned(b, t)
    }
}
#[test]
fn modules() {
    use inner::calls::{by_name, by_name_grad};
    use inner::{by_path, by_path_grad};
    check(
        |p| by_name(p[0], p[1], p[2]),
        |p| by_name_grad(p[0], p[1], p[2]),
        AT,
    );
    check(
        |p| by_path(p[0], p[1], p[2]),
        |p| by_path_grad(p[0], p[1], p[2]),
        AT,
    );
}
