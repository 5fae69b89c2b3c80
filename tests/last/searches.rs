//! Searches by `max` and `min`: the winner alone has a part in the gradient.

use crate::same;
use crate::support::assert_same_value;
use crate::twins::{self, numbers, twins};

twins! {
    /// By `max`: ties go to the first, zeros and what is not a number as `max` takes them.
    ///
    /// applied `last`
    pub(super) fn by_max(x: &[f64], from: f64) -> f64 {
        let mut m = from;
        for &v in x {
            m = m.max(v);
        }
        m * 3.0
    }

    /// The other way round: ties go to the last.
    ///
    /// applied `last`
    pub(super) fn max_of_other(x: &[f64], from: f64) -> f64 {
        let mut m = from;
        for i in 0..x.len() {
            m = x[i].max(m);
        }
        m * 3.0
    }

    /// applied `last`
    pub(super) fn by_min(x: &[f64], from: f64) -> f64 {
        let mut m = from;
        for i in 0..x.len() {
            m = f64::min(m, x[i]);
        }
        m * m
    }

    /// applied `last`
    pub(super) fn min_of_other(x: &[f64], from: f64) -> f64 {
        let mut m = from;
        for i in 0..x.len() {
            m = f64::min(x[i], m);
        }
        m * m
    }

    /// applied `last`
    pub(super) fn folded(x: &[f64]) -> f64 {
        x.iter().copied().fold(f64::NEG_INFINITY, f64::max) * 2.0
    }

    /// What is compared is computed, by a function that is not computed again.
    ///
    /// applied `last`
    pub(super) fn of_exponentials(x: &[f64], w: &[f64], t: f64) -> f64 {
        let mut m = t;
        for i in 0..x.len() {
            m = m.max((x[i] * t).exp() * w[i]);
        }
        m * m
    }

    /// An inner loop computes what is compared.
    ///
    /// applied `last`
    pub(super) fn nearest(c: &[f64], p: &[f64], k: usize) -> f64 {
        let mut total = 0.0;
        for q in p.chunks_exact(k) {
            let mut closest = f64::INFINITY;
            for j in 0..c.len() / k {
                let mut d = 0.0;
                for i in 0..k {
                    let e = q[i] - c[j * k + i];
                    d += e * e;
                }
                closest = closest.min(d.sqrt());
            }
            total += closest * closest;
        }
        total
    }

    /// Eight rows at once, whose distances are compared one after the other.
    ///
    /// applied `last`, `jam`
    pub(super) fn of_rows(c: &[f64], p: &[f64], k: usize) -> f64 {
        let mut total = 0.0;
        for q in 0..p.len() / k {
            let mut closest = f64::INFINITY;
            for j in 0..c.len() / k {
                let mut d = 0.0;
                for i in 0..k {
                    let e = p[q * k + i] - c[j * k + i];
                    d += e * e;
                }
                closest = closest.min(d);
            }
            total += closest;
        }
        total
    }

    /// The same by a comparison, the other way round: the last of those that are equal.
    ///
    /// applied `last`, `jam`
    pub(super) fn farthest(c: &[f64], p: &[f64], k: usize) -> f64 {
        let mut total = 0.0;
        for q in 0..p.len() / k {
            let mut farthest = -0.0;
            for j in 0..c.len() / k {
                let mut d = 0.0;
                for i in 0..k {
                    d += p[q * k + i] * c[j * k + i];
                }
                farthest = d.max(farthest);
            }
            total += farthest;
        }
        total
    }

    /// The number behind the last counter may be none.
    ///
    /// not applied `last`
    pub(super) fn to_the_end(c: &[f64], p: &[f64], k: usize) -> f64 {
        let mut closest = f64::INFINITY;
        for j in 0..=(c.len() / k).max(1) - 1 {
            let mut d = 0.0;
            for i in 0..k.min(c.len()) {
                let e = p[i] - c[j * k + i];
                d += e * e;
            }
            if d < closest {
                closest = d;
            }
        }
        closest
    }

    /// By a comparison, and the place is kept for later.
    ///
    /// applied `last`
    pub(super) fn nearest_at(c: &[f64], p: &[f64], k: usize) -> f64 {
        let (mut closest, mut at) = (f64::INFINITY, 0);
        for j in 0..c.len() / k {
            let mut d = 0.0;
            for i in 0..k {
                d += (p[i] - c[j * k + i]).abs();
            }
            if d < closest {
                closest = d;
                at = j;
            }
        }
        closest * c[at * k]
    }

    /// What the inner loop adds up is used beside the search.
    ///
    /// not applied `last`
    pub(super) fn distance_used_twice(c: &[f64], p: &[f64], k: usize) -> f64 {
        let (mut closest, mut all) = (f64::INFINITY, 0.0);
        for j in 0..c.len() / k {
            let mut d = 0.0;
            for i in 0..k {
                d += (p[i] - c[j * k + i]) * p[i];
            }
            closest = closest.min(d);
            all += d * d;
        }
        closest * all
    }

    /// The inner loop records.
    ///
    /// not applied `last`
    pub(super) fn inner_records(c: &[f64], p: &[f64], k: usize) -> f64 {
        let mut closest = f64::INFINITY;
        for j in 0..c.len() / k {
            let mut d = 1.0;
            for i in 0..k {
                d *= (p[i] - c[j * k + i]) + 1.5;
            }
            closest = closest.min(d);
        }
        closest
    }

    /// The array is overwritten behind: the winner had other elements.
    ///
    /// not applied `last`
    pub(super) fn overwritten_winner(a: &[f64], t: f64) -> f64 {
        let mut x = a.to_vec();
        let mut m = t;
        for i in 0..x.len() {
            m = m.max(x[i] * x[i]);
            x[i] = x[i] * 0.5;
        }
        m * m
    }

    /// Decays, so that more than one counts.
    ///
    /// not applied `last`
    pub(super) fn decaying(x: &[f64], t: f64) -> f64 {
        let mut m = t;
        for i in 0..x.len() {
            m *= 0.9;
            m = m.max(x[i]);
        }
        m * m
    }

    /// What is compared depends on what was found so far.
    ///
    /// not applied `last`
    pub(super) fn feeds_itself(x: &[f64], t: f64) -> f64 {
        let mut m = t;
        for i in 0..x.len() {
            m = m.max(x[i] + 0.5 * m);
        }
        m * m
    }

    /// Begun anew in each iteration: nothing is carried.
    ///
    /// not applied `last`
    pub(super) fn own_maximum(x: &[f64], t: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            let mut m = t;
            m = m.max(x[i]);
            s += m * m;
        }
        s
    }

    /// In a loop that is left, in one that is not counted, and under a condition.
    ///
    /// not applied `last`
    pub(super) fn while_and_left(x: &[f64], t: f64) -> f64 {
        let mut m = t;
        let mut i = 0;
        while i < x.len() {
            m = m.max(x[i]);
            i += 1;
        }
        let mut n = t;
        for i in 0..x.len() {
            if x[i] < -0.9 {
                break;
            }
            if i % 3 != 0 {
                n = x[i].min(n);
            }
        }
        m * n
    }

    /// The smallest and the largest in one loop.
    ///
    /// not applied `last`
    pub(super) fn range_of(x: &[f64], t: f64) -> f64 {
        let (mut lo, mut hi) = (t, t);
        for &v in x {
            lo = lo.min(v);
            hi = hi.max(v);
        }
        hi * hi - lo
    }

    /// A part of a pair is a variable.
    ///
    /// applied `scalars`, `last`
    pub(super) fn of_a_tuple(x: &[f64], t: f64) -> f64 {
        let mut m = (t, 2.0 * t);
        for &v in x {
            m.1 = m.1.max(v);
        }
        m.0 * m.1
    }

    /// not applied `last`
    pub(super) fn running(x: &[f64], t: f64) -> f64 {
        let mut a = vec![t; 3];
        for i in 0..x.len() {
            a[i % 3] = a[i % 3].max(x[i]);
        }
        a[0] * a[1] + a[2]
    }

    /// Names that generated code uses.
    ///
    /// applied `last`
    pub(super) fn shadowing(taken: &[f64], reached: f64) -> f64 {
        let mut kept = reached;
        for value in 0..taken.len() {
            kept = kept.max(taken[value] * taken[value]);
        }
        let taken = kept * reached;
        taken * taken
    }
}

/// Also of single numbers.
#[retrograde::gradient]
fn max_f32(x: &[f32], from: f32) -> f32 {
    let mut m = from;
    for &v in x {
        m = m.max(v);
    }
    m
}

#[test]
fn running_maxima_are_searches() {
    for n in twins::SIZES {
        for seed in [1, 2, 5] {
            let (x, w) = (numbers(n, seed), numbers(n, seed + 1));
            same!(folded, folded_grad, &x);
            for t in [-2.0, -0.3, 0.3] {
                same!(by_max, by_max_grad, &x, t);
                same!(max_of_other, max_of_other_grad, &x, t);
                same!(by_min, by_min_grad, &x, t);
                same!(min_of_other, min_of_other_grad, &x, t);
                same!(of_exponentials, of_exponentials_grad, &x, &w, t);
                same!(overwritten_winner, overwritten_winner_grad, &x, t);
                same!(decaying, decaying_grad, &x, t);
                same!(feeds_itself, feeds_itself_grad, &x, t);
                same!(own_maximum, own_maximum_grad, &x, t);
                same!(while_and_left, while_and_left_grad, &x, t);
                same!(range_of, range_of_grad, &x, t);
                same!(of_a_tuple, of_a_tuple_grad, &x, t);
                same!(running, running_grad, &x, t);
                same!(shadowing, shadowing_grad, &x, t);
            }
            for k in [1, 2, 3, 9, 16, 21] {
                let mut c = numbers(n * k, seed + 3);
                for points in [0, 1, 4] {
                    let p = numbers(points * k, seed);
                    same!(of_rows, of_rows_grad, &c, &p, k);
                    same!(farthest, farthest_grad, &c, &p, k);
                }
                let mut special = c.clone();
                for (at, v) in special.iter_mut().enumerate() {
                    match at / k % 3 {
                        1 => *v = -0.0,
                        2 => *v = 0.25,
                        _ => {}
                    }
                }
                for p in [numbers(2 * k, seed), vec![0.0; 2 * k], vec![-0.0; k]] {
                    same!(of_rows, of_rows_grad, &special, &p, k);
                    same!(farthest, farthest_grad, &special, &p, k);
                    // Where there is no winner, or an infinite one, the value has the bits.
                    for other in [f64::NAN, f64::INFINITY] {
                        let mut special = special.clone();
                        special
                            .iter_mut()
                            .skip(k)
                            .step_by(2 * k + 1)
                            .for_each(|v| *v = other);
                        let (value, _) = on::of_rows_grad(&special, &p, k);
                        assert_same_value(value, on::of_rows(&special, &p, k));
                        let (value, _) = on::farthest_grad(&special, &p, k);
                        assert_same_value(value, on::farthest(&special, &p, k));
                    }
                }
                if n > 0 {
                    let p = numbers(k, seed);
                    same!(to_the_end, to_the_end_grad, &c, &p, k);
                }
                for points in [0, 1, 4] {
                    let p = numbers(points * k, seed);
                    same!(nearest, nearest_grad, &c, &p, k);
                }
                let p = numbers(k, seed);
                same!(nearest_at, nearest_at_grad, &c, &p, k);
                same!(distance_used_twice, distance_used_twice_grad, &c, &p, k);
                same!(inner_records, inner_records_grad, &c, &p, k);
            }
        }
    }
}

/// The derivative is that of the rules one after the other: zeros of both signs, ties, and what is not a number.
#[test]
fn a_running_maximum_takes_what_the_rules_say() {
    let values = [
        0.0,
        -0.0,
        1.0,
        f64::NAN,
        -1.0,
        1.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
    ];
    for n in 0..24 {
        for seed in 0..40 {
            let pick = |k: usize| values[(k * k * 31 + k * (seed + 3) + seed) % 101 % values.len()];
            let x: Vec<f64> = (0..n).map(pick).collect();
            for from in values {
                let (_, (dx, dm)) = on::by_max_grad(&x, from);
                let (mut m, mut winner) = (from, None);
                for (k, v) in x.iter().enumerate() {
                    if !(m >= *v || v.is_nan()) {
                        winner = Some(k);
                    }
                    m = m.max(*v);
                }
                let expected: Vec<f64> = (0..n)
                    .map(|k| if winner == Some(k) { 3.0 } else { 0.0 })
                    .collect();
                assert_eq!(dx, expected, "{x:?} from {from}");
                assert_eq!(dm, if winner.is_none() { 3.0 } else { 0.0 });
                let (_, (dx, dm)) = on::max_of_other_grad(&x, from);
                let (mut m, mut winner) = (from, None);
                for (k, v) in x.iter().enumerate() {
                    if *v >= m || m.is_nan() {
                        winner = Some(k);
                    }
                    m = v.max(m);
                }
                let expected: Vec<f64> = (0..n)
                    .map(|k| if winner == Some(k) { 3.0 } else { 0.0 })
                    .collect();
                assert_eq!(dx, expected, "{x:?} from {from}");
                assert_eq!(dm, if winner.is_none() { 3.0 } else { 0.0 });
                same!(by_min, by_min_grad, &x, from);
                same!(min_of_other, min_of_other_grad, &x, from);
            }
        }
    }
    assert_eq!(
        max_f32_grad(&[1.0, 3.0, 3.0, 2.0], 0.5),
        (3.0, (vec![0.0, 1.0, 0.0, 0.0], 0.0))
    );
    assert_eq!(max_f32_grad(&[], 0.5), (0.5, (vec![], 1.0)));
}
