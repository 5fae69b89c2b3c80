//! Methods of containers, several of which are loops: parts that may be missing, orders, what is taken out, queues.

use std::collections::VecDeque;

use retrograde::{Tape, gradient};

use super::outcomes::{Fault, Of, Taken, adjoint, compare, logo, root};

#[gradient]
fn drain(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut s = 0.0;
    for a in v.drain(1..3) {
        s += a * a;
    }
    s + v[1] * v[2] + v.drain(..).map(|a| a * a).sum::<f64>() + v.len() as f64
}

#[test]
fn drain_has_its_derivative() {
    compare(|x| drain(x).value(), |x| drain_grad(x).outcome());
}

#[gradient]
fn drain_all(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let w: Vec<f64> = v.drain(..).collect();
    w[0] * w[1] + v.len() as f64
}

#[test]
fn drain_all_has_its_derivative() {
    compare(|x| drain_all(x).value(), |x| drain_all_grad(x).outcome());
}

#[gradient]
fn append(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut w = vec![x[0] * 2.0, x[1]];
    v.append(&mut w);
    v[6] * v[7] * v[0] + w.len() as f64
}

#[test]
fn append_has_its_derivative() {
    compare(|x| append(x).value(), |x| append_grad(x).outcome());
}

#[gradient]
fn get_mut(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    if let Some(a) = v.get_mut(2) {
        *a *= x[0];
    }
    *v.get_mut(1).unwrap() += x[3];
    if let Some(a) = v.first_mut() {
        *a = *a * *a;
    }
    if let Some(l) = v.last_mut() {
        *l *= 3.0;
    }
    *v.last_mut().unwrap() += x[1];
    v.iter().map(|a| a * a).sum()
}

#[test]
fn get_mut_has_its_derivative() {
    compare(|x| get_mut(x).value(), |x| get_mut_grad(x).outcome());
}

#[gradient]
fn split_first(x: &[f64]) -> f64 {
    let (a, rest) = x.split_first().unwrap();
    let (b, front) = x.split_last().unwrap();
    a * rest.iter().sum::<f64>() + b * front[0]
}

#[test]
fn split_first_has_its_derivative() {
    compare(
        |x| split_first(x).value(),
        |x| split_first_grad(x).outcome(),
    );
}

#[gradient]
fn split_first_iflet(x: &[f64]) -> f64 {
    if let Some((a, rest)) = x.split_first() {
        rest.iter().fold(*a, |s, v| s * 0.5 + v * v)
    } else {
        0.0
    }
}

#[test]
fn split_first_iflet_has_its_derivative() {
    compare(
        |x| split_first_iflet(x).value(),
        |x| split_first_iflet_grad(x).outcome(),
    );
}

#[gradient]
fn sort_by(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let mut w = x.to_vec();
    w.sort_by(f64::total_cmp);
    let mut u = x.to_vec();
    u.sort_unstable_by(|a, b| b.total_cmp(a));
    v[0] * v[5] + w[2] * w[3] + u[1] * u[1]
}

#[test]
fn sort_by_has_its_derivative() {
    compare(|x| sort_by(x).value(), |x| sort_by_grad(x).outcome());
}

#[gradient]
fn sort_key(x: &[f64]) -> f64 {
    let mut idx: Vec<usize> = (0..x.len()).collect();
    idx.sort_by(|&i, &j| x[i].partial_cmp(&x[j]).unwrap());
    let mut k = vec![3, 1, 2];
    k.sort_by_key(|v| std::cmp::Reverse(*v));
    k.sort();
    x[idx[0]] * x[idx[5]] * k[0] as f64
}

#[test]
fn sort_key_has_its_derivative() {
    compare(|x| sort_key(x).value(), |x| sort_key_grad(x).outcome());
}

#[gradient]
fn sort_by_key(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.sort_by_key(|a| (a * 100.0) as i64);
    v[0] * v[5]
}

#[test]
fn sort_by_key_has_its_derivative() {
    compare(
        |x| sort_by_key(x).value(),
        |x| sort_by_key_grad(x).outcome(),
    );
}

#[gradient]
fn select_nth(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let (_, m, _) = v.select_nth_unstable_by(2, |a, b| a.total_cmp(b));
    let m = *m;
    m * m
}

#[test]
fn select_nth_has_its_derivative() {
    compare(|x| select_nth(x).value(), |x| select_nth_grad(x).outcome());
}

#[gradient]
fn select_nth2(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let m = *v.select_nth_unstable_by(3, f64::total_cmp).1;
    m * x[0]
}

#[test]
fn select_nth2_has_its_derivative() {
    compare(
        |x| select_nth2(x).value(),
        |x| select_nth2_grad(x).outcome(),
    );
}

#[gradient]
fn bsearch2(x: &[f64]) -> f64 {
    let g = vec![0.0, 1.0, 2.0, 3.0];
    let k = g
        .binary_search_by(|p: &f64| p.total_cmp(&x[0]))
        .unwrap_or_else(|k| k);
    x[k.min(5)] * x[0]
}

#[test]
fn bsearch2_has_its_derivative() {
    compare(|x| bsearch2(x).value(), |x| bsearch2_grad(x).outcome());
}

#[gradient]
fn dedup(x: &[f64]) -> f64 {
    let mut v = vec![x[0], x[0], x[1], x[1], x[2]];
    v.dedup();
    v.iter().enumerate().map(|(k, a)| a * a * k as f64).sum()
}

#[test]
fn dedup_has_its_derivative() {
    compare(|x| dedup(x).value(), |x| dedup_grad(x).outcome());
}

#[gradient]
fn vecdeque(x: &[f64]) -> f64 {
    let mut q = VecDeque::new();
    let mut s = 0.0;
    for v in x {
        q.push_back(v * v);
        if q.len() > 3 {
            q.pop_front();
        }
        s += q.iter().sum::<f64>();
    }
    s + q[0] * q[1] + q.back().unwrap()
}

#[test]
fn vecdeque_has_its_derivative() {
    compare(|x| vecdeque(x).value(), |x| vecdeque_grad(x).outcome());
}

#[gradient]
fn vecdeque2(x: &[f64]) -> f64 {
    let mut q: VecDeque<f64> = VecDeque::with_capacity(4);
    for v in x {
        q.push_front(*v);
    }
    while let Some(v) = q.pop_back() {
        if q.len() == 2 {
            return v * q[0];
        }
    }
    0.0
}

#[test]
fn vecdeque2_has_its_derivative() {
    compare(|x| vecdeque2(x).value(), |x| vecdeque2_grad(x).outcome());
}

#[gradient]
fn insert_remove(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.insert(1, x[0] * x[1]);
    let a = v.remove(3);
    let b = v.swap_remove(0);
    v.retain(|e| *e > 0.0);
    v.reverse();
    let h = v.len() / 2;
    v.rotate_left(h);
    let t = v.split_off(h);
    a * b + v.iter().sum::<f64>() * t.iter().sum::<f64>()
}

#[test]
fn insert_remove_has_its_derivative() {
    compare(
        |x| insert_remove(x).value(),
        |x| insert_remove_grad(x).outcome(),
    );
}

#[gradient]
fn odd_get_overwrite(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut i = 1;
    let mut s = 0.0;
    while let Some(a) = v.get_mut(i) {
        i += 2;
        *a *= *a;
        s += *a * i as f64;
    }
    if let Some(&a) = v.get(i - 2) {
        v[i - 2] = 3.0;
        s += a * v[0];
    }
    s + v.iter().sum::<f64>()
}

#[test]
fn odd_get_overwrite_has_its_derivative() {
    compare(
        |x| odd_get_overwrite(x).value(),
        |x| odd_get_overwrite_grad(x).outcome(),
    );
}

#[gradient]
fn odd_split_firsts(x: &[f64]) -> f64 {
    let mut rest = x;
    let mut s = 1.0;
    while let Some((h, t)) = rest.split_first() {
        s = s * 0.7 + h * h;
        rest = t;
    }
    let mut r = x;
    while let [a, b, t @ ..] = r {
        s += a * b;
        r = t;
    }
    s
}

#[test]
fn odd_split_firsts_has_its_derivative() {
    compare(
        |x| odd_split_firsts(x).value(),
        |x| odd_split_firsts_grad(x).outcome(),
    );
}

#[gradient]
fn odd_split_mut(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    if let Some((h, t)) = v.split_first_mut() {
        for e in t.iter_mut() {
            *e *= *h;
        }
        *h = 2.0 * t[0];
    }
    let (l, f) = v.split_last_mut().unwrap();
    f[0] += *l;
    *l *= f[1];
    v.iter().map(|a| a * a).sum()
}

#[test]
fn odd_split_mut_has_its_derivative() {
    compare(
        |x| odd_split_mut(x).value(),
        |x| odd_split_mut_grad(x).outcome(),
    );
}

#[gradient]
fn odd_get_range(x: &[f64]) -> f64 {
    let a = x.get(1..3).unwrap();
    let b = if let Some(s) = x.get(4..9) {
        s[0]
    } else {
        x[0] * x[0]
    };
    let c = if let Some(s) = x.get(4..) {
        s[0] * s[1]
    } else {
        0.0
    };
    a[0] * a[1] + b + c
}

#[test]
fn odd_get_range_has_its_derivative() {
    compare(
        |x| odd_get_range(x).value(),
        |x| odd_get_range_grad(x).outcome(),
    );
}

#[gradient]
fn odd_drain_edges(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.drain(..0);
    v.drain(6..);
    let a: f64 = v.drain(1..=2).map(|a| a * a).sum();
    let b: Vec<f64> = v.drain(2..).collect();
    v.drain(..1);
    a * v[0] + b[0] * b[1] + v.len() as f64
}

#[test]
fn odd_drain_edges_has_its_derivative() {
    compare(
        |x| odd_drain_edges(x).value(),
        |x| odd_drain_edges_grad(x).outcome(),
    );
}

#[gradient]
fn odd_drain_panic(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let n = if x[0] > 3.0 { 7 } else { 2 };
    v.drain(..n);
    v[0] * v[1]
}

#[test]
fn odd_drain_panic_has_its_derivative() {
    compare(
        |x| odd_drain_panic(x).value(),
        |x| odd_drain_panic_grad(x).outcome(),
    );
}

#[gradient]
fn odd_drain_partial(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut s = 0.0;
    for a in v.drain(1..4) {
        if a > 1.0 {
            break;
        }
        s += a * a;
    }
    s + v.iter().map(|a| a * a * a).sum::<f64>()
}

#[test]
fn odd_drain_partial_has_its_derivative() {
    compare(
        |x| odd_drain_partial(x).value(),
        |x| odd_drain_partial_grad(x).outcome(),
    );
}

#[gradient]
fn odd_append_twice(x: &[f64]) -> f64 {
    let mut v = vec![x[0]];
    let mut w = x[1..3].to_vec();
    v.append(&mut w);
    w.push(x[3] * 2.0);
    v.append(&mut w);
    v.iter()
        .enumerate()
        .map(|(k, a)| a * a * (k + 1) as f64)
        .sum()
}

#[test]
fn odd_append_twice_has_its_derivative() {
    compare(
        |x| odd_append_twice(x).value(),
        |x| odd_append_twice_grad(x).outcome(),
    );
}

#[gradient]
fn odd_sort_unst(x: &[f64]) -> f64 {
    let mut v = vec![x[0], 0.0, -0.0, x[1], 0.0, x[2], -0.0, x[0]];
    v.sort_unstable_by(|a, b| a.partial_cmp(b).unwrap());
    let mut w = x.to_vec();
    w.sort_unstable_by(|a, b| (a * a).total_cmp(&(b * b)));
    v.iter()
        .enumerate()
        .map(|(k, a)| a * a * k as f64)
        .sum::<f64>()
        + w[0] * w[3]
}

#[test]
fn odd_sort_unst_has_its_derivative() {
    compare(
        |x| odd_sort_unst(x).value(),
        |x| odd_sort_unst_grad(x).outcome(),
    );
}

#[gradient]
fn odd_sort_nan(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    if x[0] > 3.0 {
        v[2] = f64::NAN;
    }
    v.sort_unstable_by(|a, b| a.partial_cmp(b).unwrap());
    v[0] * v[1]
}

#[test]
fn odd_sort_nan_has_its_derivative() {
    compare(
        |x| odd_sort_nan(x).value(),
        |x| odd_sort_nan_grad(x).outcome(),
    );
}

#[gradient]
fn odd_median(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let n = v.len() / 2;
    let (lo, m, hi) = v.select_nth_unstable_by(n, |a, b| a.total_cmp(b));
    let l = lo.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let h: f64 = hi.iter().map(|a| a * a).sum();
    0.5 * (*m + l) * h + lo.len() as f64
}

#[test]
fn odd_median_has_its_derivative() {
    compare(|x| odd_median(x).value(), |x| odd_median_grad(x).outcome());
}

#[gradient]
fn odd_argsort(x: &[f64]) -> f64 {
    let mut idx: Vec<usize> = (0..x.len()).collect();
    idx.sort_by(|&i, &j| x[i].total_cmp(&x[j]));
    idx.retain(|&i| x[i] > -1.0);
    let mut k: Vec<usize> = (0..4).collect();
    k.sort_unstable_by_key(|&i| (x[i] * 100.0) as i64);
    x[idx[0]] * x[idx[1]] + x[k[0]] * x[k[3]]
}

#[test]
fn odd_argsort_has_its_derivative() {
    compare(
        |x| odd_argsort(x).value(),
        |x| odd_argsort_grad(x).outcome(),
    );
}

#[gradient]
fn odd_dedup(x: &[f64]) -> f64 {
    let mut v = vec![
        x[0],
        x[0],
        x[1] * 2.0,
        x[0],
        x[0],
        x[0],
        x[2],
        f64::NAN,
        f64::NAN,
    ];
    v.dedup();
    let n = v.len();
    v.truncate(n - 2);
    let mut e: Vec<f64> = vec![];
    e.dedup();
    v.iter()
        .enumerate()
        .map(|(k, a)| a * a * (k + 1) as f64)
        .sum::<f64>()
        + e.len() as f64
        + n as f64
}

#[test]
fn odd_dedup_has_its_derivative() {
    compare(|x| odd_dedup(x).value(), |x| odd_dedup_grad(x).outcome());
}

#[gradient]
fn odd_deque_bfs(x: &[f64]) -> f64 {
    let mut q = VecDeque::new();
    q.push_back((0usize, 1.0));
    let mut s = 0.0;
    while let Some((i, w)) = q.pop_front() {
        s += w * x[i];
        if 2 * i + 2 < x.len() {
            q.push_back((2 * i + 1, w * x[i]));
            q.push_back((2 * i + 2, w * 0.5));
        }
    }
    s
}

#[test]
fn odd_deque_bfs_has_its_derivative() {
    compare(
        |x| odd_deque_bfs(x).value(),
        |x| odd_deque_bfs_grad(x).outcome(),
    );
}

#[gradient]
fn odd_deque_passive(x: &[f64]) -> f64 {
    let mut q: VecDeque<usize> = VecDeque::new();
    q.push_back(1);
    q.push_front(2);
    let mut s = 0.0;
    while let Some(k) = q.pop_front() {
        s += x[k] * x[k];
        if k < 4 && !q.contains(&(k + 2)) {
            q.push_back(k + 2);
        }
    }
    s + q.len() as f64
}

#[test]
fn odd_deque_passive_has_its_derivative() {
    compare(
        |x| odd_deque_passive(x).value(),
        |x| odd_deque_passive_grad(x).outcome(),
    );
}

#[gradient]
fn odd_deque_window(x: &[f64]) -> f64 {
    let mut w: VecDeque<f64> = VecDeque::with_capacity(3);
    let mut s = 0.0;
    for &v in x {
        if w.len() == 3 {
            let old = w.pop_front().unwrap();
            s -= 0.1 * old * v;
        }
        w.push_back(v * v);
        if let Some(f) = w.front() {
            s += f * w.back().unwrap();
        }
        s += w.iter().rev().take(2).sum::<f64>();
    }
    w[0] *= 2.0;
    for e in w.iter_mut() {
        *e += 1.0;
    }
    s * w.iter().product::<f64>()
}

#[test]
fn odd_deque_window_has_its_derivative() {
    compare(
        |x| odd_deque_window(x).value(),
        |x| odd_deque_window_grad(x).outcome(),
    );
}

#[gradient]
fn odd_deque_from(x: &[f64]) -> f64 {
    let mut q: VecDeque<f64> = x.iter().map(|v| v * 2.0).collect();
    q.rotate_left(2);
    let a = q.pop_back().unwrap();
    q.extend([x[0], x[1]]);
    a * q[0] + q[q.len() - 1]
}

#[test]
fn odd_deque_from_has_its_derivative() {
    compare(
        |x| odd_deque_from(x).value(),
        |x| odd_deque_from_grad(x).outcome(),
    );
}

/// Room for elements, made and given back.
#[gradient]
fn odd_room(x: &[f64]) -> f64 {
    let mut v = Vec::new();
    v.reserve(x.len() + 1);
    v.push(x[0]);
    for a in x {
        v.reserve_exact(1);
        v.push(a * v[v.len() - 1]);
    }
    v.shrink_to_fit();
    let mut q: VecDeque<f64> = v.iter().map(|a| a * 2.0).collect();
    q.reserve(v.len());
    q.push_back(v[0]);
    q.iter().sum()
}

#[gradient]
fn odd_room_of(x: f64, n: usize) -> f64 {
    let mut v = vec![x];
    v.reserve(n);
    v[0] * x
}

#[test]
fn odd_room_is_made() {
    compare(|x| odd_room(x).value(), |x| odd_room_grad(x).outcome());
    assert_eq!(odd_room_of_grad(3.0, 5), (9.0, 6.0));
    let most = isize::MAX as usize / 8;
    for n in [most, most + 1, usize::MAX] {
        let message = super::support::panic_message(|| _ = odd_room_of(3.0, n));
        assert_eq!(
            super::support::panic_message(|| _ = odd_room_of_grad(3.0, n)),
            message
        );
    }
}
