//! Loops as they are written by people who do not look at this compiler, each under `#[gradient]`, beside it an adjoint
//! by hand and, with the feature `c`, the same function in C.
//!
//! `lse`, `llsq`, `gmm`, `kmeans`, `ba`, `lstm`, `ode` and `det` follow the definitions of GradBench, `lulesh` the
//! published description of that proxy application; the others are loops of simulations, filters and alignments. Sizes
//! are arguments; [`ALL`] has those that are timed, [`SMALL`] those of a quick look.

#![allow(
    clippy::manual_clamp,
    clippy::manual_memcpy,
    clippy::needless_range_loop,
    clippy::too_many_arguments,
    reason = "the functions stand as their formulas do"
)]

pub mod alignment;
pub mod ba;
pub mod convolution;
pub mod det;
pub mod filter;
pub mod forces;
pub mod gmm;
pub mod kalman;
pub mod kmeans;
pub mod llsq;
pub mod lse;
pub mod lstm;
pub mod lu;
pub mod lulesh;
pub mod ode;
pub mod power;
pub mod recurrence;
pub mod smoother;
pub mod spline;
pub mod tridiagonal;
mod twins;
pub mod upwind;
mod workload;

use retrograde_kernels::Maker;

/// Name and maker of every workload at the size that is timed.
pub const ALL: &[(&str, Maker)] = &[
    ("lse", || lse::compared(10_000)),
    ("lse_max", || lse::by_max(10_000)),
    ("lse_fold", || lse::folded(10_000)),
    ("llsq", || llsq::kernel(128, 4096)),
    ("gmm_10_10", || gmm::kernel([10, 10, 1000])),
    ("gmm_10_50", || gmm::kernel([10, 50, 1000])),
    ("gmm_32_10", || gmm::kernel([32, 10, 1000])),
    ("kmeans", || kmeans::by_min([10, 10_000, 8])),
    ("kmeans_if", || kmeans::compared([10, 10_000, 8])),
    ("kmeans_rows", || kmeans::rows([10, 10_000, 8])),
    ("ba", || ba::kernel([49, 7776, 31_843])),
    ("lstm", || lstm::kernel([2, 1024, 14])),
    ("ode", || ode::kernel(100, 10_000)),
    ("det", || det::kernel(8)),
    ("power", || power::kernel(3000, 20)),
    ("convolution", || convolution::kernel([68, 68, 8])),
    ("forces", || forces::kernel(12)),
    ("upwind", || upwind::kernel(2000, 200)),
    ("recurrence", || recurrence::kernel(100_000)),
    ("smoother", || smoother::kernel(5000, 20)),
    ("spline", || spline::kernel(1000, 20_000)),
    ("alignment", || alignment::kernel(200, 200)),
    ("kalman", || kalman::kernel(20_000)),
    ("filter", || filter::kernel(20_000, 4)),
    ("tridiagonal", || tridiagonal::kernel(20_000)),
    ("lu", || lu::kernel(100)),
    ("lulesh", || lulesh::kernel(30, 20)),
];

/// The same at sizes that take no time.
pub const SMALL: &[(&str, Maker)] = &[
    ("lse", || lse::compared(101)),
    ("lse_max", || lse::by_max(101)),
    ("lse_fold", || lse::folded(101)),
    ("llsq", || llsq::kernel(7, 33)),
    ("gmm_10_10", || gmm::kernel([5, 3, 17])),
    ("gmm_10_50", || gmm::kernel([3, 9, 11])),
    ("gmm_32_10", || gmm::kernel([9, 2, 13])),
    ("kmeans", || kmeans::by_min([5, 71, 3])),
    ("kmeans_if", || kmeans::compared([5, 71, 3])),
    ("kmeans_rows", || kmeans::rows([5, 71, 3])),
    ("ba", || ba::kernel([3, 17, 41])),
    ("lstm", || lstm::kernel([2, 7, 5])),
    ("ode", || ode::kernel(7, 11)),
    ("det", || det::kernel(4)),
    ("power", || power::kernel(23, 4)),
    ("convolution", || convolution::kernel([11, 13, 2])),
    ("forces", || forces::kernel(3)),
    ("upwind", || upwind::kernel(29, 7)),
    ("recurrence", || recurrence::kernel(41)),
    ("smoother", || smoother::kernel(23, 3)),
    ("spline", || spline::kernel(11, 37)),
    ("alignment", || alignment::kernel(9, 7)),
    ("kalman", || kalman::kernel(19)),
    ("filter", || filter::kernel(31, 2)),
    ("tridiagonal", || tridiagonal::kernel(23)),
    ("lu", || lu::kernel(13)),
    ("lulesh", || lulesh::kernel(3, 5)),
];
