use retrograde::gradient;

macro_rules! written_elsewhere {
    ($item:item) => { $item };
}

written_elsewhere! {
    #[gradient]
    fn damped(x: f32) -> f32 {
        0.5 * x
    }
}

#[gradient]
fn widened(x: f32) -> f64 {
    let factor = damped(x);
    f64::from(factor * factor)
}

fn main() {}
