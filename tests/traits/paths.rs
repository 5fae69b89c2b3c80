//! Functions of traits by the path of the type alone, `S::size(&s, x)`: what it means depends on the traits in scope,
//! and on what is private.

use retrograde::{Differentiable, Record, gradient};

use crate::support::{check, panic_message};

mod areas {
    pub trait Base {
        fn scale(&self) -> f64;
    }

    /// Without the attribute, so that the `impl` alone gives the sweeps.
    pub trait Area: Base {
        fn size(&self, x: f64) -> f64;
        fn of(x: f64) -> Self
        where
            Self: Sized;
        fn both<const N: usize>(&self, at: [f64; N]) -> f64;
        fn count(&self) -> usize;
        fn grow(&mut self, x: f64);
        fn with(self, other: Self) -> f64
        where
            Self: Sized;
        fn step(&self, x: f64) -> f64;
    }
}

mod volumes {
    use super::areas::Base;

    pub trait Volume {
        fn size(&self, x: f64) -> f64;
        fn of(x: f64) -> Self
        where
            Self: Sized;
        fn count(&self) -> usize;
    }

    /// For all that has a supertrait.
    impl<T: Base + From<f64>> Volume for T {
        fn size(&self, x: f64) -> f64 {
            self.scale() * x * x
        }

        fn of(x: f64) -> Self {
            Self::from(x * x)
        }

        fn count(&self) -> usize {
            7
        }
    }
}

mod types {
    use super::areas::{Area, Base};
    use super::{Differentiable, Record, gradient};

    #[derive(Clone, Copy, Debug, Differentiable, Record)]
    pub struct Disk {
        pub radius: f64,
    }

    impl From<f64> for Disk {
        fn from(radius: f64) -> Self {
            Disk { radius }
        }
    }

    impl Base for Disk {
        fn scale(&self) -> f64 {
            self.radius
        }
    }

    #[gradient]
    impl Area for Disk {
        fn size(&self, x: f64) -> f64 {
            self.radius * x
        }

        fn of(x: f64) -> Disk {
            Disk { radius: 3.0 * x }
        }

        fn both<const N: usize>(&self, at: [f64; N]) -> f64 {
            let mut sum = 0.0;
            for x in at {
                sum += x * Self::size(self, x);
            }
            sum
        }

        fn count(&self) -> usize {
            2
        }

        fn grow(&mut self, x: f64) {
            self.radius *= x;
        }

        fn with(self, other: Disk) -> f64 {
            self.radius * other.radius
        }

        fn step(&self, x: f64) -> f64 {
            self.radius - x * x
        }
    }

    pub trait Slope<T> {
        fn slope(&self, x: T) -> T;
        fn of(a: T) -> Self;
        fn steepest<F>(lines: &[Self], of: F) -> T
        where
            Self: Sized,
            F: Copy + Into<T>;
    }

    #[derive(Clone, Copy, Debug, Differentiable, Record)]
    pub struct Line<T> {
        pub a: T,
    }

    #[gradient]
    impl Slope<f64> for Line<f64> {
        fn slope(&self, x: f64) -> f64 {
            self.a * x * x
        }

        fn of(a: f64) -> Line<f64> {
            Line { a: a * a }
        }

        #[no_gradient]
        fn steepest<F>(_: &[Self], of: F) -> f64
        where
            F: Copy + Into<f64>,
        {
            of.into()
        }
    }
}

mod right {
    use super::areas::Area;
    use super::types::{Disk, Line, Slope};

    #[retrograde::gradient]
    pub fn of_a_type(x: f64, y: f64) -> f64 {
        let mut disk = Disk::of(x);
        let mut sum = Disk::size(&disk, y) * Disk::count(&disk) as f64;
        for k in 0..3 {
            Disk::grow(&mut disk, y);
            sum += Disk::both(&disk, [x, y]) * k as f64 + Disk::step(&disk, x);
        }
        let other = disk;
        sum + Disk::with(disk, other) + Disk::with(other, Disk::of(y))
    }

    /// The arguments say what the path leaves out.
    #[retrograde::gradient]
    pub fn of_a_type_with_parameters(x: f64, y: f64) -> f64 {
        let line = Line::of(x);
        Line::slope(&line, y) * Line::slope(&line, x)
    }
}

mod another {
    use super::types::Disk;
    use super::volumes::Volume;

    #[retrograde::gradient]
    pub fn method(x: f64) -> f64 {
        let disk = Disk { radius: x };
        Disk::size(&disk, x)
    }

    #[retrograde::gradient]
    pub fn function(x: f64) -> f64 {
        let disk: Disk = Disk::of(x);
        disk.radius
    }

    #[retrograde::gradient]
    pub fn counted(x: f64) -> f64 {
        let disk = Disk { radius: x };
        x * Disk::count(&disk) as f64
    }
}

#[test]
fn the_trait_in_scope_has_the_sweeps() {
    let at: &[&[f64]] = &[&[1.5, 2.0], &[0.3, -0.7], &[2.0, 0.0]];
    check(
        |p| right::of_a_type(p[0], p[1]),
        |p| {
            let (value, (x, y)) = right::of_a_type_grad(p[0], p[1]);
            (value, [x, y])
        },
        at,
    );
    check(
        |p| right::of_a_type_with_parameters(p[0], p[1]),
        |p| {
            let (value, (x, y)) = right::of_a_type_with_parameters_grad(p[0], p[1]);
            (value, [x, y])
        },
        at,
    );
}

/// The value is that of the function, or there is none.
#[test]
fn another_trait_in_scope_has_none() {
    assert_eq!(another::method(2.0), 8.0);
    assert_eq!(another::function(2.0), 4.0);
    for message in [
        panic_message(|| _ = another::method_grad(2.0)),
        panic_message(|| _ = another::function_grad(2.0)),
    ] {
        assert!(message.contains("Volume>::"), "{message}");
        assert!(
            message.contains("bring the trait of that one into scope"),
            "{message}"
        );
    }
    // What has no derivative is called as it stands.
    assert_eq!(another::counted_grad(2.0), (another::counted(2.0), 7.0));
}

mod in_bodies {
    use retrograde::{Differentiable, Record, gradient};

    use super::areas::Base;

    pub trait Energy {
        fn energy(&self, x: f64) -> f64;
        fn times(&self, x: f64) -> usize;
    }

    pub struct Spring;

    impl Spring {
        pub fn energy(&self) -> f64 {
            7.0
        }
    }

    /// The type of the body is another one than that of the module, which has a function of the name.
    pub fn of_a_type_of_the_body(p: &[f64]) -> (f64, [f64; 2], f64) {
        #[derive(Clone, Copy, Differentiable, Record)]
        struct Spring {
            stiffness: f64,
        }
        #[gradient]
        impl Energy for Spring {
            fn energy(&self, x: f64) -> f64 {
                self.stiffness * x * x
            }
            fn times(&self, _: f64) -> usize {
                2
            }
        }
        #[gradient]
        fn of(spring: &Spring, x: f64) -> f64 {
            spring.energy(x) * x
        }
        let spring = Spring { stiffness: p[0] };
        let (value, (d, x)) = of_grad(&spring, p[1]);
        (value, [d.stiffness, x], of(&spring, p[1]))
    }

    macro_rules! linear {
        ($name:ident) => {
            #[gradient]
            impl Energy for $name {
                fn energy(&self, x: f64) -> f64 {
                    self.radius * x
                }
                fn times(&self, _: f64) -> usize {
                    2
                }
            }
        };
    }

    use super::types::Disk;
    linear!(Disk);

    pub mod private {
        use super::Energy;
        use crate::paths::types::Disk;

        impl Disk {
            /// No derivative comes out of it, so it is called as it stands.
            fn times(&self, x: f64) -> usize {
                if x > 0.0 { 3 } else { 4 }
            }
        }

        #[retrograde::gradient]
        pub fn work(radius: f64, x: f64) -> f64 {
            let disk = Disk { radius };
            let mut sum = 0.0;
            for k in 0..disk.times(x) {
                sum += disk.energy(x) * (disk.times(sum) + k) as f64;
            }
            sum
        }
    }
}

#[test]
fn types_of_bodies_and_functions_without_a_derivative() {
    for p in [[1.5, 2.0], [-0.5, 0.25]] {
        let (value, [k, x], primal) = in_bodies::of_a_type_of_the_body(&p);
        assert_eq!(value, primal);
        assert_eq!((k, x), (p[1].powi(3), 3.0 * p[0] * p[1] * p[1]));
    }
    assert_eq!(in_bodies::Spring.energy(), 7.0);
    check(
        |p| in_bodies::private::work(p[0], p[1]),
        |p| {
            let (value, (r, x)) = in_bodies::private::work_grad(p[0], p[1]);
            (value, [r, x])
        },
        &[&[1.5, 2.0], &[0.5, -1.0]],
    );
}
