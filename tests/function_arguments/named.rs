//! Closures with a name that are called, which inlines them, and given to functions, which makes them functions of what
//! they capture: both see the variables of the place where the closure stands.

use retrograde::gradient;

use super::{assert_near, differences};

#[gradient]
fn twice<F: Fn(f64) -> f64>(f: F, x: f64) -> f64 {
    f(f(x))
}

/// The names mean something else where the closure is used.
#[gradient]
fn shadowed_later(k: f64, x: f64) -> f64 {
    let k = 2.0 * k;
    let f = |t: f64| k * t + 1.0;
    let k = x.sin();
    let x = 3.0;
    twice(f, k) + f(x * k) + twice(&f, x)
}

/// `move` takes what the variable has there.
#[gradient]
fn changed_later(k: f64, x: f64) -> f64 {
    let mut rate = k * x;
    let f = move |t: f64| rate * t;
    rate = rate * rate + 1.0;
    let g = move |t: f64| rate + t;
    rate *= 0.5;
    twice(f, rate) + g(f(x)) + twice(g, k)
}

/// A closure in a closure, called and given on.
#[gradient]
fn nested(k: f64, x: f64) -> f64 {
    let f = |t: f64| k * t;
    let g = |t: f64| f(t) + twice(f, t) * x;
    let h = |t: f64| g(t) * twice(g, 0.1 * t);
    h(x) + twice(|t| f(t) - h(0.1 * t), x)
}

/// One for each iteration, of an element, an array and the counter.
#[gradient]
fn in_loops(k: f64, x: f64) -> f64 {
    let rates = [k, k * x, x];
    let mut sum = 0.0;
    for i in 0..rates.len() {
        let rate = rates[i];
        let f = |t: f64| rate * t + rates[(i + 1) % 3] * i as f64;
        if i == 1 {
            sum += f(x);
            continue;
        }
        sum += twice(f, sum) + f(k);
    }
    sum
}

/// Captured by reference from a name that refers to one of two.
#[gradient]
fn chosen(k: f64, x: f64) -> f64 {
    let (a, b) = ([k, 2.0], [x, k]);
    let mut of = &a;
    if x > 1.0 {
        of = &b;
    }
    let first = of[0];
    let f = |t: f64| first * t;
    of = &b;
    twice(f, of[1]) + f(of[0])
}

/// Nothing is computed, and nothing flows.
#[gradient]
fn never_called(k: f64, x: f64) -> f64 {
    let f = |t: f64| (k - t).sqrt().ln();
    if x > 100.0 { twice(f, x) + f(k) } else { k * x }
}

#[test]
fn closures_with_names_are_called_and_given() {
    type Of = fn(f64, f64) -> f64;
    type Gradient = fn(f64, f64) -> (f64, (f64, f64));
    let all: [(Of, Gradient); 6] = [
        (shadowed_later, shadowed_later_grad),
        (changed_later, changed_later_grad),
        (nested, nested_grad),
        (in_loops, in_loops_grad),
        (chosen, chosen_grad),
        (never_called, never_called_grad),
    ];
    for (number, (f, gradient)) in all.into_iter().enumerate() {
        for (k, x) in [(0.7, 1.3), (-0.4, 0.6), (0.0, 2.0), (1.1, -0.8)] {
            let (value, (dk, dx)) = gradient(k, x);
            assert_eq!(value.to_bits(), f(k, x).to_bits(), "function {number}");
            assert_near(dk, differences(|k| f(k, x), k));
            assert_near(dx, differences(|x| f(k, x), x));
        }
    }
}
