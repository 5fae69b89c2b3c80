use retrograde::gradient;

#[gradient]
fn counted(x: f64, names: &[String]) -> f64 {
    let mut count = 0;
    names.iter().for_each(|name| count += name.len());
    x * count as f64
}

fn main() {}
