//! The variant changes from step to step.

use retrograde::{Differentiable, Record, gradient};

use crate::types::{Law, Own, Point, Shape, check_all};

const POINTS: [[f64; 3]; 4] = [
    [0.7, 1.3, 0.4],
    [-0.7, 1.3, 0.4],
    [1.5, 0.3, -0.4],
    [2.5, -0.3, 0.9],
];

#[derive(Clone, Debug, Differentiable, Record)]
enum Phase {
    Heating { temperature: f64, power: f64 },
    Holding(f64, usize),
    Cooling { temperature: f64 },
    Done,
}

#[gradient]
fn machine(x: &[f64]) -> f64 {
    let mut phase = Phase::Heating {
        temperature: x[0],
        power: x[1],
    };
    let mut energy = 0.0;
    for step in 0..8 {
        phase = match phase {
            Phase::Heating { temperature, power } if temperature < 2.0 => {
                energy += power * power;
                Phase::Heating {
                    temperature: temperature + power * 0.5,
                    power: power * (1.0 + x[2]),
                }
            }
            Phase::Heating { temperature, .. } => Phase::Holding(temperature, 0),
            Phase::Holding(temperature, n) if n < 2 => {
                energy += temperature * x[2];
                Phase::Holding(temperature.sin() + temperature, n + 1)
            }
            Phase::Holding(temperature, _) => Phase::Cooling { temperature },
            Phase::Cooling { temperature } if temperature > 1.0 => {
                energy *= 1.01;
                Phase::Cooling {
                    temperature: temperature * 0.9 - 0.1 * x[0] * temperature,
                }
            }
            Phase::Cooling { temperature } => {
                energy += temperature * temperature;
                Phase::Done
            }
            Phase::Done => Phase::Done,
        };
    }
    match phase {
        Phase::Heating { temperature, power } => energy * temperature * power,
        Phase::Holding(t, _) | Phase::Cooling { temperature: t } => energy * t,
        Phase::Done => energy,
    }
}

#[gradient]
fn machine_in_place(x: &[f64]) -> f64 {
    let mut phase = Phase::Cooling {
        temperature: x[0] + 3.0,
    };
    let mut sum = x[1];
    let mut n = 0;
    while let Phase::Cooling { temperature } = &mut phase {
        sum += *temperature * x[2];
        *temperature *= 0.7;
        if *temperature < 1.0 {
            let last = *temperature;
            phase = Phase::Holding(last * sum, n);
        }
        n += 1;
        if n == 5 {
            break;
        }
    }
    loop {
        match phase {
            Phase::Holding(ref mut t, k) => {
                *t *= x[1];
                sum += *t;
                if k > 0 {
                    phase = Phase::Done;
                } else {
                    phase = Phase::Holding(sum, 1);
                }
            }
            Phase::Cooling { temperature } => return temperature * sum,
            _ => return sum,
        }
    }
}

#[gradient]
fn zero_trips(x: &[f64]) -> f64 {
    let mut law = Law::Linear { slope: x[0] };
    let none = x.len() - 3;
    for _ in 0..none {
        law = Law::Affine(x[1], x[2]);
    }
    match law {
        Law::Linear { slope } => slope * x[2],
        Law::Affine(a, b) => a * b,
        _ => 0.0,
    }
}

#[gradient]
fn overwritten_while_needed(x: &[f64]) -> f64 {
    let mut law = Law::Affine(x[0], x[1]);
    let mut sum = 0.0;
    for k in 0..4 {
        if let Law::Affine(a, b) = law {
            sum += (a * a * b).sin();
            law = if k % 2 == 0 {
                Law::Linear { slope: a * b }
            } else {
                Law::Square
            };
            sum += 0.1 * b * sum;
        } else if let Law::Linear { slope } = &mut law {
            sum *= *slope;
            *slope = (sum * x[2]).sin();
            let copy = *slope;
            *slope *= *slope;
            law = Law::Affine(copy, sum);
        } else {
            law = Law::Power {
                scale: sum,
                exponent: 2,
            };
        }
    }
    match law {
        Law::Affine(a, b) => a * b * sum,
        Law::Linear { slope } => slope,
        Law::Power { scale, .. } => scale * scale,
        Law::Square => sum,
    }
}

#[gradient]
fn swapped(x: &[f64]) -> f64 {
    let mut a = Law::Linear { slope: x[0] };
    let mut b = Law::Affine(x[1], x[2]);
    let mut sum = 0.0;
    for _ in 0..3 {
        std::mem::swap(&mut a, &mut b);
        if let Law::Linear { slope } = &mut a {
            *slope *= x[1];
            sum += *slope;
        }
    }
    let old = std::mem::replace(
        &mut a,
        Law::Power {
            scale: sum,
            exponent: 2,
        },
    );
    if let Law::Affine(u, v) = old {
        sum += u * v;
    }
    match (a, b) {
        (Law::Power { scale, exponent }, Law::Linear { slope }) => {
            scale.powi(exponent) * slope + sum
        }
        _ => 0.0,
    }
}

#[gradient]
fn assigned_on_paths(x: &[f64]) -> f64 {
    let law;
    if x[0] > 1.0 {
        law = Law::Linear { slope: x[1] * x[0] };
    } else if x[0] > 0.0 {
        law = Law::Affine(x[2], x[0]);
    } else {
        law = Law::Square;
    }
    let mut other = Law::Square;
    if x[1] > 0.5 {
        other = law.clone();
    }
    let sum = match &other {
        Law::Affine(a, b) => a * b,
        Law::Linear { slope } => *slope,
        _ => x[1],
    };
    match law {
        Law::Affine(a, b) => a * sum + b,
        Law::Linear { slope } => slope * sum,
        _ => sum,
    }
}

#[gradient]
fn left_early(x: &[f64]) -> f64 {
    let mut own = Own::One(x[0]);
    for k in 0..6 {
        own = match own {
            Own::One(v) if v > 2.0 => return v * x[1],
            Own::One(v) => Own::Two {
                a: v * 1.5,
                b: x[1],
            },
            Own::Two { b, .. } if b < 0.0 && k > 2 => break,
            Own::Two { a, b } => {
                if k == 1 {
                    own = Own::One(a * b);
                    continue;
                }
                Own::One(a + b)
            }
        };
    }
    match own {
        Own::One(v) => v,
        Own::Two { a, b } => a * b,
    }
}

#[gradient]
fn first_of(laws: &[Law], x: f64) -> Law {
    for law in laws {
        match law {
            Law::Linear { slope } if *slope > x => return Law::Affine(*slope, x),
            Law::Affine(..) => return law.clone(),
            Law::Square => break,
            _ => {}
        }
    }
    Law::Power {
        scale: x * x,
        exponent: 2,
    }
}

#[gradient]
fn searched(x: &[f64]) -> f64 {
    let laws = [
        Law::Linear { slope: x[0] },
        Law::Power {
            scale: x[1],
            exponent: 1,
        },
        Law::Affine(x[2], x[1]),
    ];
    let mut sum = 0.0;
    for k in 0..3 {
        let found = match first_of(&laws[k..], x[1]) {
            Law::Affine(a, b) if a > b => Box::new(Law::Affine(a, b * x[2])),
            Law::Power { .. } if k > 1 => continue,
            Law::Square => break,
            other => Box::new(other),
        };
        sum += match *found {
            Law::Affine(a, b) => a * b,
            Law::Power { scale, .. } => scale * x[0],
            _ => return sum,
        };
        let kept = loop {
            match &laws[k] {
                Law::Linear { slope } => break Law::Linear { slope: slope * sum },
                other if k == 1 => break other.clone(),
                _ => {}
            }
            if k == 2 {
                return sum * x[1];
            }
        };
        if let Law::Linear { slope } | Law::Power { scale: slope, .. } = kept {
            sum += slope;
        }
    }
    sum
}

#[gradient]
fn checkpointed(x: &[f64]) -> f64 {
    let mut shape = Shape::Row([x[0], x[1], x[2]], 0);
    let mut sum = x[0];
    #[checkpoint]
    for k in 0..6 {
        shape = match shape {
            Shape::Row([a, b, c], n) if n < 2 => Shape::Row([b, c * a, a], n + 1),
            Shape::Row([a, b, c], _) => Shape::Circle(Point { x: a, y: b }, c),
            Shape::Circle(p, r) => Shape::Polygon {
                corners: vec![p; 2],
                weight: Some(r * p.x),
            },
            Shape::Polygon { corners, weight } => {
                let weight: Option<f64> = weight;
                Shape::Bent {
                    law: Law::Affine(corners[1].x, corners[0].y),
                    at: (weight.unwrap_or(0.0), sum),
                }
            }
            other => other,
        };
        if let Shape::Bent { at, .. } = &mut shape {
            at.0 *= at.1;
        }
        sum += sum.sin() * x[1];
    }
    match shape {
        Shape::Bent {
            law: Law::Affine(a, b),
            at: (c, d),
        } => a * b * c * d,
        _ => sum,
    }
}

#[gradient]
fn zero_and_nan(x: &[f64]) -> f64 {
    let mut own = Own::Two {
        a: x[0],
        b: f64::NAN,
    };
    own = match own {
        Own::Two { a, b } if b > 0.0 => Own::One(a * b),
        Own::Two { a, b } if !(b <= 0.0) => Own::One(a * x[1]),
        other => other,
    };
    match own {
        Own::One(v) => v * x[2],
        Own::Two { a, .. } => a,
    }
}

#[test]
fn machines() {
    check_all!(POINTS; machine machine_grad, machine_in_place machine_in_place_grad);
}

#[test]
fn variants_that_replace_each_other() {
    check_all!(POINTS; zero_trips zero_trips_grad, overwritten_while_needed overwritten_while_needed_grad,
        swapped swapped_grad, assigned_on_paths assigned_on_paths_grad, left_early left_early_grad,
        searched searched_grad,        zero_and_nan zero_and_nan_grad);
}

#[test]
fn enums_in_checkpointed_regions() {
    check_all!(POINTS; checkpointed checkpointed_grad);
}
