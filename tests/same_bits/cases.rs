//! Functions of many kinds, all of them of numbers `x` and a number `c`.

use retrograde::{Tape, gradient};

/// What a function gives: its value and its gradient, as bits.
pub(crate) struct Run {
    grad: Box<dyn Fn() -> Vec<u64> + Send + Sync>,
    into: Box<dyn Fn(&mut Tape) -> Vec<u64> + Send + Sync>,
    adjoint: Box<dyn Fn(&mut Tape) -> Vec<u64> + Send + Sync>,
}

impl Run {
    pub(crate) fn grad(&self) -> Vec<u64> {
        (self.grad)()
    }

    pub(crate) fn grad_into(&self, tape: &mut Tape) -> Vec<u64> {
        (self.into)(tape)
    }

    pub(crate) fn adjoint(&self, tape: &mut Tape) -> Vec<u64> {
        (self.adjoint)(tape)
    }
}

pub(crate) struct Case {
    pub(crate) name: &'static str,
    /// The most numbers that do not take long.
    pub(crate) most: usize,
    pub(crate) of: fn(usize) -> Run,
}

macro_rules! cases {
    ($ty:ty: $($f:ident $into:ident $grad:ident $adjoint:ident up to $most:expr;)*) => {
        vec![$(Case {
            name: stringify!($f),
            most: $most,
            of: |n| {
                let x: Vec<$ty> = (0..n).map(|i| (((i * 7 + 3) as $ty) * 0.61).sin()).collect();
                let c: $ty = 0.7;
                let bits = |value: $ty, dx: &[$ty], dc: $ty| -> Vec<u64> {
                    let dx = dx.iter().copied();
                    [value, dc].into_iter().chain(dx).map(|v| u64::from(v.to_bits())).collect()
                };
                let [y, z] = [x.clone(), x.clone()];
                Run {
                    grad: Box::new(move || {
                        let (value, (dx, dc)) = $grad(&x, c);
                        bits(value, &dx, dc)
                    }),
                    into: Box::new(move |tape| {
                        let (mut dx, mut dc) = (vec![<$ty>::NAN; y.len()], <$ty>::NAN);
                        let value = $into(tape, &y, &mut dx, c, &mut dc);
                        bits(value, &dx, dc)
                    }),
                    adjoint: Box::new(move |tape| {
                        let (mut dx, mut dc) = (vec![0.0; z.len()], 0.0);
                        let value = $adjoint(tape, &z, &mut dx, c, &mut dc, 1.0);
                        bits(value, &dx, dc)
                    }),
                }
            },
        }),*]
    };
}

#[gradient]
fn exponentials(x: &[f64], c: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += (c * x[i]).exp();
    }
    s * s
}

pub(crate) fn all() -> Vec<Case> {
    cases! { f64:
        exponentials exponentials_grad_into exponentials_grad exponentials_adjoint up to 100_000;
    }
}
