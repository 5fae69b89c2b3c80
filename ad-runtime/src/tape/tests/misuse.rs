//! What a tape says of wrong pops, of marks that it does not have, and of stores that fail.

use super::*;

fn panic_text<R>(f: impl FnOnce() -> R) -> String {
    let Err(payload) = catch_unwind(AssertUnwindSafe(f)) else {
        panic!("did not panic")
    };
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => payload.downcast_ref::<&str>().expect("a text").to_string(),
    }
}

#[test]
fn wrong_pops_name_what_is_wrong() {
    let mut tape = Tape::new();
    let text = panic_text(|| tape.pop(Site::<f64>::new()));
    assert!(text.contains("`f64` from an empty tape"), "{text}");
    tape.push(Site::new(), 1_u8);
    let text = panic_text(|| tape.pop(Site::<f64>::new()));
    assert!(
        text.contains("`f64`") && text.contains("only 1 bytes"),
        "{text}"
    );
    tape.push_slice(Site::new(), &[1.0, 2.0]);
    let text = panic_text(|| tape.pop_slice(Site::new(), &mut [0.0; 3]));
    assert!(
        text.contains("slice of 3 records") && text.contains("slice of 2"),
        "{text}"
    );
    tape.push(Site::new(), u64::MAX);
    let text = panic_text(|| tape.pop_vec(Site::<f64>::new()));
    assert!(text.contains("no slice"), "{text}");
    tape.push(Site::new(), 2_u8);
    let text = panic_text(|| tape.pop(Site::<bool>::new()));
    assert!(text.contains("no `bool`"), "{text}");
    tape.push(Site::new(), 0xD800_u32);
    let text = panic_text(|| tape.pop(Site::<char>::new()));
    assert!(text.contains("no `char`"), "{text}");
    let text = panic_text(|| tape.push_tile(Site::new(), 2).set(2, 1.0));
    assert!(text.contains("entry 2 of a tile of 2"), "{text}");
}

#[test]
fn a_shadow_names_both_items_of_a_mismatch() {
    let mut tape = small(true);
    tape.push(Site::new(), 1.0_f64);
    tape.push(Site::new(), 1_u64);
    let text = panic_text(|| tape.pop(Site::<f64>::new()));
    assert!(text.contains("pops a record of type `f64`"), "{text}");
    assert!(
        text.contains("is a record of type `u64` (item 1)"),
        "{text}"
    );
    assert_eq!(tape.pop(Site::<u64>::new()), 1);
    tape.push_tile(Site::<u64>::new(), 3);
    let text = panic_text(|| tape.pop_tile(Site::<u64>::new(), 2).get(0));
    assert!(
        text.contains("a tile of 2") && text.contains("a tile of 3"),
        "{text}"
    );
    let text = panic_text(|| tape.pop_slice(Site::<u64>::new(), &mut [0; 3]));
    assert!(
        text.contains("a slice of 3") && text.contains("a tile of 3"),
        "{text}"
    );
    tape.clear();
    let text = panic_text(|| tape.pop(Site::<f64>::new()));
    assert!(text.contains("empty tape"), "{text}");
    assert_eq!(tape.stats().pushed, Some(3));
    assert_eq!(tape.stats().high_water, 32);
}

#[test]
fn a_mark_above_the_top_is_refused() {
    for mut tape in [small(false), small(true)] {
        tape.push_slice(Site::new(), &[1_u8; 100]);
        let mark = tape.mark();
        tape.pop_vec(Site::<u8>::new());
        let text = panic_text(|| tape.rewind(mark));
        assert!(text.contains("above its newest item"), "{text}");
        assert!(tape.is_empty());
    }
}

#[test]
fn a_guard_rewinds_only_if_it_is_not_disarmed() {
    for mut tape in [small(false), small(true), Tape::new()] {
        tape.push(Site::new(), 1.0);
        let text = panic_text(|| {
            let mut guard = Rewind::new(&mut tape);
            guard.tape().push_slice(Site::new(), &[0.5; 1000]);
            panic!("in user code");
        });
        assert_eq!(text, "in user code");
        let mut guard = Rewind::new(&mut tape);
        guard.tape().push(Site::new(), 2.0);
        guard.disarm();
        assert_eq!((tape.pop(Site::new()), tape.pop(Site::new())), (2.0, 1.0));
        tape.push(Site::new(), 3.0);
        let mut guard = Rewind::new(&mut tape);
        guard.tape().clear();
        drop(guard); // below its mark: no second panic
        assert!(tape.is_empty());
    }
}

#[test]
fn a_failed_push_leaves_everything_as_it_was() {
    for mut tape in [small(false), small(true)] {
        tape.push_slice(Site::new(), &[1.0; 100]);
        for n in [usize::MAX, usize::MAX / 16, isize::MAX as usize / 8] {
            let outcome = catch_tape_error(|| {
                tape.push_tile(Site::<f64>::new(), n);
            });
            assert!(matches!(outcome, Err(TapeError::OutOfMemory { .. })));
        }
        assert_eq!(tape.pop_vec(Site::<f64>::new()), [1.0; 100]);
    }
}

#[test]
fn slabs_that_are_too_small_are_refused() {
    let error = Tape::builder()
        .slab_bytes(8)
        .build()
        .expect_err("too small");
    assert!(
        error
            .to_string()
            .contains("8 bytes are too small, 64 is the least"),
        "{error}"
    );
}
