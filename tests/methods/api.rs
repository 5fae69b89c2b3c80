//! What a method gets.

use retrograde::{Tape, gradient};

use crate::support::{assert_close, assert_same_value, check, check_exact, flat};
use crate::types::{Spring, SpringTangent, V2, spring};

#[gradient]
impl Spring {
    /// The energy of the spring.
    #[inline]
    #[must_use]
    pub fn energy(&self, x: f64) -> f64 {
        let d = x - self.rest;
        0.5 * self.stiffness * d * d
    }

    /// By value.
    fn tension(self, x: f64) -> f64 {
        -self.stiffness * (x - self.rest)
    }

    /// Without `self`.
    pub fn mean(a: f64, b: f64) -> f64 {
        (a * b).sqrt()
    }

    /// Changes the spring.
    pub fn relax(&mut self, rate: f64) {
        self.rest -= rate * self.stiffness * self.rest;
    }

    /// Gives a spring.
    pub fn stiffer(&self, factor: f64) -> Self {
        let mut other = self.clone();
        other.stiffness *= factor;
        other
    }
}

const AT: &[&[f64]] = &[&[2.0, 0.5, 1.5], &[0.3, -1.2, 0.4], &[-1.0, 0.0, 0.0]];

#[test]
fn value_and_gradient() {
    check_exact(
        |p| spring(p).energy(p[2]),
        |p| spring(p).energy_grad(p[2]),
        |p| {
            let d = p[2] - p[1];
            vec![0.5 * d * d, -p[0] * d, p[0] * d]
        },
        AT,
    );
    check_exact(
        |p| spring(p).tension(p[2]),
        |p| spring(p).tension_grad(p[2]),
        |p| vec![-(p[2] - p[1]), p[0], -p[0]],
        AT,
    );
    check_exact(
        |p| Spring::mean(p[0], p[1]),
        |p| Spring::mean_grad(p[0], p[1]),
        |p| {
            let root = (p[0] * p[1]).sqrt();
            vec![0.5 * p[1] / root, 0.5 * p[0] / root]
        },
        &[&[2.0, 8.0], &[0.3, 0.7]],
    );
}

#[test]
fn buffers_of_the_caller_are_overwritten() {
    let (s, mut tape) = (spring(&[2.0, 0.5]), Tape::new());
    let (value, (ds, dx)) = s.energy_grad(1.5);
    let (mut into, mut into_x) = (
        SpringTangent {
            stiffness: 7.0,
            ..SpringTangent::default()
        },
        9.0,
    );
    assert_same_value(
        s.energy_grad_into(&mut tape, &mut into, 1.5, &mut into_x),
        value,
    );
    assert_eq!((&into, into_x), (&ds, dx));
    let tried = s.energy_try_grad_into(&mut tape, &mut into, 1.5, &mut into_x);
    assert_same_value(tried.unwrap(), value);
    assert_eq!((into, into_x), (ds, dx));
    let mut da = 1.0;
    let mut db = 1.0;
    Spring::mean_grad_into(&mut tape, 2.0, &mut da, 8.0, &mut db);
    assert_eq!((da, db), (1.0, 0.25));
}

#[test]
fn adjoints_are_added_to() {
    let (s, mut tape) = (spring(&[2.0, 0.5]), Tape::new());
    let (value, (ds, dx)) = s.energy_grad(1.5);
    let mut s_bar = SpringTangent::default();
    let mut x_bar = 1.0;
    let got = s.energy_adjoint(&mut tape, &mut s_bar, 1.5, &mut x_bar, 2.0);
    assert_same_value(got, value);
    assert_eq!(s_bar.stiffness, 2.0 * ds.stiffness);
    assert_eq!(s_bar.rest, 2.0 * ds.rest);
    assert_eq!(x_bar, 1.0 + 2.0 * dx);
    let got = s.energy_try_adjoint(&mut tape, &mut s_bar, 1.5, &mut x_bar, 1.0);
    assert_same_value(got.unwrap(), value);
    assert_eq!(s_bar.stiffness, 3.0 * ds.stiffness);
}

#[test]
fn a_method_that_writes_has_an_adjoint_of_output_and_input() {
    let (mut s, mut tape) = (spring(&[2.0, 0.5]), Tape::new());
    let mut bar = SpringTangent {
        stiffness: 0.0,
        rest: 1.0,
        coils: (),
    };
    let mut rate_bar = 0.0;
    s.relax_adjoint(&mut tape, &mut bar, 0.1, &mut rate_bar, ());
    let mut after = spring(&[2.0, 0.5]);
    after.relax(0.1);
    assert_eq!(s, after);
    assert_close(
        &[bar.stiffness, bar.rest, rate_bar],
        &[-0.1 * 0.5, 1.0 - 0.1 * 2.0, -2.0 * 0.5],
        1e-15,
        &[],
    );
}

#[test]
fn a_result_of_the_type_itself_has_a_seed_of_its_tangent() {
    let (s, mut tape) = (spring(&[2.0, 0.5]), Tape::new());
    let (mut bar, mut factor_bar) = (SpringTangent::default(), 0.0);
    let seed = SpringTangent {
        stiffness: 1.0,
        rest: 3.0,
        coils: (),
    };
    let got = s.stiffer_adjoint(&mut tape, &mut bar, 1.5, &mut factor_bar, seed);
    assert_eq!(got, s.stiffer(1.5));
    assert_eq!((bar.stiffness, bar.rest, factor_bar), (1.5, 3.0, 2.0));
}

/// A block more for the same type, with options, of which those of a method come on top.
#[gradient(no(strips))]
impl Spring {
    #[gradient(name = both, no(bulk))]
    fn sum(&self, x: f64) -> f64 {
        let mut s = 0.0;
        for k in 0..self.coils {
            s += (self.stiffness * x * k as f64).sin();
        }
        s
    }
}

#[test]
fn options_of_block_and_method() {
    check(
        |p| spring(p).sum(p[2]),
        |p| spring(p).both_grad(p[2]),
        &[&[0.4, 0.1, 1.1], &[-0.3, 0.2, 0.9]],
    );
}

mod inner {
    use retrograde::gradient;

    use crate::types::V2;

    #[gradient]
    impl V2 {
        pub fn norm2(&self) -> f64 {
            self.x * self.x + self.y * self.y
        }

        /// Private: what is generated is, too.
        fn hidden(&self) -> f64 {
            self.x * self.y
        }

        #[cfg(any())]
        pub fn absent(&self) -> f64 {
            self.missing
        }

        pub fn dot(self, other: V2) -> f64 {
            self.x * other.x + self.y * other.y
        }

        /// A constant function is one at run time.
        pub const fn first(&self) -> f64 {
            self.x
        }
    }

    pub fn of_hidden(v: &V2) -> (f64, V2) {
        v.hidden_grad()
    }
}

#[test]
fn a_tangent_of_the_type_itself() {
    let v = V2 { x: 3.0, y: -2.0 };
    assert_eq!(v.norm2_grad(), (13.0, V2 { x: 6.0, y: -4.0 }));
    assert_eq!(inner::of_hidden(&v), (-6.0, V2 { x: -2.0, y: 3.0 }));
    let w = V2 { x: 0.5, y: 1.5 };
    assert_eq!(v.dot_grad(w), (-1.5, (w, v)));
    const FIRST: f64 = V2 { x: 1.0, y: 2.0 }.first();
    assert_eq!(v.first_grad(), (3.0, V2 { x: 1.0, y: 0.0 }));
}
