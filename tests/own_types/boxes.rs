//! Slices in boxes as fields: vectors that are made for them.

use super::support::check;
use retrograde::{Differentiable, Record, Tape, gradient};

#[derive(Clone, Debug, Differentiable, Record)]
struct Samples {
    count: usize,
    data: Box<[f64]>,
}

#[derive(Clone, Debug, Differentiable, Record)]
struct Scaled(Box<[f64]>, f64);

#[gradient]
impl Samples {
    fn new(x: &[f64]) -> Self {
        Self {
            data: x.iter().map(|v| v.sin()).collect(),
            count: x.len(),
        }
    }

    fn twice(&self) -> Self {
        Self {
            data: self.data.iter().map(|v| 2.0 * v).collect(),
            ..self.clone()
        }
    }

    fn same(&self) -> Self {
        Self {
            data: self.data.clone(),
            count: 1,
        }
    }
}

#[gradient]
fn filled(x: f64, count: usize) -> Samples {
    let data = vec![x; count].into_boxed_slice();
    Samples { count, data }
}

#[gradient]
fn changed(x: &[f64]) -> Samples {
    let mut samples = Samples {
        count: x.len(),
        data: x
            .iter()
            .map(|v| v * v)
            .collect::<Vec<_>>()
            .into_boxed_slice(),
    };
    samples.data[0] *= 2.0;
    samples
}

#[gradient]
fn of_functions(x: &[f64]) -> f64 {
    filled(x[0], 3).data.iter().sum::<f64>() * changed(x).data[0] + changed(x).data[1]
}

#[gradient]
fn of_fields(x: &[f64]) -> f64 {
    let samples = Samples {
        count: 2,
        data: x.to_vec().into_boxed_slice(),
    };
    let mut sum = 0.0;
    for i in 0..samples.data.len() {
        sum += samples.data[i] * samples.data[i] * x[0];
    }
    sum
}

#[gradient]
fn carried(x: &[f64]) -> f64 {
    let mut scaled = Scaled(x.to_vec().into_boxed_slice(), x[0]);
    for k in 0..2 {
        scaled.0[k] *= scaled.1;
        scaled = Scaled(
            scaled.0.iter().map(|v| v * x[1]).collect(),
            scaled.1 + scaled.0[1],
        );
    }
    scaled.0.iter().sum::<f64>() * scaled.1
}

#[gradient]
fn of_methods(x: &[f64]) -> f64 {
    let samples = Samples::new(x).twice().same();
    samples.data[0] * samples.data[1] + x[0]
}

#[test]
fn vectors_in_boxes() {
    let points: [&[f64]; 3] = [&[0.4, 1.3], &[-0.7, 0.2], &[0.0, 2.0]];
    check(of_functions, |x| of_functions_grad(x), &points);
    check(of_fields, |x| of_fields_grad(x), &points);
    check(carried, |x| carried_grad(x), &points);
    check(of_methods, |x| of_methods_grad(x), &points);
}

#[test]
fn the_adjoint_of_a_vector_in_a_box() {
    let (x, mut slope) = ([3.0, 2.0], [0.0; 2]);
    let seed = SamplesTangent {
        count: (),
        data: Box::new(vec![1.0, 10.0]),
    };
    let value = changed_adjoint(&mut Tape::new(), &x, &mut slope, seed);
    assert_eq!(*value.data, [18.0, 4.0]);
    assert_eq!(slope, [4.0 * x[0], 20.0 * x[1]]);
}
