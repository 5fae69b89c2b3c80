use retrograde::gradient;

macro_rules! vec {
    ($($e:expr),*) => {
        [$($e + $e),*]
    };
}

#[gradient]
fn product(x: f64) -> f64 {
    let v = vec![x, x * x];
    v[0] * v[1]
}

fn main() {}
