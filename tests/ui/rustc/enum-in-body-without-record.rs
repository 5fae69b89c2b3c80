use retrograde::gradient;

#[gradient]
fn scaled(x: f64) -> f64 {
    #[derive(Clone, Copy)]
    enum Scale {
        Small = 1,
        Large = 10,
    }
    let scale = if x > 1.0 { Scale::Small } else { Scale::Large };
    x * f64::from(scale as u8)
}

fn main() {}
