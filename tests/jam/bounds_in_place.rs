//! Bounds of the inner loop that are written in place: lengths, constants, differences.

use std::hint::black_box;

use retrograde::gradient;

use crate::support::panic_message;

const COLUMNS: usize = 40;

/// The length is asked for in every row.
#[gradient]
fn by_length(w: &[f64], x: &[f64], n: usize) -> f64 {
    let mut f = 0.0;
    for i in 0..n {
        let mut s = 0.0;
        for j in 0..x.len() {
            s += w[i * x.len() + j] * x[j];
        }
        f += s * s;
    }
    f
}

#[gradient(no(all), name = by_length_plainly, companion = ByLengthPlainly)]
fn by_length_again(w: &[f64], x: &[f64], n: usize) -> f64 {
    let mut f = 0.0;
    for i in 0..n {
        let mut s = 0.0;
        for j in 0..x.len() {
            s += w[i * x.len() + j] * x[j];
        }
        f += s * s;
    }
    f
}

/// The upper bound would overflow for `m = 0`: so would that of the function.
#[gradient]
fn by_difference(w: &[f64], x: &[f64], m: usize) -> f64 {
    let mut f = 0.0;
    for i in 0..x.len() {
        let mut s = x[i];
        for j in 1..m - 1 {
            s += w[i * m + j] * x[j];
        }
        f += s * s;
    }
    f
}

#[gradient]
fn by_constant(w: &[f64], n: usize) -> f64 {
    let mut f = 0.0;
    for i in 0..n {
        let mut s = 0.5;
        for j in 0..COLUMNS {
            s += w[i * COLUMNS + j] * w[j];
        }
        f += s * s;
    }
    f
}

/// A bound that a row changes: the next row has another one.
#[gradient]
fn by_a_bound_that_grows(w: &[f64], n: usize, m: usize) -> f64 {
    let (mut f, mut end) = (0.0, m);
    for i in 0..n {
        let mut s = 0.5;
        for j in 0..end {
            s += w[i + j] * w[j];
        }
        end += 1;
        f += s * s;
    }
    f
}

fn numbers(n: usize) -> Vec<f64> {
    (0..n)
        .map(|k| ((k * 37 % 101) as f64 - 50.0) / 64.0)
        .collect()
}

fn close(a: &[f64], b: &[f64]) {
    for (a, b) in a.iter().zip(b) {
        assert!(
            (a - b).abs() <= 1e-11 * a.abs().max(b.abs()).max(1.0),
            "{a} {b}"
        );
    }
}

#[test]
fn lengths_are_bounds() {
    for n in [0, 1, 7, 8, 9, 16, 21] {
        for m in [0, 1, 3, 32, 64, 65, 130] {
            let (w, x) = (numbers(n * m), numbers(m));
            let (f, (dw, dx)) = by_length_grad(&w, &x, n);
            let (g, (ew, ex)) = by_length_plainly_grad(&w, &x, n);
            assert_eq!(f.to_bits(), by_length(&w, &x, n).to_bits());
            assert_eq!(f.to_bits(), g.to_bits());
            close(&dw, &ew);
            close(&dx, &ex);
            // By hand: s of a row is w·x, and twice of it times x or w.
            for i in 0..n {
                let s: f64 = (0..m).map(|j| w[i * m + j] * x[j]).sum();
                let row: Vec<f64> = x.iter().map(|x| 2.0 * s * x).collect();
                close(&dw[i * m..(i + 1) * m], &row);
            }
        }
    }
}

#[test]
fn differences_and_constants_are_bounds() {
    for n in [3, 8, 17, 40] {
        for m in [1, 2, 3, 40, 66] {
            let (w, x) = (numbers(n * m.max(1)), numbers(n.max(m)));
            let x = &x[..n];
            if m > n + 1 {
                continue;
            }
            let (f, (dw, _)) = by_difference_grad(&w, x, m);
            assert_eq!(f.to_bits(), by_difference(&w, x, m).to_bits());
            for i in 0..n {
                let s: f64 = x[i] + (1..m - 1).map(|j| w[i * m + j] * x[j]).sum::<f64>();
                for j in 0..m {
                    let d = if j > 0 && j + 1 < m {
                        2.0 * s * x[j]
                    } else {
                        0.0
                    };
                    close(&[dw[i * m + j]], &[d]);
                }
            }
        }
        let w = numbers(n * COLUMNS);
        let (f, dw) = by_constant_grad(&w, n);
        assert_eq!(f.to_bits(), by_constant(&w, n).to_bits());
        let differences = |k: usize, h: f64| {
            let (mut up, mut down) = (w.clone(), w.clone());
            up[k] += h;
            down[k] -= h;
            (by_constant(&up, n) - by_constant(&down, n)) / (2.0 * h)
        };
        for k in [0, 1, COLUMNS - 1, COLUMNS, n * COLUMNS - 1] {
            assert!((dw[k] - differences(k, 1e-5)).abs() < 1e-5 * dw[k].abs().max(1.0));
        }
    }
}

/// The panic of the function, and no other one, comes from both forms of it.
#[track_caller]
fn same_panic<T, G>(primal: impl FnOnce() -> T, gradient: impl FnOnce() -> G) -> String {
    let want = panic_message(|| {
        primal();
    });
    let got = panic_message(|| {
        gradient();
    });
    assert_eq!(got, want);
    want
}

#[test]
fn a_bound_that_underflows_panics_as_the_function_does() {
    let (w, x) = (numbers(100), numbers(10));
    let message = same_panic(
        || by_difference(&w, &x, black_box(0)),
        || by_difference_grad(&w, &x, black_box(0)),
    );
    // The second where overflow is not checked.
    let expected = ["attempt to subtract with overflow", "index out of bounds"];
    assert!(
        expected.iter().any(|text| message.starts_with(text)),
        "{message}"
    );
    // No iteration asks for the bound.
    let (f, (dw, dx)) = by_difference_grad(&w, &[], black_box(0));
    assert_eq!((f, dx.len()), (0.0, 0));
    assert_eq!(dw, vec![0.0; w.len()]);
}

#[test]
fn arrays_that_are_too_short_panic_as_the_function_does() {
    for n in [1, 7, 8, 9, 17, 40] {
        for m in [3, 40, 66] {
            let (w, x) = (numbers(n * m), numbers(m));
            let short = &w[..n * m - 1];
            let message = same_panic(|| by_length(short, &x, n), || by_length_grad(short, &x, n));
            assert!(message.starts_with("index out of bounds"), "{message}");
            let (w, x) = (numbers(n * (n + 3)), numbers(n));
            let message = same_panic(
                || by_difference(&w, &x, n + 3),
                || by_difference_grad(&w, &x, n + 3),
            );
            assert!(message.starts_with("index out of bounds"), "{message}");
            let w = numbers(n * COLUMNS - 1);
            let message = same_panic(|| by_constant(&w, n), || by_constant_grad(&w, n));
            assert!(message.starts_with("index out of bounds"), "{message}");
            let w = numbers(n + m);
            let message = same_panic(
                || by_a_bound_that_grows(&w, n, m + 3),
                || by_a_bound_that_grows_grad(&w, n, m + 3),
            );
            assert!(message.starts_with("index out of bounds"), "{message}");
        }
    }
}

#[test]
fn a_bound_that_grows_is_asked_for_in_every_row() {
    let w = numbers(200);
    for (n, m) in [(8, 0), (9, 40), (20, 60)] {
        let (f, dw) = by_a_bound_that_grows_grad(&w, n, m);
        assert_eq!(f.to_bits(), by_a_bound_that_grows(&w, n, m).to_bits());
        for k in [0, 1, m, m + n - 1] {
            let differences = |h: f64| {
                let (mut up, mut down) = (w.clone(), w.clone());
                up[k] += h;
                down[k] -= h;
                (by_a_bound_that_grows(&up, n, m) - by_a_bound_that_grows(&down, n, m)) / (2.0 * h)
            };
            assert!((dw[k] - differences(1e-5)).abs() < 1e-5 * dw[k].abs().max(1.0));
        }
    }
}
