//! Elements that get one sum from the iterations around: fluxes between neighbours, factors in common, blocks of all
//! lengths, several arrays, and loops that look like it.

use crate::twins::{agree, both, near, numbers, twins};

/// Rows serve up to 64 iterations; blocks of elements have 1024.
const LENGTHS: [usize; 26] = [
    0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 66, 67, 68, 69, 70, 97, 129, 1026,
    1093, 2200,
];

twins! {
    /// What leaves a cell comes to its neighbour.
    ///
    /// applied `gather`, `combine`
    pub(super) fn fluxes(x: &[f64]) -> f64 {
        let mut y = x.to_vec();
        for i in 1..x.len() - 1 {
            let (hr, hl) = (0.5 * (x[i] + x[i + 1]), 0.5 * (x[i - 1] + x[i]));
            y[i] = x[i] + 0.1 * (hr * hr * (x[i + 1] - x[i]) - hl * hl * (x[i] - x[i - 1]));
        }
        let mut s = 0.0;
        for v in &y { s += v * v; }
        s
    }

    /// In place: each step of the reverse sweep reads what another one adds to.
    ///
    /// applied `gather`
    ///
    /// not applied `combine`
    pub(super) fn in_place(x: &[f64], steps: usize) -> f64 {
        let (mut u, mut v) = (x.to_vec(), x.to_vec());
        for _ in 0..steps {
            for i in 2..u.len() - 1 {
                v[i] = 0.7 * u[i] * u[i] - 0.3 * u[i + 1] * u[i - 2] - 0.1 * u[i] * u[i - 2];
            }
            for i in 0..u.len() { u[i] = v[i]; }
        }
        let mut s = 0.0;
        for i in 0..u.len() { s += u[i] * ((i % 3) as f64 + 1.0); }
        s
    }

    /// The length of a spring between neighbours, and elements of a third array.
    ///
    /// applied `gather`
    ///
    /// not applied `combine`
    pub(super) fn springs(x: &[f64], k: &[f64], scale: f64) -> f64 {
        let mut f = vec![0.0; x.len()];
        for i in 1..x.len() - 1 {
            let (l, r) = (x[i] - x[i - 1], x[i + 1] - x[i]);
            let (ll, lr) = ((l * l + 1.0).sqrt(), (r * r + 1.0).sqrt());
            f[i] += k[0] * (lr * r - ll * l) * scale;
        }
        let mut s = 0.0;
        for i in 0..f.len() { s += f[i] * ((i % 5) as f64 - 1.5); }
        s
    }

    /// Two arrays, and seeds of two kinds.
    ///
    /// applied `gather`
    ///
    /// not applied `combine`
    pub(super) fn two(x: &[f64], y: &[f64]) -> f64 {
        let (mut p, mut q) = (x.to_vec(), vec![0.5; y.len()]);
        for i in 1..x.len() - 2 {
            p[i] = x[i] * y[i + 1] * x[i + 2] - y[i - 1] * y[i] * x[i - 1];
            q[i] = 3.0 * y[i + 1] * y[i - 1] * y[i] - x[i] * x[i + 2];
        }
        let mut s = 0.0;
        for i in 0..p.len() { s += p[i] * q[i]; }
        s
    }

    /// One adjoint for all iterations, which is a number.
    ///
    /// applied `gather`
    ///
    /// not applied `combine`
    pub(super) fn energy(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() - 2 {
            let c = x[i] - 2.0 * x[i + 1] + x[i + 2];
            s += c * c * (x[i] + x[i + 2]);
        }
        s
    }

    /// Equal contributions with different signs, and products that are the same in another order.
    ///
    /// applied `gather`
    ///
    /// not applied `combine`
    pub(super) fn cancelling(x: &[f64]) -> f64 {
        let mut y = x.to_vec();
        for i in 1..x.len() - 1 {
            y[i] = x[i + 1] * x[i] * x[i - 1] - x[i - 1] * x[i + 1] * x[i] + x[i] * x[i];
        }
        let mut s = 0.0;
        for v in &y { s -= v * v; }
        s
    }

    /// A quotient, which is no product.
    ///
    /// applied `gather`
    ///
    /// not applied `combine`
    pub(super) fn quotients(x: &[f64]) -> f64 {
        let mut y = x.to_vec();
        for i in 1..x.len() - 1 {
            y[i] = x[i - 1] * x[i] / (3.0 + x[i + 1]) - x[i + 1] * x[i];
        }
        let mut s = 0.0;
        for v in &y { s += v * v; }
        s
    }

    /// The number of the iteration, which is another one for each.
    ///
    /// applied `gather`
    ///
    /// not applied `combine`
    pub(super) fn counted(x: &[f64]) -> f64 {
        let mut y = x.to_vec();
        for i in 1..x.len() - 1 {
            let c = (i % 7) as f64;
            y[i] = c * x[i - 1] * x[i] - x[i + 1] * x[i] * c;
        }
        let mut s = 0.0;
        for v in &y { s += v * v; }
        s
    }

    /// A choice.
    ///
    /// applied `gather`
    ///
    /// not applied `combine`
    pub(super) fn chosen(x: &[f64]) -> f64 {
        let mut y = x.to_vec();
        for i in 1..x.len() - 1 {
            let up = if x[i] > 0.0 { x[i - 1] } else { x[i + 1] };
            y[i] = up * x[i] * x[i] - 0.5 * x[i + 1] * x[i - 1] * up;
        }
        let mut s = 0.0;
        for v in &y { s += v * v; }
        s
    }

    /// The same array at distances that only the call knows.
    ///
    /// applied `gather`
    ///
    /// not applied `combine`
    pub(super) fn strided(x: &[f64], d: usize) -> f64 {
        let mut y = x.to_vec();
        for i in 1..x.len() - 1 - d {
            y[i] = x[i - 1] * x[i] * x[i + 1] - x[i + d] * x[i + d] * x[i];
        }
        let mut s = 0.0;
        for v in &y { s += v * v; }
        s
    }

    /// Large factors and their inverses in turn: multiplied in another order they overflow.
    ///
    /// applied `gather`, `combine`
    pub(super) fn in_turn(x: &[f32], #[constant] l: &[f32]) -> f32 {
        let mut y = x.to_vec();
        for i in 1..x.len() - 1 {
            let (hr, hl) = (0.5 * (x[i] + x[i + 1]), 0.5 * (x[i - 1] + x[i]));
            y[i] = l[0] * (l[1] * (l[0] * (l[1] * (hr * hr * (x[i + 1] - x[i])))))
                - l[0] * (l[1] * (l[0] * (l[1] * (hl * hl * (x[i] - x[i - 1])))));
        }
        let mut s = 0.0;
        for i in 0..y.len() { s += y[i] * ((i % 4) as f32 + 4.0); }
        s
    }

    /// applied `gather`, `combine`
    pub(super) fn single(x: &[f32]) -> f32 {
        let mut y = x.to_vec();
        for i in 1..x.len() - 1 {
            let (r, l) = (x[i] + x[i + 1], x[i - 1] + x[i]);
            y[i] = r * r * (x[i + 1] - x[i]) - l * l * (x[i] - x[i - 1]);
        }
        let mut s = 0.0;
        for i in 0..y.len() { s += y[i] * ((i % 4) as f32 + 4.0); }
        s
    }
}

#[test]
fn one_sum_is_all_contributions() {
    for n in LENGTHS {
        let (x, y) = (numbers(n, 1), numbers(n, 2));
        both!(fluxes, fluxes_grad, (&x));
        both!(springs, springs_grad, (&x, &y, 0.7));
        both!(two, two_grad, (&x, &y));
        both!(energy, energy_grad, (&x));
        both!(cancelling, cancelling_grad, (&x));
        for steps in [0, 1, 2, 5] {
            both!(in_place, in_place_grad, (&x, steps));
        }
    }
}

#[test]
fn loops_that_look_like_it() {
    for n in LENGTHS {
        let x = numbers(n, 3);
        both!(quotients, quotients_grad, (&x));
        both!(counted, counted_grad, (&x));
        both!(chosen, chosen_grad, (&x));
        for d in [0, 1, 2, 9, 70] {
            both!(strided, strided_grad, (&x, d));
        }
    }
}

/// Lengths of arrays that do not fit: the same panic as without.
#[test]
fn arrays_that_are_too_short() {
    for n in [5, 64, 66, 67, 100] {
        let x = numbers(n, 1);
        for m in [0, 1, n - 3, n - 2, n - 1, n + 5] {
            both!(two, two_grad, (&x, &numbers(m, 2)));
        }
    }
}

/// What is no number goes to the neighbours that it went to.
#[test]
fn not_a_number() {
    for n in [10, 80, 1100] {
        for bad in [f64::NAN, f64::INFINITY, 0.0, -0.0] {
            for at in [0, 1, n / 2, n - 1] {
                let mut x = numbers(n, 1);
                x[at] = bad;
                let ((v, g), (w, h)) = (on::fluxes_grad(&x), off::fluxes_grad(&x));
                assert!(v.to_bits() == w.to_bits() || v.is_nan() && w.is_nan());
                for (k, (a, b)) in g.iter().zip(&h).enumerate() {
                    assert_eq!(
                        a.is_finite(),
                        b.is_finite(),
                        "{bad} at {at} of {n}: {k} {a} {b}"
                    );
                }
            }
        }
    }
}

fn near_single(got: &[f32], want: &[f32]) {
    for (a, b) in got.iter().zip(want) {
        assert!((a - b).abs() <= 2e-5 * b.abs().max(10.0), "{a} {b}");
    }
}

#[test]
fn small_numbers() {
    for n in [3, 30, 66, 67, 200] {
        let x: Vec<f32> = numbers(n, 5).into_iter().map(|x| x as f32).collect();
        let ((v, g), (w, h)) = (on::single_grad(&x), off::single_grad(&x));
        assert_eq!(v.to_bits(), on::single(&x).to_bits());
        assert_eq!(v.to_bits(), w.to_bits());
        near_single(&g, &h);
    }
}

#[test]
fn factors_keep_their_order() {
    let l = [3e19, 1.0 / 3e19];
    for n in [3, 30, 66, 67, 200] {
        let x: Vec<f32> = numbers(n, 5).into_iter().map(|x| x as f32).collect();
        let ((v, g), (w, h)) = (on::in_turn_grad(&x, &l), off::in_turn_grad(&x, &l));
        assert_eq!(v.to_bits(), on::in_turn(&x, &l).to_bits());
        assert_eq!(v.to_bits(), w.to_bits());
        near_single(&g, &h);
    }
}

/// The derivatives of a flux, by hand.
#[test]
fn fluxes_by_hand() {
    for n in [66, 67, 100, 1100] {
        let x = numbers(n, 4);
        let (_, g) = on::fluxes_grad(&x);
        let mut y = x.clone();
        let flux = |l: f64, r: f64| 0.25 * (l + r) * (l + r) * (r - l);
        for i in 1..n - 1 {
            y[i] = x[i] + 0.1 * (flux(x[i], x[i + 1]) - flux(x[i - 1], x[i]));
        }
        let mut want: Vec<f64> = y.iter().map(|y| 2.0 * y).collect();
        for i in 1..n - 1 {
            let d = 0.2 * y[i];
            for (l, sign) in [(i, 1.0), (i - 1, -1.0)] {
                let (h, v) = (0.5 * (x[l] + x[l + 1]), x[l + 1] - x[l]);
                want[l] += sign * d * (h * v - h * h);
                want[l + 1] += sign * d * (h * v + h * h);
            }
        }
        near(&g, &want);
    }
}

/// What is added to holds something before, and all of it is there afterwards.
#[test]
fn elements_begin_with_what_is_there() {
    for n in [3, 20, 66, 67, 1100] {
        let x = numbers(n, 4);
        let mut bars = [vec![1.5; n], vec![1.5; n]];
        let mut tape = retrograde::Tape::new();
        on::fluxes_adjoint(&mut tape, &x, &mut bars[0], -2.0);
        off::fluxes_adjoint(&mut tape, &x, &mut bars[1], -2.0);
        near(&bars[0], &bars[1]);
    }
}
