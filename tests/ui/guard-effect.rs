use retrograde::gradient;

#[gradient]
fn chosen(x: f64, n: usize) -> f64 {
    let mut tries = 0;
    match n {
        0 if {
            tries += 1;
            tries > 1
        } =>
        {
            x
        }
        _ => x * x,
    }
}

fn main() {}
