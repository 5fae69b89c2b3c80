//! Each kernel as a criterion group: `cargo bench -p retrograde-kernels -- somier8`. Criterion times one entrant
//! after the other; for ratios on a machine that is not idle, `table` lets them take turns.

use criterion::Criterion;
use retrograde::Tape;
use retrograde_kernels::ALL;

fn main() {
    let mut criterion = Criterion::default().configure_from_args().sample_size(10);
    for (name, make) in ALL {
        let mut kernel = make();
        kernel.check();
        let (mut tape, mut gradient) = (Tape::new(), kernel.buffers(0.0));
        let parts = kernel.parts();
        let mut group = criterion.benchmark_group(name);
        group.bench_function("primal", |b| b.iter(&mut *parts.primal));
        group.bench_function("ours", |b| {
            b.iter(|| (parts.ours)(&mut tape, &mut gradient));
        });
        for (name, by_hand) in [("simple", parts.simple), ("best", parts.best)] {
            if let Some(by_hand) = by_hand {
                group.bench_function(name, |b| b.iter(|| by_hand.run(&mut gradient)));
            }
        }
        group.finish();
    }
    criterion.final_summary();
}
