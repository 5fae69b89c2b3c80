//! All contestants under criterion: `cargo bench -p retrograde-peers`.

use criterion::Criterion;
use retrograde_peers::Kernel;

#[path = "../../gradients/kernels/timing.rs"]
mod timing;

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    for kernel in retrograde_peers::all() {
        timing::time(&mut criterion, kernel);
    }
    criterion.final_summary();
}
