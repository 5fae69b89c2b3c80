//! Values in vectors, options, boxes, structs and enums.

use retrograde::{Differentiable, Record, gradient};

use crate::types::{Nested, Resets, Swaps, check, nested};

#[gradient]
fn in_a_vector(x: f64, y: f64) -> f64 {
    let mut v = Vec::new();
    v.push(Resets { x, acc: y });
    v.push(Resets { x: y, acc: x * x });
    let mut s = 0.0;
    for k in 0..3 {
        s += v[k % 2].x * v[k % 2].acc;
        v[k % 2] = Resets {
            x: v[k % 2].acc,
            acc: v[(k + 1) % 2].x,
        };
    }
    while let Some(n) = v.pop() {
        s += n.x * n.x * n.acc;
    }
    s
}

#[gradient]
fn taken_out(v: Vec<Swaps>) -> f64 {
    let mut s = 0.0;
    for n in v {
        s += n.a * n.a * n.b;
    }
    s
}

#[gradient]
fn passed(x: f64, y: f64) -> f64 {
    let v = vec![Swaps { a: x, b: y }, Swaps { a: y, b: 2.0 * x }];
    taken_out(v) * x
}

#[gradient]
fn optional(n: Option<Swaps>, x: f64) -> f64 {
    match n {
        Some(n) => n.a * n.a * n.b * x,
        None => x,
    }
}

#[gradient]
fn in_options(x: f64, y: f64) -> f64 {
    let some = Some(Swaps { a: x * y, b: y });
    let none = None;
    optional(some, x) + optional(none, y)
}

#[gradient]
fn of_nested(n: Nested) -> f64 {
    let Nested {
        one, many, pair, ..
    } = n;
    one.x * one.acc * one.acc + many[0].a * many[1].b + pair.0.acc * pair.1[1].a * pair.1[1].b
}

#[gradient]
fn twice_nested(n: &Nested, k: usize) -> f64 {
    n.many[k].a * n.many[k].a * n.many[k].b + n.one.acc * n.one.x
}

#[test]
fn containers_hold_values() {
    check(in_a_vector, in_a_vector_grad);
    check(passed, passed_grad);
    check(in_options, in_options_grad);
    check(
        |x, y| of_nested(nested(x, y)),
        |x, y| {
            let (value, t) = of_nested_grad(nested(x, y));
            let [_, last] = &t.pair.1;
            let dx = t.one.x + t.many[0].a + t.many[1].b + t.pair.0.acc + last.b * y;
            let dy = t.one.acc + t.many[0].b + t.many[1].a * 2.0 * y + last.b * x;
            (value, (dx, dy))
        },
    );
}

/// A clone is `Off`.
#[derive(Debug, PartialEq, Differentiable, Record)]
enum Mode {
    Off,
    On { gain: f64 },
}

impl Clone for Mode {
    fn clone(&self) -> Self {
        Mode::Off
    }
}

#[derive(Debug, PartialEq, Differentiable, Record)]
struct Valve {
    mode: Mode,
    flow: f64,
}

#[gradient]
fn of_valve(valve: &Valve) -> f64 {
    let gain = valve.flow * valve.flow;
    gain * valve.flow
}

#[gradient]
fn opened(x: f64, y: f64) -> f64 {
    let mut valve = Valve {
        mode: Mode::On { gain: 2.0 },
        flow: x,
    };
    let mut s = 0.0;
    for _ in 0..3 {
        s += of_valve(&valve);
        valve = Valve {
            mode: valve.mode,
            flow: valve.flow * y,
        };
    }
    let open = no_gradient(matches!(valve.mode, Mode::On { .. }));
    if open { s } else { 0.0 }
}

#[test]
fn enums_keep_their_variant() {
    use retrograde::no_gradient;
    check(opened, opened_grad);
}

use retrograde::no_gradient;
