//! Short arrays and tuples whose elements are variables: small vectors and matrices of physics and filters.

use crate::twins::{agree, both, compared, numbers, twins};

const SECOND: usize = 1;

#[retrograde::gradient]
fn product(v: &[f64; 2]) -> f64 {
    v[0] * v[1]
}

twins! {
    /// Vectors between points, as literals.
    ///
    /// applied `scalars`: the parts of `d` are variables
    pub(super) fn vectors(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut e = 0.0;
        for i in 0..n {
            let mut sum = [0.0; 3];
            for j in 0..n {
                let d = [x[i] - x[j + 1], x[i + 1] - y[j], y[i] - x[j]];
                let r = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.5;
                sum[0] += (d[1] * d[2]) / r;
                sum[1] += d[0] / (r * r.sqrt());
                sum[2] -= d[2] * y[j];
            }
            e += sum[0] * sum[0] - sum[1] * sum[2];
        }
        e
    }

    /// A state that every step replaces by numbers that it computes from all of the old one.
    ///
    /// applied `scalars`: the parts of `state` are variables
    pub(super) fn replaced(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut state = [0.5, -0.25];
        for i in 0..n {
            state = [state[1] * x[i] + 0.1, state[0].sin() - y[i]];
            state = [state[1], state[0]];
        }
        state[0] * state[1]
    }

    /// The same with tuples, one within another.
    ///
    /// applied `scalars`: the parts of `t` are variables
    pub(super) fn tuples(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut t = ((0.5, 1.5), 2_usize);
        for i in 0..n {
            t = ((t.0.1 * x[i], t.0.0 + y[i]), t.1 + i);
            t.0.1 *= t.1 as f64 * 0.1;
        }
        t.0.0 - t.0.1 * t.0.1
    }

    /// Rows of a matrix that are copied and exchanged, loops that are written out.
    ///
    /// applied `scalars`: the parts of `m` are variables
    pub(super) fn matrices(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut m = [[1.0, 0.0], [0.0, 1.0]];
        for i in 0..n {
            let a = [[x[i], y[i]], [-y[i], 0.5 * x[i + 1]]];
            let mut product = [[0.0; 2]; 2];
            for r in 0..2 {
                for c in 0..2 {
                    for k in 0..2 {
                        product[r][c] += a[r][k] * m[k][c];
                    }
                }
            }
            let row = product[0];
            m[0] = product[1];
            m[1] = row;
            m[1][0] *= 0.75;
        }
        m[0][0] * m[1][1] - m[0][1] * m[1][0] * m[0][0]
    }

    /// Copies out of a list and into another, which want the whole.
    ///
    /// applied `scalars`: the parts of `p` are variables
    pub(super) fn points(x: &[f64], y: &[f64], n: usize) -> f64 {
        let list: Vec<[f64; 2]> = (0..n).map(|i| [x[i], y[i]]).collect();
        let mut moved = vec![[0.0; 2]; n];
        for i in 0..n {
            let mut p = list[i];
            p[1] += p[0] * x[n - 1 - i];
            moved[n - 1 - i] = p;
        }
        moved.iter().map(|p| p[0] * p[0] * p[1]).sum()
    }

    /// Which value it has depends on a condition.
    ///
    /// applied `scalars`: the parts of `v` are variables
    pub(super) fn chosen(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            let v;
            if x[i] > y[i] {
                v = [x[i], 2.0];
            } else {
                v = [y[i] * y[i]; 2];
            }
            if v[0] > 0.9 {
                break;
            }
            s += v[0] * v[1];
        }
        s
    }

    /// A value that is repeated is computed once.
    ///
    /// applied `scalars`: the parts of `v` are variables
    pub(super) fn repeated(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            let mut v = [x[i].exp(); 3];
            v = [v[0] * y[i] + v[2]; 3];
            let w = [v[1] * v[1]; 2];
            s += v[0] * w[1] * y[i] + w[0];
        }
        s
    }

    /// not applied `scalars`: `ring` has an index that is no number
    pub(super) fn indexed(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut ring = [0.0; 3];
        let mut s = 0.0;
        for i in 0..n {
            s += ring[(i + 1) % 3] * y[i];
            ring[i % 3] = x[i] * x[i];
        }
        s
    }

    /// not applied `scalars`: `v` has an index that is no number
    pub(super) fn named(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            let v = [x[i], y[i]];
            s += v[SECOND] * v[0];
        }
        s
    }

    /// not applied `scalars`: `v` is used as a whole
    pub(super) fn borrowed(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            let v = [x[i], y[i]];
            s += product(&v) * v[0];
        }
        s
    }

    /// Names that the user has already.
    ///
    /// applied `scalars`: the parts of `v` are variables
    pub(super) fn taken(x: &[f64], y: &[f64], n: usize) -> f64 {
        let (v_0, mut v_1) = (0.5, 1.0);
        for i in 0..n {
            let v = [x[i] * v_0, y[i]];
            v_1 += v[0] * v[1] * v_1;
        }
        v_1
    }
}

compared! {
    vectors vectors_grad
    replaced replaced_grad
    tuples tuples_grad
    matrices matrices_grad
    points points_grad
    chosen chosen_grad
    repeated repeated_grad
    indexed indexed_grad
    named named_grad
    borrowed borrowed_grad
    taken taken_grad
}
