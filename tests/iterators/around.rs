//! Chains beside other control flow: early exits, labels, regions, captured variables.

use super::support::check;
use retrograde::gradient;

const SIX: &[&[f64]] = &[
    &[0.7, 0.4, -0.3, 1.2, -0.5, 0.9],
    &[-1.3, 0.9, 1.1, 0.2, 0.8, -0.7],
];

#[gradient]
fn left_early(v: &[f64]) -> f64 {
    let mut sum = 0.0;
    for x in v.iter().filter(|x| **x > -0.4) {
        if *x > 1.0 {
            return sum * x;
        }
        sum += x * x;
    }
    sum
}

#[test]
fn a_filtered_loop_returns() {
    check(|p| left_early(p), |p| left_early_grad(p), SIX);
}

#[gradient]
fn labelled(v: &[f64], n: usize) -> f64 {
    let mut sum = 1.0;
    'rows: for i in (0..n).filter(|i| i % 3 != 1) {
        for (j, x) in v.iter().filter(|x| **x > -0.6).enumerate() {
            if j == i + 1 {
                continue 'rows;
            }
            if sum > 12.0 {
                break 'rows;
            }
            sum = sum * (1.0 + 0.3 * x) + i as f64 * x;
        }
    }
    sum
}

#[test]
fn labels_lead_out_of_filtered_loops() {
    for n in [0, 1, 5, 9] {
        check(|p| labelled(p, n), |p| labelled_grad(p, n), SIX);
    }
}

#[gradient]
fn region(v: &[f64], n: usize) -> f64 {
    let mut s: f64 = 0.3;
    #[checkpoint]
    for _ in 0..n {
        for x in v.iter().filter(|x| **x > -0.4).take(3) {
            s = s.sin() + x * s;
        }
        s += v
            .iter()
            .skip_while(|x| **x > 0.5)
            .map(|x| x * s)
            .sum::<f64>();
    }
    s
}

#[test]
fn chains_in_a_region_run_again() {
    for n in [0, 1, 4] {
        check(|p| region(p, n), |p| region_grad(p, n), SIX);
    }
}

#[gradient]
fn captured(v: &[f64], bound: f64) -> f64 {
    let mut bound = bound;
    let mut sum = 0.0;
    for _ in 0..3 {
        // The bound, as it is now, decides and scales.
        sum += v
            .iter()
            .filter(|x| **x > bound)
            .map(|x| x * bound)
            .sum::<f64>();
        bound = bound * 0.5 - 0.11;
    }
    sum + v
        .iter()
        .filter(|x| v.iter().any(|y| *y < **x - 1.03))
        .map(|x| x * x)
        .sum::<f64>()
}

#[test]
fn what_a_predicate_captures() {
    check(
        |p| captured(&p[..5], p[5]),
        |p| captured_grad(&p[..5], p[5]),
        SIX,
    );
}

#[gradient]
fn overwritten(p: &[f64]) -> f64 {
    let mut v = p.to_vec();
    let mut sum = 0.0;
    for k in 0..3 {
        for x in v.iter_mut().filter(|x| **x > 0.0) {
            *x = *x * *x - 0.3;
        }
        let kept: Vec<f64> = v.iter().copied().filter(|x| *x < 0.55).collect();
        sum += kept.iter().sum::<f64>() * (k + 1) as f64;
        for (x, y) in v.iter_mut().zip(kept.iter()) {
            *x += 0.1 * y;
        }
    }
    sum
}

#[test]
fn items_change_between_chains() {
    check(|p| overwritten(p), |p| overwritten_grad(p), SIX);
}

#[gradient]
fn counted(v: &[f64]) -> f64 {
    // No derivative passes through these: they are kept as written.
    let positive = v.iter().filter(|x| **x > 0.0).count();
    let at = v.iter().position(|x| *x < 0.0).unwrap_or(0);
    let all = v.iter().skip(1).filter(|x| **x > 0.5).all(|x| *x < 1.0);
    v[at] * positive as f64 + if all { v[0] } else { v[1] * v[2] }
}

#[test]
fn counts_and_positions() {
    check(|p| counted(p), |p| counted_grad(p), SIX);
}

#[gradient]
fn blocks(v: &[f64]) -> f64 {
    v.iter()
        .filter(|x| {
            let double = **x * 2.0;
            double > 0.5 && double < 2.0
        })
        .map(|x| {
            let y = x.sin();
            if y > 0.5 { y * y } else { y }
        })
        .sum()
}

#[test]
fn closures_with_statements() {
    check(|p| blocks(p), |p| blocks_grad(p), SIX);
}

#[gradient]
fn of_constants(
    x: f64,
    #[constant] table: &std::collections::HashMap<u32, f64>,
    #[constant] names: &[String],
) -> f64 {
    let sum: f64 = table.iter().filter(|(k, _)| **k > 1).map(|(_, v)| *v).sum();
    let last = names.iter().last().map_or(0, |name| name.len());
    let long = names
        .iter()
        .find(|name| name.len() > 2)
        .map_or(0, |name| name.len());
    x * sum * (last + long) as f64
}

#[test]
fn chains_over_constants_are_kept_as_written() {
    let table = [(1, 2.0), (2, 0.5)].into_iter().collect();
    let names = ["a", "long", "two"].map(str::to_owned);
    assert_eq!(of_constants_grad(3.0, &table, &names), (10.5, 3.5));
}
