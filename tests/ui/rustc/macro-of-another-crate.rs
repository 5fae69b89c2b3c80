use retrograde::gradient;

mod mine {
    macro_rules! info {
        ($($text:tt)*) => {
            ()
        };
    }
    pub(crate) use info;

    pub mod log {
        pub(crate) use super::info;
    }
}

/// The name is that of a crate, the macro is not its.
mod by_path {
    use super::mine::log;

    #[retrograde::gradient]
    pub fn told(x: f64) -> f64 {
        log::info!("x is {x}");
        x * x
    }
}

use mine::log::info;

#[gradient]
fn told(x: f64) -> f64 {
    info!("x is {x}");
    x * x
}

/// What another module of this file imports says nothing of this one.
mod other {
    use log::info;

    pub fn told() {
        info!("told");
    }
}

fn main() {}
