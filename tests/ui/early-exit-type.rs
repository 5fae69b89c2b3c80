use retrograde::gradient;

#[gradient]
fn scaled(x: &[f64], power: usize) -> f64 {
    for v in x {
        let name = match power {
            0 => {
                if *v < 0.0 {
                    return 0.0;
                }
                "unit"
            }
            1 => "metre",
            _ => "metres",
        };
        println!("{name}");
    }
    x[0] * x[0]
}

fn main() {}
