//! Panics and faults in workers.

use std::panic::{AssertUnwindSafe, catch_unwind};

use retrograde::tier::{Fault, FaultyTier, MemoryTier, Operation};
use retrograde::{Tape, TapeError, gradient};

use crate::{elements_adjoint, numbers, on_threads};

#[gradient]
fn indexed(x: &[f64], at: &[usize]) -> f64 {
    let mut s = 0.0;
    #[parallel]
    for i in 0..at.len() {
        let mut y = x[at[i]];
        for _ in 0..4 {
            y = (y * 1.3).sin();
        }
        s += y;
    }
    s
}

#[test]
fn a_panic_in_a_worker_leaves_the_tape_usable() {
    let x = numbers(3, 0.1);
    let good: Vec<usize> = (0..50).map(|i| i % 3).collect();
    let mut bad = good.clone();
    bad[41] = 3;
    on_threads(3, || {
        let want = indexed_grad(&x, &good);
        let mut tape = Tape::builder().shadow(true).build().expect("valid");
        let mut dx = vec![0.0; 3];
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            indexed_grad_into(&mut tape, &x, &mut dx, &bad)
        }));
        assert!(outcome.is_err() && tape.is_empty());
        assert_eq!(indexed_grad_into(&mut tape, &x, &mut dx, &good), want.0);
        assert_eq!(dx, want.1);
    });
}

#[test]
fn a_part_that_is_too_short_panics_as_the_array_does() {
    let (x, mut out) = (numbers(9, 0.1), numbers(6, 0.9));
    for threads in [1, 3] {
        on_threads(threads, || {
            let mut tape = Tape::new();
            let (mut dx, mut dw, mut dout) = (vec![0.0; 9], 0.0, vec![0.0; 6]);
            let mut out = out.clone();
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                elements_adjoint(
                    &mut tape, &x, &mut dx, 0.6, &mut dw, &mut out, &mut dout, 1.3,
                )
            }));
            let payload = outcome.expect_err("index out of bounds");
            let text = payload.downcast_ref::<String>().expect("a text");
            assert!(text.contains("index out of bounds"), "{text}");
            assert!(tape.is_empty());
        });
    }
}

#[test]
fn workers_spill_and_their_faults_are_typed() {
    let x = numbers(3, 0.1);
    let at: Vec<usize> = (0..20_000).map(|i| i % 3).collect();
    on_threads(2, || {
        let want = indexed_grad(&x, &at);
        let over = |tier| {
            Tape::builder()
                .slab_bytes(4096)
                .memory_budget(96 << 10)
                .tier(tier)
                .build()
                .expect("valid")
        };
        let mut dx = vec![0.0; 3];
        let mut tape = over(FaultyTier::new(MemoryTier::new()));
        assert_eq!(
            indexed_try_grad_into(&mut tape, &x, &mut dx, &at).expect("no fault"),
            want.0
        );
        assert_eq!(dx, want.1);
        assert!(tape.stats().written_bytes > 300_000);
        for operation in [Operation::Write, Operation::Read] {
            let fault = Fault::Error(std::io::ErrorKind::StorageFull);
            let mut tape = over(FaultyTier::new(MemoryTier::new()).fail(operation, 5, fault));
            let outcome = indexed_try_grad_into(&mut tape, &x, &mut dx, &at);
            assert!(
                matches!(outcome, Err(TapeError::Tier { .. })),
                "{outcome:?}"
            );
            assert!(tape.is_empty());
            assert_eq!(
                indexed_try_grad_into(&mut tape, &x, &mut dx, &at).expect("no fault any more"),
                want.0
            );
            assert_eq!(dx, want.1);
        }
    });
}
