//! Numbers that straight-line code overwrites: each value is a variable of its own, where the writes are all seen.

use crate::twins::{agree, both, compared, numbers, twins};

#[retrograde::gradient]
fn doubled(v: &mut f64) -> f64 {
    *v *= 2.0;
    *v * *v
}

#[retrograde::gradient]
fn squared(v: &f64) -> f64 {
    *v * *v
}

twins! {
    /// All operators, and new values that do not read the old ones.
    ///
    /// applied `rename`: each value of `r` is a variable
    pub(super) fn operators(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut e = 0.0;
        for i in 0..n {
            let mut r = x[i] * y[i];
            r += x[i];
            r *= r + 0.5;
            r -= y[i] * x[n];
            r /= 1.5 + r * r;
            e += r * r;
            r = y[i] - r;
            r %= 0.7;
            e -= r * x[i];
        }
        e * e
    }

    /// The sum of a loop that is written out, of two that have one name.
    ///
    /// applied `rename`: each value of `d` is a variable
    pub(super) fn written_out(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut e = 0.0;
        for i in 0..n {
            let mut d = 0.1;
            for k in 0..2 {
                d += x[i + k] * x[i + k];
            }
            let r = d.sqrt();
            let mut d = -0.0;
            for k in 0..2 {
                d -= y[i + k] * r;
            }
            e += d * d * d;
        }
        e
    }

    /// Newton's method, a step of which divides by the value before.
    ///
    /// applied `rename`: each value of `root` is a variable
    pub(super) fn newton(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut state = 0.3;
        for i in 0..n {
            let a = x[i] * x[i] + state * state + 0.2;
            let mut root = 1.0 + y[i] * 0.1;
            root = 0.5 * (root + a / root);
            root = 0.5 * (root + a / root);
            state = (root * y[i]).sin();
        }
        state * state
    }

    /// Inner loops and branches read the value of their moment, and elements are overwritten behind it.
    ///
    /// applied `rename`: each value of `s` is a variable
    pub(super) fn read_inside(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut v = x.to_vec();
        let mut e = 0.0;
        for i in 0..n {
            let mut s = v[i] * v[n];
            for j in 0..n {
                v[j] = v[j] * 0.5 + s * y[j];
            }
            s = s * s + v[i];
            if y[i] > 0.0 {
                e += s * v[n];
                v[i] = s;
            }
            s *= y[i];
            e += s * s * v[i];
        }
        e
    }

    /// What a call reads is a value of its own, too.
    ///
    /// applied `rename`: each value of `t` is a variable
    pub(super) fn lent(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut e = 0.0;
        for i in 0..n {
            let mut t = x[i] + 0.5;
            e += squared(&t) * y[i];
            t *= y[i];
            e += squared(&t) * t;
        }
        e
    }

    /// not applied `rename`
    pub(super) fn under_a_condition(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut e = 0.0;
        for i in 0..n {
            let mut t = x[i] * y[i];
            if t < 0.0 {
                t = t * t;
            }
            t += x[i];
            e += t * t;
        }
        e
    }

    /// not applied `rename`
    pub(super) fn in_a_loop(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut e = 0.0;
        for i in 0..n {
            let mut t = x[i];
            for j in 0..i {
                t += t * y[j] * 0.2;
            }
            t *= x[i];
            e += t * t;
        }
        e
    }

    /// not applied `rename`
    pub(super) fn by_reference(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut e = 0.0;
        for i in 0..n {
            let mut t = x[i];
            e += doubled(&mut t) * t;
            t *= y[i];
            e += t * t;
        }
        e
    }

    /// Exchanged with another.
    ///
    /// not applied `rename`
    pub(super) fn exchanged(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut e = 0.0;
        for i in 0..n {
            let (mut s, mut t) = (x[i] * x[i], y[i] * 0.5);
            t *= t;
            std::mem::swap(&mut s, &mut t);
            s += x[i];
            e += s * s * t * t * t;
        }
        e
    }

    /// A region reads one value, and the reverse sweep another.
    ///
    /// applied `rename`: each value of `t` is a variable
    pub(super) fn in_a_region(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut e = 0.0;
        for i in 0..n {
            let mut t = x[i] * y[i] + 0.5;
            let mut u = 0.0;
            #[checkpoint]
            {
                u += t * t * y[i];
                u = u.sin() * t;
            }
            t *= u;
            e += t * t;
        }
        e
    }

    /// The result is one, and so are two of one name.
    ///
    /// not applied `rename`
    pub(super) fn results(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut t = x[0] * y[0];
        t *= t;
        for i in 0..n {
            t += x[i] * t * 0.1;
        }
        let t = t * t;
        let mut t = t + y[0];
        t *= t;
        t
    }
}

compared! {
    operators operators_grad
    written_out written_out_grad
    newton newton_grad
    read_inside read_inside_grad
    lent lent_grad
    under_a_condition under_a_condition_grad
    in_a_loop in_a_loop_grad
    by_reference by_reference_grad
    exchanged exchanged_grad
    in_a_region in_a_region_grad
    results results_grad
}

#[retrograde::gradient]
fn narrow(x: &[f32]) -> f32 {
    let mut e = 0.0;
    for v in x {
        let mut t = *v * *v;
        t += *v;
        t = t.sqrt() * t;
        e += t * t;
    }
    e
}

#[test]
fn of_half_the_width() {
    let x: Vec<f32> = (1..9).map(|i| i as f32 * 0.25).collect();
    let (value, dx) = narrow_grad(&x);
    assert_eq!(value.to_bits(), narrow(&x).to_bits());
    for (v, d) in x.iter().zip(dx) {
        let v = f64::from(*v);
        // The square of t^1.5 is t^3.
        let t = v * v + v;
        let want = 3.0 * t * t * (2.0 * v + 1.0);
        assert!((f64::from(d) / want - 1.0).abs() < 1e-5, "{d} {want}");
    }
}
