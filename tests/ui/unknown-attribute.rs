use retrograde::gradient;

#[gradient]
fn guarded(x: f64) -> f64 {
    if x < 0.0 {
        #[cold]
        fn report() {
            println!("negative");
        }
        report();
    }
    x.sqrt()
}

fn main() {}
