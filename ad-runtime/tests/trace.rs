//! What `tracing` is told of tapes, on both threads.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::io::ErrorKind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use ad_runtime::tier::{Fault, FaultyTier, MemoryTier, Operation, PAGE, Tier};
use ad_runtime::{Site, Tape, TapeError, catch_tape_error};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber, subscriber};

#[derive(Debug, Clone, PartialEq)]
enum What {
    Span(u64),
    Enter(u64),
    Exit(u64),
    Event,
}

/// One call of the subscriber.
#[derive(Debug, Clone)]
struct Told {
    what: What,
    thread: Option<String>,
    level: Level,
    name: &'static str,
    target: &'static str,
    fields: BTreeMap<&'static str, String>,
}

impl Told {
    fn number(&self, field: &str) -> u64 {
        self.fields[field].parse().expect("a number")
    }

    fn says(&self, field: &str, value: &str) -> bool {
        self.fields.get(field).is_some_and(|found| found == value)
    }

    fn is_on_the_thread_of_the_tape(&self) -> bool {
        self.thread.as_deref() == Some("retrograde-tape")
    }
}

/// Writes everything down.
#[derive(Clone, Default)]
struct Recorder {
    told: Arc<Mutex<Vec<Told>>>,
    next: Arc<AtomicU64>,
}

impl Recorder {
    fn told(&self) -> MutexGuard<'_, Vec<Told>> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, what: What, metadata: Option<&Metadata<'static>>, fields: Fields) {
        self.told().push(Told {
            what,
            thread: thread::current().name().map(str::to_owned),
            level: metadata.map_or(Level::TRACE, |m| *m.level()),
            name: metadata.map_or("", |m| m.name()),
            target: metadata.map_or("", |m| m.target()),
            fields: fields.0,
        });
    }

    fn all(&self, wanted: impl Fn(&Told) -> bool) -> Vec<Told> {
        self.told().iter().filter(|t| wanted(t)).cloned().collect()
    }

    fn spans(&self, name: &str) -> Vec<Told> {
        self.all(|t| matches!(t.what, What::Span(_)) && t.name == name)
    }

    fn events(&self, message: &str) -> Vec<Told> {
        self.all(|t| t.what == What::Event && t.says("message", message))
    }
}

#[derive(Default)]
struct Fields(BTreeMap<&'static str, String>);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.to_owned());
    }
}

impl Subscriber for Recorder {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "retrograde"
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let id = 1 + self.next.fetch_add(1, Ordering::Relaxed);
        let mut fields = Fields::default();
        span.record(&mut fields);
        self.note(What::Span(id), Some(span.metadata()), fields);
        Id::from_u64(id)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        self.note(What::Event, Some(event.metadata()), fields);
    }

    fn enter(&self, span: &Id) {
        self.note(What::Enter(span.into_u64()), None, Fields::default());
    }

    fn exit(&self, span: &Id) {
        self.note(What::Exit(span.into_u64()), None, Fields::default());
    }
}

const SLAB: usize = 4 * PAGE;
const RECORDS: u32 = 20_000;

fn spilling(tier: impl Tier + 'static) -> Tape {
    Tape::builder()
        .slab_bytes(SLAB)
        .memory_budget(4 * SLAB)
        .tier(tier)
        .build()
        .expect("valid")
}

/// 160 kB there and back.
fn sweep(tape: &mut Tape) -> Result<(), TapeError> {
    catch_tape_error(|| {
        let site = Site::new();
        (0..RECORDS).for_each(|i| tape.push(site, f64::from(i)));
        assert!((0..RECORDS).rev().all(|i| tape.pop(site) == f64::from(i)));
    })
}

#[test]
fn each_page_is_a_span_on_the_thread_of_the_tape() {
    let recorder = Recorder::default();
    let stats = subscriber::with_default(recorder.clone(), || {
        let mut tape = spilling(MemoryTier::new());
        sweep(&mut tape).expect("a tier that works");
        tape.trim(0); // waits for what is on its way
        tape.stats()
    });
    let pages = recorder.spans("page");
    assert!(pages.iter().all(Told::is_on_the_thread_of_the_tape));
    assert!(
        pages
            .iter()
            .all(|p| p.level == Level::DEBUG && p.target == "retrograde")
    );
    for (direction, bytes) in [("write", stats.written_bytes), ("read", stats.read_bytes)] {
        let moved: Vec<&Told> = pages
            .iter()
            .filter(|p| p.says("direction", direction))
            .collect();
        assert!(bytes > 0);
        assert_eq!(moved.iter().map(|p| p.number("bytes")).sum::<u64>(), bytes);
        assert!(moved.iter().all(|p| p.number("offset") % PAGE as u64 == 0));
    }
    let told = recorder.told();
    for page in &pages {
        let What::Span(id) = page.what else { continue };
        let count = |what: &What| told.iter().filter(|t| t.what == *what).count();
        assert_eq!((count(&What::Enter(id)), count(&What::Exit(id))), (1, 1));
    }
    assert!(told.iter().all(|t| t.level != Level::ERROR));
}

/// Takes its time.
#[derive(Debug)]
struct Slow(MemoryTier);

impl Tier for Slow {
    fn write(&mut self, at: u64, page: &[u8]) -> std::io::Result<()> {
        thread::sleep(std::time::Duration::from_millis(2));
        self.0.write(at, page)
    }

    fn read(&mut self, at: u64, page: &mut [u8]) -> std::io::Result<()> {
        thread::sleep(std::time::Duration::from_millis(2));
        self.0.read(at, page)
    }
}

#[test]
fn each_wait_is_a_span_and_says_how_long() {
    let recorder = Recorder::default();
    let stats = subscriber::with_default(recorder.clone(), || {
        let mut tape = spilling(Slow(MemoryTier::new()));
        sweep(&mut tape).expect("a tier that works");
        tape.stats()
    });
    let (waits, ends) = (
        recorder.spans("wait"),
        recorder.events("a sweep waited for the tier"),
    );
    assert!(stats.stalls > 0);
    assert_eq!(
        (waits.len() as u64, ends.len() as u64),
        (stats.stalls, stats.stalls)
    );
    assert!(
        waits
            .iter()
            .chain(&ends)
            .all(|t| !t.is_on_the_thread_of_the_tape())
    );
    let waited: u64 = ends.iter().map(|end| end.number("waited_us")).sum();
    let exact = stats.waited.as_micros() as u64;
    assert!((exact.saturating_sub(stats.stalls)..=exact).contains(&waited));
}

#[test]
fn a_page_that_fails_is_an_error() {
    let recorder = Recorder::default();
    subscriber::with_default(recorder.clone(), || {
        for (operation, fault) in [
            (Operation::Write, Fault::Error(ErrorKind::StorageFull)),
            (Operation::Read, Fault::FlippedBit { bit: 8 * 1000 }),
            (Operation::Read, Fault::Panic),
        ] {
            recorder.told().clear();
            let mut tape = spilling(FaultyTier::new(MemoryTier::new()).fail(operation, 1, fault));
            let error = sweep(&mut tape).expect_err("a fault");
            drop(tape);
            let errors = recorder.all(|t| t.level == Level::ERROR);
            let direction = match operation {
                Operation::Write => "write",
                _ => "read",
            };
            let first = &errors[0];
            assert!(first.is_on_the_thread_of_the_tape() && first.says("direction", direction));
            assert!(
                first.says("error", &error.to_string()),
                "{first:?}, not {error}"
            );
        }
    });
}

#[test]
fn sweeps_that_go_on_and_tapes_that_are_built_rewound_and_trimmed() {
    let recorder = Recorder::default();
    subscriber::with_default(recorder.clone(), || {
        let mut tape = spilling(MemoryTier::new());
        let built = &recorder.events("a tape with a budget")[0];
        assert_eq!(
            (built.number("budget"), built.number("slab_bytes")),
            (4 * SLAB as u64, SLAB as u64)
        );
        assert!(built.says("tier", "true") && built.says("prefetch", "2"));

        sweep(&mut tape).expect("a tier that works");
        let blocks = recorder.events("another block");
        assert!(blocks.iter().all(|b| b.level == Level::TRACE));
        let turn = blocks
            .iter()
            .position(|b| b.says("sweep", "reverse"))
            .expect("back");
        let (there, back) = blocks.split_at(turn);
        let bytes = |events: &[Told]| events.iter().map(|b| b.number("bytes")).collect::<Vec<_>>();
        assert!(there.len() >= 9 && bytes(there).is_sorted());
        assert!(back.len() >= 9 && back.iter().all(|b| b.says("sweep", "reverse")));
        assert!(bytes(back).is_sorted_by(|a, b| a >= b));
        assert!(recorder.events("a tape was rewound").is_empty());

        let mark = tape.mark();
        (0..RECORDS).for_each(|i| tape.push(Site::new(), i));
        tape.rewind(mark);
        let rewound = &recorder.events("a tape was rewound")[0];
        let range = (rewound.number("from_bytes"), rewound.number("to_bytes"));
        assert_eq!(range, (4 * u64::from(RECORDS), 0));

        let held = tape.stats().held_bytes as u64;
        tape.trim(0);
        let trimmed = &recorder.events("a tape gave memory back")[0];
        assert_eq!(
            (trimmed.number("from_bytes"), trimmed.number("to_bytes")),
            (held, 0)
        );
    });
}

#[test]
fn small_tapes_say_nothing() {
    let recorder = Recorder::default();
    subscriber::with_default(recorder.clone(), || {
        let mut tape = Tape::new();
        (0..50_u64).for_each(|i| tape.push(Site::new(), i));
        tape.clear();
    });
    assert!(recorder.told().is_empty(), "{:?}", recorder.told());
}

/// Panics whenever it is called.
struct Broken;

impl Subscriber for Broken {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        panic!("new_span")
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {
        panic!("event")
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// Panics when a span is entered or left.
struct Clumsy;

impl Subscriber for Clumsy {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {
        panic!("exit")
    }
}

#[test]
fn a_subscriber_that_panics_does_no_harm() {
    let run = || {
        let mut tape = spilling(Slow(MemoryTier::new()));
        sweep(&mut tape).expect("a tier that works");
        (0..RECORDS).for_each(|i| tape.push(Site::new(), i));
        tape.clear();
        tape.trim(0);
        sweep(&mut tape).expect("a tier that works");
    };
    std::panic::set_hook(Box::new(|_| ())); // they are many
    subscriber::with_default(Broken, run);
    subscriber::with_default(Clumsy, run);
    drop(std::panic::take_hook());
}
