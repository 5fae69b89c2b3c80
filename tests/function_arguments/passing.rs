//! Functions that are passed on, captured, named and called in regions.

use retrograde::gradient;

use super::{assert_near, differences};

#[gradient]
fn simpson<F: Fn(f64) -> f64>(f: F, a: f64, b: f64) -> f64 {
    (b - a) / 6.0 * (f(a) + 4.0 * f(0.5 * (a + b)) + f(b))
}

/// Adaptive, by recursion.
#[gradient]
fn adaptive<F: Fn(f64) -> f64>(f: &F, a: f64, b: f64, depth: usize) -> f64 {
    let m = 0.5 * (a + b);
    let whole = simpson(f, a, b);
    let halves = simpson(f, a, m) + simpson(&f, m, b);
    if depth == 0 || (whole - halves).abs() < 1e-7 {
        return halves;
    }
    adaptive(f, a, m, depth - 1) + adaptive(f, m, b, depth - 1)
}

#[gradient]
fn by_value<F: Fn(f64) -> f64 + Copy>(f: F, x: f64, n: usize) -> f64 {
    if n == 0 {
        return f(x);
    }
    let g = f;
    by_value(g, f(x), n - 1)
}

/// Newton's method on a function, the derivative by differences.
#[gradient]
fn bisection<F: Fn(f64) -> f64>(f: F, lo: f64, hi: f64) -> f64 {
    let (mut lo, mut hi) = (lo, hi);
    for _ in 0..3 {
        let m = 0.5 * (lo + hi);
        if f(m) * f(lo) > 0.0 {
            lo = m;
        } else {
            hi = m;
        }
    }
    // A last secant step has the derivative.
    lo - f(lo) * (hi - lo) / (f(hi) - f(lo))
}

/// A parameter captured by a closure, beside values.
#[gradient]
fn inverse<F: Fn(f64) -> f64>(f: F, target: f64, lo: f64, hi: f64) -> f64 {
    bisection(|x| f(x) - target, lo, hi)
}

#[gradient]
fn in_a_loop<F: Fn(f64) -> f64>(f: &F, x: f64, n: usize) -> f64 {
    let mut y = x;
    for i in 0..n {
        if y > 3.0 {
            break;
        }
        y = f(y) + 0.1 * i as f64;
    }
    y
}

#[gradient]
fn in_a_region<F: Fn(f64) -> f64>(f: &F, x: f64, n: usize) -> f64 {
    let mut y = x;
    #[checkpoint]
    for _ in 0..n {
        y = f(y) * x;
    }
    y
}

#[gradient]
fn never<F: Fn(f64) -> f64>(f: F, x: f64, n: usize) -> f64 {
    if n > 0 {
        return f(x);
    }
    x * x
}

#[gradient]
fn counted(f: impl Fn(f64) -> f64, x: f64) -> usize {
    let mut n = 0;
    let mut y = x;
    while y < 10.0 && n < 100 {
        y += f(y).abs() + 0.5;
        n += 1;
    }
    n
}

#[gradient]
fn all(k: f64, c: f64, x: f64, n: usize) -> f64 {
    let cubic = |t: f64| k * t * t * t + c * t;
    let a = adaptive(&cubic, 0.0, x, 6);
    let b = by_value(cubic, x, n);
    let d = inverse(cubic, 0.3, 0.0, 2.0);
    let e = inverse(|t| cubic(t) + k * d, 1.0, 0.0, 2.0);
    let f = in_a_loop(&|t| (k * t).sin() + c, x, n);
    let g = in_a_region(&cubic, x, n);
    let h = never(cubic, x, n) + never(|t| t * k, x, 0);
    let steps = counted(|t| t * k, x) as f64;
    let inner = simpson(|s| simpson(|t| (k * s * t).cos() * c, 0.0, s), 0.0, x);
    a + b * d + e * f + g + h + steps * c + inner + cubic(x) * cubic(c)
}

/// A closure made anew each time, of what changes.
#[gradient]
fn made_anew(k: f64, x: f64) -> f64 {
    let mut scale = k;
    let mut sum = 0.0;
    for i in 0..4 {
        sum += simpson(|t| (scale * t).sin(), 0.0, x);
        scale *= 1.0 + 0.1 * i as f64 * sum;
        let f = move |t: f64| scale * t * x;
        scale += 0.5;
        sum += f(x) * simpson(f, x, scale);
    }
    sum
}

/// Names that mean something else inside and outside.
#[gradient]
fn shadowed(k: f64, x: f64) -> f64 {
    let f = |x: f64| k * x;
    let k = 2.0 * k;
    let g = |k: f64| k + x * k;
    let a = f(x) + g(k);
    let x = f(a);
    let f = |t: f64| {
        let k = t * k;
        let x = k + x;
        k * x
    };
    simpson(f, x, k) + a
}

/// Containers and own types, captured as values and behind references.
#[gradient]
fn captured(v: Vec<f64>, a: [f64; 2], w: &mut [f64], p: (f64, f64), x: f64) -> f64 {
    let own = vec![x, 2.0 * x];
    let pair = [a[0] * x, 3.0];
    let y = simpson(
        |t| {
            v[0] * t
                + v.iter().sum::<f64>()
                + a[1] * t
                + p.0 * p.1
                + w[0] * own[1]
                + pair[0] * own.len() as f64
        },
        0.0,
        x,
    );
    w[0] = 2.0 * y;
    y + simpson(|t| w[0] * t, 0.0, x)
}

#[gradient]
fn captured_whole(v: &[f64; 2], x: f64) -> f64 {
    let mut w = [x, 0.0];
    let y = captured(vec![v[0], v[1], x], *v, &mut w, (x, v[1]), x);
    y + w[0]
}

/// Narrow floats.
#[gradient]
fn narrow(k: f32, x: f32) -> f32 {
    let f = |t| k * t + 1.0;
    f(x) * narrow_of(|t: f32| t * k, x)
}

#[gradient]
fn narrow_of(f: impl Fn(f32) -> f32, x: f32) -> f32 {
    f(f(x))
}

#[test]
fn passed_on() {
    for (k, c, x) in [(0.4, 0.7, 0.8), (0.2, 1.1, 0.6)] {
        for n in [0, 1, 3] {
            let (value, (dk, dc, dx)) = all_grad(k, c, x, n);
            assert_eq!(value.to_bits(), all(k, c, x, n).to_bits());
            assert_near(dk, differences(|k| all(k, c, x, n), k));
            assert_near(dc, differences(|c| all(k, c, x, n), c));
            assert_near(dx, differences(|x| all(k, c, x, n), x));
        }
    }
}

#[test]
fn made_anew_each_time() {
    for (k, x) in [(0.4, 0.7), (-0.2, 0.3)] {
        let (value, (dk, dx)) = made_anew_grad(k, x);
        assert_eq!(value.to_bits(), made_anew(k, x).to_bits());
        assert_near(dk, differences(|k| made_anew(k, x), k));
        assert_near(dx, differences(|x| made_anew(k, x), x));
    }
}

#[test]
fn names() {
    for (k, x) in [(0.4, 0.7), (-0.2, 0.3)] {
        let (value, (dk, dx)) = shadowed_grad(k, x);
        assert_eq!(value.to_bits(), shadowed(k, x).to_bits());
        assert_near(dk, differences(|k| shadowed(k, x), k));
        assert_near(dx, differences(|x| shadowed(k, x), x));
    }
}

#[test]
fn containers() {
    let v = [0.3, 0.8];
    let x = 0.6;
    let (value, (dv, dx)) = captured_whole_grad(&v, x);
    assert_eq!(value.to_bits(), captured_whole(&v, x).to_bits());
    assert_near(dv[0], differences(|a| captured_whole(&[a, v[1]], x), v[0]));
    assert_near(dv[1], differences(|b| captured_whole(&[v[0], b], x), v[1]));
    assert_near(dx, differences(|x| captured_whole(&v, x), x));
}

#[test]
fn narrow_floats() {
    let (value, (dk, dx)) = narrow_grad(0.5, 2.0);
    assert_eq!(value.to_bits(), narrow(0.5, 2.0).to_bits());
    // (k x + 1) k² x
    assert_eq!(
        (dk, dx),
        (2.0 * 2.0 * 0.25 + 2.0 * 2.0, 0.5 * 0.5 + 2.0 * 0.25)
    );
}
