use retrograde::gradient;

#[gradient]
fn never(x: f64) -> ! {
    panic!("{x}")
}

fn main() {}
