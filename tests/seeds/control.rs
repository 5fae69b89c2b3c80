//! Loops, branches, early exits, checkpoints, and state that is overwritten.

use retrograde::Tape;

use super::{Case, check, with_twin};

with_twin! {
    fn smooth / smooth_twin (x: &mut [f64], a: f64, n: usize) {
        for _ in 0..n {
            for i in 1..x.len() {
                x[i] = x[i] * x[i - 1] * a + x[i].sin();
            }
            x[0] *= a;
        }
    }

    fn turns / turns_twin (x: &mut [f64], a: f64, n: usize) {
        let last = x.len() - 1;
        x.swap(0, last);
        let mut carried = a;
        for i in 0..n {
            let k = (i * 3) % x.len();
            if x[k] > 0.2 {
                carried = carried * x[k] + 0.1;
                x[k] = carried;
            } else if i % 2 == 0 {
                x[k] = x[k].cos() * carried;
                continue;
            }
            if carried > 3.0 {
                break;
            }
            x.swap(k, last);
        }
        if x[0] > 0.9 {
            return;
        }
        let mut steps = 0;
        while x[1].abs() > 0.1 && steps < 5 {
            x[1] *= 0.5 * a;
            steps += 1;
        }
    }

    fn again / again_twin (x: &mut [f64], a: f64, n: usize) {
        #[checkpoint]
        for _ in 0..n {
            for i in 1..x.len() {
                x[i] = (x[i] * a).sin() + x[i - 1] * x[i];
            }
        }
        let mut sum = 0.0;
        #[checkpoint]
        for i in 0..x.len() {
            sum += x[i] * x[i];
        }
        x[0] = sum;
    }

    fn stack / stack_twin (x: &mut [f64], a: f64, n: usize) {
        let mut kept = Vec::new();
        for i in 0..x.len() {
            kept.push(x[i] * a);
            if i >= n {
                kept.push(x[i].sin());
            }
        }
        let mut at = 0;
        while let Some(top) = kept.pop() {
            x[at % 3] = x[at % 3] * 0.5 + top;
            at += 1;
        }
        let scaled: Vec<f64> = x.iter().map(|v| v * a).collect();
        x.copy_from_slice(&scaled);
    }

    fn windows / windows_twin (x: &mut [f64], a: f64, n: usize) {
        let mut y = vec![0.0; x.len()];
        for t in 0..n {
            for (i, w) in x.windows(3).enumerate() {
                y[i + 1] = a * w[0] + (1.0 - a) * w[1] * w[1] + w[2];
            }
            for i in 0..x.len() {
                x[i] = y[i].tanh() + t as f64 * 0.1;
            }
            y.fill(0.25);
        }
        x[0] = x.iter().fold(0.0, |sum, v| sum + v * v);
    }

    fn rows / rows_twin (x: &mut [f64], a: f64, n: usize) {
        let (left, right) = x.split_at_mut(2);
        let mut tables = [[0.0; 2]; 3];
        for i in 0..3 {
            for j in 0..2 {
                tables[i][j] = left[j] * right[i % 2] + a;
            }
        }
        for row in &tables {
            left[0] += row[0] * row[1];
            right[0] = left[0].max(row[1]) * right[1];
        }
        for i in (0..n).rev() {
            left[1] = left[1] / (1.0 + right[0] * right[0]) + i as f64;
        }
    }

    fn masked / masked_twin (x: &mut [f64], a: f64, n: usize) {
        let mut y = vec![0.5; 4];
        for i in 0..4 {
            let mut sum = a;
            for k in 0..9 * n {
                let (near, far) = (k % 4, (i + k * k) % 4);
                sum += a * x[far] * x[near];
            }
            y[i] = if i % 2 == 0 { sum.max(0.0) } else { sum };
        }
        x.copy_from_slice(&y);
    }
}

/// The parameters are four numbers in-out, and `a`.
macro_rules! in_out {
    ($case:ident $name:ident $twin:ident $adjoint:ident $twin_adjoint:ident $vjp:ident $n:literal) => {
        struct $case;

        impl Case<4> for $case {
            const AT: &'static [&'static [f64]] = &[
                &[0.3, 0.8, -0.4, 0.25, 0.7],
                &[-1.2, 0.1, 1.5, 0.6, 1.1],
                &[0.95, 1.9, 0.45, 1.2, -0.6],
            ];

            fn value(p: &[f64]) -> [f64; 4] {
                let mut x = [p[0], p[1], p[2], p[3]];
                $name(&mut x, p[4], $n);
                x
            }

            fn one(tape: &mut Tape, p: &[f64], seed: [f64; 4]) -> ([f64; 4], Vec<f64>) {
                let (mut x, mut dx, mut da) = ([p[0], p[1], p[2], p[3]], seed, 0.0);
                $adjoint(tape, &mut x, &mut dx, p[4], &mut da, $n, ());
                (x, [&dx[..], &[da]].concat())
            }

            fn twin(tape: &mut Tape, p: &[f64], seed: [f64; 4]) -> ([f64; 4], Vec<f64>) {
                let (mut x, mut dx, mut da) = ([p[0], p[1], p[2], p[3]], seed, 0.0);
                $twin_adjoint(tape, &mut x, &mut dx, p[4], &mut da, $n, ());
                (x, [&dx[..], &[da]].concat())
            }

            fn several<const K: usize>(
                tape: &mut Tape,
                p: &[f64],
                seeds: [[f64; 4]; K],
            ) -> ([f64; 4], [Vec<f64>; K]) {
                let (mut x, mut dx, mut da) = ([p[0], p[1], p[2], p[3]], seeds, [0.0; K]);
                let lent = dx.each_mut().map(|row| &mut row[..]);
                $vjp(tape, &mut x, p[4], $n, [(); K], lent, da.each_mut());
                (x, std::array::from_fn(|k| [&dx[k][..], &[da[k]]].concat()))
            }
        }
    };
}

in_out!(Smooth smooth smooth_twin smooth_adjoint smooth_twin_adjoint smooth_vjp_n 3);
in_out!(Never smooth smooth_twin smooth_adjoint smooth_twin_adjoint smooth_vjp_n 0);
in_out!(Turns turns turns_twin turns_adjoint turns_twin_adjoint turns_vjp_n 7);
in_out!(Again again again_twin again_adjoint again_twin_adjoint again_vjp_n 5);
in_out!(Stack stack stack_twin stack_adjoint stack_twin_adjoint stack_vjp_n 2);
in_out!(Windows windows windows_twin windows_adjoint windows_twin_adjoint windows_vjp_n 2);
in_out!(Masked masked masked_twin masked_adjoint masked_twin_adjoint masked_vjp_n 2);
in_out!(Rows rows rows_twin rows_adjoint rows_twin_adjoint rows_vjp_n 2);

#[test]
fn loops_that_overwrite_what_they_read() {
    check::<Smooth, 4>();
    check::<Never, 4>();
}

#[test]
fn branches_swaps_and_early_exits() {
    check::<Turns, 4>();
}

#[test]
fn checkpoints() {
    check::<Again, 4>();
}

#[test]
fn vectors_that_grow_and_shrink() {
    check::<Stack, 4>();
}

#[test]
fn chains_and_whole_arrays() {
    check::<Windows, 4>();
}

#[test]
fn parts_of_arrays_and_tables() {
    check::<Rows, 4>();
}

#[test]
fn adjoints_that_are_zero() {
    check::<Masked, 4>();
}
