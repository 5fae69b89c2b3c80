//! `aad`: a tape of records with two partial derivatives each. A tape cannot be cleared, so every gradient has a new
//! one; it is given the capacity that the last one needed.

use crate::kernels::Kernel;
use crate::number::{Function, Number};
use aad::{FloatLike, Tape, Variable};

impl Number for Variable<'_, f64> {
    fn exp(self) -> Self {
        FloatLike::exp(self)
    }

    fn ln(self) -> Self {
        FloatLike::ln(self)
    }

    fn recip(self) -> Self {
        FloatLike::recip(self)
    }
}

pub(crate) fn enter(kernel: Kernel, function: impl Function + 'static) -> Kernel {
    kernel.with("aad", move |x, gradient| {
        let tape = Tape::new();
        let x: Vec<_> = tape.create_variables_iter(x).collect();
        let y = function.at(&x);
        let all = y
            .compute_gradients()
            .expect("the value depends on the inputs");
        for (entry, x) in gradient.iter_mut().zip(&x) {
            *entry = all.get_gradient(x).expect("an input is on the tape");
        }
        y.value()
    })
}
