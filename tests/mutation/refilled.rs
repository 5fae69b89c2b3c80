//! `fill_with`, `resize_with`, `copy_within`, `swap_with_slice`, `dedup_by` and `dedup_by_key`.

use retrograde::gradient;

use super::support::check;

const FOUR: &[&[f64]] = &[
    &[0.7, -1.3, 2.1, 0.4],
    &[1.5, 0.3, -0.8, 2.2],
    &[-0.6, 1.1, 0.9, -1.7],
];

/// The closure keeps a state.
mod filled {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        let mut k = 0.0;
        v.fill_with(|| {
            k += x[0];
            k * k
        });
        v[0] * v[1] + v[3]
    }
}

/// More elements.
mod resized {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut v = x[..2].to_vec();
        let mut k = 0.0;
        v.resize_with(4, || {
            k += x[3];
            k * k
        });
        v[0] * v[1] * v[2] + v[3]
    }
}

/// To the front, with elements in common.
mod moved {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        v.copy_within(1.., 0);
        v[0] * v[1] * v[2] + v[3]
    }
}

/// To the back.
mod moved_back {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut v = [x[0], x[1], x[2], x[3]];
        v.copy_within(0..3, 1);
        v[0] * v[1] * v[2] + v[3] * v[3]
    }
}

/// Neighbours that are near.
mod deduplicated {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut v = vec![x[0], x[0], x[1], x[1] * 2.0, x[2]];
        v.dedup_by(|a, b| (*a - *b).abs() < 0.5);
        v.iter()
            .enumerate()
            .map(|(i, v)| v * v * (i as f64 + 1.0))
            .sum()
    }
}

/// The closure writes to what stays.
mod changed {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut v = vec![x[0], x[0], x[1], x[1], x[1] + 0.01, x[2]];
        v.dedup_by(|a, b| {
            if (*a - *b).abs() < 0.1 {
                *b += *a;
                true
            } else {
                false
            }
        });
        v.iter()
            .enumerate()
            .map(|(i, v)| v * v * (i as f64 + 1.0))
            .sum()
    }
}

/// Neighbours of one key.
mod by_key {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut v = vec![x[0], x[0] + 0.1, x[1], x[2]];
        v.dedup_by_key(|a| a.floor() as i64);
        v.iter()
            .enumerate()
            .map(|(i, v)| v * v * (i as f64 + 1.0))
            .sum()
    }
}

/// Numbers stored by reference, in tuples.
mod order {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut p: Vec<(usize, &f64)> = x.iter().enumerate().collect();
        p.sort_by(|a, b| a.1.total_cmp(b.1));
        let mut s = 0.0;
        for (k, (i, v)) in p.iter().enumerate() {
            s += (k as f64 + 1.0) * *v * *v + x[*i];
        }
        s
    }
}

/// The same, for the least.
mod least {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let p: Vec<(usize, &f64)> = x.iter().enumerate().collect();
        let m = p.iter().min_by(|a, b| a.1.total_cmp(b.1)).unwrap();
        m.1 * m.1 * x[(m.0 + 1) % 4]
    }
}

/// `reduce` of references to numbers.
mod reduced {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let m = *x.iter().reduce(|a, b| if *a > *b { a } else { b }).unwrap();
        let k = x
            .iter()
            .reduce(|a, b| if a < b { a } else { b })
            .copied()
            .unwrap_or(0.0);
        m * m * k
    }
}

#[test]
fn fill_with() {
    check(filled::f, filled::f_grad, FOUR);
}

#[test]
fn resize_with() {
    check(resized::f, resized::f_grad, FOUR);
}

#[test]
fn copy_within_to_the_front() {
    check(moved::f, moved::f_grad, FOUR);
}

#[test]
fn copy_within_to_the_back() {
    check(moved_back::f, moved_back::f_grad, FOUR);
}

#[test]
fn dedup_by() {
    check(deduplicated::f, deduplicated::f_grad, FOUR);
}

#[test]
fn dedup_by_that_writes() {
    check(changed::f, changed::f_grad, FOUR);
}

#[test]
fn dedup_by_key() {
    check(by_key::f, by_key::f_grad, FOUR);
}

#[test]
fn sorted_references() {
    check(order::f, order::f_grad, FOUR);
}

#[test]
fn least_of_references() {
    check(least::f, least::f_grad, FOUR);
}

#[test]
fn reduce_of_references() {
    check(reduced::f, reduced::f_grad, FOUR);
}

#[gradient]
fn shorter(x: &[f64], n: usize) -> f64 {
    let mut v = x.to_vec();
    v.resize_with(n, || x[0] * x[1]);
    v.iter()
        .enumerate()
        .map(|(i, a)| a * a * (i + 1) as f64)
        .sum()
}

#[test]
fn resize_with_to_any_length() {
    for n in [0, 1, 4, 7] {
        check(|p| shorter(p, n), |p| shorter_grad(p, n), FOUR);
    }
}

#[gradient]
fn out_of_range(x: &[f64], to: usize) -> f64 {
    let mut v = x.to_vec();
    v.copy_within(1..3, to);
    v[0] * v[3]
}

#[gradient]
fn of_different_lengths(x: &[f64], n: usize) -> f64 {
    let (mut v, mut w) = (x.to_vec(), x.to_vec());
    v[..n].swap_with_slice(&mut w[1..3]);
    v[0] * w[1]
}

#[test]
fn what_does_not_fit_panics_as_std_does() {
    let x = FOUR[0];
    check(|p| out_of_range(p, 2), |p| out_of_range_grad(p, 2), FOUR);
    check(
        |p| of_different_lengths(p, 2),
        |p| of_different_lengths_grad(p, 2),
        FOUR,
    );
    assert!(std::panic::catch_unwind(|| out_of_range(x, 3)).is_err());
    assert!(std::panic::catch_unwind(|| out_of_range_grad(x, 3)).is_err());
    assert!(std::panic::catch_unwind(|| of_different_lengths(x, 3)).is_err());
    assert!(std::panic::catch_unwind(|| of_different_lengths_grad(x, 3)).is_err());
}
