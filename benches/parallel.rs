//! The gradient of a sum over ten million independent terms, on one thread and on two.
//!
//! `cargo bench --features rayon --bench parallel`; everything once, and small, with `-- --test`. The contestants take
//! turns, and the table is of minima: criterion would time one long after the other, on a machine that others use too.
//!
//! What two threads can bring depends on the machine: two hardware threads of one core share its arithmetic. So the
//! same sums without gradient run beside it, halved by hand among two threads of the standard library. The terms are
//! bound by computation in two ways: by the latency of a chain, and by the throughput of the arithmetic.

#![allow(clippy::needless_range_loop, reason = "loops as users write them")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use rayon::ThreadPool;
use retrograde::{Tape, gradient};

/// A chain of square roots and divisions: each waits for the one before.
#[gradient]
fn roots(x: &[f64], w: f64) -> f64 {
    let mut sum = 0.0;
    #[parallel]
    for i in 0..x.len() {
        let mut y = x[i];
        for _ in 0..6 {
            y = (y * y + w).sqrt() / (y + 1.0);
        }
        sum += y;
    }
    sum
}

/// Newton's iteration for Kepler's equation, `w` being the eccentricity: sines and cosines of the mathematical library.
#[gradient]
fn orbits(x: &[f64], w: f64) -> f64 {
    let mut sum = 0.0;
    #[parallel]
    for i in 0..x.len() {
        let mut e = x[i];
        for _ in 0..3 {
            let (sin, cos) = e.sin_cos();
            e -= (e - w * sin - x[i]) / (1.0 - w * cos);
        }
        sum += e.sin();
    }
    sum
}

type Primal = fn(&[f64], f64) -> f64;
type GradInto = fn(&mut Tape, &[f64], &mut [f64], f64, &mut f64) -> f64;

/// Terms per call, so that the records of a call take tens of megabytes, and not all of the memory.
const BLOCK: usize = 1_000_000;

fn gradient_of(f: GradInto, tape: &mut Tape, x: &[f64], out: &mut [f64]) -> (f64, f64) {
    let (mut value, mut slope) = (0.0, 0.0);
    for (x, dx) in x.chunks(BLOCK).zip(out.chunks_mut(BLOCK)) {
        let mut own = 0.0;
        value += f(tape, x, dx, 0.3, &mut own);
        slope += own;
    }
    (value, slope)
}

fn halves(f: Primal, x: &[f64], threads: usize) -> f64 {
    let parts = x.chunks(x.len().div_ceil(threads));
    std::thread::scope(|scope| {
        let handles: Vec<_> = parts
            .map(|part| scope.spawn(move || f(part, 0.3)))
            .collect();
        let sums = handles.into_iter().map(|h| h.join().expect("no panic"));
        sums.sum()
    })
}

fn timed<R>(best: &mut Duration, run: impl FnOnce() -> R) {
    let start = Instant::now();
    black_box(run());
    *best = (*best).min(start.elapsed());
}

struct Threads {
    pool: ThreadPool,
    tape: Tape,
    gradient: Duration,
    primal: Duration,
}

fn contest(primal: Primal, gradient: GradInto, x: &[f64], rounds: usize) -> [Threads; 2] {
    let mut out = vec![0.0; x.len()];
    let mut contestants = [1, 2].map(|n| Threads {
        pool: rayon::ThreadPoolBuilder::new()
            .num_threads(n)
            .build()
            .expect("threads"),
        tape: Tape::new(),
        gradient: Duration::MAX,
        primal: Duration::MAX,
    });
    for _ in 0..=rounds {
        for (n, c) in contestants.iter_mut().enumerate() {
            let (tape, out) = (&mut c.tape, &mut out);
            let run = || gradient_of(gradient, tape, black_box(x), out);
            timed(&mut c.gradient, || c.pool.install(run));
            timed(&mut c.primal, || halves(primal, black_box(x), n + 1));
        }
    }
    contestants
}

fn main() {
    let smoke = std::env::args().any(|argument| argument == "--test");
    let (terms, rounds) = if smoke { (100_000, 0) } else { (10_000_000, 5) };
    let x: Vec<f64> = (0..terms)
        .map(|i| f64::from(i) * 6.0 / f64::from(terms))
        .collect();
    let mut report = String::from(
        "| terms | gradient on one thread | on two | faster | sum without gradient, halved by hand \
         |\n|---|---:|---:|---:|---:|\n",
    );
    for (name, primal, gradient) in [
        (
            "roots, bound by latency",
            roots as Primal,
            roots_grad_into as GradInto,
        ),
        ("orbits, bound by throughput", orbits, orbits_grad_into),
    ] {
        let [one, two] = contest(primal, gradient, &x, rounds);
        let ratio = |a: Duration, b: Duration| a.as_secs_f64() / b.as_secs_f64();
        report += &format!(
            "| {name} | {:.2} s | {:.2} s | {:.2}× | {:.2}× |\n",
            one.gradient.as_secs_f64(),
            two.gradient.as_secs_f64(),
            ratio(one.gradient, two.gradient),
            ratio(one.primal, two.primal),
        );
    }
    eprint!("{report}");
}
