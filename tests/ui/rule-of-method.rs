use retrograde::derivative_of;

struct Normal(f64);

impl Normal {
    fn cdf(&self, x: f64) -> f64 {
        self.0 * x
    }
}

#[derivative_of(Normal::cdf)]
fn of_method(#[constant] n: &Normal, x: f64) -> f64 {
    n.0 + 0.0 * x
}

#[derivative_of(f64::sin)]
fn of_float(x: f64) -> f64 {
    x.cos()
}

fn main() {}
