use retrograde::gradient;

static LIMITS: Limits = Limits;

struct Limits;

impl Limits {
    fn max(&self, n: usize) -> usize {
        println!("asked for {n}");
        n
    }
}

trait Random {
    fn random() -> Self;
}

impl Random for f64 {
    fn random() -> f64 {
        0.5
    }
}

fn draw<T: Random>() -> T {
    T::random()
}

fn check(n: usize) -> bool {
    println!("checked {n}");
    n > 0
}

fn len() -> usize {
    3
}

#[gradient]
fn walk(x: f64, n: usize) -> f64 {
    let mut s = x;
    #[checkpoint]
    for k in 0..n {
        assert!(check(k));
        s = match k {
            k if LIMITS.max(k) > 1 => s * x,
            k if f64::random() > 0.5 && k > 0 => s + x,
            k if draw::<f64>() > 0.5 && k > 0 => s - x,
            k if (k..len()).contains(&2) => s * 2.0,
            _ => s.sin(),
        };
    }
    s
}

fn main() {}
