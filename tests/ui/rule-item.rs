use retrograde::derivative_of;

fn g(x: f64) -> f64 {
    x
}

#[derivative_of(g)]
struct Rule;

#[derivative_of(g)]
fn without_body(x: f64) -> f64;

#[derivative_of(g)]
fn generic<T: Into<f64>>(x: T) -> f64 {
    x.into()
}

#[derivative_of(g)]
async fn later(x: f64) -> f64 {
    x
}

struct Cubic;

impl Cubic {
    #[derivative_of(g)]
    fn method(&self, x: f64) -> f64 {
        x
    }

    #[derivative_of(g)]
    fn associated(x: f64) -> f64 {
        x
    }
}

mod hidden {
    #[retrograde::derivative_of(super::g)]
    fn g(x: f64) -> f64 {
        x
    }
}

fn main() {}
