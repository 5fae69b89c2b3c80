//! Functions of a crate of edition 2015: `use` and `::` begin at its root, and `dyn` is no keyword.
#![deny(warnings)]
#![allow(unexpected_cfgs)]
#![allow(bare_trait_objects)]

extern crate num_traits;
extern crate retrograde;

mod shapes;

use retrograde::gradient;
use num_traits::Float;
use shapes::Shape;

mod helpers {
    use retrograde::gradient;

    #[gradient]
    pub fn half(x: f64) -> f64 {
        0.5 * x
    }
}

/// A path that begins at the root of the crate.
#[gradient]
pub fn rooted(x: f64, y: f64) -> f64 {
    ::helpers::half(x * y) + ::std::f64::consts::PI * x
}

/// Records, a vector, an inner loop, macros.
#[gradient]
pub fn filtered(x: &[f64], gain: f64) -> f64 {
    assert!(gain < 100.0, "a gain of {}", gain);
    let mut state = vec![0.0; x.len() + 1];
    for i in 0..x.len() {
        state[i + 1] = (state[i] * gain + x[i]).sin();
    }
    state.iter().map(|s| s * s).sum::<f64>() + state[x.len()].max(0.0)
}

#[gradient]
pub fn fallible(x: &[f64]) -> Result<f64, String> {
    let first = x.first().ok_or_else(|| "nothing".to_owned())?;
    Ok(first.exp())
}

#[gradient]
pub fn areas(shapes: &[Box<Shape>], scale: f64) -> f64 {
    let mut sum = 0.0;
    for shape in shapes {
        sum += shape.area(scale);
    }
    sum
}

/// A function as an argument.
#[gradient]
pub fn trapezoid<F: Fn(f64) -> f64>(f: F, a: f64, b: f64) -> f64 {
    let n = 16;
    let h = (b - a) / n as f64;
    let mut sum = 0.5 * (f(a) + f(b));
    for i in 1..n {
        sum += f(a + h * i as f64);
    }
    sum * h
}

#[gradient]
pub fn integral(w: f64, a: f64, b: f64) -> f64 {
    trapezoid(|x| (w * x).sin(), a, b)
}

/// Generic over a float, with a `use` of its own, which begins at the root.
#[gradient]
pub fn norm<T: Float>(x: &[T]) -> T {
    let mut sum = T::zero();
    for &v in x {
        sum = sum + v * v;
    }
    sum.sqrt()
}

#[gradient]
pub fn with_a_use(x: f64) -> f64 {
    use helpers::half;
    half(x) * x
}

#[test]
fn gradients_agree_with_differences() {
    use shapes::{Circle, Square};

    fn differences(f: &Fn(&[f64]) -> f64, x: &[f64]) -> Vec<f64> {
        let h = 1e-5;
        (0..x.len())
            .map(|k| {
                let (mut up, mut down) = (x.to_vec(), x.to_vec());
                up[k] += h;
                down[k] -= h;
                (f(&up) - f(&down)) / (2.0 * h)
            })
            .collect()
    }
    fn near(got: &[f64], expected: &[f64]) {
        assert_eq!(got.len(), expected.len());
        for (g, e) in got.iter().zip(expected) {
            assert!((g - e).abs() < 1e-8, "{:?} is not {:?}", got, expected);
        }
    }

    let (value, (dx, dy)) = rooted_grad(0.7, -1.3);
    assert_eq!(value.to_bits(), rooted(0.7, -1.3).to_bits());
    near(&[dx, dy], &differences(&|v| rooted(v[0], v[1]), &[0.7, -1.3]));

    let x = [0.3, -0.2, 0.9];
    let (value, (dx, dgain)) = filtered_grad(&x, 0.8);
    assert_eq!(value.to_bits(), filtered(&x, 0.8).to_bits());
    near(&dx, &differences(&|v| filtered(v, 0.8), &x));
    near(&[dgain], &differences(&|v| filtered(&x, v[0]), &[0.8]));

    let (value, dx) = fallible_grad(&x).unwrap();
    assert_eq!((value, dx), (x[0].exp(), vec![x[0].exp(), 0.0, 0.0]));
    assert!(fallible_grad(&[]).is_err());

    let (value, dx) = norm_grad(&x[..]);
    assert_eq!(value.to_bits(), norm(&x[..]).to_bits());
    near(&dx, &differences(&|v| norm(v), &x));

    let (value, dx) = with_a_use_grad(0.7);
    assert_eq!((value, dx), (0.5 * 0.7 * 0.7, 0.7));

    let shapes: Vec<Box<Shape>> = vec![
        Box::new(Circle { radius: 2.0 }),
        Box::new(Square { side: 3.0 }),
    ];
    let (value, (_, dscale)) = areas_grad(&shapes, 1.5);
    assert_eq!(value.to_bits(), areas(&shapes, 1.5).to_bits());
    near(&[dscale], &differences(&|v| areas(&shapes, v[0]), &[1.5]));

    let (value, (dw, da, db)) = integral_grad(1.2, 0.1, 0.9);
    assert_eq!(value.to_bits(), integral(1.2, 0.1, 0.9).to_bits());
    near(
        &[dw, da, db],
        &differences(&|v| integral(v[0], v[1], v[2]), &[1.2, 0.1, 0.9]),
    );
}
