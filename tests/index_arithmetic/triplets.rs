//! Each function three times: under `#[gradient]`, under `#[gradient(no(all))]`, and over dual numbers.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::support::number::D;
use crate::support::{assert_close, assert_same_value, flat, forward};

/// What the loops are given: the sizes of one or two loops, and numbers that indices are made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    pub(crate) n: usize,
    pub(crate) m: usize,
    pub(crate) p: usize,
    pub(crate) base: usize,
}

/// Sizes as they are, and ones that come round.
pub(crate) fn sizes() -> Vec<Sizes> {
    const HALF: usize = 1 << (usize::BITS - 1);
    const MAX: usize = usize::MAX;
    let numbers = [
        (0, 0),
        (1, 0),
        (1, 1),
        (2, 0),
        (2, 3),
        (3, 5),
        (4, 0),
        (7, 2),
        (MAX, 0),
        (MAX, 9),
        (MAX - 3, MAX - 10),
        (MAX - 1, 12),
        (HALF, 0),
        (HALF, HALF),
        (HALF / 2, 0),
        (HALF - 1, HALF - 4),
        (HALF + 1, 3),
    ];
    let trips = [(0, 0), (1, 1), (2, 3), (5, 2), (8, 4)];
    numbers
        .iter()
        .flat_map(|&(p, base)| trips.iter().map(move |&(n, m)| Sizes { n, m, p, base }))
        .collect()
}

/// As many elements as all of these loops reach where nothing comes round.
pub(crate) const LEN: usize = 48;

/// A function of numbers and sizes, and the same with its gradient.
pub(crate) type Primal<T> = fn(&[T], T, usize, usize, usize, usize) -> T;
pub(crate) type Gradient = fn(&[f64], f64, usize, usize, usize, usize) -> (f64, (Vec<f64>, f64));

pub(crate) struct Triplet {
    pub(crate) name: &'static str,
    pub(crate) primal: Primal<f64>,
    pub(crate) on: Gradient,
    pub(crate) off: Gradient,
    pub(crate) dual: Primal<D>,
}

/// Value, gradient and panics of all three agree.
pub(crate) fn compare(triplets: &[Triplet]) {
    let mut ran = 0;
    for triplet in triplets {
        for at in sizes() {
            ran += usize::from(agrees(triplet, at));
        }
    }
    assert!(
        ran > triplets.len(),
        "most of these functions panic at all sizes"
    );
}

/// Whether the function has a value there, which is then compared.
fn agrees(triplet: &Triplet, at: Sizes) -> bool {
    let x: Vec<f64> = (0..LEN).map(|i| (i as f64 * 0.73 + 0.4).sin()).collect();
    let w = std::hint::black_box(0.625);
    let Sizes { n, m, p, base } = std::hint::black_box(at);
    let name = triplet.name;
    let outcome = |f: Gradient| catch_unwind(AssertUnwindSafe(|| f(&x, w, n, m, p, base))).ok();
    let primal = catch_unwind(AssertUnwindSafe(|| (triplet.primal)(&x, w, n, m, p, base))).ok();
    let (on, off) = (outcome(triplet.on), outcome(triplet.off));
    let Some(value) = primal else {
        assert!(
            on.is_none() && off.is_none(),
            "{name} at {at:?} lost a panic"
        );
        return false;
    };
    let mut all = x.clone();
    all.push(w);
    let dual = |q: &[D]| (triplet.dual)(&q[..LEN], q[LEN], n, m, p, base);
    let want = forward(&all, dual);
    for (form, got) in [("with all transformations", on), ("with none", off)] {
        let Some((got, gradient)) = got else {
            panic!("{name} at {at:?}, {form}: a panic was added");
        };
        assert_same_value(got, value);
        let gradient = flat(&gradient);
        let tolerance = 1e-9 * want.iter().fold(1.0_f64, |m, v| m.max(v.abs()));
        let near = gradient
            .iter()
            .zip(&want)
            .all(|(g, w)| (g - w).abs() <= tolerance);
        if !near {
            eprintln!("{name} at {at:?}, {form}");
        }
        assert_close(&gradient, &want, tolerance, &[]);
    }
    true
}

/// Declares functions of `(x, w, n, m, p, base)` in three forms, and the list of them.
macro_rules! triplets {
    ($($name:ident($x:ident, $w:ident, $n:ident, $m:ident, $p:ident, $base:ident) $body:block)*) => {
        $(mod $name {
            pub(crate) mod on {
                #[retrograde::gradient(name = slope)]
                pub(crate) fn primal($x: &[f64], $w: f64, $n: usize, $m: usize, $p: usize, $base: usize) -> f64 $body
            }
            pub(crate) mod off {
                #[retrograde::gradient(name = slope, no(all))]
                pub(crate) fn primal($x: &[f64], $w: f64, $n: usize, $m: usize, $p: usize, $base: usize) -> f64 $body
            }
            use crate::support::number::D;
            pub(crate) fn dual($x: &[D], $w: D, $n: usize, $m: usize, $p: usize, $base: usize) -> D $body
        })*
        #[test]
        fn agree() {
            crate::triplets::compare(&[$(
                crate::triplets::Triplet {
                    name: stringify!($name),
                    primal: $name::on::primal,
                    on: $name::on::slope_grad,
                    off: $name::off::slope_grad,
                    dual: $name::dual,
                },
            )*]);
        }
    };
}
