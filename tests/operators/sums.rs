//! Sums and products of own types by `Sum` and `Product`.

use std::iter::{Product, Sum};
use std::ops::{Add, Mul};

use num_traits::Float;
use retrograde::{Differentiable, Record, gradient};

use crate::support::check;

#[derive(Clone, Copy, Debug, Default, PartialEq, Differentiable, Record)]
pub struct V {
    pub x: f64,
    pub y: f64,
}

#[gradient]
impl Add for V {
    type Output = V;

    fn add(self, o: V) -> V {
        V {
            x: self.x + o.x,
            y: self.y + o.y,
        }
    }
}

#[gradient]
impl Mul<f64> for V {
    type Output = V;

    fn mul(self, k: f64) -> V {
        V {
            x: self.x * k,
            y: self.y * k,
        }
    }
}

#[gradient]
impl Sum for V {
    fn sum<I: Iterator<Item = V>>(iter: I) -> V {
        iter.fold(V::default(), Add::add)
    }
}

// Not the same sum: what is chosen shows.
#[gradient]
impl<'a> Sum<&'a V> for V {
    fn sum<I: Iterator<Item = &'a V>>(iter: I) -> V {
        let mut all = V { x: 1.0, y: 0.5 };
        for v in iter {
            all = all + *v;
        }
        all
    }
}

fn points(p: &[f64]) -> Vec<V> {
    p.chunks_exact(2).map(|c| V { x: c[0], y: c[1] }).collect()
}

#[gradient]
fn weighted(p: &[V], w: &[f64]) -> f64 {
    let all = 3.0;
    let c: V = p.iter().zip(w).map(|(v, w)| *v * (*w * all)).sum();
    c.x * c.y.sin()
}

#[gradient]
fn of_references(p: &[V]) -> f64 {
    let v = 2.0;
    let c = p.iter().filter(|q| q.x > 0.0).sum::<V>() * v;
    let d = p.iter().copied().sum::<V>();
    c.x * d.y + (c.y * d.x).cos()
}

#[gradient]
fn returned(p: &[V], early: bool) -> V {
    if early {
        return p.iter().rev().sum();
    }
    p.iter().map(|v| *v * v.x).sum()
}

#[gradient]
fn through(p: &[V], early: bool) -> f64 {
    let r = returned(p, early);
    r.x * r.x + r.y
}

/// Other modules have other names.
mod elsewhere {
    use retrograde::gradient;

    use super::V;

    #[gradient]
    pub fn centre(p: &[V]) -> f64 {
        let n = p.len() as f64;
        let c = p.iter().cloned().sum::<V>() * (1.0 / n);
        c.x.exp() + c.y * c.y
    }
}

#[test]
fn sums_of_values_and_references() {
    let at = [0.3, -0.7, 1.2, 0.4, -0.5, 0.9];
    for n in 0..=3 {
        let mut p = at[..2 * n].to_vec();
        p.extend(&[0.5, -1.5, 0.25][..n]);
        check(
            |p| weighted(&points(&p[..2 * n]), &p[2 * n..]),
            |p| {
                let (value, (dp, dw)) = weighted_grad(&points(&p[..2 * n]), &p[2 * n..]);
                let dp = dp.iter().flat_map(|v| [v.x, v.y]);
                (value, dp.chain(dw).collect::<Vec<f64>>())
            },
            &[&p],
        );
        let of = |f: fn(&[V]) -> f64, grad: &dyn Fn(&[V]) -> (f64, Vec<f64>)| {
            check(|p| f(&points(p)), |p| grad(&points(p)), &[&at[..2 * n]]);
        };
        macro_rules! flat {
            ($d:expr) => {
                $d.iter().flat_map(|v| [v.x, v.y]).collect::<Vec<f64>>()
            };
        }
        of(of_references, &|p| {
            let (value, d) = of_references_grad(p);
            (value, flat!(d))
        });
        for early in [false, true] {
            check(
                |p| through(&points(p), early),
                |p| {
                    let (value, d) = through_grad(&points(p), early);
                    (value, flat!(d))
                },
                &[&at[..2 * n]],
            );
        }
        if n > 0 {
            of(elsewhere::centre, &|p| {
                let (value, d) = elsewhere::centre_grad(p);
                (value, flat!(d))
            });
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Complex<T> {
    re: T,
    im: T,
}

#[gradient]
impl<T: Float> Add for Complex<T> {
    type Output = Self;

    fn add(self, o: Self) -> Self {
        Complex {
            re: self.re + o.re,
            im: self.im + o.im,
        }
    }
}

#[gradient]
impl<T: Float> Mul for Complex<T> {
    type Output = Self;

    fn mul(self, o: Self) -> Self {
        Complex {
            re: self.re * o.re - self.im * o.im,
            im: self.im * o.re + self.re * o.im,
        }
    }
}

#[gradient]
impl<T: Float> Complex<T> {
    fn zero() -> Self {
        Complex {
            re: T::zero(),
            im: T::zero(),
        }
    }

    fn one() -> Self {
        Complex {
            re: T::one(),
            im: T::zero(),
        }
    }
}

#[gradient]
impl<T: Float> Sum for Complex<T> {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::zero(), |acc, z| acc + z)
    }
}

#[gradient]
impl<T: Float> Product for Complex<T> {
    fn product<I>(iter: I) -> Self
    where
        I: Iterator<Item = Self>,
    {
        let mut all = Self::one();
        for z in iter {
            all = all * z;
        }
        all
    }
}

#[gradient]
fn polynomial(z: &[Complex<f64>], at: f64) -> f64 {
    let all = Complex { re: at, im: 0.5 };
    let s: Complex<f64> = z.iter().copied().sum();
    let p = z.iter().map(|z| *z + all).product::<Complex<f64>>();
    s.re * p.im + s.im * p.re
}

#[test]
fn of_generic_types() {
    let at = [0.3, -0.7, 1.2, 0.4, -0.5, 0.9, 0.8];
    let numbers = |p: &[f64]| -> Vec<Complex<f64>> {
        let pairs = p.chunks_exact(2);
        pairs.map(|c| Complex { re: c[0], im: c[1] }).collect()
    };
    for n in 0..=3 {
        let p: Vec<f64> = at[..2 * n].iter().chain(&[at[6]]).copied().collect();
        check(
            |p| polynomial(&numbers(&p[..2 * n]), p[2 * n]),
            |p| {
                let (value, (d, dat)) = polynomial_grad(&numbers(&p[..2 * n]), p[2 * n]);
                let d = d.iter().flat_map(|z| [z.re, z.im]);
                (value, d.chain([dat]).collect::<Vec<f64>>())
            },
            &[&p],
        );
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Mass(f64);

#[gradient]
impl Add for Mass {
    type Output = Mass;

    fn add(self, o: Mass) -> Mass {
        Mass(self.0 + o.0)
    }
}

#[gradient]
impl Sum for Mass {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Mass(0.0), |a, b| a + b)
    }
}

#[gradient]
impl<'a> Sum<&'a Mass> for Mass {
    fn sum<I: Iterator<Item = &'a Mass>>(iter: I) -> Mass {
        iter.copied().sum()
    }
}

#[gradient]
fn total(m: &[Mass], x: f64) -> f64 {
    let all: Mass = m.iter().sum();
    let moved = m.iter().map(|m| Mass(m.0 * x)).sum::<Mass>();
    all.0.sin() * moved.0
}

#[test]
fn of_copies_of_references() {
    let masses = |p: &[f64]| p.iter().map(|&m| Mass(m)).collect::<Vec<_>>();
    for n in 0..=3 {
        let p: Vec<f64> = [0.3, 1.2, -0.4][..n]
            .iter()
            .chain(&[0.7])
            .copied()
            .collect();
        check(
            |p| total(&masses(&p[..n]), p[n]),
            |p| {
                let (value, (dm, dx)) = total_grad(&masses(&p[..n]), p[n]);
                let d: Vec<f64> = dm.iter().map(|m| m.0).chain([dx]).collect();
                (value, d)
            },
            &[&p],
        );
    }
}
