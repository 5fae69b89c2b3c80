//! A page longer than one system call moves (2 GiB on Linux): the rest goes in another.

#![cfg(all(target_os = "linux", feature = "disk"))]

use ad_runtime::{Site, Tape};

#[test]
#[ignore = "takes 2.5 GB of memory and as much of the disk"]
fn a_page_beyond_two_gibibytes_comes_back() {
    const ENTRIES: usize = (2 << 30) / 8 + 3_000_000;
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a directory");
    let mut tape = Tape::builder()
        .slab_bytes(1 << 20)
        .memory_budget(8 * ENTRIES + (4 << 20))
        .spill_to(dir.path())
        .build()
        .expect("valid");
    let mut tile = tape.push_tile(Site::new(), ENTRIES);
    (0..ENTRIES).for_each(|i| tile.set(i, i as u64));
    let site = Site::new();
    (0..3_000_000_u64).for_each(|i| tape.push(site, i));
    assert!(tape.stats().written_bytes > 2 << 30, "the tile has left");
    assert!((0..3_000_000).rev().all(|i| tape.pop(site) == i));
    let tile = tape.pop_tile(Site::<u64>::new(), ENTRIES);
    assert!((0..ENTRIES).all(|i| tile.get(i) == i as u64));
}
