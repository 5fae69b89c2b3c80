//! `&mut` parameters that carry no derivative do not stand in the way of a gradient.

use retrograde::{Tape, gradient};

use crate::support::check;

#[gradient]
fn positive(x: &[f64], order: &mut Vec<usize>) -> f64 {
    order.clear();
    let mut s = 0.0;
    for i in 0..x.len() {
        if x[i] > 0.0 {
            order.push(i);
            s += x[i] * x[i];
        }
    }
    s * order.len() as f64
}

/// Reads what it overwrites.
#[gradient]
fn horner_by_rank(x: &[f64], calls: &mut usize, rank: &mut [usize]) -> f64 {
    let n = x.len();
    for i in 0..n {
        for j in i + 1..n {
            if x[rank[j]] < x[rank[i]] {
                rank.swap(i, j);
            }
        }
    }
    let mut s = 1.0;
    for i in 0..n {
        *calls += 1;
        s = s * x[rank[i]] + *calls as f64;
    }
    s
}

#[gradient]
fn flagged(x: f64, hit: &mut bool, balance: &mut i32) -> f64 {
    *hit = x > 1.0;
    if *hit {
        *balance += 1;
        x * x
    } else {
        *balance -= 1;
        -x
    }
}

#[gradient]
fn calls_them(x: &[f64]) -> f64 {
    let mut order = vec![9];
    let s = positive(x, &mut order);
    let mut calls = order.len();
    let mut rank = [2, 1, 0];
    s * x[order[0]] + horner_by_rank(x, &mut calls, &mut rank) * x[rank[0]]
}

const POINTS: [[f64; 3]; 4] = [
    [0.7, 1.2, 0.3],
    [1.5, -0.4, 2.5],
    [-0.3, 0.9, -1.1],
    [3.0, 2.0, 1.0],
];

#[test]
fn gradients_leave_the_outputs_as_the_primal_does() {
    for p in POINTS {
        let mut order = vec![7, 7];
        check(
            |x| positive(x, &mut vec![7, 7]),
            |x| positive_grad(x, &mut vec![7, 7]),
            &[&p, &[]],
        );
        positive_grad(&p, &mut order);
        let mut want = Vec::new();
        positive(&p, &mut want);
        assert_eq!(order, want);

        check(
            |x| horner_by_rank(x, &mut 5, &mut [0, 1, 2]),
            |x| horner_by_rank_grad(x, &mut 5, &mut [0, 1, 2]),
            &[&p],
        );
        let mut want = (5, [0, 1, 2]);
        horner_by_rank(&p, &mut want.0, &mut want.1);
        let mut got = (5, [0, 1, 2]);
        horner_by_rank_grad(&p, &mut got.0, &mut got.1);
        assert_eq!(got, want);
        let (mut got, mut dx) = ((5, [0, 1, 2]), [f64::NAN; 3]);
        let tape = &mut Tape::new();
        horner_by_rank_grad_into(tape, &p, &mut dx, &mut got.0, &mut got.1);
        assert_eq!(got, want);
        assert_eq!(dx[..], horner_by_rank_grad(&p, &mut 5, &mut [0, 1, 2]).1);

        check(
            |x| flagged(x[0], &mut false, &mut 0),
            |x| flagged_grad(x[0], &mut false, &mut 0),
            &[&[p[0]]],
        );
        let (mut hit, mut balance) = (false, 3);
        flagged_grad(p[0], &mut hit, &mut balance);
        assert_eq!((hit, balance), (p[0] > 1.0, if p[0] > 1.0 { 4 } else { 2 }));

        check(calls_them, calls_them_grad, &[&p]);
    }
}
