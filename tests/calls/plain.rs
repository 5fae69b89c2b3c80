//! Functions without an attribute whose result has no derivative.

use retrograde::{Differentiable, gradient};

#[derive(Debug, PartialEq)]
enum Fault {
    Negative(f64),
    Short { len: usize },
}

fn check(x: f64) -> Result<(), Fault> {
    if x < 0.0 {
        Err(Fault::Negative(x))
    } else {
        Ok(())
    }
}

fn check_len(x: &[f64]) -> Result<usize, Fault> {
    if x.len() < 2 {
        return Err(Fault::Short { len: x.len() });
    }
    Ok(x.len())
}

#[test]
fn checks_of_arguments() {
    assert_eq!(root_grad(&[4.0, 1.0]), Ok((4.0, vec![0.5, 0.0])));
    assert_eq!(root_grad(&[4.0]), Err(Fault::Short { len: 1 }));
    assert_eq!(root_grad(&[-4.0, 1.0]), Err(Fault::Negative(-4.0)));
}

#[gradient]
fn root(x: &[f64]) -> Result<f64, Fault> {
    let n = check_len(x)?;
    check(x[0])?;
    Ok(x[0].sqrt() * n as f64)
}

fn level(x: f64) -> usize {
    let scaled = clamped(x) * 2.0;
    scaled.floor() as usize
}

fn clamped(x: f64) -> f64 {
    x.max(0.0).min(1.0)
}

/// Items of the body have other names.
#[gradient]
fn beside_items(x: f64, table: &[f64]) -> f64 {
    const SCALE: f64 = 0.5;
    #[gradient]
    fn doubled(a: f64) -> f64 {
        a.sin() * 2.0
    }
    let weight = if level({
        let t = x * SCALE;
        t
    }) % 2
        == 0
    {
        x
    } else {
        doubled(x)
    };
    weight * table[level(x) % table.len()]
}

#[test]
fn items_of_the_body_are_no_hindrance() {
    let table = [0.2, 0.7, 0.9];
    // The level counts and has no derivative.
    assert_eq!(beside_items_grad(0.7, &table).0, 0.7 * 0.7);
    assert_eq!(beside_items_grad(0.7, &table).1, (0.7, vec![0.0, 0.7, 0.0]));
}

fn interval(knots: &[f64], x: f64) -> Option<usize> {
    assert!(!knots.is_empty(), "no knots");
    knots
        .windows(2)
        .position(|pair| pair[0] <= x && x < pair[1])
}

fn ends(knots: &[f64], x: f64) -> (usize, usize) {
    match interval(knots, x) {
        Some(i) => (i, i + 1),
        None => (0, knots.len() - 1),
    }
}

#[gradient]
fn looked_up(table: &[f64], x: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..table.len() {
        let n = level(x * table[i]);
        sum += table[n] * x;
    }
    sum
}

#[gradient]
fn linear(knots: &[f64], values: &[f64], x: f64) -> f64 {
    let (a, b) = ends(knots, x);
    let t = (x - knots[a]) / (knots[b] - knots[a]);
    values[a] + t * (values[b] - values[a])
}

#[test]
fn positions() {
    let table = [0.2, 0.9, 0.6];
    let (value, (d, dx)) = looked_up_grad(&table, 0.8);
    assert_eq!(value, looked_up(&table, 0.8));
    // The levels are 0, 1 and 0.
    assert_eq!((d, dx), (vec![1.6, 0.8, 0.0], 0.2 + 0.9 + 0.2));

    let (knots, values) = ([0.0, 1.0, 3.0], [2.0, 5.0, 4.0]);
    let (value, (_, of_values, dx)) = linear_grad(&knots, &values, 2.5);
    assert_eq!(value, linear(&knots, &values, 2.5));
    assert_eq!((of_values, dx), (vec![0.0, 0.25, 0.75], -0.5));
    // Outside: from the first to the last.
    assert_eq!(linear_grad(&knots, &values, 6.0).1.2, 2.0 / 3.0);
}

#[derive(Clone, Copy, PartialEq)]
enum Regime {
    Laminar,
    Turbulent,
}

fn regime(reynolds: f64) -> Regime {
    if reynolds < 2300.0 {
        Regime::Laminar
    } else {
        Regime::Turbulent
    }
}

#[derive(Clone, Copy, Debug, Differentiable)]
#[differentiable(tangent = Self)]
struct Pipe {
    diameter: f64,
}

#[gradient]
impl Pipe {
    fn friction(&self, speed: f64) -> f64 {
        let reynolds = speed * self.diameter * 1e6;
        match regime(reynolds) {
            Regime::Laminar => 64.0 / reynolds,
            Regime::Turbulent => 0.25 / reynolds.powi(2),
        }
    }
}

/// The variant changes on the way.
#[gradient]
fn switched(x: &[f64]) -> f64 {
    let mut sum = 1.0;
    let mut now = regime(x[0]);
    for v in x {
        if now == Regime::Laminar {
            sum += v;
        } else {
            sum *= v;
        }
        now = regime(1e3 * v);
    }
    sum
}

#[test]
fn variants() {
    let pipe = Pipe { diameter: 0.5 };
    let (value, (d, dv)) = pipe.friction_grad(0.004);
    assert_eq!(value, 64.0 / 2000.0);
    assert!((d.diameter + value / 0.5).abs() < 1e-15 && (dv + value / 0.004).abs() < 1e-12);
    let (value, (d, dv)) = pipe.friction_grad(2.0);
    assert_eq!(value, pipe.friction(2.0));
    assert!((d.diameter + 2.0 * value / 0.5).abs() < 1e-24 && (dv + value).abs() < 1e-24);

    // ((1 + x0) + x1) * x2 + x3
    let x = [0.5, 3.0, 2.0, 0.25];
    let (value, d) = switched_grad(&x);
    assert_eq!(value, switched(&x));
    assert_eq!(d, [2.0, 2.0, 4.5, 1.0]);
}

struct Bounds {
    low: f64,
    high: f64,
}

impl Bounds {
    fn width(&self) -> f64 {
        self.high - self.low
    }
}

fn order(a: &f64, b: &f64) -> std::cmp::Ordering {
    a.total_cmp(b)
}

/// Methods of the file, closures, functions that are given to others, and containers of its own.
fn bin(bounds: &Bounds, x: f64) -> usize {
    let scaled = |x: f64| (x - bounds.low) / bounds.width();
    let mut all = vec![scaled(x), 0.0];
    all.push(0.75);
    all.sort_by(order);
    let most = all.iter().copied().fold(0.0, f64::max);
    if matches!(x, v if v > 1e3) {
        return 0;
    }
    (most * 4.0).floor() as usize
}

#[gradient]
fn binned(x: &[f64], #[constant] bounds: &Bounds) -> f64 {
    let mut sum = 0.0;
    for v in x {
        sum += v * v * bin(bounds, *v) as f64;
    }
    sum
}

#[test]
fn bodies_call_what_the_file_shows() {
    let bounds = Bounds {
        low: 0.0,
        high: 2.0,
    };
    let x = [0.3, 1.9, 5.0];
    let (value, d) = binned_grad(&x, &bounds);
    assert_eq!(value, binned(&x, &bounds));
    // The bins are 3, 3 and 10.
    assert_eq!(d, [2.0 * 0.3 * 3.0, 2.0 * 1.9 * 3.0, 2.0 * 5.0 * 10.0]);
}
