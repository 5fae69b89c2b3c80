//! `?` in functions that return an `Option`.

use retrograde::{Tape, gradient};

use super::{Fault, root};

#[gradient]
fn maybe(x: f64) -> Option<f64> {
    if x > 0.0 { Some(x.ln()) } else { None }
}

#[gradient]
fn both(x: Option<f64>, y: f64, i: Option<usize>, v: &[f64]) -> Option<f64> {
    let x = x?;
    let v = v[i?];
    let w = maybe(x)? * v;
    let z = root(y).ok()?;
    Some(w * z + maybe(maybe(y)?)?)
}

#[test]
fn none_leaves() {
    let mut tape = Tape::new();
    let mut run = |x: Option<f64>, y: f64, i: Option<usize>| {
        let (mut dx, mut dy, mut dv) = (x.map(|_| 0.0), 0.0, [0.0, 0.0]);
        let value = both_adjoint(
            &mut tape,
            x,
            &mut dx,
            y,
            &mut dy,
            i,
            &[3.0, 5.0],
            &mut dv,
            Some(1.0),
        );
        assert_eq!(value, both(x, y, i, &[3.0, 5.0]));
        (value, dx, dy, dv)
    };
    let nothing = (None, Some(0.0), 0.0, [0.0, 0.0]);
    assert_eq!(run(None, 4.0, Some(0)), (None, None, 0.0, [0.0, 0.0]));
    assert_eq!(run(Some(2.0), 4.0, None), nothing);
    assert_eq!(run(Some(-2.0), 4.0, Some(0)), nothing);
    assert_eq!(run(Some(2.0), -4.0, Some(1)), nothing);
    assert_eq!(run(Some(2.0), 0.5, Some(1)), nothing);
    let (x, y) = (2.0_f64, 4.0_f64);
    let (value, dx, dy, dv) = run(Some(x), y, Some(1));
    let expected = x.ln() * 5.0 * y.sqrt() + y.ln().ln();
    assert_eq!(value, Some(expected));
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-14, "{a} {b}");
    close(dx.unwrap(), 5.0 * y.sqrt() / x);
    close(dy, x.ln() * 5.0 * 0.5 / y.sqrt() + 1.0 / (y * y.ln()));
    close(dv[1], x.ln() * y.sqrt());
    assert_eq!(dv[0], 0.0);
}

#[gradient]
fn unwrapped(x: f64) -> f64 {
    let y = maybe(x).unwrap_or(x * x) + maybe(3.0 + x * x).unwrap();
    if maybe(x).is_some() { y * 2.0 } else { y }
}

#[test]
fn unwrapped_calls() {
    for x in [2.0, -1.5] {
        super::support::check(|p| unwrapped(p[0]), |p| unwrapped_grad(p[0]), &[&[x]]);
    }
}

#[test]
#[should_panic]
fn nothing_to_unwrap() {
    #[gradient]
    fn forced(x: f64) -> f64 {
        maybe(x).unwrap()
    }
    forced_grad(-1.0);
}

#[gradient]
fn shifted(v: f64, by: f64) -> f64 {
    v * by
}

/// The methods of an `Option` that take a closure.
#[gradient]
fn closures(o: Option<f64>, p: Option<f64>, x: f64, v: &[f64], i: Option<usize>) -> f64 {
    let mut y = o.map_or(x, |a| a * x) + o.unwrap_or_else(|| x * x * 3.0);
    y += o.map(|a: f64| a.sin() * x).unwrap_or(2.0 * x);
    y += p.map_or_else(|| x.cos(), |b| b * b * x);
    y += o
        .and_then(|a| if a > x { Some(a - x) } else { None })
        .unwrap_or(0.5 * x);
    y *= o.or(p).map(f64::exp).unwrap_or_else(|| x.exp());
    y += o
        .or_else(|| p)
        .zip(p)
        .map_or(0.0, |(a, b)| a * b + shifted(a, x));
    y -= i.map_or(0.0, |i| v[i] * x);
    if o.is_some_and(|a| a > 1.0) {
        y * 2.0
    } else {
        y
    }
}

#[test]
fn closures_of_options_are_arms() {
    for o in [None, Some(0.5), Some(1.75)] {
        for p in [None, Some(0.25)] {
            for i in [None, Some(1)] {
                let numbers: Vec<f64> = [o, p]
                    .into_iter()
                    .flatten()
                    .chain([0.8, 1.5, 2.5])
                    .collect();
                let with = |n: &[f64]| {
                    let mut n = n.iter().copied();
                    let o = o.map(|_| n.next().unwrap());
                    let p = p.map(|_| n.next().unwrap());
                    let x = n.next().unwrap();
                    (o, p, x, n.collect::<Vec<f64>>())
                };
                super::support::check(
                    |n| {
                        let (o, p, x, v) = with(n);
                        closures(o, p, x, &v, i)
                    },
                    |n| {
                        let (o, p, x, v) = with(n);
                        closures_grad(o, p, x, &v, i)
                    },
                    &[&numbers],
                );
            }
        }
    }
}

/// What the closure changes outside of itself, and what is evaluated before it is called.
#[gradient]
fn order(o: Option<f64>, x: f64) -> f64 {
    let mut y = x;
    let z = o.map_or(
        {
            y *= 3.0;
            y * x
        },
        |a| {
            y += a * x;
            a * y
        },
    );
    let w = o.unwrap_or_else(|| {
        y *= x;
        y
    });
    y * z + w
}

#[test]
fn closures_run_in_order_and_once() {
    super::support::check(
        |p| order(Some(p[0]), p[1]),
        |p| order_grad(Some(p[0]), p[1]),
        &[&[0.7, 1.3]],
    );
    super::support::check(|p| order(None, p[0]), |p| order_grad(None, p[0]), &[&[1.3]]);
}

#[gradient]
fn mapped(x: f64) -> Result<f64, String> {
    let y = root(x).map(|v| v * v * x).map_err(|e| e.to_string())?;
    root(y).map(|v| v + y).map_err(|_| "second".to_owned())
}

#[test]
fn results_are_mapped() {
    super::support::check(
        |p| mapped(p[0]).unwrap(),
        |p| mapped_grad(p[0]).unwrap(),
        &[&[1.7]],
    );
    assert_eq!(mapped_grad(-1.0).unwrap_err(), mapped(-1.0).unwrap_err());
}

/// What the arguments change is not what the method has.
#[gradient]
fn overwritten(o: &mut Option<f64>, x: f64, y: f64) -> f64 {
    let mut own = Some(x);
    let a = own.unwrap_or({
        own = Some(y * 4.0);
        y
    });
    let b = own.map_or(
        {
            own = Some(x * x);
            1.0
        },
        |e| e * x,
    );
    let c = own.zip({
        own = None;
        Some(y)
    });
    let d = own.map(|e| e * 3.0).unwrap_or(a);
    let mut other = Some(y);
    let e = other.map(|e| {
        other = Some(e * x);
        e + 1.0
    });
    let f = o.unwrap_or({
        *o = Some(7.0 * y);
        y
    });
    a * b * c.map_or(0.0, |(p, q)| p * q) + d * e.unwrap_or(x) * f + other.unwrap_or(y)
}

#[gradient]
fn overwriting(p: &[f64]) -> f64 {
    let mut o = Some(p[2] * p[0]);
    overwritten(&mut o, p[0], p[1]) * o.unwrap_or(p[0])
}

#[test]
fn a_method_has_the_option_from_before_its_arguments() {
    super::support::check(overwriting, overwriting_grad, &[&[0.7, 1.3, 0.4]]);
}

#[gradient]
fn combined(a: Option<f64>, b: Option<f64>, x: f64) -> f64 {
    let mut y = a.filter(|t| *t > x).map_or(x, |t| t * x);
    y += a.filter(|&t| t < 2.0).unwrap_or(x * x);
    y *= a.and(b).unwrap_or(3.0 * x);
    y + a.xor(b).map_or(x, f64::sin)
}

#[test]
fn filter_and_and_xor() {
    let h = 1e-6;
    for (a, b) in [
        (Some(0.5), Some(1.5)),
        (Some(3.0), None),
        (None, Some(0.25)),
        (None, None),
    ] {
        for x in [0.25, 1.0] {
            let (value, (da, db, dx)) = combined_grad(a, b, x);
            assert_eq!(value, combined(a, b, x));
            let close = |got: f64, f: &dyn Fn(f64) -> f64| {
                let want = (f(h) - f(-h)) / (2.0 * h);
                assert!((got - want).abs() < 1e-7, "{a:?} {b:?} {x}: {got} {want}");
            };
            close(dx, &|h| combined(a, b, x + h));
            close(da.unwrap_or(0.0), &|h| combined(a.map(|a| a + h), b, x));
            close(db.unwrap_or(0.0), &|h| combined(a, b.map(|b| b + h), x));
        }
    }
}
