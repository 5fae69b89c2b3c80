//! A workload: inputs that the function, its gradient, the adjoint by hand and the function in C share.

use crate::twins;
use retrograde::Tape;
use retrograde_kernels::{ByHand, Gradient, Kernel};
use std::hint::black_box;
use std::rc::Rc;

/// How far an entry of a gradient may be off, relative to the largest of its argument.
const TOLERANCE: f64 = 1e-12;

/// Collects what is timed of one function.
pub(crate) struct Workload<I> {
    inputs: Rc<I>,
    kernel: Kernel,
}

impl<I: 'static> Workload<I> {
    /// A function of the inputs, and its gradient, whose vectors have these lengths.
    pub(crate) fn new(
        name: &str,
        lengths: &[usize],
        inputs: I,
        function: impl Fn(&I) -> f64 + 'static,
        gradient: impl Fn(&I, &mut Tape, &mut Gradient) -> f64 + 'static,
    ) -> Self {
        let inputs = Rc::new(black_box(inputs));
        let [of_function, of_gradient] = [inputs.clone(), inputs.clone()];
        let kernel = Kernel::new(
            name,
            lengths,
            move || function(&of_function),
            move |tape, buffers| gradient(&of_gradient, tape, buffers),
            None,
            None,
        );
        Self {
            inputs,
            kernel: kernel.within(TOLERANCE),
        }
    }

    /// The best adjoint by hand, which stores so many bytes for its reverse sweep.
    pub(crate) fn by_hand(
        mut self,
        recorded: usize,
        mut run: impl FnMut(&I, &mut Gradient) -> f64 + 'static,
    ) -> Self {
        let inputs = self.inputs.clone();
        let by_hand = ByHand::new(recorded, move |gradient| run(&inputs, gradient));
        self.kernel.best = Some(by_hand);
        self
    }

    /// The function of that name in C, if there is a C compiler, called with what `call` hands on.
    pub(crate) fn twin(
        mut self,
        name: &str,
        call: impl Fn(&I, &dyn Fn(&[&[f64]], &[&[usize]], &[usize]) -> f64) -> f64 + 'static,
    ) -> Self {
        if let Some(twin) = twins::named(name) {
            let inputs = self.inputs.clone();
            self.kernel = self.kernel.with_twin(move || {
                call(&inputs, &|floats, indices, sizes| {
                    twins::call(twin, floats, indices, sizes)
                })
            });
        }
        self
    }

    pub(crate) fn kernel(self) -> Kernel {
        self.kernel
    }
}
