//! `#[gradient(no(…))]`: without a transformation the value has the same bits, and the gradient is the same up to the order of
//! its sums.

#![allow(
    clippy::all,
    clippy::pedantic,
    unused,
    reason = "the functions are written as users write them"
)]

use retrograde::gradient;

/// The same functions in a module for each set of transformations.
macro_rules! without {
    ($($module:ident: $(#[$gradient:meta])+;)*) => {
        $(mod $module {
            use super::*;

            $(#[$gradient])+
            pub(super) fn diffusion(u0: &[f64], kappa: f64, steps: usize) -> f64 {
                let n = u0.len();
                let mut u = u0.to_vec();
                let mut next = vec![0.0; n];
                for _ in 0..steps {
                    for i in 1..n - 1 {
                        let flux = u[i + 1] - 2.0 * u[i] + u[i - 1];
                        next[i] = u[i] + kappa * flux * u[i].exp();
                    }
                    for i in 1..n - 1 {
                        u[i] = next[i];
                    }
                }
                let mut energy = 0.0;
                for v in &u {
                    energy += v * v;
                }
                energy
            }

            $(#[$gradient])+
            pub(super) fn products(x: &[f64], a: f64, limit: f64) -> f64 {
                let mut best = 0.0;
                let mut y = a;
                for i in 0..x.len() {
                    let k = i % 3;
                    let scale = (k as f64) + 0.5;
                    let t = x[i] * scale;
                    y = if t > limit { y * t.sin() } else { y + t * t * t };
                    for j in (0..k).rev() {
                        best += y * x[j] * t;
                    }
                }
                best * y
            }
        })*
    };
}

without! {
    everything: #[gradient];
    reslice: #[gradient(no(reslice))];
    lanes: #[gradient(no(lanes))];
    gather: #[gradient(no(gather))];
    jam: #[gradient(no(jam))];
    terms: #[gradient(no(terms))];
    interchange: #[gradient(no(interchange))];
    assign: #[gradient(no(assign))];
    unroll: #[gradient(no(unroll))];
    recompute: #[gradient(no(recompute))];
    bulk: #[gradient(no(bulk))];
    forward_order: #[gradient(no(forward_order))];
    strips: #[gradient(no(strips))];
    factors: #[gradient(no(factors))];
    tiles: #[gradient(no(tiles))];
    combine: #[gradient(no(combine))];
    mul_add: #[gradient(no(mul_add))];
    several: #[gradient(no(strips, bulk,), no(recompute))];
    all: #[gradient(no(all))];
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * a.abs().max(b.abs()).max(1.0)
}

macro_rules! compare {
    ($($module:ident)*) => {$({
        let u: Vec<f64> = (0..17).map(|i| (f64::from(i) * 0.7).sin()).collect();
        let (value, (du, dk)) = everything::diffusion_grad(&u, 0.03, 5);
        let (other, (du_other, dk_other)) = $module::diffusion_grad(&u, 0.03, 5);
        assert_eq!(value.to_bits(), other.to_bits(), stringify!($module));
        assert!(close(dk, dk_other), stringify!($module));
        assert!(du.iter().zip(&du_other).all(|(a, b)| close(*a, *b)), stringify!($module));

        let (value, (dx, da, dl)) = everything::products_grad(&u, 0.4, 0.3);
        let (other, (dx_other, da_other, dl_other)) = $module::products_grad(&u, 0.4, 0.3);
        assert_eq!(value.to_bits(), other.to_bits(), stringify!($module));
        assert!(close(da, da_other) && close(dl, dl_other), stringify!($module));
        assert!(dx.iter().zip(&dx_other).all(|(a, b)| close(*a, *b)), stringify!($module));
    })*};
}

#[test]
fn each_can_be_switched_off() {
    compare!(
        reslice lanes gather combine jam terms interchange assign unroll recompute bulk forward_order strips factors tiles mul_add several all
    );
}
