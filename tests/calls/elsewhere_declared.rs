//! Functions that another file calls.

use retrograde::gradient;

#[gradient]
pub const fn product(m: &[[f64; 3]; 3], x: [f64; 3]) -> [f64; 3] {
    [
        m[0][0] * x[0] + m[0][1] * x[1] + m[0][2] * x[2],
        m[1][0] * x[0] + m[1][1] * x[1] + m[1][2] * x[2],
        m[2][0] * x[0] + m[2][1] * x[1] + m[2][2] * x[2],
    ]
}

#[gradient]
pub fn weights(x: f64, y: f64) -> Vec<f64> {
    vec![x * y, x - y, x / y]
}
