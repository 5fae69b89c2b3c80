// An adapter with the name of one of `itertools`, which the file imports elsewhere.
mod other {
    use itertools::Itertools;

    pub fn lengths(x: &[f64]) -> f64 {
        x.iter().tuple_windows().map(|(a, b)| b - a).sum()
    }
}

mod own {
    pub trait Windows: Iterator + Sized {
        fn tuple_windows(self) -> std::vec::IntoIter<(f64, f64)> {
            vec![(1.0, 2.0)].into_iter()
        }
    }

    impl<I: Iterator> Windows for I {}
}

mod differentiated {
    use super::own::Windows;

    #[retrograde::gradient]
    fn lengths(x: &[f64]) -> f64 {
        x.iter().tuple_windows().map(|(a, b)| b - a).sum()
    }
}

fn main() {}
