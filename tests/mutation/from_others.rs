//! Vectors that are made of arrays, slices, vectors and queues.

use std::collections::VecDeque;

use super::support::check;
use retrograde::{Differentiable, Record, gradient};

#[gradient]
fn of_a_slice(x: &[f64]) -> f64 {
    let mut v = Vec::from(x);
    v.push(x[0] * x[1]);
    let w: Vec<f64> = v[1..].into();
    w.iter().map(|a| a * a).sum::<f64>() * v[0]
}

#[gradient]
fn of_an_array(x: &[f64]) -> f64 {
    let v: Vec<f64> = [x[0] * 2.0, x[1].sin()].into();
    let mut w = Vec::<f64>::from([v[0], x[2]]);
    w[0] *= x[1];
    v[0] * v[1] + w[0] * w[1]
}

#[gradient]
fn of_a_queue(x: &[f64]) -> f64 {
    let mut queue: VecDeque<f64> = x.iter().copied().collect();
    queue.push_front(x[1] * x[2]);
    let last = queue.pop_back().unwrap_or(0.0);
    let v = Vec::from(queue);
    v[0] * v[1] + v[2] * last * v.len() as f64
}

/// What has no derivative becomes a vector that is known as one.
#[gradient]
fn picked(x: &[f64], c: &[usize]) -> f64 {
    let rows = Vec::from(c);
    let more: Vec<usize> = rows.clone().into();
    let mut s = x[more[0]];
    for k in rows {
        s = s * x[k] + x[0];
    }
    s
}

#[gradient]
fn weighted<V: Into<Vec<f64>>>(weights: V, x: f64) -> f64 {
    let weights: Vec<f64> = weights.into();
    weights.iter().rev().fold(0.0, |sum, w| sum * x + w)
}

#[derive(Clone, Differentiable, Record)]
struct Polynomial {
    coefficients: Vec<f64>,
}

#[gradient]
impl Polynomial {
    fn new(coefficients: impl Into<Vec<f64>>) -> Self {
        Polynomial {
            coefficients: coefficients.into(),
        }
    }

    fn monic<V>(roots: V) -> Self
    where
        V: Into<Vec<f64>>,
    {
        let roots = roots.into();
        let mut p = Polynomial::new([1.0]);
        for root in &roots {
            let mut next = vec![0.0; p.coefficients.len() + 1];
            for (k, c) in p.coefficients.iter().enumerate() {
                next[k + 1] += c;
                next[k] -= root * c;
            }
            p = Polynomial { coefficients: next };
        }
        p
    }

    fn at(&self, x: f64) -> f64 {
        weighted(self.coefficients.clone(), x)
    }
}

#[gradient]
fn polynomials(x: &[f64]) -> f64 {
    let p = Polynomial::new([x[0], x[1]]);
    let q = Polynomial::new(&x[1..]);
    let roots: Vec<f64> = x.iter().map(|v| v * v).collect();
    let r = Polynomial::monic(roots);
    p.at(x[2]) * q.at(0.5) + r.at(x[0]) + weighted(x, 2.0) + weighted(vec![x[1]; 2], x[0])
}

const POINTS: &[&[f64]] = &[&[0.7, 0.4, -0.3], &[-1.3, 0.9, 1.1]];

#[test]
fn vectors_are_made_of_others() {
    check(of_a_slice, of_a_slice_grad, POINTS);
    check(of_an_array, of_an_array_grad, POINTS);
    check(of_a_queue, of_a_queue_grad, POINTS);
    let c = [2, 0, 1, 1];
    check(|x| picked(x, &c), |x| picked_grad(x, &c), POINTS);
}

#[test]
fn parameters_become_vectors() {
    check(polynomials, polynomials_grad, POINTS);
    let (value, (weights, x)) = weighted_grad(vec![1.0, 2.0, 3.0], 2.0);
    assert_eq!((value, weights, x), (17.0, vec![1.0, 2.0, 4.0], 14.0));
    let seed = PolynomialTangent {
        coefficients: vec![0.0, 1.0],
    };
    let (mut tape, mut bar) = (retrograde::Tape::new(), vec![0.0; 2]);
    Polynomial::new_adjoint(&mut tape, vec![3.0, 4.0], &mut bar, seed);
    assert_eq!(bar, [0.0, 1.0]);
}
