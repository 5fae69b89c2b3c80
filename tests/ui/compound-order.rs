use retrograde::gradient;
use std::time::Duration;

#[gradient]
fn timed(x: f64, #[constant] mut totals: Vec<Duration>) -> f64 {
    let mut phase = 0;
    totals[phase] += {
        phase += 1;
        Duration::from_secs(1)
    };
    x * totals[phase].as_secs_f64()
}

fn main() {}
