//! What the encodings look like.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::marker::PhantomData;
use std::num::{NonZeroI64, NonZeroU8, NonZeroU32};
use std::time::Duration;

use super::{Either, Encoded};
use crate::tape::{Site, Tape};

#[test]
fn records_have_no_padding() {
    assert_eq!(<(u8, f64, bool, char)>::FIXED, Some(14));
    assert_eq!(<[(f32, u8); 3]>::FIXED, Some(15));
    assert_eq!(Option::<f64>::FIXED, Some(9));
    assert_eq!(Either::<f64, Either<(), (f64, f64)>>::FIXED, Some(18));
    assert_eq!(Box::<[u64; 4]>::FIXED, Some(32));
    assert_eq!(Result::<u16, f64>::FIXED, Some(9));
    assert_eq!(<(f64, PhantomData<String>, ())>::FIXED, Some(8));
    assert_eq!(<(NonZeroU8, NonZeroU32, Duration)>::FIXED, Some(17));
}

#[test]
fn numbers_other_than_zero_and_durations_come_back() {
    let mut tape = Tape::new();
    let values = [
        (NonZeroI64::MIN, Some(NonZeroU8::MAX), Duration::MAX),
        (NonZeroI64::MAX, None, Duration::ZERO),
        (
            NonZeroI64::new(-1).unwrap(),
            Some(NonZeroU8::MIN),
            Duration::new(3, 999_999_999),
        ),
    ];
    let site = Site::new();
    for value in values {
        tape.push(site, value);
    }
    for value in values.into_iter().rev() {
        assert_eq!(tape.pop(site), value);
    }
}

#[test]
#[should_panic(expected = "the bytes on the tape are no number other than zero")]
fn a_zero_is_no_number_other_than_zero() {
    let mut tape = Tape::new();
    tape.push(Site::new(), 0_u32);
    tape.pop(Site::<NonZeroU32>::new());
}

#[test]
#[should_panic(expected = "the bytes on the tape are no `Duration`")]
fn a_second_of_nanoseconds_is_no_part_of_a_duration() {
    let mut tape = Tape::new();
    tape.push(Site::new(), (1_u64, 1_000_000_000_u32));
    tape.pop(Site::<Duration>::new());
}

#[test]
fn a_part_of_variable_size_makes_the_whole_variable() {
    assert_eq!(<(f64, Vec<f64>)>::FIXED, None);
    assert_eq!(Either::<f64, String>::FIXED, None);
    assert_eq!(Result::<f64, String>::FIXED, None);
    assert_eq!(<[Vec<f64>; 2]>::FIXED, None);
    assert_eq!(<[Vec<f64>; 0]>::FIXED, Some(0));
}

#[test]
fn nan_payloads_and_signs_of_zero_survive() {
    let mut tape = Tape::new();
    let bits = [0x7FF8_0000_DEAD_BEEF, 0x7FF0_0000_0000_0001, 1 << 63];
    for bits in bits {
        tape.push(Site::new(), f64::from_bits(bits));
    }
    for bits in bits.into_iter().rev() {
        assert_eq!(tape.pop(Site::<f64>::new()).to_bits(), bits);
    }
}

/// Two fields of a byte each are loaded at once.
#[test]
fn pairs_of_bytes_keep_their_places() {
    fn come_back<T: Encoded + Copy + PartialEq + std::fmt::Debug>(values: &[T]) {
        let (mut tape, site) = (Tape::new(), Site::new());
        let mut strip = tape.push_strip(site, 0..values.len());
        for k in strip.range() {
            strip.set(k, values[k]);
        }
        let strip = tape.pop_strip(site, 0..values.len());
        let records = strip.records().expect("of fixed size");
        for (k, value) in values.iter().enumerate() {
            assert_eq!(records.get(k), *value);
        }
    }
    come_back(&[(true, false), (false, true), (true, true), (false, false)]);
    come_back(&[(1_u8, -2_i8), (255, 127)]);
    come_back(&[((1_u8,), true), ((0,), false)]);
    come_back(&[(1_u8, (), 2_u8)]);
}

#[test]
fn tuples_of_variable_size_come_back_in_order() {
    let mut tape = Tape::new();
    let record = (
        1_u8,
        vec![2.0, 3.0],
        Some(Box::new(4_i64)),
        [String::from("five"), String::new()],
    );
    let site = Site::new();
    tape.push(site, record.clone());
    assert_eq!(tape.pop(site), record);
    assert!(tape.is_empty());
}

#[test]
fn collections_come_back_in_order() {
    let mut tape = Tape::new();
    let mut queue: VecDeque<f64> = [2.0, 3.0, 4.0].into();
    queue.push_front(1.0);
    let map: BTreeMap<_, _> = [(String::from("b"), vec![2.0]), (String::from("a"), vec![])].into();
    let record = (
        queue,
        map,
        BTreeSet::from([3_i64, -1]),
        BTreeSet::<u8>::new(),
    );
    let site = Site::new();
    tape.push(site, record.clone());
    tape.push(Site::new(), 1.0);
    assert_eq!(tape.pop(Site::<f64>::new()), 1.0);
    assert_eq!(tape.pop(site), record);
    assert!(tape.is_empty());
}

#[test]
fn results_come_back() {
    let mut tape = Tape::new();
    let (short, long): (Result<u16, f64>, Result<u16, f64>) = (Ok(7), Err(-0.5));
    let (text, list): (Result<Vec<f64>, String>, Result<Vec<f64>, String>) =
        (Err("none".into()), Ok(vec![1.0, 2.0]));
    let (of_fixed, of_variable) = (Site::new(), Site::new());
    tape.push(of_fixed, short);
    tape.push(of_variable, text.clone());
    tape.push(of_fixed, long);
    tape.push(of_variable, list.clone());
    assert_eq!(tape.pop(of_variable), list);
    assert_eq!(tape.pop(of_fixed), long);
    assert_eq!(tape.pop(of_variable), text);
    assert_eq!(tape.pop(of_fixed), short);
    assert!(tape.is_empty());
}
