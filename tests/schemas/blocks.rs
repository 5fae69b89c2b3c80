//! Types of fields in `impl`s of traits.

use retrograde::{Differentiable, Record, gradient};

use super::support::check;

#[derive(Clone, Copy, Debug, Differentiable, Record)]
pub(super) struct Inner<T> {
    pub(super) k: T,
    pub(super) o: Option<T>,
}

#[derive(Clone, Debug, Differentiable, Record)]
struct Model {
    samples: Vec<f64>,
    limit: Option<f64>,
    a: [f64; 3],
    rows: Vec<Vec<f64>>,
    parts: Vec<Inner<f64>>,
    #[constant]
    grid: Vec<usize>,
}

#[derive(Clone, Copy, Debug, Differentiable, Record)]
struct State {
    x: f64,
    v: Option<f64>,
    q: [f64; 2],
}

trait Law {
    type State;
    fn ends(&self) -> f64;
    fn limited(&self, x: f64) -> f64;
    fn run(&self, s: &Self::State, x: &[f64]) -> f64;
    fn put(&mut self, x: f64);
    fn consumed(self) -> f64;
    fn of_parts(&self) -> f64;
    fn of_rows<const N: usize>(&self, x: [f64; N]) -> f64;
}

#[gradient]
impl Law for Model {
    type State = State;

    fn ends(&self) -> f64 {
        self.samples.last().copied().unwrap_or(1.0) * self.samples.first().unwrap()
    }

    fn limited(&self, x: f64) -> f64 {
        self.limit.map_or(x, |l| l * x) + self.limit.map(|v| v * v).unwrap_or(1.0)
    }

    fn run(&self, s: &State, x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += self.samples[i] * x[i] * s.x;
        }
        sum + s.v.map_or(0.0, |v| v * sum) + s.q.iter().sum::<f64>() * self.grid[0] as f64
    }

    fn put(&mut self, x: f64) {
        self.samples.push(x * x);
        if let Some(limit) = self.limit.as_mut() {
            *limit *= x;
        }
        self.a.swap(0, 1);
        self.a[0] *= x;
    }

    fn consumed(self) -> f64 {
        self.samples.iter().map(|x| x * x).sum::<f64>() + self.a.iter().product::<f64>()
    }

    fn of_parts(&self) -> f64 {
        let mut sum = 0.0;
        for part in &self.parts {
            sum += part.k * part.o.map_or(2.0, |o| o * o);
        }
        if let Some(first) = self.parts.first() {
            sum *= first.k;
        }
        sum
    }

    fn of_rows<const N: usize>(&self, x: [f64; N]) -> f64 {
        let mut sum = 0.0;
        for row in &self.rows {
            let mut dot = 0.0;
            for j in 0..N {
                dot += row[j] * x[j];
            }
            sum += dot.tanh();
        }
        sum
    }
}

#[gradient]
fn all(model: &Model, state: &State, x: f64) -> f64 {
    let mut own = model.clone();
    own.put(x);
    let of_parts = own.of_parts() + own.of_rows([x, 0.5]);
    own.ends() * own.limited(x) + own.run(state, &[x, x, x]) + of_parts + own.consumed()
}

impl Model {
    fn at(p: &[f64]) -> Self {
        Model {
            samples: vec![p[0], p[1]],
            limit: Some(p[2]),
            a: [p[3], p[4], p[5]],
            rows: vec![vec![p[6], p[7]], vec![p[8], p[9]]],
            parts: vec![
                Inner { k: p[0], o: None },
                Inner {
                    k: p[3],
                    o: Some(p[4]),
                },
            ],
            grid: vec![3],
        }
    }
}

pub(super) const AT: &[&[f64]] = &[
    &[1.1, 0.4, 0.7, 1.3, 0.9, 1.7, 0.2, 0.8, 0.5, 0.6],
    &[0.3, -0.4, 1.7, 0.3, -0.9, 0.7, 1.2, 0.1, -0.5, 2.0],
];

#[test]
fn of_a_trait() {
    let state = State {
        x: 1.5,
        v: Some(0.5),
        q: [0.1, 0.2],
    };
    check(
        |p| all(&Model::at(p), &state, 1.3),
        |p| {
            let (value, (d, _, _)) = all_grad(&Model::at(p), &state, 1.3);
            let of_parts = [d.parts[0].k, d.parts[1].k, d.parts[1].o.unwrap_or_default()];
            let grad = [
                d.samples[0] + of_parts[0],
                d.samples[1],
                d.limit.unwrap_or_default(),
                d.a[0] + of_parts[1],
                d.a[1] + of_parts[2],
                d.a[2],
                d.rows[0][0],
                d.rows[0][1],
                d.rows[1][0],
                d.rows[1][1],
            ];
            (value, grad)
        },
        AT,
    );
}
