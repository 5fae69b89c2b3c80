//! Loop nests with offsets, lengths and bounds that only the caller knows: slices that fit, overlap, are too short, or
//! wrap.

use retrograde::Tape;

use crate::twins::{agree, bits, near, numbers, outcome, twins};

twins! {
    /// applied `reslice`, `lanes`
    pub(super) fn shifted(x: &[f64], y: &mut [f64], lo: usize, hi: usize, a: usize, b: usize) -> f64 {
        let mut s = 0.0;
        for i in lo..hi {
            y[i + a] = y[i + b] * x[i] - 0.5 * x[i + 1];
            s += y[i + a] * x[i];
        }
        s
    }

    /// applied `reslice`, `lanes`
    pub(super) fn updated(x: &[f64], y: &mut [f64], lo: usize, hi: usize, a: usize, b: usize) -> f64 {
        let mut s = 0.0;
        for i in lo..hi {
            y[i + a] += y[i] * x[i + b];
            y[i + a] -= x[i] * x[i];
            s -= (y[i + a] * x[i]).sin();
        }
        s
    }

    /// applied `reslice`, `lanes`
    pub(super) fn difference(x: &[f64], y: &mut [f64], lo: usize, hi: usize, a: usize, b: usize) -> f64 {
        let mut s = 0.0;
        for i in lo..=hi {
            let k = i - a;
            let l = k + b;
            y[k] = x[l] * x[k] + x[i] * x[l];
            s += y[k] * y[k];
        }
        s
    }

    /// not applied `reslice`
    pub(super) fn twice(x: &[f64], y: &mut [f64], lo: usize, hi: usize, a: usize, b: usize) -> f64 {
        let mut s = 1.0;
        for i in lo..hi {
            if x[i] > 0.0 {
                y[i] += x[i + a] * x[i + b];
                y[i] -= x[i + a];
            } else {
                s += x[i + b] * y[i];
            }
            s *= 0.9;
        }
        s
    }

    /// applied `reslice`, `bulk`
    pub(super) fn carried(x: &[f64], y: &mut [f64], lo: usize, hi: usize, a: usize, b: usize) -> f64 {
        let mut s = 0.3;
        for i in lo..hi {
            s = s * x[i + a] + y[i + b];
            y[i] = s;
        }
        s
    }

    /// applied `bulk`
    pub(super) fn recurrence(x: &[f64], y: &mut [f64], lo: usize, hi: usize, a: usize, b: usize) -> f64 {
        for i in lo..hi {
            y[i + 1] = 0.5 * y[i] + x[i + a] * x[i + b];
        }
        y[0] + y[y.len() - 1]
    }

    /// applied `reslice`, `lanes`, `wide`, `bulk`
    pub(super) fn roots(x: &[f64], y: &mut [f64], lo: usize, hi: usize, a: usize, b: usize) -> f64 {
        let mut s = -0.0;
        for i in lo..hi {
            let t = (x[i + a] * x[i + a] + 1.0).sqrt();
            s += x[i + b] / t;
            y[i] = t;
        }
        s
    }

    /// Where `y` is read and written, the windows overlap at some lengths.
    ///
    /// applied `reslice`
    pub(super) fn backwards(x: &[f64], y: &mut [f64], lo: usize, hi: usize, a: usize, b: usize) -> f64 {
        let n = y.len();
        let mut s = 0.0;
        for i in lo..hi {
            y[i] = x[n - 1 - i] * x[a + b - i];
            s += y[n - 1 - i] * x[2 * i - i];
        }
        s
    }

    /// applied `reslice`, `wide`, `bulk`
    pub(super) fn triangle(x: &[f64], y: &mut [f64], lo: usize, hi: usize, a: usize, b: usize) -> f64 {
        let mut s = 0.0;
        for i in lo..hi {
            for j in i + a..hi {
                let d = x[j] - x[i];
                y[j - i] += d * d * x[j - a];
                s += d * x[j + b];
            }
        }
        s + y[0]
    }

    /// applied `reslice`, `wide`, `jam`, `terms`, `bulk`
    pub(super) fn square(x: &[f64], y: &mut [f64], lo: usize, hi: usize, a: usize, b: usize) -> f64 {
        let mut total = 0.0;
        for i in lo..hi {
            let mut s = -0.0;
            for j in lo..hi {
                s += x[i + j] * x[j + a];
            }
            y[i + b] = s * s;
            total += s;
        }
        total
    }

    /// applied `reslice`, `lanes`, `wide`, `jam`, `terms`
    pub(super) fn matrix(x: &[f64], y: &mut [f64], lo: usize, hi: usize, a: usize, b: usize) -> f64 {
        let mut total = 0.0;
        for i in lo..hi {
            let row = i * a;
            let mut s = y[i];
            let mut q = 0.0;
            for j in 0..a {
                s += x[row + j] * x[j + b];
                q -= x[i * a + j] / (1.5 + x[j]);
            }
            y[i] = s.tanh() + q;
            y[i] += x[i];
            total = total * 0.5 + y[i];
        }
        total
    }

    /// applied `reslice`, `jam`
    pub(super) fn rows_in_out(x: &[f64], y: &mut [f64], lo: usize, hi: usize, a: usize, b: usize) -> f64 {
        let mut worst = -1.0;
        for i in lo..hi {
            let up = x[i] > 0.1;
            y[i] = 2.0 * y[i];
            let mut s: f64 = y[i + a];
            for j in lo..hi {
                if up { s += x[j] * x[i + j + b]; }
                s *= 0.99;
            }
            y[i + a] += s.exp();
            if s > worst { worst = s; }
        }
        worst
    }

    /// applied `reslice`, `lanes`, `wide`, `bulk`
    pub(super) fn two_inner(x: &[f64], y: &mut [f64], lo: usize, hi: usize, a: usize, b: usize) -> f64 {
        let mut total = 0.0;
        for i in lo..hi {
            let mut s = 0.0;
            for j in 0..a { s += x[i + j] * x[j]; }
            let mut t = 0.0;
            for j in 0..b { t += x[j] * s; }
            y[i] = s * t;
            total += t.cos();
        }
        total
    }

    /// not applied `reslice`
    pub(super) fn counters(x: &[f64], y: &mut [f64], lo: usize, hi: usize, a: usize, b: usize) -> f64 {
        let mut k = lo;
        let mut s = 0.0;
        for i in lo..hi {
            y[k] += x[i] * x[k];
            k += a;
            let i = i + b;
            let i = i + a;
            s += x[i] * y[b];
        }
        s
    }

    /// not applied `reslice`
    pub(super) fn products(x: &[f64], y: &mut [f64], lo: usize, hi: usize, a: usize, b: usize) -> f64 {
        let mut s = 0.0;
        for i in lo..hi {
            y[i] = x[i * a] * x[i * i % (b + 1)] + x[b * a];
            s += y[i % (a + 1)] * x[i];
        }
        s
    }

    /// applied `reslice`, `lanes`
    pub(super) fn single(x: &[f32], y: &mut [f64], lo: usize, hi: usize, a: usize, b: usize) -> f64 {
        let mut s: f32 = 0.0;
        let mut t = 0.0;
        for i in lo..hi {
            s += x[i + a] * x[i + b] + x[i] / 3.0;
            t += x[i] as f64 * y[i];
        }
        s as f64 + t
    }
}

struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn of(&mut self, from: &[usize]) -> usize {
        from[self.below(from.len())]
    }
}

type Primal<X> = fn(&[X], &mut [f64], usize, usize, usize, usize) -> f64;
type Adjoint<X> =
    fn(&mut Tape, &[X], &mut [X], &mut [f64], &mut [f64], usize, usize, usize, usize, f64) -> f64;

struct Case<X: 'static>(&'static str, Primal<X>, Adjoint<X>, Adjoint<X>);

macro_rules! cases {
    ($($name:ident $adjoint:ident)*) => { [$(Case(stringify!($name), on::$name, on::$adjoint, off::$adjoint)),*] };
}

const LENGTHS: [usize; 13] = [0, 1, 2, 3, 5, 7, 17, 31, 33, 63, 64, 65, 128];

/// One call with run-time parameters: the value and what is in `y` have the bits of the primal, a panic comes where the
/// primal's does, gradients agree.
fn compare<X: Copy + PartialEq + Into<f64> + Default>(
    case: &Case<X>,
    x: &[X],
    y: &[f64],
    [lo, hi, a, b]: [usize; 4],
    tape: &mut Tape,
    tolerance: f64,
) -> bool {
    let Case(name, primal, on, off) = case;
    let mut out = y.to_vec();
    let value = outcome(|| primal(x, &mut out, lo, hi, a, b));
    let mut run = |f: &Adjoint<X>| {
        let mut y = y.to_vec();
        let (mut dx, mut dy) = (vec![X::default(); x.len()], numbers(y.len(), 9));
        let value = outcome(|| f(tape, x, &mut dx, &mut y, &mut dy, lo, hi, a, b, 0.7));
        if value.is_none() {
            *tape = Tape::new();
        }
        let dx: Vec<f64> = dx.into_iter().map(Into::into).collect();
        (value, y, dx, dy)
    };
    let (on, off) = (run(on), run(off));
    let at = format!("{name}: {} {} {lo}..{hi} {a} {b}", x.len(), y.len());
    for (what, got) in [("transformed", &on), ("plain", &off)] {
        assert_eq!(
            got.0.map(f64::to_bits),
            value.map(f64::to_bits),
            "value of {at}, {what}: {:?} {value:?}",
            got.0
        );
        assert_eq!(bits(&got.1), bits(&out), "writes of {at}, {what}");
    }
    if value.is_some() {
        crate::support::assert_close(&on.2, &off.2, tolerance * (1.0 + largest(&off.2)), &[]);
        crate::support::assert_close(&on.3, &off.3, tolerance * (1.0 + largest(&off.3)), &[]);
    }
    value.is_some()
}

fn largest(x: &[f64]) -> f64 {
    x.iter()
        .filter(|v| v.is_finite())
        .fold(0.0, |m, v| v.abs().max(m))
}

fn parameters(rng: &mut Numbers) -> ([usize; 4], usize, usize) {
    let (n, m) = (rng.of(&LENGTHS), rng.of(&LENGTHS));
    let lo = rng.of(&[0, 0, 1, 2, 5]);
    let hi = match rng.below(8) {
        0 => rng.of(&LENGTHS),
        1 => n.saturating_add(1),
        2 => 0,
        k => n.min(m).saturating_sub(k),
    };
    let mut offset = |rng: &mut Numbers| match rng.below(12) {
        0 => usize::MAX - rng.below(3),
        1 => n,
        2 => 0usize.wrapping_sub(lo),
        3 => rng.of(&LENGTHS),
        k => k % 4,
    };
    let (a, b) = (offset(rng), offset(rng));
    ([lo, hi, a, b], n + rng.below(9), m)
}

#[test]
fn random_parameters() {
    let mut rng = Numbers(7);
    let mut tape = Tape::new();
    let cases: [Case<f64>; 15] = cases!(
        shifted shifted_adjoint  updated updated_adjoint  difference difference_adjoint  twice twice_adjoint
        carried carried_adjoint  recurrence recurrence_adjoint  roots roots_adjoint  backwards backwards_adjoint
        triangle triangle_adjoint  square square_adjoint  matrix matrix_adjoint  rows_in_out rows_in_out_adjoint
        two_inner two_inner_adjoint  counters counters_adjoint  products products_adjoint
    );
    let mut ended = [0; 16];
    for round in 0..400 {
        for (k, case) in cases.iter().enumerate() {
            let (p, n, m) = parameters(&mut rng);
            // Indices that are products need long arrays now and then.
            let n = if round % 2 == 0 {
                n * p[2].clamp(1, 9) + p[3].min(99)
            } else {
                n
            };
            let done = compare(
                case,
                &numbers(n, round),
                &numbers(m, round + 1),
                p,
                &mut tape,
                1e-12,
            );
            ended[k] += usize::from(done);
        }
        let (p, n, m) = parameters(&mut rng);
        let x: Vec<f32> = numbers(n, round).into_iter().map(|v| v as f32).collect();
        let single = Case(
            "single",
            on::single,
            on::single_adjoint,
            off::single_adjoint,
        );
        let done = compare(&single, &x, &numbers(m, 3), p, &mut tape, 1e-5);
        ended[15] += usize::from(done);
    }
    assert!(
        ended.iter().all(|n| *n > 50),
        "ended without a panic: {ended:?}"
    );
}
