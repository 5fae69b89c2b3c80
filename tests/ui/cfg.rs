use retrograde::gradient;

#[gradient]
fn scaled(x: f64) -> f64 {
    #[cfg(debug_assertions)]
    println!("x = {x}");
    #[cfg(unix)]
    println!("unix");
    #[cfg(windows)]
    println!("windows");
    #[cfg(target_pointer_width = "64")]
    println!("64 bits");
    x * x
}

fn main() {}
