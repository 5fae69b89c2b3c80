//! What stands around the loops: regions that run again, calls, branches, tapes of every kind, the same tape again and
//! again.

use retrograde::Tape;
use retrograde::tier::MemoryTier;

use crate::support::assert_close;
use crate::twins::{SIZES, agree, near, numbers, twins};

twins! {
    /// applied `reslice`, `lanes`, `bulk`
    pub(super) fn axpy(a: f64, x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] += a * x[i];
        }
    }

    /// applied `reslice`, `lanes`, `fuse`
    pub(super) fn dot(x: &[f64], y: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            s += x[i] * y[i];
        }
        s
    }

    /// applied `reslice`, `lanes`, `jam`, `terms`, `strips`
    pub(super) fn gemv(a: &[f64], x: &[f64], y: &mut [f64], w: &(f64, f64)) {
        let m = x.len();
        for i in 0..y.len() {
            let mut s = w.0;
            for j in 0..m {
                s += a[i * m + j] * x[j] * w.1;
            }
            y[i] = s.tanh() * y[i];
        }
    }

    /// A region that runs again in the reverse sweep, around loops that are jammed and sliced.
    ///
    /// applied `reslice`, `strips`
    pub(super) fn region(a: &[f64], x: &[f64], steps: usize) -> f64 {
        let n = x.len();
        let mut y = vec![0.5; n];
        let mut w = (0.1, 0.9);
        #[checkpoint]
        for t in 0..steps {
            gemv(a, x, &mut y, &w);
            for i in 1..n {
                y[i] += 0.1 * y[i - 1] * x[i];
            }
            for i in 0..n {
                if y[i] > 0.2 { w.1 += 0.01 * y[i]; } else { w.0 -= 0.02 * x[i]; }
            }
            axpy(w.0, x, &mut y);
        }
        dot(&y, x) + w.0
    }

    /// Records of a flag, a number and a pair for each iteration.
    ///
    /// applied `reslice`, `lanes`, `fuse`, `strips`
    pub(super) fn records(x: &[f64], w: f64) -> f64 {
        let n = x.len();
        let mut s = 0.0;
        let mut c = 1.0;
        for i in 0..n {
            let t = (x[i] * w).exp();
            let u = if t > 1.0 { t.sin() * x[i] } else { t * t };
            c = c * 0.5 + u * t;
            s += c * u;
        }
        for i in 1..n {
            let e = (x[i] * w).exp();
            let f = (x[i - 1] - w).sin();
            s += e * e * f + x[i] * f;
        }
        s
    }

    /// The records of a jammed loop.
    ///
    /// applied `reslice`, `strips`, `jam`
    pub(super) fn jammed_records(a: &[f64], x: &[f64], n: usize, w: f64) -> f64 {
        let m = x.len();
        let mut total = 0.0;
        for i in 0..n {
            let scale = (a[i] * w).exp();
            let mut s = scale;
            for j in 0..m {
                s += a[i + j] * x[j];
            }
            let t = s.tanh();
            total = total * 0.7 + t * t * scale;
        }
        total
    }

    /// Overwritten in each step: saved in front of the loop, put back behind it.
    ///
    /// applied `reslice`, `lanes`, `wide`, `bulk`, `strips`
    pub(super) fn steps(x: &[f64], k: f64, steps: usize) -> f64 {
        let n = x.len();
        let mut u = x.to_vec();
        let mut v = vec![0.0; n];
        for t in 0..steps {
            for i in 1..n {
                v[i] = u[i] * u[i - 1] * k;
            }
            for i in 0..n {
                u[i] = u[i] * 0.5 + v[i] * v[i];
            }
            let h = t % 3;
            for i in h..n {
                u[i - h] += k * v[i] * u[i - h];
            }
        }
        dot(&u, &v)
    }

    /// not applied `reslice`
    pub(super) fn early(x: &[f64], limit: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            s += x[i] * x[i];
            if s > limit { break; }
            if x[i] < 0.0 { continue; }
            s += x[i];
        }
        for i in 0..x.len() {
            if x[i] > 0.95 { return s * x[i]; }
            s -= x[i] * 0.1;
        }
        s
    }

    /// applied `reslice`, `gather`
    pub(super) fn option(x: &[f64], limit: f64) -> Option<f64> {
        let mut s = 0.0;
        for i in 1..x.len() {
            s += x[i] * x[i - 1];
        }
        if s > limit { return None; }
        Some(s * s)
    }
}

fn tapes() -> Vec<Tape> {
    let builder = || Tape::builder();
    let budget = builder()
        .memory_budget(64 << 10)
        .slab_bytes(4096)
        .tier(MemoryTier::new());
    vec![
        Tape::new(),
        builder()
            .slab_bytes(64)
            .shadow(true)
            .build()
            .expect("valid"),
        builder().slab_bytes(100).build().expect("valid"),
        builder()
            .slab_bytes(1000)
            .shadow(true)
            .build()
            .expect("valid"),
        budget.build().expect("valid"),
    ]
}

#[test]
fn regions_and_calls() {
    for n in [0, 1, 2, 7, 8, 9, 17, 33, 65] {
        let (a, x) = (numbers(n * n, 1), numbers(n, 2));
        for steps in [0, 1, 4] {
            agree(
                || on::region(&a, &x, steps),
                || on::region_grad(&a, &x, steps),
                || off::region_grad(&a, &x, steps),
            );
            if n > 0 {
                let a = &a[1..];
                agree(
                    || on::region(a, &x, steps),
                    || on::region_grad(a, &x, steps),
                    || off::region_grad(a, &x, steps),
                );
            }
            agree(
                || on::steps(&x, 0.7, steps),
                || on::steps_grad(&x, 0.7, steps),
                || off::steps_grad(&x, 0.7, steps),
            );
        }
    }
}

#[test]
fn exits_in_the_middle() {
    for n in SIZES {
        let x = numbers(n, 2);
        for limit in [-1.0, 0.5, 3.0, 1e9] {
            agree(
                || on::early(&x, limit),
                || on::early_grad(&x, limit),
                || off::early_grad(&x, limit),
            );
            let run = |f: &dyn Fn(&mut Tape, &mut [f64], &mut f64) -> Option<f64>| {
                let (mut dx, mut dl) = (vec![0.0; n], 0.0);
                let value = f(&mut Tape::new(), &mut dx, &mut dl);
                (value.map(f64::to_bits), dx)
            };
            let one = run(&|t, d, l| on::option_adjoint(t, &x, d, limit, l, Some(2.0)));
            let two = run(&|t, d, l| off::option_adjoint(t, &x, d, limit, l, Some(2.0)));
            assert_eq!(one.0, on::option(&x, limit).map(f64::to_bits));
            assert_eq!(one.0, two.0);
            near(&one.1, &two.1);
        }
    }
}

#[test]
fn tapes_of_every_kind() {
    for mut tape in tapes() {
        for n in [
            0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 63, 64, 65, 66, 127, 128, 129, 511, 512, 513, 1000,
            4097,
        ] {
            let x = numbers(n, 4);
            for again in 0..2 {
                let run = |tape: &mut Tape, f: &dyn Fn(&mut Tape, &mut [f64], &mut f64) -> f64| {
                    let (mut dx, mut dw) = (vec![f64::NAN; n], f64::NAN);
                    let value = f(tape, &mut dx, &mut dw);
                    assert!(tape.is_empty());
                    dx.push(dw);
                    (value, dx)
                };
                let one = run(&mut tape, &|t, d, w| {
                    on::records_grad_into(t, &x, d, 0.7, w)
                });
                let two = run(&mut Tape::new(), &|t, d, w| {
                    off::records_grad_into(t, &x, d, 0.7, w)
                });
                assert_eq!(one.0.to_bits(), two.0.to_bits());
                assert_eq!(one.0.to_bits(), on::records(&x, 0.7).to_bits());
                near(&one.1, &two.1);
                if n < 600 {
                    let a = numbers(2 * n + 38, 8);
                    let x = &x[..n.min(40)];
                    let run = |tape: &mut Tape, f: &dyn Fn(&mut Tape, &mut [f64], &mut [f64], &mut f64) -> f64| {
                        let (mut da, mut dx, mut dw) = (vec![f64::NAN; a.len()], vec![f64::NAN; x.len()], f64::NAN);
                        let value = f(tape, &mut da, &mut dx, &mut dw);
                        assert!(tape.is_empty());
                        da.extend(dx);
                        da.push(dw);
                        (value, da)
                    };
                    let one = run(&mut tape, &|t, d, e, w| {
                        on::jammed_records_grad_into(t, &a, d, x, e, n, 0.3, w)
                    });
                    let two = run(&mut Tape::new(), &|t, d, e, w| {
                        off::jammed_records_grad_into(t, &a, d, x, e, n, 0.3, w)
                    });
                    assert_eq!(one.0.to_bits(), two.0.to_bits());
                    assert_eq!(one.0.to_bits(), on::jammed_records(&a, x, n, 0.3).to_bits());
                    near(&one.1, &two.1);
                    // A matrix that ends in the middle.
                    for short in [n / 2, n + 3] {
                        let a = &a[..short.min(a.len())];
                        agree(
                            || on::jammed_records(a, x, n, 0.3),
                            || on::jammed_records_grad(a, x, n, 0.3),
                            || off::jammed_records_grad(a, x, n, 0.3),
                        );
                    }
                }
            }
        }
    }
}
