//! Cells of recurrent networks, and layers that each sample of a batch runs through.

use retrograde::Tape;
use retrograde::tier::MemoryTier;

use crate::support::{assert_close, differences};
use crate::transformed::{near, numbers};
use crate::{MATRICES, both, small, twins};

twins! {
    /// A state that each step overwrites, in two layers.
    ///
    /// applied `defer`
    pub(super) fn recurrent(w: &[f64], u: &[f64], b: &[f64], x: &[f64], n: usize, m: usize, steps: usize) -> f64 {
        let mut h = vec![0.0; n];
        let mut g = vec![0.1; m];
        for t in 0..steps {
            for i in 0..n {
                let mut s = b[i] + 0.05 * h[i];
                for j in 0..m {
                    s += w[i * m + j] * g[j];
                }
                h[i] = s.tanh();
            }
            for j in 0..m {
                let mut s = x[t % 7 + j];
                for i in 0..n {
                    s += u[j * n + i] * h[i];
                }
                g[j] = (s * 0.5).sin();
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

    /// A hidden layer and one output for each sample; nothing asks for the adjoint of the samples.
    ///
    /// applied `defer`
    pub(super) fn batch(w: &[f64], v: &[f64], #[constant] x: &[f64], n: usize, m: usize, samples: usize) -> f64 {
        let mut h = vec![0.0; n];
        let mut loss = 0.0;
        for k in 0..samples {
            for i in 0..n {
                let mut s = 0.0;
                for j in 0..m {
                    s += w[i * m + j] * x[k * m + j];
                }
                h[i] = s.tanh();
            }
            let mut y = 0.1 * k as f64;
            for i in 0..n {
                y += v[i] * h[i];
            }
            loss += y * y;
        }
        loss
    }

    /// The same with a result for each sample, so that samples run forwards first.
    ///
    /// applied `defer`
    pub(super) fn scores(w: &[f64], v: &[f64], x: &[f64], n: usize, m: usize, samples: usize) -> f64 {
        let mut scores = vec![0.0; samples];
        let mut h = vec![0.0; n];
        for k in 0..samples {
            for i in 0..n {
                let mut s = 0.0;
                for j in 0..m {
                    s += w[i * m + j] * x[k * m + j];
                }
                h[i] = s.max(0.0);
            }
            for i in 0..n {
                scores[k] += v[i] * h[i];
            }
        }
        let mut total = 0.0;
        for k in 0..samples {
            total += scores[k].exp();
        }
        total.ln()
    }
}

const STEPS: [usize; 5] = [0, 1, 3, 5, 36];

#[test]
fn values_and_gradients() {
    for (n, m) in MATRICES {
        for steps in STEPS {
            let (w, u) = (small(n * m, 1, m), small(n * m, 2, n));
            let (b, x) = (numbers(n, 3), numbers(m + 7, 4));
            both!(recurrent, recurrent_grad, &w, &u, &b, &x, n, m, steps);
            let (v, x) = (numbers(n, 5), numbers(m * steps, 6));
            both!(batch, batch_grad, &w, &v, &x, n, m, steps);
            both!(scores, scores_grad, &w, &v, &x, n, m, steps);
        }
    }
}

#[test]
fn against_differences() {
    for (n, m) in [(20, 17), (33, 16)] {
        let (w, u) = (small(n * m, 1, m), small(n * m, 2, n));
        let (b, x) = (numbers(n, 3), numbers(m + 7, 4));
        let (_, (dw, du, ..)) = on::recurrent_grad(&w, &u, &b, &x, n, m, 4);
        let want = differences(|w| on::recurrent(w, &u, &b, &x, n, m, 4), &w);
        assert_close(&dw, &want, 1e-6, &[]);
        let (v, x) = (numbers(n, 5), numbers(m * 4, 6));
        let (_, (dw, _)) = on::batch_grad(&w, &v, &x, n, m, 4);
        let want = differences(|w| on::batch(w, &v, &x, n, m, 4), &w);
        assert_close(&dw, &want, 1e-6, &[]);
    }
}

/// The adjoint is added to what its buffer holds.
#[test]
fn added_to_what_is_there() {
    let (n, m, steps) = (64, 64, 5);
    let (w, v, x) = (small(n * m, 1, m), numbers(n, 5), numbers(m * steps, 6));
    let run = |seed: f64| {
        let mut tape = Tape::new();
        let (mut dw, mut dv) = (numbers(n * m, 8), numbers(n, 9));
        let value = on::batch_adjoint(&mut tape, &w, &mut dw, &v, &mut dv, &x, n, m, steps, seed);
        (value, dw, dv)
    };
    let ((zero, start, _), (one, once, _), (_, twice, _)) = (run(0.0), run(1.0), run(2.0));
    assert_eq!(zero.to_bits(), one.to_bits());
    near(&start, &numbers(n * m, 8));
    let (_, (dw, _)) = on::batch_grad(&w, &v, &x, n, m, steps);
    for k in 0..n * m {
        assert!((once[k] - start[k] - dw[k]).abs() < 1e-12);
        assert!((twice[k] - start[k] - 2.0 * dw[k]).abs() < 1e-12);
    }
}

#[test]
fn tapes_that_spill() {
    let (n, m, steps) = (70, 40, 40);
    let (w, u) = (small(n * m, 1, m), small(n * m, 2, n));
    let (b, x) = (numbers(n, 3), numbers(m + 7, 4));
    let run = |tape: &mut Tape| {
        let mut bars = [&w, &u, &b, &x].map(|x| vec![f64::NAN; x.len()]);
        let [dw, du, db, dx] = &mut bars;
        let value = on::recurrent_grad_into(tape, &w, dw, &u, du, &b, db, &x, dx, n, m, steps);
        assert!(tape.is_empty());
        (value.to_bits(), bars)
    };
    let (value, bars) = run(&mut Tape::new());
    for bytes in [64, 1000, 4096] {
        let mut tape = Tape::builder().slab_bytes(bytes).shadow(bytes == 1000);
        if bytes == 4096 {
            tape = tape.memory_budget(64 << 10).tier(MemoryTier::new());
        }
        let mut tape = tape.build().expect("valid");
        for _ in 0..2 {
            let (found, of) = run(&mut tape);
            assert_eq!(found, value);
            bars.iter().zip(&of).for_each(|(a, b)| near(a, b));
        }
    }
}

/// What is recorded does not grow.
#[test]
fn nothing_of_it_is_on_the_tape() {
    let (n, m, steps) = (64, 64, 40);
    let (w, u) = (small(n * m, 1, m), small(n * m, 2, n));
    let (b, x) = (numbers(n, 3), numbers(m + 7, 4));
    macro_rules! most {
        ($module:ident) => {{
            let mut tape = Tape::new();
            let mut bars = [&w, &u, &b, &x].map(|x| vec![f64::NAN; x.len()]);
            let [dw, du, db, dx] = &mut bars;
            $module::recurrent_grad_into(&mut tape, &w, dw, &u, du, &b, db, &x, dx, n, m, steps);
            tape.stats().high_water
        }};
    }
    assert_eq!(most!(on), most!(kept));
}
