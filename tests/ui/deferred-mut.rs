use retrograde::gradient;

fn unit(power: usize) -> &'static str {
    if power == 1 { "metre" } else { "metres" }
}

#[gradient]
fn scaled(x: f64, power: usize) -> f64 {
    let mut name;
    name = unit(power);
    if power > 1 {
        name = unit(power - 1);
    }
    println!("in {name}");
    x * x
}

fn main() {}
