use retrograde::gradient;

#[gradient]
fn cubed(x: f64) -> f64 {
    macro_rules! times {
        ($a:expr, $b:expr) => {
            $a * $b
        };
    }
    x * x * x
}

fn main() {}
