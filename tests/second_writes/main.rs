//! Loops that look like one that the compiler knows, with something more in them: a second write, a read in between, a
//! condition.
//!
//! Each family combines the parts of a loop, so that every pattern is met with every disturbance. A function is
//! compared with its twin without transformations: the value bit for bit, with the function itself too, and the
//! gradient; and that with differences, where the data is such that there are any.

#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::too_many_lines,
    unused,
    unused_qualifications,
    reason = "the functions are written as users write them"
)]

#[path = "../support/mod.rs"]
mod support;
#[path = "../transforms/twins.rs"]
mod twins;

use std::hint::black_box;

use support::{Flat, check, flat};
use twins::{agree, numbers};

/// Around the numbers of iterations from which blocks, registers and rows are used.
const SIZES: [usize; 10] = [0, 1, 7, 8, 23, 24, 25, 32, 33, 100];

/// A module with a test for each pair of a part of the first list and one of the second; `$make` writes it.
///
/// Of three pairs, one is compiled, such that each part is met. `--cfg retrograde_all_pairs` compiles all of them.
macro_rules! cross {
    ($make:ident $names:tt [$($first:tt)*] $second:tt) => {
        cross! { @first (on off off) $make $names [$($first)*] $second }
    };
    (@first $turn:tt $make:ident $names:tt [] $second:tt) => {};
    (@first ($now:ident $($later:ident)*) $make:ident $names:tt [$first:ident $a:tt $($rest:tt)*] $second:tt) => {
        mod $first {
            cross! { @second ($now $($later)*) $make $names $a $second }
        }
        cross! { @first ($($later)* $now) $make $names [$($rest)*] $second }
    };
    (@second $turn:tt $make:ident $names:tt $a:tt []) => {};
    (@second (on $($later:ident)*) $make:ident $names:tt $a:tt [$second:ident $b:tt $($rest:tt)*]) => {
        mod $second {
            $make! { $names $a $b }
        }
        cross! { @second ($($later)* on) $make $names $a [$($rest)*] }
    };
    (@second (off $($later:ident)*) $make:ident $names:tt $a:tt [$second:ident $b:tt $($rest:tt)*]) => {
        #[cfg(retrograde_all_pairs)]
        mod $second {
            $make! { $names $a $b }
        }
        cross! { @second ($($later)* off) $make $names $a [$($rest)*] }
    };
}

/// A function of two arrays, a constant one and a number, and its twin; `$same` compares them.
macro_rules! pair {
    (($x:ident $y:ident $c:ident $n:ident) $same:path, { $($body:tt)* }) => {
        mod on {
            #[retrograde::gradient]
            pub(super) fn f($x: &[f64], $y: &[f64], #[constant] $c: &[f64], $n: usize) -> f64 { $($body)* }
        }
        mod off {
            #[retrograde::gradient(no(all))]
            pub(super) fn f($x: &[f64], $y: &[f64], #[constant] $c: &[f64], $n: usize) -> f64 { $($body)* }
        }

        #[test]
        fn same() {
            $same(on::f, on::f_grad, off::f_grad);
        }
    };
}

mod elements;
mod groups;
mod nests;
mod search;
mod steps;
mod sums;
mod windows;

type Out = (f64, (Vec<f64>, Vec<f64>));

type Primal = fn(&[f64], &[f64], &[f64], usize) -> f64;
type Gradient = fn(&[f64], &[f64], &[f64], usize) -> Out;

/// At all sizes; `of` gives the lengths of the arrays.
#[track_caller]
fn same(primal: Primal, on: Gradient, off: Gradient, of: fn(usize) -> usize) {
    same_at(&SIZES, primal, on, off, of);
}

#[track_caller]
fn same_at(sizes: &[usize], primal: Primal, on: Gradient, off: Gradient, of: fn(usize) -> usize) {
    for &n in sizes {
        let [x, y, c] = [2, 6, 3].map(|seed| numbers(of(n), seed));
        let (x, y, c) = black_box((&x[..], &y[..], &c[..]));
        agree(|| primal(x, y, c, n), || on(x, y, c, n), || off(x, y, c, n));
        if x.len() <= 40 {
            let all = [x, y].concat();
            let split = |p: &[f64]| (p[..x.len()].to_vec(), p[x.len()..].to_vec());
            check(
                |p| {
                    let (x, y) = split(p);
                    primal(&x, &y, c, n)
                },
                |p| {
                    let (x, y) = split(p);
                    on(&x, &y, c, n)
                },
                &[&all],
            );
        }
    }
}
