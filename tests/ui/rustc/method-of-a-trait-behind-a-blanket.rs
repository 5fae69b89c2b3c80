// A trait for all that has the one with the derivative, or a supertrait of it, in scope alone.

use retrograde::{Differentiable, Record, gradient};

#[derive(Clone, Copy, Differentiable, Record)]
pub struct Disk {
    radius: f64,
}

mod area {
    pub trait Base {
        fn scale(&self) -> f64;
    }

    #[retrograde::gradient]
    pub trait Area: Base {
        fn size(&self, unit: f64) -> f64;
        fn grow(&mut self, by: f64);
    }
}

mod of_base {
    use super::Disk;

    pub trait Volume {
        fn size(&self, unit: f64) -> f64;
    }

    impl<T: super::area::Base> Volume for T {
        fn size(&self, unit: f64) -> f64 {
            self.scale() * unit * unit
        }
    }

    #[retrograde::gradient]
    pub fn loss(disk: &Disk, x: f64) -> f64 {
        disk.size(x)
    }
}

mod of_itself {
    use super::Disk;

    trait Growth {
        fn grow(&mut self, by: f64);
    }

    impl<T: super::area::Area + ?Sized> Growth for T {
        fn grow(&mut self, _: f64) {}
    }

    #[retrograde::gradient]
    pub fn loss(mut disk: Disk, by: f64) -> f64 {
        disk.grow(by);
        disk.radius
    }
}

impl area::Base for Disk {
    fn scale(&self) -> f64 {
        self.radius
    }
}

#[gradient]
impl area::Area for Disk {
    fn size(&self, unit: f64) -> f64 {
        self.radius * unit
    }

    fn grow(&mut self, by: f64) {
        self.radius *= by;
    }
}

fn main() {}
