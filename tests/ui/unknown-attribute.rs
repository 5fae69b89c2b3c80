use retrograde::gradient;

#[gradient]
fn guarded(x: f64) -> f64 {
    #[cold]
    {
        println!("{x}");
    }
    x.sqrt()
}

fn main() {}
