//! Options whose value may have no derivative where what stands for none has one, and those that functions return.

use super::support::check;

const FOUR: &[&[f64]] = &[
    &[0.7, -1.3, 2.1, 0.4],
    &[1.5, 0.3, -0.8, 2.2],
    &[-0.6, 1.1, 0.9, -1.7],
];

/// Chains without a derivative.
mod chains {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let a = (0..6 % 5_usize)
            .map(|i| {
                let t: f64 = 2.0 + i as f64;
                t
            })
            .map(|v| v * 0.5)
            .min_by(|a, b| b.total_cmp(a))
            .unwrap_or(x[0]);
        let b = (0..0_usize)
            .map(|i| i as f64)
            .reduce(|a, b| a + b)
            .unwrap_or(x[1]);
        let c = (0..3_usize)
            .flat_map(|i| (0..i).map(move |k| (i * k) as f64))
            .max_by(|a, b| a.total_cmp(b))
            .map_or(x[2], |v| v * x[3]);
        let d = [1.0, 2.0]
            .iter()
            .copied()
            .filter(|v| *v > 5.0)
            .last()
            .unwrap_or_else(|| x[2] * x[0]);
        a * b * c + d * b
    }
}

/// What a function returned, which its methods show to be an option.
mod results {
    use retrograde::gradient;

    #[gradient]
    fn h(x: f64) -> Option<f64> {
        if x > 0.0 { Some(x * x) } else { None }
    }
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for v in x {
            let o = h(*v);
            s += o.map_or_else(|| x[0], |p| p * x[1]) + o.or(o).map_or(x[2], |q| q);
            let w = h(*v * 2.0);
            s *= w.unwrap_or_else(|| x[3] * 0.5);
            if w.is_some_and(|k| k > 3.0) {
                s += 1.0;
            }
        }
        s
    }
}

#[test]
fn chains_without_a_derivative() {
    check(chains::f, chains::f_grad, FOUR);
}

#[test]
fn results_that_are_options() {
    check(results::f, results::f_grad, FOUR);
}
