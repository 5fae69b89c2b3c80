//! Loops whose iterations are divided among workers: their number decides in which order sums are added, and nothing
//! else does.

use retrograde::{Tape, gradient};

use crate::layouts::layouts;

#[gradient]
fn shared(x: &[f64], c: f64) -> f64 {
    let mut s = 0.0;
    #[parallel]
    for i in 0..x.len() {
        let mut p = 0.0;
        for k in 0..i % 70 {
            p += (c * x[i] + k as f64).sin();
        }
        s += p * p;
    }
    s
}

fn bits(tape: &mut Tape, x: &[f64]) -> Vec<u64> {
    let (mut dx, mut dc) = (vec![f64::NAN; x.len()], f64::NAN);
    let value = shared_grad_into(tape, x, &mut dx, 0.7, &mut dc);
    let all = [value, dc].into_iter().chain(dx);
    all.map(f64::to_bits).collect()
}

#[test]
fn as_many_workers_give_the_same_bits() {
    let x: Vec<f64> = (0..3001).map(|i| (i as f64 * 0.61).sin()).collect();
    for workers in 1..=4 {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(workers).build();
        pool.expect("threads").install(|| {
            let want = bits(&mut Tape::new(), &x);
            for layout in layouts() {
                let mut tape = layout.tape();
                for _ in 0..3 {
                    assert_eq!(bits(&mut tape, &x), want, "{workers} workers, {layout:?}");
                }
            }
        });
    }
}
