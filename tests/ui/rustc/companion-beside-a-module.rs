//! A function and a module of one name, from different places: the companion type meets the module.

mod series {
    use retrograde::gradient;

    #[gradient]
    pub fn loss(x: f64) -> f64 {
        x * x
    }
}

mod other {
    pub mod loss {}
}

pub use other::loss;
pub use series::loss;

fn main() {}
