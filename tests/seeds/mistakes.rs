//! What is wrong at run time: shapes, and panics half-way.

use std::panic::{AssertUnwindSafe, catch_unwind};

use retrograde::{Tape, gradient};

#[gradient(seeds)]
fn scaled(x: &[f64], out: &mut [f64], a: f64) {
    for i in 0..x.len() {
        assert!(x[i] < 10.0, "too large");
        out[i] = x[i] * a;
    }
}

fn text(result: Result<(), Box<dyn std::any::Any + Send>>) -> String {
    let panic = result.unwrap_err();
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string))
        .unwrap()
}

#[test]
fn each_buffer_has_the_length_of_its_argument() {
    let mut tape = Tape::new();
    let (mut first, mut short, mut da) = ([7.0; 3], [7.0; 2], [0.0; 2]);
    let (mut out, mut dout) = ([0.0; 3], [[1.0; 3]; 2]);
    let result = catch_unwind(AssertUnwindSafe(|| {
        let lent = dout.each_mut().map(|row| &mut row[..]);
        let bars = [&mut first[..], &mut short[..]];
        scaled_vjp_n(
            &mut tape,
            &[1.0; 3],
            &mut out,
            2.0,
            [(); 2],
            bars,
            lent,
            da.each_mut(),
        );
    }));
    let text = text(result);
    assert!(
        text.contains("`x`") && text.contains('3') && text.contains('2'),
        "{text}"
    );
    assert_eq!((first, short, da), ([7.0; 3], [7.0; 2], [0.0; 2]));
}

#[test]
fn the_tape_is_usable_after_a_panic() {
    let mut tape = Tape::new();
    let run = |tape: &mut Tape, x: &[f64; 3]| {
        let (mut dx, mut da) = ([[0.0; 3]; 2], [0.0; 2]);
        let (mut out, mut dout) = ([0.0; 3], [[1.0; 3], [0.0, 2.0, 0.0]]);
        let lent = dout.each_mut().map(|row| &mut row[..]);
        let bars = dx.each_mut().map(|row| &mut row[..]);
        scaled_vjp_n(tape, x, &mut out, 2.0, [(); 2], bars, lent, da.each_mut());
        (dx, dout, da)
    };
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        run(&mut tape, &[1.0, 2.0, 20.0]);
    }));
    assert!(text(panicked).contains("too large"));
    assert!(tape.is_empty());
    let (dx, dout, da) = run(&mut tape, &[1.0, 2.0, 3.0]);
    assert_eq!(dx, [[2.0; 3], [0.0, 4.0, 0.0]]);
    assert_eq!((dout, da), ([[0.0; 3]; 2], [6.0, 4.0]));
}
