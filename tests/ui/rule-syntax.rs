use retrograde::derivative_of;

fn g(x: f64) -> f64 {
    x
}

#[derivative_of(3.0)]
fn number(x: f64) -> f64 {
    x
}

#[derivative_of(g, partials = 1)]
fn unknown(x: f64) -> f64 {
    x
}

#[derivative_of]
fn nothing(x: f64) -> f64 {
    x
}

fn main() {}
