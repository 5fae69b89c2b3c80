use retrograde::{Record, Site, Tape};

#[derive(Record)]
struct Pair<T>(T, T);

fn main() {
    Tape::new().push(Site::new(), Pair(&1.0, &2.0));
}
