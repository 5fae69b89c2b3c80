use retrograde::gradient;

fn unit(power: usize) -> &'static str {
    if power == 1 { "metre" } else { "metres" }
}

#[gradient]
fn scaled(x: f64, power: usize) -> f64 {
    let mut name;
    for k in 0..power {
        name = unit(k);
        println!("in {name}");
    }
    x * x
}

fn main() {}
