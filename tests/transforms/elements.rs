//! What arrays can hold, where they can lie, and what indices can be made of.

use crate::twins::{SIZES, agree, both, numbers, twins};

const SHIFT: usize = 1;
static LATER: usize = 2;

pub(crate) trait Sized2 {
    const BY: usize;
}
pub(crate) struct Two;
impl Sized2 for Two {
    const BY: usize = 2;
}

twins! {
    /// applied `reslice`, `lanes`
    pub(super) fn mixed_tuples(p: &[(f64, usize, bool)], q: &mut [(f64, f32)]) -> f64 {
        let mut s = 0.0;
        for i in 1..p.len() {
            if p[i].2 {
                s += p[i].0 * p[i - 1].0 * p[i].1 as f64;
            }
            q[i].0 += p[i].0 * 2.0;
            q[i].1 = q[i].1 * q[i].1 + p[i].0 as f32;
        }
        s
    }

    /// applied `reslice`
    pub(super) fn mixed_tuples_of(p: &[(f64, usize, bool)], q: &[(f64, f32)]) -> f64 {
        let mut q = q.to_vec();
        let mut s = mixed_tuples(p, &mut q);
        for v in &q { s += v.0 * v.1 as f64; }
        s
    }

    /// applied `reslice`, `lanes`
    pub(super) fn nodes(p: &[(f64, (f64, usize), [f64; 3])], a: f64) -> f64 {
        let mut s = 0.0;
        for i in 1..p.len() {
            let d = p[i].0 - p[i - 1].0;
            s += d * p[i].1.0 * a + p[i - 1].2[2] * p[i].2[0] * p[i].1.1 as f64;
            s -= p[i].2[1].sin();
        }
        s
    }

    /// applied `reslice`, `lanes`, `wide`
    pub(super) fn mesh(m: &(Vec<f64>, [f64; 140], f64, f64, usize)) -> f64 {
        let mut s = 0.0;
        let n = m.4;
        for i in 0..n {
            s += m.2 * m.0[i] * m.1[i] + m.3 * m.0[i];
        }
        s
    }

    /// not applied `reslice`
    pub(super) fn mesh_in_out(x: Vec<f64>, w: [f64; 140], scale: f64, shift: f64) -> f64 {
        let n = x.len();
        let mut m = (x, scale, shift);
        let mut s = 0.0;
        for i in 1..n {
            m.0[i] = m.1 * m.0[i] + m.2;
            s += m.0[i] * m.0[i];
        }
        for i in 1..n {
            m.0[i] = w[i] * w[i - 1] * m.1;
            m.1 = m.1 * 0.9 + 0.1 * m.2;
            s += m.0[i];
        }
        s
    }

    pub(super) fn const_generic_of(x: &[f64; 70]) -> f64 {
        let (mut y, mut z) = (*x, [0.5; 3]);
        let a = const_generic::<70, 2>(x, &mut y);
        let b = const_generic::<3, 1>(&[x[0], x[1], x[2]], &mut z);
        a * y[5] + b * z[1]
    }

    /// applied `reslice`, `lanes`
    pub(super) fn views_of(x: &[f64], y: &[f64]) -> f64 {
        let mut y = y.to_vec();
        let s = views(x, &mut y);
        s + y.iter().map(|v| v * v).sum::<f64>()
    }

    /// not applied `reslice`
    pub(super) fn by_value(mut x: [f64; 70], mut v: Vec<f64>, n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            x[i] = x[i] * v[i] + 1.0;
            v[i] *= x[i];
            s += x[i + 1] * v[i];
        }
        s + x[3] * v[n]
    }

    /// applied `reslice`
    pub(super) fn const_generic<const N: usize, const K: usize>(x: &[f64; N], y: &mut [f64; N]) -> f64 {
        let mut s = 0.0;
        for i in 0..N - K {
            s += x[i] * x[i + K] * y[i];
            y[i] = s * x[i];
        }
        s
    }

    /// applied `reslice`, `lanes`, `wide`
    pub(super) fn constants<'a>(x: &'a [f64], y: &'a [f64]) -> f64 {
        const FAR: usize = 3;
        let mut s = 0.0;
        for i in SHIFT..x.len() {
            s += x[i - SHIFT] * y[i + LATER] * y[i + FAR] - x[i] * y[i + <Two as Sized2>::BY] * x[i -
                crate::elements::SHIFT];
        }
        s
    }

    /// applied `reslice`, `lanes`, `gather`
    pub(super) fn references(x: &[f64], y: &[f64; 70], z: &Vec<f64>, w: &Vec<Vec<f64>>) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            s += x[i] * y[i] * y[i + 1] * z[i];
        }
        for r in 0..w.len() {
            for i in 0..w[r].len() {
                s += w[r][i] * x[i] * w[r][0];
            }
        }
        for i in 0..w.len() {
            s += w[i][0] * w[i][0] + w[0][i] * w[i][i];
        }
        s
    }

    /// applied `reslice`, `lanes`, `wide`
    pub(super) fn views(x: &[f64], y: &mut [f64]) -> f64 {
        let n = x.len();
        let a = &x[1..];
        let b = &x[..n - 1];
        let mut s = 0.0;
        for i in 0..n - 1 {
            s += a[i] * b[i] * x[i];
        }
        let h = n / 2;
        let r = &mut y[h..];
        for i in 0..h {
            r[i] = r[i] * x[i] + a[i];
            s += r[i] * x[i];
        }
        let l = &mut y[..h];
        for i in 1..h {
            l[i] += l[i - 1] * x[i];
        }
        for c in x.chunks(3) {
            for j in 0..c.len() {
                s += c[j] * c[0] * x[j];
            }
        }
        for c in y.chunks_exact_mut(2) {
            for j in 1..2 {
                c[j] = c[j - 1] * c[j];
                s += c[j];
            }
        }
        for w in x.windows(3) {
            s += w[0] * w[1] - w[2] * x[0];
        }
        for (i, v) in y.iter_mut().enumerate() {
            *v = *v * x[i] + 1.0;
            s += *v;
        }
        for (p, q) in x.iter().zip(y.iter()) {
            s += p * q;
        }
        s
    }

    /// applied `reslice`, `lanes`, `jam`, `terms`
    pub(super) fn closures(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
                let mut s = 0.0;
        for i in 0..n {
            let mut t = 0.0;
            for j in 0..m {
                t += x[i * m + j] * y[j] - 0.1 * x[i * m + j];
            }
            s += t * t;
        }
        for k in 0..m {
            s += x[k] * y[k];
        }
        s
    }

    /// applied `reslice`, `lanes`, `wide`, `gather`, `combine`
    pub(super) fn shadows(x: &[f64], n: usize) -> f64 {
        let lane = 0.5;
        let __n = 2.0;
        let x_slice = 1.5;
        let sum = 0.1;
        let column = 0.2;
        let mut s = lane + __n;
        'sliced: for i in 0..n {
            let k = i + 1;
            let a = x[k];
            let k = k + 1;
            let b = x[k];
            let k = i;
            s += a * b * x[k] * x_slice * lane * __n + sum * column * x[i];
        }
        for r#type in 0..n {
            let i = r#type;
            for i in 0..n {
                let i = i + 1;
                s += x[i] * x[r#type];
            }
            s += x[i];
        }
        s
    }

    /// applied `reslice`, `lanes`, `gather`
    pub(super) fn inner_constants(x: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            s += x[i] * x[i + 1];
        }
        s
    }

    /// applied `reslice`
    pub(super) fn reversed(x: &[f64], n: usize) -> f64 {
        let mut s = 1.0;
        for i in n..3 { s += x[i] * x[i]; }
        for i in 5..3 { s += x[i] * x[i + 100]; }
        for i in (0..n).rev() { s = s * 0.5 + x[i] * x[i]; }
        for i in (0..n).step_by(3) { s += x[i] * x[i + 1]; }
        s
    }
}

#[test]
fn tuples_and_fields() {
    for n in SIZES {
        let (v, w) = (numbers(8 * n, 1), numbers(n, 2));
        let p: Vec<(f64, usize, bool)> = w
            .iter()
            .enumerate()
            .map(|(i, x)| (*x, i % 4, *x > 0.3))
            .collect();
        for m in [n, n.saturating_sub(1), n + 1] {
            let q: Vec<(f64, f32)> = (0..m).map(|i| (i as f64 * 0.1, 0.3)).collect();
            both!(mixed_tuples_of, mixed_tuples_of_grad, (&p, &q));
        }
        let p: Vec<_> = (0..n)
            .map(|i| {
                (
                    v[i],
                    (v[n + i], i % 3),
                    [v[2 * n + i], v[3 * n + i], v[4 * n + i]],
                )
            })
            .collect();
        both!(nodes, nodes_grad, (&p, 0.7));
        let mut fixed = [0.3; 140];
        for (to, from) in fixed.iter_mut().zip(&v) {
            *to = *from;
        }
        for m in [n, n.saturating_sub(1)] {
            both!(mesh, mesh_grad, (&(w.clone(), fixed, 0.7, -0.4, m)));
        }
        both!(mesh_in_out, mesh_in_out_grad, (w.clone(), fixed, 0.7, -0.4));
    }
}

#[test]
fn arrays_and_where_they_lie() {
    for n in SIZES {
        let (x, y) = (numbers(n, 1), numbers(n + 4, 2));
        let mut fixed = [0.3; 70];
        for (to, from) in fixed.iter_mut().zip(&x) {
            *to = *from;
        }
        both!(by_value, by_value_grad, (fixed, y.clone(), n.min(69)));
        both!(by_value, by_value_grad, (fixed, y.clone(), n));
        both!(const_generic_of, const_generic_of_grad, (&fixed));
        both!(constants, constants_grad, (&x, &y));
        both!(constants, constants_grad, (&x, &y[1..]));
        let w: Vec<Vec<f64>> = (0..n.min(9)).map(|k| numbers(n, k as u32)).collect();
        let mut fixed = fixed;
        both!(references, references_grad, (&x, &fixed, &y, &w));
        both!(views_of, views_of_grad, (&x, &x));
        both!(views_of, views_of_grad, (&y, &x));
        both!(closures, closures_grad, (&x, &y, n / 5, 5));
        both!(closures, closures_grad, (&x, &y, n / 5 + 1, 5));
        both!(closures, closures_grad, (&x, &y, 2, n / 2));
        for k in [n, n.saturating_sub(1), n.saturating_sub(2)] {
            both!(shadows, shadows_grad, (&x, k));
            both!(reversed, reversed_grad, (&x, k));
            both!(inner_constants, inner_constants_grad, (&x, k));
        }
    }
}
