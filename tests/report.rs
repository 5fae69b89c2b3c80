//! What a tape counts for each line of the source, and the picture of it.

#![allow(
    clippy::needless_range_loop,
    reason = "the function is written as users write them"
)]

use retrograde::report::{ReportError, lines_svg};
use retrograde::{Tape, gradient};

const FUNCTION: u32 = line!() + 3;

#[gradient]
fn relax(x: &[f64], rounds: usize) -> f64 {
    let mut y = x.to_vec();
    let mut sum = 0.0;
    for _ in 0..rounds {
        for i in 0..x.len() {
            sum += (x[i] * sum).sin();
        }
        y[0] = sum;
    }
    y[0] * sum
}

/// The bytes that each line of `relax` has pushed, counted from the line of its name.
fn lines(tape: &Tape) -> Vec<(u32, u64)> {
    let all = tape.tallied().into_iter().map(|(at, bytes)| {
        assert_eq!(at.file(), file!());
        (at.line() - FUNCTION, bytes)
    });
    all.collect()
}

fn run(tape: &mut Tape) {
    let x: Vec<f64> = (0..100).map(f64::from).collect();
    let mut dx = vec![0.0; x.len()];
    relax_grad_into(tape, &x, &mut dx, 5);
}

#[test]
fn bytes_are_counted_at_the_line_of_their_loop() {
    let mut tape = Tape::builder().tally(true).build().expect("valid");
    run(&mut tape);
    let once = lines(&tape);
    let inner = once.iter().find(|(line, _)| *line == 4);
    // The old value of `sum`.
    assert_eq!(inner, Some(&(4, 5 * 100 * 8)), "{once:?}");
    run(&mut tape);
    let twice: Vec<_> = once
        .iter()
        .map(|(line, bytes)| (*line, 2 * bytes))
        .collect();
    assert_eq!(lines(&tape), twice);
}

#[test]
fn the_picture_names_each_line() {
    let file = std::env::temp_dir().join(format!("lines-{}.svg", std::process::id()));
    let mut tape = Tape::builder().tally(true).build().expect("valid");
    assert!(matches!(lines_svg(&tape, &file), Err(ReportError::Empty)));
    run(&mut tape);
    lines_svg(&tape, &file).expect("a picture");
    let svg = std::fs::read_to_string(&file).expect("the picture");
    std::fs::remove_file(&file).expect("the picture");
    for (line, _) in lines(&tape) {
        assert!(svg.contains(&format!("report.rs:{}", FUNCTION + line)));
    }
    assert!(svg.contains("for i in 0..x.len() {"));
}
