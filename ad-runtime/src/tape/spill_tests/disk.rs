//! Tapes whose budget is backed by a file.

use super::*;
use crate::tier::DiskTier;

fn directory() -> tempfile::TempDir {
    tempfile::tempdir().expect("a directory")
}

#[test]
fn a_tape_on_disk_gives_back_what_it_got() {
    let dir = directory();
    let mut tape = Tape::builder()
        .memory_budget(1 << 20)
        .spill_to(dir.path())
        .build()
        .expect("valid");
    for _ in 0..2 {
        let site = Site::new();
        for i in 0..1_000_000 {
            tape.push(site, f64::from(i));
        }
        assert!((0..1_000_000).rev().all(|i| tape.pop(site) == f64::from(i)));
        sweep(&mut tape).expect("works");
    }
    let stats = tape.stats();
    assert!(
        stats.written_bytes > 12 << 20 && stats.read_bytes > 12 << 20,
        "{stats:?}"
    );
    assert!(stats.most_held_bytes.expect("a budget") <= 1 << 20);
    // The file has no name.
    assert_eq!(std::fs::read_dir(dir.path()).expect("readable").count(), 0);
}

#[test]
fn a_directory_that_cannot_be_used_is_an_error() {
    let dir = directory();
    let missing = dir.path().join("missing");
    let built = Tape::builder()
        .memory_budget(1 << 20)
        .spill_to(missing)
        .build();
    match built {
        Err(TapeError::Tier {
            operation: TierOperation::Start,
            source,
            ..
        }) => {
            assert_eq!(source.kind(), ErrorKind::NotFound);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn no_directory_is_an_error_and_not_the_current_one() {
    for dir in ["", "\0"] {
        let budget = Tape::builder().memory_budget(1 << 20);
        let error = budget.spill_to(dir).build().expect_err("no directory");
        match error {
            TapeError::Configuration { reason } => {
                assert!(dir.is_empty() && reason.contains("spill_to"), "{reason}");
            }
            TapeError::Tier { operation, .. } => {
                assert!(!dir.is_empty() && operation == TierOperation::Start);
            }
            error => panic!("{error}"),
        }
        let error = DiskTier::new(dir).expect_err("no directory");
        assert_eq!(error.kind(), ErrorKind::InvalidInput);
    }
    let here = Tape::builder().memory_budget(1 << 20).spill_to(".");
    assert!(here.build().is_ok());
}

#[test]
fn a_truncated_file_is_an_error() {
    let mut tier = DiskTier::new(directory().path()).expect("a file");
    let mut tape = MemoryTier::new();
    let page = Box::new([7_u8; 3 * PAGE]);
    let start = page.as_ptr().align_offset(PAGE);
    let page = &page[start..start + PAGE];
    for at in [0, PAGE as u64] {
        tier.write(at, page).expect("written");
        tape.write(at, page).expect("written");
    }
    tier.free(PAGE as u64).expect("truncated");
    let mut back = vec![0_u8; 2 * PAGE];
    let start = back.as_ptr().align_offset(PAGE);
    let back = &mut back[start..start + PAGE];
    tier.read(0, back).expect("there");
    assert_eq!(back, page);
    let error = tier.read(PAGE as u64, back).expect_err("gone");
    assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
}

/// The lengths of the files without name in `dir` that this process has open.
#[cfg(target_os = "linux")]
fn lengths(dir: &std::path::Path) -> Vec<u64> {
    let open = std::fs::read_dir("/proc/self/fd").expect("readable");
    let inside = |fd: &std::path::PathBuf| {
        std::fs::read_link(fd)
            .is_ok_and(|file| file.to_string_lossy().starts_with(&*dir.to_string_lossy()))
    };
    let open = open.filter_map(|fd| fd.ok().map(|fd| fd.path()));
    let length = |fd: std::path::PathBuf| std::fs::metadata(fd).map(|file| file.len()).ok();
    open.filter(inside).filter_map(length).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn the_file_of_an_empty_tape_has_no_length() {
    let dir = directory();
    let mut tape = Tape::builder()
        .memory_budget(1 << 20)
        .spill_to(dir.path())
        .build()
        .expect("valid");
    let site = Site::new();
    for _ in 0..2 {
        (0..1_000_000).for_each(|i| tape.push(site, f64::from(i)));
        let full = lengths(dir.path());
        assert!(full.len() == 1 && full[0] > 4 << 20, "{full:?}");
        assert!((0..1_000_000).rev().all(|i| tape.pop(site) == f64::from(i)));
        let begin = std::time::Instant::now();
        while lengths(dir.path()) != [0] {
            assert!(begin.elapsed().as_secs() < 20, "{:?}", lengths(dir.path()));
            std::thread::yield_now();
        }
    }
}
