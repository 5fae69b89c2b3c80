//! `#[derive(Record)]`: what is pushed comes back, whatever its shape and wherever it lies, and wrong bytes panic.

#![forbid(unsafe_code)]

mod derived;

use std::fmt::Debug;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};

use derived::{
    Contact, Empty, Generic, Law, Left, List, Named, Never, Open, Owner, Packed, Raw, Right, Tree,
    Tuple, Two, Unit,
};
use retrograde::{Encoding, Record, Site, Tape};

const fn fixed<T: Record>() -> Option<usize> {
    T::Encoding::FIXED
}

/// The tapes: plain, checking, and of the smallest slabs.
fn tapes() -> [Tape; 3] {
    let small = Tape::builder().slab_bytes(64);
    [Tape::builder(), Tape::builder().shadow(true), small].map(|tape| tape.build().expect("valid"))
}

/// Alone, in containers, in slices, with something below and above.
fn comes_back<T: Record + PartialEq + Debug>(value: impl Fn() -> T) {
    for mut tape in tapes() {
        tape.push(Site::new(), 0.5);
        tape.push(Site::new(), value());
        tape.push(
            Site::new(),
            (1_u8, value(), Some(Box::new([value(), value()]))),
        );
        tape.push_slice(Site::new(), &[value(), value(), value()]);
        tape.push_slice::<T>(Site::new(), &[]);
        tape.push(Site::new(), vec![value()]);

        assert_eq!(tape.pop(Site::<Vec<T>>::new()), [value()]);
        assert_eq!(tape.pop_vec(Site::<T>::new()), []);
        let mut slice = [value(), value(), value()];
        tape.pop_slice(Site::new(), &mut slice);
        assert_eq!(slice, [value(), value(), value()]);
        let (one, alone, pair) = tape.pop(Site::<(u8, T, Option<Box<[T; 2]>>)>::new());
        assert_eq!(
            (one, alone, pair.as_deref()),
            (1, value(), Some(&[value(), value()]))
        );
        assert_eq!(tape.pop(Site::<T>::new()), value());
        assert_eq!(tape.pop(Site::<f64>::new()), 0.5);
        assert!(tape.is_empty());
    }
}

/// Also in tiles.
fn comes_back_from_tiles<T: Record + PartialEq + Debug>(bytes: usize, value: impl Fn() -> T) {
    assert_eq!(fixed::<T>(), Some(bytes));
    for mut tape in tapes() {
        let mut tile = tape.push_tile(Site::new(), 40);
        (0..40).for_each(|i| tile.set(i, value()));
        let tile = tape.pop_tile(Site::<T>::new(), 40);
        assert!((0..40).all(|i| tile.get(i) == value()));
    }
    comes_back(value);
}

fn named() -> Named {
    Named {
        x: -0.5,
        on: true,
        letter: 'ß',
    }
}

#[test]
fn structs() {
    comes_back_from_tiles(13, named);
    comes_back_from_tiles(26, || Tuple(7, named(), [(1.5, -2), (2.5, 3)]));
    comes_back_from_tiles(8, || Raw { r#type: 1.0 });
    comes_back_from_tiles(9, || Packed {
        small: 3,
        large: 0.1,
    });
}

#[test]
fn of_no_size() {
    comes_back_from_tiles(0, || Unit);
    comes_back_from_tiles(0, || Empty {});
}

#[test]
fn enums() {
    for law in [|| Law::Linear, || Law::Quadratic, || Law::Cubic] {
        comes_back_from_tiles(1, law);
    }
    let contacts = [
        || Contact::None,
        || Contact::Elastic {
            force: 9.81,
            at: [1.0, 2.0],
        },
        || Contact::Sticking(Law::Cubic, 4),
    ];
    for contact in contacts {
        comes_back_from_tiles(25, contact);
    }
}

#[test]
fn generic() {
    comes_back_from_tiles(3, || Generic::<Named, Two, 0> {
        values: [],
        item: Some(-3),
        qualified: 5,
        marker: PhantomData,
    });
    comes_back(|| Generic::<String, Two, 2> {
        values: ["one".to_owned(), String::new()],
        item: None,
        qualified: 5,
        marker: PhantomData,
    });
}

#[test]
fn of_variable_size() {
    assert_eq!(fixed::<Owner>(), None);
    comes_back(|| Owner {
        name: "rows".to_owned(),
        rows: vec![vec![named(), named()], vec![], vec![named()]],
        next: Some(Box::new(Tuple(7, named(), [(1.5, -2), (2.5, 3)]))),
    });
    comes_back(|| Owner {
        name: String::new(),
        rows: vec![],
        next: None,
    });
}

#[test]
fn that_hold_themselves() {
    assert_eq!(fixed::<List>(), None);
    comes_back(|| {
        (0..9).fold(List::End, |list, i| {
            List::Item(f64::from(i), Box::new(list))
        })
    });
    let tree = |value, children| Tree { value, children };
    comes_back(|| tree(1, vec![tree(2, vec![]), tree(3, vec![tree(4, vec![])])]));
    comes_back(|| Left(vec![Right(vec![Left(vec![])], 2), Right(vec![], 3)]));
}

#[test]
fn fields_of_private_types() {
    let mut tape = Tape::new();
    tape.push(Site::new(), Open::new(3));
    assert_eq!(tape.pop(Site::<Open>::new()).number(), 3);
}

/// What `f` panics with.
fn panic_message(f: impl FnOnce()) -> String {
    let payload = catch_unwind(AssertUnwindSafe(f)).expect_err("a panic");
    *payload.downcast::<String>().expect("a text")
}

/// What is popped as a `T` where `bytes` lie.
fn misread<T: Record + Debug>(bytes: &[u8]) -> String {
    let mut tape = Tape::new();
    bytes.iter().for_each(|byte| tape.push(Site::new(), *byte));
    let text = panic_message(|| panic!("valid: {:?}", tape.pop(Site::<T>::new())));
    tape.clear();
    tape.push(Site::new(), 1.5);
    assert_eq!(tape.pop(Site::<f64>::new()), 1.5);
    text
}

#[test]
fn wrong_bytes_panic() {
    let no_variant = misread::<Law>(&[3]);
    assert!(
        no_variant.contains("no `") && no_variant.contains("Law`"),
        "{no_variant}"
    );
    assert!(misread::<Contact>(&[200; 25]).contains("Contact"));
    assert!(misread::<Never>(&[0]).contains("Never"));
    assert!(misread::<Named>(&[0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0]).contains("`bool`"));
    assert!(misread::<Named>(&[255; 13]).contains("no `"));
    assert!(misread::<List>(&[9]).contains("List"));
    let nested = [&[0; 24][..], &[2]].concat();
    assert!(misread::<List>(&nested).contains("List"));
    assert!(misread::<Law>(&[]).contains("empty tape"));
    assert!(misread::<Contact>(&[2, 1, 3]).contains("another shape"));
    // All variants, whatever follows the number.
    for number in 0..=255 {
        let text = misread::<Contact>(&[[number; 1].as_slice(), &[9; 24]].concat());
        assert_eq!(text.contains("valid"), number < 2, "{text}");
    }
}

#[test]
fn a_checking_tape_names_both_records() {
    let mut tape = Tape::builder().shadow(true).build().expect("valid");
    tape.push(Site::new(), Law::Linear);
    let text = panic_message(|| assert_eq!(tape.pop(Site::<u8>::new()), 0));
    assert!(text.contains("Law") && text.contains("u8"), "{text}");
}

#[test]
fn within_a_budget() {
    let tier = retrograde::tier::MemoryTier::new();
    let mut tape = Tape::builder()
        .memory_budget(1 << 20)
        .tier(tier)
        .build()
        .expect("valid");
    let site = Site::new();
    let value = |i: u32| Tuple(i as u8, named(), [(i as f32, 0), (0.0, 1)]);
    (0..100_000).for_each(|i| tape.push(site, value(i)));
    assert!((0..100_000).rev().all(|i| tape.pop(site) == value(i)));
    assert!(tape.stats().written_bytes > 0);
}
