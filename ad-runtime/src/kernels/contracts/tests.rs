use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::super::assignment::{GRADIENT, clear_around};
use super::super::column_panels::{store_panel, store_panel_end};
use super::super::contribution_rows::ContributionRows;
use super::super::contributions::{Contributions, MAX_SHIFT, gather_anew};
use super::super::reductions::{PARTIAL, sum, sum_row, total};
use super::super::simd::{Element, Simd, store};
use super::super::transpose4::{F64x4, FOUR, add_transposed, load4};
use super::*;

/// The files below a folder that allow `unsafe` code, named from there.
fn with_unsafe_code(folder: &Path) -> BTreeSet<String> {
    let mut folders = vec![folder.to_path_buf()];
    let mut found = BTreeSet::new();
    while let Some(inside) = folders.pop() {
        for entry in std::fs::read_dir(inside).expect("a readable folder") {
            let path: PathBuf = entry.expect("a readable entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a readable file");
            if text.lines().any(|line| line == "#![allow(unsafe_code)]") {
                let name = path.strip_prefix(folder).expect("a file in the folder");
                found.insert(name.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found
}

#[test]
fn unsafe_code_is_where_the_table_and_the_documents_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let listed: BTreeSet<String> = UNSAFE.iter().map(|file| (*file).to_owned()).collect();
    assert_eq!(with_unsafe_code(&root.join("src/kernels")), listed);
    for file in with_unsafe_code(&root.join("src")) {
        let known = ["tape/", "record/", "record.rs", "kernels/"];
        assert!(known.iter().any(|start| file.starts_with(start)), "{file}");
    }
    for document in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let text = std::fs::read_to_string(root.join("..").join(document)).expect("a document");
        for file in UNSAFE {
            assert!(text.contains(&format!("`{file}`")), "{document}: {file}");
        }
    }
}

#[test]
fn names_are_unique() {
    let names = KERNELS.iter().map(|kernel| kernel.name);
    let names = names.chain(CONSTANTS.iter().map(|(name, ..)| *name));
    let mut all: Vec<&str> = names.chain(TYPES.iter().map(|(name, _)| *name)).collect();
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count);
}

/// What adds to something has an order, and what has one adds, or answers with the sum.
#[test]
fn what_adds_has_an_order() {
    for kernel in KERNELS {
        let changed =
            !kernel.adds.is_empty() || !kernel.edits.is_empty() || !kernel.writes.is_empty();
        assert!(
            kernel.adds.is_empty() || kernel.order != Order::None,
            "{kernel:?}"
        );
        let sum = kernel.module == "reductions" || kernel.name == "simd::Simd::total";
        assert!(kernel.order == Order::None || changed || sum, "{kernel:?}");
    }
}

/// What is only written may hold anything before.
#[test]
fn what_is_written_is_not_read() {
    let numbers = |n: usize| (0..n).map(|k| k as f64).collect::<Vec<_>>();
    let mut lanes = Contributions::<f64, 1>::new();
    for _ in 0..2 {
        lanes.begin::<1>();
        lanes.compute(8, |lane| [lane as f64]);
        assert_eq!(lanes.row(0), numbers(8));
    }
    let mut to = [f64::NAN; 8];
    gather_anew(&mut to, &lanes, [(0, 0, false), (0, 1, true)]);
    assert_eq!(to, [0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]);
    let mut rows = ContributionRows::<f64, 1, { MAX_SHIFT + 4 }>::new();
    rows.compute(|_| [f64::NAN]);
    rows.compute(|lane| [lane as f64]);
    assert_eq!(rows.row(0), numbers(4));
    let mut to = [f64::NAN; 5];
    store_panel(&mut to, 1, &[1.0; 3]);
    store_panel_end(&mut to, 2, 1, &[f64::NAN, 2.0, 3.0]);
    assert_eq!(to[1..], [1.0, 1.0, 2.0, 3.0]);
    let mut to = [f64::NAN; 8];
    store::<f64>(&mut to, 3, 1.0);
    assert_eq!(to[3], 1.0);
    let lanes = <f64 as Element>::Longest::splat(1.0);
    store(&mut to, 0, lanes);
    assert!(to[..2].iter().all(|number| *number == 1.0));
    let mut to = [f64::NAN; 3];
    clear_around::<GRADIENT, f64>(&mut to, 0, &[0]);
    assert_eq!(to, [0.0; 3]);
}

/// Numbers whose sum depends on the order, added by what has the order of a loop, beside the loop.
#[test]
fn the_order_of_a_loop_is_that_of_a_loop() {
    let number = |k: usize| (1.0 / (k as f64 + 3.0)).powi(k as i32 % 5 - 2);
    let terms: Vec<f64> = (0..40).map(number).collect();
    let one_by_one = |start: f64| terms.iter().fold(start, |sum, term| sum + term);
    let backwards = terms.iter().rev().fold(0.0, |sum, term| sum + term);
    assert_ne!(one_by_one(0.0), backwards, "the order is seen");
    assert_eq!(sum(&terms), one_by_one(0.0));
    let mut sums = [0.5; FOUR];
    for at in (0..terms.len()).step_by(FOUR) {
        add_transposed(&mut sums, &[load4::<F64x4>(&terms, at); FOUR]);
    }
    assert_eq!(sums, [one_by_one(0.5); FOUR]);
    let partial: [f64; PARTIAL] = std::array::from_fn(|k| {
        let own = terms.iter().skip(k).step_by(PARTIAL);
        own.fold(0.0, |sum, term| sum + term)
    });
    assert_eq!(sum_row(&terms), total(partial));
}
