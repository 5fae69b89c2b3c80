//! The functions whose gradients are timed, each as ordinary Rust under `#[gradient]` and beside it an
//! adjoint written by hand.
//!
//! Two crates include this folder: the root package's criterion bench, and `retrograde-peers`, which adds
//! other libraries as contestants.

mod contest;
pub(crate) mod diffusion;
pub(crate) mod elimination;
pub(crate) mod filament;
pub(crate) mod log_sum_exp;
pub(crate) mod lorenz96;
pub(crate) mod network;
#[allow(unreachable_pub, dead_code, reason = "shared with benches/kernels")]
#[path = "../../kernels/src/numbers.rs"]
mod numbers;
pub(crate) mod rosenbrock;

pub use contest::Kernel;

/// Every kernel at the size that `docs/performance.md` quotes, with the contestants that need no other crate.
pub(crate) fn all() -> [Kernel; 7] {
    [
        rosenbrock::kernel(1000),
        log_sum_exp::kernel(10_000),
        network::kernel(),
        diffusion::kernel(1000, diffusion::STEPS),
        lorenz96::kernel(40, lorenz96::STEPS),
        filament::kernel(60),
        elimination::kernel(80),
    ]
}
