//! What only reads in a region runs twice, and answers the same again: chains, searches, sorts, questions.

use retrograde::{Differentiable, Record, gradient, no_gradient};

use crate::support::check;
use crate::{PAIRS, identical};

macro_rules! twins {
    ($with:ident, $without:ident, |$x:ident, $y:ident, $s:ident, $i:ident| $body:block) => {
        #[gradient]
        fn $with(x: f64, y: f64, n: usize) -> f64 {
            let ($x, $y, mut $s) = (x, y, 1.0);
            #[checkpoint]
            for $i in 0..n $body
            $s
        }

        #[gradient]
        fn $without(x: f64, y: f64, n: usize) -> f64 {
            let ($x, $y, mut $s) = (x, y, 1.0);
            for $i in 0..n $body
            $s
        }
    };
}

twins!(found, found_plain, |x, y, s, i| {
    let v = [x, y, x * y, x - y];
    let first = v.iter().position(|t| *t > 0.3).unwrap_or(0);
    let last = v.iter().rposition(|t| *t < 0.9).map_or(1, |at| at % 4);
    let many = v
        .iter()
        .skip(1)
        .filter(|t| **t > -0.5)
        .map(|t| 2.0 * t)
        .count();
    let falls = v.windows(2).any(|w| w[0] > w[1]);
    let differ = v.iter().zip(v.iter().rev()).all(|(a, b)| a != b);
    s += v[first] * v[last] * many as f64;
    s *= if falls { 1.5 } else { 0.5 };
    if differ && v.chunks(2).map(|c| c.len()).sum::<usize>() == 4 {
        s -= v[i % 4];
    }
});

twins!(collected, collected_plain, |x, y, s, i| {
    let codes: Vec<usize> = (0..i + 3).map(|j| j * j % 3).collect();
    let weights = (0..5)
        .map(|j| j as f64)
        .map(|t| t + 0.5)
        .collect::<Vec<_>>();
    let most = codes.iter().copied().max().unwrap_or(0);
    let sum = codes
        .iter()
        .map(|c| if *c > 1 { 2 } else { *c })
        .fold(0, |a, c| a + c);
    s = (s * weights[codes[i % codes.len()]] + x * most as f64).sin() + y * sum as f64;
});

twins!(sorted, sorted_plain, |x, y, s, i| {
    let mut v = vec![x, y, x * y, s];
    v.sort_by(|a, b| a.total_cmp(b));
    s += v[i % 4] * v[0];
    v.sort_unstable_by(|a, b| b.partial_cmp(a).unwrap());
    s += v[1] * v[(i + 2) % 4];
    let mut pairs = [(x, 2_usize), (y, 0), (s, 1)];
    pairs.sort_by_key(|p| p.1);
    s += (pairs[0].0 * pairs[2].0).sin();
});

#[derive(Clone, Debug, Differentiable, Record)]
struct Body {
    mass: f64,
    at: Vec<f64>,
}

#[gradient]
fn body(mass: f64, x: f64) -> Body {
    let at = vec![x, mass * x];
    Body { mass, at }
}

twins!(asked, asked_plain, |x, y, s, i| {
    let own = body(x, y);
    assert!(own.mass == own.mass || (own.mass).is_nan(), "never");
    debug_assert!(own.at[0] == y || own.at[0].is_nan(), "never");
    let sign = if own.at[i % 2].is_sign_negative() {
        -0.5
    } else {
        1.0
    };
    s = (s * own.mass * sign + own.at[1]).sin();
});

#[gradient]
fn asked_once(own: &Body, x: f64) -> f64 {
    let y = #[checkpoint]
    {
        let scale = if own.mass.is_nan() { 0.5 } else { 2.0 };
        own.mass * x * scale
    };
    y * y
}

#[gradient]
fn asked_once_plain(own: &Body, x: f64) -> f64 {
    let y = {
        let scale = if own.mass.is_nan() { 0.5 } else { 2.0 };
        own.mass * x * scale
    };
    y * y
}

#[test]
fn what_reads_in_a_region_runs_again() {
    for n in [0, 1, 4] {
        for p in PAIRS {
            let (x, y) = (p[0], p[1]);
            identical(found_grad(x, y, n), found_plain_grad(x, y, n));
            identical(collected_grad(x, y, n), collected_plain_grad(x, y, n));
            identical(sorted_grad(x, y, n), sorted_plain_grad(x, y, n));
            identical(asked_grad(x, y, n), asked_plain_grad(x, y, n));
        }
        check(
            |p| found_plain(p[0], p[1], n),
            |p| found_grad(p[0], p[1], n),
            PAIRS,
        );
        check(
            |p| collected_plain(p[0], p[1], n),
            |p| collected_grad(p[0], p[1], n),
            PAIRS,
        );
        check(
            |p| sorted_plain(p[0], p[1], n),
            |p| sorted_grad(p[0], p[1], n),
            PAIRS,
        );
        check(
            |p| asked_plain(p[0], p[1], n),
            |p| asked_grad(p[0], p[1], n),
            PAIRS,
        );
    }
    for p in PAIRS {
        let own = body(p[0], p[1]);
        let with = asked_once_grad(&own, p[1]);
        let without = asked_once_plain_grad(&own, p[1]);
        assert_eq!(with.0.to_bits(), without.0.to_bits());
        assert_eq!(with.1.0.mass, 8.0 * p[0] * p[1] * p[1]);
        assert_eq!((with.1.0.mass, with.1.1), (without.1.0.mass, without.1.1));
    }
}

/// What holds its values in ways that a method of it does not show.
#[derive(Clone, Differentiable, Record)]
enum Rate {
    Constant(f64),
    Steps(f64, Vec<f64>),
    Three { rates: [f64; 3] },
}

#[gradient]
impl Rate {
    fn after(&self, t: f64) -> f64 {
        match self {
            Rate::Constant(rate) => rate * t,
            Rate::Steps(first, rest) => {
                #[checkpoint]
                {
                    rest[(rest.len() << 1) % rest.len()] * t * first
                }
            }
            Rate::Three { rates } => {
                let mut s = t;
                #[checkpoint]
                for i in 0..rates.len() {
                    s = s * rates[i] + rates[rates.len() - 1];
                }
                s
            }
        }
    }
}

#[gradient]
fn after_all(x: f64, y: f64) -> f64 {
    let rates = [
        Rate::Constant(x),
        Rate::Steps(y, vec![x, y, x * y]),
        Rate::Three { rates: [y, 0.5, x] },
    ];
    let mut sum = 0.0;
    for rate in &rates {
        sum += rate.after(x * y);
    }
    sum
}

#[test]
fn the_length_of_a_payload() {
    check(
        |p| after_all(p[0], p[1]),
        |p| after_all_grad(p[0], p[1]),
        PAIRS,
    );
}

#[derive(Clone, Copy, Differentiable, Record)]
struct Pair {
    left: f64,
    right: f64,
}

// `None` says its type to generated code by a call.
twins!(kept, kept_plain, |x, y, s, i| {
    let mut pair = Pair { left: x, right: y };
    let mut last: Option<Pair> = None;
    for j in 0..4 {
        let before = last.unwrap_or(pair);
        pair.left = before.right * pair.left + 0.25;
        if pair.left > 0.1 * j as f64 {
            last = Some(pair);
        }
    }
    if let Some(last) = last {
        s += last.left * last.right;
    }
    s = (s + pair.left * y).sin();
});

#[test]
fn an_option_of_a_struct_begins_with_none() {
    for n in [0, 1, 3] {
        for p in PAIRS {
            identical(kept_grad(p[0], p[1], n), kept_plain_grad(p[0], p[1], n));
        }
        check(|p| kept(p[0], p[1], n), |p| kept_grad(p[0], p[1], n), PAIRS);
    }
}

// What closures cut is as pure as it is without.
twins!(cut, cut_plain, |x, y, s, i| {
    let level = (0..3_usize)
        .map(|j| j as f64)
        .find_map(|t| {
            if t >= 0.5 {
                Some(no_gradient(t * 0.5))
            } else {
                None
            }
        })
        .unwrap_or(0.125);
    let above = [x, y]
        .iter()
        .filter(|t| **t > retrograde::no_gradient(0.25 * x))
        .count();
    s = (s * level + x * above as f64).sin() + y * i as f64;
});

#[test]
fn closures_may_cut() {
    for n in [0, 1, 3] {
        for p in PAIRS {
            identical(cut_grad(p[0], p[1], n), cut_plain_grad(p[0], p[1], n));
        }
        check(|p| cut(p[0], p[1], n), |p| cut_grad(p[0], p[1], n), PAIRS);
    }
}
