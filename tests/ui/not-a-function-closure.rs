use retrograde::gradient;

fn main() {
    #[gradient]
    let square = |x: f64| x * x;
    square(2.0);
}
