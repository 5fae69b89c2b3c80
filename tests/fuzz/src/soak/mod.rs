//! The soak: one library of functions, run for a long time on all kinds of tapes, with all kinds of histories and
//! faults. Whatever happens before and beside a gradient, it has the same bits, or is an error.
//!
//! ```text
//! cargo run --release -p retrograde-fuzz -- soak --minutes 60 --seed 1
//! ```

mod argument;
mod faults;
mod guard;
mod layout;
mod library;
#[path = "../../emitted/number.rs"]
#[allow(dead_code, unreachable_pub, reason = "shared with random programs")]
#[allow(clippy::all, missing_docs, reason = "shared with random programs")]
mod number;
#[allow(dead_code, unreachable_pub, reason = "shared with random programs")]
#[allow(clippy::all, missing_docs, reason = "shared with random programs")]
mod number32 {
    include!(concat!(env!("OUT_DIR"), "/number32.rs"));
}
mod options;
mod reference;
mod round;
mod steps;
mod subject;
mod tally;
#[cfg(test)]
mod tests;

use std::process::ExitCode;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use options::Options;
use round::Round;
use subject::Subject;
use tally::Tally;

/// How often the progress is shown.
const PROGRESS: Duration = Duration::from_secs(60);

/// The stack of a round, in bytes.
const STACK: usize = 64 << 20;

/// Runs a soak from the arguments behind `soak`.
pub(crate) fn main(args: impl Iterator<Item = String>) -> ExitCode {
    let options = match Options::parse(args) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("{message}\n\n{}", options::USAGE);
            return ExitCode::from(2);
        }
    };
    if options.list {
        for subject in library::SUBJECTS {
            println!("{} up to {}", subject.name, subject.largest);
        }
        return ExitCode::SUCCESS;
    }
    println!(
        "soak of {} functions, --seed {} --from {}",
        library::SUBJECTS.len(),
        options.seed,
        options.from
    );
    let start = Instant::now();
    let tally = match run(&options, library::SUBJECTS) {
        Ok(tally) => tally,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    println!(
        "\nsoak, seed {}, {:.1} minutes, {} threads\n{tally}",
        options.seed,
        start.elapsed().as_secs_f64() / 60.0,
        options.threads
    );
    if tally.findings() == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Runs rounds until the time is over or there are enough of them.
fn run(options: &Options, library: &'static [Subject]) -> Result<Tally, String> {
    let known = |name: &String| library.iter().any(|s| s.name == name.as_str());
    if let Some(name) = options.only.as_ref().filter(|name| !known(name)) {
        return Err(format!("no function of the library is called {name}"));
    }
    guard::silence_expected_panics();
    let dir = tempfile::tempdir().map_err(|e| format!("no directory for tapes: {e}"))?;
    let (tally, next, start) = (Tally::new(options.seed), AtomicU32::new(0), Instant::now());
    let work = || {
        while start.elapsed() < options.time {
            let k = next.fetch_add(1, Ordering::Relaxed);
            if k >= options.rounds {
                return;
            }
            let number = options.from.wrapping_add(k);
            // A thread of its own: what the thread's tapes have seen belongs to the round.
            let round = || Round::new(options, library, number, dir.path()).run();
            let outcome = thread::scope(|scope| roomy(scope, round).join());
            let (counts, findings) = outcome.unwrap_or_else(|_| round::lost(number));
            tally.add(&counts, &findings);
        }
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..options.threads).map(|_| scope.spawn(work)).collect();
        let mut shown = start;
        while workers.iter().any(|worker| !worker.is_finished()) {
            thread::sleep(Duration::from_millis(50));
            if shown.elapsed() >= PROGRESS {
                shown = Instant::now();
                println!(
                    "{:5.1} min: {}",
                    start.elapsed().as_secs_f64() / 60.0,
                    tally.line()
                );
            }
        }
    });
    Ok(tally)
}

/// Spawns a thread in which recursive functions have room, without optimisation as well.
fn roomy<'scope, T: Send + 'scope>(
    scope: &'scope thread::Scope<'scope, '_>,
    f: impl FnOnce() -> T + Send + 'scope,
) -> thread::ScopedJoinHandle<'scope, T> {
    let builder = thread::Builder::new().stack_size(STACK);
    builder.spawn_scoped(scope, f).expect("a thread")
}
