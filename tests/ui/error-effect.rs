use retrograde::gradient;

#[gradient]
fn counted(x: f64) -> Result<f64, usize> {
    let mut n = 0;
    if x < 0.0 {
        return Err({
            n += 1;
            n
        });
    }
    Ok(x * x)
}

fn main() {}
