//! The benchmark's kernels under other libraries' automatic differentiation.
//!
//! All of them overload operators, so they need the kernels generic over a number: `number` says what is asked
//! of it and `generic` has that form of the kernels. One module per library makes contestants of them.

mod aad;
mod echidna;
mod generic;
#[path = "../../gradients/kernels/mod.rs"]
mod kernels;
mod num_dual;
mod number;
mod reverse;

use generic::{Diffusion, LogSumExp, Network, Rosenbrock};
pub use kernels::Kernel;
use number::Function;

/// Every kernel with every contestant, and a Rosenbrock function of ten variables for forward mode.
pub fn all() -> Vec<Kernel> {
    let small = kernels::rosenbrock::kernel(num_dual::VARIABLES);
    let mut all = vec![num_dual::enter(enter(small, Rosenbrock), Rosenbrock)];
    let [rosenbrock, log_sum_exp, network, diffusion, ..] = kernels::all();
    all.push(enter(rosenbrock, Rosenbrock));
    all.push(enter(log_sum_exp, LogSumExp));
    all.push(enter(network, Network::new()));
    all.push(enter(
        diffusion,
        Diffusion {
            steps: kernels::diffusion::STEPS,
        },
    ));
    all
}

/// Enters the reverse-mode libraries.
fn enter(kernel: Kernel, function: impl Function + Clone + 'static) -> Kernel {
    let kernel = reverse::enter(kernel, function.clone());
    let kernel = aad::enter(kernel, function.clone());
    echidna::enter(kernel, function)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_contestant_has_the_same_value_and_gradient() {
        for mut kernel in all() {
            kernel.check();
        }
    }

    /// Value and entries of the gradient as two other implementations, in C and under Enzyme, have them.
    #[test]
    fn the_standard_is_right() {
        let [_, mut log_sum_exp, mut network, ..] = kernels::all();
        expect(
            &mut log_sum_exp,
            11.907184824882,
            &[(0, 7.54880617171481e-05), (9999, 2.16555675510899e-06)],
        );
        let w1_b1_w2_b2 = [
            (0, 0.0160310505292458),
            (31360, -0.0147765721822536),
            (62720 + 7, -0.00746897097705855),
            (62800 + 240, -0.459400540671728),
            (63600 + 3, -0.851356704094722),
        ];
        expect(&mut network, 1.90620583041864, &w1_b1_w2_b2);
    }

    fn expect(kernel: &mut Kernel, value: f64, entries: &[(usize, f64)]) {
        let mut gradient = vec![0.0; kernel.inputs.len()];
        let (_, standard) = &mut kernel.contestants[0];
        let found = standard(&kernel.inputs, &mut gradient);
        assert!(
            (found - value).abs() < 1e-12 * value.abs(),
            "{}: {found}",
            kernel.name
        );
        for &(at, entry) in entries {
            assert!(
                (gradient[at] - entry).abs() < 1e-11 * entry.abs(),
                "{}: {}",
                kernel.name,
                gradient[at]
            );
        }
    }
}
