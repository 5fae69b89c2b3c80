//! Sweeps have no `unsafe`: elements that nothing checks are read as those that are checked. Whatever else is unsafe
//! beside them is an error.

use retrograde::gradient;

/// # Safety
///
/// None.
unsafe fn doubled(x: f64) -> f64 {
    2.0 * x
}

#[gradient]
fn sum(values: &[f64]) -> f64 {
    unsafe { *values.get_unchecked(0) * doubled(0.5) }
}

struct Ring(Vec<f64>);

impl Ring {
    /// # Safety
    ///
    /// None.
    unsafe fn get_unchecked(&self, i: usize) -> &f64 {
        &self.0[i % self.0.len()]
    }
}

impl std::ops::Index<usize> for Ring {
    type Output = f64;

    fn index(&self, i: usize) -> &f64 {
        &self.0[i]
    }
}

#[gradient]
fn of_ring(x: f64, #[constant] ring: &Ring) -> f64 {
    x * unsafe { *ring.get_unchecked(7) }
}

fn main() {}
