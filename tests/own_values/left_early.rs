//! Functions that return structs, and leave loops early: no type has a default value.

use retrograde::{Differentiable, Record, gradient};

use super::support::check;

#[derive(Clone, Copy, Debug, Differentiable, Record)]
struct Root {
    x: f64,
    slope: f64,
    steps: usize,
}

#[derive(Clone, Debug, Differentiable, Record)]
struct Path {
    points: Vec<f64>,
    end: Root,
}

#[derive(Clone, Copy, Debug, Differentiable, Record)]
struct Two<T>(T, T);

#[gradient]
fn newton(c: f64, start: f64) -> Root {
    let mut x = start;
    for steps in 0..20 {
        let (f, slope) = (x * x * x - c, 3.0 * x * x);
        if f.abs() < 1e-3 {
            return Root { x, slope, steps };
        }
        x -= f / slope;
    }
    Root {
        x,
        slope: 0.0,
        steps: 20,
    }
}

#[gradient]
fn walk(x: &[f64], limit: f64) -> Path {
    let mut points = Vec::new();
    let mut at = 0.0;
    for i in 0..x.len() {
        for k in 0..3 {
            at += x[i] * (k as f64 + 0.5);
            if at > limit {
                let end = Root {
                    x: at,
                    slope: x[i],
                    steps: i,
                };
                return Path { points, end };
            }
        }
        points.push(at * at);
    }
    let end = Root {
        x: at * limit,
        slope: 1.0,
        steps: x.len(),
    };
    Path { points, end }
}

/// In a labelled block, and of a type with a parameter.
#[gradient]
fn labelled(x: &[f64], by: f64) -> f64 {
    let mut sum = 0.0;
    for &v in x {
        let two: Two<f64> = 'found: {
            for k in 0..3 {
                let t = v * by + k as f64;
                if t > 1.0 {
                    break 'found Two(t, v);
                }
                if t < -1.0 {
                    continue;
                }
                sum += 0.1 * t;
            }
            Two(v * v, by)
        };
        sum += two.0 * two.1.sin();
    }
    sum
}

/// A variable that some paths assign, and others leave.
#[gradient]
fn chosen(a: Root, b: &Root, t: f64) -> Root {
    let r: Root;
    if t > 1.0 {
        r = a;
    } else if t > 0.0 {
        r = Root { x: t * b.x, ..*b };
    } else {
        return *b;
    }
    let mut r = r;
    r.slope += t * a.x;
    r
}

impl Root {
    #[gradient]
    fn refined(&self, c: f64) -> Root {
        let mut r = *self;
        while r.steps < 9 {
            let f = r.x * r.x - c;
            if f.abs() < 1e-2 {
                return Root {
                    slope: r.x * c,
                    ..r
                };
            }
            r.x -= f / (2.0 * r.x);
            r.steps += 1;
        }
        r
    }
}

#[gradient]
fn of_newton(c: f64, start: f64) -> f64 {
    let r = newton(c, start);
    r.x * r.slope + r.steps as f64
}

#[gradient]
fn of_walk(x: &[f64], limit: f64) -> f64 {
    let p = walk(x, limit);
    p.points.iter().sum::<f64>() + p.end.x * p.end.slope
}

#[gradient]
fn of_chosen(x: f64, y: f64, t: f64) -> f64 {
    let a = Root {
        x,
        slope: x * y,
        steps: 1,
    };
    let b = Root {
        x: y,
        slope: y * t,
        steps: 2,
    };
    let r = chosen(a, &b, t);
    r.x * r.slope + r.steps as f64
}

#[gradient]
fn of_refined(x: f64, c: f64) -> f64 {
    let start = Root {
        x,
        slope: 1.0,
        steps: 0,
    };
    let r = start.refined(c);
    r.x * r.slope * c
}

#[test]
fn returned_out_of_a_loop() {
    check(
        |v| of_newton(v[0], v[1]),
        |v| of_newton_grad(v[0], v[1]),
        &[&[2.0, 1.0], &[8.0, 2.3], &[0.3, 4.0], &[5.0, 1.2]],
    );
}

#[test]
fn returned_out_of_two_loops() {
    let x = [0.3, -0.2, 0.7, 0.4];
    for limit in [-1.0, 0.1, 0.9, 1.5, 9.0] {
        for n in 0..=4 {
            let mut at = x[..n].to_vec();
            at.push(limit);
            check(
                |v| of_walk(&v[..n], v[n]),
                |v| of_walk_grad(&v[..n], v[n]),
                &[&at],
            );
        }
    }
}

#[test]
fn broken_out_of_a_block() {
    for by in [-2.0, 0.4, 1.2, 3.0] {
        check(
            |v| labelled(&v[..4], v[4]),
            |v| labelled_grad(&v[..4], v[4]),
            &[&[0.3, -0.9, 1.7, 0.4, by]],
        );
    }
}

#[test]
fn assigned_on_some_paths() {
    check(
        |v| of_chosen(v[0], v[1], v[2]),
        |v| of_chosen_grad(v[0], v[1], v[2]),
        &[&[0.7, -1.3, 1.5], &[0.7, -1.3, 0.5], &[0.7, -1.3, -0.5]],
    );
}

#[test]
fn returned_by_a_method() {
    check(
        |v| of_refined(v[0], v[1]),
        |v| of_refined_grad(v[0], v[1]),
        &[&[1.0, 2.0], &[1.5, 2.25], &[30.0, 0.5], &[-1.0, 2.0]],
    );
}

// What an operator makes of two values, of which no literal shows the type.

#[gradient]
impl std::ops::Sub for Root {
    type Output = Root;
    fn sub(self, other: Root) -> Root {
        Root {
            x: self.x - other.x,
            slope: self.slope * other.slope,
            steps: self.steps,
        }
    }
}

#[gradient]
impl Root {
    fn apart(&self, other: &Root, limit: f64) -> Root {
        if limit < 0.0 {
            return *other;
        } else if limit < 1.0 {
            if self.x > other.x {
                return *self - *other;
            }
        }
        (*self - *other) - *self
    }
}

#[gradient]
fn of_apart(a: f64, b: f64, limit: f64) -> f64 {
    let first = Root {
        x: a,
        slope: a * b,
        steps: 1,
    };
    let second = Root {
        x: b,
        slope: b,
        steps: 2,
    };
    let left = first.apart(&second, limit);
    left.x * left.slope
}

#[test]
fn returned_by_an_operator() {
    check(
        |v| of_apart(v[0], v[1], v[2]),
        |v| of_apart_grad(v[0], v[1], v[2]),
        &[
            &[0.7, 1.3, -1.0],
            &[0.7, 1.3, 0.5],
            &[1.7, 1.3, 0.5],
            &[1.7, -1.3, 1.5],
        ],
    );
}
