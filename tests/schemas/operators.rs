//! Types of fields in operators.

use std::ops::{AddAssign, Mul, Neg};

use num_traits::Float;
use retrograde::{Differentiable, Record, gradient};

use super::blocks::AT;
use super::support::check;

#[derive(Clone, Debug, Differentiable, Record)]
struct Vector {
    data: Vec<f64>,
    scale: Option<f64>,
}

#[derive(Clone, Debug, Differentiable, Record)]
struct Matrix<T> {
    data: Vec<T>,
    n: usize,
    scale: Option<f64>,
}

#[gradient]
impl Mul<&Vector> for &Matrix<f64> {
    type Output = Vector;

    fn mul(self, v: &Vector) -> Vector {
        let mut data = vec![0.0; self.n];
        for i in 0..self.n {
            for j in 0..self.n {
                data[i] += self.data[i * self.n + j] * v.data[j];
            }
            data[i] *= self.scale.map_or(1.0, |s| s);
        }
        Vector {
            data,
            scale: v.scale.map(|s| s * 2.0),
        }
    }
}

#[gradient]
impl<T: Float> Mul<T> for Matrix<T> {
    type Output = T;

    fn mul(self, by: T) -> T {
        let mut sum = T::zero();
        for i in 0..self.data.len() {
            sum = sum + self.data[i] * by * self.data[0];
        }
        sum
    }
}

#[gradient]
impl Mul<Vector> for f64 {
    type Output = Vector;

    fn mul(self, mut v: Vector) -> Vector {
        for i in 0..v.data.len() {
            v.data[i] *= self;
        }
        v
    }
}

#[gradient]
impl AddAssign<&Vector> for Vector {
    fn add_assign(&mut self, other: &Vector) {
        for i in 0..other.data.len() {
            self.data[i] += other.data[i] * other.scale.unwrap_or(1.0);
        }
    }
}

#[gradient]
impl Neg for Vector {
    type Output = Vector;

    fn neg(self) -> Vector {
        let last = self.data.last().copied().unwrap_or(1.0);
        Vector {
            data: self.data.iter().map(|x| -x * last).collect(),
            scale: self.scale,
        }
    }
}

#[gradient]
impl<'a> From<&'a Matrix<f64>> for Vector {
    fn from(matrix: &'a Matrix<f64>) -> Vector {
        let mut data = Vec::new();
        for i in 0..matrix.data.len() {
            data.push(matrix.data[i] * matrix.scale.unwrap_or_default());
        }
        Vector { data, scale: None }
    }
}

#[gradient]
fn calculated(matrix: &Matrix<f64>, vector: &Vector, k: f64) -> f64 {
    let mut product = matrix * vector;
    product += vector;
    let turned = -(k * product);
    let taken = Vector::from(matrix);
    turned.data[0] * turned.data[1] + taken.data[3] * (matrix.clone() * k)
}

#[test]
fn of_operators() {
    let at = |p: &[f64]| {
        let matrix = Matrix {
            data: p[..4].to_vec(),
            n: 2,
            scale: Some(p[4]),
        };
        let vector = Vector {
            data: p[5..7].to_vec(),
            scale: Some(p[7]),
        };
        (matrix, vector, p[8])
    };
    check(
        |p| {
            let (matrix, vector, k) = at(p);
            calculated(&matrix, &vector, k)
        },
        |p| {
            let (matrix, vector, k) = at(p);
            let (value, (dm, dv, dk)) = calculated_grad(&matrix, &vector, k);
            let scales = [dm.scale, dv.scale].map(Option::unwrap_or_default);
            let [a, b, c, d] = dm.data[..] else {
                panic!("four numbers")
            };
            let [e, f] = dv.data[..] else {
                panic!("two numbers")
            };
            (value, [a, b, c, d, scales[0], e, f, scales[1], dk])
        },
        &AT.iter().map(|p| &p[..9]).collect::<Vec<_>>(),
    );
}
