// Globs bring two rules of one name.

pub fn g(x: f64) -> f64 {
    x * x
}

mod here {
    #[retrograde::derivative_of(super::g)]
    pub fn rule(x: f64) -> f64 {
        2.0 * x
    }
}

mod there {
    #[retrograde::derivative_of(super::g)]
    pub fn other_rule(x: f64) -> f64 {
        3.0 * x
    }
}

mod user {
    use super::g;
    use super::here::*;
    use super::there::*;

    #[retrograde::gradient]
    pub fn f(x: f64) -> f64 {
        g(x)
    }
}

fn main() {}
