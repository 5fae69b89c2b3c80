//! A function and a module of one name: the companion type meets the module.

mod loss {
    use retrograde::gradient;

    #[gradient]
    pub fn loss(x: f64) -> f64 {
        x * x
    }
}

pub use loss::loss;

fn main() {}
