use retrograde::gradient;

#[gradient]
fn twice<F: Fn(f64) -> Result<f64, String>>(f: F, x: f64) -> Result<f64, String> {
    let y = f(x)?;
    f(y)
}

#[gradient]
fn root(x: f64, k: f64) -> Result<f64, String> {
    twice(|t| if t < 0.0 { Err("negative".to_owned()) } else { Ok(t.sqrt() * k) }, x)
}

fn main() {}
