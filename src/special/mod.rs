//! Special functions that functions with `#[gradient]` call (feature `special`).
//!
//! ```
//! use retrograde::gradient;
//! use retrograde::special::{ln_gamma, normal_cdf};
//!
//! /// Minus the log-likelihood of counts, Poisson with the rate `r`, and of a probit answer.
//! #[gradient]
//! fn loss(r: f64, slope: f64, counts: &[f64]) -> f64 {
//!     let mut sum = -normal_cdf(slope * r).ln();
//!     for k in 0..counts.len() {
//!         sum += r - counts[k] * r.ln() + ln_gamma(counts[k] + 1.0);
//!     }
//!     sum
//! }
//!
//! let (value, (dr, dslope, _)) = loss_grad(2.0, 0.5, &[1.0, 3.0]);
//! assert_eq!(value, loss(2.0, 0.5, &[1.0, 3.0]));
//! assert!(dr < 0.0 && dslope < 0.0);
//! ```
//!
//! Each has a [rule](crate::derivative_of), under the same name: import it and call it. The functions take and return
//! `f64`. Outside of its domain a function is NaN, and its derivative is no number that could be taken for one.
//!
//! Derivatives by shape parameters, `a` and `b` of the incomplete functions and `nu` of Student's t, are not available:
//! where one is asked for, it is **NaN**, and so is every gradient that it flows into. For a literal, a parameter under
//! `#[constant]` or `no_gradient(a)` none is asked for.
//!
//! `docs/special.md` in the repository says how accurate the functions are, and where their code comes from.

#![expect(
    unreachable_pub,
    reason = "the type that a rule declares is exported, and as public as the rule"
)]

mod bessel;
mod beta_functions;
mod distributions;
mod error_functions;
mod gamma_functions;
mod logistic;

pub use bessel::{i0, i1, j0, j1, jn, y0, y1, yn};
pub use beta_functions::{beta, beta_inc, ln_beta};
pub use distributions::{normal_cdf, normal_pdf, normal_quantile, student_t_cdf};
pub use error_functions::{erf, erf_inv, erfc};
pub use gamma_functions::{digamma, gamma, gamma_p, gamma_q, ln_gamma};
pub use logistic::{expit, logit, logsumexp, softplus};
