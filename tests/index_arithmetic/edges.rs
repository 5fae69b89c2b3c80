//! Ranges that end at the largest word, and numbers below zero, which are large words.

use std::panic::catch_unwind;

use retrograde::{Tape, gradient};

/// Declares a function with all transformations and with none.
macro_rules! both {
    ($(fn $name:ident($x:ident, $w:ident, $n:ident, $m:ident) $body:block)*) => { $(
        mod $name {
            use super::*;
            #[gradient(name = on)]
            pub(super) fn primal($x: &[f64], $w: f64, $n: usize, $m: usize) -> f64 $body
            pub(super) mod plain {
                #[retrograde::gradient(name = off, no(all))]
                pub(in super::super) fn primal($x: &[f64], $w: f64, $n: usize, $m: usize) -> f64 $body
            }
        }
    )* };
}

both! {
    fn up_to_the_last_word(x, w, p, q) {
        let mut a = x.to_vec();
        let t = a[0] * a[0];
        for i in p..=q {
            a[i - p] = w;
        }
        t + a[0]
    }

    fn down_from_the_last_word(x, w, p, q) {
        let mut a = x.to_vec();
        let t = a[0] * a[1];
        for i in (p..=q).rev() {
            a[i - p] += w * a[i - p];
        }
        t + a[0] * a[1]
    }

    fn digits_below_zero(x, w, n, z) {
        let mut a = x.to_vec();
        for i in 1..n {
            a[i * 8 + 5] = a[i * 8 + 5] * 0.25 + w;
            for j in (z - z - 3)..=(z - z - 1) {
                a[i * 8 + j] = 7.0;
            }
        }
        a[13]
    }

    fn kept_beside_digits_below_zero(x, w, n, z) {
        let mut h = x.to_vec();
        let mut s = w;
        for i in 1..n {
            for j in (z - z - 3)..=(z - z - 1) {
                h[i * 8 + j] = 0.5;
            }
            let v = s.tanh();
            h[i * 8 + 5] = v;
            s += v * v;
        }
        s + h[3] * h[3]
    }

    fn from_below_zero(x, w, n, m) {
        let mut s = w;
        for i in (m - m - 3)..2 {
            s += x[i + 3] * w;
        }
        s
    }

    fn row_below_zero(x, w, n, m) {
        let r = &x[8..8 + 4];
        let mut s = w;
        for j in (m - m - 5)..(m - m - 3) {
            s += r[j] * x[1];
        }
        s
    }
}

macro_rules! compare {
    ($name:ident, $x:expr, $w:expr, $n:expr, $m:expr) => {{
        let (x, w, n, m) = std::hint::black_box(($x, $w, $n, $m));
        let primal = catch_unwind(|| $name::primal(&x, w, n, m).to_bits()).ok();
        let off = catch_unwind(|| $name::plain::off_grad(&x, w, n, m)).ok();
        let on = catch_unwind(|| {
            let mut dx = vec![f64::NAN; x.len()];
            let mut dw = f64::NAN;
            let value = $name::on_grad_into(&mut Tape::new(), &x, &mut dx, w, &mut dw, n, m);
            (value, (dx, dw))
        })
        .ok();
        assert_eq!(on.as_ref().map(|(value, _)| value.to_bits()), primal);
        assert_eq!(on, off, "{} at {n}, {m}", stringify!($name));
        on.map(|(_, gradient)| gradient)
    }};
}

const MAX: usize = usize::MAX;

#[test]
fn inclusive_ranges_end_at_the_last_word() {
    let x = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    for (p, q) in [
        (MAX, MAX),
        (MAX - 3, MAX),
        (MAX - 3, MAX - 1),
        (0, 2),
        (3, 2),
        (MAX, 0),
    ] {
        let got = compare!(up_to_the_last_word, x, 8.0, p, q);
        let (dx, dw) = got.expect("nothing is out of bounds");
        let written = p <= q;
        assert_eq!(
            (dx[0], dw),
            (
                2.0 + f64::from(u8::from(!written)),
                f64::from(u8::from(written))
            )
        );
        compare!(down_from_the_last_word, x, 8.0, p, q);
    }
}

#[test]
fn a_number_below_zero_is_a_large_word() {
    let x = [1.0; 40];
    for (n, m) in [(3, 3), (1, 0), (2, 7)] {
        compare!(digits_below_zero, x, 0.5, n, m);
        compare!(kept_beside_digits_below_zero, x, 0.5, n, m);
        compare!(from_below_zero, x, 0.5, n, m);
        compare!(row_below_zero, x, 0.5, n, m);
    }
}
