//! Vectors that are moved, and those that only look as if they could be: what is used again is copied.

use retrograde::{gradient, no_gradient};

use crate::support::check;

mod on {
    use retrograde::gradient;

    /// The next state takes the place of the last one, which was recorded.
    #[gradient]
    pub(super) fn steps(x: &[f64], steps: usize) -> f64 {
        let mut u = x.to_vec();
        for _ in 0..steps {
            let mut next = u.clone();
            for i in 1..u.len() - 1 {
                next[i] = u[i] + 0.1 * u[i] * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
            }
            u = next;
        }
        u.iter().map(|v| v * v).sum()
    }

    /// The same with a list of another length in each step.
    #[gradient]
    pub(super) fn shorter(x: &[f64], steps: usize) -> f64 {
        let mut u = x.to_vec();
        for _ in 0..steps {
            let mut half = Vec::new();
            for pair in u.chunks(2) {
                half.push(pair.iter().sum::<f64>() * pair[0].sin());
            }
            u = half;
        }
        u.iter().map(|v| v.sin()).sum()
    }

    /// Lists of lists whose rows differ in length.
    #[gradient]
    pub(super) fn rows(x: &[f64], steps: usize) -> f64 {
        let mut grid: Vec<Vec<f64>> = Vec::new();
        for i in 0..x.len() {
            let row = x[..=i].to_vec();
            grid.push(row);
        }
        for _ in 0..steps {
            let mut next = grid.clone();
            for i in 1..grid.len() {
                for j in 0..i {
                    next[i][j] += 0.3 * grid[i - 1][j] * grid[i][j];
                }
            }
            grid = next;
        }
        let mut s = 0.0;
        for row in &grid {
            for v in row {
                s += v * v;
            }
        }
        s
    }

    /// Read after it was stored elsewhere, in the same block and in an inner one.
    #[gradient]
    pub(super) fn used_again(x: &[f64], steps: usize) -> f64 {
        let mut u = x.to_vec();
        let mut s = 0.0;
        for k in 0..steps {
            let mut v = u.clone();
            v[0] *= 1.1;
            u = v.clone();
            s += v[0] * u[1];
            if k % 2 == 0 {
                u = v;
            } else {
                s += v[1] * v[0];
            }
        }
        s + u[0]
    }

    /// Kept from the first step on, and given away in the last.
    #[gradient]
    pub(super) fn kept(x: &[f64], steps: usize) -> f64 {
        let mut best = x.to_vec();
        let mut u = x.to_vec();
        for k in 0..steps {
            let old = u.clone();
            let trial: Vec<f64> = old.iter().map(|v| v * v * 0.9).collect();
            if trial[0] < best[0] {
                best = trial;
                continue;
            }
            u = trial;
            if k > 3 {
                break;
            }
        }
        best[0] * u[1] + best[1]
    }

    /// Two states that change places by way of a third.
    #[gradient]
    pub(super) fn exchanged(x: &[f64], steps: usize) -> f64 {
        let mut a = x.to_vec();
        let mut b = vec![1.0; x.len()];
        for _ in 0..steps {
            let c: Vec<f64> = a.iter().zip(&b).map(|(p, q)| p * 0.5 + q * p).collect();
            let t = a;
            a = b;
            b = t;
            b[0] += c[1];
            a = c;
        }
        a[0] * b[0] + a[1]
    }

    /// What a closure holds, and what a region under a checkpoint is given.
    #[gradient]
    pub(super) fn held(x: &[f64], steps: usize) -> f64 {
        let w = x.to_vec();
        let scaled = w.clone();
        let f = |k: usize| scaled[k] * w[0];
        let mut u = x.to_vec();
        for _ in 0..steps {
            #[checkpoint]
            {
                let next: Vec<f64> = u.iter().map(|v| v.sin() + f(1)).collect();
                u = next;
            }
        }
        let last = u;
        last[0] * last[1] + f(0)
    }

    /// Left early, with a value on the way.
    #[gradient]
    pub(super) fn early(x: &[f64], steps: usize) -> Result<f64, String> {
        let mut u = x.to_vec();
        for _ in 0..steps {
            let next: Vec<f64> = u.iter().map(|v| 1.0 + v * v * 0.5).collect();
            if next[0] > 3.0 {
                let taken = next;
                return Ok(taken[0] * u[1]);
            }
            u = next;
        }
        let found = u.first().copied().ok_or("nothing")?;
        Ok(found * u[1])
    }
}

macro_rules! compared {
    ($($f:ident $g:ident)*) => { $(
        #[test]
        fn $f() {
            for n in [0, 1, 2, 3, 6] {
                for x in [&[0.3, 0.7, -0.2, 0.5, 0.9][..], &[1.2, 0.4]] {
                    check(|p| on::$f(p, n), |p| on::$g(p, n), &[x]);
                }
            }
        }
    )* };
}

compared! {
    steps steps_grad
    shorter shorter_grad
    rows rows_grad
    used_again used_again_grad
    kept kept_grad
    exchanged exchanged_grad
    held held_grad
}

#[test]
fn early() {
    let value = |p: &[f64], n| on::early(p, n).unwrap_or(0.0);
    let gradient = |p: &[f64], n| on::early_grad(p, n).unwrap_or((0.0, vec![0.0; p.len()]));
    for n in [0, 1, 2, 5] {
        for x in [&[0.3, 0.7, -0.2][..], &[1.9, 0.4], &[1.2, 0.1]] {
            check(|p| value(p, n), |p| gradient(p, n), &[x]);
        }
    }
}

/// What refers to a vector still stands where the vector is stored elsewhere.
mod lent {
    use super::*;

    #[gradient]
    fn largest(x: &[f64], n: usize) -> f64 {
        let c: Vec<usize> = (0..x.len()).map(|i| (i * (n + 1)) % x.len()).collect();
        let m = c.iter().max();
        let d = c.clone();
        let mut s = 0.0;
        if let Some(m) = m {
            s += x[*m] * x[d[0]];
        }
        s
    }

    #[gradient]
    fn longest(x: &[f64], n: usize) -> f64 {
        let words: Vec<String> = (0..n + 1).map(|k| "w".repeat(k % 4)).collect();
        let long = words
            .iter()
            .map(|w| w.as_str())
            .max_by_key(|w| w.len())
            .unwrap_or("");
        let other = words.clone();
        x[0] * long.len() as f64 + x[1] * other.len() as f64 * x[0]
    }

    #[gradient]
    fn apart(x: &[f64], n: usize) -> f64 {
        let u = x.to_vec();
        let m = no_gradient(u.iter().max_by(|a, b| a.total_cmp(b)));
        let mut all = Vec::new();
        let w = u.clone();
        all.push(w);
        let mut s = n as f64;
        for row in &all {
            s += row[0] * row[1];
        }
        if let Some(m) = m {
            s += (*m > 0.0) as u8 as f64;
        }
        s
    }

    #[test]
    fn compared() {
        for n in [0, 1, 2, 5] {
            let x = &[0.3, 0.7, -0.2][..];
            check(|p| largest(p, n), |p| largest_grad(p, n), &[x]);
            check(|p| longest(p, n), |p| longest_grad(p, n), &[x]);
            check(|p| apart(p, n), |p| apart_grad(p, n), &[x]);
        }
    }
}

/// Of adjoints of which there is one for each seed, none is moved out of the array.
mod for_each_seed {
    use super::*;

    #[gradient(seeds)]
    fn last(x: &[f64], y: &[f64], n: usize) -> Vec<f64> {
        let mut u = x.to_vec();
        for i in 0..n {
            let mut v = u.clone();
            for j in 1..v.len() {
                v[j] = u[j - 1] * u[j] + y[i];
            }
            u = v;
        }
        let w = u;
        w
    }

    #[test]
    fn as_one_by_one() {
        let (x, y) = ([0.7, 1.9, -0.4], [0.4, 1.3]);
        let seeds = [vec![1.0, 0.5, -2.0], vec![0.0, 0.25, 1.5]];
        let mut tape = retrograde::Tape::new();
        for n in 0..=2 {
            let (mut dx, mut dy) = ([[0.0; 3]; 2], [[0.0; 2]; 2]);
            let of_x = dx.each_mut().map(|row| &mut row[..]);
            let of_y = dy.each_mut().map(|row| &mut row[..]);
            last_vjp_n(&mut tape, &x, &y, n, seeds.clone(), of_x, of_y);
            for (k, seed) in seeds.iter().enumerate() {
                let (mut ex, mut ey) = ([0.0; 3], [0.0; 2]);
                last_adjoint(&mut tape, &x, &mut ex, &y, &mut ey, n, seed.clone());
                assert_eq!((ex, ey), (dx[k], dy[k]));
                let value = |p: &[f64]| {
                    let out = last(&p[..3], &p[3..], n);
                    out.iter().zip(seed).map(|(a, b)| a * b).sum()
                };
                let want = crate::support::differences(value, &[&x[..], &y].concat());
                crate::support::assert_close(&[&ex[..], &ey].concat(), &want, 1e-7, &[]);
            }
        }
    }
}
