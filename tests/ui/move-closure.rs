use retrograde::gradient;

#[gradient]
fn kept(o: Option<f64>, x: f64) -> f64 {
    let mut y = x;
    let z = o.unwrap_or_else(move || {
        y *= x;
        y
    });
    y * z
}

#[gradient]
fn summed(v: &[f64], x: f64) -> f64 {
    let mut sum = x;
    v.iter().for_each(move |a| sum += a);
    sum
}

fn main() {}
