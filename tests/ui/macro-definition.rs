use retrograde::gradient;

#[gradient]
fn cubed(x: f64) -> f64 {
    macro_rules! times {
        ($a:expr, $b:pat) => {
            match $a {
                $b => $a,
                _ => 1.0,
            }
        };
    }
    x * x * times!(x, 0.0..)
}

fn main() {}
