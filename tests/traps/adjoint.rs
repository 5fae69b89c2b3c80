//! Traps of reverse mode: aliasing, restored values, records.

use crate::support::{assert_close, check, check_exact, panic_message};
use retrograde::{Tape, gradient};

#[gradient]
fn element_from_element(v: &[f64], i: usize, j: usize) -> f64 {
    let mut a = v.to_vec();
    a[i] = a[j].sin();
    a[i] = a[i] * a[j] + a[j];
    a[i] *= a[j];
    a[j] = -a[i];
    a.swap(i, j);
    a.swap(i, i);
    a[0] + 2.0 * a[1] * a[1]
}

#[test]
fn indices_equal_at_run_time() {
    for i in 0..2 {
        for j in 0..2 {
            check(
                |p| element_from_element(p, i, j),
                |p| element_from_element_grad(p, i, j),
                &[&[0.7, 0.4], &[-1.3, 0.9]],
            );
        }
    }
}

#[gradient]
fn overlapping(v: &[f64], x: f64) -> f64 {
    let mut a = v.to_vec();
    for i in 1..a.len() {
        a[i] = a[i - 1] * x + a[i];
    }
    for i in 0..a.len() - 1 {
        a[i] = a[i + 1] * a[i];
    }
    a[0] * a[1]
}

#[test]
fn recurrences_in_place_in_both_directions() {
    check(
        |p| overlapping(&p[..3], p[3]),
        |p| overlapping_grad(&p[..3], p[3]),
        &[&[0.7, 0.4, -0.3, 1.2], &[-1.3, 0.9, 1.1, 0.6]],
    );
}

#[gradient]
fn condition_once_more(x: f64) -> f64 {
    let mut a = x;
    let mut tests = 0;
    while {
        tests += 1;
        a *= 1.25;
        a < 4.0
    } {
        a += 0.1 * tests as f64;
    }
    a * tests as f64
}

#[test]
fn the_condition_runs_once_more_than_the_body() {
    check(
        |p| condition_once_more(p[0]),
        |p| condition_once_more_grad(p[0]),
        &[&[0.7], &[5.0]],
    );
}

#[gradient]
fn block_values(x: f64, n: usize) -> f64 {
    let mut r = x;
    for i in 0..n {
        let v = 'a: {
            if i == 1 {
                break 'a r * r;
            }
            r *= x;
            if i == 2 {
                break 'a x;
            }
            r + 1.0
        };
        r = r * 0.5 + v;
    }
    r
}

#[test]
fn labelled_blocks_with_values_in_a_loop() {
    for n in 0..5 {
        check(
            |p| block_values(p[0], n),
            |p| block_values_grad(p[0], n),
            &[&[0.7], &[-1.2]],
        );
    }
}

#[gradient]
fn vector_life(x: f64, y: f64) -> f64 {
    let mut v = vec![x, y];
    v.push(v[0] * v[1]);
    let a = v.pop().unwrap();
    v.push(a * a);
    v[0] *= v[2];
    let b = v.pop().unwrap();
    v.push(x);
    v[2] *= b;
    v.truncate(2);
    v.push(y);
    let c = v[2] * v[0];
    v.clear();
    v.push(c);
    v.push(c * x);
    v[0] * v[1]
}

#[test]
fn the_adjoint_of_a_vector_follows_its_length() {
    check(
        |p| vector_life(p[0], p[1]),
        |p| vector_life_grad(p[0], p[1]),
        &[&[0.7, 0.4], &[-1.3, 0.9]],
    );
}

#[gradient]
fn indices_change(v: &[f64], k: usize) -> f64 {
    let mut a = v.to_vec();
    let mut i = k;
    let mut step = 1;
    for _ in 0..4 {
        a[i] *= a[(i + step) % a.len()];
        i = (i + step) % a.len();
        step += 1;
        a[i] += 0.5;
    }
    a[0] * a[1] + a[2]
}

#[test]
fn index_variables_that_change_after_use() {
    for k in 0..3 {
        check(
            |p| indices_change(p, k),
            |p| indices_change_grad(p, k),
            &[&[0.7, 0.4, -0.3], &[-1.3, 0.9, 1.1]],
        );
    }
}

#[gradient]
fn may_panic(v: &[f64], n: usize) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        s = s * 0.5 + v[i] * v[i];
    }
    s
}

#[test]
fn a_panic_half_way_leaves_a_usable_tape() {
    let mut tape = Tape::new();
    let mut dv = [3.0; 3];
    panic_message(|| {
        let _ = may_panic_grad_into(&mut tape, &[1.0, 2.0, 3.0], &mut dv, 4);
    });
    assert_eq!(
        may_panic_grad_into(&mut tape, &[1.0, 2.0, 3.0], &mut dv, 3),
        11.25
    );
    assert_eq!(dv, [0.5, 2.0, 6.0]);
}

#[gradient]
fn assigned_gradient(v: &[f64], n: usize, flag: bool) -> f64 {
    let mut s = 0.0;
    if flag {
        for i in 0..n {
            s += v[i] * v[i];
        }
    }
    s
}

#[test]
fn a_gradient_whose_first_write_never_ran_is_zero() {
    let mut tape = Tape::new();
    for (n, flag) in [(0, true), (3, false), (0, false)] {
        let mut dv = [f64::NAN; 3];
        assigned_gradient_grad_into(&mut tape, &[1.0, 2.0, 3.0], &mut dv, n, flag);
        assert_eq!(dv, [0.0; 3]);
    }
}

#[gradient]
fn read_after_overwrite(x: f64, y: f64) -> f64 {
    let mut u = [x, y, x + y, x - y];
    for step in 0..3 {
        let left = u[0];
        for i in 0..3 {
            u[i] = u[i] + 0.1 * (u[i + 1] - u[i]) * u[i];
        }
        u[3] = left * u[3];
    }
    u[0] * u[1] + u[2] * u[3]
}

#[test]
fn neighbours_are_read_before_and_after_they_change() {
    check(
        |p| read_after_overwrite(p[0], p[1]),
        |p| read_after_overwrite_grad(p[0], p[1]),
        &[&[0.7, 0.4], &[-1.3, 0.9]],
    );
}

#[gradient]
fn single_precision(x: f32) -> f32 {
    let mut r = x;
    for _ in 0..10 {
        r = r * 1.1 + x * x;
    }
    r
}

#[test]
fn single_precision_adjoints_round_like_f32() {
    // The same sums by hand, in single precision.
    let x = 0.3_f32;
    let (mut bar, mut dx) = (1.0_f32, 0.0_f32);
    for _ in 0..10 {
        dx += bar * x;
        dx += bar * x;
        bar *= 1.1;
    }
    dx += bar;
    let got = single_precision_grad(x).1;
    assert!((got - dx).abs() <= 4.0 * f32::EPSILON * dx, "{got} {dx}");
    assert!((f64::from(got) - f64::from(dx)).abs() < 1e-4);
}

#[gradient]
fn accumulates(x: f64) -> f64 {
    let a = x * x;
    let b = a + a * a;
    let c = b - a * b;
    a * b * c + a
}

#[test]
fn values_used_many_times() {
    check(
        |p| accumulates(p[0]),
        |p| accumulates_grad(p[0]),
        &[&[0.7], &[-1.2]],
    );
}

#[gradient]
fn zero_seed_path(x: f64, y: f64) -> f64 {
    let r = (x * x + y * y).sqrt();
    let angle = y.atan2(x);
    let inverse = 1.0 / r;
    if r == 0.0 {
        x + 2.0 * y
    } else {
        angle * inverse
    }
}

#[test]
fn singular_values_on_an_inactive_branch() {
    assert_eq!(zero_seed_path_grad(0.0, 0.0), (0.0, (1.0, 2.0)));
    check(
        |p| zero_seed_path(p[0], p[1]),
        |p| zero_seed_path_grad(p[0], p[1]),
        &[&[0.7, 0.4], &[1.3, -0.9]],
    );
}
