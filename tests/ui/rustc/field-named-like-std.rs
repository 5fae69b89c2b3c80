// A type of the user's with the name and the parameter of one of std's: what a derive shows of it would be wrong.
use retrograde::Differentiable;

mod list {
    #[derive(retrograde::Differentiable)]
    #[differentiable(schema = false)]
    pub struct Vec<T> {
        pub first: T,
        pub second: T,
    }
}

use list::Vec;

#[derive(Differentiable)]
struct Shown {
    x: Vec<f64>,
}

#[derive(Differentiable)]
#[differentiable(schema = false)]
struct Hidden {
    x: Vec<f64>,
}

fn main() {}
