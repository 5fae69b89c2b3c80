use retrograde::gradient;

mod functions {
    #[cfg(target_os = "none")]
    pub fn root(x: f64) -> f64 {
        x.sqrt() + 0.0
    }

    #[cfg(not(target_os = "none"))]
    pub fn root(x: f64) -> f64 {
        x.sqrt()
    }
}

use functions::root;

#[gradient]
fn twice(x: f64) -> f64 {
    2.0 * root(x)
}

fn main() {}
