//! Closures with a name beside loops, containers, searches and exits.

use retrograde::gradient;

use super::outcomes::{Of, Taken, compare};

/// Pushes, counts, and says how much there is, until a loop is left.
#[gradient]
fn collected(x: &[f64]) -> f64 {
    let mut acc = vec![];
    let mut n = 0;
    let mut put = |t: f64| {
        acc.push(t * x[0]);
        n += 1;
        acc.len()
    };
    for &v in x {
        if put(v) > 3 {
            break;
        }
    }
    put(2.0);
    acc.iter()
        .enumerate()
        .map(|(i, v)| v * (i + n) as f64)
        .sum()
}

/// Elements that are exchanged, also with themselves.
#[gradient]
fn rotated(x: &[f64]) -> f64 {
    let mut y = [x[0], x[1], x[2]];
    let mut rot = |k: usize| {
        y.swap(0, k);
        y[0] *= y[k];
        y[1]
    };
    let a = rot(1);
    let b = rot(2);
    let c = rot(0);
    a * b + c + y[0] * y[2]
}

/// Keeps the argument of the call before.
#[gradient]
fn exchanged(x: &[f64]) -> f64 {
    let mut k = x[0];
    let mut f = |t: f64| {
        let old = k;
        k = t;
        old
    };
    let a = f(x[1]);
    let b = f(x[2]);
    let c = f(a * b);
    c * 2.0 + k
}

/// Leaves early behind a write.
#[gradient]
fn in_turn(x: &[f64]) -> f64 {
    let mut s = 1.0;
    let mut step = |t: f64| {
        s *= t;
        if s.abs() > 1.0 {
            s = s.sqrt().max(0.1);
            return s;
        }
        s + 1.0
    };
    let mut r = 0.0;
    for i in 0..x.len() {
        r += step(x[i]);
        r = step(r);
    }
    r + s
}

/// A generator of numbers chooses elements.
#[gradient]
fn drawn(x: &[f64]) -> f64 {
    let mut seed = 12345u64;
    let mut rng = || {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (seed >> 33) as usize
    };
    let mut s = 0.0;
    for _ in 0..10 {
        let i = rng() % x.len();
        let j = rng() % x.len();
        s += x[i] * x[j];
    }
    s
}

/// A search by calls.
#[gradient]
fn seen(x: &[f64]) -> f64 {
    let mut best = f64::NEG_INFINITY;
    let mut see = |v: f64| best = best.max(v);
    for &v in x {
        see(v);
        see(v * x[0]);
    }
    best.max(-8.0)
}

/// A search by `for_each`, with the place.
#[gradient]
fn found(x: &[f64]) -> f64 {
    let mut best = f64::NEG_INFINITY;
    let mut at = 0;
    let mut i = 0;
    x.iter().for_each(|v| {
        if *v > best {
            best = *v;
            at = i;
        }
        i += 1;
    });
    best.max(-8.0) * x[at]
}

/// Pops before it pushes.
#[gradient]
fn stacked(x: &[f64]) -> f64 {
    let mut stack = vec![x[0]];
    let mut push = |v: f64| {
        if stack.len() > 4 {
            let t = stack.pop().unwrap();
            stack[0] += t;
        }
        stack.push(v);
    };
    for &v in x {
        push(v * v);
        push(v);
    }
    stack.iter().rev().fold(0.0, |a, b| a * 0.7 + b)
}

/// Writes to an argument and to what it captures.
#[gradient]
fn lent(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    let mut f = |t: &mut f64| {
        *t = *t * y[0];
        y[1] = *t;
    };
    let mut z = x[2];
    f(&mut z);
    f(&mut z);
    z + y[1] * y[0]
}

/// A variable by value and by reference in one call.
#[gradient]
fn copied_and_lent(x: &[f64]) -> f64 {
    let mut b = x[0];
    let f = |t: f64, v: &mut f64| {
        *v = 2.0 * t;
        t * *v
    };
    let r = f(b, &mut b);
    r + b
}

/// A parameter that is written, called with one variable twice.
#[gradient]
fn changed_copy(x: &[f64]) -> f64 {
    let b = [x[0], x[1]];
    let f = |mut v: [f64; 2]| {
        v[0] *= v[1];
        v[1] = 0.5;
        v[0] + v[1]
    };
    f(b) * b[0] + f(b) * b[1]
}

/// Each call takes the next element.
#[gradient]
fn one_after_another(x: &[f64]) -> f64 {
    let mut i = 0;
    let mut next = || {
        i += 1;
        x[i - 1]
    };
    let a = next();
    let b = next();
    let c = next() * a;
    a - b * c
}

/// Two closures of one name, one behind the other.
#[gradient]
fn renamed(x: &[f64]) -> f64 {
    let mut a = [x[0], x[1], x[2]];
    let mut bump = |i: usize, by: f64| {
        a[i] += by;
        if i > 0 {
            a[i - 1] *= by;
        }
    };
    bump(0, x[3]);
    bump(2, x[4]);
    bump(1, x[3]);
    let s = a.iter().product::<f64>();
    let mut bump = |by: f64| {
        for v in a.iter_mut() {
            *v *= by
        }
    };
    bump(s);
    bump(0.5);
    a[0] + a[1] * a[2]
}

/// A table that each call fills again.
#[gradient]
fn remembered(x: &[f64]) -> f64 {
    let mut memo = vec![0.0; 8];
    let mut fib = |n: usize| {
        memo[0] = x[0];
        memo[1] = x[1];
        for i in 2..=n {
            memo[i] = memo[i - 1] * 0.5 + memo[i - 2] * x[2];
        }
        memo[n]
    };
    let a = fib(5);
    let b = fib(3);
    a * b + memo[4]
}

/// One closure calls another with elements on both sides.
#[gradient]
fn interpolated(x: &[f64]) -> f64 {
    let lerp = |a: f64, b: f64, t: f64| a + (b - a) * t;
    let at = |u: f64| -> f64 {
        let p = u.clamp(0.0, 0.999) * (x.len() - 1) as f64;
        let i = p.floor() as usize;
        lerp(x[i], x[i + 1], p - i as f64)
    };
    at(x[0]) * at(0.4) + at(at(0.77))
}

/// A loop in a closure that it leaves.
#[gradient]
fn until_large(x: &[f64]) -> f64 {
    let mut s = x[0];
    let mut f = |n: usize| {
        for _ in 0..n {
            s *= x[1];
            if s.abs() > 2.0 {
                return;
            }
            s += 0.3;
        }
        s -= 1.0;
    };
    f(3);
    f(0);
    f(2);
    s
}

/// A search in an array that it writes.
#[gradient]
fn running(x: &[f64]) -> f64 {
    let mut m = f64::NEG_INFINITY;
    let mut y = x.to_vec();
    for k in 0..y.len() {
        let f = |a: f64| a * y[k] - x[0];
        m = m.max(f(x[k]));
        y[k] = m;
    }
    m.max(-20.0) + y.iter().sum::<f64>()
}

/// A descent by closures that keeps the best point.
#[gradient]
fn descended(x: &[f64]) -> f64 {
    let mut p = x.to_vec();
    let mut g = vec![0.0; p.len()];
    let loss = |p: &[f64]| {
        p.iter()
            .zip(x)
            .map(|(a, b)| (a * a - b).powi(2))
            .sum::<f64>()
    };
    let grad = |p: &[f64], g: &mut [f64]| {
        for i in 0..p.len() {
            g[i] = 4.0 * p[i] * (p[i] * p[i] - x[i]);
        }
    };
    let mut best = loss(&p);
    let mut keep = p.clone();
    for _ in 0..3 {
        grad(&p, &mut g);
        for i in 0..p.len() {
            p[i] -= 0.01 * g[i];
        }
        let l = loss(&p);
        if l < best {
            best = l;
            keep.copy_from_slice(&p);
        }
    }
    best + keep[0] * keep[1]
}

/// Steps of a polynomial and its derivative.
#[gradient]
fn newton(x: &[f64]) -> f64 {
    let f = |a: &[f64], t: f64| -> f64 {
        let mut r = 0.0;
        for v in a.iter().rev() {
            r = r * t + v;
        }
        r
    };
    let df = |a: &[f64], t: f64| {
        a.iter()
            .enumerate()
            .skip(1)
            .map(|(i, c)| c * i as f64 * t.powi(i as i32 - 1))
            .sum::<f64>()
    };
    let mut t = 0.5;
    for _ in 0..4 {
        let (p, q) = (f(x, t), df(x, t));
        if q.abs() < 0.05 {
            break;
        }
        let step = (p / q).clamp(-0.5, 0.5);
        t -= step;
    }
    t
}

#[test]
fn values_and_gradients() {
    compare(|x| collected(x).value(), |x| collected_grad(x).outcome());
    compare(|x| rotated(x).value(), |x| rotated_grad(x).outcome());
    compare(|x| exchanged(x).value(), |x| exchanged_grad(x).outcome());
    compare(|x| in_turn(x).value(), |x| in_turn_grad(x).outcome());
    compare(|x| drawn(x).value(), |x| drawn_grad(x).outcome());
    compare(|x| seen(x).value(), |x| seen_grad(x).outcome());
    compare(|x| found(x).value(), |x| found_grad(x).outcome());
    compare(|x| stacked(x).value(), |x| stacked_grad(x).outcome());
    compare(|x| lent(x).value(), |x| lent_grad(x).outcome());
    compare(
        |x| copied_and_lent(x).value(),
        |x| copied_and_lent_grad(x).outcome(),
    );
    compare(
        |x| changed_copy(x).value(),
        |x| changed_copy_grad(x).outcome(),
    );
    compare(
        |x| one_after_another(x).value(),
        |x| one_after_another_grad(x).outcome(),
    );
    compare(|x| renamed(x).value(), |x| renamed_grad(x).outcome());
    compare(|x| remembered(x).value(), |x| remembered_grad(x).outcome());
    compare(
        |x| interpolated(x).value(),
        |x| interpolated_grad(x).outcome(),
    );
    compare(
        |x| until_large(x).value(),
        |x| until_large_grad(x).outcome(),
    );
    compare(|x| running(x).value(), |x| running_grad(x).outcome());
    compare(|x| descended(x).value(), |x| descended_grad(x).outcome());
    compare(|x| newton(x).value(), |x| newton_grad(x).outcome());
}
