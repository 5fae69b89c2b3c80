//! The tape against a model, and its behaviour at the edges.

mod misuse;

use std::panic::{AssertUnwindSafe, catch_unwind};

use proptest::prelude::*;

use super::*;
use crate::record::Either;

/// What the model keeps for one item.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Item {
    Float(f64),
    Mixed((u8, f32, bool, char)),
    Nested(Vec<Option<Vec<u16>>>),
    Branch(Either<[f64; 3], Either<(), String>>),
    Large(Box<[u64; 40]>),
    Floats(Vec<f64>),
    Flags(Vec<bool>),
    Words(Vec<String>),
    Tile(Vec<(f32, u8)>),
    /// A loop from the given iteration on.
    Strips(usize, Vec<(f32, u8)>),
    StripsOfWords(Vec<String>),
    WholeStrip(Vec<(f32, u8)>),
}

#[derive(Debug, Clone)]
pub(super) enum Step {
    Push(Item),
    Pop,
    Mark,
    Rewind,
    Clear,
    Trim,
}

pub(super) fn item() -> impl Strategy<Value = Item> {
    let length = 0..40_usize;
    prop_oneof![
        any::<f64>()
            .prop_filter("comparable", |x| !x.is_nan())
            .prop_map(Item::Float),
        (any::<u8>(), -1.0..1.0_f32, any::<bool>(), any::<char>()).prop_map(Item::Mixed),
        prop::collection::vec(
            prop::option::of(prop::collection::vec(any::<u16>(), 0..9)),
            0..4
        )
        .prop_map(Item::Nested),
        prop_oneof![
            (0.0..1.0).prop_map(|x: f64| Either::A([x, -x, 1.0])),
            Just(Either::B(Either::A(()))),
            "[a-zé]{0,5}".prop_map(|text| Either::B(Either::B(text))),
        ]
        .prop_map(Item::Branch),
        any::<u64>().prop_map(|x| Item::Large(Box::new([x; 40]))),
        prop::collection::vec(-1.0..1.0, length.clone()).prop_map(Item::Floats),
        prop::collection::vec(any::<bool>(), length.clone()).prop_map(Item::Flags),
        prop::collection::vec("[a-z]{0,3}", 0..4).prop_map(Item::Words),
        prop::collection::vec((-1.0..1.0_f32, any::<u8>()), length.clone()).prop_map(Item::Tile),
        (
            0..3_usize,
            prop::collection::vec((-1.0..1.0_f32, any::<u8>()), length.clone())
        )
            .prop_map(|(lo, x)| Item::Strips(lo, x)),
        prop::collection::vec("[a-z]{0,3}", 0..4).prop_map(Item::StripsOfWords),
        prop::collection::vec((-1.0..1.0_f32, any::<u8>()), length).prop_map(Item::WholeStrip),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => item().prop_map(Step::Push),
        6 => Just(Step::Pop),
        2 => Just(Step::Mark),
        1 => Just(Step::Rewind),
        1 => prop_oneof![4 => Just(Step::Trim), 1 => Just(Step::Clear)],
    ]
}

pub(super) fn push(tape: &mut Tape, item: &Item) {
    match item {
        Item::Float(x) => tape.push(Site::new(), *x),
        Item::Mixed(x) => tape.push(Site::new(), *x),
        Item::Nested(x) => tape.push(Site::new(), x.clone()),
        Item::Branch(x) => tape.push(Site::new(), x.clone()),
        Item::Large(x) => tape.push(Site::new(), x.clone()),
        Item::Floats(x) => tape.push_slice(Site::new(), x),
        Item::Flags(x) => tape.push_slice(Site::new(), x),
        Item::Words(x) => tape.push_slice(Site::new(), x),
        Item::Tile(x) => {
            let mut tile = tape.push_tile(Site::new(), x.len());
            x.iter()
                .enumerate()
                .for_each(|(i, &entry)| tile.set(i, entry));
        }
        Item::Strips(lo, x) => push_strips(tape, *lo, x),
        Item::StripsOfWords(x) => push_strips(tape, 0, x),
        Item::WholeStrip(x) => {
            let mut strip = tape.push_whole_strip(Site::new(), 5..5 + x.len());
            assert_eq!(strip.range(), 5..5 + x.len());
            strip.range().for_each(|i| strip.set(i, x[i - 5]));
        }
    }
}

/// Those of an odd loop as generated code pushes them.
fn push_strips<T: Record + Clone>(tape: &mut Tape, lo: usize, x: &[T]) {
    let (site, hi) = (Site::new(), lo + x.len());
    let mut at = lo;
    while at < hi {
        let mut strip = match lo % 2 {
            0 => tape.push_strip(site, at..hi),
            _ => tape.lend_strip(site, at..hi),
        };
        assert!(strip.range().start == at && strip.range().end > at && strip.range().end <= hi);
        strip.range().for_each(|i| strip.set(i, x[i - lo].clone()));
        at = strip.range().end;
    }
    if lo % 2 == 1 {
        tape.end_strips(site);
    }
}

/// Every other strip in any order.
fn pop_strips<T: Record + Clone>(tape: &mut Tape, lo: usize, like: &[T]) -> Vec<T> {
    let (site, mut at) = (Site::new(), lo + like.len());
    let mut found = like.to_vec();
    let mut any = like.len().is_multiple_of(2);
    while at > lo {
        let strip = tape.pop_strip(site, lo..at);
        assert!(strip.start() >= lo && strip.start() < at);
        let start = strip.start();
        if any {
            let read = strip.in_any_order().map(|(i, x)| found[i - lo] = x).count();
            assert_eq!(read, at - start);
        } else {
            strip.for_each(|(i, x)| {
                at -= 1;
                assert_eq!(i, at);
                found[i - lo] = x;
            });
        }
        (at, any) = (start, !any);
    }
    found
}

/// Pops an item of the kind and length of `like`.
pub(super) fn pop(tape: &mut Tape, like: &Item) -> Item {
    match like {
        Item::Float(_) => Item::Float(tape.pop(Site::new())),
        Item::Mixed(_) => Item::Mixed(tape.pop(Site::new())),
        Item::Nested(_) => Item::Nested(tape.pop(Site::new())),
        Item::Branch(_) => Item::Branch(tape.pop(Site::new())),
        Item::Large(_) => Item::Large(tape.pop(Site::new())),
        Item::Floats(x) => {
            let mut y = vec![0.0; x.len()];
            tape.pop_slice(Site::new(), &mut y);
            Item::Floats(y)
        }
        Item::Flags(_) => Item::Flags(tape.pop_vec(Site::new())),
        Item::Words(x) if x.len() % 2 == 0 => Item::Words(tape.pop_vec(Site::new())),
        Item::Words(x) => {
            let mut y = vec![String::new(); x.len()];
            tape.pop_slice(Site::new(), &mut y);
            Item::Words(y)
        }
        Item::Tile(x) => {
            let tile = tape.pop_tile(Site::new(), x.len());
            Item::Tile((0..tile.len()).map(|i| tile.get(i)).collect())
        }
        Item::Strips(lo, x) => Item::Strips(*lo, pop_strips(tape, *lo, x)),
        Item::StripsOfWords(x) => Item::StripsOfWords(pop_strips(tape, 0, x)),
        Item::WholeStrip(x) => {
            let strip = tape.pop_whole_strip(Site::new(), 5..5 + x.len());
            let mut found: Vec<_> = strip.map(|(_, entry)| entry).collect();
            found.reverse();
            Item::WholeStrip(found)
        }
    }
}

fn run(tape: Tape, steps: &[Step]) {
    run_checked(tape, steps, &|stats| {
        assert!(stats.bytes <= stats.high_water && stats.bytes <= stats.held_bytes);
    });
}

/// Against the model, with a look at the statistics after each step.
pub(super) fn run_checked(mut tape: Tape, steps: &[Step], look: &dyn Fn(&TapeStats)) {
    let mut model: Vec<Item> = Vec::new();
    let mut marks: Vec<(Mark, usize)> = Vec::new();
    for step in steps {
        match step {
            Step::Push(item) => {
                push(&mut tape, item);
                model.push(item.clone());
            }
            Step::Pop => {
                if let Some(item) = model.pop() {
                    assert_eq!(pop(&mut tape, &item), item);
                }
            }
            Step::Mark => marks.push((tape.mark(), model.len())),
            Step::Rewind => {
                if let Some((mark, length)) = marks.pop() {
                    tape.rewind(mark);
                    model.truncate(length);
                }
            }
            Step::Clear => {
                tape.clear();
                model.clear();
            }
            Step::Trim => tape.trim(1000),
        }
        marks.retain(|&(_, length)| length <= model.len());
        if model.is_empty() {
            assert!(tape.is_empty());
        }
        look(&tape.stats());
    }
    while let Some(item) = model.pop() {
        assert_eq!(pop(&mut tape, &item), item);
    }
    assert!(tape.is_empty());
}

fn small(shadow: bool) -> Tape {
    Tape::builder()
        .slab_bytes(64)
        .shadow(shadow)
        .build()
        .expect("valid")
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn behaves_like_a_stack(steps in prop::collection::vec(step(), 0..60)) {
        run(small(false), &steps);
        run(small(true), &steps);
        run(Tape::new(), &steps);
    }

    /// Whatever is popped from whatever was pushed: a value or a panic, and a usable tape.
    #[test]
    fn a_wrong_pop_is_never_undefined(
        pushed in prop::collection::vec(item(), 0..12),
        popped in prop::collection::vec(item(), 0..12),
    ) {
        for mut tape in [small(false), small(true), Tape::new()] {
            pushed.iter().for_each(|item| push(&mut tape, item));
            for like in &popped {
                let _ = catch_unwind(AssertUnwindSafe(|| pop(&mut tape, like)));
                let _ = tape.stats(); // agrees with itself
            }
            tape.clear();
            tape.push(Site::new(), 1.5);
            prop_assert_eq!(tape.pop(Site::<f64>::new()), 1.5);
            prop_assert!(tape.is_empty());
        }
    }
}

#[test]
fn a_tape_can_go_to_another_thread() {
    fn sendable<T: Send>(_: &T) {}
    let mut tape = Tape::new();
    sendable(&tape);
    tape.push_slice(Site::new(), &[1.0; 1000]);
    let tape = std::thread::spawn(move || {
        assert_eq!(tape.pop_vec(Site::<f64>::new()), [1.0; 1000]);
        tape.push(Site::new(), 7);
        tape
    });
    assert_eq!(tape.join().expect("no panic").pop(Site::<i32>::new()), 7);
}

#[test]
fn a_tape_can_move_while_it_holds_records() {
    let mut tape = Tape::new();
    tape.push(Site::new(), 1.0);
    let mut moved = Box::new(tape);
    moved.push(Site::new(), 2.0);
    assert_eq!((moved.pop(Site::new()), moved.pop(Site::new())), (2.0, 1.0));
}

#[test]
fn a_slice_may_be_larger_than_many_slabs() {
    let mut tape = Tape::builder().slab_bytes(4096).build().expect("valid");
    let x: Vec<f64> = (0..100_000).map(f64::from).collect();
    let flags: Vec<(u8, bool)> = (0..9999_u32).map(|i| (i as u8, i % 3 == 0)).collect();
    for _ in 0..2 {
        tape.push(Site::new(), 0.5);
        tape.push_slice(Site::new(), &x);
        tape.push_slice(Site::new(), &flags);
        assert_eq!(tape.pop_vec(Site::<(u8, bool)>::new()), flags);
        let mut y = vec![0.0; x.len()];
        tape.pop_slice(Site::new(), &mut y);
        assert_eq!(x, y);
        assert_eq!(tape.pop(Site::<f64>::new()), 0.5);
    }
}

#[test]
fn a_warm_tape_takes_no_more_memory() {
    let mut tape = Tape::builder().slab_bytes(1024).build().expect("valid");
    let mut sweep = || {
        for i in 0..1000_u64 {
            tape.push(Site::new(), (i, i as f64));
        }
        let mut tile = tape.push_tile(Site::new(), 500);
        (0..500).for_each(|i| tile.set(i, i as u64));
        tape.push_slice(Site::new(), &[1_u8; 3000]);
        let stats = tape.stats();
        assert_eq!(tape.pop_vec(Site::<u8>::new()), [1; 3000]);
        let tile = tape.pop_tile(Site::<u64>::new(), 500);
        assert!((0..500).all(|i| tile.get(i) == i as u64));
        for i in (0..1000_u64).rev() {
            assert_eq!(tape.pop(Site::<(u64, f64)>::new()), (i, i as f64));
        }
        assert!(tape.is_empty());
        (stats.blocks, stats.held_bytes)
    };
    let first = sweep();
    assert_eq!(
        (0..5)
            .map(|_| sweep())
            .filter(|&again| again != first)
            .count(),
        0
    );
}

#[test]
fn a_new_tape_and_an_empty_record_take_no_memory() {
    let mut tape = Tape::new();
    tape.push(Site::new(), ());
    tape.push_tile(Site::<f64>::new(), 0);
    tape.push_tile(Site::<()>::new(), 10).set(9, ());
    assert_eq!(tape.stats().held_bytes, 0);
    tape.pop::<()>(Site::new());
    tape.push(Site::new(), 1.0);
    assert_eq!(tape.stats().held_bytes, 512);
}

#[test]
fn slices_of_nothing_keep_their_length() {
    let mut tape = Tape::new();
    tape.push_slice(Site::new(), &[(); 5]);
    tape.push_slice::<f64>(Site::new(), &[]);
    assert_eq!(tape.pop_vec(Site::<f64>::new()), [0.0; 0]);
    assert_eq!(tape.pop_vec(Site::<()>::new()).len(), 5);
}

#[test]
fn trimming_keeps_what_is_in_use() {
    let mut tape = small(false);
    tape.push_slice(Site::new(), &[1.0; 50]);
    let mark = tape.mark();
    tape.push_slice(Site::new(), &[2.0; 5000]);
    tape.rewind(mark);
    let held = tape.stats().held_bytes;
    tape.trim(0);
    assert!(tape.stats().held_bytes < held / 10);
    assert_eq!(tape.pop_vec(Site::<f64>::new()), [1.0; 50]);
}

/// Numbers in a tile lie as in memory where the address suits them; a byte below moves them away.
#[test]
fn a_tile_is_a_slice_where_it_is_aligned() {
    let mut tape = Tape::new();
    tape.push_tile(Site::<f64>::new(), 3)
        .as_slice_mut()
        .expect("aligned")
        .copy_from_slice(&[1.0, 2.0, 3.0]);
    tape.push(Site::new(), 7_u8);
    let mut tile = tape.push_tile(Site::<f64>::new(), 2);
    assert!(tile.as_slice_mut().is_none());
    (0..2).for_each(|i| tile.set(i, 0.5));
    let tile = tape.pop_tile(Site::<f64>::new(), 2);
    assert!(tile.as_slice().is_none() && tile.get(1) == 0.5);
    assert_eq!(tape.pop(Site::<u8>::new()), 7);
    let tile = tape.pop_tile(Site::<f64>::new(), 3);
    assert_eq!(tile.as_slice(), Some(&[1.0, 2.0, 3.0][..]));
    assert_eq!(tile.get(2), 3.0);
    // What is no number is decoded with a check.
    tape.push_tile(Site::<bool>::new(), 1).set(0, true);
    assert!(tape.pop_tile(Site::<bool>::new(), 1).as_slice().is_none());
}
