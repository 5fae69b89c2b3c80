//! `num-dual`: forward mode, where every operation carries one derivative per input. For the other kernels, with a
//! thousand inputs and more, that is at least a thousand times the function's own cost, so only a Rosenbrock function
//! of few variables is timed.

use crate::kernels::Kernel;
use crate::number::{Function, Number};
use nalgebra::SVector;
use num_dual::{DualNum, DualSVec64, gradient};

/// The number of variables that are carried along.
pub(crate) const VARIABLES: usize = 10;

impl Number for DualSVec64<VARIABLES> {
    fn exp(self) -> Self {
        DualNum::exp(&self)
    }

    fn ln(self) -> Self {
        DualNum::ln(&self)
    }

    fn recip(self) -> Self {
        DualNum::recip(&self)
    }
}

pub(crate) fn enter(kernel: Kernel, function: impl Function + 'static) -> Kernel {
    kernel.with("num-dual", move |x, entries| {
        let x = SVector::<f64, VARIABLES>::from_column_slice(x);
        let (value, all) = gradient(|x: SVector<_, VARIABLES>| function.at(x.as_slice()), &x);
        entries.copy_from_slice(all.as_slice());
        value
    })
}
