//! Value and gradient against the function alone: `cargo bench --bench gradients`, one kernel with
//! `cargo bench --bench gradients -- rosenbrock`, everything once and untimed with `-- --test`.

use criterion::Criterion;
use kernels::Kernel;

pub mod kernels;
#[path = "kernels/timing.rs"]
mod timing;

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    for kernel in kernels::all() {
        timing::time(&mut criterion, kernel);
    }
    criterion.final_summary();
}
