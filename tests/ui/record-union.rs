use retrograde::Record;

#[derive(Record)]
union Bits {
    float: f64,
    bits: u64,
}

fn main() {}
