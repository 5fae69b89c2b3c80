use retrograde::gradient;

struct Spring {
    stiffness: f64,
}

#[gradient(name = spring, no(strips))]
impl Spring {
    fn order(&self) -> usize {
        2
    }
}

fn main() {}
