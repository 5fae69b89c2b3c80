// The rule stands in another module, and nothing brings it here.

pub fn g(x: f64) -> f64 {
    x * x
}

mod rules {
    #[retrograde::derivative_of(super::g)]
    pub fn rule(x: f64) -> f64 {
        2.0 * x
    }
}

#[retrograde::gradient]
pub fn f(x: f64) -> f64 {
    g(x)
}

fn main() {}
