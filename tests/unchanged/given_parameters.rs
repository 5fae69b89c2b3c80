//! Methods that are given parameters where they are called, on values without a derivative.

use retrograde::gradient;

use crate::support::check;

/// A generator of numbers.
struct Generator {
    state: u64,
}

impl Generator {
    fn new(state: u64) -> Self {
        Generator { state }
    }

    fn draw<T: From<f32>>(&mut self) -> T {
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        T::from((self.state >> 40) as f32 / (1_u64 << 24) as f32)
    }

    fn state<T: From<u8>>(&self) -> T {
        T::from((self.state >> 56) as u8)
    }
}

#[gradient]
fn walk(x: f64, seed: u64, n: usize) -> f64 {
    let mut generator = Generator::new(seed);
    let mut sum = x;
    for _ in 0..n {
        let step = generator.draw::<f64>() - 0.5;
        sum = (sum * step).sin() + x * f64::from(generator.draw::<f32>());
        sum += generator.state::<f64>() * x * x / 256.0;
    }
    sum * generator.draw::<f64>()
}

#[gradient]
fn scaled(x: f64, text: &str, #[constant] generator: &Generator) -> f64 {
    let factor = text.trim().parse::<f64>().unwrap_or(1.0);
    factor * x * x + x * generator.state::<f64>()
}

#[test]
fn they_run_once() {
    for seed in [1, 77, u64::MAX / 3] {
        for n in [0, 1, 6] {
            check(
                |p| walk(p[0], seed, n),
                |p| walk_grad(p[0], seed, n),
                &[&[0.7], &[-1.2]],
            );
        }
        let generator = Generator::new(seed);
        let (value, dx) = scaled_grad(0.5, " 3.0", &generator);
        assert_eq!(value.to_bits(), scaled(0.5, " 3.0", &generator).to_bits());
        assert_eq!(dx, 3.0 + generator.state::<f64>());
    }
}
