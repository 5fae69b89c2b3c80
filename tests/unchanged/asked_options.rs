//! What closures of chains without a derivative ask of options and numbers.

use retrograde::gradient;

use crate::support::check;

#[gradient]
fn above(x: &[f64], o: Option<f64>) -> f64 {
    if x.iter().any(|v| o.map_or(0.1, |w| w) > *v) {
        x[0] * x[1]
    } else {
        x[0]
    }
}

#[gradient]
fn counted(x: &[f64], o: Option<f64>) -> f64 {
    let n = x
        .iter()
        .filter(|v| o.filter(|w| *w > **v).map_or(0.1, |v| v) > 0.3)
        .count();
    x[0] * n as f64 * o.unwrap_or(2.0)
}

#[gradient]
fn found(x: &[f64], o: Option<f64>, p: &Option<f64>) -> f64 {
    let limit = |w: f64| if w > 0.3 { Some(w) } else { None };
    let k = x
        .iter()
        .position(|v| {
            o.or(*p)
                .and_then(|w| if w > 0.3 { Some(w) } else { None })
                .map_or_else(|| *v > 0.2, |w| w < *v)
        })
        .unwrap_or(0);
    x[k] * x[0] * o.unwrap_or(2.0) + limit(x[k]).unwrap_or(0.5)
}

/// Both functions at once, of which one is looked at.
#[gradient]
fn turned(x: &[f64]) -> f64 {
    let is_far = x
        .iter()
        .filter_map(|v| if *v > 0.0 { Some(v.sin_cos().0) } else { None })
        .skip_while(|v| *v < 0.2)
        .any(|v| v > 0.5);
    if is_far { x[0] * x[2] } else { x[1] }
}

/// What is asked is written to in front.
#[gradient]
fn turned_in_place(of: &[f64], y: f64) -> f64 {
    let mut owned = of.to_vec();
    let x = &mut owned[..];
    x[0] *= y;
    let is_far = (0..3)
        .map(|i: usize| x[i % x.len()].sin_cos().0)
        .skip_while(|&v| v < 0.2)
        .any(|v| v > 0.5 * y);
    if is_far { x[0] * x[2] } else { x[1] * y }
}

const POINTS: [&[f64]; 3] = [&[0.7, 0.4, -0.3], &[-1.3, 0.9, 1.1], &[0.15, 0.05, 2.0]];

#[test]
fn options_are_asked_in_chains() {
    check(turned, turned_grad, &POINTS);
    for o in [None, Some(0.5), Some(-2.0)] {
        check(|x| above(x, o), |x| of_slice(above_grad(x, o)), &POINTS);
        check(|x| counted(x, o), |x| of_slice(counted_grad(x, o)), &POINTS);
        for p in [None, Some(0.8)] {
            let gradient = |x: &[f64]| {
                let (value, (dx, _, _)) = found_grad(x, o, &p);
                (value, dx)
            };
            check(|x| found(x, o, &p), gradient, &POINTS);
        }
    }
}

#[test]
fn what_is_written_to_is_asked_in_chains() {
    for y in [0.4, 1.3, -0.8] {
        let gradient = |x: &[f64]| {
            let (value, (dx, _)) = turned_in_place_grad(x, y);
            (value, dx)
        };
        check(|x| turned_in_place(x, y), gradient, &POINTS);
    }
}

/// Without the derivative by the option.
fn of_slice((value, (dx, _)): (f64, (Vec<f64>, Option<f64>))) -> (f64, Vec<f64>) {
    (value, dx)
}

/// The derivative by the option does not come from what decides.
#[test]
fn what_decides_has_no_derivative() {
    let x = [0.7, 0.4, -0.3];
    assert_eq!(
        above_grad(&x, Some(0.5)),
        (0.7 * 0.4, (vec![0.4, 0.7, 0.0], Some(0.0)))
    );
    let (value, (dx, d)) = counted_grad(&x, Some(0.5));
    assert_eq!(
        (value, dx, d),
        (0.7 * 2.0 * 0.5, vec![1.0, 0.0, 0.0], Some(1.4))
    );
}
