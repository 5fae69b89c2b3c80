//! What could make a field of a struct something else than a parameter of its own: states that change between two
//! looks at them, several names for one field, fields without a derivative that are written.

use retrograde::{Differentiable, Flat, Record, Tape, gradient};

use super::oracle::{in_out, value};

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct Row {
    a: Vec<f64>,
    k: f64,
}

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct State {
    rows: Vec<Row>,
    row: Row,
    other: Row,
    x: Vec<f64>,
    v: Vec<f64>,
    pair: (f64, Vec<f64>),
    small: [f64; 3],
    t: f64,
    count: usize,
    order: Vec<usize>,
    flag: bool,
    #[constant]
    m: Vec<f64>,
    #[constant]
    scale: f64,
}

fn state(n: usize) -> State {
    let numbers = |at: f64| {
        let of = |i: usize| (at + 1.3 * i as f64).sin() + 1.1;
        (0..n).map(of).collect::<Vec<f64>>()
    };
    let row = |at: f64| Row {
        a: numbers(at),
        k: 0.4 + 0.2 * at,
    };
    State {
        rows: (0..n).map(|i| row(0.3 * i as f64)).collect(),
        row: row(0.2),
        other: row(1.2),
        x: numbers(1.0),
        v: numbers(2.5),
        pair: (0.6, numbers(0.1)),
        small: [0.5, 0.9, 1.4],
        t: 0.5,
        count: 0,
        order: (0..n).rev().collect(),
        flag: false,
        m: numbers(0.9),
        scale: 1.25,
    }
}

fn starts() -> [State; 3] {
    let mut second = state(4);
    (second.flag, second.count, second.t) = (true, 2, -0.3);
    [state(4), second, state(0)]
}

#[gradient]
impl State {
    /// Writes integers, flags and constant fields, which its second run reads.
    fn step(&mut self) {
        for i in 0..self.x.len() {
            let at = self.order[i];
            self.x[at] = self.x[at] * self.m[i] + self.t * self.v[i];
            self.m[i] = 0.5 * self.m[i] + 0.25;
            self.count += 1;
            if self.flag {
                self.v[i] *= self.x[at];
            }
        }
        if !self.order.is_empty() {
            let last = self.order.len() - 1;
            self.order.swap(0, last);
        }
        self.flag = !self.flag;
        self.scale += 1.0;
        self.t *= 0.5 * self.scale;
    }

    fn steps(&mut self) {
        for _ in 0..3 {
            self.step();
        }
        for i in 0..self.x.len() {
            self.v[i] += self.x[self.order[i]] * self.m[i] * self.count as f64;
        }
    }

    fn stepped_between(&mut self) {
        for i in 0..self.x.len() {
            self.x[i] *= self.x[i];
        }
        self.step();
        for i in 0..self.x.len() {
            self.x[i] *= self.v[i] * self.scale;
        }
        State::step(self);
    }

    fn whole_beside_constants(&mut self) {
        for i in 0..self.x.len() {
            self.x[i] = self.x[i] * self.m[i] * self.scale;
            self.v[i] += self.scale;
        }
        self.step();
    }

    fn counts(&mut self) {
        while self.count < self.x.len() {
            let i = self.count;
            self.x[i] *= self.t;
            self.t += self.x[i];
            self.count += 1;
            if self.t > 3.0 {
                return;
            }
        }
        self.count = 0;
    }

    fn swaps_rows(&mut self) {
        for i in 0..self.x.len() {
            self.row.a[i] *= self.x[i];
        }
        std::mem::swap(&mut self.row, &mut self.other);
        for i in 0..self.x.len() {
            self.row.a[i] += self.other.a[i] * self.other.k;
        }
        std::mem::swap(&mut self.row.a, &mut self.other.a);
        for i in 0..self.x.len() {
            self.row.a[i] *= self.x[i];
        }
    }

    fn replaces_rows(&mut self) {
        for step in 0..3 {
            for i in 0..self.x.len() {
                self.row.a[i] *= self.x[i] + self.row.k;
            }
            if step == 1 {
                let old = std::mem::replace(&mut self.row, self.other.clone());
                self.other.k += old.k;
            }
            self.row.k += 0.1;
        }
    }

    fn moves_rows(&mut self) {
        let old = self.row.clone();
        self.row = Row {
            k: 2.0 * self.t,
            ..self.other.clone()
        };
        for i in 0..self.x.len() {
            self.row.a[i] *= old.a[i];
        }
        self.other = old;
        for i in 0..self.x.len() {
            self.other.a[i] += self.row.a[i] * self.row.k;
        }
    }

    fn resets(&mut self) {
        for i in 0..self.x.len() {
            self.x[i] *= self.v[i];
        }
        *self = State {
            t: self.t * 2.0,
            ..self.clone()
        };
        for i in 0..self.x.len() {
            self.x[i] *= self.t;
        }
        if self.flag {
            return;
        }
        self.x = self.v.iter().map(|v| v * v).collect();
        for i in 0..self.x.len() {
            self.v[i] = self.x[i] * self.t;
        }
    }

    fn through_names(&mut self) {
        let s = &mut *self;
        let x = &mut s.x;
        let v = &s.v;
        for i in 0..x.len() {
            x[i] *= v[i];
        }
        let row = &mut self.rows;
        for i in 0..row.len() {
            let one = &mut row[i];
            for j in 0..one.a.len() {
                one.a[j] = one.a[j] * one.k + self.x[j];
                one.k *= 0.9;
            }
        }
    }

    fn rows_of_rows(&mut self) {
        for row in self.rows.iter_mut() {
            for a in row.a.iter_mut() {
                *a *= row.k * self.t;
            }
        }
        for i in 1..self.rows.len() {
            for j in 0..self.x.len() {
                self.rows[i].a[j] += self.rows[i - 1].a[j] * self.rows[i - 1].k;
            }
        }
    }

    fn checkpoints(&mut self) {
        #[checkpoint]
        for _ in 0..3 {
            for i in 0..self.x.len() {
                self.x[i] = (self.x[i] * self.v[i]).sin() * self.t;
                self.row.a[i] += self.x[i];
            }
            self.t += 0.5 * self.row.k;
        }
    }

    fn pieces(&mut self) {
        for i in 0..3 {
            self.small[i] *= self.pair.0;
            self.pair.0 += self.small[i];
        }
        for i in 0..self.pair.1.len() {
            self.pair.1[i] *= self.small[i % 3] * self.pair.0;
        }
        std::mem::swap(&mut self.pair.1, &mut self.x);
        let (first, rest) = &mut self.pair;
        for i in 0..rest.len() {
            rest[i] += *first;
            *first *= 0.5;
        }
    }

    fn recurses(&mut self) {
        if self.count >= 3 {
            return;
        }
        self.count += 1;
        for i in 0..self.x.len() {
            self.x[i] *= self.v[i] + self.t;
        }
        self.recurses();
        for i in 0..self.x.len() {
            self.v[i] += self.x[i] * self.count as f64;
        }
    }

    fn destructures(&mut self) {
        let State {
            x,
            v,
            row: Row { a, k },
            t,
            ..
        } = self;
        for i in 0..x.len() {
            a[i] = x[i] * *k + v[i];
            *k += a[i] * *t;
        }
        std::mem::swap(x, a);
    }

    fn takes(&mut self) {
        let mut row = std::mem::take(&mut self.row.a);
        for i in 0..row.len() {
            row[i] *= self.x[i];
        }
        self.other.a = row;
        self.row.a = self.other.a.clone();
        for i in 0..self.x.len() {
            self.row.a[i] *= self.other.a[i];
        }
    }
}

#[test]
fn states_that_change() {
    let run =
        |what: &str, f: fn(&mut State), adjoint: fn(&mut State, &mut Tape, &mut StateTangent)| {
            in_out(what, &starts(), f, &adjoint);
        };
    run("step", State::step, |s, t, d| s.step_adjoint(t, d, ()));
    run("steps", State::steps, |s, t, d| s.steps_adjoint(t, d, ()));
    run("stepped_between", State::stepped_between, |s, t, d| {
        s.stepped_between_adjoint(t, d, ())
    });
    run(
        "whole_beside_constants",
        State::whole_beside_constants,
        |s, t, d| s.whole_beside_constants_adjoint(t, d, ()),
    );
    run("counts", State::counts, |s, t, d| {
        s.counts_adjoint(t, d, ())
    });
    run("swaps_rows", State::swaps_rows, |s, t, d| {
        s.swaps_rows_adjoint(t, d, ())
    });
    run("replaces_rows", State::replaces_rows, |s, t, d| {
        s.replaces_rows_adjoint(t, d, ())
    });
    run("moves_rows", State::moves_rows, |s, t, d| {
        s.moves_rows_adjoint(t, d, ())
    });
    run("resets", State::resets, |s, t, d| {
        s.resets_adjoint(t, d, ())
    });
    run("through_names", State::through_names, |s, t, d| {
        s.through_names_adjoint(t, d, ())
    });
    run("rows_of_rows", State::rows_of_rows, |s, t, d| {
        s.rows_of_rows_adjoint(t, d, ())
    });
    run("checkpoints", State::checkpoints, |s, t, d| {
        s.checkpoints_adjoint(t, d, ())
    });
    run("pieces", State::pieces, |s, t, d| {
        s.pieces_adjoint(t, d, ())
    });
    run("recurses", State::recurses, |s, t, d| {
        s.recurses_adjoint(t, d, ())
    });
    run("destructures", State::destructures, |s, t, d| {
        s.destructures_adjoint(t, d, ())
    });
    run("takes", State::takes, |s, t, d| s.takes_adjoint(t, d, ()));
}

// Two structs, and callers of functions that change them.

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct Pair {
    a: Row,
    b: Row,
    n: usize,
}

#[gradient]
fn mixed(a: &mut Row, b: &mut Row, n: &mut usize) {
    for i in 0..a.a.len() {
        a.a[i] += 0.1 * b.a[i] * b.k;
        b.k += 0.1 * a.a[i];
        *n += 1;
    }
    std::mem::swap(&mut a.a, &mut b.a);
}

#[gradient]
fn exchanged(a: &mut Row, b: &mut Row) {
    for i in 0..a.a.len() {
        a.a[i] *= b.k;
    }
    std::mem::swap(a, b);
    for i in 0..a.a.len() {
        a.a[i] *= b.k;
    }
}

#[gradient]
fn product(a: &Row, b: &Row) -> f64 {
    let mut sum = a.k * b.k;
    for i in 0..a.a.len() {
        sum += a.a[i] * b.a[i];
    }
    sum
}

#[gradient]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..a.len() {
        sum += a[i] * b[i];
    }
    sum
}

#[gradient]
impl Pair {
    fn mixes(&mut self) {
        for _ in 0..3 {
            mixed(&mut self.a, &mut self.b, &mut self.n);
            for i in 0..self.a.a.len() {
                self.a.a[i] *= 0.1 * self.n as f64;
            }
        }
    }

    fn exchanges(&mut self) {
        exchanged(&mut self.a, &mut self.b);
        for i in 0..self.a.a.len() {
            self.a.a[i] *= self.b.a[i];
        }
        std::mem::swap(&mut self.a, &mut self.b);
        exchanged(&mut self.b, &mut self.a);
    }

    fn alike(&self) -> f64 {
        let mut sum =
            product(&self.a, &self.a) + dot(&self.a.a, &self.a.a) + dot(&self.b.a, &self.a.a);
        for i in 0..self.a.a.len() {
            sum += self.a.a[i] * product(&self.a, &self.b);
        }
        sum
    }

    /// The references change places.
    fn chosen(&self) -> f64 {
        let (mut one, mut two) = (&self.a, &self.b);
        let mut sum = 0.0;
        for i in 0..self.n {
            if i % 2 == 0 {
                (one, two) = (two, one);
            }
            for j in 0..one.a.len() {
                sum += one.a[j] * two.k;
            }
        }
        sum
    }
}

#[gradient]
fn by_value(mut p: Pair) -> f64 {
    p.mixes();
    for i in 0..p.a.a.len() {
        p.a.a[i] *= p.b.a[i];
        p.b.k += p.a.a[i];
    }
    let Pair { a, b, .. } = p;
    let mut sum = b.k;
    for i in 0..a.a.len() {
        sum += a.a[i] * b.a[i] * a.k;
    }
    sum
}

#[test]
fn two_structs() {
    let pair = |n: usize| Pair {
        a: state(n).row,
        b: state(n).other,
        n: 3,
    };
    let starts = [pair(4), pair(1), pair(0)];
    in_out("mixes", &starts, Pair::mixes, &|s, t, d| {
        s.mixes_adjoint(t, d, ())
    });
    in_out("exchanges", &starts, Pair::exchanges, &|s, t, d| {
        s.exchanges_adjoint(t, d, ())
    });
    value("alike", &starts, Pair::alike, Pair::alike_grad);
    value("chosen", &starts, Pair::chosen, Pair::chosen_grad);
    value(
        "by_value",
        &starts,
        |p| by_value(p.clone()),
        |p| by_value_grad(p.clone()),
    );
}

/// What is not a number stays in its own field; buffers that hold anything are overwritten.
#[test]
fn not_a_number() {
    let mut p = Pair {
        a: state(3).row,
        b: state(3).other,
        n: 2,
    };
    p.b.a[1] = f64::NAN;
    let mut d = p.zero_tangent();
    let len = d.len_flat();
    d.set_flat(&vec![f64::NAN; len]);
    let value = p.alike_grad_into(&mut Tape::new(), &mut d);
    assert!(value.is_nan());
    let mut d = product_grad(&p.a, &p.a).1;
    let (a, b) = (&mut d.0, &mut d.1);
    let len = a.len_flat();
    a.set_flat(&vec![f64::NAN; len]);
    b.set_flat(&vec![f64::NAN; len]);
    product_grad_into(&mut Tape::new(), &p.a, a, &p.a, b);
    assert_eq!((&a.a, a.k), (&p.a.a, p.a.k));
    assert_eq!(a, b);
}
