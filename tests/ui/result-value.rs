use retrograde::gradient;

#[gradient]
fn root(x: f64) -> Result<f64, String> {
    if x < 0.0 { Err("negative".to_owned()) } else { Ok(x.sqrt()) }
}

#[gradient]
fn either(x: f64, y: f64) -> Result<f64, String> {
    let a: Result<f64, String> = root(x);
    let both = (a, y);
    let twice = |t: f64| -> Result<f64, String> { Ok(2.0 * root(t)?) };
    let b = [twice(y)];
    Ok(both.1)
}

fn main() {}
