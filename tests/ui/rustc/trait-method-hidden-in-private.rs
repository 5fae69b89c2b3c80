// Calls in the module of a private function of the type mean it, and the derivative would be that of the trait's.

use retrograde::{Differentiable, Record};

#[derive(Clone, Copy, Differentiable, Record)]
pub struct Spring {
    stiffness: f64,
}

mod laws {
    use super::Spring;

    pub trait Energy {
        fn energy(&self, x: f64) -> f64;
    }

    #[retrograde::gradient]
    impl Energy for Spring {
        fn energy(&self, x: f64) -> f64 {
            0.5 * self.stiffness * x * x
        }
    }
}

mod work {
    use super::Spring;
    use super::laws::Energy;

    impl Spring {
        fn energy(&self, x: f64) -> f64 {
            self.stiffness * x
        }
    }

    #[retrograde::gradient]
    pub fn work(spring: &Spring, x: f64) -> f64 {
        spring.energy(x) * x
    }
}

fn main() {}
