use retrograde::gradient;

#[gradient]
fn scaled(x: f64) -> f64 {
    struct Scale {
        factor: f64,
    }
    impl Scale {
        fn new() -> Self {
            Scale { factor: 2.0 }
        }
    }
    x * Scale::new().factor
}

fn main() {}
