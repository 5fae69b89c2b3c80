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

macro_rules! cubed {
    ($x:expr) => {
        $x * $x
    };
}

// What a macro is given stands where that macro puts it.
macro_rules! placed {
    ($($item:item)*) => {
        mod elsewhere {
            macro_rules! cubed {
                ($x:expr) => {
                    $x * $x * $x
                };
            }
            $($item)*
        }
    };
}

placed! {
    #[retrograde::gradient]
    pub fn given(x: f64) -> f64 {
        cubed!(x)
    }
}

// A module that says by itself that its macros hold behind it.
macro_rules! scaled_up {
    ($x:expr) => {
        $x * 2.0
    };
}

mod leaking {
    #![macro_use]
    macro_rules! scaled_up {
        ($x:expr) => {
            $x * 5.0
        };
    }
}

#[gradient]
fn behind(x: f64) -> f64 {
    scaled_up!(x)
}

// How something is written is not shown of what a template writes.
macro_rules! by_length {
    ($x:expr) => {{
        let k = $x;
        k * stringify!(k).len() as f64
    }};
}

#[gradient]
fn spelled(x: f64) -> f64 {
    by_length!(x)
}

// `- >` is two tokens.
macro_rules! arrow {
    ($a:ident - > $b:expr) => {
        $a * $b
    };
    ($a:ident -> $b:expr) => {
        $a + $b
    };
}

#[gradient]
fn tokens(x: f64) -> f64 {
    arrow!(x -> 2.0)
}

fn main() {}
