use retrograde::{Differentiable, Record, gradient};

#[derive(Clone, Differentiable, Record)]
struct State {
    values: Vec<f64>,
}

#[gradient]
impl State {
    /// Not the method of slices.
    fn last(self) -> f64 {
        self.values[0]
    }
}

#[gradient]
fn made(x: f64) -> State {
    State { values: vec![x] }
}

#[gradient]
fn product(x: f64) -> f64 {
    let mut state = made(x);
    let taken = || state;
    state = made(2.0 * x);
    taken().values[0] * state.values[0]
}

#[gradient]
fn asked(x: f64) -> f64 {
    let mut state = made(x);
    let taken = || state.last();
    state = made(2.0 * x);
    taken() * state.values[0]
}

fn main() {}
