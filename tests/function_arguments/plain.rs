//! Arguments that plain code gives: `differentiable!(…)`.

use retrograde::{Tape, differentiable, gradient};

use super::{assert_near, differences};

mod other {
    use retrograde::gradient;

    #[gradient]
    pub fn bell(x: f64) -> f64 {
        (-x * x).exp()
    }

    #[gradient]
    pub fn sum<const N: usize>(x: &[f64; N]) -> f64 {
        let mut sum = 0.0;
        for i in 0..N {
            sum += x[i] * x[i];
        }
        sum
    }
}

#[gradient]
fn simpson<F: Fn(f64) -> f64>(f: F, a: f64, b: f64) -> f64 {
    (b - a) / 6.0 * (f(a) + 4.0 * f(0.5 * (a + b)) + f(b))
}

#[gradient]
fn object(f: &dyn Fn(&[f64]) -> f64, x: &[f64]) -> f64 {
    f(x) * f(&x[1..])
}

#[gradient]
fn of_array(f: impl Fn(&[f64; 3]) -> f64, x: f64) -> f64 {
    f(&[x, x * x, 1.0])
}

#[gradient]
fn step<F: FnMut(f64, &[f64], &mut [f64])>(mut f: F, y: &mut [f64], h: f64) {
    let mut dy = [0.0; 2];
    f(h, y, &mut dy);
    for i in 0..2 {
        y[i] += h * dy[i];
    }
}

#[gradient]
fn two(f: impl Fn(f64) -> f64, x: f64, g: impl Fn(f64, f64) -> [f64; 2]) -> f64 {
    let y = g(f(x), x);
    y[0] * y[1]
}

/// Without a derivative.
#[gradient]
fn scaled(#[constant] f: impl Fn(usize) -> f64, g: impl Fn(f64) -> f64, x: f64, n: usize) -> f64 {
    f(n) * g(x)
}

#[test]
fn paths() {
    for b in [0.3, 1.7] {
        let (value, (da, db)) = simpson_grad(differentiable!(other::bell), 0.1, b);
        assert_eq!(value.to_bits(), simpson(other::bell, 0.1, b).to_bits());
        assert_near(da, differences(|a| simpson(other::bell, a, b), 0.1));
        assert_near(db, differences(|b| simpson(other::bell, 0.1, b), b));
        let f = differentiable!(other::bell);
        assert_eq!(simpson_grad(f, 0.1, b), simpson_grad(&f, 0.1, b));
        let (value, dx) = of_array_grad(differentiable!(other::sum::<3>), b);
        assert_eq!(value, of_array(other::sum::<3>, b));
        assert_near(dx, 2.0 * b + 4.0 * b * b * b);
        let (_, (_, db)) = simpson_grad(differentiable!(f64::sin), 0.1, b);
        assert_near(db, differences(|b| simpson(f64::sin, 0.1, b), b));
    }
}

#[test]
fn closures_with_constants() {
    let (k, w) = (1.7, vec![0.5, -2.0, 0.25]);
    for x in [0.3, 1.7] {
        let plain = |t: f64| (k * t).sin() * w[0];
        let (value, (da, db)) = simpson_grad(differentiable!(|t| (k * t).sin() * w[0]), 0.1, x);
        assert_eq!(value.to_bits(), simpson(plain, 0.1, x).to_bits());
        assert_near(da, differences(|a| simpson(plain, a, x), 0.1));
        assert_near(db, differences(|b| simpson(plain, 0.1, b), x));
    }
    let (value, dx) = object_grad(
        differentiable!(|v: &[f64]| {
            let mut sum = k;
            for i in 0..v.len() {
                if v[i] < -10.0 {
                    return 0.0;
                }
                sum += v[i] * v[i] * w[i];
            }
            sum
        }),
        &[2.0, 3.0],
    );
    let at = |x: &[f64]| {
        let f = |v: &[f64]| k + (0..v.len()).map(|i| v[i] * v[i] * w[i]).sum::<f64>();
        f(x) * f(&x[1..])
    };
    assert_near(value, at(&[2.0, 3.0]));
    assert_near(dx[0], differences(|a| at(&[a, 3.0]), 2.0));
    assert_near(dx[1], differences(|b| at(&[2.0, b]), 3.0));
    let (value, dx) = two_grad(
        differentiable!(|x| x * x),
        1.5,
        differentiable!(|a, b: f64| -> [f64; 2] { [a * b, k * a] }),
    );
    // x⁵ k
    assert_near(value, k * 1.5_f64.powi(5));
    assert_near(dx, 5.0 * k * 1.5_f64.powi(4));
}

#[test]
fn in_place() {
    let k = 0.3;
    let right = differentiable!(|t: f64, y: &[f64], dy: &mut [f64]| {
        dy[0] = y[1] * t;
        dy[1] = -k * y[0];
    });
    let (mut tape, mut y, mut y_bar, mut h_bar) = (Tape::new(), [1.0, 2.0], [1.0, 0.0], 0.0);
    let h = 0.5;
    step_adjoint(&mut tape, right, &mut y, &mut y_bar, h, &mut h_bar, ());
    // y₀ + h² y₁
    assert_eq!(y, [1.0 + 2.0 * h * h, 2.0 - h * k]);
    assert_eq!((y_bar, h_bar), ([1.0, h * h], 4.0 * h));
}

#[test]
fn constants_are_plain() {
    let values = [2.0, 5.0];
    let (value, dx) = scaled_grad(|n| values[n], differentiable!(|x| x * x), 3.0, 1);
    assert_eq!((value, dx), (45.0, 30.0));
}

#[test]
fn every_entry_point() {
    let (mut tape, mut da, mut db) = (Tape::new(), f64::NAN, f64::NAN);
    let f = differentiable!(|x| x * x * x);
    let value = simpson_grad_into(&mut tape, f, 1.0, &mut da, 2.0, &mut db);
    assert_eq!((value, da, db), (3.75, -1.0, 8.0));
    let value = simpson_try_grad_into(&mut tape, f, 1.0, &mut da, 2.0, &mut db).unwrap();
    assert_eq!((value, da, db), (3.75, -1.0, 8.0));
    simpson_adjoint(&mut tape, f, 1.0, &mut da, 2.0, &mut db, 2.0);
    assert_eq!((da, db), (-3.0, 24.0));
    simpson_try_adjoint(&mut tape, f, 1.0, &mut da, 2.0, &mut db, 1.0).unwrap();
    assert_eq!((da, db), (-4.0, 32.0));
    assert!(tape.is_empty());
}
