use retrograde::gradient;

#[gradient]
fn scaled(x: f64) -> f64 {
    trait Scale {
        fn scale(&self) -> f64;
    }
    impl Scale for f64 {
        fn scale(&self) -> f64 {
            10.0 * self
        }
    }
    x.scale()
}

fn main() {}
