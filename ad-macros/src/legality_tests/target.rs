use std::path::Path;

use crate::analysis::target::{cache, contributions};

/// A constant of the runtime's contributions, by its text.
fn of_the_runtime(name: &str) -> usize {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("../ad-runtime/src/kernels/contributions.rs");
    let source = std::fs::read_to_string(path).expect("the runtime's source");
    let line = source.lines().find_map(|line| {
        let value = line.strip_prefix(&format!("pub const {name}: usize = "))?;
        value.strip_suffix(';')
    });
    let line = line.unwrap_or_else(|| panic!("no constant `{name}`"));
    line.parse().expect("a number")
}

#[test]
fn what_is_added_in_one_pass_fits_in_front_of_the_runtimes_rows() {
    let shift = i128::try_from(of_the_runtime("MAX_SHIFT")).expect("small");
    assert!(contributions::REACH <= shift);
}

#[test]
fn rows_of_contributions_take_half_of_the_first_level_cache() {
    let bytes = cache::CONTRIBUTION_ROWS * of_the_runtime("MAX_BLOCK") * size_of::<f64>();
    assert!(bytes <= 32 * 1024 / 2);
}
