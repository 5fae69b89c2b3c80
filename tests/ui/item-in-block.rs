use retrograde::gradient;

fn order() -> usize {
    1
}

#[gradient]
fn power(mut x: f64) -> f64 {
    let outer = order();
    for _ in 0..outer {
        const fn order() -> usize {
            3
        }
        for _ in 0..order() {
            x *= x;
        }
    }
    x
}

fn main() {}
