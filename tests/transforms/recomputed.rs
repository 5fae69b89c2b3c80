//! What the reverse sweep computes again has the bits that it had: a comparison of it must come out as it did.

use crate::twins::{SIZES, agree, numbers, twins};

twins! {
    /// `y` is a sum of products whose rounding decides the branch; `#[checkpoint]` has it computed again.
    ///
    /// applied `reslice`, `lanes`
    pub(super) fn decided_by_rounding(x: &[f64], a: f64) -> f64 {
        let n = x.len();
        let mut y = vec![0.0; n];
        let mut s = 0.0;
        #[checkpoint]
        {
            for i in 0..n {
                y[i] = -1.0;
            }
            for i in 0..n {
                y[i] += a * x[i];
            }
            for i in 0..n {
                if y[i] > 0.0 {
                    s += 3.0 * x[i];
                } else {
                    s += x[i] * a;
                }
            }
        }
        s
    }
}

#[test]
fn in_a_checkpointed_region() {
    // Products that round to one, or to a neighbour of it, with an error of either sign.
    for n in SIZES {
        let a = 1.0 / 3.0;
        let x: Vec<f64> = (0..n)
            .map(|i| 3.0 + (i % 5) as f64 * f64::EPSILON)
            .collect();
        agree(
            || on::decided_by_rounding(&x, a),
            || on::decided_by_rounding_grad(&x, a),
            || off::decided_by_rounding_grad(&x, a),
        );
        let a = 1.1;
        let x: Vec<f64> = (0..n)
            .map(|i| 1.0 / 1.1 + (i % 5) as f64 * f64::EPSILON * 0.5)
            .collect();
        agree(
            || on::decided_by_rounding(&x, a),
            || on::decided_by_rounding_grad(&x, a),
            || off::decided_by_rounding_grad(&x, a),
        );
    }
}
