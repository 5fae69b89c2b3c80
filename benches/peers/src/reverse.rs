//! `reverse`: a tape of nodes with two weights each, cleared and filled again for every gradient.

use crate::kernels::Kernel;
use crate::number::{Function, Number};
use reverse::{Gradient, Tape, Var};

impl Number for Var<'_> {
    fn exp(self) -> Self {
        Var::exp(&self)
    }

    fn ln(self) -> Self {
        Var::ln(&self)
    }

    /// Not `1.0 / self`: the weight that version 0.2.2 records for a float divided by a variable is wrong.
    fn recip(self) -> Self {
        Var::recip(&self)
    }
}

pub(crate) fn enter(kernel: Kernel, function: impl Function + 'static) -> Kernel {
    let tape = Tape::new();
    kernel.with("reverse", move |x, gradient| {
        tape.clear();
        let x = tape.add_vars(x);
        let y = function.at(&x);
        gradient.copy_from_slice(&y.grad().wrt(&x));
        y.val()
    })
}
