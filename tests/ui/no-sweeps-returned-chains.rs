use retrograde::{Differentiable, gradient};

#[derive(Differentiable)]
struct Row {
    cells: Vec<f64>,
}

fn weight() -> f64 {
    2.0
}

#[gradient]
impl Row {
    fn weighted(&self) -> impl Iterator<Item = f64> + '_ {
        self.cells.iter().map(|x| x * weight())
    }

    fn halves(&self) -> impl Iterator<Item = f32> {
        (0..self.cells.len()).map(|_| 0.5)
    }

    fn from(&self, first: usize) -> impl Iterator<Item = &f64> {
        self.cells.iter().skip(first)
    }

    fn total(&self, x: f64) -> f64 {
        let weight = || x;
        self.weighted().sum::<f64>() * weight()
    }

    fn half(&self, x: f64) -> f64 {
        self.halves().map(|h| x * h as f64).sum()
    }

    fn rest(&self) -> f64 {
        self.from(1).sum()
    }
}

fn main() {}
