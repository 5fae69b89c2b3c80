//! One function for each deliberate fault of the compiler (`ad-macros/src/ir/faults.rs`), which makes it wrong: it has
//! the name of the fault. Here, each is right: `retrograde-fuzz faults` builds these tests with each of the faults,
//! and then the test of its name has to fail.
//!
//! Values are compared with the function bit for bit, gradients with differences; buffers hold NaN before, and
//! adjoints are added to what is there.

#![allow(
    clippy::all,
    clippy::pedantic,
    unused,
    unused_qualifications,
    reason = "the functions are written as users write them"
)]

// So that cargo compiles the functions again with another fault.
const _: Option<&str> = option_env!("RETROGRADE_FAULT");

mod derived;
mod loops;
mod recorded;
#[path = "../support/mod.rs"]
mod support;
mod verified;

use std::hint::black_box;

use retrograde::Tape;
use support::{assert_close, assert_same_value, differences};

type Primal = fn(&[f64], &[f64], usize) -> f64;
type Gradient = fn(&mut Tape, &[f64], &mut [f64], &[f64], &mut [f64], usize) -> f64;
type Adjoint = fn(&mut Tape, &[f64], &mut [f64], &[f64], &mut [f64], usize, f64) -> f64;

/// Numbers of iterations: none, parts of blocks, and more. Jammed loops take eight rows at once, and rows of 40
/// columns pay.
const SIZES: [usize; 6] = [0, 1, 3, 8, 17, 40];

/// As many elements as a function of `n` may use of each array.
fn len(n: usize) -> usize {
    8 * n + 48
}

/// Numbers of which no two are close to each other.
fn numbers(n: usize, seed: u32) -> Vec<f64> {
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    (0..n)
        .map(|i| 0.3 + 0.6 * (golden * i as f64 + 0.37 * f64::from(seed)).fract())
        .collect()
}

/// The gradient into buffers that hold NaN, and the adjoint with the seed 1.5, added to ones.
#[track_caller]
fn is_right(primal: Primal, gradient: Gradient, adjoint: Adjoint) {
    let mut tape = Tape::new();
    for n in SIZES {
        let (x, y) = (numbers(len(n), 1), numbers(len(n), 2));
        let (x, y) = black_box((&x[..], &y[..]));
        let value = primal(x, y, n);
        let all = [x, y].concat();
        let want = differences(|p| primal(&p[..x.len()], &p[x.len()..], n), &all);

        let (mut dx, mut dy) = (vec![f64::NAN; x.len()], vec![f64::NAN; y.len()]);
        let got = gradient(&mut tape, x, &mut dx, y, &mut dy, n);
        assert_same_value(got, value);
        assert_close(&[dx, dy].concat(), &want, 1e-7, &[]);

        let (mut dx, mut dy) = (vec![1.0; x.len()], vec![1.0; y.len()]);
        let got = adjoint(&mut tape, x, &mut dx, y, &mut dy, n, 1.5);
        assert_same_value(got, value);
        let want: Vec<f64> = want.iter().map(|d| 1.0 + 1.5 * d).collect();
        assert_close(&[dx, dy].concat(), &want, 1e-7, &[]);
        assert!(tape.is_empty());
    }
}

/// Tests of the functions of modules.
macro_rules! right {
    ($($name:ident)*) => { $(
        #[test]
        fn $name() {
            crate::is_right($name::$name, $name::f_grad_into, $name::f_adjoint);
        }
    )* };
}
use right;
