use rand::Rng;
use rand::rngs::StdRng;
use retrograde::gradient;

#[gradient]
fn again(x: f64, rng: &mut StdRng) -> f64 {
    let mut other = rng.clone();
    x * other.random::<f64>() * rng.random::<f64>()
}

fn main() {}
