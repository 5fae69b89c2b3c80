use retrograde::gradient;

#[gradient]
fn root(x: f64) -> Result<f64, String> {
    if x < 0.0 {
        Err("negative".to_string())
    } else {
        Ok(x.sqrt())
    }
}

fn main() {}
