use retrograde::gradient;

#[gradient]
fn counted(x: f64, names: &[&str]) -> f64 {
    let mut seen = 0;
    let long = names.iter().skip_while(|name| {
        seen += 1;
        name.len() > 3
    }).count();
    x * long as f64
}

fn main() {}
