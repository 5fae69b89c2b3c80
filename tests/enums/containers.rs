//! Enums in arrays, vectors, options, tuples and fields of structs.

use retrograde::{Differentiable, Record, gradient};

use crate::types::{Law, LawTangent, Own, Point, Shape, check, check_all};

const POINTS: [[f64; 3]; 3] = [[0.7, 1.3, 0.4], [-0.7, 1.3, 0.4], [1.5, 0.3, -0.4]];

#[derive(Clone, Debug, Differentiable, Record)]
struct Wire {
    law: Law,
    joints: Vec<Own>,
    end: Option<Own>,
}

#[gradient]
fn in_a_vector(x: &[f64]) -> f64 {
    let mut laws = vec![Law::Linear { slope: x[0] }, Law::Affine(x[1], x[2])];
    laws.push(Law::Power {
        scale: x[0] * x[1],
        exponent: 2,
    });
    let mut sum = 0.0;
    for round in 0..2 {
        for law in &mut laws {
            match law {
                Law::Linear { slope } => *slope *= x[1],
                Law::Affine(a, b) => *a += *b,
                _ => {}
            }
        }
        for (k, law) in laws.iter().enumerate() {
            sum += match law {
                Law::Linear { slope } => slope * k as f64 + slope * slope,
                Law::Affine(a, b) => a * b,
                Law::Power { scale, .. } => *scale,
                Law::Square => sum,
            };
        }
        laws[0] = Law::Square;
        if let Law::Power { scale, .. } = &mut laws[2] {
            *scale *= sum;
        }
        for i in 0..laws.len() {
            if let Law::Affine(a, _) = laws[i] {
                sum *= a;
            }
        }
    }
    if let Some(Law::Power { scale, .. }) = laws.pop() {
        sum *= scale;
    }
    sum
}

#[gradient]
fn in_an_array(x: &[f64]) -> f64 {
    let mut owns = [Own::One(x[0]), Own::Two { a: x[1], b: x[2] }, Own::One(1.0)];
    for k in 0..3 {
        owns[k] = match owns[k] {
            Own::One(v) => Own::Two { a: v, b: v * x[2] },
            Own::Two { a, b } => Own::One(a * b),
        };
    }
    owns.swap(0, 1);
    let [first, second, _] = owns;
    match (first, second) {
        (Own::One(a), Own::Two { a: b, b: c }) => a * b * c,
        _ => 0.0,
    }
}

#[gradient]
fn in_a_struct(x: &[f64]) -> f64 {
    let mut wire = Wire {
        law: Law::Affine(x[0], x[1]),
        joints: vec![Own::One(x[2])],
        end: Some(Own::Two { a: x[0], b: x[2] }),
    };
    if let Law::Affine(a, b) = &mut wire.law {
        *a *= *b;
    }
    for own in wire.joints.iter_mut() {
        if let Own::One(v) = own {
            *v *= x[1];
        }
    }
    let mut sum = match wire.end {
        Some(Own::Two { a, b }) => a * b,
        Some(Own::One(v)) => v,
        None => 0.0,
    };
    wire.end = None;
    if let Wire {
        law: Law::Affine(a, _),
        end: None,
        ..
    } = &wire
    {
        sum += a * a;
    }
    wire.law = Law::Linear { slope: sum };
    match (&wire.law, &wire.joints[0]) {
        (Law::Linear { slope }, Own::One(v)) => slope * v,
        _ => 0.0,
    }
}

#[gradient]
fn of_fields(wire: &Wire, x: f64) -> f64 {
    let base = match wire.law {
        Law::Linear { slope } => slope * x,
        Law::Affine(a, ref b) => a * x + b,
        _ => x,
    };
    let mut sum = base;
    for joint in &wire.joints {
        sum *= match *joint {
            Own::One(v) => v,
            Own::Two { a, b } => a + b,
        };
    }
    if let Some(end) = &wire.end {
        if let Own::One(v) = end {
            sum += v;
        }
    }
    sum
}

#[gradient]
fn of_a_slice(laws: &[Law], x: f64) -> f64 {
    let mut sum = 1.0;
    for law in laws {
        if let Law::Linear { slope } | Law::Affine(slope, _) = law {
            sum *= slope * x;
        }
    }
    sum
}

#[test]
fn vectors_arrays_and_fields() {
    check_all!(POINTS; in_a_vector in_a_vector_grad, in_an_array in_an_array_grad, in_a_struct in_a_struct_grad);
}

#[test]
fn parameters_that_hold_enums() {
    let wire = Wire {
        law: Law::Affine(2.0, 3.0),
        joints: vec![Own::One(4.0), Own::Two { a: 1.0, b: 2.0 }],
        end: Some(Own::One(9.0)),
    };
    let (value, (d, dx)) = of_fields_grad(&wire, 5.0);
    assert_eq!(value, 13.0 * 4.0 * 3.0 + 9.0);
    assert_eq!(d.law, LawTangent::Affine(60.0, 12.0));
    assert_eq!(d.joints, [Own::One(39.0), Own::Two { a: 52.0, b: 52.0 }]);
    assert_eq!((d.end, dx), (Some(Own::One(1.0)), 24.0));
    let laws = [
        Law::Linear { slope: 2.0 },
        Law::Square,
        Law::Affine(3.0, 7.0),
    ];
    let (value, (d, dx)) = of_a_slice_grad(&laws, 2.0);
    assert_eq!((value, dx), (24.0, 24.0));
    assert_eq!(
        d,
        [
            LawTangent::Linear { slope: 12.0 },
            LawTangent::Square,
            LawTangent::Affine(8.0, 0.0)
        ]
    );
    assert_eq!(of_a_slice_grad(&[], 2.0), (1.0, (vec![], 0.0)));
}
