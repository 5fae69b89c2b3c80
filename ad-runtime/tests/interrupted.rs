//! A process that is bombarded with signals loses nothing.
//!
//! Handlers are installed without `SA_RESTART`, so that whatever can be interrupted is. Linux lets transfers
//! of local files run to their end, those of other file systems (FUSE) not; the second test has a tier that waits where
//! such a file system would, so that the interruptions that the tape gets are those of the kernel.

#![cfg(all(target_os = "linux", feature = "disk"))]
#![allow(
    unsafe_code,
    reason = "nothing safe installs a handler without SA_RESTART"
)]

use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use ad_runtime::tier::{DiskTier, Tier};
use ad_runtime::{Site, Tape};
use nix::sys::pthread::{Pthread, pthread_kill, pthread_self};
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};

/// Records of 32 bytes: 100 MB.
const RECORDS: u64 = 3_200_000;

const BUDGET: usize = 4 << 20;

static HANDLED: AtomicU64 = AtomicU64::new(0);

extern "C" fn count(_signal: i32) {
    HANDLED.fetch_add(1, SeqCst);
}

fn install_handler() {
    let action = SigAction::new(
        SigHandler::Handler(count),
        SaFlags::empty(),
        SigSet::empty(),
    );
    // SAFETY: all that the handler does is to add to an atomic number, which a handler may do.
    unsafe { sigaction(Signal::SIGUSR1, &action) }.expect("a handler");
}

/// A file, whose thread says which it is, and asks at `gate` before each page.
#[derive(Debug)]
struct Watched {
    file: DiskTier,
    thread: Arc<OnceLock<Pthread>>,
    gate: Option<UnixStream>,
    asked: bool,
    interrupted: Arc<AtomicU64>,
}

impl Watched {
    fn pass(&mut self) -> io::Result<()> {
        self.thread.get_or_init(pthread_self);
        let Some(gate) = &mut self.gate else {
            return Ok(());
        };
        if !self.asked {
            gate.write_all(&[1])?;
            self.asked = true;
        }
        let answer = gate.read(&mut [0]);
        let interrupted = |e: &io::Error| e.kind() == ErrorKind::Interrupted;
        if answer.as_ref().is_err_and(interrupted) {
            self.interrupted.fetch_add(1, SeqCst);
        }
        self.asked = answer.is_err();
        answer.map(drop)
    }
}

impl Tier for Watched {
    fn write(&mut self, at: u64, page: &[u8]) -> io::Result<()> {
        self.pass()?;
        self.file.write(at, page)
    }

    fn read(&mut self, at: u64, page: &mut [u8]) -> io::Result<()> {
        self.pass()?;
        self.file.read(at, page)
    }

    fn free(&mut self, at: u64) -> io::Result<()> {
        self.file.free(at)
    }
}

fn record(i: u64) -> [u64; 4] {
    [i, !i, i << 7, i.wrapping_mul(0x9E37_79B9_7F4A_7C15)]
}

/// Sets the flag when it goes, also if a panic unwinds: else the thread that waits for it would wait for ever.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, SeqCst);
    }
}

/// 100 MB out and back, while both threads get some thousand signals per second; the number of interruptions
/// that the tape has seen.
fn sweep(gate: Option<UnixStream>) -> u64 {
    install_handler();
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a directory");
    let moving = Arc::default();
    let interrupted = Arc::default();
    let tier = Watched {
        file: DiskTier::new(dir.path()).expect("a file"),
        thread: Arc::clone(&moving),
        gate,
        asked: false,
        interrupted: Arc::clone(&interrupted),
    };
    let mut tape = Tape::builder()
        .memory_budget(BUDGET)
        .tier(tier)
        .build()
        .expect("valid");
    let (sweeping, over) = (pthread_self(), AtomicBool::new(false));
    let before = HANDLED.load(SeqCst);
    let mut wrong = 0;
    thread::scope(|scope| {
        scope.spawn(|| {
            // Ends before the tape is dropped: until then both threads are there.
            while !over.load(SeqCst) {
                for target in [Some(&sweeping), moving.get()].into_iter().flatten() {
                    pthread_kill(*target, Signal::SIGUSR1).expect("sent");
                }
                thread::sleep(Duration::from_micros(100));
            }
        });
        let _over = Over(&over);
        let site = Site::new();
        for i in 0..RECORDS {
            tape.push(site, record(i));
        }
        for i in (0..RECORDS).rev() {
            wrong += u64::from(tape.pop(site) != record(i));
        }
    });
    assert_eq!(wrong, 0);
    assert!(tape.is_empty());
    let stats = tape.stats();
    let least = 32 * RECORDS - BUDGET as u64;
    assert!(
        stats.written_bytes > least && stats.read_bytes > least,
        "{stats:?}"
    );
    let handled = HANDLED.load(SeqCst) - before;
    assert!(handled > 500, "{handled} signals");
    interrupted.load(SeqCst)
}

#[test]
fn signals_do_not_disturb_a_file() {
    sweep(None);
}

#[test]
fn what_the_kernel_interrupts_is_tried_again() {
    let (inside, mut outside) = UnixStream::pair().expect("a pair");
    let interrupted = thread::scope(|scope| {
        scope.spawn(move || {
            // Until the tape has closed its end.
            while outside.read_exact(&mut [0]).is_ok() {
                thread::sleep(Duration::from_millis(2));
                outside.write_all(&[1]).expect("answered");
            }
        });
        sweep(Some(inside))
    });
    assert!(interrupted > 100, "{interrupted} interruptions");
}
