use retrograde::gradient;

#[gradient]
fn kept<F: Fn(f64) -> f64 + Copy>(f: F, x: f64) -> f64 {
    let both = [f, f];
    let printed = f;
    println!("{}", printed(x));
    both[0](x)
}

fn main() {}
