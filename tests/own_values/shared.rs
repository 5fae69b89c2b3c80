//! `Rc`, `Arc` and `Cow` of values with a derivative, and references given in tuples and options.

use super::support::check;

const FOUR: &[&[f64]] = &[
    &[0.7, -1.3, 2.1, 0.4],
    &[1.5, 0.3, -0.8, 2.2],
    &[-0.6, 1.1, 0.9, -1.7],
];

/// A vector with two owners.
mod vector {
    use retrograde::gradient;

    use std::rc::Rc;
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let v = Rc::new(x.to_vec());
        let w = Rc::clone(&v);
        v[0] * w[1] + v.iter().sum::<f64>()
    }
}

/// A number.
mod number {
    use retrograde::gradient;

    use std::sync::Arc;
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let a = Arc::new(x[0] * x[1]);
        let b = a.clone();
        *a * *b + x[2]
    }
}

/// A struct with three owners.
mod structs {
    use retrograde::gradient;
    use retrograde::{Differentiable, Record};

    use std::rc::Rc;
    #[derive(Clone, Differentiable, Record)]
    struct P {
        a: f64,
        b: Vec<f64>,
    }
    #[gradient]
    fn energy(p: &P) -> f64 {
        p.a * p.b[0]
    }
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let p = Rc::new(P {
            a: x[0],
            b: x.to_vec(),
        });
        let q = Rc::clone(&p);
        let r = q.clone();
        energy(&p) * r.a + q.b[1] * energy(&r)
    }
}

/// Types written.
mod annotated {
    use retrograde::gradient;

    use std::rc::Rc;
    use std::sync::Arc;
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let a: Rc<f64> = Rc::new(x[0]);
        let v: Arc<Vec<f64>> = Arc::new(x.iter().map(|t| t * *a).collect());
        let s: Arc<[f64]> = Arc::clone(&v).iter().map(|q| q * 2.0).collect();
        let n: Rc<usize> = Rc::new(3);
        *a * v[1] + (*v)[2] * s[0] + v.len() as f64 + *n as f64
    }
}

/// One owner goes on to another value.
mod rebound {
    use retrograde::gradient;

    use std::rc::Rc;
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut a = Rc::new(x.to_vec());
        let b = Rc::clone(&a);
        for i in 0..2 {
            let next: Vec<f64> = a
                .iter()
                .zip(b.iter())
                .map(|(p, q)| p * q + i as f64)
                .collect();
            a = Rc::new(next);
        }
        a.iter().sum::<f64>() * b[0]
    }
}

/// Without a derivative, they stay what they are.
mod passive {
    use retrograde::gradient;

    use std::cell::Cell;
    use std::rc::Rc;
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let n = Rc::new(Cell::new(1));
        let m = Rc::clone(&n);
        m.set(5);
        x[0] * n.get() as f64
    }
}

/// Borrowed or owned.
mod cow {
    use retrograde::gradient;

    use std::borrow::Cow;
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let c: Cow<[f64]> = if x[0] > 1.0 {
            Cow::Borrowed(x)
        } else {
            Cow::Owned(x.iter().map(|v| v * 2.0).collect())
        };
        c[0] * c[1] + c.iter().sum::<f64>()
    }
}

/// Changed.
mod changed {
    use retrograde::gradient;

    use std::borrow::Cow;
    #[gradient]
    fn norm(v: &[f64]) -> f64 {
        v.iter().map(|a| a * a).sum()
    }
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let c = if x[0] > 1.0 {
            Cow::Borrowed(x)
        } else {
            let mut v = x.to_vec();
            v.push(x[0]);
            Cow::Owned(v)
        };
        let mut d: Cow<'_, [f64]> = Cow::Borrowed(&x[1..]);
        d.to_mut()[0] *= 2.0;
        norm(&c) * c[1] + c.into_owned()[0] * norm(&d)
    }
}

/// Structs and slices.
mod pair {
    use retrograde::gradient;
    use retrograde::{Differentiable, Record};

    #[derive(Clone, Differentiable, Record)]
    struct P {
        a: f64,
        b: Vec<f64>,
    }
    #[gradient]
    fn g(p: (&P, &[f64]), k: Option<&P>) -> f64 {
        p.0.a * p.1[0]
            + match k {
                Some(q) => q.b[0] * q.a,
                None => 1.0,
            }
    }
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let p = P {
            a: x[0],
            b: x.to_vec(),
        };
        let q = P {
            a: x[1],
            b: vec![x[2]],
        };
        g((&p, x), Some(&q)) * g((&q, &p.b), None) + g((&p, &x[1..]), Some(&p))
    }
}

/// In a loop that overwrites them.
mod in_loops {
    use retrograde::gradient;

    #[gradient]
    fn g(p: (&[f64], f64)) -> f64 {
        p.0.iter().sum::<f64>() * p.1
    }
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        let mut s = 0.0;
        for i in 0..3 {
            s += g((&v, x[i]));
            v[i] *= s;
            s *= g((&v[i..], 2.0));
        }
        s
    }
}

/// Numbers.
mod numbers {
    use retrograde::gradient;

    #[gradient]
    fn g(p: (&f64, &f64)) -> f64 {
        p.0 * p.1 * p.1
    }
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let (a, b) = (x[0], x[1]);
        g((&a, &b)) + g((&x[2], &x[3]))
    }
}

/// Items of a chain.
mod items {
    use retrograde::gradient;

    #[gradient]
    fn g(p: (usize, &f64)) -> f64 {
        p.1 * p.1 * (p.0 as f64 + 1.0)
    }
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for p in x.iter().enumerate() {
            s += g(p);
        }
        s + x.iter().enumerate().map(g).sum::<f64>()
            + x.iter().enumerate().map(|p| g(p)).sum::<f64>()
    }
}

/// Slices.
mod slices {
    use retrograde::gradient;

    #[gradient]
    fn g(p: (&[f64], &[f64])) -> f64 {
        p.0.iter().zip(p.1).map(|(a, b)| a * b * b).sum()
    }
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let w = vec![x[0] * 2.0, x[1]];
        g((x, &w)) + g((&w, &x[2..]))
    }
}

/// Weights that may be left out.
mod weights {
    use retrograde::gradient;

    #[gradient]
    fn g(w: Option<&[f64]>, x: f64) -> f64 {
        match w {
            Some(w) => w[0] * x,
            None => x,
        }
    }
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        g(Some(&x[1..]), x[0]) + g(None, x[2])
    }
}

#[test]
fn a_vector_with_two_owners() {
    check(vector::f, vector::f_grad, FOUR);
}

#[test]
fn a_number() {
    check(number::f, number::f_grad, FOUR);
}

#[test]
fn a_struct_with_three_owners() {
    check(structs::f, structs::f_grad, FOUR);
}

#[test]
fn types_written() {
    check(annotated::f, annotated::f_grad, FOUR);
}

#[test]
fn an_owner_that_goes_on() {
    check(rebound::f, rebound::f_grad, FOUR);
}

#[test]
fn passive_ones_stay_pointers() {
    check(passive::f, passive::f_grad, &[&[0.3, 0.4]]);
}

#[test]
fn borrowed_or_owned() {
    check(cow::f, cow::f_grad, FOUR);
}

#[test]
fn a_cow_that_is_changed() {
    check(changed::f, changed::f_grad, FOUR);
}

#[test]
fn structs_and_slices_given() {
    check(pair::f, pair::f_grad, FOUR);
}

#[test]
fn given_in_a_loop() {
    check(in_loops::f, in_loops::f_grad, FOUR);
}

#[test]
fn numbers_given() {
    check(numbers::f, numbers::f_grad, FOUR);
}

#[test]
fn items_given() {
    check(items::f, items::f_grad, FOUR);
}

#[test]
fn slices_given() {
    check(slices::f, slices::f_grad, FOUR);
}

#[test]
fn an_option_of_a_slice() {
    check(weights::f, weights::f_grad, FOUR);
}
