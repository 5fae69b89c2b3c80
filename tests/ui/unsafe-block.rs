use retrograde::gradient;

unsafe extern "C" {
    fn sine(x: f64) -> f64;
}

static TABLE: [f64; 2] = [1.0, 2.0];

#[gradient]
fn foreign(x: f64) -> f64 {
    x * unsafe { sine(0.5) }
}

/// Nothing shows that the table is an array: a type of the user's may have a method of this name.
#[gradient]
fn of_table(x: f64, i: usize) -> f64 {
    x * unsafe { *TABLE.get_unchecked(i) }
}

fn main() {}
