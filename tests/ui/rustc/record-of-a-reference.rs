use std::sync::Arc;

use retrograde::Record;

#[derive(Record)]
struct Borrowed<'a> {
    weight: f64,
    name: &'a str,
}

#[derive(Record)]
enum Shared {
    Of(Arc<f64>, f64),
    None,
}

#[derive(Record)]
struct Handle(fn(f64) -> f64, Option<Vec<&'static [f64]>>);

fn main() {}
