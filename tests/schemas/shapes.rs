//! Kinds of structs and of loops over their fields, against differences: parameters of types, several floats, structs
//! that macros define, bounds and counters that are fields.

use retrograde::{Differentiable, Flat, Record, Tape, gradient};

use super::oracle::value;

fn check<S>(what: &str, s: &S, f: fn(&S) -> f64, grad: fn(&S) -> (f64, S::Tangent))
where
    S: Differentiable + Flat + Clone,
    S::Tangent: Flat,
{
    value(what, std::slice::from_ref(s), f, grad);
}

fn numbers(n: usize, at: f64) -> Vec<f64> {
    (0..n).map(|i| (at + 1.3 * i as f64).sin() + 1.2).collect()
}

#[derive(Clone, Debug, Differentiable)]
struct Filter<const N: usize> {
    taps: [f64; N],
    gain: f64,
}

#[gradient]
fn filtered<const N: usize>(f: &Filter<N>) -> f64 {
    let mut s = 0.0;
    for i in 1..N {
        s += f.taps[i] * f.taps[i - 1] * f.gain;
    }
    s
}

#[derive(Clone, Debug, Differentiable)]
struct Mat {
    rows: Vec<Vec<f64>>,
    v: Vec<f64>,
    steps: usize,
    at: usize,
}

#[gradient]
fn powered(m: &Mat) -> f64 {
    let mut v = m.v.clone();
    for _ in 0..m.steps {
        let mut next = vec![0.0; v.len()];
        for i in 0..m.rows.len() {
            for j in 0..m.rows[i].len() {
                next[i] += m.rows[i][j] * v[j];
            }
        }
        v = next;
    }
    v[m.at] * m.v[0]
}

#[gradient]
fn consumed(m: &mut Mat) -> f64 {
    let mut s = 0.0;
    while m.at < m.v.len() {
        m.v[m.at] = m.v[m.at] * m.rows[0][0] + s;
        s += m.v[m.at].sin();
        m.at += 1;
        if s > 4.0 {
            m.steps += 1;
            break;
        }
    }
    for k in 0..m.steps {
        s *= m.v[k % m.v.len()];
    }
    s
}

fn consumed_whole(m: &Mat) -> f64 {
    consumed(&mut m.clone())
}

fn consumed_whole_grad(m: &Mat) -> (f64, MatTangent) {
    let mut adjoint = m.zero_tangent();
    let mut m = m.clone();
    let value = consumed_adjoint(&mut Tape::new(), &mut m, &mut adjoint, 1.0);
    (value, adjoint)
}

#[derive(Clone, Debug, Differentiable, Record)]
struct Mixed {
    single: Vec<f32>,
    double: Vec<f64>,
}

#[gradient]
fn rounded(m: &Mixed) -> f64 {
    let mut s = 0.0;
    for i in 0..m.double.len() {
        s += m.double[i] * f64::from(m.single[i]) + f64::from(m.single[i] * 0.5);
    }
    s
}

#[derive(Clone, Debug, Differentiable)]
struct Leaf {
    w: Vec<f64>,
    b: f64,
}

#[derive(Clone, Debug, Differentiable)]
struct Branch {
    left: Leaf,
    right: Leaf,
}

#[derive(Clone, Debug, Differentiable)]
struct Root {
    branch: Branch,
    spare: Option<Leaf>,
    all: Vec<Branch>,
}

#[gradient]
fn deep(r: &Root) -> f64 {
    let mut s = 0.0;
    for i in 0..r.branch.left.w.len() {
        s += r.branch.left.w[i] * r.branch.right.w[i] + r.branch.right.b;
    }
    for branch in &r.all {
        for (a, b) in branch.left.w.iter().zip(&branch.right.w) {
            s += a * b * branch.left.b;
        }
        if s > 30.0 {
            return s * r.branch.left.b;
        }
    }
    if let Some(leaf) = &r.spare {
        for w in &leaf.w {
            s = s * 0.9 + w.sin() * leaf.b;
        }
    }
    s
}

macro_rules! sample {
    ($module:ident, $number:ty) => {
        mod $module {
            use retrograde::{Differentiable, gradient};

            #[derive(Clone, Debug, Differentiable)]
            pub(super) struct Sample {
                pub(super) x: Vec<$number>,
                pub(super) k: $number,
            }

            #[gradient]
            pub(super) fn energy(s: &Sample) -> $number {
                let mut sum = 0.0;
                for i in 0..s.x.len() {
                    sum += s.x[i] * s.x[i] * s.k;
                }
                sum
            }
        }
    };
}

sample!(wide, f64);
sample!(narrow, f32);

type Renamed = Leaf;

#[gradient]
fn of_alias(leaf: &Renamed, other: &Leaf) -> f64 {
    let mut s = 0.0;
    for i in 0..leaf.w.len() {
        s += leaf.w[i] * other.w[i] + other.b * leaf.b;
    }
    s
}

#[derive(Debug, Differentiable)]
struct View<'a> {
    x: &'a [f64],
    k: f64,
}

#[gradient]
fn seen(v: &View<'_>) -> f64 {
    let mut s = 0.0;
    for i in 0..v.x.len() {
        s += v.x[i] * v.x[i] * v.k;
    }
    s
}

#[test]
fn parameters_of_types() {
    let taps = [0.3, 1.2, -0.4, 0.9];
    check(
        "taps",
        &Filter { taps, gain: 0.7 },
        filtered::<4>,
        filtered_grad::<4>,
    );
    check(
        "one",
        &Filter {
            taps: [2.0],
            gain: 0.7,
        },
        filtered::<1>,
        filtered_grad::<1>,
    );
}

#[test]
fn bounds_and_counters_that_are_fields() {
    for (n, steps, at) in [(3, 2, 1), (3, 0, 2), (1, 3, 0), (20, 1, 4)] {
        let rows = (0..n).map(|i| numbers(n, 0.2 * i as f64)).collect();
        let m = Mat {
            rows,
            v: numbers(n, 0.4),
            steps,
            at,
        };
        check("powers", &m, powered, powered_grad);
        check("consumed", &m, consumed_whole, consumed_whole_grad);
    }
}

#[test]
fn numbers_of_two_widths() {
    let single = vec![0.5_f32, -1.25, 2.0];
    let m = Mixed {
        single: single.clone(),
        double: numbers(3, 0.1),
    };
    let (value, d) = rounded_grad(&m);
    assert_eq!(value.to_bits(), rounded(&m).to_bits());
    let wide: Vec<f64> = single.iter().map(|x| f64::from(*x)).collect();
    assert_eq!(d.double, wide);
    let expected: Vec<f32> = m.double.iter().map(|x| (x + 0.5) as f32).collect();
    for (found, expected) in d.single.iter().zip(&expected) {
        assert!((found - expected).abs() <= 2.0 * f32::EPSILON * expected.abs());
    }
}

#[test]
fn structs_in_structs_in_structs() {
    let leaf = |n: usize, at: f64| Leaf {
        w: numbers(n, at),
        b: 0.3 + at,
    };
    for n in [0, 1, 4, 17] {
        let branch = |at: f64| Branch {
            left: leaf(n, at),
            right: leaf(n, at + 0.5),
        };
        let root = Root {
            branch: branch(0.1),
            spare: (n != 4).then(|| leaf(3, 0.8)),
            all: (0..3).map(|k| branch(f64::from(k) * 0.4)).collect(),
        };
        check("deep", &root, deep, deep_grad);
    }
}

#[test]
fn structs_that_a_macro_defines() {
    let (value, d) = wide::energy_grad(&wide::Sample {
        x: vec![1.0, 2.0],
        k: 0.5,
    });
    assert_eq!((value, d.x, d.k), (2.5, vec![1.0, 2.0], 5.0));
    let (value, d) = narrow::energy_grad(&narrow::Sample {
        x: vec![1.0, 2.0],
        k: 0.5,
    });
    assert_eq!((value, d.x, d.k), (2.5, vec![1.0_f32, 2.0], 5.0));
}

#[test]
fn other_names_and_the_same_struct_twice() {
    let leaf = Leaf {
        w: vec![1.5, -2.0],
        b: 0.25,
    };
    let (value, of_first, of_second) = {
        let (value, (first, second)) = of_alias_grad(&leaf, &leaf);
        (value, first, second)
    };
    assert_eq!(value, of_alias(&leaf, &leaf));
    assert_eq!((of_first.w, of_first.b), (leaf.w.clone(), 0.5));
    assert_eq!((of_second.w, of_second.b), (leaf.w.clone(), 0.5));
}

#[test]
fn structs_that_borrow() {
    let x = [1.0, -2.0, 0.5];
    let view = View { x: &x, k: 0.5 };
    let dx = vec![10.0; 3];
    let mut d = ViewTangent { x: dx, k: 1.0 };
    let value = seen_adjoint(&mut Tape::new(), &view, &mut d, 2.0);
    assert_eq!(value, seen(&view));
    assert_eq!(d.k, 1.0 + 2.0 * 5.25);
    assert_eq!(d.x, [12.0, 6.0, 11.0]);
}

#[test]
fn adjoints_are_added_to() {
    let leaf = Leaf {
        w: vec![1.5, -2.0],
        b: 0.25,
    };
    let mut tape = Tape::new();
    let (mut first, mut second) = (leaf.zero_tangent(), leaf.zero_tangent());
    for _ in 0..2 {
        of_alias_adjoint(&mut tape, &leaf, &mut first, &leaf, &mut second, 3.0);
    }
    assert_eq!((first.w, first.b), (vec![9.0, -12.0], 3.0));
    assert_eq!((second.w, second.b), (vec![9.0, -12.0], 3.0));
}
