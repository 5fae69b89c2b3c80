use retrograde::gradient;

#[gradient]
fn scaled(x: f64) -> f64 {
    #[cfg(debug_assertions)]
    println!("x = {x}");
    x * x
}

fn main() {}
