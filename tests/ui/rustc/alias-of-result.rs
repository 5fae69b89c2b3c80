//! The file declares an alias of `Result` under a name that means another type where it is used.

mod outcomes {
    pub type Fit<T> = Result<T, String>;
}

mod fits {
    #[derive(retrograde::Differentiable)]
    pub struct Wrapped<T>(pub T);

    pub use Wrapped as Fit;
}

mod user {
    use super::fits::*;

    #[retrograde::gradient]
    fn fit(x: f64) -> Fit<f64> {
        Wrapped(x * x)
    }
}

fn main() {}
