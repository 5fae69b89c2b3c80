//! Chains that a `let` binds to a name, and their items one by one.

use super::support::checked_by_name;
use retrograde::gradient;

const POINTS: &[&[f64]] = &[
    &[0.7, 0.4, -0.3, 1.2, -0.5, 0.9],
    &[-1.3, 0.9, 1.1, 0.2, 0.8, -0.7],
    &[-0.2, -0.9],
    &[0.6],
    &[],
];

#[gradient]
fn first_and_rest(x: &[f64]) -> f64 {
    let mut it = x.iter();
    let mut best = match it.next() {
        Some(v) => *v,
        None => return 0.0,
    };
    for v in it {
        if *v > best {
            best = *v;
        }
    }
    best * best
}

#[gradient]
fn walked(x: &[f64]) -> f64 {
    let mut it = x.iter().enumerate();
    let mut s = 0.5;
    while let Some((i, v)) = it.next() {
        if *v > 1.15 {
            continue;
        }
        s = s * 0.5 + v * (i + 1) as f64;
    }
    s
}

/// Two items at a time.
#[gradient]
fn in_pairs(x: &[f64]) -> f64 {
    let mut it = x.iter();
    let mut s = 0.0;
    while let Some(a) = it.next() {
        let Some(b) = it.next() else {
            s += a;
            break;
        };
        s += a * b;
    }
    s
}

#[gradient]
fn side_by_side(x: &[f64]) -> f64 {
    let (a, b) = x.split_at(x.len() / 3);
    let mut left = a.iter();
    let mut right = b.iter().copied();
    let mut s = 1.0;
    while let (Some(p), Some(q)) = (left.next(), right.next()) {
        s += p * q;
    }
    s * right.len() as f64 + right.sum::<f64>()
}

#[gradient]
fn from_both_ends(x: &[f64]) -> f64 {
    let mut it = x.iter();
    let mut s = 0.0;
    let mut k = 1.0;
    while let Some(a) = it.next() {
        s += k * a;
        if let Some(b) = it.next_back() {
            s -= a * b;
        }
        k += 1.0;
    }
    s
}

#[gradient]
fn peeked(x: &[f64]) -> f64 {
    let mut it = x.iter().peekable();
    let mut s = 0.0;
    while let Some(v) = it.next() {
        match it.peek().is_some() {
            true => {
                if let Some(next) = it.peek() {
                    s += (**next - v) * (**next + v) * 0.5;
                }
            }
            false => s += v,
        }
    }
    s
}

#[gradient]
fn mapped(x: &[f64]) -> f64 {
    let a = x.len() as f64 * 0.5;
    let squares = x.iter().map(|v| v * v * a);
    let a = 3.0;
    let halves = squares.rev().map(|v| v * 0.5 + a);
    halves.fold(0.0, |s, v| s * 0.9 + v)
}

#[gradient]
fn staged(x: &[f64]) -> f64 {
    let positive = x.iter().filter(|v| **v > 0.0);
    let numbered = positive.enumerate().skip(1);
    let mut s = 0.0;
    for (i, v) in numbered {
        s += v * i as f64;
    }
    s
}

#[gradient]
fn copied_chain(x: &[f64]) -> f64 {
    let it = x.iter().map(|v| v.exp());
    let top = it.clone().fold(0.0, f64::max);
    it.map(|v| v / (top + 1.0)).sum()
}

#[gradient]
fn by_position(x: &[f64]) -> f64 {
    let mut it = x.iter().skip(1).map(|v| v.sin());
    let a = it.nth(1).unwrap_or(2.0);
    let b = it.next().unwrap_or(0.5);
    a * b + it.len() as f64 * it.product::<f64>()
}

#[gradient]
fn written(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    let mut it = y.iter_mut();
    if let Some(first) = it.next() {
        *first *= 3.0;
    }
    for v in it {
        *v = v.sin();
    }
    y.iter().enumerate().map(|(i, v)| v * (i + 2) as f64).sum()
}

#[gradient]
fn chosen(x: &[f64]) -> f64 {
    let it = x.iter();
    if x.len() > 3 {
        it.map(|v| v * v).sum()
    } else {
        it.product()
    }
}

#[gradient]
fn owned(x: &[f64]) -> f64 {
    let mut it = x.to_vec().into_iter();
    let a = it.next().unwrap_or(1.0);
    a * it.map(|v| v + 0.1).product::<f64>()
}

/// A closure of the chain sees what it captured by value.
#[gradient]
fn moved(x: &[f64]) -> f64 {
    let mut k = 2.0;
    let it = x.iter().map(move |v| v * k);
    k = x.len() as f64;
    it.sum::<f64>() * k
}

/// Ranges under a name are taken as they were.
#[gradient]
fn ranges(x: &[f64]) -> f64 {
    if x.len() < 6 {
        return x.iter().sum();
    }
    let n = 1;
    let r = n..x.len();
    let n = 0;
    let mut s = 0.0;
    for i in r.clone() {
        s += x[i] * x[i - 1];
    }
    let q = 0..3;
    let w = 2..=4;
    let all = |t: f64| r.clone().map(|i| x[i] * t).sum::<f64>();
    let inside = 0.5..x[0] + 0.45;
    let k = x.iter().filter(|v| inside.contains(*v)).count();
    s * r.len() as f64
        + x[q].iter().sum::<f64>() * x[r.start]
        + w.map(|i| x[i].sin()).sum::<f64>()
        + x[r.clone()].len() as f64 * all(x[n])
        + k as f64 * (inside.start + inside.end) * x[1]
}

checked_by_name! {
    first_and_rest first_and_rest_grad
    walked walked_grad
    in_pairs in_pairs_grad
    side_by_side side_by_side_grad
    from_both_ends from_both_ends_grad
    peeked peeked_grad
    mapped mapped_grad
    staged staged_grad
    copied_chain copied_chain_grad
    by_position by_position_grad
    written written_grad
    chosen chosen_grad
    owned owned_grad
    moved moved_grad
    ranges ranges_grad
}
