//! Other traits that do what nobody expects, and methods named like those of the runtime and of std.

use std::cmp::Ordering;

use retrograde::{Differentiable, Record, gradient, no_gradient};

use crate::types::check;

/// Equal where the second number is the other's first; less where it is greater.
#[derive(Debug, Differentiable, Record)]
struct Compared {
    x: f64,
    y: f64,
}

impl PartialEq for Compared {
    fn eq(&self, other: &Self) -> bool {
        self.y == other.x
    }
}

impl PartialOrd for Compared {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        other.x.partial_cmp(&self.x)
    }
}

#[gradient]
fn compared(x: f64, y: f64) -> f64 {
    let (p, q) = (Compared { x, y }, Compared { x: y, y: x });
    let r = if p == q { p.x * q.y } else { p.x * p.y * q.x };
    if p < q { r * p.y } else { r * q.y * q.y }
}

/// Forgets its numbers when it is dropped.
#[derive(Debug, Differentiable, Record)]
struct Dropped {
    x: f64,
    y: f64,
}

impl Drop for Dropped {
    fn drop(&mut self) {
        (self.x, self.y) = (0.0, 77.0);
    }
}

#[gradient]
fn dropped(x: f64, y: f64) -> f64 {
    let mut d = Dropped { x, y };
    let mut s = 0.0;
    for _ in 0..3 {
        s += d.x * d.y;
        d = Dropped { x: d.y * x, y: d.x };
    }
    let mut v = vec![d, Dropped { x: y, y: x }];
    let last = v.pop().unwrap();
    v.push(Dropped {
        x: last.x * last.y,
        y,
    });
    s * v[0].x + v[1].x * last.y
}

/// The default is not zero.
#[derive(Clone, Debug, Differentiable, Record)]
#[differentiable(tangent = Self)]
struct Defaulted {
    x: f64,
    y: f64,
}

impl Default for Defaulted {
    fn default() -> Self {
        Defaulted { x: 3.0, y: 5.0 }
    }
}

#[gradient]
fn taken(x: f64, y: f64) -> f64 {
    let mut d = Defaulted { x, y };
    for _ in 0..3 {
        let e = std::mem::take(&mut d);
        d = Defaulted {
            x: e.x * e.y + d.x,
            y: d.y * x,
        };
    }
    d.x * d.y
}

#[gradient]
fn assigned_late(x: f64, y: f64) -> f64 {
    let d;
    if x > 0.5 {
        return x * y;
    }
    if y > 0.65 {
        d = Defaulted { x, y };
    } else {
        d = Defaulted { x: y, y: x };
    }
    d.x * d.x * d.y
}

/// Has methods with the names of those that generated code calls.
#[derive(Debug, Differentiable, Record)]
struct Named {
    x: f64,
    y: f64,
}

impl Named {
    fn duplicate(&self) -> Named {
        Named { x: 0.0, y: 0.0 }
    }

    fn is_duplicate(&self) -> bool {
        false
    }

    fn copy(&self) -> Named {
        self.duplicate()
    }

    fn zero_tangent(&self) -> f64 {
        3.0
    }

    fn check(&self) {
        unreachable!();
    }
}

#[derive(Debug, Differentiable, Record)]
struct Around {
    one: Named,
    more: Vec<Named>,
}

#[gradient]
fn named(x: f64, y: f64) -> f64 {
    let one = Named { x, y };
    let more = vec![Named { x: y, y: x }];
    let mut all = Around { one, more };
    for _ in 0..2 {
        let old = all;
        let one = Named {
            x: old.more[0].x * old.one.y,
            y: old.one.x,
        };
        all = Around {
            one,
            more: old.more,
        };
    }
    all.one.x * all.one.y * all.more[0].y
}

/// Floats that are constants, and what they are multiplied with.
#[derive(Debug, Differentiable, Record)]
struct Scaled {
    #[constant]
    factor: f64,
    x: f64,
}

#[gradient]
fn scaled(x: f64, y: f64) -> f64 {
    let c = Scaled {
        factor: no_gradient(2.0),
        x,
    };
    let d = Scaled {
        factor: no_gradient(c.factor * 2.0),
        x: c.x * y,
    };
    no_gradient(d.factor) * d.x * d.x
}

#[test]
fn traits_and_methods_of_ones_own() {
    check(compared, compared_grad);
    check(dropped, dropped_grad);
    check(taken, taken_grad);
    check(assigned_late, assigned_late_grad);
    check(named, named_grad);
    check(scaled, scaled_grad);
}

mod shadowing {
    //! Types with the names of those of std, and aliases with the names of other types. One called `Vec` is refused,
    //! `tests/ui/rustc`.

    use retrograde::{Differentiable, Record, gradient};

    type Wide = f64;
    #[allow(non_camel_case_types)]
    type u32 = f64;

    #[derive(Debug, Differentiable, Record)]
    pub(super) struct String {
        x: Wide,
        y: u32,
    }

    #[gradient]
    pub(super) fn own_string(x: f64, y: f64) -> f64 {
        let v: String = String { x, y };
        v.x * v.y * v.y
    }

    #[gradient]
    pub(super) fn alias(x: f64, y: f64) -> f64 {
        let v: u32 = x * y;
        v * v * x
    }
}

#[test]
fn types_named_like_others() {
    use shadowing::{alias, alias_grad, own_string, own_string_grad};
    check(own_string, own_string_grad);
    check(alias, alias_grad);
}
