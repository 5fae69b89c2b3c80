//! What closures capture whose types the macro does not see into, and closures under names that have been shadowed.

use super::support::check;

const FOUR: &[&[f64]] = &[
    &[0.7, -1.3, 2.1, 0.4],
    &[1.5, 0.3, -0.8, 2.2],
    &[-0.6, 1.1, 0.9, -1.7],
];

/// Own types in vectors, by `mut`, by a written type, under another name, and by a literal.
mod own {
    use retrograde::{Differentiable, Record, gradient};

    #[derive(Clone, Debug, Differentiable, Record)]
    pub(super) struct Part {
        x: f64,
        w: Vec<f64>,
    }
    #[gradient]
    fn ap(h: impl Fn(f64) -> f64, x: f64) -> f64 {
        h(x) * x + h(0.5)
    }
    #[gradient]
    fn by_mut(mut parts: Vec<Part>, k: f64) -> f64 {
        parts[0].x *= k;
        let first = ap(|t| t * parts[0].x + parts[1].w[0] * k, k);
        parts[1].w[0] += first;
        first + ap(|t| t * parts[1].w[0], first)
    }
    #[gradient]
    fn renamed(parts: Vec<Part>, k: f64) -> f64 {
        let mut own = parts;
        own[0].x *= 2.0;
        ap(|t| t * own[0].x + own[own.len() - 1].w[0] * k, k)
    }
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let parts: Vec<Part> = x
            .iter()
            .map(|v| Part {
                x: *v,
                w: vec![v * 2.0; 2],
            })
            .collect();
        let one = Part {
            x: x[3],
            w: x.to_vec(),
        };
        let there = ap(|t| t * parts[2].x, x[0]) + ap(|t| t * one.x * one.w[1], x[1]);
        there + by_mut(parts.clone(), x[2]) + renamed(parts, x[1])
    }
}

/// A closure whose variables mean others where it is called by a closure that is given on.
mod shadowed {
    use retrograde::{Differentiable, Record, gradient};

    #[derive(Clone, Debug, Differentiable, Record)]
    struct Pair {
        k: f64,
        t: f64,
    }
    #[gradient]
    fn ap(h: impl Fn(f64) -> f64, x: f64) -> f64 {
        h(x) * x + h(0.5)
    }
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let k = x[0];
        let scaled = |t: f64| k * t;
        let k = 2.0 * x[1];
        let mut m = x[2];
        let moved = move |t: f64| {
            assert!(t < 1e9 && k < 1e9);
            let [a, k] = [vec![m, k, t], vec![k; 2]];
            a[0] * a[2] + k[0]
        };
        m = m * 3.0 + k;
        let pair = |t: f64| {
            let Pair { k, t } = Pair { k, t };
            k * t + m
        };
        let k = x[3] * m;
        m + ap(
            |t| {
                let m = scaled(t);
                moved(m) * k + scaled(moved(t)) + pair(t)
            },
            x[1],
        )
    }
}

#[test]
fn own_types() {
    check(own::f, own::f_grad, FOUR);
}

#[test]
fn shadowed_names() {
    check(shadowed::f, shadowed::f_grad, FOUR);
}
