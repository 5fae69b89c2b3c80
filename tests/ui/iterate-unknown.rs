use retrograde::gradient;

struct Nodes(Vec<f64>);

impl IntoIterator for Nodes {
    type Item = f64;
    type IntoIter = std::vec::IntoIter<f64>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

#[gradient]
fn integral(x: f64, #[constant] nodes: Nodes) -> f64 {
    let mut sum = 0.0;
    for t in nodes {
        sum += (x * t).exp();
    }
    sum
}

fn main() {}
