//! Layers in a loop over time: states that are overwritten, values read back from them, regions, calls, and tapes that
//! spill.

use retrograde::Tape;
use retrograde::tier::MemoryTier;

use crate::support::{assert_close, differences};
use crate::twins::{near, numbers, twins};
use crate::{INNER, OUTER, both};

twins! {
    /// The state of each step replaces the one before; what the reverse sweep reads back must be that of its own step.
    ///
    /// applied `jam`, `terms`
    pub(super) fn recurrent(w: &[f64], u: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut h = vec![0.0; n];
        let mut g = vec![0.1; m];
        for t in 0..3 {
            for i in 0..n {
                let mut s = 0.05 * h[i];
                for j in 0..m {
                    s += w[i * m + j] * g[j];
                }
                let v = s.tanh();
                h[i] = v;
            }
            for j in 0..m {
                let mut s = x[j];
                for i in 0..n {
                    s += u[j * n + i] * h[i];
                }
                let v = (s * 0.5).sin();
                let e = (v * 0.5).exp();
                g[j] = e;
            }
        }
        let mut total = 0.0;
        for i in 0..n {
            total += h[i] * h[i];
        }
        for j in 0..m {
            total += g[j] * x[j];
        }
        total
    }

    /// Two layers without an overwrite.
    ///
    /// applied `jam`, `terms`
    pub(super) fn forward_only(w: &[f64], u: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut h = vec![0.0; n];
        for i in 0..n {
            let mut s = 0.1;
            for j in 0..m {
                s += w[i * m + j] * x[j];
            }
            let v = s.tanh();
            h[i] = v;
        }
        let mut out = x.to_vec();
        for i in 0..n {
            for j in 0..m {
                out[j] += u[j + i * m] * h[i];
            }
        }
        let mut total = 0.0;
        for j in 0..m {
            total += out[j] * out[j];
        }
        total
    }

    /// The forward sweep of a region runs again, on the state that was restored.
    ///
    /// applied `jam`, `terms`
    pub(super) fn in_a_region(w: &[f64], u: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut g = x.to_vec();
        let mut total = 0.0;
        #[checkpoint]
        for t in 0..5 {
            let mut h = vec![0.0; n];
            for i in 0..n {
                let mut s = 0.2;
                for j in 0..m {
                    s += w[i * m + j] * g[j];
                }
                let v = s.tanh();
                h[i] = v;
                total += v * s * 0.1;
            }
            for j in 0..m {
                g[j] = g[j] * 0.5;
            }
            for i in 0..n {
                for j in 0..m {
                    g[j] += u[j + i * m] * h[i];
                }
            }
        }
        for j in 0..m {
            total += g[j] * x[j];
        }
        total
    }

    /// A callee that changes its argument, and reads back from it what it computed.
    ///
    /// applied `jam`, `terms`
    pub(super) fn product(w: &[f64], x: &[f64], y: &mut [f64], n: usize, m: usize) {
        for i in 0..n {
            let mut s = y[i];
            for j in 0..m {
                s += w[i * m + j] * x[j];
            }
            let v = s.tanh();
            y[i] = v;
        }
    }

    /// Calls with arrays that the next call overwrites: the adjoints of both are added to.
    ///
    /// not applied `jam`
    pub(super) fn calls(w: &[f64], u: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut h = vec![0.1; n];
        let mut g = x.to_vec();
        for t in 0..3 {
            product(w, &g, &mut h, n, m);
            product(u, &h, &mut g, m, n);
            product(w, x, &mut h, n, m);
        }
        let mut total = 0.0;
        for i in 0..n {
            total += h[i] * h[i];
        }
        for j in 0..m {
            total += g[j] * x[j];
        }
        total
    }

    /// An element that only the distance of two indices tells from the one that is written.
    ///
    /// applied `jam`, `terms`
    pub(super) fn offsets(a: &[f64], x: &[f64], n: usize, m: usize, off: usize) -> f64 {
        let mut y = vec![0.3; n + off];
        for i in 0..n {
            let mut s = y[i] * a[i];
            for j in 0..m {
                s += a[i * m + j] * x[j];
            }
            y[i + off] = s * 0.1 + a[i];
        }
        let mut total = 0.0;
        for i in 0..n + off {
            total += y[i] * y[i] * (i as f64 + 0.5);
        }
        total
    }

    /// The names that the transformation gives, given by the user.
    ///
    /// applied `jam`, `terms`
    pub(super) fn names(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let (rt, __n, __start, lane, column) = (0.1, 0.2, 0.3, 0.4, 0.5);
        let mut total = 0.0;
        for i in 0..n {
            let a_rows = a[i] * lane;
            let s_lanes = a_rows + __n;
            let mut s = s_lanes;
            for j in 0..m {
                let x_slice = x[j] * column;
                s += a[i * m + j] * x_slice * s_lanes + rt * __start;
            }
            total += s * a_rows;
        }
        total
    }
}

#[test]
fn states_that_are_overwritten() {
    for n in OUTER {
        for m in INNER {
            let scale = 1.0 / (n + m + 1) as f64;
            let of = |seed| -> Vec<f64> {
                let x = numbers((n * m).max(n), seed);
                x.iter().map(|v| v * scale).collect()
            };
            let (w, u, x) = (of(1), of(2), numbers(m, 3));
            both!(recurrent, recurrent_grad, &w, &u, &x, n, m);
            both!(forward_only, forward_only_grad, &w, &u, &x, n, m);
            both!(in_a_region, in_a_region_grad, &w, &u, &x, n, m);
            both!(calls, calls_grad, &w, &u, &x, n, m);
            both!(names, names_grad, &w, &x, n, m);
            for off in [0, 1, n, n + 3] {
                both!(offsets, offsets_grad, &w, &x, n, m, off);
            }
        }
    }
}

#[test]
fn states_against_differences() {
    for (n, m) in [(9, 50), (17, 31), (50, 9)] {
        let (w, u) = (numbers(n * m, 1), numbers(n * m, 2));
        let scaled = |x: &[f64]| -> Vec<f64> { x.iter().map(|v| v / 20.0).collect() };
        let (w, u, x) = (scaled(&w), scaled(&u), numbers(m, 3));
        macro_rules! different {
            ($f:ident, $g:ident) => {
                let (_, (dw, du, dx)) = on::$g(&w, &u, &x, n, m);
                let want = differences(|x| on::$f(&w, &u, x, n, m), &x);
                assert_close(&dx, &want, 1e-7, &[]);
                let want = differences(|w| on::$f(w, &u, &x, n, m), &w);
                assert_close(&dw, &want, 1e-7, &[]);
                let want = differences(|u| on::$f(&w, u, &x, n, m), &u);
                assert_close(&du, &want, 1e-7, &[]);
            };
        }
        different!(recurrent, recurrent_grad);
        different!(forward_only, forward_only_grad);
        different!(in_a_region, in_a_region_grad);
        different!(calls, calls_grad);
    }
}

/// Strips end in the middle of a block of iterations, wherever a block of the tape ends.
#[test]
fn tapes_that_spill() {
    for (n, m) in [(9, 50), (33, 50), (200, 31), (1000, 33)] {
        let scale = 1.0 / (n + m) as f64;
        let of = |seed| -> Vec<f64> {
            let x = numbers(n * m, seed);
            x.iter().map(|v| v * scale).collect()
        };
        let (w, u, x) = (of(1), of(2), numbers(m, 3));
        for bytes in [64, 100, 136, 4096] {
            for shadow in [false, true] {
                let mut tape = Tape::builder().slab_bytes(bytes).shadow(shadow);
                if bytes == 4096 {
                    tape = tape.memory_budget(64 << 10).tier(MemoryTier::new());
                }
                let mut tape = tape.build().expect("valid");
                macro_rules! spilling {
                    ($into:ident) => {
                        let run = |tape: &mut Tape| {
                            let mut bars = [w.len(), u.len(), x.len()].map(|n| vec![f64::NAN; n]);
                            let [dw, du, dx] = &mut bars;
                            let value = on::$into(tape, &w, dw, &u, du, &x, dx, n, m);
                            (value.to_bits(), bars)
                        };
                        let (value, bars) = run(&mut tape);
                        assert!(tape.is_empty());
                        let (want, wanted) = run(&mut Tape::new());
                        assert_eq!(value, want);
                        for (a, b) in bars.iter().zip(&wanted) {
                            near(a, b);
                        }
                    };
                }
                spilling!(recurrent_grad_into);
                spilling!(forward_only_grad_into);
                spilling!(in_a_region_grad_into);
                spilling!(calls_grad_into);
                let run = |tape: &mut Tape| {
                    let mut bars = [w.len(), x.len()].map(|n| vec![f64::NAN; n]);
                    let [dw, dx] = &mut bars;
                    let value =
                        crate::segments::on::records_around_grad_into(tape, &w, dw, &x, dx, n, m);
                    (value.to_bits(), bars)
                };
                let (value, bars) = run(&mut tape);
                let (want, wanted) = run(&mut Tape::new());
                assert_eq!(value, want);
                bars.iter().zip(&wanted).for_each(|(a, b)| near(a, b));
            }
        }
    }
}
