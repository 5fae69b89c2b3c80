// A private function of the type hides the method of a trait for callers in its module, also where a macro writes the
// `impl` of the trait, and where that stands in the body of a function.

use retrograde::{Differentiable, Record};

#[derive(Clone, Copy, Differentiable, Record)]
pub struct Spring {
    stiffness: f64,
}

#[derive(Clone, Copy, Differentiable, Record)]
pub struct Damper {
    viscosity: f64,
}

mod laws {
    use super::Spring;

    pub trait Energy {
        fn energy(&self, x: f64) -> f64;
    }

    macro_rules! quadratic {
        ($name:ident, $field:ident) => {
            #[retrograde::gradient]
            impl Energy for $name {
                fn energy(&self, x: f64) -> f64 {
                    0.5 * self.$field * x * x
                }
            }
        };
    }

    quadratic!(Spring, stiffness);
}

mod powers {
    use super::Damper;

    pub trait Power {
        fn power(&self, v: f64) -> f64;
    }

    pub fn power(of: &Damper, v: f64) -> f64 {
        #[retrograde::gradient]
        impl Power for Damper {
            fn power(&self, v: f64) -> f64 {
                self.viscosity * v * v
            }
        }
        of.power(v)
    }
}

mod work {
    use super::laws::Energy;
    use super::powers::Power;
    use super::{Damper, Spring};

    impl Spring {
        fn energy(&self, x: f64) -> f64 {
            self.stiffness * x
        }
    }

    impl Damper {
        fn power(&self, v: f64) -> f64 {
            self.viscosity * v
        }
    }

    #[retrograde::gradient]
    pub fn work(spring: &Spring, damper: &Damper, x: f64) -> f64 {
        spring.energy(x) * damper.power(x)
    }
}

fn main() {}
