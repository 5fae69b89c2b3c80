use retrograde::gradient;

fn main() {
    let square = #[gradient]
    |x: f64| x * x;
    square(2.0);
}
