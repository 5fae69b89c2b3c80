//! Macros that the file or the function defines: what they expand to has its derivative, and their names are apart from
//! those of the function.

use super::support::checked_by_name;
use retrograde::{Differentiable, Record, gradient};

const POINTS: &[&[f64]] = &[
    &[0.7, -1.3, 2.1, 0.4],
    &[-0.2, 0.9, 0.3, 1.7],
    &[1.6, 0.5, -0.8, -0.3],
];

macro_rules! square {
    ($x:expr) => {
        $x * $x
    };
}

/// The argument keeps together, and so does the whole.
#[gradient]
fn plain(x: &[f64]) -> f64 {
    2.0 / square!(x[0] + x[1]) - square!(x[2]) * 3.0
}

macro_rules! horner {
    ($x:expr, $c:expr $(, $a:expr)* $(,)?) => {{
        let mut y = $c;
        let mut u = 1.0;
        $(
            u *= $x;
            y += u * $a;
        )*
        y
    }};
}

/// The variables of the template are not those of the arguments.
#[gradient]
fn captured(x: &[f64]) -> f64 {
    let y = x[0];
    let u = x[1] * 0.5;
    horner!(y, u, y * u, x[2],) + horner!(u + 1.0, 0.5) * y
}

macro_rules! total {
    ($x:expr) => ($x);
    ($x:expr, $($rest:expr),+) => ($x + total!($($rest),+));
}

#[gradient]
fn recursive(x: &[f64]) -> f64 {
    total!(x[0] * x[1], x[2].sin(), x[3]) * total!(x[0])
}

macro_rules! apply {
    ($a:ident plus $b:ident) => {
        $a + $b
    };
    ($a:ident times $b:ident) => {
        $a * $b
    };
    ($a:ident to the $n:literal) => {
        $a.powi($n)
    };
    ($a:ident as $t:ty) => {
        ($a as $t) as f64
    };
}

#[gradient]
fn arms(x: &[f64]) -> f64 {
    let (a, b) = (x[0], x[1]);
    apply!(a plus b) * apply!(a times b) + apply!(a to the 3) + 0.0 * apply!(b as i32)
}

/// A macro of the body sees the variables that are there where it is defined.
#[gradient]
fn in_the_body(x: &[f64]) -> f64 {
    let distance = x[0] - 0.25;
    macro_rules! slope(
        ($at:expr) => {{
            let offset = distance - $at as f64;
            match ($at + 3) & 1 {
                0 => offset * x[1],
                _ => -offset,
            }
        }}
    );
    let offset = 10.0;
    let g0 = slope!(0);
    let g1 = slope!(1);
    g0 + (g1 - g0) * square!(distance) + offset * x[2]
}

/// Statements: what a template declares ends with it, what the call names stays.
#[gradient]
fn statements(x: &[f64]) -> f64 {
    let mut best = 1.0e9;
    let r = x[3];
    macro_rules! nearer {
        ($a:expr, $b:expr) => {
            let r = ($a - $b) * ($a - $b);
            if r < best {
                best = r;
            }
        };
    }
    macro_rules! bind {
        ($name:ident = $e:expr) => {
            let hidden = $e;
            let $name = hidden * 2.0;
        };
    }
    nearer!(x[0], x[1]);
    nearer!(x[2], r);
    bind!(hidden = x[1]);
    bind!(other = hidden + r);
    best * r + hidden * other
}

/// The innermost definition counts, from its place on.
#[gradient]
fn shadowed(x: &[f64]) -> f64 {
    macro_rules! scaled {
        ($e:expr) => {
            $e * 2.0
        };
    }
    let a = scaled!(x[0]);
    let b = {
        let c = scaled!(x[1]);
        macro_rules! scaled {
            ($e:expr) => {
                $e * 5.0
            };
        }
        c + scaled!(x[2])
    };
    macro_rules! scaled {
        ($e:expr) => {
            $e * x[3]
        };
    }
    a * b + scaled!(a)
}

macro_rules! positive_or {
    ($x:expr, $otherwise:expr) => {
        match $x {
            value if value > 0.0 => value,
            _ => return $otherwise,
        }
    };
}

#[gradient]
fn leaving(x: &[f64]) -> f64 {
    let root = positive_or!(x[0], x[1] * x[2]).sqrt();
    root * x[3]
}

macro_rules! checked {
    ($x:expr) => {
        $x.filter(|v| *v > 0.0)?
    };
}

#[gradient]
fn question(x: &[f64]) -> Option<f64> {
    let a = checked!(Some(x[0]));
    Some(a * checked!(Some(x[2])))
}

#[gradient]
fn asked(x: &[f64]) -> f64 {
    question(x).unwrap_or(x[1] * 3.0)
}

macro_rules! count_down {
    ($from:expr, $each:expr) => {{
        let mut left = $from;
        let mut sum = 0.0;
        'all: loop {
            loop {
                if left == 0 {
                    break 'all;
                }
                left -= 1;
                if left % 2 == 0 {
                    break;
                }
                sum += $each * left as f64;
            }
        }
        sum
    }};
}

/// Labels are apart, too.
#[gradient]
fn labels(x: &[f64]) -> f64 {
    let mut s = 0.0;
    'all: for v in x {
        s += count_down!(5, {
            if *v > 2.0 {
                break 'all;
            }
            v * v
        });
    }
    s
}

/// Within closures, conditions and macros of std.
#[gradient]
fn everywhere(x: &[f64]) -> f64 {
    let k = x[1];
    let f = |t: f64| square!(t - k);
    assert!(square!(x[0]) >= 0.0, "{}", square!(x[0]));
    let all: Vec<f64> = vec![square!(x[0]), f(x[2])];
    let mut s = all[0] * all[1];
    while square!(s) > 4.0 {
        s *= 0.5;
    }
    s + x.iter().map(|v| square!(*v)).sum::<f64>()
}

#[derive(Clone, Copy, Differentiable, Record)]
struct Point {
    x: f64,
    y: f64,
}

macro_rules! moved {
    ($p:expr, $by:expr) => {{
        let Point { x, y } = $p;
        let y = y + $by;
        Point { x, y }
    }};
}

#[gradient]
fn fields(p: &[f64]) -> f64 {
    let x = p[0];
    let y = p[1];
    let q = moved!(Point { x: p[2], y: x }, y);
    q.x * q.y + x
}

#[gradient]
impl Point {
    fn turned(&self) -> f64 {
        square!(self.x) - square!(self.y)
    }
}

#[gradient]
fn methods(p: &[f64]) -> f64 {
    Point { x: p[0], y: p[1] }.turned() * p[2]
}

mod inner {
    macro_rules! square {
        ($x:expr) => {
            $x * $x * $x
        };
    }

    /// The definition in this module comes before that around it.
    #[retrograde::gradient]
    pub(super) fn cube(x: &[f64]) -> f64 {
        square!(x[0]) + horner!(x[1], x[2])
    }
}
use inner::{cube, cube_grad};

macro_rules! guarded {
    ($x:expr) => {
        #[allow(unused_variables)]
        {
            debug_assert!($x.is_finite());
            let _ = $x.is_nan();
        }
    };
}

/// Statements without a value.
#[gradient]
fn effects(x: &[f64]) -> f64 {
    guarded!(x[0]);
    guarded!(x[1]);
    x[0] * x[1]
}

const K: f64 = 3.0;

macro_rules! with_constant {
    ($x:expr) => {
        $x * K + f64::sin($x) * std::f64::consts::PI + twice($x)
    };
}

#[gradient]
fn twice(x: f64) -> f64 {
    x * 2.0
}

#[gradient]
fn names_of_the_file(x: &[f64]) -> f64 {
    with_constant!(x[0]) * x[1]
}

macro_rules! pairs {
    ($(($a:expr, $b:expr)),* ; $($k:ident: $v:expr),*) => {
        $($a * $b +)* $($v * stringify!($k).len() as f64 +)* 0.0
    };
}

#[gradient]
fn repeated(x: &[f64]) -> f64 {
    pairs!((x[0], x[1]), (x[2], x[2]); one: x[3], four: x[0]) + pairs!(;)
}

checked_by_name! {
    plain plain_grad
    captured captured_grad
    recursive recursive_grad
    arms arms_grad
    in_the_body in_the_body_grad
    statements statements_grad
    shadowed shadowed_grad
    leaving leaving_grad
    asked asked_grad
    labels labels_grad
    everywhere everywhere_grad
    fields fields_grad
    methods methods_grad
    cube cube_grad
    effects effects_grad
    names_of_the_file names_of_the_file_grad
    repeated repeated_grad
}
