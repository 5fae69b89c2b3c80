use retrograde::gradient;

#[gradient(mode = "forward", name = square, inline)]
fn square_of(x: f64) -> f64 {
    x * x
}

fn main() {
    assert_eq!(square_grad(3.0), (9.0, 6.0));
}
