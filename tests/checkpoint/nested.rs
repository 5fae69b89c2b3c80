//! Regions in regions. From the third level on they run as procedures, where the text shows the types of all that they
//! share with others.

use retrograde::{Differentiable, gradient};

use crate::support::{check, flat};
use crate::{PAIRS, identical};

const COUNTS: [usize; 4] = [0, 1, 2, 4];

/// Compares a function with regions, bit for bit, with the same one without, and with differences.
macro_rules! same_without {
    ($f:ident, $grad:ident, $plain:ident) => {
        for n in COUNTS {
            let n = std::hint::black_box(n);
            for p in PAIRS {
                identical($grad(p, n), $plain(p, n));
            }
            check(|p| $f(p, n), |p| $grad(p, n), PAIRS);
        }
    };
}

macro_rules! three_levels {
    ($name:ident, $($region:ident)?) => {
        #[gradient]
        fn $name(x: &[f64], n: usize) -> f64 {
            let mut u = vec![x[1]; 6];
            let weights = x.to_vec();
            let (mut s, c) = (x[0], x[1] * 0.5);
            $(#[$region])?
            {
                $(#[$region])?
                {
                    $(#[$region])?
                    for i in 0..n {
                        u[i] = u[i].sin() + s;
                        $(#[$region])?
                        for j in 0..n {
                            let s = s * c;
                            u[j] += 0.1 * s * u[j + 1] + weights[j % 2];
                            $(#[$region])?
                            for k in 0..n {
                                u[k + 1] = (u[k] * s - c).tanh() * weights[k % 2];
                            }
                        }
                        s = s * 0.9 + u[0];
                    }
                }
            }
            s * u[0] + u[1] * u[5]
        }
    };
}
three_levels!(three_levels, checkpoint);
three_levels!(three_levels_plain,);

#[test]
fn loops_in_loops() {
    same_without!(three_levels, three_levels_grad, three_levels_plain_grad);
}

macro_rules! values {
    ($name:ident, $($region:ident)?) => {
        #[gradient]
        fn $name(x: &[f64], n: usize) -> f64 {
            let (a, b) = (x[0], x[1]);
            let z = $(#[$region])?
            {
                $(#[$region])?
                {
                    $(#[$region])?
                    {
                        let w = $(#[$region])?
                        {
                            let c = (a * b).sin();
                            (c * a, vec![c + b; 2])
                        };
                        let late;
                        $(#[$region])?
                        {
                            let mut t = w.0.cos();
                            for _ in 0..n {
                                t = (t + 0.1).sin();
                            }
                            if n > 1 {
                                late = t * w.1[0];
                            } else {
                                late = t - w.1[1];
                            }
                        }
                        late * w.0 + w.1[1]
                    }
                }
            };
            z * z * a
        }
    };
}
values!(values, checkpoint);
values!(values_plain,);

#[test]
fn regions_with_values() {
    same_without!(values, values_grad, values_plain_grad);
}

macro_rules! exits {
    ($name:ident, $($region:ident)?) => {
        #[gradient]
        fn $name(x: &[f64], n: usize) -> f64 {
            let (mut s, mut p) = (x[0], (x[1], [0.5, x[0]]));
            let mut rounds: usize = 0;
            $(#[$region])?
            {
                $(#[$region])?
                {
                    $(#[$region])?
                    while rounds < n {
                        rounds += 1;
                        $(#[$region])?
                        for j in 0..n + 2 {
                            p.1[j % 2] = p.0 * s + 0.1;
                            if p.1[0] < -0.9 {
                                continue;
                            }
                            s += 0.2 * p.1[1].sin();
                            $(#[$region])?
                            {
                                p.0 = p.0 * 0.7 + s * p.1[0];
                                if j == 2 && s > 0.1 {
                                    s *= 0.8;
                                    break;
                                }
                                p.0 += 0.05;
                            }
                            s -= p.0 * 0.1;
                        }
                        if s > 1.5 {
                            break;
                        }
                    }
                }
            }
            s * p.0 + p.1[0] * p.1[1]
        }
    };
}
exits!(exits, checkpoint);
exits!(exits_plain,);

#[test]
fn loops_left_early() {
    same_without!(exits, exits_grad, exits_plain_grad);
}

macro_rules! containers {
    ($name:ident, $($region:ident)?) => {
        #[gradient]
        fn $name(x: &[f64], n: usize) -> f64 {
            let mut stack = vec![x[0], x[1]];
            let mut spare = vec![x[1]; 3];
            let mut last = Some((x[0], x[1] * x[1]));
            $(#[$region])?
            {
                $(#[$region])?
                {
                    $(#[$region])?
                    for i in 0..n {
                        $(#[$region])?
                        {
                            let top = stack[stack.len() - 1];
                            stack.push(top.sin() + spare[i % 3]);
                            spare.swap(0, 2);
                            $(#[$region])?
                            if let Some(pair) = &mut last {
                                pair.0 = pair.1 * top;
                                spare[1] = pair.0 + 0.3;
                            }
                            stack[0] *= 0.9;
                        }
                        if i % 3 == 2 {
                            stack.pop();
                            last = None;
                        }
                    }
                }
            }
            let mut s = spare[0] * spare[1];
            for v in &stack {
                s += v * v;
            }
            if let Some(pair) = last {
                s += pair.0 * pair.1;
            }
            s
        }
    };
}
containers!(containers, checkpoint);
containers!(containers_plain,);

#[test]
fn vectors_and_options() {
    same_without!(containers, containers_grad, containers_plain_grad);
}

#[gradient]
fn rotate(v: &mut [f64], by: &f64) -> f64 {
    let t = v[0] * by;
    v[0] = v[1].cos();
    v[1] = t;
    t * v[0]
}

macro_rules! in_out {
    ($name:ident, $caller:ident, $($region:ident)?) => {
        #[gradient]
        fn $name(u: &mut [f64], scale: &mut f64, c: f64, n: usize) {
            let mut by = c;
            $(#[$region])?
            {
                $(#[$region])?
                {
                    $(#[$region])?
                    for i in 0..n {
                        u[0] += 0.2 * by * *scale;
                        $(#[$region])?
                        for j in 0..n {
                            *scale = (*scale + rotate(u, &by)).tanh();
                            by -= 0.1 * u[(i + j) % 2];
                        }
                        *scale = *scale * 0.5 + u[1];
                    }
                }
            }
        }

        #[gradient]
        fn $caller(x: &[f64], n: usize) -> f64 {
            let mut u = x.to_vec();
            let mut scale = x[0] * x[1];
            $name(&mut u, &mut scale, x[1], n);
            u[0] * u[1] + scale * scale
        }
    };
}
in_out!(evolve, in_out, checkpoint);
in_out!(evolve_plain, in_out_plain,);

#[test]
fn parameters_that_are_written() {
    same_without!(in_out, in_out_grad, in_out_plain_grad);
}

macro_rules! generic {
    ($name:ident, $($region:ident)?) => {
        #[gradient]
        fn $name<const N: usize>(x: &[f64; N], n: usize) -> f64 {
            const SHIFT: f64 = 0.25;
            let mut u = [x[0]; N];
            let mut grid = [[x[1]; 2]; N];
            $(#[$region])?
            {
                $(#[$region])?
                {
                    $(#[$region])?
                    for i in 0..n {
                        $(#[$region])?
                        for j in 0..N {
                            u[j] = u[j].sin() * x[j] + SHIFT;
                            grid[j][i % 2] -= u[j] * grid[(j + 1) % N][0];
                        }
                    }
                }
            }
            u[0] * u[N - 1] + grid[0][0] * grid[N - 1][1]
        }
    };
}
generic!(generic, checkpoint);
generic!(generic_plain,);

#[test]
fn generic_lengths() {
    let both = |p: &[f64]| [p[0], p[1]];
    for n in COUNTS {
        for p in PAIRS {
            identical(generic_grad(&both(p), n), generic_plain_grad(&both(p), n));
        }
        check(
            |p| generic(&both(p), n),
            |p| generic_grad(&both(p), n),
            PAIRS,
        );
    }
}

#[derive(Clone, Differentiable)]
struct Model {
    gain: f64,
    rows: Vec<f64>,
}

macro_rules! method {
    ($name:ident, $($region:ident)?) => {
        #[gradient]
        impl Model {
            fn $name(&self, x: &[f64], n: usize) -> f64 {
                let mut u = x.to_vec();
                $(#[$region])?
                {
                    $(#[$region])?
                    {
                        $(#[$region])?
                        for i in 0..n {
                            u[0] += self.gain * u[1];
                            $(#[$region])?
                            for j in 0..n {
                                u[1] = (self.rows[j % 2] * u[0]).cos() + self.gain;
                            }
                        }
                    }
                }
                u[0] * u[1]
            }
        }
    };
}
method!(runs, checkpoint);
method!(runs_plain,);

#[test]
fn methods() {
    let model = |p: &[f64]| Model {
        gain: p[0],
        rows: vec![p[1], 0.4],
    };
    for n in COUNTS {
        for p in PAIRS {
            let with = Model::runs_grad(&model(p), p, n);
            let without = Model::runs_plain_grad(&model(p), p, n);
            assert_eq!(with.0.to_bits(), without.0.to_bits());
            let ((with, dx), (without, dx_plain)) = (with.1, without.1);
            assert_eq!(flat(&dx), flat(&dx_plain));
            assert_eq!(with.gain.to_bits(), without.gain.to_bits());
            assert_eq!(flat(&with.rows), flat(&without.rows));
        }
    }
}

/// A variable of a type that the text does not show: its regions are written out where they run.
macro_rules! unseen {
    ($name:ident, $($region:ident)?) => {
        #[gradient]
        fn $name(x: &[f64], n: usize) -> f64 {
            let mut model = Model {
                gain: x[0],
                rows: vec![x[1]; 2],
            };
            let mut s = x[1];
            $(#[$region])?
            {
                $(#[$region])?
                {
                    $(#[$region])?
                    for i in 0..3 {
                        $(#[$region])?
                        for j in 0..n {
                            s = (s * model.gain).sin() + 0.2 * i as f64 * model.rows[j % 2];
                            $(#[$region])?
                            {
                                model.rows[j % 2] = 0.5 * model.rows[j % 2] + 0.1 * s;
                                model.gain = (model.gain - 0.1 * model.rows[0]).sin();
                            }
                        }
                    }
                }
            }
            s * model.gain
        }
    };
}
unseen!(unseen, checkpoint);
unseen!(unseen_plain,);

#[test]
fn types_of_the_user() {
    same_without!(unseen, unseen_grad, unseen_plain_grad);
}

macro_rules! single {
    ($name:ident, $($region:ident)?) => {
        #[gradient]
        fn $name(x: &[f32], shift: f32, n: usize) -> f32 {
            let mut u = x.to_vec();
            let mut k: i32 = 0;
            $(#[$region])?
            {
                $(#[$region])?
                {
                    $(#[$region])?
                    for i in 0..n {
                        let a = &mut u;
                        $(#[$region])?
                        {
                            a[0] = (a[1] - shift).tanh();
                            k += 1;
                            $(#[$region])?
                            {
                                a[1] *= a[0] + k as f32;
                                assert!(a[1].is_finite(), "round {i}");
                            }
                        }
                    }
                }
            }
            u[0] * u[1]
        }
    };
}
single!(single, checkpoint);
single!(single_plain,);

#[test]
fn narrow_floats_references_and_checks() {
    for n in COUNTS {
        for p in [[0.5_f32, -0.25], [1.5, 0.75]] {
            let (with, without) = (single_grad(&p, 0.3, n), single_plain_grad(&p, 0.3, n));
            assert_eq!(with.0.to_bits(), without.0.to_bits());
            assert_eq!(flat(&with.1), flat(&without.1));
            assert_eq!(with.0.to_bits(), single(&p, 0.3, n).to_bits());
        }
    }
}
