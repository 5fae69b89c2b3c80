//! A trait that is called like that of `num-traits`, which the file imports elsewhere, with functions of its own.

mod numbers {
    /// So that the text does not show that there is another.
    macro_rules! numbers {
        ($name:ident) => {
            pub trait $name {
                fn sqrt(self) -> f64;
            }
        };
    }

    numbers!(Float);

    impl Float for f64 {
        fn sqrt(self) -> f64 {
            self * self
        }
    }
}

mod beside {
    use num_traits::Float;

    pub fn root(x: f64) -> f64 {
        Float::sqrt(x)
    }
}

mod here {
    use crate::numbers::Float;

    #[retrograde::gradient]
    pub fn root(x: f64) -> f64 {
        Float::sqrt(x)
    }
}

fn main() {
    here::root_grad(beside::root(4.0));
}
