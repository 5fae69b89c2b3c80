use retrograde::{Differentiable, Record, gradient};

#[derive(Clone, Copy, Differentiable, Record)]
pub struct Disk {
    radius: f64,
}

mod area {
    pub trait Area {
        fn size(&self, unit: f64) -> f64;
    }
}

mod volume {
    pub trait Volume {
        fn size(&self, unit: f64) -> f64;
    }
}

#[gradient]
impl area::Area for Disk {
    fn size(&self, unit: f64) -> f64 {
        self.radius * self.radius * unit
    }
}

// Without a derivative, and in scope alone below.
impl volume::Volume for Disk {
    fn size(&self, unit: f64) -> f64 {
        self.radius.powi(3) * unit
    }
}

mod callers {
    use super::Disk;
    use super::volume::Volume;

    #[retrograde::gradient]
    pub fn loss(disk: &Disk) -> f64 {
        disk.size(2.0)
    }
}

mod blanket {
    use super::Disk;

    trait Other {
        fn size(&self, unit: f64) -> f64;
    }

    impl<T> Other for T {
        fn size(&self, unit: f64) -> f64 {
            unit
        }
    }

    #[retrograde::gradient]
    pub fn loss(disk: &Disk) -> f64 {
        disk.size(disk.radius)
    }
}

fn main() {}
