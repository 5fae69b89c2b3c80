//! Methods with the names of those of floats on variables whose type no text shows, but whose fields are read.

use retrograde::{Differentiable, Record, gradient};

macro_rules! units {
    ($($name:ident)*) => {$(
        #[derive(Clone, Copy, Debug, Differentiable, Record)]
        pub(crate) struct $name(pub(crate) f64);

        #[gradient]
        impl $name {
            fn powi(self, n: i32) -> f64 {
                self.0.powi(n) * 2.0
            }

            fn sqrt(&self) -> $name {
                $name(self.0.sqrt() + 1.0)
            }
        }
    )*};
}
units! { Parsec Second }

#[gradient]
fn distance(z: f64) -> Parsec {
    Parsec(3.0 * z)
}

#[gradient]
fn volume(z: f64) -> f64 {
    let d = distance(z);
    let root = d.sqrt();
    d.0 * d.powi(2) + root.0
}

/// The name stands for a number later.
#[gradient]
fn later(z: f64) -> f64 {
    let d = distance(z);
    let d = d.0;
    d.powi(2) + d.sqrt()
}

#[test]
fn what_has_fields_is_no_number() {
    for z in [0.25_f64, 1.5, 4.0] {
        let root = (3.0 * z).sqrt();
        assert_eq!(
            volume(z).to_bits(),
            (3.0 * z * ((3.0 * z).powi(2) * 2.0) + (root + 1.0)).to_bits()
        );
        let (value, dz) = volume_grad(z);
        let want = 6.0 * 27.0 * z * z + 1.5 / root;
        assert_eq!(value.to_bits(), volume(z).to_bits());
        assert!((dz - want).abs() <= 1e-14 * want, "{dz}, {want}");
        let (value, dz) = later_grad(z);
        let want = 18.0 * z + 1.5 / root;
        assert_eq!(value.to_bits(), later(z).to_bits());
        assert!((dz - want).abs() <= 1e-14 * want, "{dz}, {want}");
    }
}
