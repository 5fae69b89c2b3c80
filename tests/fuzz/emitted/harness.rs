//! Compares one program's gradient functions with the oracle.

use crate::number::{D, R, num, variable};
use std::fmt::Write as _;
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Every number in a value, in order, with its derivative where it has one.
pub trait Flat {
    fn flat(&self, each: &mut dyn FnMut(f64, f64));
}

impl Flat for f64 {
    fn flat(&self, each: &mut dyn FnMut(f64, f64)) {
        each(*self, 0.0);
    }
}

impl Flat for crate::number::D {
    fn flat(&self, each: &mut dyn FnMut(f64, f64)) {
        each(f64::from(self.value()), self.derivative());
    }
}

impl Flat for f32 {
    fn flat(&self, each: &mut dyn FnMut(f64, f64)) {
        each(f64::from(*self), 0.0);
    }
}

impl Flat for () {
    fn flat(&self, _: &mut dyn FnMut(f64, f64)) {}
}

impl<T: Flat + ?Sized> Flat for &T {
    fn flat(&self, each: &mut dyn FnMut(f64, f64)) {
        (**self).flat(each);
    }
}

impl<T: Flat> Flat for [T] {
    fn flat(&self, each: &mut dyn FnMut(f64, f64)) {
        self.iter().for_each(|x| x.flat(each));
    }
}

impl<T: Flat> Flat for Vec<T> {
    fn flat(&self, each: &mut dyn FnMut(f64, f64)) {
        self[..].flat(each);
    }
}

impl<T: Flat, const N: usize> Flat for [T; N] {
    fn flat(&self, each: &mut dyn FnMut(f64, f64)) {
        self[..].flat(each);
    }
}

impl<T: Flat> Flat for Option<T> {
    fn flat(&self, each: &mut dyn FnMut(f64, f64)) {
        if let Some(x) = self {
            x.flat(each);
        }
    }
}

/// An error has a number instead of the value, so that there are as many.
impl<T: Flat> Flat for Result<T, u32> {
    fn flat(&self, each: &mut dyn FnMut(f64, f64)) {
        match self {
            Ok(x) => x.flat(each),
            Err(k) => each(f64::from(*k), 0.0),
        }
    }
}

macro_rules! flat_tuples {
    ($(($($t:ident $i:tt),+))*) => { $(
        impl<$($t: Flat),+> Flat for ($($t,)+) {
            fn flat(&self, each: &mut dyn FnMut(f64, f64)) { $(self.$i.flat(each);)+ }
        }
    )* };
}
flat_tuples! {
    (A 0) (A 0, B 1) (A 0, B 1, C 2) (A 0, B 1, C 2, E 3) (A 0, B 1, C 2, E 3, F 4)
    (A 0, B 1, C 2, E 3, F 4, G 5) (A 0, B 1, C 2, E 3, F 4, G 5, H 6)
}

/// The numbers of `value`.
pub fn flat(value: impl Flat) -> Vec<f64> {
    let mut out = Vec::new();
    value.flat(&mut |x, _| out.push(x));
    out
}

/// The seed of output `k`.
pub const SEEDS: [f64; 8] = [0.75, -0.5, 1.25, 0.4, -0.9, 0.6, -1.1, 0.8];

/// The oracle: outputs of `f`, and the derivative of their seeded sum with respect to each input.
pub fn forward(p: &[f64], f: impl Fn(&[D], &mut dyn FnMut(f64, f64))) -> (Vec<f64>, Vec<f64>) {
    let mut q: Vec<D> = p.iter().map(|&x| num(x as R)).collect();
    let mut values = Vec::new();
    f(&q, &mut |x, _| values.push(x));
    let gradient = (0..p.len())
        .map(|i| {
            q[i] = variable(p[i] as R);
            let (mut sum, mut k) = (0.0, 0);
            f(&q, &mut |_, d| {
                sum += SEEDS[k % 8] * d;
                k += 1;
            });
            q[i] = num(p[i] as R);
            sum
        })
        .collect();
    (values, gradient)
}

/// One program: its forms as functions of the flat inputs.
pub struct Case<'a> {
    pub number: u32,
    pub inputs: &'a [&'a [f64]],
    /// The primal as the user wrote it: result and outputs.
    pub primal: &'a dyn Fn(&[f64]) -> Vec<f64>,
    /// Values of result and outputs, and the gradient of their seeded sum.
    pub oracle: &'a dyn Fn(&[f64]) -> (Vec<f64>, Vec<f64>),
    /// Each way to ask for the gradient, with its name: values, gradient of the seeded sum.
    pub gradients: &'a [(&'static str, &'a dyn Fn(&[f64]) -> (Vec<f64>, Vec<f64>))],
    /// Each way to ask for the gradient whose bits are compared on several tapes: where they differ.
    pub layouts: &'a [(&'static str, &'a dyn Fn(&[f64]) -> Option<String>)],
    /// Whether the program may panic, as its numbers are checked. Its gradients must panic then.
    pub may_panic: bool,
}

/// The largest difference allowed, relative to one plus the magnitude.
const TOLERANCE: f64 = if size_of::<R>() == 8 { 1e-9 } else { 1e-3 };

/// A relative change of the inputs like that of a few roundings.
const ROUNDING: f64 = 18.0 * R::EPSILON as f64;

fn same_bits(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x.to_bits() == y.to_bits() || (x.is_nan() && y.is_nan()))
}

/// Whether the program gives what the oracle gives. The sign of a zero is left open: `max` and `min` of two zeros may
/// be either of them, and what rustc makes of the two differs with the target.
fn same_values(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x == y || (x.is_nan() && y.is_nan()))
}

fn panic_text(e: &(dyn std::any::Any + Send)) -> String {
    e.downcast_ref::<String>().cloned().or_else(|| e.downcast_ref::<&str>().map(|s|
        (*s).to_string())).unwrap_or_default()
}

fn panics<T>(f: impl FnOnce() -> T) -> bool {
    catch_unwind(AssertUnwindSafe(f)).is_err()
}

/// Whether rounding alone moves the oracle's gradient by more than the tolerance allows.
fn ill_conditioned(case: &Case<'_>, p: &[f64], want: &[f64]) -> bool {
    [1.0 + ROUNDING, 1.0 - ROUNDING].iter().any(|scale| {
        let near: Vec<f64> = p.iter().map(|x| x * scale).collect();
        let (_, moved) = (case.oracle)(&near);
        moved.len() != want.len() || moved.iter().zip(want).any(|(a,
            b)| (a - b).abs() > 0.5 * TOLERANCE * (1.0 + b.abs()))
    })
}

/// Runs a case; prints `FAIL number kind: …` for each failure and one line of counts.
pub fn run(case: &Case<'_>) {
    let mut text = String::new();
    let (mut compared, mut skipped) = (0, 0);
    println!("START {}", case.number);
    for (k, p) in case.inputs.iter().enumerate() {
        let mut fail = |kind: &str, what: String| {
            let _ = writeln!(text, "FAIL {} {kind}: input {k} {p:?}: {what}", case.number);
        };
        let oracle = match catch_unwind(AssertUnwindSafe(|| (case.oracle)(black_box(p)))) {
            Ok(o) => o,
            Err(_) if case.may_panic && panics(|| (case.primal)(black_box(p))) => {
                for (name, gradient) in case.gradients {
                    if !panics(|| gradient(black_box(p))) {
                        fail("value", format!("{name} lost a panic"));
                    }
                }
                continue;
            }
            Err(e) => {
                fail("generator", format!("the oracle panicked: {}", panic_text(&*e)));
                continue;
            }
        };
        let value = (case.primal)(black_box(p));
        if !same_values(&value, &oracle.0) {
            fail("generator", format!("primal {value:?}, oracle {:?}", oracle.0));
            continue;
        }
        for (name, difference) in case.layouts {
            match catch_unwind(AssertUnwindSafe(|| difference(black_box(p)))) {
                Ok(None) => {}
                Ok(Some(what)) => fail("bits", format!("{name} on {what}")),
                Err(e) => fail("panic", format!("{name} panicked on another tape: {}", panic_text(&*e))),
            }
        }
        let smooth = oracle.1.iter().all(|x| x.is_finite() && x.abs() < 1e12);
        let conditioned = smooth && !ill_conditioned(case, p, &oracle.1);
        for (name, gradient) in case.gradients {
            let (got_value, got) = match catch_unwind(AssertUnwindSafe(|| gradient(black_box(p)))) {
                Ok(r) => r,
                Err(e) => {
                    fail("panic", format!("{name} panicked: {}", panic_text(&*e)));
                    continue;
                }
            };
            if !same_bits(&got_value, &value) {
                fail("value", format!("{name} {got_value:?}, primal {value:?}"));
            }
            if got.len() != oracle.1.len() {
                fail("gradient", format!("{name} has {} entries, {} expected", got.len(), oracle.1.len()));
                continue;
            }
            if !conditioned {
                skipped += 1;
                continue;
            }
            compared += got.len();
            let worst = got.iter().zip(&oracle.1).map(|(g, w)| (g - w).abs() / (1.0 + w.abs())).fold(0.0, |a: f64,
                b| if b.is_nan() { f64::INFINITY } else { a.max(b) });
            if worst > TOLERANCE {
                fail("gradient", format!("{name} off by {worst:.1e}\n  got  {got:?}\n  want {:?}", oracle.1));
            }
        }
    }
    print!("{text}");
    println!("DONE {} {compared} {skipped}", case.number);
}
