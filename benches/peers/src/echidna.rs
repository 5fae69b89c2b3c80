//! `echidna`: a tape of statements with their multipliers, taken from a pool for every gradient; and its bytecode
//! tape, recorded once and interpreted again for every gradient (right only as long as no branch changes sides).

use crate::kernels::Kernel;
use crate::number::{Function, Number};
use echidna::{BReverse, Reverse, Scalar};
use num_traits::Float;

macro_rules! number {
    ($type:ty $(, $larger:item)?) => {
        impl Number for $type {
            fn exp(self) -> Self {
                Float::exp(self)
            }

            fn ln(self) -> Self {
                Float::ln(self)
            }

            fn recip(self) -> Self {
                Float::recip(self)
            }

            $($larger)?
        }
    };
}

number!(Reverse<f64>);
number!(
    BReverse<f64>,
    fn larger(self, other: Self) -> Self {
        Float::max(self, other)
    }
);

pub(crate) fn enter(kernel: Kernel, function: impl Function + Clone + 'static) -> Kernel {
    let recorded = function.clone();
    let kernel = kernel.with("echidna", move |x, gradient| {
        let mut value = 0.0;
        let entries = echidna::grad(
            |x: &[Reverse<f64>]| {
                let y = function.at(x);
                value = Scalar::value(&y);
                y
            },
            x,
        );
        gradient.copy_from_slice(&entries);
        value
    });

    let (mut tape, _) = echidna::record(|x: &[BReverse<f64>]| recorded.at(x), &kernel.inputs);
    let mut adjoints = Vec::new();
    kernel.with("echidna, recorded", move |x, gradient| {
        gradient.copy_from_slice(&tape.gradient_with_buf(x, &mut adjoints));
        tape.output_value()
    })
}
