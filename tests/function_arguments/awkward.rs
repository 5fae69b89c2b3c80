//! What is easily got wrong: names, exits, effects, values that change, predicates, errors.

use retrograde::{Differentiable, Record, differentiable, gradient};

use super::{assert_near, differences};

/// A trait with methods of the names that generated code uses.
trait Names {
    fn forward(&self) -> f64;
    fn reverse(&self) -> f64;
    fn value(&self) -> f64;
    fn argument(&self) -> f64;
}

impl<T> Names for T {
    fn forward(&self) -> f64 {
        unreachable!()
    }
    fn reverse(&self) -> f64 {
        unreachable!()
    }
    fn value(&self) -> f64 {
        unreachable!()
    }
    fn argument(&self) -> f64 {
        unreachable!()
    }
}

#[gradient]
fn twice<F: Fn(f64) -> f64>(f: F, x: f64) -> f64 {
    f(f(x))
}

#[gradient]
fn sum<F: Fn(usize) -> f64>(f: F, n: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..n {
        sum += f(i);
    }
    sum
}

/// Names of generated code as those of the user's: functions, parameters, captures.
#[gradient]
fn argument(captured: f64, args: f64, tape: f64, seed: f64, bars: f64) -> f64 {
    let arg0 = captured * args;
    let captured0 = tape * seed;
    twice(
        |bar0| bar0 * captured * args + tape * seed + arg0 * bars + captured0,
        args,
    )
}

#[gradient]
fn forward(value: f64, reverse: f64) -> f64 {
    let adjoint = value * reverse;
    twice(|forward| forward * value + adjoint, reverse)
}

#[gradient]
fn of_names(x: f64) -> f64 {
    let a = argument(x, 2.0, x * x, 0.5, 1.0);
    let two = |value, reverse| forward(value, reverse);
    a * two(x, a) + x
}

/// Elements and counters of loops, slices of slices, no parameters.
#[gradient]
fn of_indices(w: &[f64], x: f64, n: usize) -> f64 {
    let mut total = 0.0;
    for k in 0..n {
        let row = &w[k..];
        let scale = || x * w[k];
        total += sum(|i| row[0] * (i + k) as f64 * x, k) * scale();
        if total > 100.0 {
            break;
        }
    }
    total
}

/// Exits inside of closures and behind them.
#[gradient]
fn exits(k: f64, x: f64) -> f64 {
    let f = |t: f64| {
        if t < 0.5 {
            return k * t;
        }
        let mut y = t;
        for i in 0..3 {
            y *= k;
            if y < 0.1 {
                break;
            }
        }
        y + k
    };
    let y = f(x);
    if y > 1.0 {
        return twice(f, y) + x;
    }
    y * twice(f, x)
}

/// Conditions, indices and counts by functions.
#[gradient]
fn conditions<F: Fn(f64) -> f64, P: Fn(f64) -> bool>(f: F, p: P, x: f64) -> f64 {
    let mut y = x;
    let mut n = 0;
    while f(y) < 4.0 && n < 10 {
        y += 0.5;
        n += 1;
    }
    if p(y) { f(y) * n as f64 } else { y }
}

#[gradient]
fn of_conditions(k: f64, x: f64) -> f64 {
    conditions(|t| t * t * k, |t| t * k > 0.5, x)
}

/// In and out beside a function, and the same array twice.
#[gradient]
fn fill<F: Fn(f64, &[f64]) -> f64>(f: F, out: &mut [f64], from: &[f64]) {
    for i in 0..out.len() {
        out[i] = f(out[i], from) * out[i];
    }
}

#[gradient]
fn of_arrays(k: f64, x: f64) -> f64 {
    let from = [x, k, x * k];
    let mut out = [k, x];
    fill(
        |t, v: &[f64]| t * v[0] + from[2] * v[1] + k,
        &mut out,
        &from,
    );
    let mut again = out;
    fill(
        |t: f64, v: &[f64]| -> f64 { t * out[1] + v.len() as f64 * from[0] },
        &mut again,
        &from[1..],
    );
    out[0] * out[1] + again[0] * again[1]
}

/// Captures behind `move` keep what they had.
#[gradient]
fn moved(mut k: f64, x: f64) -> f64 {
    let f = move |t: f64| k * t;
    k = 2.0 * f(x);
    let g = move |t: f64| k + t;
    k *= x;
    f(x) + twice(g, k) * twice(f, k)
}

/// In a region that runs twice.
#[gradient]
fn regions(k: f64, x: f64, n: usize) -> f64 {
    let mut y = x;
    #[checkpoint]
    for i in 0..n {
        let c = y * k;
        y = twice(|t| t * k + c * 0.1 * i as f64, y);
    }
    y
}

#[derive(Clone, Copy, Differentiable, Record)]
struct Spring {
    stiffness: f64,
    rest: f64,
}

#[gradient]
impl Spring {
    fn force(&self, x: f64) -> f64 {
        self.stiffness * (self.rest - x)
    }

    fn twice_in(&self, x: f64) -> f64 {
        let (k, rest) = (self.stiffness, self.rest);
        twice(|t| k * (rest - t), x) + twice(|t| self.force(t) * self.rest, x)
    }

    fn moving(&mut self, x: f64) -> f64 {
        let mut pull = |t: f64| {
            self.rest += t * self.stiffness;
            self.rest
        };
        let y = pull(x) * pull(2.0 * x);
        y + Self::scaled(self.rest, 3.0)
    }

    fn scaled(x: f64, by: f64) -> f64 {
        twice(
            |t| {
                Self {
                    stiffness: x,
                    rest: by,
                }
                .force(t)
            },
            by,
        )
    }
}

#[gradient]
fn of_structs(s: &Spring, t: Spring, x: f64) -> f64 {
    twice(|x| s.force(x) + t.stiffness * x, x) + twice(|x| Spring::force(&t, x), x) * s.twice_in(x)
}

#[gradient]
fn of_moving(k: f64, x: f64) -> f64 {
    let mut s = Spring {
        stiffness: k,
        rest: x,
    };
    let y = s.moving(x * k);
    y * s.rest
}

#[gradient]
fn map_spring(f: impl Fn(&Spring, f64) -> Spring, s: Spring, x: f64) -> f64 {
    let t = f(&s, x);
    t.stiffness * t.rest
}

#[gradient]
fn stretched(s: &Spring, by: f64) -> Spring {
    Spring {
        stiffness: s.stiffness * by,
        rest: s.rest + by,
    }
}

#[gradient]
fn of_stretched(s: Spring, x: f64) -> f64 {
    map_spring(stretched, s, x)
        + map_spring(|s: &Spring, b: f64| -> Spring { stretched(s, b * b) }, s, x)
}

/// `Result`.
#[gradient]
fn checked<F: Fn(f64) -> Result<f64, String>>(f: F, x: f64) -> Result<f64, String> {
    let y = f(x)?;
    let z = f(y * x)?;
    Ok(y * z)
}

#[gradient]
fn root(x: f64) -> Result<f64, String> {
    if x < 0.0 {
        return Err(format!("negative"));
    }
    Ok(x.sqrt())
}

#[gradient]
fn of_root(x: f64) -> Result<f64, String> {
    let y = checked(root, x)?;
    Ok(y * x)
}

/// Constants alone, whose derivative nobody needs.
#[gradient]
fn passive(x: f64, n: usize) -> f64 {
    let c = twice(|t| t * 0.5 + n as f64, 2.0);
    let m = sum(|i: usize| i as f64, n) as usize;
    x * c + m as f64
}

macro_rules! with_function {
    ($name:ident, $x:ident, $f:expr) => {
        #[gradient]
        fn $name($x: f64, k: f64) -> f64 {
            twice($f, $x) * k + twice(|t| t * k, $x)
        }
    };
}

with_function!(by_macro, x, |t: f64| t * t);

#[track_caller]
fn compare(f: impl Fn(f64, f64) -> f64, got: (f64, (f64, f64)), a: f64, b: f64) {
    assert_eq!(got.0.to_bits(), f(a, b).to_bits());
    assert_near(got.1.0, differences(|a| f(a, b), a));
    assert_near(got.1.1, differences(|b| f(a, b), b));
}

#[test]
fn names_of_generated_code() {
    for x in [0.3, -0.6] {
        let (value, dx) = of_names_grad(x);
        assert_eq!(value.to_bits(), of_names(x).to_bits());
        assert_near(dx, differences(of_names, x));
    }
    compare(by_macro, by_macro_grad(0.7, 1.2), 0.7, 1.2);
}

#[test]
fn indices() {
    let (w, x) = ([0.3, 1.2, -0.4, 0.8], 0.7);
    for n in 0..5 {
        let (value, (dw, dx)) = of_indices_grad(&w, x, n);
        assert_eq!(value.to_bits(), of_indices(&w, x, n).to_bits());
        assert_near(dx, differences(|x| of_indices(&w, x, n), x));
        for k in 0..4 {
            let at = |v| {
                let mut w = w;
                w[k] = v;
                of_indices(&w, x, n)
            };
            assert_near(dw[k], differences(at, w[k]));
        }
    }
}

#[test]
fn exits_and_conditions() {
    for (k, x) in [(0.4, 0.2), (1.3, 0.8), (1.3, 0.3), (0.2, 0.9)] {
        compare(exits, exits_grad(k, x), k, x);
        compare(of_conditions, of_conditions_grad(k, x), k, x);
    }
}

#[test]
fn arrays_moves_and_regions() {
    for (k, x) in [(0.4, 0.2), (1.3, 0.8), (-0.7, 0.3)] {
        compare(of_arrays, of_arrays_grad(k, x), k, x);
        compare(moved, moved_grad(k, x), k, x);
        for n in [0, 1, 4] {
            compare(|k, x| regions(k, x, n), regions_grad(k, x, n), k, x);
        }
    }
}

#[test]
fn structs() {
    let (s, t, x) = (
        Spring {
            stiffness: 0.7,
            rest: 0.3,
        },
        Spring {
            stiffness: 1.1,
            rest: -0.4,
        },
        0.6,
    );
    let (value, (ds, dt, dx)) = of_structs_grad(&s, t, x);
    assert_eq!(value.to_bits(), of_structs(&s, t, x).to_bits());
    assert_near(
        ds.stiffness,
        differences(|k| of_structs(&Spring { stiffness: k, ..s }, t, x), 0.7),
    );
    assert_near(
        ds.rest,
        differences(|r| of_structs(&Spring { rest: r, ..s }, t, x), 0.3),
    );
    assert_near(
        dt.stiffness,
        differences(|k| of_structs(&s, Spring { stiffness: k, ..t }, x), 1.1),
    );
    assert_near(
        dt.rest,
        differences(|r| of_structs(&s, Spring { rest: r, ..t }, x), -0.4),
    );
    assert_near(dx, differences(|x| of_structs(&s, t, x), x));
    compare(of_moving, of_moving_grad(0.4, 0.7), 0.4, 0.7);
    let (value, (ds, dx)) = of_stretched_grad(s, x);
    assert_eq!(value.to_bits(), of_stretched(s, x).to_bits());
    assert_near(
        ds.rest,
        differences(|r| of_stretched(Spring { rest: r, ..s }, x), 0.3),
    );
    assert_near(dx, differences(|x| of_stretched(s, x), x));
}

#[test]
fn results() {
    for x in [0.4, 2.0] {
        let (value, dx) = of_root_grad(x).unwrap();
        assert_eq!(value.to_bits(), of_root(x).unwrap().to_bits());
        assert_near(dx, differences(|x| of_root(x).unwrap(), x));
    }
    assert_eq!(of_root_grad(-1.0), Err("negative".to_owned()));
    assert_eq!(
        checked_grad(differentiable!(root), -1.0),
        Err("negative".to_owned())
    );
}

#[test]
fn constants() {
    let (value, dx) = passive_grad(3.0, 4);
    assert_eq!((value, dx), (passive(3.0, 4), 6.5));
}

mod plain {
    pub fn bell(x: f64) -> f64 {
        x
    }
}

mod with_derivative {
    #[retrograde::gradient]
    pub fn bell(x: f64) -> f64 {
        2.0 * x
    }
}

mod mixed {
    use super::plain::bell;
    use super::twice;
    use super::with_derivative::*;

    #[retrograde::gradient]
    pub fn applied(x: f64) -> f64 {
        // The function is the plain one, what carries a derivative the other one's.
        twice(bell, x)
    }
}

#[test]
#[should_panic(expected = "shadows")]
fn a_plain_function_that_shadows_one_with_a_derivative() {
    let _ = mixed::applied_grad(1.0);
}

/// Closures that write to what they capture, called here.
#[gradient]
fn written(x: f64, c: &[f64], buffer: &mut [f64]) -> f64 {
    let mut sum = x;
    let mut calls = 0;
    let mut values = vec![x; 2];
    let mut next = |c: f64| {
        sum = sum * x + c;
        calls += 1;
        values.push(sum);
        buffer[0] += sum * c;
        sum
    };
    let mut last = 0.0;
    for i in 0..c.len() {
        if i == 3 {
            break;
        }
        last = next(c[i]) * last + c[i];
    }
    let mut twice = |t: f64| {
        next(t);
        next(t * x)
    };
    let end = twice(last) + twice(x);
    sum * values[0] * values[values.len() - 1] + end * calls as f64 + values[2] * buffer[0]
}

#[gradient]
fn of_written(x: f64, y: f64) -> f64 {
    let mut buffer = [y, x];
    written(x, &[y, 0.3 * x, 0.5, 2.0], &mut buffer) * buffer[0]
}

#[test]
fn closures_that_write() {
    for (x, y) in [(0.4, 0.7), (-0.3, 0.2)] {
        compare(of_written, of_written_grad(x, y), x, y);
    }
}
