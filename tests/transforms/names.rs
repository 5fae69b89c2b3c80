//! Names of the user's that generated code must not meet.

use retrograde::gradient;

/// Everything that generated code might name without a path means something else here.
mod hidden {
    #![allow(non_camel_case_types, non_upper_case_globals)]

    pub(super) enum Own {
        Some,
        None,
        Ok,
        Err,
    }
    use Own::{Err, None, Ok, Some};
    struct Option;
    struct Iterator;
    struct Ix;
    mod core {}
    mod std {}
    fn view() {}
    fn element() {}
    macro_rules! unreachable {
        () => {
            1
        };
    }

    #[retrograde::gradient]
    pub(super) fn shadowed(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut s = 0.0;
        for i in 1..n {
            s += x[i] * x[i - 1] + (x[i] + 2.0).sqrt();
        }
        let mut t = 0.0;
        for i in 0..n {
            let mut q = 0.0;
            for j in 0..m {
                q += a[i * m + j] * x[j];
            }
            t += q.exp() * x[i];
        }
        s * t
    }
}

#[gradient]
fn labels(x: &[f64], n: usize) -> f64 {
    let (__lanes, __done, __m, __n, __start, __i_first, __i_last) = (1, 2, 3, 4, 5, 6, 7);
    let mut s = 0.0;
    '__sliced: for k in 0..2 {
        'sliced: for i in 0..n {
            s += x[i] * x[i + 1];
        }
        if s > 1e9 {
            break '__sliced;
        }
    }
    s * (__lanes + __done + __m + __n + __start + __i_first + __i_last) as f64
}

#[test]
fn names_that_mean_something_else() {
    let (n, m) = (21, 7);
    let v = crate::twins::numbers(n * m + n, 3);
    crate::support::check(
        |p| hidden::shadowed(&p[..n * m], &p[n * m..], n, m),
        |p| {
            let (value, (da, dx)) = hidden::shadowed_grad(&p[..n * m], &p[n * m..], n, m);
            (value, [da, dx].concat())
        },
        &[&v],
    );
    crate::support::check(|p| labels(p, 30), |p| labels_grad(p, 30), &[&v[..31]]);
}
