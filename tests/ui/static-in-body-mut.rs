use retrograde::gradient;

#[gradient]
fn counted(x: f64) -> f64 {
    static mut CALLS: usize = 0;
    x * x
}

fn main() {}
