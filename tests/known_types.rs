//! Types that are known to carry no derivative: integers that are not zero, paths, maps of what carries none.

#![allow(
    clippy::all,
    unused,
    unused_qualifications,
    unreachable_pub,
    reason = "the functions are written as users write them"
)]

#[path = "known_types/generators.rs"]
mod generators;
#[path = "known_types/of_package.rs"]
mod of_package;
#[path = "support/mod.rs"]
mod support;
#[path = "known_types/walked.rs"]
mod walked;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Instant;

use retrograde::{Differentiable, gradient};

#[gradient]
fn degree(x: f64, n: NonZeroU32) -> f64 {
    let k = n.get();
    x * f64::from(k) + x.powi(k as i32)
}

#[gradient]
fn looked_up(x: f64, table: &HashMap<String, usize>, seen: &HashSet<u32>) -> f64 {
    let n = table["a"];
    let m = if seen.contains(&3) { 2.0 } else { 1.0 };
    let k = match table.get("b") {
        Some(k) => *k,
        None => 0,
    };
    x.powi(n as i32) * m + k as f64 * x
}

#[gradient]
fn lasting(x: f64, time: std::time::Duration) -> f64 {
    x * x * time.as_secs_f64()
}

#[test]
fn durations_carry_none() {
    let time = std::time::Duration::from_millis(500);
    assert_eq!(lasting_grad(3.0, time), (4.5, 3.0));
}

/// Of several, some of which are known by their paths alone.
#[gradient]
fn by_path(
    x: &[f64],
    groups: &std::collections::BTreeMap<u8, Vec<usize>>,
    begin: std::time::SystemTime,
    files: &[PathBuf],
) -> f64 {
    let mut sum = 0.0;
    for k in 0..groups[&1].len() {
        sum += x[groups[&1][k]] * files.len() as f64;
    }
    sum
}

/// In a loop, where small functions are inlined.
#[gradient]
fn degrees(x: &[f64], n: NonZeroU32) -> f64 {
    let mut sum = 0.0;
    for v in x {
        sum += degree(*v, n);
    }
    sum
}

#[test]
fn a_function_that_a_loop_calls() {
    let n = NonZeroU32::new(3).unwrap();
    assert_eq!(degrees_grad(&[2.0, 1.0], n), (18.0, vec![15.0, 6.0]));
}

#[test]
fn parameters() {
    let n = NonZeroU32::new(3).unwrap();
    assert_eq!(degree_grad(2.0, n), (14.0, 15.0));
    let table: HashMap<String, usize> = [("a".to_owned(), 2), ("b".to_owned(), 5)].into();
    let seen: HashSet<u32> = [3].into();
    assert_eq!(looked_up_grad(3.0, &table, &seen), (33.0, 17.0));
    let groups = BTreeMap::from([(1, vec![0, 2])]);
    let files = [PathBuf::new(), PathBuf::new()];
    let (value, dx) = by_path_grad(
        &[1.0, 2.0, 4.0],
        &groups,
        std::time::SystemTime::now(),
        &files,
    );
    assert_eq!((value, dx), (10.0, vec![2.0, 0.0, 2.0]));
}

#[derive(Clone, Debug, Differentiable)]
struct Model {
    w: f64,
    names: BTreeMap<String, usize>,
    seen: HashSet<usize>,
    degree: NonZeroU32,
    made: Instant,
}

#[gradient]
impl Model {
    fn value(&self, x: f64) -> f64 {
        let k = self.degree.get();
        let n = self.names.len();
        if self.seen.contains(&2) {
            self.w * x * k as f64
        } else {
            self.w * n as f64
        }
    }

    fn weigh(&mut self, x: f64) -> f64 {
        self.w += x * self.degree.get() as f64;
        self.w * self.w
    }
}

#[test]
fn fields() {
    let mut model = Model {
        w: 2.0,
        names: BTreeMap::new(),
        seen: [2].into(),
        degree: NonZeroU32::new(3).unwrap(),
        made: Instant::now(),
    };
    let (value, (dm, dx)) = model.value_grad(4.0);
    assert_eq!((value, dm.w, dx), (24.0, 12.0, 6.0));
    let mut tape = retrograde::Tape::new();
    let mut dm = model.zero_tangent();
    let mut dx = 0.0;
    let value = model.weigh_adjoint(&mut tape, &mut dm, 1.0, &mut dx, 1.0);
    assert_eq!((value, dm.w, dx), (25.0, 10.0, 30.0));
}

/// Parameters that are converted to integers.
#[gradient]
fn falling<N>(z: f64, k: N) -> f64
where
    N: Into<usize> + Copy,
{
    (0..k.into()).fold(1.0, |product, n| product * (z - n as f64))
}

#[gradient]
fn powers<N: num_traits::PrimInt>(x: f64, n: N) -> f64 {
    x.powi(n.to_i32().unwrap())
}

#[test]
fn parameters_that_stand_for_integers() {
    assert_eq!(falling_grad(5.0, 2_usize), (20.0, 9.0));
    assert_eq!(falling_grad(5.0, true), (5.0, 1.0));
    assert_eq!(powers_grad(3.0, 2_u8), (9.0, 6.0));
}

/// Types of one's own with such names are what they are.
#[path = "known_types/own.rs"]
mod own;

#[test]
fn types_of_ones_own() {
    let (value, (path, at, by)) =
        own::length_grad(&own::Path(2.0), own::Instant { seconds: 3.0 }, 4.0);
    assert_eq!((value, path.0, at.seconds, by), (24.0, 12.0, 8.0, 6.0));
}
