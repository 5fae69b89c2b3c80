//! Each transformation switched off, one by one, on a function that it changes: the value keeps its bits, and the
//! gradient is the same up to the order of its sums.
//!
//! The tests of `ad-macros` show that the list is complete and that each transformation changes its function.

use std::hint::black_box;

use crate::support::{assert_close, check, differences, flat};
use crate::twins::{near, numbers};

type Primal = fn(&[f64], &[f64], usize) -> f64;
type Gradient = fn(&[f64], &[f64], usize) -> (f64, (Vec<f64>, Vec<f64>));

/// A function of two arrays, of `COLUMNS * (n + 1)` and `COLUMNS + n` elements, with everything on and without the
/// transformation of its name.
struct Switched {
    name: &'static str,
    primal: Primal,
    on: Gradient,
    off: Gradient,
}

macro_rules! switched {
    ($($(#[doc = $doc:literal])* fn $name:ident($($args:tt)*) -> f64 $body:block)*) => {
        $(mod $name {
            use super::*;
            $(#[doc = $doc])*
            #[retrograde::gradient(name = on)]
            pub(super) fn primal($($args)*) -> f64 $body
            #[retrograde::gradient(name = off, no($name))]
            pub(super) fn other($($args)*) -> f64 $body
        })*
        const SWITCHED: &[Switched] = &[$(Switched {
            name: stringify!($name),
            primal: $name::primal,
            on: $name::on_grad,
            off: $name::off_grad,
        }),*];
    };
}

/// Of matrices.
const COLUMNS: usize = 40;

/// What `outputs` calls.
#[retrograde::gradient]
fn products(x: &[f64], y: f64, z: &mut [f64]) {
    for i in 0..z.len() {
        z[i] = x[i] * y;
    }
}

switched! {
    fn reslice(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            s += x[i] * y[i];
        }
        s
    }

    /// All iterations add to one number.
    fn lanes(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut z = vec![0.5; n];
        for i in 0..n {
            z[i] = x[i].sin() * y[0] + x[i + 1] * y[i];
        }
        let mut s = 0.0;
        for i in 0..n {
            s += z[i] * z[i];
        }
        s
    }

    fn wide(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut f = vec![0.0; n];
        for i in 0..n {
            let (dx, dy) = (x[i + n] - x[i], x[i + 2 * n] - y[i]);
            let l = (dx * dx + dy * dy + 0.1).sqrt();
            f[i] = (l - 1.0) / l * dx * dy;
        }
        let mut s = 0.0;
        for i in 0..n {
            s += f[i] * f[i] * y[i];
        }
        s
    }

    fn gather(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut z = vec![0.0; n];
        for i in 1..n - 1 {
            z[i] = y[i] * x[i - 1] * x[i] - x[i + 1] * x[i];
        }
        let mut s = 0.0;
        for i in 0..n {
            s += z[i] * z[i];
        }
        s
    }

    fn combine(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut z = vec![0.0; n];
        for i in 1..n - 1 {
            let (right, left) = (0.5 * (x[i] + x[i + 1]), 0.5 * (x[i - 1] + x[i]));
            z[i] = x[i] + 0.1 * (right * right * (x[i + 1] - x[i]) - left * left * (x[i] - x[i - 1]));
        }
        let mut s = y[0];
        for i in 0..n {
            s += z[i] * z[i];
        }
        s
    }

    fn jam(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut f = 0.0;
        for i in 0..n {
            let mut s = y[i];
            for j in 0..COLUMNS {
                s += x[i * COLUMNS + j] * x[j];
            }
            f += s * s;
        }
        f
    }

    /// The columns get a product with a factor that no row changes.
    fn hoist(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut a = vec![0.5; COLUMNS];
        for i in 0..n {
            for j in 0..COLUMNS {
                a[j] += 0.1 * (i as f64) * y[j] * x[i * COLUMNS + j];
            }
        }
        let mut f = 0.0;
        for j in 0..COLUMNS {
            f += a[j] * a[j];
        }
        f
    }

    fn terms(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut f = 0.0;
        for i in 0..n {
            let mut s = y[i];
            for j in 0..COLUMNS {
                s += x[i * COLUMNS + j] * x[j];
            }
            f += s * s;
        }
        f
    }

    /// The same matrix in every step.
    fn defer(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut h = vec![0.1; n];
        let mut g = vec![0.1; COLUMNS];
        for t in 0..6 {
            for i in 0..n {
                let mut s = y[i] + 0.05 * h[i];
                for j in 0..COLUMNS {
                    s += x[i * COLUMNS + j] * g[j];
                }
                h[i] = (0.01 * s).tanh();
            }
            for j in 0..COLUMNS {
                g[j] = h[0] * 0.5 + x[j];
            }
        }
        let mut f = 0.0;
        for i in 0..n {
            f += h[i] * h[i];
        }
        f
    }

    fn assign(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut f = 0.0;
        for i in 0..n {
            f += (x[i] * y[i]).sin();
        }
        f
    }

    fn unroll(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut f = 0.0;
        for i in 0..n {
            for k in 0..3 {
                f += x[3 * i + k] * x[3 * i + k] * y[i];
            }
        }
        f
    }

    /// A field of vectors.
    fn scalars(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut f = [0.0, 0.5];
        for i in 0..n {
            let v = [x[i] - y[i], x[i] * y[i]];
            f[0] += v[0] * v[1];
            f[1] += v[1] * v[1];
        }
        f[0] * f[1]
    }

    /// Packed rows of a triangle.
    fn induction(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut f = 0.0;
        let mut at = 0;
        for i in 0..n.min(8) {
            for j in 0..=i {
                f += x[at] * x[at] * y[j];
                at += 1;
            }
        }
        f * x[at]
    }

    /// Terms of a likelihood.
    fn motion(x: &[f64], y: &[f64], n: usize) -> f64 {
        let (mean, spread) = (y[0], 1.5 + y[1]);
        let mut s = 0.0;
        for i in 0..n {
            let z = (x[i] - mean) / spread;
            s -= 0.5 * z * z + spread.ln();
        }
        s
    }

    /// The limited slopes of cells.
    fn speculate(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            let (a, b) = (x[i] - y[i], x[i + 1] - x[i]);
            let slope = if a * b <= 0.0 {
                0.0
            } else if a.abs() < b.abs() {
                a
            } else {
                b
            };
            s += slope * slope * y[i];
        }
        s
    }

    fn rename(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            let mut r = x[i] * x[i] + 0.5;
            r += y[i] * y[i];
            r = 1.0 / r;
            s += r * r * r;
        }
        s * s
    }

    fn preallocate(x: &[f64], y: &[f64], n: usize) -> f64 {
        let scaled: Vec<f64> = x[..n].iter().map(|v| v * y[0]).collect();
        scaled.iter().map(|v| v * v).sum()
    }

    /// A polynomial at a number without derivative.
    fn replay(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut f = y[0];
        let mut power = 1.0;
        for i in 0..n {
            f += x[i] * power;
            power *= 0.9;
        }
        f * f
    }

    fn recompute(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut f = 1.0;
        for i in 0..n {
            let d = x[i] - y[i];
            f += d * d * d;
        }
        f
    }

    /// Two numbers that every step changes, used by their difference only.
    fn cut(x: &[f64], y: &[f64], n: usize) -> f64 {
        let (mut p, mut q, mut s) = (x[0], y[0], 0.0);
        for _ in 0..n {
            let d = p - q;
            s += d.sin();
            p -= 0.1 * d;
            q += 0.2 * d;
        }
        s
    }

    fn last(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut most = x[0];
        for i in 1..n {
            if x[i] > most {
                most = x[i];
            }
        }
        most * y[0]
    }

    /// Nobody reads what the calls overwrite.
    /// A recurrence in an array.
    fn ahead(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut c = vec![0.5; n + 1];
        for i in 1..n {
            c[i] = c[i - 1] * c[i - 1] * x[i] + y[i];
        }
        c[n / 2]
    }

    fn outputs(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut a = vec![0.1; 4];
        let mut s = 0.0;
        for i in 0..n {
            products(&x[i..i + 4], y[i], &mut a);
            s += a[0] + a[3];
        }
        s
    }

    fn bulk(x: &[f64], y: &[f64], n: usize) -> f64 {
        let (mut u, mut v) = (y.to_vec(), y.to_vec());
        for _ in 0..3 {
            for i in 0..n {
                v[i] = u[i] * u[i] * x[i];
            }
            for i in 0..n {
                u[i] = v[i];
            }
        }
        let mut s = 0.0;
        for i in 0..n {
            s += u[i] * u[i];
        }
        s
    }

    fn fuse(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut f = 0.0;
        for i in 0..n {
            let t = (x[i] * y[i]).exp();
            f += t * t;
        }
        f
    }

    fn forward_order(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut z = vec![0.0; n];
        for i in 0..n {
            z[i] = x[i] * y[i] * y[i];
        }
        let mut s = 0.0;
        for i in 0..n {
            s += z[i] * z[i];
        }
        s
    }

    /// The runs of the innermost loop add to rows that overlap.
    fn interchange(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for a in 0..5 {
            for b in 0..5 {
                for i in 0..n {
                    s += y[a * 5 + b] * x[a * n + b + i] * x[a * n + b + i];
                }
            }
        }
        s
    }

    fn strips(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut p = 1.0;
        for i in 0..n {
            p = (p * x[i]).sin() * y[i] + p.cos();
        }
        p
    }

    /// A time loop between two arrays.
    fn tiles(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut u = x.to_vec();
        let mut v = x.to_vec();
        for _ in 0..50 {
            for i in 1..u.len() - 1 {
                v[i] = u[i] + 0.1 * (u[i + 1] - 2.0 * u[i] + u[i - 1]) * (u[i] * u[i]);
            }
            std::mem::swap(&mut u, &mut v);
        }
        let mut s = y[0];
        for i in 0..u.len() {
            s += u[i] * u[i];
        }
        s
    }

    fn factors(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            let h = 0.5 * (x[i] + x[i + 1]);
            let d = -(x[i + 1] - x[i]) / 4.0;
            s -= h * h * d * 2.0 * y[i] + 8.0 * (h * h - d * d) * 0.125;
        }
        s
    }

    /// Pairs, of which some are near.
    fn sink(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            let j = (7 * i + 3) % (n + 1);
            let d = x[i] - x[j];
            let square = d * d;
            if square < 0.2 {
                let r = 1.0 / (square + 0.3);
                s += r * r * r * square * y[i];
            }
        }
        s
    }

    fn mul_add(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            s += x[i] * y[i] * x[i + 1];
        }
        s
    }

    /// A copy of the state for each step.
    fn recycle(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut u = x.to_vec();
        for _ in 0..3 {
            let old = u.clone();
            for i in 1..n {
                u[i] = old[i] * old[i - 1] + y[i];
            }
        }
        u[n / 2] * u[0]
    }
}

/// Around the lengths of blocks and registers, and the smallest that all of them take.
const SIZES: [usize; 9] = [2, 3, 7, 8, 16, 17, 33, 64, 129];

#[test]
fn each_can_be_switched_off() {
    for function in SWITCHED {
        for n in SIZES {
            let (x, y) = (numbers(COLUMNS * (n + 1), 1), numbers(COLUMNS + n, 2));
            let (x, y) = black_box((&x[..], &y[..]));
            let value = (function.primal)(x, y, n);
            let (on, gradient) = (function.on)(x, y, n);
            let (off, other) = (function.off)(x, y, n);
            let bits = |v: f64| v.to_bits();
            assert_eq!(bits(on), bits(value), "`{}`, {n}", function.name);
            assert_eq!(bits(off), bits(value), "without `{}`, {n}", function.name);
            near(&flat(&gradient), &flat(&other));
        }
    }
}

/// Differences know nothing of either form.
#[test]
fn each_is_right_on_its_function() {
    for function in SWITCHED {
        for n in [3, 9] {
            let rows = COLUMNS * (n + 1);
            let all = numbers(rows + COLUMNS + n, 3);
            let all: Vec<f64> = all.iter().map(|v| 0.5 * v + 0.1).collect();
            let want = differences(|p| (function.primal)(&p[..rows], &p[rows..], n), &all);
            for form in [function.on, function.off] {
                let (_, gradient) = form(&all[..rows], &all[rows..], n);
                assert_close(&flat(&gradient), &want, 1e-7, &all);
            }
        }
    }
}

#[retrograde::gradient(no(strips, bulk,), no(recompute))]
fn without_several(x: &[f64], a: f64) -> f64 {
    let mut y = a;
    for i in 0..x.len() {
        let t = x[i] * 0.5;
        y = if t > 0.2 { y * t.sin() } else { y + t * t * t };
    }
    y
}

#[retrograde::gradient(no(all))]
fn without_all(x: &[f64], a: f64) -> f64 {
    let mut y = a;
    for i in 0..x.len() {
        let t = x[i] * 0.5;
        y = if t > 0.2 { y * t.sin() } else { y + t * t * t };
    }
    y
}

#[test]
fn several_and_all_can_be_switched_off() {
    for n in [0, 1, 5, 33] {
        let mut all = numbers(n, 1);
        all.push(0.7);
        check(
            |p| without_several(&p[..n], p[n]),
            |p| without_several_grad(&p[..n], p[n]),
            &[&all],
        );
        check(
            |p| without_all(&p[..n], p[n]),
            |p| without_all_grad(&p[..n], p[n]),
            &[&all],
        );
    }
}
