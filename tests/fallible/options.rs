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
