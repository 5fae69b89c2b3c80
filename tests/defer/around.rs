//! What stands around the matrix: loops that end early, regions, conditions, loops in loops, workers, panics.

use retrograde::Tape;

use crate::transformed::{bits, near, numbers, outcome};
use crate::{MATRICES, both, small, twins};

twins! {
    /// As many steps as it takes.
    ///
    /// applied `defer`
    pub(super) fn while_loop(w: &[f64], x: &[f64], n: usize, m: usize, end: f64) -> f64 {
        let mut g = x.to_vec();
        let mut h = vec![0.0; n];
        let mut time = 0.0;
        while time < end {
            for i in 0..n {
                let mut s = time;
                for j in 0..m {
                    s += w[i * m + j] * g[j];
                }
                h[i] = s.tanh();
            }
            for j in 0..m {
                g[j] = g[j] * 0.9 + 0.1 * h[j % n];
            }
            time += 0.125;
        }
        let mut total = 0.0;
        for j in 0..m {
            total += g[j] * g[j];
        }
        total
    }

    /// The loop is left in the middle of a step.
    ///
    /// applied `defer`
    pub(super) fn left_early(w: &[f64], x: &[f64], n: usize, m: usize, end: f64) -> f64 {
        let mut g = x.to_vec();
        let mut total = 0.0;
        for t in 0..100 {
            let mut h = vec![0.0; n];
            for i in 0..n {
                let mut s = 0.1;
                for j in 0..m {
                    s -= w[i * m + j] * g[j];
                }
                h[i] = s.tanh();
            }
            total += h[t % n] * 3.0;
            if t as f64 > end {
                break;
            }
            if t % 3 == 1 {
                continue;
            }
            for j in 0..m {
                g[j] += 0.1 * h[j % n];
            }
        }
        total
    }

    /// Under a condition, in two arms.
    ///
    /// applied `defer`
    pub(super) fn sometimes(w: &[f64], x: &[f64], n: usize, m: usize, steps: usize) -> f64 {
        let mut total = 0.0;
        let mut h = x.to_vec();
        for t in 0..steps {
            let mut y = vec![0.0; n];
            if t % 3 == 0 {
                for i in 0..n {
                    let mut s = 0.0;
                    for j in 0..m {
                        s += w[i * m + j] * h[j];
                    }
                    y[i] = s;
                }
            } else {
                for i in 0..n {
                    let mut s = 0.5;
                    for j in 0..m {
                        s += w[i * m + j] * x[j];
                    }
                    y[i] = s * s;
                }
            }
            for j in 0..m {
                h[j] = (h[j] * 0.5 + y[j % n] * 0.1).sin();
            }
            for i in 0..n {
                total += y[i] * y[i];
            }
        }
        total
    }

    /// Loops in loops: samples of epochs.
    ///
    /// applied `defer`
    pub(super) fn epochs(w: &[f64], x: &[f64], n: usize, m: usize, steps: usize) -> f64 {
        let mut total = 0.0;
        let mut scale = 1.0;
        for e in 0..3 {
            for k in 0..steps {
                for l in 0..2 {
                    for i in 0..n {
                        let mut s = 0.0;
                        for j in 0..m {
                            s += w[i * m + j] * x[j + k + l];
                        }
                        let v = (s * scale).tanh();
                        total += v * v * s;
                    }
                }
                scale = scale * 0.9 + total * 1e-6;
            }
        }
        total
    }

    /// The forward sweep of a region runs again.
    ///
    /// applied `defer`
    pub(super) fn region(w: &[f64], x: &[f64], n: usize, m: usize, steps: usize) -> f64 {
        let mut g = x.to_vec();
        let mut h = vec![0.0; n];
        let mut total = 0.0;
        #[checkpoint]
        for t in 0..steps {
            for i in 0..n {
                let mut s = 0.2;
                for j in 0..m {
                    s += w[i * m + j] * g[j];
                }
                h[i] = s.tanh();
                total += h[i] * s * 0.1;
            }
            for j in 0..m {
                g[j] = (g[j] + h[j % n]).cos();
            }
        }
        total
    }

    /// A region in the loop.
    ///
    /// applied `defer`
    pub(super) fn regions(w: &[f64], x: &[f64], n: usize, m: usize, steps: usize) -> f64 {
        let mut g = x.to_vec();
        let mut h = vec![0.0; n];
        for t in 0..steps {
            #[checkpoint]
            {
                for i in 0..n {
                    let mut s = 0.2;
                    for j in 0..m {
                        s += w[i * m + j] * g[j];
                    }
                    h[i] = s.tanh();
                }
                for j in 0..m {
                    g[j] = (g[j] + h[j % n]).cos();
                }
            }
        }
        let mut total = 0.0;
        for j in 0..m {
            total += g[j] * x[j];
        }
        total
    }

    /// A local matrix, made from the parameters before the loop.
    ///
    /// applied `defer`
    pub(super) fn local_matrix(w: &[f64], x: &[f64], n: usize, m: usize, steps: usize) -> f64 {
        let mut a = vec![0.0; n * m];
        for k in 0..n * m {
            a[k] = w[k].sin();
        }
        let mut g = x.to_vec();
        for t in 0..steps {
            let mut h = vec![0.0; n];
            for i in 0..n {
                let mut s = 0.2;
                for j in 0..m {
                    s += a[i * m + j] * g[j];
                }
                h[i] = s.tanh();
            }
            for j in 0..m {
                g[j] = (g[j] + h[j % n]).cos();
            }
        }
        let mut total = 0.0;
        for k in 0..n * m {
            total += a[k] * a[k];
        }
        for j in 0..m {
            total += g[j];
        }
        total
    }

    /// A row that the matrix lacks, in a later step.
    ///
    /// not applied `defer`
    pub(super) fn panics(w: &[f64], x: &[f64], y: &mut [f64], n: usize, m: usize, sizes: &[usize]) {
        for t in 0..sizes.len() {
            for i in 0..sizes[t] {
                let mut s = x[t];
                for j in 0..m {
                    s += w[i * m + j] * x[j];
                }
                y[i] += s.sin();
            }
        }
    }
}

const STEPS: [usize; 4] = [0, 3, 5, 36];

#[test]
fn loops_of_all_kinds() {
    for (n, m) in MATRICES.into_iter().filter(|(n, _)| *n > 0) {
        let (w, x) = (small(n * m, 1, m), numbers(m + 40, 4));
        let g = &x[..m];
        for end in [-1.0, 0.0, 0.5, 1.0, 4.5] {
            both!(while_loop, while_loop_grad, &w, g, n, m, end);
            both!(left_early, left_early_grad, &w, g, n, m, 8.0 * end);
        }
        for steps in STEPS {
            both!(sometimes, sometimes_grad, &w, g, n, m, steps);
            both!(epochs, epochs_grad, &w, &x, n, m, steps);
            both!(region, region_grad, &w, g, n, m, steps);
            both!(regions, regions_grad, &w, g, n, m, steps);
            both!(local_matrix, local_matrix_grad, &w, g, n, m, steps);
        }
    }
}

/// The sweep that panics leaves what the function leaves, and a tape that works.
#[test]
fn panics_in_the_middle() {
    let (n, m) = (64, 64);
    let (w, x) = (small(n * m, 1, m), numbers(m, 4));
    for sizes in [
        vec![64; 5],
        vec![64, 64, 65],
        vec![3, 64, 64, 64, 0, 64, 66, 64],
    ] {
        let mut want = numbers(70, 2);
        let done = outcome(|| on::panics(&w, &x, &mut want, n, m, &sizes)).is_some();
        let mut tape = Tape::new();
        for _ in 0..2 {
            let (mut y, mut dw, mut dx) = (numbers(70, 2), vec![0.0; n * m], vec![0.0; m]);
            let mut dy = vec![1.0; 70];
            let found = outcome(|| {
                on::panics_adjoint(
                    &mut tape,
                    &w,
                    &mut dw,
                    &x,
                    &mut dx,
                    &mut y,
                    &mut dy,
                    n,
                    m,
                    &sizes,
                    (),
                )
            });
            assert_eq!(found.is_some(), done);
            assert_eq!(bits(&y), bits(&want));
        }
        assert_eq!(done, sizes.iter().all(|s| *s <= 64));
    }
}

/// Several threads at once: each has stores of its own.
#[test]
fn threads() {
    let (n, m) = (64, 64);
    let (w, x) = (small(n * m, 1, m), numbers(m, 4));
    let (value, (dw, dx)) = on::region_grad(&w, &x, n, m, 9);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..5 {
                    let (again, (dw2, dx2)) = on::region_grad(&w, &x, n, m, 9);
                    assert_eq!(again.to_bits(), value.to_bits());
                    assert_eq!((bits(&dw2), bits(&dx2)), (bits(&dw), bits(&dx)));
                }
            });
        }
    });
}
