//! Structs whose definitions are known, beside what keeps them out of a function: objects, and other types of the
//! same name.

use retrograde::{Differentiable, Record, Tape, gradient};

pub mod one {
    use super::*;

    #[derive(Clone, Debug, PartialEq, Differentiable, Record)]
    pub struct Row {
        pub x: Vec<f64>,
        pub y: f64,
    }
}

pub mod two {
    use super::*;

    #[derive(Clone, Debug, PartialEq, Differentiable, Record)]
    pub struct Row {
        pub y: Vec<f64>,
        pub x: f64,
    }

    impl Row {
        pub fn scaled(&self) -> f64 {
            self.x * 2.0
        }
    }
}

/// Both in one function, by their paths.
#[gradient]
fn by_paths(a: &one::Row, b: &two::Row) -> f64 {
    let mut sum = 0.0;
    for i in 0..a.x.len() {
        sum += a.x[i] * b.y[i] * b.x + a.y;
    }
    sum
}

mod imported {
    use super::one::Row;
    use super::two::Row as Other;
    use retrograde::gradient;

    #[gradient]
    pub(super) fn by_names(a: &Row, b: &Other) -> f64 {
        let mut sum = 0.0;
        for i in 0..a.x.len() {
            sum += a.x[i] * b.y[i] * b.x + a.y;
        }
        sum
    }

    pub(super) mod below {
        use super::*;
        use retrograde::gradient;

        #[gradient]
        pub(crate) fn by_glob(a: &Row, b: &Other) -> f64 {
            let mut sum = 0.0;
            for i in 0..a.x.len() {
                sum += a.x[i] * b.y[i] * b.x + a.y;
            }
            sum
        }

        /// A third one, which hides the imported one.
        #[derive(Clone, Debug, PartialEq, retrograde::Differentiable)]
        pub(crate) struct Row2 {
            pub(crate) x: [f64; 2],
        }

        #[gradient]
        pub(crate) fn of_own(a: &Row2) -> f64 {
            let mut sum = 0.0;
            for i in 0..2 {
                sum += a.x[i] * a.x[i];
            }
            sum
        }
    }

    pub(super) mod hidden {
        use super::*;
        use retrograde::gradient;

        #[derive(Clone, Debug, PartialEq, retrograde::Differentiable)]
        pub(crate) struct Row {
            pub(crate) x: [f64; 2],
            #[constant]
            pub(crate) y: Vec<f64>,
        }

        #[gradient]
        pub(crate) fn of_hiding(a: &Row, b: &Other) -> f64 {
            let mut sum = 0.0;
            for i in 0..2 {
                sum += a.x[i] * a.y[i] * b.y[i] * b.x;
            }
            sum
        }
    }
}

fn one() -> one::Row {
    one::Row {
        x: vec![1.0, 2.0],
        y: 3.0,
    }
}

fn two() -> two::Row {
    two::Row {
        y: vec![5.0, 7.0],
        x: 2.0,
    }
}

#[test]
fn names() {
    for grad in [
        by_paths_grad,
        imported::by_names_grad,
        imported::below::by_glob_grad,
    ] {
        let (value, (a, b)) = grad(&one(), &two());
        assert_eq!(value, 5.0 * 2.0 + 14.0 * 2.0 + 6.0);
        assert_eq!((a.x, a.y), (vec![10.0, 14.0], 2.0));
        assert_eq!((b.y, b.x), (vec![2.0, 4.0], 19.0));
    }
    let (value, d) = imported::below::of_own_grad(&imported::below::Row2 { x: [1.0, 2.0] });
    assert_eq!((value, d.x), (5.0, [2.0, 4.0]));
    let row = imported::hidden::Row {
        x: [1.0, 2.0],
        y: vec![3.0, 4.0],
    };
    let (value, (a, b)) = imported::hidden::of_hiding_grad(&row, &two());
    assert_eq!(value, 2.0 * (15.0 + 56.0));
    assert_eq!((a.x, b.y, b.x), ([30.0, 56.0], vec![6.0, 16.0], 71.0));
}

// A method that is left as it is asks for a type, and the macro that answers is that of another one: it comes by `*`,
// and only the type is hidden. No other method may believe it.

mod plain {
    #[derive(Clone, retrograde::Differentiable, retrograde::Record)]
    #[differentiable(schema = false)]
    pub(super) struct Row {
        pub(super) x: Vec<f64>,
        pub(super) y: f64,
    }
}

mod numbers {
    #[derive(Clone, retrograde::Differentiable, retrograde::Record)]
    pub(super) struct Row {
        pub(super) x: Vec<f64>,
        pub(super) y: usize,
    }

    pub(super) fn row(y: usize) -> Row {
        Row { x: Vec::new(), y }
    }
}

mod unproven {
    #[allow(unused_imports)]
    use super::numbers::*;
    use super::plain::Row;
    use retrograde::{Differentiable, gradient};

    pub(super) fn other() -> usize {
        let other = row(1);
        other.x.len() + other.y
    }

    #[derive(Clone, Debug, PartialEq, Differentiable)]
    pub(super) struct User {
        pub(super) x: Vec<f64>,
    }

    #[gradient]
    fn made(x: &[f64], y: f64) -> Row {
        Row { x: x.to_vec(), y }
    }

    #[gradient]
    impl User {
        pub(super) fn count(&self, of: &Row) -> usize {
            let mut n = 0;
            for x in &of.x {
                if *x > of.y {
                    n += 1;
                }
            }
            n
        }

        pub(super) fn all(&self, y: f64) -> f64 {
            let row: Row = made(&self.x, y);
            let mut sum = 0.0;
            for i in 0..row.x.len() {
                sum += row.x[i] * (row.y as f64) + row.y as f64;
            }
            sum
        }
    }
}

#[test]
fn types_of_other_methods() {
    let user = unproven::User { x: vec![1.0, 2.0] };
    let row = plain::Row {
        x: vec![1.0, 4.0],
        y: 2.0,
    };
    assert_eq!((user.count(&row), unproven::other()), (1, 1));
    let (value, (d, y)) = user.all_grad(3.0);
    assert_eq!((value, d.x, y), (15.0, vec![3.0, 3.0], 5.0));
}

// Objects.

#[gradient]
trait Force {
    fn force(&self, at: f64) -> f64;
    fn stretch(&mut self, by: f64);
}

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct Square(f64);

#[gradient]
impl Force for Square {
    fn force(&self, at: f64) -> f64 {
        self.0 * at * at
    }

    fn stretch(&mut self, by: f64) {
        self.0 *= by;
    }
}

#[gradient]
fn pushed(a: &mut one::Row, force: &mut dyn Force) {
    for i in 0..a.x.len() {
        force.stretch(a.y);
        a.x[i] = force.force(a.x[i]);
    }
}

#[gradient]
fn after_pushes(a: &one::Row, k: f64) -> f64 {
    let mut a = a.clone();
    let mut force = Square(k);
    pushed(&mut a, &mut force);
    let mut sum = force.0;
    for i in 0..a.x.len() {
        sum += a.x[i];
    }
    sum
}

#[test]
fn objects() {
    // k y · 1 + k y² · 4 + k y²
    let (value, (d, k)) = after_pushes_grad(&one(), 0.5);
    assert_eq!(value.to_bits(), after_pushes(&one(), 0.5).to_bits());
    assert_eq!(value, 0.5 * (3.0 + 36.0 + 9.0));
    assert_eq!(
        (d.x, d.y, k),
        (vec![3.0, 18.0], 0.5 * (1.0 + 24.0 + 6.0), 48.0)
    );
}

// Names of the user's that generated ones could meet.

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct Odd {
    r#type: Vec<f64>,
    bar: f64,
    tape: f64,
    seed: f64,
    __seed: f64,
}

#[gradient]
fn of_odd(bar: &mut Odd, tape: &Odd, seed: f64) -> f64 {
    let mut sum = seed;
    for i in 0..bar.r#type.len() {
        bar.r#type[i] *= tape.bar * bar.tape;
        bar.seed += bar.r#type[i] * tape.seed;
        sum += bar.seed * tape.__seed * bar.__seed;
    }
    sum
}

#[test]
fn odd_names() {
    let odd = |at: f64| Odd {
        r#type: vec![at, at + 1.0],
        bar: at + 2.0,
        tape: at + 3.0,
        seed: at + 4.0,
        __seed: at + 5.0,
    };
    let (a, b) = (odd(0.25), odd(0.5));
    let of = |a: &Odd, b: &Odd, s: f64| {
        let mut a = a.clone();
        let sum = of_odd(&mut a, b, s);
        sum + 2.0 * a.r#type[0] + 3.0 * a.seed + 5.0 * a.bar
    };
    let mut at = a.clone();
    let mut bar = a.zero_tangent();
    (bar.r#type[0], bar.seed, bar.bar) = (2.0, 3.0, 5.0);
    let (mut shared, mut seed) = (b.zero_tangent(), 0.0);
    of_odd_adjoint(
        &mut Tape::new(),
        &mut at,
        &mut bar,
        &b,
        &mut shared,
        1.5,
        &mut seed,
        1.0,
    );
    let mut expected = a.clone();
    of_odd(&mut expected, &b, 1.5);
    assert_eq!(at, expected);
    fn fields(o: &mut Odd) -> [&mut f64; 5] {
        let Odd {
            r#type,
            bar,
            tape,
            seed,
            __seed,
        } = o;
        [&mut r#type[0], bar, tape, seed, __seed]
    }
    let slope = |f: &dyn Fn(f64) -> f64| (f(1e-5) - f(-1e-5)) / 2e-5;
    let near = |a: f64, b: f64| assert!((a - b).abs() <= 1e-6 * (1.0 + b.abs()), "{a} {b}");
    let known = [bar.r#type[0], bar.bar, bar.tape, bar.seed, bar.__seed];
    let known_shared = [
        shared.r#type[0],
        shared.bar,
        shared.tape,
        shared.seed,
        shared.__seed,
    ];
    for n in 0..5 {
        let moved = |o: &Odd, t: f64| {
            let mut o = o.clone();
            *fields(&mut o)[n] += t;
            o
        };
        near(known[n], slope(&|t| of(&moved(&a, t), &b, 1.5)));
        near(known_shared[n], slope(&|t| of(&a, &moved(&b, t), 1.5)));
    }
    near(seed, 1.0);
}
