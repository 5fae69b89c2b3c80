//! Results of callees whose types the caller's text does not show.

use retrograde::gradient;

use crate::support::number::{D, num};
use crate::support::{check, check_dual};

const POINTS: &[&[f64]] = &[&[0.8], &[-1.3], &[0.35]];

#[gradient]
fn powers(x: f64) -> Vec<f64> {
    vec![x, x * x, x * x * x]
}

#[gradient]
fn pair(x: f64) -> [f64; 2] {
    [x, x * x]
}

#[gradient]
fn rows(x: f64) -> Vec<Vec<f64>> {
    vec![vec![x, x * x], vec![x * x * x]]
}

#[gradient]
fn grown_and_shortened(x: f64) -> f64 {
    let mut v = powers(x);
    v.push(x.sin());
    v[0] += 1.0;
    let last = v.pop().unwrap();
    v.swap(0, 2);
    v.truncate(2);
    last * v[0] * v[1]
}

#[gradient]
fn run_over(x: f64) -> f64 {
    let mut s = 1.0;
    for y in powers(x) {
        s = s * y + y;
    }
    for (i, y) in pair(x).iter().enumerate() {
        s += y.sin() * i as f64;
    }
    let q = pair(x);
    for y in q {
        s *= y;
    }
    s
}

#[gradient]
fn array_methods(x: f64) -> f64 {
    let mut a = pair(x);
    a.fill(x);
    a[1] += 3.0;
    a.swap(0, 1);
    let mut b = pair(x * x);
    b.copy_from_slice(&a);
    b[0] * a.last().unwrap() * b.first().unwrap()
}

#[gradient]
fn nested(x: f64) -> f64 {
    let mut s = 0.0;
    for row in rows(x) {
        for y in row {
            s = s * y + 1.0;
        }
    }
    let mut w = rows(x);
    w.push(vec![s]);
    w[0].push(x);
    while let Some(row) = w.pop() {
        s += row[0] * row[row.len() - 1];
    }
    s
}

#[test]
fn methods_show_that_a_result_is_a_container() {
    check_dual(
        |p| grown_and_shortened(p[0]),
        |p| grown_and_shortened_grad(p[0]),
        |p| p[0].sin() * (p[0] * p[0] * p[0]) * (p[0] * p[0]),
        POINTS,
    );
    check_dual(
        |p| array_methods(p[0]),
        |p| array_methods_grad(p[0]),
        |p| (p[0] + num(3.0)) * p[0] * (p[0] + num(3.0)),
        POINTS,
    );
}

#[test]
fn loops_over_results() {
    let oracle = |p: &[D]| {
        let x = p[0];
        let mut s = num(1.0);
        for y in [x, x * x, x * x * x] {
            s = s * y + y;
        }
        s += (x * x).sin();
        s * x * (x * x)
    };
    check_dual(|p| run_over(p[0]), |p| run_over_grad(p[0]), oracle, POINTS);
    let oracle = |p: &[D]| {
        let x = p[0];
        let mut s = num(0.0);
        for y in [x, x * x, x * x * x] {
            s = s * y + num(1.0);
        }
        s = s + s * s;
        s = s + (x * x * x) * (x * x * x);
        s + x * x
    };
    check_dual(|p| nested(p[0]), |p| nested_grad(p[0]), oracle, POINTS);
}

const QUARTER: f32 = 0.25;
static TABLE: [f32; 2] = [0.5, 1.5];

#[gradient]
fn half(x: f32) -> f32 {
    x * 0.5
}

/// Literals without suffix beside constants and results of unseen types: rustc says that they are `f32`.
#[gradient]
fn single(x: f32) -> f32 {
    let scale = 0.5;
    let start = if x > 0.0 { 2.0 } else { TABLE[1] };
    let mut s = QUARTER * scale + start;
    s = (0.125 + TABLE[0]) * s + (TABLE[1] + 0.5).sin() * x;
    let y = half(x) / (1.5 + half(QUARTER).abs());
    s * y
}

#[test]
fn literals_take_the_width_of_what_stands_beside_them() {
    let hand = |p: &[f64]| {
        let x = p[0] as f32;
        let start = if x > 0.0 { 2.0 } else { 1.5 };
        let (a, b) = (0.625 * (0.125 + start), 2.0_f32.sin());
        let w = 0.5 / 1.625;
        vec![f64::from(w * (a + 2.0 * b * x))]
    };
    for p in POINTS {
        let (value, slope) = single_grad(p[0] as f32);
        assert_eq!(value, single(p[0] as f32));
        let want = hand(p)[0];
        assert!(
            (f64::from(slope) - want).abs() < 1e-5 * want.abs().max(1.0),
            "{slope} {want}"
        );
    }
}

static NODES: [f64; 3] = [0.5, -1.5, 2.5];

#[gradient]
fn square_and_count(x: f64, n: usize) -> (f64, usize) {
    (x * x, n)
}

/// Methods that floats and integers share, and questions, on values of unseen types.
#[gradient]
fn shared_methods(x: f64, n: usize) -> f64 {
    let (a, k) = square_and_count(x, n);
    let b = NODES[k.min(2)];
    if b.is_nan() || a.is_sign_negative() {
        return 0.0;
    }
    let low = square_and_count(x, 1).0.min(b.abs());
    low * b.sin() + a * k.max(1) as f64
}

#[gradient]
fn taken(x: f64) -> f64 {
    let mut y = square_and_count(x, 0).0;
    let z = std::mem::take(&mut y);
    let mut v = powers(x);
    let w = std::mem::take(&mut v);
    v.push(x);
    let mut a = [x, x * x];
    let b = std::mem::take(&mut a);
    (y + z) * w[2] * v[0] + b[0] * b[1] + a[0]
}

#[test]
fn methods_of_numbers_of_unseen_types() {
    for n in 0..4 {
        let node = NODES[n.min(2)];
        let oracle = |p: &[D]| {
            let a = p[0] * p[0];
            let low = if a.value() < node.abs() {
                a
            } else {
                num(node.abs())
            };
            low * num(node.sin()) + a * num(n.max(1) as f64)
        };
        check_dual(
            |p| shared_methods(p[0], n),
            |p| shared_methods_grad(p[0], n),
            oracle,
            POINTS,
        );
    }
}

#[test]
fn default_left_behind() {
    let oracle = |p: &[D]| {
        let x = p[0];
        (x * x) * (x * x * x) * x + x * (x * x)
    };
    check_dual(|p| taken(p[0]), |p| taken_grad(p[0]), oracle, POINTS);
}

/// Results that several paths assign, some of which leave the loop.
#[gradient(no(inline))]
fn on_several_paths(p: &[f64]) -> f64 {
    let mut s = 1.0;
    for v in p {
        let y = match p.len() {
            0 => {
                if *v < 0.0 {
                    return s;
                }
                square(*v)
            }
            1 => {
                if *v > 3.0 {
                    break;
                }
                square(*v)
            }
            _ => {
                if *v < -3.0 {
                    continue;
                }
                square(s)
            }
        };
        let w = if s > 0.5 {
            if y > 9.0 {
                break;
            }
            powers(*v)
        } else {
            powers(s)
        };
        s += y * w[0] * w[1];
    }
    s
}

#[gradient]
fn square(x: f64) -> f64 {
    x * x
}

#[test]
fn results_beside_early_exits() {
    let inputs: &[&[f64]] = &[&[0.5, 0.7], &[2.0, -4.0], &[0.3, -0.9, 0.8], &[1.5], &[4.0]];
    check(
        |p| on_several_paths(p),
        |p| on_several_paths_grad(p),
        inputs,
    );
}

#[gradient]
fn of_pair(p: (f32, f32), v: &[f32], n: usize) -> (f32, f32) {
    (p.0 * v[0], p.1 + n as f32)
}

#[gradient]
fn of_containers(p: Vec<f32>, q: [f32; 2], v: &Vec<f32>, o: Option<f32>) -> f32 {
    p[0] * q[1] * v[0] + if let Some(x) = o { x } else { 0.0 }
}

/// Literals in what is passed: only the callee says that they are `f32`.
#[gradient]
fn literals_passed(x: f32) -> f32 {
    let u = of_pair((0.5, 3.), &[x], 3);
    let t = of_pair((0.5, x), &[1.0, 2.0], 3);
    let a = of_containers(vec![0.5, 1.0], [1.0, 2.0], &vec![x], Some(0.5));
    let b = of_containers(vec![x], [0.5; 2], &vec![0.5; 3], None);
    u.0 * a + t.1 * b
}

#[test]
fn literals_take_the_width_of_the_parameter() {
    for x in [0.8_f32, -1.3] {
        let (value, slope) = literals_passed_grad(x);
        assert_eq!(value, literals_passed(x));
        // 0.5 x (x + 0.5) + (x + 3) x / 4
        let want = 1.5 * x + 1.0;
        assert!((slope - want).abs() < 1e-5, "{slope} {want}");
    }
}

/// Casts of results, back through types that the text does not show.
#[gradient]
fn rounded(x: f64) -> f64 {
    let y = square(x).sin();
    let z: f32 = half(y as f32);
    z as f64 * y
}

#[test]
fn casts_of_results() {
    for p in POINTS {
        let (value, slope) = rounded_grad(p[0]);
        assert_eq!(value, rounded(p[0]));
        let want = (p[0] * p[0]).sin() * (p[0] * p[0]).cos() * 2.0 * p[0];
        assert!((slope - want).abs() < 1e-6, "{slope} {want}");
    }
}
