//! An `impl` for many arguments of its trait: `impl<T: Low> Next<&T> for Minimum`.

use retrograde::{Differentiable, Record, Tape, gradient};

use crate::support::check_exact;

#[gradient]
pub trait Low {
    fn low(&self) -> f64;
}

#[gradient]
pub trait Close {
    fn close(&self) -> f64;
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
pub struct Bar {
    pub low: f64,
    pub close: f64,
}

#[gradient]
impl Low for Bar {
    fn low(&self) -> f64 {
        self.low
    }
}

#[gradient]
impl Close for Bar {
    fn close(&self) -> f64 {
        self.close
    }
}

#[gradient]
impl Low for f64 {
    fn low(&self) -> f64 {
        *self * *self
    }
}

#[gradient]
impl Close for f64 {
    fn close(&self) -> f64 {
        *self
    }
}

pub trait Next<T> {
    type Output;

    fn next(&mut self, x: T) -> Self::Output;
}

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
pub struct Minimum {
    pub least: f64,
}

#[gradient]
impl<T: Low + Close> Next<&T> for Minimum {
    type Output = f64;

    fn next(&mut self, x: &T) -> Self::Output {
        self.least = self.least.min(x.low());
        self.least * x.close()
    }
}

#[test]
fn arguments_of_each_type_have_derivatives() {
    let inputs: &[&[f64]] = &[&[3.0, 2.0, 5.0], &[1.0, 2.0, 5.0], &[-1.0, -2.0, 0.5]];
    let start = |p: &[f64]| {
        (
            Minimum { least: p[0] },
            Bar {
                low: p[1],
                close: p[2],
            },
        )
    };
    check_exact(
        |p| {
            let (mut m, x) = start(p);
            m.next(&x)
        },
        |p| {
            let (mut m, x) = start(p);
            let (mut dm, mut dx) = (m.zero_tangent(), x.zero_tangent());
            let value = m.next_adjoint(&mut Tape::new(), &mut dm, &x, &mut dx, 1.0);
            (value, (dm.least, dx.low, dx.close))
        },
        |p| match p[0] < p[1] {
            true => vec![p[2], 0.0, p[0]],
            false => vec![0.0, p[2], p[1]],
        },
        inputs,
    );
    // With a number, x² and x.
    let (mut m, mut bar) = (Minimum { least: 9.0 }, MinimumTangent { least: 0.0 });
    let mut dx = 0.0;
    let value = m.next_adjoint(&mut Tape::new(), &mut bar, &2.0, &mut dx, 1.0);
    assert_eq!((value, dx, bar.least, m.least), (8.0, 12.0, 0.0, 4.0));
}

#[gradient]
pub trait Scale: Copy {
    fn scale(self, by: f64) -> Self;
}

#[gradient]
impl Scale for f64 {
    fn scale(self, by: f64) -> f64 {
        self * by
    }
}

#[gradient]
impl Scale for Bar {
    fn scale(self, by: f64) -> Bar {
        Bar {
            low: self.low * by,
            close: self.close * by * by,
        }
    }
}

pub trait Tween<V> {
    fn tween(&self, by: V, at: f64) -> V;
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
pub struct Eased {
    pub power: f64,
}

#[gradient]
impl<V> Tween<V> for Eased
where
    V: Scale,
{
    fn tween(&self, by: V, at: f64) -> V {
        by.scale(at * at * self.power)
    }
}

#[test]
fn arguments_are_returned() {
    let eased = Eased { power: 2.0 };
    let mut de = eased.zero_tangent();
    let (mut dby, mut dat) = (0.0, 0.0);
    let mut tape = Tape::new();
    let value = eased.tween_adjoint(&mut tape, &mut de, 3.0, &mut dby, 0.5, &mut dat, 1.0);
    assert_eq!((value, de.power, dby, dat), (1.5, 0.75, 0.5, 6.0));
    let bar = Bar {
        low: 3.0,
        close: 4.0,
    };
    let (mut de, mut dbar, mut dat) = (eased.zero_tangent(), bar.zero_tangent(), 0.0);
    let seed = BarTangent {
        low: 1.0,
        close: 10.0,
    };
    let value = eased.tween_adjoint(
        &mut Tape::new(),
        &mut de,
        bar,
        &mut dbar,
        0.5,
        &mut dat,
        seed,
    );
    assert_eq!(value, eased.tween(bar, 0.5));
    // low · s + 10 close · s², with s = power / 4.
    assert_eq!((dbar.low, dbar.close), (0.5, 2.5));
    assert_eq!((de.power, dat), ((3.0 + 40.0) * 0.25, (3.0 + 40.0) * 2.0));
}

/// Parameters of constants, and several types.
pub trait Fold<A, B> {
    fn fold(&self, first: A, second: B) -> f64;
}

#[gradient]
impl<S: Scale + Close, const N: usize> Fold<S, [f64; N]> for Eased {
    fn fold(&self, first: S, second: [f64; N]) -> f64 {
        let mut sum = 0.0;
        for x in second {
            sum += x * first.scale(self.power).close();
        }
        sum
    }
}

#[test]
fn lengths_are_arguments() {
    let eased = Eased { power: 2.0 };
    let (value, (de, dfirst, dsecond)) = eased.fold_grad(3.0, [1.0, 4.0, 5.0]);
    assert_eq!(
        (value, de.power, dfirst, dsecond),
        (60.0, 30.0, 20.0, [6.0; 3])
    );
}
