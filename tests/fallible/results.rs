//! `match`, `if let`, `let … else`, `unwrap` and its relatives on what calls yield.

use retrograde::gradient;

use super::support::check;
use super::{Fault, root};

#[gradient]
fn matched(x: f64, y: f64) -> f64 {
    match root(x) {
        Ok(v) if v > 3.0 => v * y,
        Ok(v) => v + y,
        Err(Fault::Negative(_)) => x * y,
        Err(Fault::Text(text)) if text.len() > 100 => 0.0,
        Err(_) => y,
    }
}

#[test]
fn arms_for_values_and_for_errors() {
    for p in [[16.0, 2.0], [4.0, 3.0], [-2.0, 5.0]] {
        check(|p| matched(p[0], p[1]), |p| matched_grad(p[0], p[1]), &[&p]);
    }
    assert_eq!(matched_grad(0.0, 5.0), (5.0, (0.0, 1.0)));
}

#[gradient]
fn rethrown(x: f64) -> Result<f64, String> {
    let a = match root(x) {
        Ok(v) => v * x,
        Err(Fault::Small) => 1.0,
        Err(e) => return Err(format!("first: {e}")),
    };
    let b = if let Ok(b) = root(x - 1.0) { b * a } else { x };
    let Ok(c) = root(x + 1.0) else {
        return Err("no third".to_owned());
    };
    if let Err(e) = root(x - 0.5) {
        return Err(format!("fourth: {e}"));
    }
    root(a + b + c).map_err(|e| format!("last: {e}"))
}

#[test]
fn errors_move_out_of_arms() {
    for x in [4.0, 0.75, 1.5] {
        check(
            |p| rethrown(p[0]).unwrap(),
            |p| rethrown_grad(p[0]).unwrap(),
            &[&[x]],
        );
    }
    for x in [-0.5, 0.0, 0.25, 0.5, -3.0] {
        assert_eq!(rethrown_grad(x).unwrap_err(), rethrown(x).unwrap_err());
    }
}

#[gradient]
fn asked(x: f64) -> f64 {
    let mut y = root(x).unwrap_or(3.0 * x) + root(4.0).unwrap() * x;
    if root(x - 1.0).is_ok() {
        y += root(x).expect("it is positive");
    }
    if root(x + 1.0).is_err() {
        y *= x;
    }
    y
}

#[test]
fn unwrapped_and_asked() {
    for x in [4.0, 0.5, -0.5, -2.0] {
        check(|p| asked(p[0]), |p| asked_grad(p[0]), &[&[x]]);
    }
}

#[gradient]
fn nested(x: f64, y: f64) -> Result<f64, Fault> {
    match (x > 0.0, y > 0.0) {
        (true, true) => {
            if x > y {
                root(x - y)
            } else {
                Ok(match root(y) {
                    Ok(v) => match root(v - 1.0) {
                        Ok(w) => v * w * x,
                        Err(inner) => return Err(inner),
                    },
                    Err(outer) => return Err(outer),
                })
            }
        }
        (false, true) => Err(Fault::Small),
        _ => {
            let z = root(x)?;
            return Ok(z * y);
        }
    }
}

#[test]
fn results_at_the_ends_of_branches() {
    for p in [[4.0, 3.0], [2.0, 9.0], [3.0, -1.0]] {
        check(
            |p| nested(p[0], p[1]).unwrap(),
            |p| nested_grad(p[0], p[1]).unwrap(),
            &[&p],
        );
    }
    for (x, y) in [(-1.0, 1.0), (-1.0, -1.0), (0.0, -1.0), (0.1, 0.5)] {
        assert_eq!(nested_grad(x, y).unwrap_err(), nested(x, y).unwrap_err());
    }
}

/// The result of a loop that only returns ends.
#[gradient]
fn solved(a: f64) -> Result<f64, &'static str> {
    let mut x = a;
    let mut n = 0;
    loop {
        let next = 0.5 * (x + a / x);
        if (next - x).abs() < 1e-14 {
            return Ok(next);
        }
        n += 1;
        if n > 60 {
            return Err("does not converge");
        }
        x = next;
    }
}

#[test]
fn a_loop_that_ends_by_returning() {
    let (value, gradient) = solved_grad(2.0).unwrap();
    assert!(
        (value - 2.0_f64.sqrt()).abs() < 1e-14 && (gradient - 0.5 / 2.0_f64.sqrt()).abs() < 1e-10
    );
    assert_eq!(solved_grad(-1.0).unwrap_err(), solved(-1.0).unwrap_err());
}

// A code that is a number carries no derivative, and none is lost where it counts.

#[gradient]
fn coded(x: f64) -> Result<f64, u32> {
    if x < 0.0 {
        return Err(7);
    }
    if x > 9.0 { Err(2) } else { Ok(x * x) }
}

#[gradient]
fn by_code(x: f64, y: f64) -> f64 {
    let mut z = match coded(x) {
        Ok(v) => v * y,
        Err(k) => y * ((k % 4) as f64),
    };
    if let Err(k) = coded(x + 1.0) {
        z *= k as f64;
    }
    let w = match coded(y) {
        Err(7) => x * x,
        Err(k) if k > 1 => x * f64::from(k),
        Ok(v) => v,
        Err(_) => 0.0,
    };
    let mut s = z;
    for _ in 0..coded(x).err().unwrap_or(1) {
        s = 0.1 * s + (0.05 * w).sin();
    }
    s + z
}

#[test]
fn codes_of_errors_are_numbers() {
    for p in [
        [2.0, 3.0],
        [-2.0, 5.0],
        [-0.5, -1.0],
        [8.5, 0.4],
        [10.0, 10.0],
    ] {
        check(|p| by_code(p[0], p[1]), |p| by_code_grad(p[0], p[1]), &[&p]);
    }
    assert_eq!(by_code_grad(10.0, 2.0).0, by_code(10.0, 2.0));
}

/// Loops that go on while a call yields a value, or an error, and that are left in other ways, too.
#[gradient]
fn while_ok(x: f64, y: f64) -> f64 {
    let mut at = x;
    let mut sum = 0.0;
    'rows: for k in 0..3 {
        while let Ok(v) = root(at) {
            at = v - y;
            if v > 3.0 {
                continue;
            }
            sum += v * (k as f64 + 1.0);
            if v < 0.2 {
                break;
            }
            if sum > 9.0 {
                break 'rows;
            }
        }
        while let Err(_) = root(at) {
            at += y * y;
            sum -= at * 0.3;
        }
        at *= 0.5;
    }
    sum * at
}

#[test]
fn loops_go_on_while_there_is_a_value() {
    for p in [
        [16.0, 0.7],
        [2.0, 1.5],
        [-1.0, 0.9],
        [40.0, 0.3],
        [1.0, 2.0],
    ] {
        check(
            |p| while_ok(p[0], p[1]),
            |p| while_ok_grad(p[0], p[1]),
            &[&p],
        );
    }
}
