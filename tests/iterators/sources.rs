//! Chains that begin or end elsewhere: functions of `std::iter`, `cycle`, open ranges, `nth`, `min_by_key`.

use std::iter::zip;
use std::{array, iter};

use retrograde::{Tape, gradient};

use super::outcomes::{Fault, Of, Taken, adjoint, compare, logo, root};

#[gradient]
fn nth(x: &[f64]) -> f64 {
    x.iter().nth(2).unwrap() * x.iter().rev().nth(1).unwrap()
        + x.iter().map(|v| v * v).nth(3).unwrap_or(0.0)
}

#[test]
fn nth_has_its_derivative() {
    compare(|x| nth(x).value(), |x| nth_grad(x).outcome());
}

#[gradient]
fn cycle(x: &[f64]) -> f64 {
    let w = [1.0, -2.0];
    x.iter()
        .zip(w.iter().cycle())
        .map(|(a, b)| a * a * b)
        .sum::<f64>()
        + x.iter().cycle().take(9).map(|v| v * v).sum::<f64>()
}

#[test]
fn cycle_has_its_derivative() {
    compare(|x| cycle(x).value(), |x| cycle_grad(x).outcome());
}

#[gradient]
fn open_zip(x: &[f64]) -> f64 {
    x.iter()
        .zip(0..)
        .map(|(v, k)| v * v * k as f64)
        .sum::<f64>()
        + (1..).zip(x).map(|(k, v)| v * k as f64).sum::<f64>()
}

#[test]
fn open_zip_has_its_derivative() {
    compare(|x| open_zip(x).value(), |x| open_zip_grad(x).outcome());
}

#[gradient]
fn open_take(x: &[f64]) -> f64 {
    (0..).take(5).map(|k| x[k] * x[k]).sum::<f64>()
        + (1..).take_while(|k| *k < 4).map(|k| x[k]).product::<f64>()
}

#[test]
fn open_take_has_its_derivative() {
    compare(|x| open_take(x).value(), |x| open_take_grad(x).outcome());
}

#[gradient]
fn open_loop(x: &[f64]) -> f64 {
    let mut y = x[0];
    for k in 1.. {
        y = 0.5 * y + x[1];
        if k > 5 {
            break;
        }
    }
    y
}

#[test]
fn open_loop_has_its_derivative() {
    compare(|x| open_loop(x).value(), |x| open_loop_grad(x).outcome());
}

#[gradient]
fn once_chain(x: &[f64]) -> f64 {
    std::iter::once(x[0] * 2.0)
        .chain(x.iter().copied())
        .chain(std::iter::once(1.0))
        .map(|v| v * v)
        .sum()
}

#[test]
fn once_chain_has_its_derivative() {
    compare(|x| once_chain(x).value(), |x| once_chain_grad(x).outcome());
}

#[gradient]
fn once_ref(x: &[f64]) -> f64 {
    iter::once(&x[2]).chain(x).map(|v| v.sin()).sum()
}

#[test]
fn once_ref_has_its_derivative() {
    compare(|x| once_ref(x).value(), |x| once_ref_grad(x).outcome());
}

#[gradient]
fn repeat(x: &[f64]) -> f64 {
    x.iter()
        .zip(std::iter::repeat(x[1]))
        .map(|(a, b)| a * b)
        .sum::<f64>()
        + std::iter::repeat(x[2]).take(3).sum::<f64>()
        + std::iter::repeat_n(x[3], 4).product::<f64>()
}

#[test]
fn repeat_has_its_derivative() {
    compare(|x| repeat(x).value(), |x| repeat_grad(x).outcome());
}

#[gradient]
fn repeat_collect(x: &[f64]) -> f64 {
    let v: Vec<f64> = std::iter::repeat(x[0]).take(x.len()).collect();
    v.iter().zip(x).map(|(a, b)| a * b).sum()
}

#[test]
fn repeat_collect_has_its_derivative() {
    compare(
        |x| repeat_collect(x).value(),
        |x| repeat_collect_grad(x).outcome(),
    );
}

#[gradient]
fn succ(x: &[f64]) -> f64 {
    std::iter::successors(Some(x[0]), |v| Some(v * 0.5 + x[1]))
        .take(5)
        .sum::<f64>()
}

#[test]
fn succ_has_its_derivative() {
    compare(|x| succ(x).value(), |x| succ_grad(x).outcome());
}

#[gradient]
fn succ2(x: &[f64]) -> f64 {
    std::iter::successors(Some(x[0].abs()), |&v| {
        if v < 10.0 { Some(v * 1.5 + 1.0) } else { None }
    })
    .map(|v| v * v)
    .sum::<f64>()
}

#[test]
fn succ2_has_its_derivative() {
    compare(|x| succ2(x).value(), |x| succ2_grad(x).outcome());
}

#[gradient]
fn succ_last(x: &[f64]) -> f64 {
    std::iter::successors(Some(1.0), |t| Some(0.5 * (t + (x[0] * x[0] + 1.0) / t)))
        .nth(6)
        .unwrap()
}

#[test]
fn succ_last_has_its_derivative() {
    compare(|x| succ_last(x).value(), |x| succ_last_grad(x).outcome());
}

#[gradient]
fn fromfn(x: &[f64]) -> f64 {
    let mut k = 0;
    let mut s = x[0];
    std::iter::from_fn(|| {
        if k < 4 {
            k += 1;
            s = s * 0.5 + x[k];
            Some(s)
        } else {
            None
        }
    })
    .sum::<f64>()
}

#[test]
fn fromfn_has_its_derivative() {
    compare(|x| fromfn(x).value(), |x| fromfn_grad(x).outcome());
}

#[gradient]
fn zipfn(x: &[f64]) -> f64 {
    std::iter::zip(x, &x[1..]).map(|(a, b)| a * b).sum()
}

#[test]
fn zipfn_has_its_derivative() {
    compare(|x| zipfn(x).value(), |x| zipfn_grad(x).outcome());
}

#[gradient]
fn zipfn_for(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for (a, b) in zip(x, x.iter().skip(2)) {
        s += a * b;
    }
    s
}

#[test]
fn zipfn_for_has_its_derivative() {
    compare(|x| zipfn_for(x).value(), |x| zipfn_for_grad(x).outcome());
}

#[gradient]
fn rchunks(x: &[f64]) -> f64 {
    x.rchunks(4).map(|c| c[0] * c[c.len() - 1]).sum::<f64>()
        + x.rchunks_exact(4).map(|c| c[0] * c[1]).sum::<f64>()
}

#[test]
fn rchunks_has_its_derivative() {
    compare(|x| rchunks(x).value(), |x| rchunks_grad(x).outcome());
}

#[gradient]
fn min_by_key(x: &[f64]) -> f64 {
    let a = x.iter().min_by_key(|v| (v.abs() * 1000.0) as i64).unwrap();
    let b = x
        .iter()
        .enumerate()
        .max_by_key(|(i, _)| (i * 5) % 4)
        .unwrap()
        .1;
    a * b
}

#[test]
fn min_by_key_has_its_derivative() {
    compare(|x| min_by_key(x).value(), |x| min_by_key_grad(x).outcome());
}

#[gradient]
fn idx_key(x: &[f64]) -> f64 {
    let k = (0..x.len()).min_by_key(|&i| (i * 7 + 3) % 5).unwrap();
    x[k] * x[k]
}

#[test]
fn idx_key_has_its_derivative() {
    compare(|x| idx_key(x).value(), |x| idx_key_grad(x).outcome());
}

#[gradient]
fn map_skip(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).skip(1).step_by(2).sum()
}

#[test]
fn map_skip_has_its_derivative() {
    compare(|x| map_skip(x).value(), |x| map_skip_grad(x).outcome());
}

#[gradient]
fn map_stepby(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).step_by(2).sum::<f64>()
        + x.iter().filter(|v| **v > 0.0).step_by(2).sum::<f64>()
}

#[test]
fn map_stepby_has_its_derivative() {
    compare(|x| map_stepby(x).value(), |x| map_stepby_grad(x).outcome());
}

#[gradient]
fn zip_filter(x: &[f64]) -> f64 {
    x.iter()
        .zip(x.iter().filter(|v| **v > 0.0))
        .map(|(a, b)| a * b)
        .sum()
}

#[test]
fn zip_filter_has_its_derivative() {
    compare(|x| zip_filter(x).value(), |x| zip_filter_grad(x).outcome());
}

#[gradient]
fn zip_chain(x: &[f64]) -> f64 {
    let w = [0.5];
    x.iter()
        .zip(w.iter().chain(x.iter()))
        .map(|(a, b)| a * b)
        .sum()
}

#[test]
fn zip_chain_has_its_derivative() {
    compare(|x| zip_chain(x).value(), |x| zip_chain_grad(x).outcome());
}

#[gradient]
fn arr_from_fn(x: &[f64]) -> f64 {
    let a: [f64; 4] = std::array::from_fn(|i| x[i] * x[i + 1]);
    let b = std::array::from_fn::<f64, 3, _>(|i| a[i] + a[i + 1]);
    b[0] * b[1] * b[2]
}

#[test]
fn arr_from_fn_has_its_derivative() {
    compare(
        |x| arr_from_fn(x).value(),
        |x| arr_from_fn_grad(x).outcome(),
    );
}

#[gradient]
fn arr_from_fn2(x: &[f64]) -> f64 {
    let m: [[f64; 2]; 3] = array::from_fn(|i| array::from_fn(|j| x[i] * x[j + 2]));
    m[0][1] * m[2][0] + m[1][1]
}

#[test]
fn arr_from_fn2_has_its_derivative() {
    compare(
        |x| arr_from_fn2(x).value(),
        |x| arr_from_fn2_grad(x).outcome(),
    );
}

#[gradient]
fn odd_cycle_empty(x: &[f64]) -> f64 {
    let e: [f64; 0] = [];
    x.iter()
        .zip(e.iter().cycle())
        .map(|(a, b)| a * b)
        .sum::<f64>()
        + x[..0].iter().cycle().take(4).map(|a| a * a).sum::<f64>()
        + x[0] * x[0]
}

#[test]
fn odd_cycle_empty_has_its_derivative() {
    compare(
        |x| odd_cycle_empty(x).value(),
        |x| odd_cycle_empty_grad(x).outcome(),
    );
}

#[gradient]
fn odd_take0(x: &[f64]) -> f64 {
    std::iter::successors(Some(x[0]), |v| Some(v * 2.0))
        .take(0)
        .sum::<f64>()
        + std::iter::repeat_with(|| x[1] * 2.0).take(3).sum::<f64>()
        + x[2] * x[3]
}

#[test]
fn odd_take0_has_its_derivative() {
    compare(|x| odd_take0(x).value(), |x| odd_take0_grad(x).outcome());
}

#[gradient]
fn odd_nth_out(x: &[f64]) -> f64 {
    x.iter().nth(17).copied().unwrap_or(x[1] * x[2])
        + x.iter()
            .filter(|v| **v > 0.5)
            .nth(1)
            .map_or(0.0, |v| v * x[0])
        + x.iter().map(|v| v * v).next().unwrap()
}

#[test]
fn odd_nth_out_has_its_derivative() {
    compare(
        |x| odd_nth_out(x).value(),
        |x| odd_nth_out_grad(x).outcome(),
    );
}

#[gradient]
fn odd_nth_panics(x: &[f64]) -> f64 {
    let k = if x[0] > 3.0 { 9 } else { 1 };
    x.iter().nth(k).unwrap() * x[0]
}

#[test]
fn odd_nth_panics_has_its_derivative() {
    compare(
        |x| odd_nth_panics(x).value(),
        |x| odd_nth_panics_grad(x).outcome(),
    );
}

#[gradient]
fn odd_step_filter(x: &[f64]) -> f64 {
    x.iter()
        .filter(|v| **v != 0.9)
        .step_by(3)
        .map(|v| v * v)
        .sum::<f64>()
        + x.iter().map(|v| v.sin()).step_by(4).sum::<f64>()
        + (0..6)
            .map(|k| x[k] * k as f64)
            .skip(2)
            .step_by(2)
            .product::<f64>()
}

#[test]
fn odd_step_filter_has_its_derivative() {
    compare(
        |x| odd_step_filter(x).value(),
        |x| odd_step_filter_grad(x).outcome(),
    );
}

#[gradient]
fn odd_open_types(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for k in 2u8.. {
        if k > 4 {
            break;
        }
        s += x[k as usize] * f64::from(k);
    }
    for (i, v) in (0..).zip(x) {
        s += v * i as f64;
    }
    for k in (1..).step_by(2) {
        if k >= 5 {
            break;
        }
        s *= x[k];
    }
    s
}

#[test]
fn odd_open_types_has_its_derivative() {
    compare(
        |x| odd_open_types(x).value(),
        |x| odd_open_types_grad(x).outcome(),
    );
}

#[gradient]
fn odd_open_continue(x: &[f64]) -> f64 {
    let mut s = x[0];
    for k in 0.. {
        if k % 2 == 0 {
            continue;
        }
        if k > 5 {
            break;
        }
        s = s * 0.5 + x[k] * x[k];
    }
    s
}

#[test]
fn odd_open_continue_has_its_derivative() {
    compare(
        |x| odd_open_continue(x).value(),
        |x| odd_open_continue_grad(x).outcome(),
    );
}

#[gradient]
fn odd_repeat_arr(x: &[f64]) -> f64 {
    std::iter::repeat([x[0], x[1]])
        .take(3)
        .enumerate()
        .map(|(k, a)| a[0] * a[1] * k as f64)
        .sum::<f64>()
        + std::iter::repeat(x[2])
            .zip(x)
            .map(|(a, b)| a * b)
            .sum::<f64>()
}

#[test]
fn odd_repeat_arr_has_its_derivative() {
    compare(
        |x| odd_repeat_arr(x).value(),
        |x| odd_repeat_arr_grad(x).outcome(),
    );
}

#[gradient]
fn odd_once_mutated(x: &[f64]) -> f64 {
    let mut a = x[0];
    let it: Vec<f64> = std::iter::once(a).chain([x[1], x[2]]).collect();
    a *= 3.0;
    it[0] * it[1] + a * it[2]
}

#[test]
fn odd_once_mutated_has_its_derivative() {
    compare(
        |x| odd_once_mutated(x).value(),
        |x| odd_once_mutated_grad(x).outcome(),
    );
}

#[gradient]
fn odd_fromfn_local(x: &[f64]) -> f64 {
    let mut k = 0;
    let mut next = || {
        let v = *x.get(k)?;
        k += 2;
        Some(v * v)
    };
    let a: f64 = std::iter::from_fn(next).take(2).sum();
    a * x[0]
}

#[test]
fn odd_fromfn_local_has_its_derivative() {
    compare(
        |x| odd_fromfn_local(x).value(),
        |x| odd_fromfn_local_grad(x).outcome(),
    );
}

#[gradient]
fn odd_fromfn_name(x: &[f64]) -> f64 {
    let mut k = 0;
    let next = || {
        if k >= x.len() {
            return None;
        }
        k += 2;
        Some(x[k - 2] * x[k - 1])
    };
    std::iter::from_fn(next).sum::<f64>()
}

#[test]
fn odd_fromfn_name_has_its_derivative() {
    compare(
        |x| odd_fromfn_name(x).value(),
        |x| odd_fromfn_name_grad(x).outcome(),
    );
}

#[gradient]
fn odd_zip_gather(x: &[f64]) -> f64 {
    let f = |v: &&f64| **v > 0.5;
    x.iter()
        .zip(x.iter().filter(f))
        .map(|(a, b)| a * b * b)
        .sum::<f64>()
        + x.iter()
            .zip(x.iter().flat_map(|v| [*v, 2.0 * v]))
            .map(|(a, b)| a * b)
            .sum::<f64>()
        + x.iter()
            .zip(x.iter().scan(0.0, |s, v| {
                *s += v;
                Some(*s)
            }))
            .map(|(a, b)| a * b)
            .sum::<f64>()
}

#[test]
fn odd_zip_gather_has_its_derivative() {
    compare(
        |x| odd_zip_gather(x).value(),
        |x| odd_zip_gather_grad(x).outcome(),
    );
}

#[gradient]
fn odd_minkey_tie(x: &[f64]) -> f64 {
    let a = x.iter().min_by_key(|v| (**v > 1.0) as u8).unwrap();
    let b = x.iter().max_by_key(|v| (**v > 1.0) as u8).unwrap();
    let c = x
        .iter()
        .copied()
        .enumerate()
        .min_by_key(|(k, _)| std::cmp::Reverse(*k))
        .map(|(_, v)| v * v)
        .unwrap();
    a * b + c
}

#[test]
fn odd_minkey_tie_has_its_derivative() {
    compare(
        |x| odd_minkey_tie(x).value(),
        |x| odd_minkey_tie_grad(x).outcome(),
    );
}

#[gradient]
fn odd_minkey_empty(x: &[f64]) -> f64 {
    x[..0]
        .iter()
        .min_by_key(|v| **v as i64)
        .map_or(x[1], |v| v * 2.0)
        * x[0]
}

#[test]
fn odd_minkey_empty_has_its_derivative() {
    compare(
        |x| odd_minkey_empty(x).value(),
        |x| odd_minkey_empty_grad(x).outcome(),
    );
}

#[gradient]
fn odd_rchunks_odd(x: &[f64]) -> f64 {
    let v = &x[..5];
    let mut s = 0.0;
    for (k, c) in v.rchunks(2).enumerate() {
        s += c[0] * c[c.len() - 1] * (k + 1) as f64;
    }
    for c in v.rchunks_exact(3) {
        s += c[0] * c[2];
    }
    let mut w = v.to_vec();
    for c in w.rchunks_mut(2) {
        c[0] *= 2.0;
    }
    s + w.iter().map(|a| a * a).sum::<f64>()
}

#[test]
fn odd_rchunks_odd_has_its_derivative() {
    compare(
        |x| odd_rchunks_odd(x).value(),
        |x| odd_rchunks_odd_grad(x).outcome(),
    );
}

#[gradient]
fn odd_from_fn(x: &[f64]) -> f64 {
    const N: usize = 3;
    let a: [f64; N] = std::array::from_fn(|i| x[i] * x[i + 1]);
    let m: [[f64; 2]; 2] = std::array::from_fn(|i| std::array::from_fn(|j| a[i] + a[j] * x[0]));
    m[0][1] * m[1][0]
}

#[test]
fn odd_from_fn_has_its_derivative() {
    compare(
        |x| odd_from_fn(x).value(),
        |x| odd_from_fn_grad(x).outcome(),
    );
}
