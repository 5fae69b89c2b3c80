//! Calls with outputs: a callee that need not put back what it wrote, and callers that read what was there before.
//! Gradients are those of differences, and of the same functions without transformations, in which each callee puts
//! back everything.

use retrograde::{Tape, gradient};

use crate::support::{assert_close, differences};
use crate::twins::{agree, both, near, numbers, twins};

/// Of a chain of differential equations. Its reverse sweep reads nothing of what it writes.
#[gradient]
fn slope(x: &[f64], y: &[f64], z: &mut [f64]) {
    z[0] = x[0];
    for i in 1..y.len() {
        z[i] = x[i] * y[i - 1];
    }
}

/// Adds to two elements.
#[gradient]
fn spring(x: &[f64], i: usize, f: &mut [f64]) -> f64 {
    let d = x[i + 1] - x[i];
    f[i] += d * d;
    f[i + 1] -= d * d * d;
    d * d
}

/// Its reverse sweep reads what it leaves.
#[gradient]
fn growth(v: &mut [f64], x: f64) {
    for i in 1..v.len() {
        v[i] = v[i - 1] * x + 0.5;
    }
}

/// It overwrites everything, and reads nothing.
#[gradient]
fn reset(v: &mut [f64], x: f64) {
    for i in 0..v.len() {
        v[i] = 0.25 * x;
    }
}

/// In place, so that it needs what was there itself.
#[gradient]
fn wave(v: &mut [f64], x: f64) {
    for i in 0..v.len() {
        v[i] = (v[i] * x).sin();
    }
}

#[gradient]
fn count(x: f64, k: &mut usize, s: &mut f64) {
    *s += 2.0 * x;
    *k = 0;
}

#[gradient]
fn pass_on(x: &[f64], v: &mut [f64], by: f64) {
    wave(v, by);
    slope(x, x, &mut v[1..]);
    reset(&mut v[..1], by);
}

#[gradient]
fn recursive(v: &mut [f64], x: f64, depth: usize) {
    if depth == 0 {
        return;
    }
    v[depth % 3] = v[(depth + 1) % 3] * x + 0.5;
    recursive(v, x * 0.5 + 0.1, depth - 1);
    v[(depth + 2) % 3] *= x;
}

#[gradient]
fn longer(v: &mut Vec<f64>, f: &mut [f64], x: f64) {
    v.push(x * x);
    f[0] = x;
}

#[gradient]
fn sum_of(v: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..v.len() {
        s += v[i] * v[i];
    }
    s
}

#[gradient]
fn scaled(by: f64, v: &mut [f64]) {
    for i in 0..v.len() {
        v[i] *= by;
    }
}

/// It writes both.
#[gradient]
fn two(v: &mut [f64], w: &mut [f64], x: f64) {
    for i in 0..v.len() {
        w[i] = v[i] * 0.5;
        v[i] = x;
    }
}

#[gradient]
fn until(v: &mut [f64], x: &[f64]) -> f64 {
    for i in 0..v.len() {
        v[i] = x[i] * 1.5;
        if x[i] > 0.9 {
            return x[i] * x[i];
        }
    }
    0.5
}

twins! {
    /// The slopes are written by each step, and nobody reads them in reverse.
    ///
    /// applied `outputs`
    pub(super) fn steps(x: &[f64], y: &[f64], n: usize) -> f64 {
        let m = 4;
        let mut v = vec![0.1; m];
        let mut at = vec![0.0; m];
        let (mut k1, mut k2) = (vec![0.0; m], vec![0.0; m]);
        for s in 0..n {
            slope(&x[..m], &v, &mut k1);
            for i in 0..m {
                at[i] = v[i] + 0.05 * k1[i];
            }
            slope(&x[..m], &at, &mut k2);
            for i in 0..m {
                v[i] += 0.1 * k2[i];
            }
            v[0] += 0.3 * y[s];
        }
        v[0] * v[m - 1]
    }

    /// All calls add to one array.
    ///
    /// applied `outputs`
    pub(super) fn springs(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut f = vec![0.0; x.len()];
        let mut s = 0.0;
        for i in 0..n {
            s += spring(x, i, &mut f) * y[i];
        }
        for i in 0..f.len() {
            s += f[i] * f[i] * y[i];
        }
        s
    }

    /// What the first iterations wrote is read in between.
    ///
    /// not applied `outputs`
    pub(super) fn read_between(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut f = vec![0.0; x.len()];
        let mut s = 0.0;
        for i in 0..n {
            s += spring(x, i, &mut f) * y[i];
            s += f[i] * f[i];
        }
        s
    }

    /// The companion says that the reverse of `growth` reads the array, which the next call overwrites.
    ///
    /// applied `outputs`
    pub(super) fn read_by_callee(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut v = vec![0.0; 5];
        let mut s = 0.0;
        for i in 0..n {
            v[0] = x[i];
            growth(&mut v, y[i]);
            s += v[4];
            reset(&mut v, x[i] * y[i]);
            s += v[2];
        }
        s
    }

    /// applied `outputs`
    pub(super) fn in_place(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut v = x[..6].to_vec();
        for i in 0..n {
            wave(&mut v, 1.0 + y[i]);
        }
        v[0] * v[5]
    }

    /// What was there before the loop is read before it.
    ///
    /// not applied `outputs`
    pub(super) fn read_before(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut v = x[..6].to_vec();
        let before = v[1] * v[1] * v[2];
        for i in 0..n {
            reset(&mut v, y[i]);
        }
        before * v[1]
    }

    /// A counter that a callee sets is undone by counting back.
    ///
    /// applied `outputs`: `count` does not put back `s`, unless it writes `k`
    pub(super) fn counted(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut k = 3;
        let mut s = 0.0;
        for i in 0..n {
            count(x[i], &mut k, &mut s);
            k += 1;
            s *= y[i];
        }
        s + k as f64
    }

    /// Elements change places between the calls.
    ///
    /// not applied `outputs`
    pub(super) fn swapped(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut v = x[..6].to_vec();
        for i in 0..n {
            reset(&mut v[..3], y[i]);
            v.swap(i % 6, (i + 1) % 6);
            growth(&mut v[2..], x[i]);
        }
        v[0] * v[1] + v[5]
    }

    /// applied `outputs`
    pub(super) fn under_a_condition(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut v = vec![0.5; 5];
        let mut s = 0.0;
        for i in 0..n {
            if x[i] > 0.0 {
                reset(&mut v, x[i] * y[i]);
            } else if y[i] > 0.0 {
                wave(&mut v, y[i]);
            }
            s += v[i % 5];
            if s > 4.0 {
                break;
            }
        }
        s
    }

    /// Outputs that an iteration declares.
    ///
    /// applied `outputs`
    pub(super) fn own_outputs(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            let mut a = [0.0; 4];
            let mut b = [y[i]; 4];
            reset(&mut a, x[i]);
            wave(&mut b, x[i + 1]);
            slope(&b, &a, &mut b[..].to_vec());
            s += a[0] * b[1];
        }
        s
    }

    /// Rows of one array.
    ///
    /// applied `outputs`
    pub(super) fn rows(x: &[f64], y: &[f64], n: usize) -> f64 {
        let m = 3;
        let mut a = vec![0.0; n * m];
        for i in 0..n {
            slope(&x[i..i + m], &y[i..i + m], &mut a[i * m..(i + 1) * m]);
        }
        sum_of(&a)
    }

    /// An element of the array is given by value.
    ///
    /// applied `outputs`
    pub(super) fn own_element(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut a = [0.3, 0.4, 0.5];
        for i in 0..n {
            a[0] += x[i];
            let k = i % 3;
            wave(&mut a[1..], y[i]);
            scaled(a[k], &mut a);
        }
        a[0] * a[2]
    }

    /// The reference that is handed on is not written through.
    ///
    /// applied `outputs`: `spring` does not put back `f`, unless it writes `u` or the reverse of a call reads it
    pub(super) fn handed_on(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut u = x.to_vec();
        let mut f = vec![0.0; x.len()];
        let v = &mut u[..];
        let mut s = 0.0;
        for i in 0..n {
            s += v[i] * v[i];
            s += spring(v, i, &mut f);
            v[i] += y[i];
        }
        s + sum_of(&f)
    }

    /// Of two outputs of a call one is needed.
    ///
    /// applied `outputs`: `two` does not put back `w`, unless it writes `v` or the reverse of a call reads it
    pub(super) fn one_of_two(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut v = x[..4].to_vec();
        let mut w = vec![0.0; 4];
        let mut s = 0.0;
        for i in 0..n {
            s += v[0] * v[3] * y[i];
            two(&mut v, &mut w, y[i]);
            v[3] = x[i];
            s += w[1];
        }
        s + w[2]
    }

    /// applied `outputs`
    pub(super) fn fields(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut t = ([0.5; 3], [0.5; 3]);
        let mut s = 0.0;
        for i in 0..n {
            reset(&mut t.0, x[i]);
            growth(&mut t.1, y[i]);
            s += t.0[1] + t.1[2];
        }
        s
    }

    /// One field is needed, the other is not.
    ///
    /// not applied `outputs`: `reset` puts back what it writes to `t.1`, which the reverse sweep reads
    pub(super) fn one_field(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut t = ([0.5; 3], [0.5; 3]);
        let mut s = 0.0;
        for i in 0..n {
            s += t.1[0] * t.1[1];
            reset(&mut t.1, y[i]);
            t.1[0] += x[i];
            reset(&mut t.0, s);
        }
        s + t.0[0]
    }

    /// applied `outputs`
    pub(super) fn passed_on(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut v = x[..6].to_vec();
        let mut s = 0.0;
        for i in 0..n {
            pass_on(&x[i..i + 5], &mut v, 0.5 + y[i]);
            s += v[3];
        }
        s * v[5]
    }

    /// applied `outputs`
    pub(super) fn recursively(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut v = [x[0], y[0], 0.5];
        let mut s = 0.0;
        for i in 0..n {
            recursive(&mut v, x[i], i % 5);
            s += v[0];
        }
        s + v[1] * v[2]
    }

    /// A vector that grows comes back; the slice beside it need not.
    ///
    /// applied `outputs`
    pub(super) fn growing(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut v = vec![0.5];
        let mut f = [0.0; 2];
        let mut s = 0.0;
        for i in 0..n {
            longer(&mut v, &mut f, x[i] * y[i]);
            s += f[0];
        }
        s + sum_of(&v)
    }

    /// A callee that only reads what it is given, through a reference that could write.
    ///
    /// applied `outputs`
    pub(super) fn reborrowed(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut v = vec![0.0; 4];
        let mut s = 0.0;
        for i in 0..n {
            let r = &mut v[..];
            reset(r, x[i]);
            r[0] += y[i];
            s += sum_of(r);
            growth(r, 0.3);
        }
        s
    }

    /// A region runs again from the state on entry.
    ///
    /// applied `outputs`
    pub(super) fn in_a_region(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut v = vec![0.4; 4];
        let mut s = 0.0;
        for i in 0..n {
            #[checkpoint]
            {
                wave(&mut v, x[i]);
                reset(&mut v[..2], y[i]);
                growth(&mut v, x[i]);
                s += v[3] * v[0];
            }
        }
        s
    }

    /// The callee returns early, and what it did not reach stays.
    ///
    /// applied `outputs`
    pub(super) fn left_early(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut v = vec![0.4; 5];
        let mut s = 0.0;
        for i in 0..n {
            s += until(&mut v, &x[i..]);
            s += v[4] + y[i] * y[i];
        }
        s
    }

    /// An array that a loop overwrites whole, and a call overwrites behind it.
    ///
    /// not applied `outputs`
    pub(super) fn overwritten(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut a = vec![0.1; 4];
        let mut s = 0.0;
        for t in 0..n {
            for i in 0..a.len() {
                a[i] = x[t + i] * y[t];
            }
            s += sum_of(&a);
            reset(&mut a, s);
            s += a[1] * 0.1;
        }
        s
    }

    /// What the loop computed is kept in the array, but for the call.
    ///
    /// not applied `outputs`
    pub(super) fn kept(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut h = vec![0.0; 4];
        let mut s = 0.0;
        for t in 0..n {
            for i in 0..4 {
                h[i] = (x[t + i] + h[i]).tanh();
            }
            wave(&mut h, y[t]);
            s += h[0] * h[3];
        }
        s
    }

    /// Calls in a loop inside, and behind it.
    ///
    /// applied `outputs`
    pub(super) fn nested(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut f = vec![0.0; 8];
        let mut g = vec![0.0; 8];
        let mut s = 0.0;
        for t in 0..n {
            for i in 0..4 {
                s += spring(&x[t..], i, &mut f) * y[i];
                spring(&y[t..], i, &mut g);
            }
            reset(&mut g[..4], y[t]);
        }
        s + f[1] + f[2] * g[3] + g[4]
    }
}

type Twin = (
    fn(&[f64], &[f64], usize) -> f64,
    fn(&[f64], &[f64], usize) -> (f64, (Vec<f64>, Vec<f64>)),
    fn(&[f64], &[f64], usize) -> (f64, (Vec<f64>, Vec<f64>)),
);

macro_rules! all {
    ($($f:ident $g:ident),* $(,)?) => {
        const ALL: &[(&str, Twin)] = &[$((stringify!($f), (on::$f, on::$g, off::$g))),*];
    };
}

all! {
    steps steps_grad, springs springs_grad, read_between read_between_grad, read_by_callee read_by_callee_grad,
    in_place in_place_grad, read_before read_before_grad, counted counted_grad, swapped swapped_grad,
    under_a_condition under_a_condition_grad, own_outputs own_outputs_grad, rows rows_grad,
    own_element own_element_grad, handed_on handed_on_grad, one_of_two one_of_two_grad,
    fields fields_grad, one_field one_field_grad, passed_on passed_on_grad, recursively recursively_grad,
    growing growing_grad, reborrowed reborrowed_grad, in_a_region in_a_region_grad, left_early left_early_grad,
    overwritten overwritten_grad, kept kept_grad, nested nested_grad,
}

#[test]
fn callees_leave_what_nobody_reads() {
    for (name, (primal, on, off)) in ALL {
        for n in [0, 1, 2, 3, 5, 9, 17] {
            let (x, y) = (numbers(n + 12, 1), numbers(n + 12, 2));
            println!("{name} {n}");
            agree(|| primal(&x, &y, n), || on(&x, &y, n), || off(&x, &y, n));
            let all = [&x[..], &y].concat();
            let got = on(&x, &y, n).1;
            let want = differences(|p| primal(&p[..x.len()], &p[x.len()..], n), &all);
            assert_close(&[got.0, got.1].concat(), &want, 1e-6, &all);
        }
    }
}

/// What is not a number goes where it went.
#[test]
fn numbers_that_are_none() {
    for (_, (primal, on, off)) in ALL {
        for at in [0, 3, 7] {
            let (mut x, y) = (numbers(20, 1), numbers(20, 2));
            x[at] = if at == 7 { f64::INFINITY } else { f64::NAN };
            agree(|| primal(&x, &y, 6), || on(&x, &y, 6), || off(&x, &y, 6));
        }
    }
}

#[gradient]
fn outputs_of(x: &[f64], v: &mut [f64], f: &mut [f64]) {
    for i in 0..x.len() - 1 {
        spring(x, i, f);
        wave(v, x[i]);
    }
    reset(&mut v[..1], x[0]);
}

/// A function that is called from outside puts back nothing of what it wrote: its outputs stay.
#[test]
fn outputs_stay_where_they_are_asked_for() {
    let x = numbers(6, 1);
    let run = |f: &dyn Fn(&mut Vec<f64>, &mut Vec<f64>)| {
        let (mut v, mut f_out) = (numbers(4, 2), numbers(6, 3));
        f(&mut v, &mut f_out);
        (v, f_out)
    };
    let want = run(&|v, f| outputs_of(&x, v, f));
    let (mut dx, mut dv, mut df) = (vec![0.0; 6], vec![1.0; 4], vec![1.0; 6]);
    let (mut v, mut f) = (numbers(4, 2), numbers(6, 3));
    outputs_of_adjoint(
        &mut Tape::new(),
        &x,
        &mut dx,
        &mut v,
        &mut dv,
        &mut f,
        &mut df,
        (),
    );
    assert_eq!((v, f), want);
    let all = [x.clone(), numbers(4, 2), numbers(6, 3)].concat();
    let total = |p: &[f64]| {
        let (mut v, mut f) = (p[6..10].to_vec(), p[10..].to_vec());
        outputs_of(&p[..6], &mut v, &mut f);
        v.iter().chain(&f).sum()
    };
    assert_close(
        &[dx, dv, df].concat(),
        &differences(total, &all),
        1e-6,
        &all,
    );
}

/// A callee that panics leaves a tape that can be used again, and the panic of the function.
#[test]
fn panics_of_callees() {
    let x = numbers(8, 1);
    agree(
        || on::springs(&x, &x, 20),
        || on::springs_grad(&x, &x, 20),
        || off::springs_grad(&x, &x, 20),
    );
    agree(
        || on::springs(&x, &x, 5),
        || on::springs_grad(&x, &x, 5),
        || off::springs_grad(&x, &x, 5),
    );
}

/// The tape holds no more than what the reverse sweep reads.
#[test]
fn nothing_is_saved_for_nobody() {
    let (x, y) = (numbers(212, 1), numbers(212, 2));
    let bytes = |f: &dyn Fn(&mut Tape, &mut [f64], &mut [f64])| {
        let mut tape = Tape::new();
        f(&mut tape, &mut vec![0.0; 212], &mut vec![0.0; 212]);
        tape.stats().high_water
    };
    let with = bytes(&|tape, dx, dy| _ = on::springs_grad_into(tape, &x, dx, &y, dy, 200));
    let without = bytes(&|tape, dx, dy| _ = off::springs_grad_into(tape, &x, dx, &y, dy, 200));
    assert!(
        with + 200 * 16 <= without,
        "{with} bytes with, {without} without"
    );
}
