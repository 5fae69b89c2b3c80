//! Time loops between two arrays with few rows on the tape, or with rows that are computed there: with much to
//! overwrite and with little, steps around those whose rows are kept, ends of arrays that differ, and loops that must
//! stay as they are.

use retrograde::no_gradient;
use retrograde::tier::MemoryTier;

use crate::twins::{agree, both, near, numbers, twins};

/// Lengths and steps: too few of either, and enough; around the number of steps between two rows, and one tile, two and
/// many.
const SIZES: [(usize, usize); 17] = [
    (0, 3),
    (2, 3),
    (3, 50),
    (200, 20),
    (13_200, 20),
    (13_200, 21),
    (12_502, 21),
    (12_485, 21),
    (12_500, 22),
    (22_000, 39),
    (6_600, 40),
    (6_600, 41),
    (3_002, 88),
    (3_001, 100),
    (1_000, 265),
    (97, 2_800),
    (5, 90_000),
];

twins! {
    /// applied `tiles`
    pub(super) fn heat(u0: &[f64], steps: usize) -> f64 {
        let n = u0.len();
        let mut a = u0.to_vec();
        let mut b = u0.to_vec();
        for _ in 0..steps {
            for i in 1..n - 1 {
                let right = 0.5 * (a[i] + a[i + 1]);
                let left = 0.5 * (a[i - 1] + a[i]);
                b[i] = a[i] + 0.1 * (right * right * (a[i + 1] - a[i]) - left * left * (a[i] - a[i - 1]));
            }
            std::mem::swap(&mut a, &mut b);
        }
        let mut s = 0.0;
        for i in 0..n { s += a[i] * a[i]; }
        s
    }

    /// A step that reaches further to one side, arrays of different lengths with different ends, both of which are used
    /// afterwards.
    ///
    /// applied `tiles`
    pub(super) fn lopsided(u: &[f64], v: &[f64], steps: usize, m: usize) -> f64 {
        let (mut here, mut there) = (u.to_vec(), v.to_vec());
        for _ in 0..steps {
            for j in 0..m {
                there[j + 3] = 0.3 * here[j + 4] * here[j] + 0.5 * here[j + 1] * here[j + 1] + 0.1 * here[j + 3];
            }
            std::mem::swap(&mut there, &mut here);
        }
        let mut s = 0.0;
        for x in &here { s += x * x * x; }
        for x in &there { s += 0.5 * x * x; }
        s
    }

    /// Numbers of the cells, and of arrays that do not change.
    ///
    /// applied `tiles`
    pub(super) fn layers(u: &[f64], #[constant] c: &[f64], scale: f64, steps: usize) -> f64 {
        let mut a = u.to_vec();
        let mut b = u.to_vec();
        let f = no_gradient(scale) * 0.5;
        for _ in 0..steps {
            for i in 1..a.len() - 1 {
                let w = 0.6 * (c[i] + c[i + 1] * f) + (i % 5) as f64 * 0.01;
                b[i] = a[i] * w + a[i - 1] * a[i + 1] * 0.2;
            }
            std::mem::swap(&mut a, &mut b);
        }
        let mut s = 0.0;
        for i in 0..a.len() { s += a[i] * a[i] * scale; }
        s
    }

    /// Numbers of half the size, which lie where a byte in front of them puts them.
    ///
    /// applied `tiles`
    pub(super) fn single(u: &[f32], steps: usize) -> f32 {
        let (mut a, mut b) = (u.to_vec(), u.to_vec());
        for _ in 0..steps {
            for i in 2..u.len() - 1 {
                b[i] = 0.5 * a[i] * a[i - 2] + 0.4 * a[i + 1] + 0.1 * a[i] * a[i];
            }
            std::mem::swap(&mut a, &mut b);
        }
        let mut s = 0.0;
        for i in 0..a.len() { s += a[i] * b[i]; }
        s
    }

    /// A step that fails in some of its cells.
    ///
    /// applied `tiles`
    pub(super) fn failing(u: &[f64], at: usize, steps: usize) -> f64 {
        let n = u.len();
        let (mut a, mut b) = (u.to_vec(), u.to_vec());
        for _ in 0..steps {
            for i in 1..n - 1 {
                b[i] = a[i] * a[i - 1] + a[i + 1] * (60 / (at - i)) as f64;
            }
            std::mem::swap(&mut a, &mut b);
        }
        let mut s = 0.0;
        for i in 0..n { s += a[i] * a[i]; }
        s
    }

    /// A branch in front of the steps, of which a byte is recorded, and steps in a function that is called.
    ///
    /// not applied `tiles`
    pub(super) fn called(u: &[f64], steps: usize) -> f64 {
        let mut v = u.to_vec();
        for i in 0..v.len() {
            if v[i] > 0.2 { v[i] = v[i] * v[i]; }
        }
        let mut s = 0.0;
        for k in 0..2 {
            s += heat(&v, steps + k) * 0.5;
            if s > 3.0 { s = 0.5 * s; }
        }
        s
    }

    /// The length of the array that is read is asked for in each step, and there may be nothing to subtract from in the
    /// other one.
    ///
    /// applied `tiles`
    pub(super) fn uneven(u: &[f64], v: &[f64], steps: usize) -> f64 {
        let (mut a, mut b) = (u.to_vec(), v.to_vec());
        for _ in 0..steps {
            for i in 1..a.len() - 1 {
                b[i] = 0.3 * a[i - 1] * a[i + 1] + 0.5 * a[i] * a[i];
            }
            std::mem::swap(&mut a, &mut b);
        }
        let mut s = 0.0;
        for x in &a { s += x * x; }
        for x in &b { s += 0.5 * x * x; }
        s
    }

    /// A time loop in a loop: what it begins with has to come back.
    ///
    /// applied `tiles`
    pub(super) fn twice(u: &[f64], steps: usize) -> f64 {
        let n = u.len();
        let mut a = u.to_vec();
        let mut b = vec![0.25; n];
        let mut s = 0.0;
        for k in 0..3 {
            for _ in k..k + steps {
                for i in 5..n.saturating_sub(4) {
                    b[i] = 0.9 * a[i] * a[i + 2] + 0.1 * a[i - 3] * a[i];
                }
                std::mem::swap(&mut a, &mut b);
            }
            for i in 0..n { s += a[i] * a[i] * b[i]; }
        }
        s
    }
}

#[test]
fn few_rows_give_the_same_gradient() {
    for (n, steps) in SIZES {
        let x = numbers(n, 1);
        both!(heat, heat_grad, (&x, steps));
    }
}

#[test]
fn ends_and_what_is_left_in_both_arrays() {
    for (n, m) in [
        (12_504, 12_500),
        (12_505, 12_501),
        (12_503, 12_500),
        (17_001, 13_000),
        (9, 4),
        (9, 0),
    ] {
        let (x, y) = (numbers(n, 1), numbers(n + 3, 2));
        for steps in [1, 2, 21, 22, 43] {
            both!(lopsided, lopsided_grad, (&x, &y, steps, m));
            both!(lopsided, lopsided_grad, (&y, &x, steps, m));
        }
    }
}

#[test]
fn arrays_of_other_lengths() {
    for (n, m) in [
        (1, 0),
        (2, 0),
        (2, 1),
        (3, 0),
        (3, 3),
        (13_000, 13_000),
        (13_000, 13_003),
    ] {
        let (x, y) = (numbers(n, 1), numbers(m, 2));
        for steps in [0, 1, 2, 21, 22] {
            both!(uneven, uneven_grad, (&x, &y, steps));
            both!(uneven, uneven_grad, (&y, &x, steps));
        }
    }
}

#[test]
fn arrays_that_do_not_change_and_loops_around() {
    for n in [12_502, 4, 2] {
        let (x, c) = (numbers(n, 1), numbers(n, 5));
        for steps in [21, 40] {
            both!(layers, layers_grad, (&x, &c, 0.3, steps));
            both!(layers, layers_grad, (&x, &c[..n - 1], 0.3, steps));
        }
    }
    for n in [13_209, 13_208, 9, 8] {
        let x = numbers(n, 1);
        for steps in [19, 20, 24] {
            both!(twice, twice_grad, (&x, steps));
        }
    }
}

/// Cells around those of blocks, and steps around groups of rows.
#[test]
fn rows_that_are_computed_on_the_tape() {
    for n in [
        3, 4, 5, 6, 9, 10, 11, 17, 18, 19, 33, 35, 65, 66, 67, 99, 1_000,
    ] {
        let x = numbers(n, 1);
        for steps in [0, 1, 2, 3, 15, 16, 17, 33] {
            both!(heat, heat_grad, (&x, steps));
            both!(called, called_grad, (&x, steps));
            both!(twice, twice_grad, (&x, steps));
        }
    }
    // Groups of 1638 rows and more.
    for (n, steps) in [
        (10, 1_637),
        (10, 1_638),
        (10, 3_300),
        (12, 2_731),
        (16_384, 3),
        (17_000, 3),
    ] {
        both!(heat, heat_grad, (&numbers(n, 2), steps));
    }
}

/// Groups of rows go to the tier and come back; some budgets keep all of them, some none.
#[test]
fn rows_on_a_tape_that_spills() {
    for (n, steps) in [(1_000, 250), (16_000, 15), (70_000, 25)] {
        let x = numbers(n, 2);
        let (value, want) = off::heat_grad(&x, steps);
        for budget in [400 << 10, 3 << 20] {
            let tape = retrograde::Tape::builder().memory_budget(budget);
            let mut tape = tape.tier(MemoryTier::new()).build().unwrap();
            for _ in 0..2 {
                let mut dx = vec![0.0; n];
                let got = on::heat_grad_into(&mut tape, &x, &mut dx, steps);
                assert_eq!(got.to_bits(), value.to_bits());
                near(&dx, &want);
                assert!(tape.is_empty());
            }
            let spilled = tape.stats().read_bytes > 0;
            assert!(spilled || budget > 400 << 10, "{n} {steps} {budget}");
        }
    }
}

#[test]
fn rows_of_small_numbers() {
    for n in [5, 8, 9, 66, 300] {
        let x: Vec<f32> = numbers(n, 3).into_iter().map(|x| x as f32).collect();
        for steps in [1, 2, 5, 40] {
            let ((value, on), (other, off)) =
                (on::single_grad(&x, steps), off::single_grad(&x, steps));
            assert_eq!(value.to_bits(), on::single(&x, steps).to_bits());
            assert_eq!(value.to_bits(), other.to_bits());
            for (a, b) in on.iter().zip(&off) {
                assert!(
                    (a - b).abs() <= 1e-4 * b.abs().max(1.0),
                    "{n} {steps}: {a} {b}"
                );
            }
        }
    }
}

/// In the first step, at any cell; the tape is as good as before.
#[test]
fn a_step_that_fails() {
    let x = numbers(40, 1);
    for at in [0, 1, 2, 20, 38, 39, 40, 100] {
        both!(failing, failing_grad, (&x, at, 3));
        both!(failing, failing_grad, (&x, at, 0));
    }
    let mut tape = retrograde::Tape::new();
    let mut dx = vec![0.0; 40];
    let failed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        on::failing_grad_into(&mut tape, &x, &mut dx, 20, 3)
    }));
    assert!(failed.is_err() && tape.is_empty());
    let value = on::failing_grad_into(&mut tape, &x, &mut dx, 100, 3);
    assert_eq!(value.to_bits(), on::failing(&x, 100, 3).to_bits());
}

/// The recorded bytes: every twentieth row, and what the first step overwrites.
#[test]
fn rows_are_not_on_the_tape() {
    let (n, steps) = (70_000, 60);
    let x = numbers(n, 2);
    let mut tape = retrograde::Tape::new();
    let mut bytes = |f: &dyn Fn(&mut retrograde::Tape, &mut [f64]) -> f64| {
        let mut dx = vec![0.0; n];
        f(&mut tape, &mut dx);
        let peak = tape.stats().high_water;
        tape = retrograde::Tape::new();
        (peak, dx)
    };
    let (few, dx) = bytes(&|tape, dx| on::heat_grad_into(tape, &x, dx, steps));
    let (all, want) = bytes(&|tape, dx| off::heat_grad_into(tape, &x, dx, steps));
    near(&dx, &want);
    assert!(few < 8 * n * 8 && all > 8 * (n - 2) * steps, "{few} {all}");
}

/// The same as differences of the function, and as the sum of the seeds' gradients: a direction in which all cells
/// change.
#[test]
fn agrees_with_differences() {
    let (n, steps) = (8_300, 33);
    let (x, d) = (numbers(n, 3), numbers(n, 4));
    let (_, g) = on::heat_grad(&x, steps);
    let at = |h: f64| {
        let moved: Vec<f64> = x.iter().zip(&d).map(|(x, d)| x + h * d).collect();
        on::heat(&moved, steps)
    };
    let slope: f64 = g.iter().zip(&d).map(|(g, d)| g * d).sum();
    let quotient = (at(1e-5) - at(-1e-5)) / 2e-5;
    assert!(
        (slope - quotient).abs() <= 1e-6 * slope.abs().max(1.0),
        "{slope} {quotient}"
    );
}
