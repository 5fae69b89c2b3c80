//! How variants are named: through `use`, `Self`, paths of modules, aliases, raw names; payloads of one variant only.

use retrograde::{Differentiable, Record, gradient};

use crate::types::{Law, check_all};

const POINTS: [[f64; 3]; 3] = [[0.7, 1.3, 0.4], [-0.7, 1.3, 0.4], [1.5, 0.3, -0.4]];

mod deep {
    pub(crate) mod er {
        use retrograde::{Differentiable, Record};

        #[derive(Clone, Debug, Differentiable, Record)]
        pub(crate) enum Motion {
            Free { velocity: f64 },
            Spring(f64, f64),
            Fixed,
        }
    }
}

use deep::er::Motion::{self, *};

#[gradient]
fn by_name(x: &[f64]) -> f64 {
    let motion = if x[0] > 1.0 {
        Fixed
    } else if x[0] > 0.0 {
        Free {
            velocity: x[0] * x[1],
        }
    } else {
        Spring(x[1], x[2] * x[0])
    };
    let first = match &motion {
        Free { velocity } => *velocity,
        Spring(k, l) => k * l,
        Fixed => x[2],
    };
    if let Spring(k, _) = motion {
        return k * first;
    }
    let Free { velocity: v } = motion else {
        return first;
    };
    v * first
}

#[gradient]
fn used_in_the_body(x: &[f64]) -> f64 {
    use crate::types::Law::{Affine, Linear};
    let law = if x[0] > 0.0 {
        Affine(x[0], x[1])
    } else {
        Linear { slope: x[2] }
    };
    match law {
        Affine(a, b) => a * b,
        Linear { slope } => slope * x[0],
        _ => 0.0,
    }
}

type L = Law;

#[gradient]
fn through_paths(x: &[f64]) -> f64 {
    let law = if x[0] > 0.0 {
        L::Affine(x[0], x[1])
    } else {
        crate::types::Law::Linear { slope: x[2] }
    };
    let moved = match x[0] > 1.0 {
        true => deep::er::Motion::Spring(x[0], x[2]),
        false => deep::er::Motion::Free { velocity: x[1] },
    };
    let factor = match moved {
        Motion::Spring(a, b) => a * b,
        deep::er::Motion::Free { velocity } => velocity,
        Motion::Fixed => 0.0,
    };
    factor
        * match law {
            self::L::Affine(a, b) => a * b,
            L::Linear { slope } => slope * x[0],
            _ => 0.0,
        }
}

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
#[allow(non_camel_case_types)]
enum Names {
    r#Type { r#match: f64, r#fn: f64 },
    A_b { c: f64 },
    A { b_c: f64 },
    Mut(f64),
}

#[gradient]
fn raw(x: &[f64]) -> f64 {
    let mut sum = 1.0;
    for k in 0..4 {
        let names = match k {
            0 => Names::r#Type {
                r#match: x[0],
                r#fn: x[1],
            },
            1 => Names::A_b { c: x[2] * sum },
            2 => Names::A { b_c: sum * sum },
            _ => Names::Mut(sum * x[0]),
        };
        sum += match names {
            Names::Type {
                r#match,
                r#fn: other,
            } => r#match * other,
            Names::A_b { c } => c * c,
            Names::A { b_c } => b_c,
            Names::Mut(v) => v,
        };
    }
    sum
}

#[derive(Clone, Debug, Differentiable, Record)]
enum Only {
    One(f64, f64),
}

#[gradient]
fn one_variant(x: &[f64]) -> f64 {
    let Only::One(a, b) = Only::One(x[0] * x[1], x[2]);
    let mut only = Only::One(a * b, a);
    let Only::One(c, d) = &mut only;
    *c *= *d;
    *d = *c * x[0];
    match only {
        Only::One(e, f) => e * f,
    }
}

#[derive(Clone, Debug, Differentiable, Record)]
enum Holder<T, const N: usize> {
    Many([T; N]),
    One { value: T, at: usize },
}

#[gradient]
fn generic(x: &[f64]) -> f64 {
    let many = Holder::Many([x[0], x[1], x[2]]);
    let mut holder = if x[0] > 0.0 {
        many
    } else {
        Holder::One { value: x[1], at: 2 }
    };
    if let Holder::Many(values) = &mut holder {
        values[1] *= values[0];
    }
    match holder {
        Holder::Many([a, b, c]) => a * b * c,
        Holder::One { value, at } => value * x[at],
    }
}

#[test]
fn names_that_stand_alone() {
    check_all!(POINTS; by_name by_name_grad, used_in_the_body used_in_the_body_grad);
}

#[test]
fn paths_raw_names_and_generic_enums() {
    check_all!(POINTS; through_paths through_paths_grad, raw raw_grad, one_variant one_variant_grad,
        generic generic_grad);
}

#[derive(Clone, Debug, Differentiable, Record)]
enum Gate {
    Open { flow: f64 },
    Partly(f64, f64),
    Shut,
}

#[gradient]
impl Gate {
    fn flow(&self, pressure: f64) -> f64 {
        match self {
            Self::Open { flow } => flow * pressure,
            Self::Partly(a, b) => a * pressure.sqrt() + b,
            Gate::Shut => 0.0,
        }
    }

    fn turned(self, by: f64) -> Self {
        match self {
            Self::Open { flow } if flow > by => Self::Partly(flow, by),
            Self::Open { flow } => Self::Open { flow: flow + by },
            Self::Partly(a, b) => Self::Open { flow: a * b * by },
            Self::Shut => Gate::Open { flow: by },
        }
    }

    fn turn(&mut self, by: f64) {
        match self {
            Gate::Open { flow } => {
                *flow *= by;
                if *flow > 1.0 {
                    *self = Gate::Shut;
                }
            }
            Gate::Partly(a, b) => *a += *b * by,
            Gate::Shut => *self = Self::Partly(by, by * by),
        }
    }

    fn scaled(factor: f64) -> Self {
        Self::Open { flow: 2.0 * factor }
    }

    fn is_open(&self) -> bool {
        matches!(self, Self::Open { .. })
    }
}

#[gradient]
fn methods(x: &[f64]) -> f64 {
    let mut gate = Gate::scaled(x[0]);
    let mut sum = 0.0;
    for k in 0..5 {
        sum += gate.flow(x[1]);
        if gate.is_open() || k == 3 {
            gate.turn(x[2] + 1.0);
        } else {
            gate = gate.turned(x[1]);
        }
    }
    sum + Gate::Partly(x[0], sum).turned(x[1]).flow(2.0)
}

#[test]
fn methods_of_enums() {
    check_all!(POINTS; methods methods_grad);
    let (value, (slope, dp)) = Gate::Partly(2.0, 0.5).flow_grad(4.0);
    assert_eq!((value, dp), (4.5, 0.5));
    assert_eq!(slope, GateTangent::Partly(2.0, 1.0));
    assert_eq!(Gate::Shut.flow_grad(4.0), (0.0, (GateTangent::Shut, 0.0)));
}
