use retrograde::gradient;

fn unit(power: usize) -> &'static str {
    if power == 1 { "metre" } else { "metres" }
}

#[gradient]
fn scaled(x: &[f64], power: usize) -> f64 {
    for v in x {
        let name = match power {
            0 => {
                if *v < 0.0 {
                    return 0.0;
                }
                unit(1)
            }
            1 => unit(2),
            _ => unit(3),
        };
        println!("{name}");
    }
    x[0] * x[0]
}

fn main() {}
