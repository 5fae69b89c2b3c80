//! What programs with enums do as a rule: replace themselves, dispatch to the types in their payloads, hold lists.

use retrograde::{Differentiable, Flat, Record, gradient};

use crate::types::{check, check_all};

const POINTS: [[f64; 3]; 3] = [[0.7, 1.3, 0.4], [-0.7, 0.3, 0.4], [1.5, 0.3, -0.4]];

#[derive(Clone, Debug, Default, PartialEq, Differentiable, Record)]
enum Valve {
    Open {
        flow: f64,
    },
    Closing(f64, usize),
    #[default]
    Shut,
}

#[gradient]
impl Valve {
    fn advance(&mut self, by: f64) {
        *self = match std::mem::replace(self, Valve::Shut) {
            Self::Open { flow } if flow > by => Self::Closing(flow * by, 0),
            Self::Open { flow } => Self::Open { flow: flow + by },
            Self::Closing(flow, n) if n < 2 => Self::Closing(flow * 0.5, n + 1),
            Self::Closing(flow, _) => Self::Open { flow },
            Self::Shut => Self::Open { flow: by },
        };
    }

    fn taken(&mut self, by: f64) -> f64 {
        match std::mem::take(self) {
            Valve::Open { flow } => flow * by,
            Valve::Closing(flow, _) => {
                *self = Valve::Open { flow };
                flow
            }
            Valve::Shut => by,
        }
    }

    fn opened(&mut self, by: f64) {
        if let Valve::Shut = self {
            *self = Valve::Open { flow: by };
        }
        if let Self::Open { flow } = self {
            *flow *= 1.5;
        }
        let Self::Open { flow } = self else {
            return;
        };
        *flow += by;
    }

    fn against(&self, other: &Self) -> f64 {
        match (self, other) {
            (Self::Open { flow: a }, Self::Open { flow: b }) => a - b,
            (Self::Open { flow }, _) | (_, Self::Open { flow }) => *flow,
            (Self::Closing(a, n), Self::Closing(b, m)) if n == m => a * b,
            _ => 0.5,
        }
    }

    fn is_fast(&self, limit: f64) -> bool {
        matches!(self, Self::Open { flow } if *flow > limit)
    }
}

#[gradient]
fn valves(x: &[f64]) -> f64 {
    let mut a = Valve::Open { flow: x[0] };
    let mut b = Valve::default();
    let mut sum = 0.0;
    for k in 0..6 {
        a.advance(x[1]);
        if a.is_fast(1.0) {
            b.opened(x[2]);
        }
        sum += a.against(&b) + b.against(&b) * x[k % 3];
        if k == 3 {
            sum += a.taken(x[0]) * b.taken(sum);
        }
    }
    sum
}

#[test]
fn enums_replace_themselves() {
    check_all!(POINTS; valves valves_grad);
}

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct Circle {
    radius: f64,
}

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct Rectangle {
    width: f64,
    height: f64,
}

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
enum Figure {
    Circle(Circle),
    Rectangle(Rectangle),
    Group { scale: f64, members: Vec<Figure> },
}

#[gradient]
impl Circle {
    fn area(&self) -> f64 {
        3.0 * self.radius * self.radius
    }

    fn grow(&mut self, by: f64) {
        self.radius *= by;
    }
}

#[gradient]
impl Rectangle {
    fn area(&self) -> f64 {
        self.width * self.height
    }

    fn grow(&mut self, by: f64) {
        self.width += by;
        self.height *= by;
    }
}

#[gradient]
impl Figure {
    fn area(&self) -> f64 {
        match self {
            Figure::Circle(c) => c.area(),
            Figure::Rectangle(r) => r.area(),
            Figure::Group { scale, members } => {
                let mut sum = 0.0;
                for member in members.iter() {
                    sum += member.area();
                }
                scale * sum
            }
        }
    }

    fn weighed(&self, density: f64) -> f64 {
        match self {
            Figure::Group { scale, members } => {
                scale * members.iter().map(|m| m.weighed(density)).sum::<f64>()
            }
            figure => figure.area() * density,
        }
    }

    fn grow(&mut self, by: f64) {
        match self {
            Figure::Circle(c) => c.grow(by),
            Figure::Rectangle(r) => r.grow(by),
            Figure::Group { scale, members } => {
                for member in members.iter_mut() {
                    member.grow(by * *scale);
                }
                *scale *= by;
                members.push(Figure::Circle(Circle { radius: *scale }));
            }
        }
    }
}

fn figures(p: &[f64]) -> Figure {
    let rectangle = Rectangle {
        width: p[0],
        height: p[1],
    };
    let inner = Figure::Group {
        scale: p[2],
        members: vec![Figure::Rectangle(rectangle)],
    };
    let circle = Figure::Circle(Circle { radius: p[1] });
    Figure::Group {
        scale: p[3],
        members: vec![circle, inner],
    }
}

fn back(d: &FigureTangent) -> Vec<f64> {
    let flat = d.to_flat();
    // scale, radius, scale, width, height
    vec![flat[3], flat[1] + flat[4], flat[2], flat[0]]
}

#[gradient]
fn grown(figure: &Figure, by: f64) -> f64 {
    let mut figure = figure.clone();
    figure.grow(by);
    figure.grow(by * by);
    figure.area() * figure.weighed(by)
}

#[test]
fn enums_dispatch_to_their_payloads() {
    let points = [[0.7, 1.3, 0.4, 0.9, 1.1], [-0.2, 0.5, 1.1, 0.6, 0.8]];
    check(
        |p| figures(p).weighed(p[4]),
        |p| {
            let (value, (d, by)) = figures(p).weighed_grad(p[4]);
            (value, [back(&d), vec![by]].concat())
        },
        &points,
    );
    check(
        |p| grown(&figures(p), p[4]),
        |p| {
            let (value, (d, by)) = grown_grad(&figures(p), p[4]);
            (value, [back(&d), vec![by]].concat())
        },
        &points,
    );
}

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
enum Sum {
    Number(f64),
    Of(Vec<Sum>),
    Pair(Box<(Sum, Sum)>),
    Maybe(Option<Box<Sum>>),
}

#[gradient]
fn total(sum: &Sum) -> f64 {
    match sum {
        Sum::Number(x) => x * x,
        Sum::Of(parts) => {
            let mut all = 0.0;
            for part in parts {
                all += total(part);
            }
            for i in 0..parts.len() {
                all *= 1.0 + 0.1 * total(&parts[i]);
            }
            all
        }
        Sum::Pair(both) => {
            let (a, b) = &**both;
            total(a) * total(b)
        }
        Sum::Maybe(Some(inner)) => 2.0 * total(inner),
        Sum::Maybe(None) => 1.0,
    }
}

#[gradient]
fn total_of(sum: Sum) -> f64 {
    match sum {
        Sum::Number(x) => x * x,
        Sum::Of(parts) => {
            let mut all = 0.0;
            for part in parts {
                all += total_of(part);
            }
            all
        }
        other => total(&other),
    }
}

#[gradient]
fn nested(x: &[f64]) -> f64 {
    let mut parts = Vec::new();
    for v in x {
        parts.push(Sum::Number(*v));
    }
    let of = Sum::Of(parts);
    let by_value = total_of(Sum::Of(vec![of.clone(), Sum::Number(x[0]), of.clone()]));
    let pair = Sum::Pair(Box::new((of.clone(), Sum::Maybe(Some(Box::new(of))))));
    total(&pair) + total(&Sum::Maybe(None)) * by_value
}

#[test]
fn payloads_that_hold_the_enum_itself() {
    check_all!(POINTS; nested nested_grad);
}
