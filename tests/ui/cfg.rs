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

#[gradient]
trait Named {
    fn scaled(&self) -> f64;
    #[cfg(debug_assertions)]
    fn checked(&self) {}
    #[cfg(unix)]
    fn unix(&self) {}
    #[cfg(windows)]
    fn windows(&self) {}
    #[cfg(target_pointer_width = "64")]
    fn wide(&self) {}
}

fn main() {}
