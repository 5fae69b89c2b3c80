//! How adjoints are derived, and what is active.

use crate::right;

right! {
    activity_ends_early angle_changed adjoints_exchanged contribution_lost sign_lost adjoint_not_cleared
    value_not_restored swap_not_undone arms_exchanged order_lost
}

mod activity_ends_early {
    /// What varies reaches `c` in the third iteration.
    #[retrograde::gradient(name = f)]
    pub(super) fn activity_ends_early(x: &[f64], y: &[f64], n: usize) -> f64 {
        let (mut a, mut b, mut c) = (0.5, 0.5, 0.5);
        for i in 0..n {
            c = b * 0.5;
            b = a + 0.5;
            a = x[i] * y[i];
        }
        c * c
    }
}

mod angle_changed {
    #[retrograde::gradient(name = f, no(rename))]
    pub(super) fn angle_changed(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut angle = x[0] * y[0];
        let s = angle.sin();
        angle += y[1];
        s + s * angle.cos()
    }
}

mod adjoints_exchanged {
    #[retrograde::gradient(name = f)]
    pub(super) fn adjoints_exchanged(x: &[f64], y: &[f64], n: usize) -> f64 {
        x[0] * y[0] * 2.0 + y[1]
    }
}

mod contribution_lost {
    #[retrograde::gradient(name = f)]
    pub(super) fn contribution_lost(x: &[f64], y: &[f64], n: usize) -> f64 {
        x[0] * y[0] + x[0]
    }
}

mod sign_lost {
    #[retrograde::gradient(name = f)]
    pub(super) fn sign_lost(x: &[f64], y: &[f64], n: usize) -> f64 {
        x[0] - y[0]
    }
}

mod adjoint_not_cleared {
    #[retrograde::gradient(name = f, no(rename))]
    pub(super) fn adjoint_not_cleared(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut t = x[0] * x[1];
        let s = t * y[0];
        t = y[1];
        s + t
    }
}

mod value_not_restored {
    #[retrograde::gradient(name = f)]
    pub(super) fn value_not_restored(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut t = x[0] * y[0];
        for i in 0..n {
            t = (t * t * 0.5).sin() + x[i];
        }
        t
    }
}

mod swap_not_undone {
    #[retrograde::gradient(name = f)]
    pub(super) fn swap_not_undone(x: &[f64], y: &[f64], n: usize) -> f64 {
        let (mut a, mut b) = (x.to_vec(), y.to_vec());
        let mut s = a[0] * a[0] * b[0];
        std::mem::swap(&mut a, &mut b);
        s += a[1] * a[1];
        s
    }
}

/// Sweeps for one seed are right with it: those for two are compared with them.
mod undone_for_each_seed {
    #[retrograde::gradient(seeds, name = f)]
    pub(super) fn undone_for_each_seed(x: &[f64], y: &[f64], n: usize) -> f64 {
        let (mut a, mut b) = (x.to_vec(), y.to_vec());
        let mut s = a[0] * a[0] * b[0];
        std::mem::swap(&mut a, &mut b);
        s += a[1] * a[1];
        s
    }
}

#[test]
fn undone_for_each_seed() {
    use undone_for_each_seed::{f_adjoint, f_vjp_n};

    let (x, y) = ([0.7, 1.9], [0.4, 1.3]);
    let mut tape = retrograde::Tape::new();
    let (mut dx, mut dy) = ([[0.0; 2]; 2], [[0.0; 2]; 2]);
    let [of_x, of_y] = [&mut dx, &mut dy].map(|rows| rows.each_mut().map(|row| &mut row[..]));
    f_vjp_n(&mut tape, &x, &y, 0, [1.0, 2.0], of_x, of_y);
    for (k, seed) in [1.0, 2.0].into_iter().enumerate() {
        let (mut ex, mut ey) = ([0.0; 2], [0.0; 2]);
        f_adjoint(&mut tape, &x, &mut ex, &y, &mut ey, 0, seed);
        assert_eq!((ex, ey), (dx[k], dy[k]));
    }
}

mod arms_exchanged {
    #[retrograde::gradient(name = f)]
    pub(super) fn arms_exchanged(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            if i % 3 == 0 {
                s += x[i] * x[i];
            } else {
                s -= y[i];
            }
        }
        s
    }
}

mod order_lost {
    /// Nothing is recorded, but the adjoint goes from element to element.
    #[retrograde::gradient(name = f)]
    pub(super) fn order_lost(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut z = x.to_vec();
        for i in 0..n {
            z[i + 1] += 0.5 * z[i];
        }
        z[n] * y[0]
    }
}
