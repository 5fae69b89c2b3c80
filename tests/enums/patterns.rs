//! Values that are made and taken apart in one function: `match`, `if let`, `while let`, `let … else`, `matches!`.

use retrograde::gradient;

use crate::types::{Law, Own, Point, Shape, check_all};

const POINTS: [[f64; 3]; 5] = [
    [0.7, 1.3, 0.4],
    [-0.7, 1.3, 0.4],
    [1.5, 0.3, -0.4],
    [2.5, -0.3, 0.9],
    [3.5, 0.8, -1.1],
];

#[gradient]
fn law(kind: f64, a: f64, b: f64) -> Law {
    if kind < 0.0 {
        Law::Square
    } else if kind < 1.0 {
        Law::Linear { slope: a * b }
    } else if kind < 2.0 {
        Law::Affine(a.sin(), kind * b)
    } else {
        Law::Power {
            exponent: 3,
            scale: b - a,
        }
    }
}

#[gradient]
fn by_value(x: &[f64]) -> f64 {
    let law = law(x[0], x[1], x[2]);
    match law {
        Law::Linear { slope } => slope * x[0],
        Law::Affine(slope, offset) => slope * x[1] + offset,
        Law::Power { scale, exponent } => scale * x[2].powi(exponent),
        Law::Square => x[0] * x[0],
    }
}

#[gradient]
fn of_a_call(x: &[f64]) -> f64 {
    match law(x[0], x[1], x[2]) {
        Law::Linear { slope: s } => s * s,
        Law::Affine(_, offset) | Law::Power { scale: offset, .. } => offset * x[0],
        _ => 1.0,
    }
}

#[gradient]
fn by_reference(x: &[f64]) -> f64 {
    let law = law(x[0], x[1], x[2]);
    let first = match &law {
        Law::Linear { slope } => *slope,
        Law::Affine(slope, _) => slope * x[2],
        Law::Power { scale, exponent: e } => scale.powi(*e),
        Law::Square => 0.5,
    };
    let second = match law {
        Law::Linear { ref slope } => slope * first,
        Law::Affine(_, offset) => offset,
        Law::Power { scale, .. } => scale,
        Law::Square => first,
    };
    first * second
}

#[gradient]
fn by_mutable_reference(x: &[f64]) -> f64 {
    let mut law = law(x[0], x[1], x[2]);
    for k in 0..3 {
        match &mut law {
            Law::Linear { slope } => *slope *= x[1] + *slope,
            Law::Affine(slope, offset) => {
                *offset += *slope * x[0];
                *slope = offset.sin();
            }
            Law::Power { scale, exponent } => {
                *scale -= x[0] * x[2];
                *exponent += k;
            }
            Law::Square => {}
        }
        if let Law::Affine(ref mut slope, _) = law {
            *slope *= 1.1;
        }
    }
    match law {
        Law::Linear { slope } => slope,
        Law::Affine(slope, offset) => slope * offset,
        Law::Power { scale, exponent } => scale.powi(exponent),
        Law::Square => x[0],
    }
}

#[gradient]
fn guarded(x: &[f64]) -> f64 {
    match law(x[0], x[1], x[2]) {
        Law::Linear { slope } if slope > 0.4 => slope * x[1],
        Law::Linear { slope } => slope * slope,
        Law::Affine(a, b) if a > b && x[2] < 0.0 => a - b * x[1],
        Law::Affine(a, b) => a * b,
        Law::Power {
            scale,
            exponent: 2..=5,
        } if scale < 0.0 => -scale,
        Law::Power {
            scale: s @ 0.0..=1.0,
            ..
        } => s * 3.0,
        other => match other {
            Law::Power { scale, .. } => scale * 2.0,
            _ => x[0],
        },
    }
}

#[gradient]
fn if_let(x: &[f64]) -> f64 {
    let law = law(x[0], x[1], x[2]);
    let mut sum = 0.0;
    if let Law::Linear { slope } = law {
        sum += slope * x[2];
    } else if let Law::Affine(a, b) = &law {
        sum += a * b;
    }
    if let Law::Power { scale, .. } = law
        && scale > 0.1
    {
        sum += scale * scale;
    }
    let Law::Square = law else {
        let Law::Affine(first, _) = law else {
            return sum * x[1];
        };
        return sum + first;
    };
    if matches!(law, Law::Affine(a, _) if a > 0.0) || matches!(law, Law::Square) {
        sum += x[0];
    }
    sum
}

#[gradient]
fn shape(x: &[f64]) -> Shape {
    let corner = Point { x: x[1], y: x[2] };
    if x[0] < 0.0 {
        Shape::Circle(corner, x[0] * x[1])
    } else if x[0] < 1.0 {
        let corners = vec![corner, Point { x: x[0], ..corner }];
        Shape::Polygon {
            corners,
            weight: Some(x[1]),
        }
    } else if x[0] < 2.0 {
        Shape::Bent {
            law: law(x[1], x[2], x[0]),
            at: (x[0], x[2]),
        }
    } else if x[0] < 3.0 {
        Shape::Row([x[0], x[1] * x[2], 1.0], 1)
    } else {
        Shape::Empty
    }
}

#[gradient]
fn nested(x: &[f64]) -> f64 {
    match shape(x) {
        Shape::Circle(Point { x: px, .. }, r) => px * r * r,
        Shape::Polygon {
            corners,
            weight: Some(w),
        } => corners[0].x * corners[1].y * w,
        Shape::Polygon {
            corners,
            weight: None,
        } => corners.len() as f64,
        Shape::Bent {
            law: Law::Linear { slope },
            at: (u, v),
        } => slope * u * v,
        Shape::Bent {
            law: Law::Affine(a, _),
            at,
        } => a * at.0,
        Shape::Bent { law, .. } => match law {
            Law::Power { scale, .. } => scale,
            _ => 2.0 * x[0],
        },
        Shape::Row(row, k) => row[k] * row[0],
        Shape::Empty => x[2],
    }
}

#[gradient]
fn nested_by_reference(x: &[f64]) -> f64 {
    let mut shape = shape(x);
    for _ in 0..2 {
        match &mut shape {
            Shape::Circle(p, r) => {
                p.x *= *r;
                *r += p.y;
            }
            Shape::Polygon { corners, weight } => {
                for corner in corners.iter_mut() {
                    corner.x *= corner.y;
                }
                if let Some(w) = weight {
                    *w *= corners[0].x;
                }
            }
            Shape::Bent {
                law: Law::Linear { slope },
                ..
            } => *slope *= x[0],
            Shape::Bent { at, .. } => at.1 *= at.0,
            Shape::Row(row, k) => row[*k] *= row[0],
            Shape::Empty => {}
        }
    }
    match &shape {
        Shape::Circle(p, r) => p.x * p.y * r,
        Shape::Polygon { corners, weight } => {
            let mut sum = 0.0;
            for c in corners {
                sum += c.x * weight.unwrap_or(1.0);
            }
            sum
        }
        Shape::Bent {
            law: Law::Linear { slope: s },
            at: (a, b),
        } => s * a * b,
        Shape::Bent { at, .. } => at.1,
        Shape::Row([a, b, c], _) => a * b + c,
        Shape::Empty => 0.0,
    }
}

#[gradient]
fn tuples(x: &[f64]) -> f64 {
    let first = law(x[0], x[1], x[2]);
    let second = law(x[1], x[0], x[2]);
    match (first, &second) {
        (Law::Linear { slope: a }, Law::Affine(b, _)) => a * b,
        (Law::Linear { .. }, _) | (_, Law::Linear { slope: _ }) if x[2] > 5.0 => 0.0,
        (Law::Affine(a, b), Law::Linear { slope }) => a * b * slope,
        (Law::Power { scale, .. }, _) => scale,
        (_, Law::Power { scale, .. }) => *scale,
        (first, _) => match first {
            Law::Linear { slope } => slope,
            _ => 1.0,
        },
    }
}

#[gradient]
fn own(x: &[f64]) -> f64 {
    let mut own = if x[0] > 1.0 {
        Own::One(x[0] * x[1])
    } else {
        Own::Two { a: x[2], b: x[0] }
    };
    if let Own::Two { a, b } = &mut own {
        *a *= *b;
    }
    match own {
        Own::One(v) => v * v,
        Own::Two { a, b } => a * b,
    }
}

#[gradient]
fn made_and_used_at_once(x: &[f64]) -> f64 {
    let law = Law::Affine(x[0] * x[1], x[2]);
    let Law::Affine(a, b) = law else { return 0.0 };
    let again = Law::Affine(b, a);
    let Law::Affine(c, _) = &again else {
        unreachable!()
    };
    a * b * c
}

#[test]
fn payloads_come_out_of_patterns() {
    check_all!(POINTS; by_value by_value_grad, of_a_call of_a_call_grad, by_reference by_reference_grad,
        made_and_used_at_once made_and_used_at_once_grad, own own_grad);
}

#[test]
fn payloads_are_changed_in_place() {
    check_all!(POINTS; by_mutable_reference by_mutable_reference_grad);
}

#[test]
fn guards_and_conditions() {
    check_all!(POINTS; guarded guarded_grad, if_let if_let_grad, tuples tuples_grad);
}

#[test]
fn enums_in_enums() {
    check_all!(POINTS; nested nested_grad, nested_by_reference nested_by_reference_grad);
}
