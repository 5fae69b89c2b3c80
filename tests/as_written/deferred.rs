//! Variables that are declared first and assigned later, not on every path.

use retrograde::gradient;

use crate::support::check;

#[gradient]
fn one_arm(x: f64) -> f64 {
    let y: f64;
    if x > 1.0 {
        y = x * x;
        y * y
    } else {
        3.0 * x
    }
}

#[gradient]
fn one_arm_of_a_match(x: f64, k: usize) -> f64 {
    let y: f64;
    match k {
        0 => {
            y = x.exp();
            y * y
        }
        1 => x,
        _ => {
            y = x.sin();
            y * x
        }
    }
}

#[gradient]
fn an_early_exit(x: f64) -> f64 {
    let y: f64;
    if x < 0.5 {
        return x.cos();
    }
    y = x * x;
    y.sin() * y
}

#[gradient]
fn in_a_loop(x: &[f64]) -> f64 {
    let mut s = 1.0;
    for i in 0..x.len() {
        let y: f64;
        if x[i] > 0.6 {
            y = x[i] * s;
            s += y * y;
        } else {
            s *= x[i];
        }
    }
    s
}

#[gradient]
fn without_a_type(x: f64) -> f64 {
    let y;
    if x > 1.0 {
        y = x.exp();
        y * y
    } else {
        x
    }
}

#[gradient]
fn an_array_in_one_arm(x: &[f64]) -> f64 {
    let y: [f64; 2];
    if x[0] > 0.6 {
        y = [x[0] * x[1], x[1].exp()];
        y[0] * y[1] * y[1]
    } else {
        x[1]
    }
}

#[gradient]
fn a_vec_in_one_arm(x: &[f64]) -> f64 {
    let y: Vec<f64>;
    if x[0] > 0.6 {
        y = vec![x[0] * x[1], x[1].exp()];
        y[0] * y[1] * y[1]
    } else {
        x[1]
    }
}

#[gradient]
fn a_tuple_of_names(x: &[f64]) -> f64 {
    let (a, b): (f64, f64);
    if x[0] > x[1] {
        (a, b) = (x[0] * x[1], x[1].exp());
    } else {
        (a, b) = (x[1], x[0].sin());
    }
    a * b * a
}

#[gradient]
fn a_nested_one(x: &[f64]) -> f64 {
    let y: f64;
    if x[0] > 0.6 {
        let z: f64;
        if x[1] > 0.6 {
            z = x[0] * x[1];
            y = z * z;
        } else {
            y = x[1] * x[1];
        }
        return y * y;
    }
    x[0]
}

const NUMBERS: [f64; 5] = [0.3, 0.61, 1.7, -0.9, 2.3];

#[test]
fn one_path_assigns() {
    for x in NUMBERS {
        check(|x| one_arm(x[0]), |x| one_arm_grad(x[0]), &[&[x]]);
        for k in 0..3 {
            let primal = |x: &[f64]| one_arm_of_a_match(x[0], k);
            check(primal, |x| one_arm_of_a_match_grad(x[0], k), &[&[x]]);
        }
        check(
            |x| an_early_exit(x[0]),
            |x| an_early_exit_grad(x[0]),
            &[&[x]],
        );
        check(
            |x| without_a_type(x[0]),
            |x| without_a_type_grad(x[0]),
            &[&[x]],
        );
        for y in NUMBERS.map(|y| y + 0.05) {
            let at: [&[f64]; 1] = [&[x, y]];
            check(an_array_in_one_arm, an_array_in_one_arm_grad, &at);
            check(a_vec_in_one_arm, a_vec_in_one_arm_grad, &at);
            check(a_tuple_of_names, a_tuple_of_names_grad, &at);
            check(a_nested_one, a_nested_one_grad, &at);
        }
    }
    check(in_a_loop, in_a_loop_grad, &[&NUMBERS, &[], &[2.0], &[0.1]]);
}
