//! Loops, their exits, and what they carry.

use crate::support::number::{D, num};
use crate::{exact, near};
use retrograde::gradient;

// 1. Counted for, compound `*=` on a loop-carried scalar.
#[gradient]
fn power_by_counted_loop(x: f64) -> f64 {
    let mut t = 1.0;
    for _ in 0..3 {
        t *= x;
    }
    t
}

#[test]
fn a_counted_loop_multiplies_what_it_carries() {
    let primal = |p: &[f64]| power_by_counted_loop(p[0]);
    let gradient = |p: &[f64]| power_by_counted_loop_grad(p[0]);
    exact(primal, gradient, &[3.0], 27.0, &[27.0]);
}

// 2. `return` in the middle of a counted loop.
#[gradient]
fn return_from_inside_loop(x: f64) -> f64 {
    let mut t = 1.0;
    for i in 0..3 {
        t *= x;
        if i == 1 {
            return t;
        }
    }
    t
}

#[test]
fn a_return_in_a_counted_loop_ends_it() {
    let primal = |p: &[f64]| return_from_inside_loop(p[0]);
    let gradient = |p: &[f64]| return_from_inside_loop_grad(p[0]);
    exact(primal, gradient, &[3.0], 9.0, &[6.0]);
}

// 3. Immutable local rebuilt per iteration from input and counter (int-to-float cast).
#[gradient]
fn fresh_let_each_iteration(x: f64) -> f64 {
    let mut res = 0.0;
    for i in 0..3 {
        let n = x + i as f64;
        res += x * n;
    }
    res
}

#[test]
fn a_local_is_made_anew_in_each_iteration() {
    let primal = |p: &[f64]| fresh_let_each_iteration(p[0]);
    let gradient = |p: &[f64]| fresh_let_each_iteration_grad(p[0]);
    exact(primal, gradient, &[3.0], 36.0, &[21.0]);
}

// 4. Three nested do-while loops, the inner-most runs exactly once.
#[gradient]
fn nested_do_while(i: f64, j: f64) -> f64 {
    let (mut a, mut k) = (0.0, 3);
    loop {
        let mut m = 3;
        loop {
            a += i * i + j;
            m -= 1;
            loop {
                a += j;
                if true {
                    break;
                }
            }
            if m == 0 {
                break;
            }
        }
        k -= 1;
        if k == 0 {
            break;
        }
    }
    a
}

#[test]
fn nested_loops_run_at_least_once() {
    let primal = |p: &[f64]| nested_do_while(p[0], p[1]);
    let gradient = |p: &[f64]| nested_do_while_grad(p[0], p[1]);
    exact(primal, gradient, &[3.0, 5.0], 171.0, &[54.0, 18.0]);
}

// 5. The accumulator is overwritten (not added to) in test and in step.
#[gradient]
fn overwrite_in_condition_body_and_step(i: f64, j: f64) -> f64 {
    let (mut res, mut k) = (0.0, 0);
    loop {
        res = i * j; // test
        if !(k < 2) {
            break;
        }
        res *= 3.0; // body
        k += 1;
        res += 7.0; // step, later killed by the test
    }
    res
}

#[test]
fn only_what_the_condition_writes_last_counts() {
    let primal = |p: &[f64]| overwrite_in_condition_body_and_step(p[0], p[1]);
    let gradient = |p: &[f64]| overwrite_in_condition_body_and_step_grad(p[0], p[1]);
    exact(primal, gradient, &[3.0, 5.0], 15.0, &[5.0, 3.0]);
}

// 6. For with a late `break` and a `continue`.
#[gradient]
fn break_and_continue_mix(i: f64, j: f64) -> f64 {
    let mut res = 0.0;
    for k in 0..5 {
        if k == 4 {
            res += i * j;
            break;
        }
        if k > 2 {
            res += 2.0 * i;
            continue;
        }
        res += i + j;
    }
    res
}

#[test]
fn break_and_continue_skip_the_rest() {
    let primal = |p: &[f64]| break_and_continue_mix(p[0], p[1]);
    let gradient = |p: &[f64]| break_and_continue_mix_grad(p[0], p[1]);
    exact(primal, gradient, &[3.0, 5.0], 45.0, &[10.0, 6.0]);
}

// 7. Loop left by `break` before the step ever runs; the counter must not be stepped back.
#[gradient]
fn break_on_first_iteration(u: f64, _v: f64) -> f64 {
    let mut res = 0.0;
    for i in 1..3 {
        res += i as f64 * u;
        if i == 1 {
            break;
        }
    }
    res
}

#[test]
fn a_loop_left_in_its_first_iteration_counts_it_once() {
    let primal = |p: &[f64]| break_on_first_iteration(p[0], p[1]);
    let gradient = |p: &[f64]| break_on_first_iteration_grad(p[0], p[1]);
    exact(primal, gradient, &[3.0, 5.0], 3.0, &[1.0, 0.0]);
}

// 8. Rust labelled `break 'outer` / `continue 'outer`.
#[gradient]
fn labelled_break_and_continue(x: f64, y: f64) -> f64 {
    let mut r = 0.0;
    'outer: for a in 0..4 {
        for b in 0..4 {
            if b > a {
                continue 'outer;
            }
            if a == 3 && b == 2 {
                break 'outer;
            }
            r += x * a as f64 + y * y * b as f64;
        }
        r += 1000.0 * x; // never reached for a<3: the inner loop always jumps out first
    }
    r
}

#[test]
fn labelled_jumps_leave_the_outer_loop() {
    let primal = |p: &[f64]| labelled_break_and_continue(p[0], p[1]);
    let gradient = |p: &[f64]| labelled_break_and_continue_grad(p[0], p[1]);
    exact(primal, gradient, &[1.5, 2.0], 41.0, &[14.0, 20.0]);
}

// 9. Iterate by reference over a local array of active values.
#[gradient]
fn iterate_mut_over_local_array(x: f64, y: f64) -> f64 {
    let mut a = [y, x * y, x * x + y];
    let mut r = 0.0;
    for v in a.iter_mut() {
        *v *= *v;
        r += *v;
    }
    r
}

#[test]
fn elements_of_a_local_array_are_changed_by_reference() {
    let primal = |p: &[f64]| iterate_mut_over_local_array(p[0], p[1]);
    let gradient = |p: &[f64]| iterate_mut_over_local_array_grad(p[0], p[1]);
    exact(primal, gradient, &[2.0, 2.0], 56.0, &[64.0, 32.0]);
}

// 10. Active quotient written inline inside a loop of >=2 iterations.
#[gradient]
fn divisor_in_loop(a: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..3 {
        let x = i as f64 + 1.0;
        s += 1.0 / (x + a * a);
    }
    s
}

#[test]
fn a_divisor_changes_in_each_iteration() {
    let primal = |p: &[f64]| divisor_in_loop(p[0]);
    let gradient = |p: &[f64]| divisor_in_loop_grad(p[0]);
    exact(
        primal,
        gradient,
        &[1.3],
        0.8559695381277017,
        &[-0.6684627641351176],
    );
}

// 11. Iterations share nothing but the sum; ideal for recompute-instead-of-store.
#[gradient]
fn independent_iterations(x: f64, y: f64) -> f64 {
    let mut s = 0.0;
    for _ in 0..100 {
        let t1 = x;
        let t2 = y / t1;
        s += t2.powi(2);
    }
    s
}

#[test]
fn iterations_share_nothing_but_the_sum() {
    let primal = |p: &[f64]| independent_iterations(p[0], p[1]);
    let gradient = |p: &[f64]| independent_iterations_grad(p[0], p[1]);
    exact(primal, gradient, &[1.0, 0.5], 25.0, &[-50.0, 100.0]);
}

// 12. Loop counter also changed by the body: trip count cannot be computed from the bounds.
#[gradient]
fn induction_variable_moved_by_body(x: f64) -> f64 {
    let (mut r, mut i) = (1.0, 0);
    while i < 10 {
        r *= x;
        if i % 3 == 0 {
            i += 2;
        }
        i += 1;
    }
    r
}

fn induction_variable_moved_by_body_dual(p: &[D]) -> D {
    let (mut r, mut i) = (num(1.0), 0);
    while i < 10 {
        r *= p[0];
        if i % 3 == 0 {
            i += 2;
        }
        i += 1;
    }
    r
}

#[test]
fn a_counter_moved_by_the_body_decides_the_trips() {
    let primal = |p: &[f64]| induction_variable_moved_by_body(p[0]);
    let gradient = |p: &[f64]| induction_variable_moved_by_body_grad(p[0]);
    near(
        primal,
        gradient,
        induction_variable_moved_by_body_dual,
        &[1.25],
        2.44140625,
        &[7.812499999993486],
    );
}

// 49. `return r * x` in the middle of a loop after several accumulations.
#[gradient]
fn return_product_from_loop(x: f64, y: f64) -> f64 {
    let mut r = 0.0;
    for a in 0..4 {
        r += x * a as f64 * y;
        if a == 2 {
            return r * x;
        }
    }
    r
}

#[test]
fn a_return_multiplies_what_was_summed() {
    let primal = |p: &[f64]| return_product_from_loop(p[0], p[1]);
    let gradient = |p: &[f64]| return_product_from_loop_grad(p[0], p[1]);
    exact(primal, gradient, &[1.5, 2.0], 13.5, &[18.0, 6.75]);
}
