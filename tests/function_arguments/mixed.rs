//! Functions as arguments beside loops, searches, regions and exits.

use retrograde::gradient;

use super::outcomes::{Of, Taken, compare};

#[gradient]
fn tw<F: Fn(f64) -> f64>(f: F, x: f64) -> f64 {
    f(f(x))
}

#[gradient]
fn simp<F: Fn(f64) -> f64>(f: F, a: f64, b: f64, n: usize) -> f64 {
    let h = (b - a) / n as f64;
    let mut s = 0.0;
    for i in 0..n {
        let l = a + i as f64 * h;
        s += h / 6.0 * (f(l) + 4.0 * f(l + 0.5 * h) + f(l + h));
    }
    s
}

#[gradient]
fn dy(f: &dyn Fn(f64) -> f64, x: f64) -> f64 {
    let mut y = x;
    for _ in 0..3 {
        y = f(y) * 0.5;
    }
    y
}

#[gradient]
fn comp<F: Fn(f64) -> f64>(f: &F, x: f64, n: usize) -> f64 {
    if n == 0 { x } else { f(comp(f, x, n - 1)) }
}

#[gradient]
fn inpl<F: Fn(&mut f64, f64)>(f: F, v: &mut [f64]) {
    for i in 0..v.len() {
        let t = v[0];
        f(&mut v[i], t);
    }
}

#[gradient]
fn mem<F: FnMut(f64) -> f64>(mut f: F, x: &[f64]) -> f64 {
    let mut s = 0.0;
    for &v in x {
        s += f(v) * s + 1.0;
    }
    s
}

#[gradient]
fn sq(x: f64) -> f64 {
    x * x
}

#[gradient]
fn grid<F: Fn(usize, usize) -> f64>(f: F, n: usize) -> f64 {
    let mut m = f64::NEG_INFINITY;
    for i in 0..n {
        for j in 0..i {
            m = m.max(f(i, j));
        }
    }
    m
}

#[gradient]
fn tw2<F: Fn(f64) -> f64>(f: F, x: f64) -> f64 {
    f(f(x))
}

/// An integral whose bounds and integrand belong to one around it.
#[gradient]
fn nested_integrals(x: &[f64]) -> f64 {
    let a = x[0];
    simp(
        |t| simp(|u| (t * u * a).sin() + x[1] * u, 0.0, t * a, 2),
        x[2],
        x[3],
        3,
    )
}

/// By `&dyn Fn`, of a sum that grows.
#[gradient]
fn changing_captures(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += dy(&|t| t * x[i] + s, x[i]);
    }
    s
}

/// By recursion.
#[gradient]
fn recursive(x: &[f64]) -> f64 {
    let c = [x[0], x[1]];
    comp(&|t| t * c[0] + c[1].sin(), x[2], 5)
}

/// Writes to elements that the next call reads.
#[gradient]
fn in_place(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    inpl(|a: &mut f64, t: f64| *a = *a * t + x[1], &mut v);
    inpl(
        |a: &mut f64, t: f64| {
            if *a > t {
                *a -= t * x[0];
            } else {
                *a *= x[2];
            }
        },
        &mut v[1..],
    );
    v.iter().sum()
}

/// Loops that are left and continued around calls.
#[gradient]
fn leaving_loops(x: &[f64]) -> f64 {
    let mut s = x[0];
    for i in 0..x.len() {
        let c = s * x[i];
        if c > 2.0 {
            s = tw(|t| t - c * 0.1, s);
            continue;
        }
        s = tw(
            |t| {
                if t < 0.0 {
                    return t * c;
                }
                t + c * 0.2
            },
            s,
        );
        if s > 5.0 {
            break;
        }
    }
    s
}

/// In a region that runs twice.
#[gradient]
fn in_regions(x: &[f64]) -> f64 {
    let mut s = x[0];
    #[checkpoint]
    for i in 0..x.len() {
        let k = x[i];
        s = tw(|t| (0.3 * t * k).sin() + s, s);
    }
    s
}

/// A closure, a function of the language, and one with a derivative.
#[gradient]
fn three_functions(x: &[f64]) -> f64 {
    mem(|t| t * x[0], x) + mem(f64::cos, x) + mem(sq, &x[1..3])
}

/// A search over what the function yields.
#[gradient]
fn searched(x: &[f64]) -> f64 {
    let g = grid(|i, j| x[i] * x[j] + (i as f64) * 0.1, x.len());
    if g.is_finite() { g } else { 0.0 }
}

/// Called and given on in each iteration.
#[gradient]
fn of_the_iteration(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        let f = |t: f64| if t > 0.5 { t * x[i] } else { s * t };
        s = tw2(&f, x[i]) * 0.5 + f(s);
    }
    s
}

/// Closures in closures in closures.
#[gradient]
fn deep(x: &[f64]) -> f64 {
    let f = |t: f64| {
        let g = |u: f64| {
            let h = |w: f64| w * t * u;
            h(x[0]) + h(u)
        };
        tw2(g, t)
    };
    f(x[1]) + tw2(f, x[2] * 0.3)
}

/// Leaves a loop of its own.
#[gradient]
fn leaving(x: &[f64]) -> f64 {
    let f = |t: f64| -> f64 {
        for &v in x {
            if v * t > 1.0 {
                return v * t;
            }
        }
        t * 0.5
    };
    tw2(f, x[0]) + f(2.0)
}

#[test]
fn values_and_gradients() {
    compare(
        |x| nested_integrals(x).value(),
        |x| nested_integrals_grad(x).outcome(),
    );
    compare(
        |x| changing_captures(x).value(),
        |x| changing_captures_grad(x).outcome(),
    );
    compare(|x| recursive(x).value(), |x| recursive_grad(x).outcome());
    compare(|x| in_place(x).value(), |x| in_place_grad(x).outcome());
    compare(
        |x| leaving_loops(x).value(),
        |x| leaving_loops_grad(x).outcome(),
    );
    compare(|x| in_regions(x).value(), |x| in_regions_grad(x).outcome());
    compare(
        |x| three_functions(x).value(),
        |x| three_functions_grad(x).outcome(),
    );
    compare(|x| searched(x).value(), |x| searched_grad(x).outcome());
    compare(
        |x| of_the_iteration(x).value(),
        |x| of_the_iteration_grad(x).outcome(),
    );
    compare(|x| deep(x).value(), |x| deep_grad(x).outcome());
    compare(|x| leaving(x).value(), |x| leaving_grad(x).outcome());
}

// What a `move` closure takes, it keeps as it was.

#[gradient]
fn moved_array(x: &[f64]) -> f64 {
    let mut p = [x[0], x[1]];
    p[0] *= x[2];
    let a = tw(move |t| (0.1 * t * p[0] + p[1]).sin(), x[1]);
    p[1] *= a;
    p[0] = a;
    let b = tw(move |t| (t * p[0]).sin(), p[1]);
    p[0] * p[1] + b
}

#[gradient]
fn moved_vector(x: &[f64]) -> f64 {
    let mut s = x[0];
    let mut v = x.to_vec();
    for i in 0..3 {
        v[i % 2] *= s.cos();
        let a = simp(move |t| (t * v[0]).sin() + v[1], 0.0, x[2], 2);
        v = vec![a.sin(), x[1], s];
        s = (0.1 * s + a + v[0]).sin();
    }
    s * v[2]
}

/// The same with what the closure takes under names of their own.
#[gradient]
fn moved_vector_named(x: &[f64]) -> f64 {
    let mut s = x[0];
    let mut v = x.to_vec();
    for i in 0..3 {
        v[i % 2] *= s.cos();
        let (first, second) = (v[0], v[1]);
        let a = simp(|t| (t * first).sin() + second, 0.0, x[2], 2);
        v = vec![a.sin(), x[1], s];
        s = (0.1 * s + a + v[0]).sin();
    }
    s * v[2]
}

#[test]
fn what_is_moved_stays_as_it_was() {
    compare(
        |x| moved_array(x).value(),
        |x| moved_array_grad(x).outcome(),
    );
    compare(
        |x| moved_vector(x).value(),
        |x| moved_vector_grad(x).outcome(),
    );
    for x in [[0.7, 1.3, 2.1], [-1.2, 0.4, 0.9]] {
        assert_eq!(moved_vector_grad(&x), moved_vector_named_grad(&x));
    }
}
