//! What the text of the package says of an imported alias is a guess, which generated code checks.

use retrograde::gradient;

mod double {
    pub type Real = f64;
}

macro_rules! alias {
    ($name:ident) => {
        pub type $name = f32;
    };
}

mod single {
    alias!(Real);
}

use self::single::Real;

#[gradient]
fn square(x: f64) -> f64 {
    let narrow = x as Real;
    x * narrow as f64
}

fn main() {
    square_grad(1.0);
}
