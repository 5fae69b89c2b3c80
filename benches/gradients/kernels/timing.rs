//! A kernel as a criterion group; included by each bench, beside its `Kernel`.

use super::Kernel;
use criterion::Criterion;
use std::hint::black_box;

/// Checks that the contestants agree, then times the function itself and each of them.
pub(crate) fn time(criterion: &mut Criterion, mut kernel: Kernel) {
    kernel.check();
    let x = black_box(&kernel.inputs[..]);
    let mut buffer = x.to_vec();
    let mut group = criterion.benchmark_group(&kernel.name);
    group.bench_function("primal", |b| b.iter(|| (kernel.primal)(x)));
    for (name, gradient) in &mut kernel.contestants {
        group.bench_function(*name, |b| b.iter(|| gradient(x, &mut buffer)));
    }
    group.finish();
}
