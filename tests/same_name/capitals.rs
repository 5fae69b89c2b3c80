//! Functions whose names begin with a capital, beside structs and variants whose names do, too.

use retrograde::{Differentiable, Record, gradient};

use crate::support::check;

/// By its words.
mod steam {
    use retrograde::gradient;

    #[gradient]
    pub fn Td_thermal(t: f64, d: f64) -> f64 {
        t * d.ln()
    }

    #[gradient]
    pub fn P_sat(t: f64) -> f64 {
        t.exp()
    }
}

/// By its definition in the same file.
#[gradient]
fn Phi(x: f64) -> f64 {
    0.5 * (1.0 + x.tanh())
}

#[derive(Clone, Copy, Debug, Differentiable, Record)]
struct Point_2D(f64, f64);

#[derive(Clone, Copy, Debug, Differentiable, Record)]
enum Law {
    Of_two(f64, f64),
    None,
}

use steam::{P_sat, Td_thermal};

#[gradient]
fn mixed(t: f64, d: f64) -> f64 {
    let p = Point_2D(t * d, Phi(d));
    let law = if t > 0.0 {
        Law::Of_two(t, d * d)
    } else {
        Law::None
    };
    let of_law = match law {
        Law::Of_two(a, b) => a * b,
        Law::None => d,
    };
    let pressure =
        Some(t).map_or(0.0, P_sat) + [d, t].iter().copied().map(steam::P_sat).sum::<f64>();
    p.0 * p.1 + of_law + Td_thermal(t, d) * pressure
}

#[test]
fn capitals() {
    check(
        |p| mixed(p[0], p[1]),
        |p| mixed_grad(p[0], p[1]),
        &[&[0.7, 1.3], &[-0.4, 0.2]],
    );
}
