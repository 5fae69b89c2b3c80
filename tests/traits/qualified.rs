//! Functions of traits by qualified paths: `<T as Trait>::f`.

use retrograde::{Differentiable, gradient};

use crate::support::{check, check_exact, panic_message};

struct P<const N: usize>;

trait Pw {
    fn pw(x: f64) -> f64;
}

#[gradient]
impl Pw for P<0> {
    fn pw(_x: f64) -> f64 {
        1.0
    }
}

#[gradient]
impl Pw for P<1> {
    fn pw(x: f64) -> f64 {
        x * <P<0> as Pw>::pw(x)
    }
}

#[gradient]
impl Pw for P<2> {
    fn pw(x: f64) -> f64 {
        x * <P<1> as Pw>::pw(x)
    }
}

#[gradient]
impl Pw for P<3> {
    fn pw(x: f64) -> f64 {
        x * <P<2> as Pw>::pw(x)
    }
}

#[gradient]
fn const_generic_recursion(x: f64, y: f64) -> f64 {
    <P<3> as Pw>::pw(x) * y
}

#[test]
fn a_function_without_receiver() {
    check_exact(
        |p| const_generic_recursion(p[0], p[1]),
        |p| {
            let (value, (x, y)) = const_generic_recursion_grad(p[0], p[1]);
            (value, [x, y])
        },
        |p| vec![3.0 * p[0] * p[0] * p[1], p[0] * p[0] * p[0]],
        &[&[2.0, 3.0], &[-0.5, 4.0], &[0.0, 1.0]],
    );
}

mod laws {
    #[retrograde::gradient]
    pub trait Law {
        fn law(&self, x: f64) -> f64;
        fn count(&self) -> usize;
        fn change(&mut self, by: f64);
    }

    pub trait Other {
        fn law(&self, x: f64) -> f64;
        fn count(&self) -> usize;
    }
}

#[derive(Clone, Debug, Differentiable)]
struct Line {
    slope: f64,
}

impl Line {
    /// Hides the trait's.
    #[allow(dead_code)]
    fn count(&self) -> usize {
        7
    }
}

#[gradient]
impl laws::Law for Line {
    fn law(&self, x: f64) -> f64 {
        self.slope * x * x
    }

    fn count(&self) -> usize {
        2
    }

    fn change(&mut self, by: f64) {
        self.slope *= by;
    }
}

impl laws::Other for Line {
    fn law(&self, x: f64) -> f64 {
        self.slope * x
    }

    fn count(&self) -> usize {
        3
    }
}

#[gradient]
fn of_type(line: &mut Line, x: f64) -> f64 {
    let first = <Line as laws::Law>::law(line, x);
    <Line as laws::Law>::change(line, first);
    first * <Line as laws::Law>::law(line, x)
}

#[gradient]
fn of_parameter<L: laws::Law>(line: &L, x: f64) -> f64 {
    <L as laws::Law>::law(line, x) * L::law(line, 2.0) * <L as laws::Law>::count(line) as f64
}

#[test]
fn methods() {
    check(
        |p| of_type(&mut Line { slope: p[0] }, p[1]),
        |p| {
            let (mut line, mut tape) = (Line { slope: p[0] }, retrograde::Tape::new());
            let (mut bar, mut dx) = (line.zero_tangent(), 0.0);
            let value = of_type_adjoint(&mut tape, &mut line, &mut bar, p[1], &mut dx, 1.0);
            (value, [bar.slope, dx])
        },
        &[&[2.0, 0.7], &[-0.5, 1.2]],
    );
    check(
        |p| of_parameter(&Line { slope: p[0] }, p[1]),
        |p| {
            let (value, (bar, dx)) = of_parameter_grad(&Line { slope: p[0] }, p[1]);
            (value, [bar.slope, dx])
        },
        &[&[2.0, 0.7], &[-0.5, 1.2]],
    );
}

#[gradient]
fn of_another_trait(line: &Line, x: f64) -> f64 {
    <Line as laws::Other>::law(line, x)
}

#[gradient]
fn count_of_another_trait(line: &Line, x: f64) -> f64 {
    x * <Line as laws::Other>::count(line) as f64
}

#[test]
fn the_sweeps_of_another_trait_are_not_taken() {
    let message = panic_message(|| {
        let _ = of_another_trait_grad(&Line { slope: 1.0 }, 2.0);
    });
    assert!(
        message.contains("Other>::law` has no derivative"),
        "{message}"
    );
    // No derivative goes through a `usize`: the function is called as it is.
    let (value, (line, dx)) = count_of_another_trait_grad(&Line { slope: 1.0 }, 2.0);
    assert_eq!((value, line.slope, dx), (6.0, 0.0, 3.0));
}
