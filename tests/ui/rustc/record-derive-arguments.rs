use retrograde::Record;

#[derive(Record)]
#[record(rename = "x")]
struct Point {
    x: f64,
}

fn main() {}
