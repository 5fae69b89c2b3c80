//! Methods of traits where not every trait of their name is in scope: by globs, without a name, inside of bodies,
//! beside another trait that has one.

use retrograde::{Differentiable, Record, gradient};

use crate::support::{check, check_exact};

mod shapes {
    pub trait Area<T> {
        type Unit;
        /// Types that are the implementor's, or that it gives.
        fn size(&self, other: &Self, unit: Self::Unit) -> T;
        fn doubled(self) -> Self
        where
            Self: Sized;
        fn grow(&mut self, by: Self::Unit);
        fn corners<const N: usize>(&self, at: [f64; N], other: &Self) -> f64;
        fn count(&self) -> usize;
    }

    /// The same names.
    pub trait Volume {
        fn size(&self, unit: f64) -> f64;
        fn grow(&self, by: f64) -> f64;
        fn count(&self) -> usize;
    }

    pub trait Base {
        type Item;
    }

    pub trait Bounded: Base<Item: Copy> + Clone
    where
        Self: PartialEq,
    {
        fn bounded(&self, by: Self::Item) -> f64
        where
            Self: Sized + Copy;
    }

    pub trait Lived<'a> {
        fn lived(&'a self, by: &'a [f64]) -> f64;
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
pub struct Disk {
    pub radius: f64,
}

#[gradient]
impl shapes::Area<f64> for Disk {
    type Unit = f64;

    fn size(&self, other: &Self, unit: f64) -> f64 {
        self.radius * other.radius * unit
    }

    fn doubled(self) -> Disk {
        Disk {
            radius: 2.0 * self.radius,
        }
    }

    fn grow(&mut self, by: f64) {
        self.radius *= by;
    }

    fn corners<const N: usize>(&self, at: [f64; N], other: &Self) -> f64 {
        let mut sum = 0.0;
        for x in at {
            sum += x * self.radius * other.radius;
        }
        sum
    }

    fn count(&self) -> usize {
        3
    }
}

impl shapes::Volume for Disk {
    fn size(&self, unit: f64) -> f64 {
        self.radius.powi(3) * unit
    }

    fn grow(&self, by: f64) -> f64 {
        by
    }

    fn count(&self) -> usize {
        7
    }
}

impl shapes::Base for Disk {
    type Item = f64;
}

#[gradient]
impl shapes::Bounded for Disk {
    fn bounded(&self, by: f64) -> f64
    where
        Self: Sized + Copy,
    {
        self.radius * by
    }
}

#[gradient]
impl<'a> shapes::Lived<'a> for Disk {
    fn lived(&'a self, by: &'a [f64]) -> f64 {
        self.radius * by[0] * by[1]
    }
}

mod by_a_glob {
    use super::Disk;
    use super::shapes::*;

    // Of two traits in scope, the call is ambiguous in Rust; these have one.
    #[retrograde::gradient]
    pub fn with_bounds(radius: f64, x: f64) -> f64 {
        let disk = Disk { radius };
        disk.bounded(x) + disk.lived(&[x, x]) + disk.corners([x, 2.0], &disk)
    }
}

mod without_a_name {
    use super::Disk;
    use super::shapes::Area as _;

    #[retrograde::gradient]
    pub fn moved(radius: f64, x: f64) -> f64 {
        let mut disk = Disk { radius };
        disk.grow(x);
        disk.size(&disk.doubled(), x) * disk.count() as f64
    }
}

mod inside {
    use super::Disk;

    #[retrograde::gradient]
    pub fn of_the_body(radius: f64, x: f64) -> f64 {
        use super::shapes::Area;
        let disk = Disk { radius };
        let scaled = |by: f64| disk.size(&disk, by);
        let mut sum = 0.0;
        for k in 0..3 {
            sum += disk.size(&disk, x) * k as f64;
        }
        sum + scaled(x)
    }

    #[retrograde::gradient]
    pub fn of_a_block(radius: f64, x: f64) -> f64 {
        let disk = Disk { radius };
        let size = {
            use super::shapes::Area;
            disk.size(&disk, x)
        };
        size * x
    }
}

#[test]
fn traits_come_into_scope_in_many_ways() {
    let at: &[&[f64]] = &[&[1.5, 2.0], &[0.3, -0.7], &[2.0, 0.0]];
    check_exact(
        |p| by_a_glob::with_bounds(p[0], p[1]),
        |p| {
            let (value, (r, x)) = by_a_glob::with_bounds_grad(p[0], p[1]);
            (value, [r, x])
        },
        |p| {
            let (r, x) = (p[0], p[1]);
            vec![x + x * x + 2.0 * r * (x + 2.0), r + 2.0 * r * x + r * r]
        },
        at,
    );
    check_exact(
        |p| without_a_name::moved(p[0], p[1]),
        |p| {
            let (value, (r, x)) = without_a_name::moved_grad(p[0], p[1]);
            (value, [r, x])
        },
        |p| {
            let (r, x) = (p[0], p[1]);
            vec![12.0 * r * x.powi(3), 18.0 * r * r * x * x]
        },
        at,
    );
    check(
        |p| inside::of_the_body(p[0], p[1]),
        |p| {
            let (value, (r, x)) = inside::of_the_body_grad(p[0], p[1]);
            (value, [r, x])
        },
        at,
    );
    check(
        |p| inside::of_a_block(p[0], p[1]),
        |p| {
            let (value, (r, x)) = inside::of_a_block_grad(p[0], p[1]);
            (value, [r, x])
        },
        at,
    );
}

mod hidden {
    use num_traits::Float;
    use retrograde::{Differentiable, Record, gradient};

    /// Nobody outside sees it, while the type is for all.
    trait Slope<T> {
        fn slope(&self, x: T) -> T;
        fn blend(self, other: Self, x: T) -> T;
    }

    #[derive(Clone, Copy, Debug, Differentiable, Record)]
    pub struct Line<T> {
        pub a: T,
    }

    #[gradient]
    impl<T: Float> Slope<T> for Line<T> {
        fn slope(&self, x: T) -> T {
            self.a * x * x
        }

        fn blend(self, other: Self, x: T) -> T {
            self.a * other.a * x
        }
    }

    #[gradient]
    pub fn generic<T: Float>(line: &Line<T>, x: T) -> T {
        line.slope(x) + line.blend(*line, x)
    }

    #[gradient]
    pub fn narrow(a: f32, x: f32) -> f32 {
        Line { a }.slope(x)
    }
}

#[test]
fn private_and_generic_traits() {
    check_exact(
        |p| hidden::generic(&hidden::Line { a: p[0] }, p[1]),
        |p| {
            let (value, (line, x)) = hidden::generic_grad(&hidden::Line { a: p[0] }, p[1]);
            (value, [line.a, x])
        },
        |p| {
            let (a, x) = (p[0], p[1]);
            vec![x * x + 2.0 * a * x, 2.0 * a * x + a * a]
        },
        &[&[1.5, 2.0], &[-0.5, 4.0]],
    );
    let (value, (a, x)) = hidden::narrow_grad(1.5, 2.0);
    assert_eq!((value, a, x), (hidden::narrow(1.5, 2.0), 4.0, 6.0));
}
