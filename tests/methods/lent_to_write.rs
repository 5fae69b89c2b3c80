//! Methods that lend parts to be written to, or parts that may not be there.

use retrograde::{Differentiable, Record, gradient};

use crate::support::check;

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct Matrix {
    data: Vec<f64>,
    rows: usize,
    cols: usize,
    gain: f64,
}

#[gradient]
impl Matrix {
    fn get(&self, i: usize, j: usize) -> Option<&f64> {
        self.data.get(i * self.cols + j)
    }

    fn get_mut(&mut self, i: usize, j: usize) -> Option<&mut f64> {
        self.data.get_mut(i * self.cols + j)
    }

    fn at_mut(&mut self, i: usize, j: usize) -> &mut f64 {
        let at = i * self.cols + j;
        &mut self.data[at]
    }

    fn row(&self, i: usize) -> Option<&[f64]> {
        self.data.get(i * self.cols..(i + 1) * self.cols)
    }

    fn row_mut(&mut self, i: usize) -> &mut [f64] {
        let cols = self.cols;
        &mut self.data[i * cols..(i + 1) * cols]
    }

    fn gain_mut(&mut self) -> &mut f64 {
        &mut self.gain
    }

    fn trace(&self) -> f64 {
        let mut sum = 0.0;
        for i in 0..self.rows {
            sum += *self.get(i, i).unwrap();
        }
        sum
    }

    fn scale(&mut self, i: usize, k: f64) {
        for v in self.row_mut(i) {
            *v *= k;
        }
        let k = 1.0 + k;
        self.row_mut(i).iter_mut().for_each(|v| *v *= k);
    }

    fn bump(&mut self, k: f64) -> f64 {
        // The value is computed before the part is looked for.
        let mut i = 0;
        *self.at_mut(0, 1) *= k;
        *self.at_mut(i, 0) = {
            i += 1;
            k * k
        };
        *self.gain_mut() += k + i as f64;
        let row = self.row_mut(1);
        row[1] += k;
        row[0] *= row[1];
        self.gain
    }

    fn maybe(&mut self, i: usize, k: f64) {
        if let Some(v) = self.get_mut(i, 0) {
            *v += k.sin();
        }
    }

    fn square(&self, i: usize) -> f64 {
        if let Some(row) = self.row(i) {
            row.iter().map(|x| x * x).sum()
        } else {
            -1.0
        }
    }

    fn sines(&self, i: usize) -> f64 {
        match self.row(i) {
            Some(row) => row.iter().map(|x| x.sin()).sum(),
            None => 2.0,
        }
    }

    fn sum(&self, i: usize) -> Option<f64> {
        let row = self.row(i)?;
        Some(row.iter().sum())
    }
}

#[gradient]
fn changed(x: &[f64], k: f64) -> f64 {
    let mut m = Matrix {
        data: x.to_vec(),
        rows: 2,
        cols: 2,
        gain: 1.0,
    };
    // It has nothing to do with what the methods name.
    let (at, cols) = (k * 2.0, k * 3.0);
    let gain = m.bump(k);
    m.scale(0, k + 1.0);
    m.maybe(1, k);
    m.maybe(7, k);
    *m.at_mut(1, 1) += gain * at;
    m.row_mut(0)[1] -= k * cols;
    m.row_mut(0).swap(0, 1);
    for i in 0..m.rows {
        let last = m.cols - 1;
        *m.at_mut(i, last) *= *m.get(i, 0).unwrap() + 2.0;
    }
    if let Some(v) = m.get(0, 1) {
        m.gain *= *v;
    }
    m.trace() * m.square(0)
        + m.sum(1).unwrap_or(0.0)
        + m.square(5)
        + m.gain * m.sines(1)
        + m.sines(2)
}

#[gradient]
fn passed(m: Matrix, others: Vec<Matrix>, k: f64) -> f64 {
    let (mut m, mut others) = (m, others);
    of_arguments(&mut m, &mut others, k)
}

#[gradient]
fn of_arguments(m: &mut Matrix, others: &mut [Matrix], k: f64) -> f64 {
    for (i, other) in others.iter().enumerate() {
        *m.at_mut(0, i % 2) += k * other.gain;
    }
    for i in 0..others.len() {
        others[i].row_mut(1)[0] *= k;
        *others[i].gain_mut() *= *m.at_mut(0, 1);
    }
    let mut sum = 0.0;
    for other in others.iter() {
        sum += other.gain * other.square(1);
    }
    sum + m.trace()
}

#[test]
fn parts_are_written_to() {
    let x = [0.3, 0.7, -0.4, 1.2];
    for k in [0.4, -0.3, 0.6] {
        let at: Vec<f64> = x.iter().chain(&[k]).copied().collect();
        check(
            |p| changed(&p[..4], p[4]),
            |p| changed_grad(&p[..4], p[4]),
            &[&at],
        );
    }
}

#[test]
fn of_arguments_and_elements() {
    let made = |p: &[f64]| Matrix {
        data: p[..4].to_vec(),
        rows: 2,
        cols: 2,
        gain: p[4],
    };
    let flat = |d: &MatrixTangent| [d.data.clone(), vec![d.gain]].concat();
    let at = [
        0.3, 0.7, -0.4, 1.2, 0.5, 1.3, 0.2, 0.9, -1.1, 0.8, 0.4, -0.6, 1.5, 0.1, -0.7, 0.6,
    ];
    for n in 0..=2 {
        let mut p = at[..5 * (n + 1)].to_vec();
        p.push(at[15]);
        let all = |p: &[f64]| -> (Matrix, Vec<Matrix>) {
            (made(p), p[5..5 * (n + 1)].chunks(5).map(made).collect())
        };
        check(
            |p| {
                let (m, others) = all(p);
                passed(m, others, p[p.len() - 1])
            },
            |p| {
                let (m, others) = all(p);
                let (value, (dm, dothers, dk)) = passed_grad(m, others, p[p.len() - 1]);
                let mut d = flat(&dm);
                dothers.iter().for_each(|of| d.extend(flat(of)));
                d.push(dk);
                (value, d)
            },
            &[&p],
        );
    }
}
