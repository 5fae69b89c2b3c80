use retrograde::gradient;

macro_rules! shifted {
    ($x:expr) => {
        $x + OFFSET + offset($x)
    };
}

const OFFSET: f64 = 1.0;

fn offset(x: f64) -> f64 {
    0.0 * x
}

// What `scale` means in the macro is not what it means where it is called.
#[gradient]
fn scaled(x: f64) -> f64 {
    let scale = 2.0;
    macro_rules! times {
        ($x:expr) => {
            $x * scale
        };
    }
    let scale = scale * x;
    times!(x) + scale
}

// The function of the file, beside a variable.
#[gradient]
fn hidden(x: f64) -> f64 {
    let offset = |y: f64| y * 3.0;
    shifted!(x) + offset(x)
}

// Attributes may take the definition away.
#[cfg(not(any()))]
macro_rules! twice {
    ($x:expr) => {
        $x * 2.0
    };
}

#[gradient]
fn configured(x: f64) -> f64 {
    twice!(x)
}

macro_rules! any_pattern {
    ($x:expr, $p:pat) => {
        match $x {
            $p => 1.0,
            _ => $x,
        }
    };
}

#[gradient]
fn patterns(x: f64) -> f64 {
    any_pattern!(x, 0.0)
}

fn main() {}
