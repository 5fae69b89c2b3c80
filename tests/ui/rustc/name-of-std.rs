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

mod capped {
    use retrograde::gradient;

    // The file imports std's below.
    pub trait Add {
        fn add(self, other: f64) -> f64;
    }

    impl Add for f64 {
        fn add(self, other: f64) -> f64 {
            (self + other).min(1.0)
        }
    }

    #[gradient]
    fn total(v: &[f64]) -> f64 {
        v.iter().copied().fold(0.0, Add::add)
    }
}

mod imported {
    use ::std::ops::Add;
}

mod constructed {
    use retrograde::gradient;

    fn Some(x: f64) -> Option<f64> {
        Option::Some(x * x)
    }

    const None: Option<f64> = Option::Some(3.0);

    #[gradient]
    fn chosen(x: f64) -> f64 {
        let y = if x > 1.0 { Some(x) } else { None };
        y.unwrap_or(x)
    }

    struct Vec;

    impl Vec {
        fn new() -> ::std::vec::Vec<f64> {
            vec![1.0]
        }
    }

    struct Box;

    impl Box {
        fn new(x: f64) -> ::std::boxed::Box<f64> {
            ::std::boxed::Box::new(2.0 * x)
        }
    }

    #[gradient]
    fn held(x: f64) -> f64 {
        let mut v = Vec::new();
        let b = Box::new(x);
        v.push(*b * x);
        v[0] * v[1]
    }
}

mod given {
    use retrograde::gradient;

    mod f64 {
        pub fn max(a: core::primitive::f64, b: core::primitive::f64) -> core::primitive::f64 {
            a * b
        }
    }

    #[gradient]
    fn largest(v: &[core::primitive::f64]) -> core::primitive::f64 {
        v.iter().copied().fold(0.0, f64::max)
    }
}

fn main() {}
