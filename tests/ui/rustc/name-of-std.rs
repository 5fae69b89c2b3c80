use retrograde::gradient;

mod std {
    pub mod mem {
        pub fn swap<T>(_: &mut f64, _: &mut f64) {}
    }
}

mod f64 {
    pub fn sqrt(x: core::primitive::f64) -> core::primitive::f64 {
        x
    }
}

struct Vec<T>(T);

type Row = Vec<core::primitive::f64>;

fn drop<T>(_: T) {}

#[gradient]
fn ordered(a: core::primitive::f64, b: core::primitive::f64) -> core::primitive::f64 {
    let (mut a, mut b) = (a, b);
    std::mem::swap::<u8>(&mut a, &mut b);
    drop(b);
    f64::sqrt(a)
}

#[gradient]
fn first(row: &Vec<core::primitive::f64>) -> core::primitive::f64 {
    row.0
}

mod maybe {
    use retrograde::gradient;

    pub enum Option<T> {
        Just(T),
        Nothing,
    }

    #[gradient]
    fn first(x: f64) -> f64 {
        let y: Option<f64> = Option::Just(x);
        x
    }
}

fn main() {}
