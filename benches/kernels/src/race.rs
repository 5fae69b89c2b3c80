//! Timing in turns: all entrants run round after round, so that a change in the machine's speed meets all of them. What
//! counts is the processor time of the thread, where the system tells it, so that what others run takes no part in it.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Fills the buffer and returns the value.
type Call<'a, B> = Box<dyn FnMut(&mut B) -> f64 + 'a>;

/// The processor time that the thread has had.
#[cfg(unix)]
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.cast_unsigned(), time.tv_nsec as u32)
}

/// The time that has gone by.
#[cfg(not(unix))]
fn processor_time() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// What takes turns, and the seconds that a call of it took in each round.
pub struct Entrant<'a, B: ?Sized> {
    /// How the table calls it.
    pub name: &'a str,
    /// Seconds per call, one entry for each round.
    pub rounds: Vec<f64>,
    call: Call<'a, B>,
    calls_per_turn: u32,
}

/// How long a race is.
#[derive(Clone, Copy)]
pub struct Pace {
    /// A turn repeats its call until about this much time has gone by.
    pub turn: Duration,
    /// How many turns each entrant takes.
    pub rounds: usize,
    /// After this much time no further round begins, once there were [`FEWEST`].
    pub enough: Duration,
}

/// The rounds that are run however long they take.
pub const FEWEST: usize = 5;

impl<'a, B: ?Sized> Entrant<'a, B> {
    /// An entrant that has not run yet.
    pub fn new(name: &'a str, call: impl FnMut(&mut B) -> f64 + 'a) -> Self {
        Self {
            name,
            rounds: Vec::new(),
            call: Box::new(call),
            calls_per_turn: 1,
        }
    }

    /// Runs once to warm up and once to see how many calls make a turn.
    fn prepare(&mut self, buffer: &mut B, turn: Duration) {
        self.turn(buffer);
        let per_turn = turn.as_secs_f64() / self.turn(buffer);
        self.calls_per_turn = per_turn.max(1.0) as u32;
    }

    /// The seconds that a call takes.
    fn turn(&mut self, buffer: &mut B) -> f64 {
        let start = processor_time();
        for _ in 0..self.calls_per_turn {
            black_box((self.call)(buffer));
        }
        let taken = processor_time() - start;
        taken.as_secs_f64() / f64::from(self.calls_per_turn)
    }

    /// The seconds that a call took in the fastest round.
    pub fn minimum(&self) -> f64 {
        self.rounds.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

/// Warms all entrants up and lets them take turns.
pub fn race<B: ?Sized>(entrants: &mut [Entrant<'_, B>], buffer: &mut B, pace: Pace) {
    for entrant in &mut *entrants {
        entrant.prepare(buffer, pace.turn);
    }
    let start = Instant::now();
    for round in 0..pace.rounds {
        if round >= FEWEST && start.elapsed() > pace.enough {
            break;
        }
        for entrant in &mut *entrants {
            let seconds = entrant.turn(buffer);
            entrant.rounds.push(seconds);
        }
    }
}
