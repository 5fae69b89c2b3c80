//! `echidna`: a tape of statements with their multipliers, taken from a pool for every gradient; and its bytecode
//! tape, recorded once and interpreted again for every gradient (right only as long as no branch changes sides).

use crate::kernels::Kernel;
use crate::number::{Function, Number};
use echidna::{BReverse, Reverse};
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
    let inputs = kernel.inputs.clone();
    let eager = function.clone();
    let kernel = kernel.with("echidna", move |gradient| {
        let mut value = 0.0;
        *gradient = echidna::grad(
            |x: &[Reverse<f64>]| {
                let y = eager.at(x);
                value = echidna::Scalar::value(&y);
                y
            },
            &inputs,
        );
        value
    });

    let inputs = kernel.inputs.clone();
    let (mut tape, _) = echidna::record(|x: &[BReverse<f64>]| function.at(x), &inputs);
    let mut adjoints = Vec::new();
    kernel.with("echidna, recorded", move |gradient| {
        *gradient = tape.gradient_with_buf(&inputs, &mut adjoints);
        tape.output_value()
    })
}
