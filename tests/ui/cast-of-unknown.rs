use retrograde::gradient;

struct Table {
    rows: u32,
}

#[gradient]
fn scaled(#[constant] table: &Table, x: f64) -> f64 {
    let rows = settings();
    x * rows as f64 / f64::from(table.rows)
}

fn settings() -> u32 {
    3
}

fn main() {}
