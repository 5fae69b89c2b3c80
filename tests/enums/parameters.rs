//! Enums as parameters and results.

use retrograde::{Differentiable, Record, Tangent, Tape, gradient};

use crate::types::{Law, LawTangent, Own, Point, PointTangent, Shape, ShapeTangent, check};

#[gradient]
fn of_reference(law: &Law, x: f64) -> f64 {
    match law {
        Law::Linear { slope } => slope * x,
        Law::Affine(slope, offset) => slope * x + offset,
        Law::Power { scale, exponent } => scale * x.powi(*exponent),
        Law::Square => x * x,
    }
}

#[gradient]
fn of_value(law: Law, x: f64) -> f64 {
    if let Law::Affine(a, b) = law {
        return a * b * x;
    }
    of_reference(&law, x) * x
}

#[gradient]
fn step(law: &mut Law, x: f64) {
    match law {
        Law::Linear { slope } if *slope > 1.0 => *law = Law::Affine(*slope, x),
        Law::Linear { slope } => *slope *= 1.0 + x,
        Law::Affine(a, b) => {
            *a -= *b * x;
            std::mem::swap(a, b);
        }
        Law::Power { scale, .. } => *law = Law::Linear { slope: *scale * x },
        Law::Square => {}
    }
}

#[gradient]
fn stepped(mut law: Law, x: f64, n: usize) -> f64 {
    for k in 0..n {
        step(&mut law, x);
        step(&mut law, 0.1 * k as f64);
    }
    of_value(law, x)
}

fn law(p: &[f64], kind: usize) -> Law {
    match kind {
        0 => Law::Linear { slope: p[0] },
        1 => Law::Affine(p[0], p[1]),
        2 => Law::Power {
            scale: p[0],
            exponent: 3,
        },
        _ => Law::Square,
    }
}

fn numbers(law: &LawTangent) -> Vec<f64> {
    match law {
        LawTangent::Linear { slope } => vec![*slope, 0.0],
        LawTangent::Affine(a, b) => vec![*a, *b],
        LawTangent::Power {
            scale,
            exponent: (),
        } => vec![*scale, 0.0],
        LawTangent::Square => vec![0.0, 0.0],
    }
}

#[test]
fn gradients_with_respect_to_enums() {
    let points = [[0.7, 1.3, 0.4], [1.7, -0.3, 2.0], [-0.2, 0.5, 1.1]];
    for kind in 0..4 {
        check(
            |p| of_reference(&law(p, kind), p[2]),
            |p| {
                let (value, (d, dx)) = of_reference_grad(&law(p, kind), p[2]);
                (value, [numbers(&d), vec![dx]].concat())
            },
            &points,
        );
        check(
            |p| of_value(law(p, kind), p[2]),
            |p| {
                let (value, (d, dx)) = of_value_grad(law(p, kind), p[2]);
                (value, [numbers(&d), vec![dx]].concat())
            },
            &points,
        );
        for n in 0..4 {
            check(
                |p| stepped(law(p, kind), p[2], n),
                |p| {
                    let (value, (d, dx)) = stepped_grad(law(p, kind), p[2], n);
                    (value, [numbers(&d), vec![dx]].concat())
                },
                &points,
            );
        }
    }
    let (value, (d, dx)) = of_reference_grad(&Law::Affine(2.0, 3.0), 5.0);
    assert_eq!((value, d, dx), (13.0, LawTangent::Affine(5.0, 1.0), 2.0));
}

#[gradient]
fn twice(a: &Law, b: &Law, x: f64) -> f64 {
    match (a, b) {
        (Law::Linear { slope }, Law::Linear { slope: other }) => slope * slope * other * x,
        (Law::Affine(a, b), Law::Affine(c, d)) => a * d + b * c * x,
        _ => of_reference(a, x) * of_reference(b, x),
    }
}

#[gradient]
fn the_same_twice(law: &Law, x: f64) -> f64 {
    twice(law, law, x) + twice(&law, law, 2.0 * x)
}

#[test]
fn the_same_enum_in_two_arguments() {
    for kind in 0..4 {
        check(
            |p| the_same_twice(&law(p, kind), p[2]),
            |p| {
                let (value, (d, dx)) = the_same_twice_grad(&law(p, kind), p[2]);
                (value, [numbers(&d), vec![dx]].concat())
            },
            &[[0.7, 1.3, 0.4], [1.7, -0.3, 2.0]],
        );
    }
}

#[gradient]
fn chosen(law: &Law, x: f64) -> Shape {
    match law {
        Law::Linear { slope } => Shape::Circle(Point { x: *slope, y: x }, slope * x),
        Law::Affine(a, b) => Shape::Polygon {
            corners: vec![Point { x: *a, y: *b }, Point { x, y: x }],
            weight: None,
        },
        Law::Power { .. } => Shape::Bent {
            law: law.clone(),
            at: (x, x * x),
        },
        Law::Square => Shape::Empty,
    }
}

#[gradient]
fn area(shape: &Shape) -> f64 {
    match shape {
        Shape::Circle(Point { x, y }, r) => x * y * r * r,
        Shape::Polygon { corners, .. } => corners[0].x * corners[1].y - corners[0].y,
        Shape::Bent { law, at: (u, v) } => of_reference(law, *u) * v,
        Shape::Row(row, _) => row[0],
        Shape::Empty => 1.0,
    }
}

#[gradient]
fn area_of_chosen(law: &Law, x: f64) -> f64 {
    area(&chosen(law, x)) + area(&Shape::Row([x, 1.0, 2.0], 0))
}

#[test]
fn enums_as_results() {
    for kind in 0..4 {
        check(
            |p| area_of_chosen(&law(p, kind), p[2]),
            |p| {
                let (value, (d, dx)) = area_of_chosen_grad(&law(p, kind), p[2]);
                (value, [numbers(&d), vec![dx]].concat())
            },
            &[[0.7, 1.3, 0.4], [1.7, -0.3, 2.0]],
        );
    }
}

#[test]
fn seeds_and_buffers() {
    let law = Law::Affine(2.0, 3.0);
    let seed = ShapeTangent::Polygon {
        corners: vec![
            PointTangent { x: 1.0, y: 10.0 },
            PointTangent { x: 100.0, y: 0.0 },
        ],
        weight: None,
    };
    let mut tape = Tape::new();
    let (mut d, mut dx) = (LawTangent::Affine(1.0, 0.0), 0.0);
    chosen_adjoint(&mut tape, &law, &mut d, 5.0, &mut dx, seed);
    assert_eq!((d, dx), (LawTangent::Affine(2.0, 10.0), 100.0));

    let mut buffer = LawTangent::Affine(7.0, 7.0);
    let value = of_reference_grad_into(&mut tape, &law, &mut buffer, 5.0, &mut dx);
    assert_eq!(
        (value, buffer, dx),
        (13.0, LawTangent::Affine(5.0, 1.0), 2.0)
    );

    let mut in_out = Law::Power {
        scale: 2.0,
        exponent: 3,
    };
    let mut bar = LawTangent::Linear { slope: 1.0 };
    let mut dx = 0.0;
    step_adjoint(&mut tape, &mut in_out, &mut bar, 5.0, &mut dx, ());
    assert_eq!(in_out, Law::Linear { slope: 10.0 });
    assert_eq!(
        bar,
        LawTangent::Power {
            scale: 5.0,
            exponent: ()
        }
    );
    assert_eq!(dx, 2.0);
}

#[test]
fn a_seed_of_another_variant_is_an_error() {
    let seed = ShapeTangent::Row([1.0; 3], ());
    let refused = std::panic::catch_unwind(|| {
        let (mut d, mut dx) = (LawTangent::Square, 0.0);
        chosen_adjoint(&mut Tape::new(), &Law::Square, &mut d, 5.0, &mut dx, seed)
    });
    let message = *refused.unwrap_err().downcast::<String>().unwrap();
    assert!(
        message.contains("is `Empty`, but its seed is `Row`"),
        "{message}"
    );
    let refused = std::panic::catch_unwind(|| {
        let (mut d, mut dx) = (LawTangent::Square, 0.0);
        of_reference_grad_into(
            &mut Tape::new(),
            &Law::Affine(1.0, 2.0),
            &mut d,
            1.0,
            &mut dx,
        )
    });
    let message = *refused.unwrap_err().downcast::<String>().unwrap();
    assert!(
        message.contains("is `Affine`, but its gradient buffer is `Square`"),
        "{message}"
    );
}

/// Neither differentiable nor a record.
#[derive(Clone, Copy)]
enum Switch {
    Up(usize),
    Down { by: f64 },
}

#[gradient]
fn constant(x: f64, #[constant] switch: &Switch, #[constant] other: Switch) -> f64 {
    let local = Switch::Up(2);
    let first = match switch {
        Switch::Up(n) => x * *n as f64,
        Switch::Down { by } => x * by,
    };
    let second = match other {
        Switch::Up(n) if n > 1 => first * x,
        Switch::Up(_) => first,
        Switch::Down { by } => first * by,
    };
    let Switch::Up(n) = local else { return 0.0 };
    second * n as f64
}

#[test]
fn enums_without_derivative_need_no_derive() {
    assert_eq!(
        constant_grad(2.0, &Switch::Up(3), Switch::Up(2)),
        (24.0, 24.0)
    );
    let (value, dx) = constant_grad(2.0, &Switch::Down { by: 0.5 }, Switch::Down { by: 3.0 });
    assert_eq!((value, dx), (6.0, 3.0));
}
