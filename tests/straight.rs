//! Functions without loops are straight code: their gradient takes no tape, not even the one of the thread.

use retrograde::{Tape, gradient};

#[gradient]
fn rosenbrock(x: f64, y: f64) -> f64 {
    let a = 1.0 - x;
    let b = y - x * x;
    a * a + 100.0 * b * b
}

/// Branches and functions of the math library leave what the reverse sweep needs in variables.
#[gradient]
fn branches(x: f64, p: (f64, f64)) -> f64 {
    let r = if x > p.0 {
        (x * p.1).exp()
    } else {
        x.sin() * p.1
    };
    r * r + p.0.sqrt()
}

#[test]
fn the_tape_stays_empty() {
    let mut tape = Tape::new();
    let before = tape.stats();
    let (mut dx, mut dy) = (f64::NAN, f64::NAN);
    let f = rosenbrock_grad_into(&mut tape, 0.5, &mut dx, 0.75, &mut dy);
    assert_eq!(f.to_bits(), rosenbrock(0.5, 0.75).to_bits());
    // -2(1 - x) - 400x(y - x²) and 200(y - x²).
    assert_eq!((dx, dy), (-101.0, 100.0));
    let (mut dx, mut dp) = (f64::NAN, (f64::NAN, f64::NAN));
    for x in [0.5, 2.0] {
        let f = branches_grad_into(&mut tape, x, &mut dx, (1.0, 0.25), &mut dp);
        assert_eq!(f.to_bits(), branches(x, (1.0, 0.25)).to_bits());
    }
    let after = tape.stats();
    assert_eq!((after.bytes, after.high_water), (before.bytes, 0));
    assert_eq!(
        (after.blocks, after.held_bytes),
        (before.blocks, before.held_bytes)
    );
}
