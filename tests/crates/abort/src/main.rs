//! A gradient whose tape fails, in one of several ways, where nothing can catch that.

use retrograde::tier::{Fault, FaultyTier, MemoryTier, Operation};
use retrograde::{Tape, TapeError, catch_tape_error, gradient};

/// A record in every iteration.
#[gradient]
fn chain(x: f64, n: usize) -> f64 {
    let mut y = x;
    let mut k = 0;
    while k < n {
        y = (y * 1.1 + 0.3).sin() * y.cos();
        k += 1;
    }
    y
}

fn faulty(operation: Operation, fault: Fault) -> Result<Tape, TapeError> {
    let tier = FaultyTier::new(MemoryTier::new()).fail(operation, 2, fault);
    Tape::builder().memory_budget(1 << 20).tier(tier).build()
}

fn main() -> Result<(), TapeError> {
    let full = Fault::Error(std::io::ErrorKind::StorageFull);
    let case = std::env::args().nth(1).unwrap_or_default();
    let mut tape = match case.as_str() {
        "no tier" => Tape::builder().memory_budget(1 << 20).build()?,
        "damaged" => faulty(Operation::Read, Fault::FlippedBit { bit: 12_345 })?,
        _ => faulty(Operation::Write, full)?,
    };
    let n = if case == "fits" { 1000 } else { 300_000 };
    let mut dx = 0.0;
    let outcome = match case.as_str() {
        "caught" => catch_tape_error(|| chain_grad_into(&mut tape, 0.7, &mut dx, n)),
        "adjoint" => chain_try_adjoint(&mut tape, 0.7, &mut dx, n, 1.0),
        "infallible" => Ok(chain_grad_into(&mut tape, 0.7, &mut dx, n)),
        _ => chain_try_grad_into(&mut tape, 0.7, &mut dx, n),
    };
    eprintln!("went on: {}", outcome.is_ok());
    outcome.map(drop)
}
