//! Methods with the attribute of their own, of types that another module declares: what fields are, the text shows.

use retrograde::{Differentiable, Record, gradient};

use crate::support::{assert_same_value, check};
use table::Table;

mod table {
    use retrograde::{Differentiable, Record};

    #[derive(Clone, Debug, Differentiable, Record)]
    pub(super) struct Table {
        pub(super) data: Vec<f64>,
        pub(super) rows: Vec<Vec<f64>>,
        pub(super) best: Option<f64>,
    }
}

impl Table {
    #[gradient]
    fn row(&self, r: usize) -> Vec<f64> {
        let begin = r * (r + 1) / 2;
        let Some(slice) = self.data.get(begin..begin + r + 1) else {
            return Vec::new();
        };
        slice.to_vec()
    }

    #[gradient]
    fn rest(&self, from: usize) -> f64 {
        match self.data.get(from..) {
            Some(rest) => rest.iter().map(|v| v * v).sum(),
            None => -1.0,
        }
    }

    #[gradient]
    fn around(&self, k: usize) -> f64 {
        let next = self.data.get(k + 1).map_or(0.5, |v| v * v);
        self.data.get(k).copied().unwrap_or(2.0) * next
            + self.best.as_ref().map_or(1.0, |v| v * 3.0)
    }

    #[gradient]
    fn double(&mut self, k: usize) {
        if let Some(v) = self.data.get_mut(k) {
            *v *= 2.0;
        }
        if let Some(row) = self.rows.first_mut() {
            row[0] *= self.data[0];
        }
    }
}

#[gradient]
fn all(x: &[f64]) -> f64 {
    let mut table = Table {
        data: x.to_vec(),
        rows: vec![vec![x[0] * x[1]]],
        best: if x[0] > 0.0 { Some(x[1]) } else { None },
    };
    let mut sum = table.rest(1) * table.around(0);
    for k in 0..4 {
        let row = table.row(k);
        if !row.is_empty() {
            sum += row[0] * row[row.len() - 1];
        }
        table.double(k);
        sum += table.around(k) * table.rows[0][0];
    }
    sum + table.rest(9)
}

#[test]
fn parts_of_fields() {
    let inputs: [&[f64]; 3] = [&[0.7, -1.3, 0.4, 1.1], &[-0.6, 0.9], &[1.2, 0.3, -0.5]];
    check(all, all_grad, &inputs);
    for x in inputs {
        assert_same_value(all_grad(x).0, all(x));
    }
}

#[derive(Clone, Debug, Differentiable, Record)]
struct Prices {
    spot: Vec<f64>,
    scale: f64,
}

/// Each with the attribute of its own, which is not shown what the fields are.
impl Prices {
    #[gradient]
    fn greatest(&self) -> f64 {
        *self.spot.iter().max_by(|x, y| x.total_cmp(y)).unwrap() * self.scale
    }

    #[gradient]
    fn least(&self) -> f64 {
        let least = self
            .spot
            .iter()
            .min_by(|x, y| x.partial_cmp(y).unwrap())
            .unwrap();
        least * least
    }

    #[gradient]
    fn copied(&self) -> f64 {
        self.spot
            .iter()
            .max_by(|x, y| x.total_cmp(y))
            .copied()
            .unwrap_or(0.0)
            + self
                .spot
                .iter()
                .skip(1)
                .min_by(|x, y| y.total_cmp(x))
                .map_or(1.0, |v| v * self.scale)
    }

    #[gradient]
    fn first_above(&self, bound: f64) -> f64 {
        match self.spot.iter().find(|v| **v > bound) {
            Some(v) => v * v * bound,
            None => self.scale,
        }
    }
}

#[test]
fn extremes_of_fields_that_are_not_seen() {
    let of = |x: &[f64]| Prices {
        spot: x[1..].to_vec(),
        scale: x[0],
    };
    let flat = |(value, tangent): (f64, PricesTangent)| {
        let mut all = vec![tangent.scale];
        all.extend(tangent.spot);
        (value, all)
    };
    let inputs: &[&[f64]] = &[
        &[0.5, 1.2, 3.4, -0.7],
        &[2.0, 1.5, -1.5, 0.25],
        &[-1.0, 0.3, 0.9, 4.0],
    ];
    check(
        |x| of(x).greatest(),
        |x| flat(of(x).greatest_grad()),
        inputs,
    );
    check(|x| of(x).least(), |x| flat(of(x).least_grad()), inputs);
    check(|x| of(x).copied(), |x| flat(of(x).copied_grad()), inputs);
    check(
        |x| of(x).first_above(0.8),
        |x| {
            let (value, (tangent, _)) = of(x).first_above_grad(0.8);
            flat((value, tangent))
        },
        inputs,
    );
}
