//! Parts of one array side by side: the halves of `split_at_mut`, given to one call.

use retrograde::gradient;

use super::support::check;

const FOUR: &[&[f64]] = &[
    &[0.7, -1.3, 2.1, 0.4],
    &[1.5, 0.3, -0.8, 2.2],
    &[-0.6, 1.1, 0.9, -1.7],
];

/// Both halves, written by a callee, and used behind it.
mod both {
    use retrograde::gradient;

    #[gradient]
    fn add(a: &mut [f64], b: &mut [f64]) {
        for i in 0..a.len().min(b.len()) {
            a[i] += b[i] * b[i];
            b[i] *= a[i];
        }
    }
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        let (a, b) = v.split_at_mut(2);
        add(a, b);
        a[0] += b[1];
        v[0] * v[1] + v[2] * v[3]
    }
}

/// One written, the other read, in turn.
mod in_turn {
    use retrograde::gradient;

    #[gradient]
    fn scale(a: &mut [f64], b: &[f64]) {
        for (p, q) in a.iter_mut().zip(b) {
            *p *= q.sin();
        }
    }
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        let (a, b) = v.split_at_mut(2);
        scale(a, b);
        scale(b, a);
        v.iter().sum()
    }
}

/// The other half copied over.
mod copied {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        let (a, b) = v.split_at_mut(2);
        a.copy_from_slice(b);
        v[0] * v[1] * v[2]
    }
}

/// Elements of both exchanged.
mod exchanged {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        let (a, b) = v.split_at_mut(1);
        a.swap_with_slice(&mut b[..1]);
        std::mem::swap(&mut a[0], &mut b[2]);
        v[0] * v[1] - v[2] / v[3]
    }
}

/// Rows of a matrix, one of which is added to the next.
mod rows {
    use retrograde::gradient;

    #[gradient]
    fn axpy(a: f64, x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] += a * x[i];
        }
    }
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut m = vec![vec![x[0], x[1]], vec![x[2], x[3]], vec![1.0, x[0] * x[3]]];
        for i in 1..3 {
            let (top, rest) = m.split_at_mut(i);
            axpy(x[i], &top[i - 1], &mut rest[0]);
        }
        m[2][0] * m[2][1]
    }
}

/// Rows, without a call.
mod by_hand {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut m = vec![vec![x[0], x[1]], vec![x[2], x[3]], vec![1.0, x[0] * x[3]]];
        for i in 1..3 {
            let (top, rest) = m.split_at_mut(i);
            let p = &top[i - 1];
            let q = &mut rest[0];
            for j in 0..2 {
                q[j] -= p[j] * x[i];
            }
            q.copy_from_slice(p);
            q[0] *= 2.0;
        }
        m[2][0] * m[2][1]
    }
}

/// An element and the rest.
mod first {
    use retrograde::gradient;

    #[gradient]
    fn add(a: &mut f64, b: &mut [f64]) {
        for q in b.iter_mut() {
            *a += *q * *q;
            *q += 1.0;
        }
    }
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        if let Some((a, b)) = v.split_first_mut() {
            add(a, b);
        }
        v.iter().product()
    }
}

/// Methods of elements that take another one.
mod methods {
    use retrograde::gradient;
    use retrograde::{Differentiable, Record};

    #[derive(Clone, Differentiable, Record)]
    struct P {
        a: f64,
        b: f64,
    }
    #[gradient]
    impl P {
        fn pull(&mut self, o: &mut P) {
            self.a += o.b;
            o.a *= self.a;
        }
        fn see(&mut self, o: &P) {
            self.b *= o.a;
        }
    }
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut ps = vec![
            P { a: x[0], b: x[1] },
            P { a: x[2], b: x[3] },
            P { a: 1.0, b: x[0] },
        ];
        for i in 1..3 {
            let (l, r) = ps.split_at_mut(i);
            l[0].pull(&mut r[0]);
            r[0].see(&l[i - 1]);
            P::pull(&mut r[0], &mut l[i - 1]);
        }
        ps.iter().map(|p| p.a * p.b).sum()
    }
}

/// Elements by a pattern.
mod patterns {
    use retrograde::gradient;

    #[gradient]
    fn g(a: &mut f64, b: &mut f64) {
        *a += *b * *b;
        *b *= *a;
    }
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut v = [x[0], x[1], x[2]];
        let [a, b, _] = &mut v;
        g(a, b);
        if let [p, .., q] = &mut v[..] {
            g(q, p);
        }
        v[0] * v[1] * v[2]
    }
}

/// Elements that a chain pairs.
mod zipped {
    use retrograde::gradient;

    #[gradient]
    fn g(a: &mut f64, b: &mut f64) {
        *a += *b * *b;
        *b *= *a;
    }
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        let (a, b) = v.split_at_mut(2);
        for (p, q) in a.iter_mut().zip(b.iter_mut()) {
            g(p, q);
            g(q, p);
        }
        v.iter().product()
    }
}

/// Slices of structs, which are copied field by field.
mod structs {
    use retrograde::gradient;
    use retrograde::{Differentiable, Record};

    #[derive(Clone, Differentiable, Record)]
    struct P {
        a: f64,
        b: Vec<f64>,
    }
    #[gradient]
    fn mix(l: &mut [P], r: &[P]) {
        for (p, q) in l.iter_mut().zip(r) {
            p.a *= q.b[0];
            p.b[0] += q.a;
        }
    }
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut ps = vec![
            P {
                a: x[0],
                b: vec![x[1]],
            },
            P {
                a: x[2],
                b: vec![x[3]],
            },
            P {
                a: 1.5,
                b: vec![x[0]],
            },
        ];
        let (l, r) = ps.split_at_mut(1);
        mix(l, r);
        mix(r, l);
        ps.iter().map(|p| p.a * p.b[0]).sum()
    }
}

/// An element of one by value, beside the other.
mod with_values {
    use retrograde::gradient;

    #[gradient]
    fn g(a: &mut [f64], k: f64, b: &mut [f64]) {
        for (p, q) in a.iter_mut().zip(b.iter_mut()) {
            *p += k * *q;
            *q *= *p;
        }
    }
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut v = [x[0], x[1], x[2], x[3], 1.5];
        let (a, b) = v.split_at_mut(2);
        let (b, c) = b.split_at_mut(2);
        g(a, b[0], c);
        g(c, a[0] * b[1], b);
        v.iter().product()
    }
}

/// `mem::swap` of elements.
mod swapped {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        let (a, b) = v.split_at_mut(2);
        std::mem::swap(&mut a[0], &mut b[1]);
        v[0] + 2.0 * v[1] + 3.0 * v[2] * v[2] + 5.0 * v[3]
    }
}

#[test]
fn both_halves_written() {
    check(both::f, both::f_grad, FOUR);
}

#[test]
fn one_half_written_and_the_other_read() {
    check(in_turn::f, in_turn::f_grad, FOUR);
}

#[test]
fn a_half_copied() {
    check(copied::f, copied::f_grad, FOUR);
}

#[test]
fn elements_of_halves_exchanged() {
    check(exchanged::f, exchanged::f_grad, FOUR);
}

#[test]
fn rows_of_a_matrix() {
    check(rows::f, rows::f_grad, FOUR);
}

#[test]
fn rows_in_a_loop() {
    check(by_hand::f, by_hand::f_grad, FOUR);
}

#[test]
fn an_element_and_the_rest() {
    check(first::f, first::f_grad, FOUR);
}

#[test]
fn methods_of_elements() {
    check(methods::f, methods::f_grad, FOUR);
}

#[test]
fn elements_by_a_pattern() {
    check(patterns::f, patterns::f_grad, FOUR);
}

#[test]
fn elements_that_are_zipped() {
    check(zipped::f, zipped::f_grad, FOUR);
}

#[test]
fn slices_of_structs() {
    check(structs::f, structs::f_grad, FOUR);
}

#[test]
fn an_element_by_value() {
    check(with_values::f, with_values::f_grad, FOUR);
}

#[test]
fn swapped_elements() {
    check(swapped::f, swapped::f_grad, FOUR);
}

#[gradient]
fn mixed(a: &mut [f64], b: &mut [f64]) {
    for (p, q) in a.iter_mut().zip(b.iter_mut()) {
        *p += 0.1 * *q * *q;
        *q *= *p;
    }
}

#[gradient]
fn halves(v: &mut [f64]) {
    let n = v.len() / 2;
    let (a, b) = v.split_at_mut(n);
    mixed(a, b);
    mixed(b, a);
}

/// What is split is an in-out argument: its value on entry is put back.
#[gradient]
fn of_an_argument(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    for _ in 0..2 {
        halves(&mut v);
        v[0] *= 0.3;
    }
    v.iter().product()
}

#[test]
fn halves_of_an_argument() {
    check(of_an_argument, of_an_argument_grad, FOUR);
}
