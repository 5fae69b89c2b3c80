use retrograde::{Differentiable, Duplicate, gradient};

#[derive(Duplicate)]
struct Row {
    cells: Vec<f64>,
}

#[gradient]
impl Row {
    fn first(&self) -> &f64 {
        &self.cells[0]
    }

    fn cell(&self, i: usize) -> &f64 {
        &self.cells[i]
    }

    #[no_gradient]
    fn largest<F: Fn(f64) -> f64>(&self, by: F) -> f64 {
        by(self.cells[0])
    }

    #[no_gradient]
    fn total(&self) -> f64 {
        self.cells[0]
    }

    fn show(&self) {}

    fn keep(&self, place: &std::cell::Cell<f64>) -> bool {
        place.replace(self.cells[0]) > 0.0
    }

    fn energy(&self, x: f64) -> f64 {
        self.show();
        let cell = std::cell::Cell::new(0.0);
        self.keep(&cell);
        let _n = self.first();
        let c = self.cell(1);
        x * c + self.total() + Self::total(self)
    }
}

impl Differentiable for Row {
    type Tangent = Vec<f64>;

    fn zero_tangent(&self) -> Vec<f64> {
        self.cells.zero_tangent()
    }

    fn step(&mut self, scale: f64, tangent: &Vec<f64>) {
        self.cells.step(scale, tangent);
    }
}

fn main() {}
