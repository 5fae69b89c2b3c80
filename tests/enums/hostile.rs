//! What could go wrong: names for whole values, references into payloads and between enums, payloads that are taken,
//! lent twice, grown; numbers of other widths; empty payloads.

use retrograde::{Differentiable, Record, gradient};

use crate::types::{Law, Own, Point, Shape, check, check_all};

const POINTS: [[f64; 3]; 4] = [
    [0.7, 1.3, 0.4],
    [-0.7, 0.3, 0.4],
    [1.5, 0.3, -0.4],
    [2.5, -0.3, 0.9],
];

#[gradient]
fn law(x: &[f64]) -> Law {
    match x[0] {
        k if k < 0.0 => Law::Linear { slope: x[1] * x[2] },
        k if k < 1.0 => Law::Affine(x[0] * x[1], x[2]),
        k if k < 2.0 => Law::Power {
            scale: x[1],
            exponent: 2,
        },
        _ => Law::Square,
    }
}

#[gradient]
fn apply(law: &Law, x: f64) -> f64 {
    match law {
        Law::Linear { slope } => slope * x,
        Law::Affine(a, b) => a * x + b,
        Law::Power { exponent: 2, scale } => scale * x * x,
        Law::Power { scale, exponent } => scale * x.powi(*exponent),
        Law::Square => x * x,
    }
}

#[gradient]
fn whole_values(x: &[f64]) -> f64 {
    let law = law(x);
    let first = match &law {
        whole @ Law::Linear { slope } => apply(whole, x[0]) * slope,
        whole @ (Law::Affine(..) | Law::Power { .. }) => apply(whole, x[1]),
        whole => apply(whole, x[2]),
    };
    match law {
        ref whole @ Law::Affine(a, _) => apply(whole, first) * a,
        whole => apply(&whole, first),
    }
}

#[gradient]
fn two(a: &mut f64, b: &mut f64, x: f64) {
    *a *= *b * x;
    *b += *a;
}

#[gradient]
fn shared(a: &f64, b: &f64, c: &mut f64) -> f64 {
    *c *= a * b;
    *c * a
}

#[gradient]
fn lent_twice(x: &[f64]) -> f64 {
    let mut law = law(x);
    let mut sum = x[0];
    for k in 0..3 {
        match &mut law {
            Law::Affine(a, b) => {
                two(a, b, x[0]);
                two(b, a, x[1]);
                sum += shared(a, b, &mut sum) + shared(a, a, b);
            }
            Law::Linear { slope } => {
                two(slope, &mut sum, x[2]);
                sum += shared(slope, slope, &mut x[1].clone());
            }
            _ => sum *= x[1],
        }
        if let Law::Affine(a, b) = &mut law {
            std::mem::swap(a, b);
            let old = std::mem::replace(a, sum.sin());
            *b *= old;
            let c = b;
            *c += *a;
        }
    }
    apply(&law, sum)
}

#[gradient]
fn references(x: &[f64]) -> f64 {
    let (mut a, mut b) = (law(x), Law::Affine(x[2], x[1]));
    let mut other = x[1];
    let target = match &mut a {
        Law::Affine(first, _) => first,
        Law::Linear { slope } => slope,
        _ => &mut other,
    };
    *target *= x[0];
    *target += x[2] * *target;
    let mut seen = &a;
    let first = apply(seen, x[1]);
    if x[0] > 0.5 {
        seen = &b;
    }
    let second = match seen {
        Law::Linear { slope } | Law::Affine(slope, _) => slope * first,
        Law::Power { scale, .. } => *scale,
        Law::Square => other,
    };
    let view = &mut b;
    if let Law::Affine(p, _) = view {
        *p *= second;
    }
    let whole = &mut a;
    if x[1] > 0.5 {
        *whole = Law::Linear { slope: second };
    }
    match *whole {
        Law::Linear { slope } => slope * apply(&b, second),
        _ => apply(&a, second) * apply(&b, other),
    }
}

#[gradient]
fn grown(x: &[f64]) -> f64 {
    let corners = vec![Point { x: x[0], y: x[1] }];
    let mut shape = Shape::Polygon {
        corners,
        weight: None,
    };
    let mut sum = 0.0;
    for k in 0..3 {
        if let Shape::Polygon { corners, weight } = &mut shape {
            corners.push(Point {
                x: corners[k].y * x[2],
                y: sum,
            });
            for c in corners.iter_mut() {
                c.y += c.x * x[2];
            }
            corners[0].x *= 1.1;
            if k == 1 {
                let last = corners.pop().unwrap();
                sum += last.y * last.x;
                corners.push(last);
            }
            *weight = Some(sum);
            sum += corners.len() as f64 * corners[k].x;
        }
    }
    let taken = match &mut shape {
        Shape::Polygon { corners, .. } => std::mem::take(corners),
        _ => vec![],
    };
    for p in &taken {
        sum += p.x * p.y;
    }
    match shape {
        Shape::Polygon {
            corners,
            weight: Some(w),
        } => w * sum + corners.len() as f64,
        _ => 0.0,
    }
}

#[gradient]
fn guards(x: &[f64]) -> f64 {
    let corners = vec![Point { x: x[0], y: x[1] }, Point { x: x[2], y: x[0] }];
    let shape = Shape::Polygon {
        corners,
        weight: Some(x[1]),
    };
    let pair = (shape.clone(), law(x));
    let first = match shape {
        Shape::Polygon { corners, weight } if corners.len() > 2 => 1.0,
        Shape::Polygon { corners, .. } if corners.iter().any(|corners| corners.x > 2.0) => {
            corners[0].x
        }
        Shape::Polygon {
            corners,
            weight: Some(w),
        } if w > 0.5 && corners[0].x < w => corners[0].x * w,
        Shape::Polygon { corners, weight } if matches!(weight, Some(w) if w > 0.0) => corners[1].y,
        Shape::Polygon { mut corners, .. } => {
            corners[0].x *= x[2];
            corners[0].x * corners[1].x
        }
        _ => 0.0,
    };
    let (shape, law) = pair;
    first
        * match (&shape, law) {
            (Shape::Polygon { corners, .. }, Law::Affine(a, b)) if corners.len() == 2 && a > b => {
                a * corners[0].y
            }
            (Shape::Polygon { corners, .. }, ref whole @ Law::Linear { slope })
                if slope != corners[1].x =>
            {
                slope * apply(whole, corners[1].y)
            }
            (_, Law::Power { scale, exponent }) if exponent > 1 && scale.abs() > 0.0 => scale,
            (Shape::Polygon { weight, .. }, _) => weight.unwrap() * x[2],
            _ => 0.0,
        }
}

#[gradient]
fn indexed(x: &[f64]) -> f64 {
    let mut shape = Shape::Row([x[0], x[1], x[2]], 2);
    for k in 0..2 {
        if let Shape::Row(row, n) = &mut shape {
            for i in 0..*n {
                row[i] *= row[i + 1] + x[k];
            }
            row.swap(k, 2);
            row.swap(1, 1);
            *n -= k;
        }
    }
    let mut shapes = [shape.clone(), shape];
    shapes.swap(1, 1);
    shapes[1] = match &shapes[0] {
        Shape::Row([a, .., c], _) => Shape::Circle(Point { x: *a, y: *c }, a * c),
        _ => Shape::Empty,
    };
    shapes.swap(0, 1);
    match &shapes {
        [Shape::Circle(p, r), Shape::Row(row, _)] => p.x * p.y * r * row[1],
        _ => 0.0,
    }
}

#[gradient]
fn in_chains(x: &[f64]) -> f64 {
    let laws = vec![law(x), Law::Linear { slope: x[1] }, Law::Affine(x[2], x[0])];
    let first: f64 = laws
        .iter()
        .map(|l| match l {
            Law::Linear { slope } => slope * x[0],
            Law::Affine(a, b) => a * b,
            other => apply(other, x[1]),
        })
        .sum();
    let second = laws
        .iter()
        .zip(x)
        .fold(1.0, |acc, (l, v)| acc * 0.5 + apply(l, *v));
    first * second
}

#[gradient]
fn optional(x: &[f64]) -> f64 {
    let mut held = if x[0] > 0.0 {
        Some(Box::new(law(x)))
    } else {
        None
    };
    let mut plain = Some(law(x));
    if let Some(Law::Linear { slope } | Law::Affine(_, slope)) = &mut plain {
        *slope *= x[1];
    }
    let sum = match &held {
        Some(law) => apply(law, x[2]),
        None => x[1],
    };
    if let Some(law) = &mut held {
        **law = Law::Affine(sum, x[0]);
    }
    let pair = (plain.unwrap(), sum);
    let (law, factor) = pair;
    match held {
        Some(inner) => apply(&inner, factor) * apply(&law, x[0]),
        None => apply(&law, factor),
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
enum Odd {
    Nothing(),
    Braces {},
    Narrow(f32, bool, char),
    Named(#[constant] String, f64),
    Deep(Option<Box<Odd>>, [Own; 2]),
    Tuple((f64, (f64, usize))),
}

#[gradient]
fn odd(x: &[f64]) -> f64 {
    let mut odd = Odd::Narrow(x[0] as f32, true, 'a');
    let mut sum = x[1];
    for k in 0..6 {
        odd = match odd {
            Odd::Narrow(v, true, c @ 'a'..='z') => {
                sum += f64::from(v) * x[2];
                Odd::Named(String::new(), sum * x[0])
            }
            Odd::Named(_, v) => Odd::Deep(
                Some(Box::new(Odd::Tuple((v, (x[1], 3))))),
                [Own::One(v), Own::Two { a: v, b: sum }],
            ),
            Odd::Deep(Some(inner), [Own::One(a), Own::Two { a: b, .. }]) => {
                sum += a * b;
                match *inner {
                    Odd::Tuple((v, (w, n))) => Odd::Tuple((v * w, (sum, n + 1))),
                    _ => Odd::Nothing(),
                }
            }
            Odd::Tuple((v, (w, 4))) => {
                sum *= v + w;
                Odd::Nothing()
            }
            Odd::Nothing() => Odd::Braces {},
            other => other,
        };
    }
    match odd {
        Odd::Braces {} => sum,
        _ => 0.0,
    }
}

#[gradient]
fn shadowed(law: Law, x: f64) -> f64 {
    let law = match law {
        Law::Linear { slope } => Law::Affine(slope, slope * x),
        law => law,
    };
    let x = match &law {
        Law::Affine(x, _) => *x * x,
        _ => x,
    };
    'outer: for k in 0..3 {
        let law = match &law {
            Law::Affine(a, b) if k == 1 => Law::Linear { slope: a * b },
            Law::Power { .. } => break 'outer,
            _ => continue 'outer,
        };
        if let Law::Linear { slope } = law {
            return slope * x;
        }
    }
    apply(&law, x)
}

#[test]
fn names_for_whole_values_and_references() {
    check_all!(POINTS; whole_values whole_values_grad, references references_grad, in_chains in_chains_grad);
}

#[test]
fn payloads_that_are_lent_taken_and_grown() {
    check_all!(POINTS; lent_twice lent_twice_grad, grown grown_grad, guards guards_grad,
        indexed indexed_grad, optional optional_grad);
}

#[test]
fn odd_payloads() {
    // In single precision differences say little.
    let hand = |x: &[f64]| {
        let v = x[0] * x[2];
        let first = x[1] + v;
        (first, v)
    };
    for x in [[0.5, 1.25, 0.75], [-0.5, 0.25, 2.0]] {
        let (value, d) = odd_grad(&x);
        assert_eq!(value.to_bits(), odd(&x).to_bits());
        let smooth = |x: &[f64]| {
            let s = x[1] + x[0] * x[2];
            let v = s * x[0];
            let s = s + v * v;
            s * (v * x[1] + s)
        };
        check(smooth, |_| (smooth(&x), d.clone()), &[x]);
    }
}

#[test]
fn shadowed_names() {
    let laws = |p: &[f64], k| match k {
        0 => Law::Linear { slope: p[0] },
        1 => Law::Power {
            scale: p[0],
            exponent: 3,
        },
        _ => Law::Square,
    };
    for k in 0..3 {
        let numbers = |d| match d {
            crate::types::LawTangent::Linear { slope } => slope,
            crate::types::LawTangent::Power { scale, .. } => scale,
            _ => 0.0,
        };
        check(
            |p| shadowed(laws(p, k), p[1]),
            |p| {
                let (value, (d, dx)) = shadowed_grad(laws(p, k), p[1]);
                (value, vec![numbers(d), dx])
            },
            &[[0.7, 1.3], [-0.4, 0.9]],
        );
    }
}
