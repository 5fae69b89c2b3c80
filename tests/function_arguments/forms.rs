//! Every form that a parameter for a function can have.

use retrograde::gradient;

use super::{assert_near, differences};

#[gradient]
fn bell(x: f64) -> f64 {
    (-x * x).exp()
}

#[gradient]
fn product(x: f64, y: f64) -> f64 {
    x * y.sin()
}

#[gradient]
fn norm(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i] * x[i];
    }
    sum.sqrt()
}

#[gradient]
fn turn(x: [f64; 2]) -> [f64; 2] {
    [x[0] * x[1], x[0] + x[1].sin()]
}

#[gradient]
fn halves(x: f64) -> Vec<f64> {
    vec![0.5 * x, 0.25 * x * x]
}

/// In place.
#[gradient]
fn decay(t: f64, y: &[f64], dy: &mut [f64]) {
    for i in 0..y.len() {
        dy[i] = -t * y[i] * (i as f64 + 1.0);
    }
}

#[gradient]
fn unnamed(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(x) * f(2.0 * x)
}

#[gradient]
fn clause<F>(f: F, x: f64) -> f64
where
    F: Fn(f64) -> f64 + Copy + Send + 'static,
{
    f(f(x))
}

#[gradient]
fn borrowed<F: Fn(f64) -> f64>(f: &F, x: f64) -> f64 {
    f(x) * x
}

#[gradient]
fn exclusive<F: FnMut(f64) -> f64>(f: &mut F, x: f64) -> f64 {
    f(x) * f(x + 1.0)
}

#[gradient]
fn mutable<F: FnMut(f64) -> f64>(mut f: F, x: f64) -> f64 {
    f(x) * f(x + 1.0)
}

#[gradient]
fn once(f: impl FnOnce(f64) -> f64, x: f64) -> f64 {
    f(x) - x
}

#[gradient]
fn object(f: &dyn Fn(f64) -> f64, x: f64) -> f64 {
    f(x) + (f)(x * x)
}

#[gradient]
fn object_mut(f: &mut dyn FnMut(f64) -> f64, x: f64) -> f64 {
    f(x) * x
}

#[gradient]
fn pointer(f: fn(f64) -> f64, x: f64) -> f64 {
    f(x) / (1.0 + x * x)
}

#[gradient]
fn two_arguments(f: impl Fn(f64, f64) -> f64, x: f64) -> f64 {
    f(x, f(1.0, x))
}

#[gradient]
fn of_slices<F: Fn(&[f64]) -> f64>(f: F, x: &[f64], scale: f64) -> f64 {
    let mut v = x.to_vec();
    for i in 0..v.len() {
        v[i] *= scale;
    }
    f(x) * f(&v) + f(&v[1..])
}

#[gradient]
fn of_arrays(f: impl Fn([f64; 2]) -> [f64; 2], x: f64) -> f64 {
    let y = f([x, 2.0]);
    let z = f(y);
    z[0] * z[1]
}

#[gradient]
fn to_vectors(f: impl Fn(f64) -> Vec<f64>, x: f64) -> f64 {
    let v = f(x);
    v[0] * v[1]
}

/// Euler's method with the right side in place.
#[gradient]
fn euler<F: FnMut(f64, &[f64], &mut [f64])>(mut f: F, y: &mut Vec<f64>, t: f64, n: usize) {
    let mut dy = vec![0.0; y.len()];
    let h = t / n as f64;
    for k in 0..n {
        f(k as f64 * h, y, &mut dy);
        for i in 0..y.len() {
            y[i] += h * dy[i];
        }
    }
}

/// Two of one type, two of different ones.
#[gradient]
fn one_type<F: Fn(f64) -> f64>(f: F, g: F, x: f64) -> f64 {
    f(x) * g(x)
}

#[gradient]
fn two_types<F: Fn(f64) -> f64, G: Fn(f64) -> f64>(f: F, g: G, x: f64) -> f64 {
    f(g(x)) - g(f(x))
}

#[gradient]
fn with_length<const N: usize>(f: impl Fn(f64) -> f64, x: [f64; N]) -> f64 {
    let mut sum = 0.0;
    for i in 0..N {
        sum += f(x[i]) * x[i];
    }
    sum
}

#[gradient]
fn all(x: f64) -> f64 {
    let k = x * 0.5;
    let mut sum = unnamed(bell, x) + clause(bell, x) + borrowed(&bell, x);
    sum += exclusive(&mut bell, x) + mutable(bell, x) + once(bell, x);
    sum += object(&bell, x) + object_mut(&mut bell, x) + pointer(bell, x);
    sum += two_arguments(product, x) + of_slices(norm, &[x, k, 2.0], k);
    sum += of_arrays(turn, x) + to_vectors(halves, x) + one_type(bell, bell, x);
    sum += two_types(bell, f64::sin, x) + with_length(f64::cos, [x, k, 1.0]);
    let mut y = vec![x, k];
    euler(decay, &mut y, x, 3);
    sum + y[0] * y[1]
}

#[gradient]
fn all_closures(x: f64, w: &[f64]) -> f64 {
    let k = x * 0.5;
    let mut sum = unnamed(|t| t * k, x) + borrowed(&|t| t * k, x);
    sum += exclusive(&mut |t| t * k, x) + mutable(|t| t * k, x) + once(|t| t * k, x);
    sum += object(&|t| t * k, x) + object_mut(&mut |t| t * k, x);
    sum += two_arguments(|a, b| a * b * k, x);
    sum += of_slices(|v: &[f64]| v[0] * k + w[0], &[x, k, 2.0], k);
    sum += of_arrays(|v: [f64; 2]| [v[0] * w[1], v[1] * k], x);
    sum += to_vectors(|t| vec![t * w[0], t * t * k], x);
    sum += two_types(|t| t * k, |t| t + w[1], x);
    sum += with_length(|t| t * t * k, [x, k, 1.0]);
    let mut y = vec![x, k];
    euler(
        |t: f64, y: &[f64], dy: &mut [f64]| {
            for i in 0..y.len() {
                dy[i] = -t * y[i] * k + w[i];
            }
        },
        &mut y,
        x,
        3,
    );
    sum + y[0] * y[1]
}

#[test]
fn all_forms_with_paths() {
    for x in [0.4, -0.7, 1.3] {
        let (value, dx) = all_grad(x);
        assert_eq!(value.to_bits(), all(x).to_bits());
        assert_near(dx, differences(all, x));
    }
}

#[test]
fn all_forms_with_closures() {
    let w = [0.3, -0.8];
    for x in [0.4, -0.7, 1.3] {
        let (value, (dx, dw)) = all_closures_grad(x, &w);
        assert_eq!(value.to_bits(), all_closures(x, &w).to_bits());
        assert_near(dx, differences(|x| all_closures(x, &w), x));
        assert_near(dw[0], differences(|a| all_closures(x, &[a, w[1]]), w[0]));
        assert_near(dw[1], differences(|b| all_closures(x, &[w[0], b]), w[1]));
    }
}
