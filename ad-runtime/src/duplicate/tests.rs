//! Copies and comparisons, with types whose `Clone` does something else.

use std::collections::HashMap;
use std::rc::Rc;

use super::Duplicate;
use crate::__clones as clones;
use crate::__copy as copy;
use crate::duplicate::choice::{check_clone, check_clone_from};

/// Resets a field when it is cloned.
#[derive(Debug, PartialEq)]
struct Hostile {
    x: f64,
    acc: f64,
}

impl Clone for Hostile {
    fn clone(&self) -> Self {
        Hostile {
            x: self.x,
            acc: 0.0,
        }
    }
}

impl Duplicate for Hostile {
    fn duplicate(&self) -> Self {
        Hostile { ..*self }
    }

    fn is_duplicate(&self, of: &Self) -> bool {
        self.x.is_duplicate(&of.x) && self.acc.is_duplicate(&of.acc)
    }
}

/// `Copy`, with a `Clone` that does something else.
#[derive(Debug, Copy, PartialEq)]
struct Odd(f64);

#[expect(clippy::non_canonical_clone_impl, reason = "what is tested")]
impl Clone for Odd {
    fn clone(&self) -> Self {
        Odd(-self.0)
    }
}

fn hostile() -> Hostile {
    Hostile { x: 1.0, acc: 2.0 }
}

#[test]
fn containers_copy_what_they_hold() {
    let value = (vec![hostile()], Some(Box::new([hostile()])));
    let copy = copy!(value);
    assert!(copy.is_duplicate(&value));
    assert_eq!(copy, value);
    assert!(!value.clone().is_duplicate(&value));
    let map = HashMap::from([(1, hostile())]);
    assert!(map.duplicate().is_duplicate(&map));
    assert!(!map.clone().is_duplicate(&map));
}

#[test]
fn what_is_copy_is_copied() {
    assert_eq!(copy!(Odd(1.0)), Odd(1.0));
    assert_eq!(copy!(vec![Odd(1.0)]), [Odd(1.0)]);
    assert_eq!(clones!(to_vec[Odd(1.0)]), [Odd(1.0)]);
    assert_eq!(clones!(times Odd(1.0), 2), [Odd(1.0); 2]);
}

#[test]
fn floats_are_the_same_by_their_bits_and_any_nan() {
    assert!(f64::NAN.is_duplicate(&-f64::NAN));
    assert!(!0.0_f64.is_duplicate(&-0.0));
    assert!(!Some(1.0_f32).is_duplicate(&None));
    assert!(![1.0].is_duplicate(&[1.0_f32.next_up().into()]));
}

#[test]
fn handles_are_the_same_if_they_lead_to_the_same() {
    let shared = Rc::new(1.0);
    assert!(shared.duplicate().is_duplicate(&shared));
    assert!(!Rc::new(1.0).is_duplicate(&shared));
    let text = "text";
    let (start, rest) = (&text[..2], &text[1..]);
    assert!(text.is_duplicate(text) && !rest.is_duplicate(text));
    assert!(start.is_duplicate(&text[..2]) && !start.is_duplicate(text));
}

#[test]
fn a_clone_that_copies_passes() {
    check_clone(&vec![1.0, f64::NAN], || unreachable!("that of std copies"));
    check_clone_from(&vec![2.0], &vec![1.0, f64::NAN]);
    let value = Hostile { x: 1.0, acc: 0.0 };
    check_clone(&value, || value.clone());
    assert_eq!(clones!(times vec![1.0], 2), [[1.0], [1.0]]);
}

#[test]
#[should_panic(expected = "returns a value that differs")]
fn a_clone_that_resets_a_field_panics() {
    let value = Some(hostile());
    check_clone(&value, || value.clone());
}

#[test]
#[should_panic(expected = "returns a value that differs")]
fn so_does_one_by_clone_from() {
    check_clone_from(&hostile(), &hostile());
}

#[test]
#[should_panic(expected = "returns a value that differs")]
fn so_does_a_vector_of_clones() {
    let _ = clones!(times hostile(), 2);
}

#[test]
#[should_panic(expected = "returns a value that differs")]
fn so_does_what_is_filled_with_them() {
    clones!(fill [hostile(), hostile()], hostile());
}
