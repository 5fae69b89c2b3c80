//! Operators by the functions of their traits, given to the ends and adapters of chains.

use std::ops::{Add, Mul, Neg};

use retrograde::{Differentiable, Record, gradient};

#[derive(Clone, Copy, Debug, Differentiable, Record)]
struct Pair {
    a: f64,
    b: f64,
}

#[gradient]
impl Add for Pair {
    type Output = Pair;

    fn add(self, other: Pair) -> Pair {
        Pair {
            a: self.a + other.a,
            b: self.b + other.b,
        }
    }
}

#[gradient]
fn sums(x: &[f64]) -> f64 {
    let sum = x.iter().copied().fold(0.0, ::std::ops::Add::add);
    let product = x.iter().copied().fold(1.0, Mul::mul);
    let of_references = x.iter().fold(0.5, core::ops::Sub::sub);
    let negated = x.iter().copied().map(Neg::neg).reduce(Add::add);
    sum * product + of_references * of_references + 3.0 * negated.unwrap_or(0.0)
}

#[gradient]
fn of_pairs(x: &[f64]) -> f64 {
    let zero = Pair { a: 0.0, b: 1.0 };
    let sum = x
        .iter()
        .map(|v| Pair { a: *v, b: v * v })
        .fold(zero, Add::add);
    sum.a * sum.b
}

#[test]
fn operators_are_given_by_their_paths() {
    for x in [vec![0.5, -2.0, 3.0], vec![1.25], vec![]] {
        let (sum, product) = (x.iter().sum::<f64>(), x.iter().product::<f64>());
        let (value, dx) = sums_grad(&x);
        assert_eq!(value.to_bits(), sums(&x).to_bits());
        let (of_pairs_value, of_pairs_dx) = of_pairs_grad(&x);
        assert_eq!(of_pairs_value.to_bits(), of_pairs(&x).to_bits());
        let squares = 1.0 + x.iter().map(|v| v * v).sum::<f64>();
        for (k, v) in x.iter().enumerate() {
            let want = product + sum * product / v - 2.0 * (0.5 - sum) - 3.0;
            assert!((dx[k] - want).abs() <= 1e-13 * want.abs(), "{dx:?}, {want}");
            let want = squares + sum * 2.0 * v;
            assert!(
                (of_pairs_dx[k] - want).abs() <= 1e-13 * want.abs(),
                "{of_pairs_dx:?}, {want}"
            );
        }
    }
}
