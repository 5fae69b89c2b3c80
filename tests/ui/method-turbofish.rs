use retrograde::gradient;

#[gradient]
fn loss(#[constant] p: &Poly, x: f64) -> f64 {
    p.at::<3>(x)
}

fn main() {}

struct Poly {
    c: [f64; 3],
}

impl Poly {
    fn at<const N: usize>(&self, x: f64) -> f64 {
        self.c[N - 1] * x
    }
}
