use retrograde::gradient;

#[gradient]
fn root(x: f64) -> Result<f64, String> {
    if x < 0.0 { Err("negative".to_owned()) } else { Ok(x.sqrt()) }
}

#[gradient]
fn either(x: f64, y: f64) -> Result<f64, String> {
    let a = (if x > y { root(x) } else { root(y) })?;
    let b = root(a);
    Ok(b? * a)
}

fn main() {}
