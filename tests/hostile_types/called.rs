//! Clones that the function itself calls: they run, and what is not a copy panics.

use std::panic::catch_unwind;
use std::sync::atomic::Ordering;

use retrograde::{Differentiable, Record, gradient};

use crate::types::{CLONES, Counts, Numbered, Odd, Panics, Resets, Swaps, check};

/// Panics in the gradient, naming the type, where the function does not.
macro_rules! differs {
    ($ty:literal: $($f:expr, $gradient:expr;)*) => { $(
        let _ = $f;
        let payload = catch_unwind(|| { let _ = $gradient; }).expect_err(stringify!($gradient));
        let text = payload.downcast_ref::<String>().expect("a text");
        assert!(text.contains("differs from the one") && text.contains($ty), "{text}");
    )* };
}

#[gradient]
fn cloned(n: &Resets) -> f64 {
    let m = n.clone();
    m.x * m.acc * n.x
}

#[gradient]
fn cloned_inside(x: f64, y: f64) -> f64 {
    let n = Swaps { a: x, b: y };
    let m = n.clone();
    m.a * m.a * n.b
}

#[gradient]
fn another_number(x: f64) -> f64 {
    let n = Numbered { x, n: 1 };
    let m = n.clone();
    m.x * m.n as f64
}

#[gradient]
fn copied_and_cloned(n: Odd) -> f64 {
    let m = n.clone();
    m.a * n.b
}

#[gradient]
fn vector(n: &Vec<Resets>) -> f64 {
    let m = n.clone();
    m[0].x * m[0].acc
}

#[gradient]
fn slice(n: &[Resets]) -> f64 {
    let m = n.to_vec();
    m[0].x * m[0].acc
}

#[gradient]
fn array(n: &[Resets; 1]) -> f64 {
    let m = n.clone();
    m[0].x * m[0].acc
}

#[gradient]
fn option(n: &Option<Resets>) -> f64 {
    let m = n.clone();
    match m {
        Some(m) => m.x * m.acc,
        None => 0.0,
    }
}

#[gradient]
fn repeated(x: f64, y: f64) -> f64 {
    let v = vec![Resets { x, acc: y }; 3];
    v[0].x * v[0].acc + v[2].acc
}

#[gradient]
fn filled(x: f64, y: f64) -> f64 {
    let mut v = [Resets { x, acc: y }, Resets { x, acc: x }];
    v.fill(Resets { x: y, acc: x });
    v[0].x * v[0].acc + v[1].acc
}

#[gradient]
fn iterated(v: &[Resets]) -> f64 {
    let mut s = 0.0;
    for n in v.iter().cloned() {
        s += n.x * n.acc;
    }
    s
}

#[gradient]
fn updated(n: &Resets, x: f64) -> f64 {
    let m = Resets { x, ..n.clone() };
    m.x * m.acc
}

#[gradient]
fn given_away(n: &Resets) -> f64 {
    cloned_argument(n.clone())
}

#[gradient]
fn cloned_argument(n: Resets) -> f64 {
    n.x * n.acc
}

#[gradient]
fn cloned_from(n: &Vec<Resets>) -> f64 {
    let mut m = vec![Resets { x: 1.0, acc: 2.0 }];
    m.clone_from(n);
    m[0].x * m[0].acc
}

#[gradient]
impl Swaps {
    fn twin(&self) -> f64 {
        let other = self.clone();
        other.a * self.a
    }
}

/// Has a method beside that of `Clone`, which copies.
#[derive(Clone, Debug, Differentiable, Record)]
struct Two {
    x: f64,
    y: f64,
}

impl Two {
    fn clone(&self) -> Self {
        Two {
            x: self.y,
            y: self.x,
        }
    }
}

#[gradient]
fn by_method(n: &Two, k: f64) -> f64 {
    let m = n.clone();
    m.x * m.x * k
}

#[gradient]
fn by_method_of_a_variable(x: f64, y: f64) -> f64 {
    let n = Two { x, y };
    let m = n.clone();
    m.x * m.x * n.y
}

/// Iterators call that of `Clone`.
#[gradient]
fn by_trait(v: &[Two]) -> f64 {
    let mut s = 0.0;
    for n in v.iter().cloned() {
        s += n.x * n.x * n.y;
    }
    s
}

#[test]
fn what_is_called_is_what_is_compared() {
    differs!("Two":
        by_method(&Two { x: 1.0, y: 2.0 }, 1.0), by_method_grad(&Two { x: 1.0, y: 2.0 }, 1.0);
        by_method_of_a_variable(1.0, 2.0), by_method_of_a_variable_grad(1.0, 2.0);
    );
    let (value, slope) = by_trait_grad(&[Two { x: 3.0, y: 5.0 }]);
    assert_eq!((value, slope[0].x, slope[0].y), (45.0, 30.0, 9.0));
}

#[gradient]
fn in_a_region(x: f64, y: f64) -> f64 {
    let mut n = Swaps { a: x, b: y };
    #[checkpoint]
    for k in 0..2 {
        let m = n.clone();
        n = Swaps { a: m.a * x, b: n.a };
    }
    n.a * n.b
}

#[test]
fn clones_in_regions_are_compared() {
    differs!("Swaps": in_a_region(1.0, 2.0), in_a_region_grad(1.0, 2.0););
}

#[test]
fn clones_that_differ_panic() {
    let n = || Resets { x: 2.0, acc: 3.0 };
    differs!("Resets":
        cloned(&n()), cloned_grad(&n());
        vector(&vec![n()]), vector_grad(&vec![n()]);
        slice(&[n()]), slice_grad(&[n()]);
        array(&[n()]), array_grad(&[n()]);
        option(&Some(n())), option_grad(&Some(n()));
        repeated(1.0, 2.0), repeated_grad(1.0, 2.0);
        filled(1.0, 2.0), filled_grad(1.0, 2.0);
        iterated(&[n()]), iterated_grad(&[n()]);
        updated(&n(), 1.0), updated_grad(&n(), 1.0);
        given_away(&n()), given_away_grad(&n());
        cloned_from(&vec![n()]), cloned_from_grad(&vec![n()]);
    );
    differs!("Swaps":
        cloned_inside(1.0, 2.0), cloned_inside_grad(1.0, 2.0);
        Swaps { a: 1.0, b: 2.0 }.twin(), Swaps { a: 1.0, b: 2.0 }.twin_grad();
    );
    differs!("Numbered": another_number(1.0), another_number_grad(1.0););
    differs!("Odd": copied_and_cloned(Odd { a: 1.0, b: 2.0 }), copied_and_cloned_grad(Odd { a: 1.0, b: 2.0 }););
}

/// The same functions, where the clone happens to be a copy.
#[test]
fn clones_that_are_copies_pass() {
    let n = || Resets { x: 2.0, acc: 0.0 };
    assert_eq!(cloned_grad(&n()).0, cloned(&n()));
    assert_eq!(cloned_grad(&n()).1.acc, 4.0);
    assert_eq!(slice_grad(&[n()]).1[0].acc, 2.0);
    assert_eq!(vector_grad(&vec![n()]).1[0].acc, 2.0);
    assert_eq!(iterated_grad(&[n(), n()]).1[1].acc, 2.0);
    assert_eq!(cloned_from_grad(&vec![n()]).1[0].acc, 2.0);
    assert_eq!(cloned_inside_grad(2.0, 2.0), (8.0, (8.0, 4.0)));
    assert!(
        cloned_grad(&Resets {
            x: f64::NAN,
            acc: 0.0
        })
        .0
        .is_nan()
    );
    // No element, no clone.
    assert_eq!(iterated_grad(&[]), (0.0, vec![]));
}

#[gradient]
fn counted(x: f64, y: f64) -> f64 {
    let n = Counts { x, n: 3 };
    let m = n.clone();
    m.x * n.x * y * m.n as f64
}

#[test]
fn a_clone_runs_once_as_in_the_function() {
    let clones = |run: &dyn Fn()| {
        let before = CLONES.load(Ordering::Relaxed);
        run();
        CLONES.load(Ordering::Relaxed) - before
    };
    let primal = clones(&|| _ = counted(2.0, 3.0));
    assert_eq!(
        clones(&|| assert_eq!(counted_grad(2.0, 3.0), (36.0, (36.0, 12.0)))),
        primal
    );
}

#[gradient]
fn panicking(x: f64) -> f64 {
    let n = Panics {
        values: vec![x],
        scale: x,
    };
    let m = n.clone();
    m.scale * n.values[0]
}

#[test]
fn a_clone_that_panics_does() {
    for run in [|| panicking(1.0), || panicking_grad(1.0).0] {
        let payload = catch_unwind(run).expect_err("the clone panics");
        assert_eq!(payload.downcast_ref::<&str>(), Some(&"not to be cloned"));
    }
}
