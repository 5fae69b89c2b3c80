//! A chain that a method returns has names that the caller declares as something else.
use retrograde::{Differentiable, gradient};

const N: usize = 1;

#[gradient]
fn weighted(x: f64) -> f64 {
    3.0 * x
}

#[derive(Differentiable)]
struct Sum {
    v: Vec<f64>,
    k: f64,
}

#[gradient]
impl Sum {
    fn weights(&self) -> impl Iterator<Item = f64> + '_ {
        self.v.iter().map(|weighted| weighted * 2.0).map(weighted)
    }

    fn skipped(&self) -> impl Iterator<Item = f64> + '_ {
        self.v.iter().skip(N).map(|x| x * x)
    }

    fn shortened(&self) -> impl Iterator<Item = f64> + '_ {
        self.v[..size()].iter().map(|x| x * x)
    }

    fn by_closure(&self) -> f64 {
        let weighted = |x: f64| x * 100.0;
        weighted(self.k) + self.weights().sum::<f64>()
    }

    fn by_parameter<const N: usize>(&self) -> f64 {
        self.skipped().sum::<f64>() * N as f64
    }

    fn behind_dots(&self) -> f64 {
        let size = || 3_usize;
        self.shortened().sum::<f64>() * size() as f64
    }
}

fn size() -> usize {
    2
}

fn main() {}
