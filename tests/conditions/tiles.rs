//! Time loops that look as if few of their rows would do. Rows are long enough, and there are enough steps.

use retrograde::gradient;

use crate::support::{Flat, flat};

const STEPS: usize = 22;

/// Numbers that stay small over many steps.
fn row(n: usize, seed: u32) -> Vec<f64> {
    (0..n)
        .map(|i| 0.3 * (0.73 * i as f64 + f64::from(seed)).sin())
        .collect()
}

/// The value bit for bit, and the gradient along a direction in which all elements change against a difference.
fn along<G: Flat>(x: &[f64], f: impl Fn(&[f64]) -> f64, gradient: impl Fn(&[f64]) -> (f64, G)) {
    let (value, g) = gradient(x);
    assert_eq!(value.to_bits(), f(x).to_bits());
    let d = row(x.len(), 9);
    let at = |h: f64| {
        f(&x.iter()
            .zip(&d)
            .map(|(x, d)| x + h * d)
            .collect::<Vec<f64>>())
    };
    let slope: f64 = flat(&g).iter().zip(&d).map(|(g, d)| g * d).sum();
    let quotient = (at(1e-5) - at(-1e-5)) / 2e-5;
    assert!(
        (slope - quotient).abs() <= 1e-6 * slope.abs().max(1.0),
        "{slope} {quotient}"
    );
}

/// The reverse of a step adds to the adjoint of a number.
///
/// not applied `tiles`: the reverse of a step adds to the adjoint of `kappa` as well
#[gradient]
fn number(u: &[f64], kappa: f64) -> f64 {
    let (mut a, mut b) = (u.to_vec(), u.to_vec());
    for _ in 0..STEPS {
        for i in 1..u.len() - 1 {
            b[i] = a[i] + kappa * (a[i + 1] - a[i]) * (a[i] - a[i - 1]);
        }
        std::mem::swap(&mut a, &mut b);
    }
    a.iter().sum::<f64>()
}

/// To that of another array.
///
/// not applied `tiles`: the reverse of a step changes more than one adjoint
#[gradient]
fn array(u: &[f64], c: &[f64]) -> f64 {
    let (mut a, mut b) = (u.to_vec(), u.to_vec());
    for _ in 0..STEPS {
        for i in 1..u.len() - 1 {
            b[i] = a[i] + c[i] * (a[i + 1] - a[i]) * (a[i] - a[i - 1]);
        }
        std::mem::swap(&mut a, &mut b);
    }
    a.iter().sum::<f64>()
}

/// A step depends on its number.
///
/// not applied `tiles`: `k` is not the same in each step
#[gradient]
fn time(u: &[f64]) -> f64 {
    let (mut a, mut b) = (u.to_vec(), u.to_vec());
    for k in 0..STEPS {
        for i in 1..u.len() - 1 {
            b[i] = a[i] + (k as f64) * 0.01 * (a[i + 1] - a[i]) * (a[i] - a[i - 1]);
        }
        std::mem::swap(&mut a, &mut b);
    }
    a.iter().sum::<f64>()
}

/// The ends change as well.
///
/// not applied `tiles`: a step does more than compute one array from another
#[gradient]
fn ends(u: &[f64]) -> f64 {
    let n = u.len();
    let (mut a, mut b) = (u.to_vec(), u.to_vec());
    for _ in 0..STEPS {
        for i in 1..n - 1 {
            b[i] = a[i] + 0.1 * (a[i + 1] - a[i]) * (a[i] - a[i - 1]);
        }
        b[0] = b[1] * b[1];
        b[n - 1] = b[n - 2];
        std::mem::swap(&mut a, &mut b);
    }
    a.iter().sum::<f64>()
}

/// The arrays change places in some steps only.
#[gradient]
fn sometimes(u: &[f64], limit: f64) -> f64 {
    let (mut a, mut b) = (u.to_vec(), u.to_vec());
    for k in 0..STEPS {
        for i in 1..u.len() - 1 {
            b[i] = a[i] + 0.1 * (a[i + 1] - a[i]) * (a[i] - a[i - 1]);
        }
        if (k as f64) < limit || k % 3 == 0 {
            std::mem::swap(&mut a, &mut b);
        }
    }
    a.iter().sum::<f64>()
}

/// Or twice.
///
/// not applied `tiles`: a step does more than compute one array from another
#[gradient]
fn back_again(u: &[f64]) -> f64 {
    let (mut a, mut b) = (u.to_vec(), u.to_vec());
    for _ in 0..STEPS {
        for i in 1..u.len() - 1 {
            b[i] = a[i] + 0.1 * (a[i + 1] - a[i]) * (a[i] - a[i - 1]);
        }
        std::mem::swap(&mut a, &mut b);
        std::mem::swap(&mut b, &mut a);
    }
    a.iter().sum::<f64>() + b.iter().map(|v| v * v).sum::<f64>()
}

/// Three arrays.
///
/// not applied `tiles`: a step does more than compute one array from another
#[gradient]
fn three(u: &[f64]) -> f64 {
    let (mut a, mut b, mut c) = (u.to_vec(), u.to_vec(), u.to_vec());
    for _ in 0..STEPS {
        for i in 1..u.len() - 1 {
            c[i] = 0.9 * b[i] - 0.1 * a[i] + 0.1 * (b[i + 1] - b[i]) * (b[i] - b[i - 1]);
        }
        std::mem::swap(&mut a, &mut b);
        std::mem::swap(&mut b, &mut c);
    }
    a.iter().sum::<f64>() + b.iter().map(|v| v * v).sum::<f64>()
}

/// What is overwritten is read.
///
/// not applied `tiles`: a step reads the element that it overwrites
#[gradient]
fn leaps(u: &[f64]) -> f64 {
    let (mut a, mut b) = (u.to_vec(), u.to_vec());
    for _ in 0..STEPS {
        for i in 1..u.len() - 1 {
            b[i] = 0.8 * a[i] - 0.1 * b[i] + 0.1 * (a[i + 1] - a[i]) * (a[i] - a[i - 1]);
        }
        std::mem::swap(&mut a, &mut b);
    }
    a.iter().sum::<f64>()
}

/// The reverse of a step does not read what a step adds.
///
/// not applied `tiles`: a step reads `q`, which the reverse of a step does not know
#[gradient]
fn source(u: &[f64], #[constant] q: &[f64]) -> f64 {
    let (mut a, mut b) = (u.to_vec(), u.to_vec());
    for _ in 0..STEPS {
        for i in 1..u.len() - 1 {
            b[i] = a[i] + 0.1 * (a[i + 1] - a[i]) * (a[i] - a[i - 1]) + q[i];
        }
        std::mem::swap(&mut a, &mut b);
    }
    a.iter().sum::<f64>()
}

/// One element goes into all.
///
/// not applied `tiles`: a step reads the same element of `a` for all others
#[gradient]
fn coupled(u: &[f64]) -> f64 {
    let (mut a, mut b) = (u.to_vec(), u.to_vec());
    for _ in 0..STEPS {
        for i in 1..u.len() - 1 {
            b[i] = a[i] + 0.1 * (a[i + 1] - a[i]) * (a[i] - a[i - 1]) * a[7];
        }
        std::mem::swap(&mut a, &mut b);
    }
    a.iter().sum::<f64>()
}

/// A step looks at its values.
#[gradient]
fn limited(u: &[f64]) -> f64 {
    let (mut a, mut b) = (u.to_vec(), u.to_vec());
    for _ in 0..STEPS {
        for i in 1..u.len() - 1 {
            let d = (a[i + 1] - a[i]) * (a[i] - a[i - 1]);
            if d > 0.0 {
                b[i] = a[i] + 0.1 * d;
            } else {
                b[i] = a[i] - 0.2 * d * a[i];
            }
        }
        std::mem::swap(&mut a, &mut b);
    }
    a.iter().sum::<f64>()
}

/// A step adds up.
///
/// not applied `tiles`: a step does more than compute a value for each element
#[gradient]
fn adding(u: &[f64]) -> f64 {
    let (mut a, mut b) = (u.to_vec(), u.to_vec());
    let mut s = 0.0;
    for _ in 0..STEPS {
        for i in 1..u.len() - 1 {
            b[i] = a[i] + 0.1 * (a[i + 1] - a[i]) * (a[i] - a[i - 1]);
            s += a[i];
        }
        std::mem::swap(&mut a, &mut b);
    }
    s + a.iter().sum::<f64>()
}

/// The range changes.
///
/// not applied `tiles`: `to_1` is not the same in each step
#[gradient]
fn shrinking(u: &[f64]) -> f64 {
    let (mut a, mut b) = (u.to_vec(), u.to_vec());
    for k in 0..STEPS {
        for i in 1..u.len() - 1 - k {
            b[i] = a[i] + 0.1 * (a[i + 1] - a[i]) * (a[i] - a[i - 1]);
        }
        std::mem::swap(&mut a, &mut b);
    }
    a.iter().sum::<f64>()
}

/// It is left early.
#[gradient]
fn until(u: &[f64], limit: f64) -> f64 {
    let (mut a, mut b) = (u.to_vec(), u.to_vec());
    for k in 0..2 * STEPS {
        for i in 1..u.len() - 1 {
            b[i] = a[i] + 0.1 * (a[i + 1] - a[i]) * (a[i] - a[i - 1]);
        }
        std::mem::swap(&mut a, &mut b);
        if k as f64 > limit {
            break;
        }
    }
    a.iter().sum::<f64>()
}

/// Far away.
///
/// not applied `tiles`: the elements of `a` are not a fixed small distance from the one that is computed
#[gradient]
fn far(u: &[f64]) -> f64 {
    let (mut a, mut b) = (u.to_vec(), u.to_vec());
    for _ in 0..STEPS {
        for i in 30..u.len() - 30 {
            b[i] = a[i] + 0.1 * (a[i + 1] - a[i]) * (a[i] - a[i - 1]) + 0.1 * a[i + 30] * a[i - 30];
        }
        std::mem::swap(&mut a, &mut b);
    }
    a.iter().sum::<f64>()
}

/// What a step multiplies with changes from step to step.
///
/// not applied `tiles`: a step does more than compute one array from another
#[gradient]
fn fading(u: &[f64], #[constant] c: &[f64]) -> f64 {
    let (mut a, mut b, mut w) = (u.to_vec(), u.to_vec(), c.to_vec());
    for _ in 0..STEPS {
        for i in 1..u.len() - 1 {
            b[i] = a[i] + w[i] * (a[i + 1] - a[i]) * (a[i] - a[i - 1]);
        }
        std::mem::swap(&mut a, &mut b);
        w[9] = 0.5 * w[9];
    }
    a.iter().sum::<f64>()
}

/// What two neighbours get is not cheap, so it is added one by one.
///
/// not applied `tiles`: what is added to the adjoint of `a` is not added in one pass
#[gradient]
fn upwind(u: &[f64]) -> f64 {
    let (mut a, mut b) = (u.to_vec(), u.to_vec());
    for _ in 0..STEPS {
        for i in 1..u.len() {
            b[i] = a[i] - 0.1 * (a[i] - a[i - 1]) / (1.0 + a[i] * a[i]);
        }
        std::mem::swap(&mut a, &mut b);
    }
    a.iter().sum::<f64>()
}

/// The arrays differ in length, and each step asks for it; with the longer one first a step finds no element.
#[gradient]
fn lengths(u: &[f64], v: &[f64]) -> f64 {
    let (mut a, mut b) = (u.to_vec(), v.to_vec());
    for _ in 0..STEPS {
        for i in 1..a.len() - 1 {
            b[i] = a[i] + 0.1 * (a[i + 1] - a[i]) * (a[i] - a[i - 1]);
        }
        std::mem::swap(&mut a, &mut b);
    }
    a.iter().sum::<f64>()
}
#[test]
fn each_breaks_one_condition() {
    for n in [12_100, 90] {
        let (x, y) = (row(n, 1), row(n, 2));
        along(&x, |x| number(x, 0.3), |x| number_grad(x, 0.3));
        along(&x, |x| array(x, &y), |x| array_grad(x, &y));
        along(&x, time, time_grad);
        along(&x, ends, ends_grad);
        along(&x, |x| sometimes(x, 5.0), |x| sometimes_grad(x, 5.0));
        along(&x, back_again, back_again_grad);
        along(&x, three, three_grad);
        along(&x, leaps, leaps_grad);
        along(&x, |x| source(x, &y), |x| source_grad(x, &y));
        along(&x, coupled, coupled_grad);
        along(&x, limited, limited_grad);
        along(&x, adding, adding_grad);
        along(&x, shrinking, shrinking_grad);
        along(&x, |x| until(x, 24.0), |x| until_grad(x, 24.0));
        along(&x, upwind, upwind_grad);
        along(&x, |x| fading(x, &y), |x| fading_grad(x, &y));
        along(&x, far, far_grad);
        along(&x, |x| lengths(x, &y), |x| lengths_grad(x, &y));
    }
}

/// Where the arrays differ in length, a step finds no element, or not all are computed.
#[test]
fn lengths_that_differ() {
    for n in [12_100, 90] {
        let (x, y) = (row(n, 1), row(n + 1, 2));
        along(&x, |x| lengths(x, &y), |x| lengths_grad(x, &y));
        let y = row(n + 3, 2);
        for (x, y) in [(&x[..], &y[..]), (&y[..], &x[..])] {
            assert!(std::panic::catch_unwind(|| lengths(x, y)).is_err());
            assert!(std::panic::catch_unwind(|| lengths_grad(x, y)).is_err());
        }
    }
}
