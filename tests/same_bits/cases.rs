//! What a case is, and all of them: functions of numbers `x` and a number `c`.

use retrograde::Tape;

use crate::{loops::*, nests::*};

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

pub(crate) fn all() -> Vec<Case> {
    let mut all = cases! { f64:
        exponentials exponentials_grad_into exponentials_grad exponentials_adjoint up to 100_000;
        several several_grad_into several_grad several_adjoint up to 20_011;
        odd_records odd_records_grad_into odd_records_grad odd_records_adjoint up to 20_011;
        wide_records wide_records_grad_into wide_records_grad wide_records_adjoint up to 20_011;
        recurrence recurrence_grad_into recurrence_grad recurrence_adjoint up to 20_011;
        neighbours neighbours_grad_into neighbours_grad neighbours_adjoint up to 20_011;
        shifted shifted_grad_into shifted_grad shifted_adjoint up to 20_011;
        in_place in_place_grad_into in_place_grad in_place_adjoint up to 20_011;
        inclusive inclusive_grad_into inclusive_grad inclusive_adjoint up to 20_011;
        early early_grad_into early_grad early_adjoint up to 20_011;
        unknown_length unknown_length_grad_into unknown_length_grad unknown_length_adjoint up to 20_011;
        searched searched_grad_into searched_grad searched_adjoint up to 20_011;
        views views_grad_into views_grad views_adjoint up to 20_011;
        signed_zeros signed_zeros_grad_into signed_zeros_grad signed_zeros_adjoint up to 20_011;
        quotients quotients_grad_into quotients_grad quotients_adjoint up to 20_011;
        roots roots_grad_into roots_grad roots_adjoint up to 20_011;
        called called_grad_into called_grad called_adjoint up to 20_011;
        boxed boxed_grad_into boxed_grad boxed_adjoint up to 20_011;
        optional optional_grad_into optional_grad optional_adjoint up to 20_011;
        strips_in_a_row strips_in_a_row_grad_into strips_in_a_row_grad strips_in_a_row_adjoint up to 20_011;
        written_back written_back_grad_into written_back_grad written_back_adjoint up to 20_011;
        layers layers_grad_into layers_grad layers_adjoint up to 4_000;
        recurrent recurrent_grad_into recurrent_grad recurrent_adjoint up to 4_000;
        inner_loops inner_loops_grad_into inner_loops_grad inner_loops_adjoint up to 20_011;
        checkpointed checkpointed_grad_into checkpointed_grad checkpointed_adjoint up to 20_011;
        steps_again steps_again_grad_into steps_again_grad steps_again_adjoint up to 4_100;
        until until_grad_into until_grad until_adjoint up to 4_100;
        each_step_again each_step_again_grad_into each_step_again_grad each_step_again_adjoint up to 4_100;
        diffused diffused_grad_into diffused_grad diffused_adjoint up to 4_100;
        springs springs_grad_into springs_grad springs_adjoint up to 4_100;
    };
    all.extend(cases! { f32:
        single single_grad_into single_grad single_adjoint up to 20_011;
        single_layers single_layers_grad_into single_layers_grad single_layers_adjoint up to 4_000;
    });
    all
}
