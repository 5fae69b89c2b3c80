//! Methods with a body in the trait that an `impl` writes again: through the trait, each type has the derivative of its
//! own.

use retrograde::{Differentiable, Record, Tape, gradient};

#[gradient]
trait Kernel {
    fn value(&self, r: f64) -> f64;

    fn slope(&self, r: f64) -> f64 {
        (self.value(r + 0.25) - self.value(r)) / 0.25
    }

    /// Calls what may be written again.
    fn mixed(&self, r: &[f64], k: usize) -> f64 {
        self.slope(r[k]) * self.value(r[0])
    }

    /// Both sweeps run at once, and the adjoint of `x` could be assigned.
    fn total(&self, x: &[f64], w: f64) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += (w * x[i]).exp();
        }
        sum
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
#[differentiable(tangent = Self)]
struct Square {
    a: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
#[differentiable(tangent = Self)]
struct Cube {
    a: f64,
}

#[derive(Clone, Debug, Differentiable)]
struct Scaled<K> {
    of: K,
    by: f64,
}

/// Leaves both to the trait.
#[gradient]
impl Kernel for Square {
    fn value(&self, r: f64) -> f64 {
        self.a * r * r
    }
}

#[gradient]
impl Kernel for Cube {
    fn value(&self, r: f64) -> f64 {
        self.a * r * r * r
    }

    fn slope(&self, r: f64) -> f64 {
        3.0 * self.a * r * r
    }

    /// Reads one element, and records nothing.
    fn total(&self, x: &[f64], w: f64) -> f64 {
        self.a * w * x[0]
    }
}

#[gradient]
impl<K: Kernel + Differentiable> Kernel for Scaled<K> {
    fn value(&self, r: f64) -> f64 {
        self.by * self.of.value(r)
    }

    fn total(&self, values: &[f64], by: f64) -> f64 {
        let mut product = self.by;
        for i in 0..values.len() {
            product *= by * values[i].sin();
        }
        product
    }

    /// Under other names, with a loop and an early return.
    fn mixed(&self, at: &[f64], n: usize) -> f64 {
        let mut sum = 0.0;
        for v in at {
            if *v > 10.0 {
                return sum;
            }
            sum += self.of.slope(*v) * at[n];
        }
        sum
    }
}

#[gradient]
fn slope_of<K: Kernel>(kernel: &K, r: f64) -> f64 {
    kernel.slope(r)
}

#[gradient]
fn mixed_of(kernel: &impl Kernel, r: &[f64]) -> f64 {
    kernel.mixed(r, 1)
}

#[test]
fn through_the_trait() {
    let (cube, square) = (Cube { a: 2.0 }, Square { a: 2.0 });
    assert_eq!(slope_of_grad(&cube, 0.5), (1.5, (Cube { a: 0.75 }, 6.0)));
    // a (2 r + 1/4)
    assert_eq!(
        slope_of_grad(&square, 0.5),
        (2.5, (Square { a: 1.25 }, 4.0))
    );

    // The trait's body, on what the type has of its own: 3 a r1² a r0³
    let (value, (da, dr)) = mixed_of_grad(&cube, &[0.5, 2.0]);
    assert_eq!(value, mixed_of(&cube, &[0.5, 2.0]));
    assert_eq!((value, da.a, dr), (6.0, 6.0, vec![36.0, 6.0]));
    // a (2 r1 + 1/4) a r0²
    let (value, (da, dr)) = mixed_of_grad(&square, &[0.5, 2.0]);
    assert_eq!((value, da.a, dr), (4.25, 4.25, vec![17.0, 2.0]));
}

#[test]
fn of_another_type_in_a_generic_one() {
    let scaled = Scaled {
        of: Cube { a: 2.0 },
        by: 3.0,
    };
    // The body of the trait: by a ((r + 1/4)³ - r³) / (1/4)
    let (value, (d, dr)) = slope_of_grad(&scaled, 0.5);
    assert_eq!(value, slope_of(&scaled, 0.5));
    let slope = (0.75_f64.powi(3) - 0.125) * 4.0;
    assert_eq!(
        (value, d.of.a, d.by),
        (6.0 * slope, 3.0 * slope, 2.0 * slope)
    );
    assert_eq!(dr, 6.0 * (3.0 * 0.5625 - 0.75) * 4.0);

    // 3 a (r0² + r1²) r1; the end of the loop is an early one.
    let (value, (d, dr)) = mixed_of_grad(&scaled, &[0.5, 2.0, 11.0]);
    assert_eq!((value, d.of.a, d.by), (51.0, 25.5, 0.0));
    assert_eq!(dr, [12.0, 48.0 + 25.5, 0.0]);
}

#[test]
fn on_the_type_itself() {
    #[gradient]
    fn of_cube(cube: &Cube, r: f64) -> f64 {
        cube.slope(r) * cube.value(r)
    }
    let cube = Cube { a: 2.0 };
    // 3 a r² · a r³
    let (value, (da, dr)) = of_cube_grad(&cube, 0.5);
    assert_eq!(value, of_cube(&cube, 0.5));
    assert_eq!((value, da.a, dr), (0.375, 0.375, 3.75));
}

/// What the trait generates for users, where the type is a parameter.
#[test]
fn with_every_function() {
    fn all<K: Kernel + Differentiable>(kernel: &K, r: f64) -> [(f64, f64); 3] {
        let (value, (_, dr)) = kernel.slope_grad(r);
        let mut tape = Tape::new();
        let (mut dk, mut into) = (kernel.zero_tangent(), f64::NAN);
        let second = kernel.slope_grad_into(&mut tape, &mut dk, r, &mut into);
        let mut by = 1.0;
        let third = kernel.slope_adjoint(&mut tape, &mut dk, r, &mut by, 2.0);
        [(value, dr), (second, into), (third, by)]
    }
    assert_eq!(
        all(&Cube { a: 2.0 }, 0.5),
        [(1.5, 6.0), (1.5, 6.0), (1.5, 13.0)]
    );
    assert_eq!(
        all(&Square { a: 2.0 }, 0.5),
        [(2.5, 4.0), (2.5, 4.0), (2.5, 9.0)]
    );
}

#[test]
fn loops_of_all_kinds() {
    fn all<K: Kernel + Differentiable>(kernel: &K, x: &[f64], w: f64) -> (f64, Vec<f64>, f64) {
        #[gradient]
        fn total_of<K: Kernel>(kernel: &K, x: &[f64], w: f64) -> f64 {
            kernel.total(x, w)
        }
        let (value, (dk, dx, dw)) = kernel.total_grad(x, w);
        let (mut tape, mut dk) = (Tape::new(), dk);
        let (mut of_x, mut of_w) = (vec![f64::NAN; x.len()], f64::NAN);
        let second = kernel.total_grad_into(&mut tape, &mut dk, x, &mut of_x, w, &mut of_w);
        assert_eq!((second, &of_x, of_w), (value, &dx, dw));
        let third = kernel.total_adjoint(&mut tape, &mut dk, x, &mut of_x, w, &mut of_w, 1.0);
        let doubled: Vec<f64> = dx.iter().map(|d| 2.0 * d).collect();
        assert_eq!((third, of_x, of_w), (value, doubled, 2.0 * dw));
        let mut dk = kernel.zero_tangent();
        let (mut of_x, mut of_w) = (vec![0.0; x.len()], 0.0);
        let fourth = total_of_adjoint(&mut tape, kernel, &mut dk, x, &mut of_x, w, &mut of_w, 1.0);
        assert_eq!((fourth, &of_x, of_w), (value, &dx, dw));
        (value, dx, dw)
    }
    let (x, w) = ([0.5, 1.0, -0.25], 0.75);
    let (value, dx, dw) = all(&Square { a: 2.0 }, &x, w);
    let terms: Vec<f64> = x.iter().map(|x| (w * x).exp()).collect();
    assert_eq!(value, terms.iter().sum());
    for i in 0..3 {
        assert!((dx[i] - w * terms[i]).abs() < 1e-15);
    }
    assert!((dw - (0..3).map(|i| x[i] * terms[i]).sum::<f64>()).abs() < 1e-15);
    assert_eq!(
        all(&Cube { a: 2.0 }, &x, w),
        (0.75, vec![1.5, 0.0, 0.0], 1.0)
    );
    let scaled = Scaled {
        of: Cube { a: 2.0 },
        by: 3.0,
    };
    let (value, dx, dw) = all(&scaled, &x, w);
    assert_eq!(value, scaled.total(&x, w));
    for i in 0..3 {
        assert!((dx[i] - value / x[i].tan()).abs() < 1e-15);
    }
    assert!((dw - 3.0 * value / w).abs() < 1e-15);
}

#[gradient]
fn of_object(kernel: &dyn Kernel, r: f64) -> f64 {
    kernel.slope(r) * kernel.mixed(&[r, 2.0 * r], 1)
}

#[gradient]
fn of_all(kernels: &[Box<dyn Kernel>], r: f64) -> f64 {
    let mut sum = 0.0;
    for kernel in kernels {
        sum += kernel.slope(r);
    }
    sum
}

#[test]
fn through_objects() {
    let (cube, square) = (Cube { a: 2.0 }, Square { a: 2.0 });
    // 3 a r² · 12 a r² · a r³
    let (value, (d, dr)) = of_object_grad(&cube, 0.5);
    assert_eq!(value, of_object(&cube, 0.5));
    assert_eq!((value, d.as_slice(), dr), (2.25, &[3.375][..], 31.5));
    // a (2 r + 1/4) a (4 r + 1/4) a r²
    let (value, (d, dr)) = of_object_grad(&square, 0.5);
    assert_eq!(value, of_object(&square, 0.5));
    assert_eq!((value, d.as_slice()), (5.625, &[8.4375][..]));
    assert_eq!(
        dr,
        8.0 * (2.0 * 2.25 * 0.25 + 1.25 * 4.0 * 0.25 + 1.25 * 2.25)
    );

    let kernels: Vec<Box<dyn Kernel>> = vec![Box::new(cube), Box::new(square)];
    let (value, (d, dr)) = of_all_grad(&kernels, 0.5);
    assert_eq!((value, dr), (4.0, 10.0));
    assert_eq!(
        (d[0].as_slice(), d[1].as_slice()),
        (&[0.75][..], &[1.25][..])
    );
}
