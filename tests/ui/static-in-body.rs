use retrograde::gradient;
use std::sync::atomic::{AtomicUsize, Ordering};

#[gradient]
fn counted(x: f64) -> f64 {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    CALLS.fetch_add(1, Ordering::Relaxed);
    x * x
}

fn main() {}
