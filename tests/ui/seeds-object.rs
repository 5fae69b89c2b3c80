use retrograde::gradient;

#[gradient]
trait Model {
    fn at(&self, x: f64) -> f64;
}

#[gradient(seeds)]
fn both(model: &dyn Model, x: f64) -> [f64; 2] {
    [model.at(x), model.at(x + 1.0)]
}

fn main() {}
