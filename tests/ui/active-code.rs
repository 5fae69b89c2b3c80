use retrograde::gradient;

fn table(x: f64) -> std::collections::HashMap<&'static str, f64> {
    [("scale", x)].into_iter().collect()
}

#[gradient]
fn scaled(x: f64) -> f64 {
    let table = table(x);
    table["scale"] * x
}

fn main() {}
