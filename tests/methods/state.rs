//! Methods that change what they are called on.

use retrograde::{Differentiable, Record, gradient};

use crate::support::check;
use crate::types::{Oscillator, oscillator};

#[gradient]
impl Oscillator {
    pub fn step(&mut self, dt: f64) {
        let force = -self.at.sin() - self.damping * self.speed * self.speed;
        self.speed += dt * force;
        self.at += dt * self.speed;
    }

    /// Calls a method on the same receiver, several times and in a loop; the state in between is needed again.
    pub fn run(&mut self, dt: f64, n: usize) -> f64 {
        let mut sum = 0.0;
        for k in 0..n {
            self.step(dt);
            sum += self.at * self.energy();
            if self.at > 0.5 {
                self.step(0.5 * dt);
            } else {
                self.damp(sum);
            }
            self.trace[k % 4] = sum * self.speed;
        }
        sum + self.trace[1]
    }

    fn damp(&mut self, by: f64) -> bool {
        self.speed *= by.cos();
        self.speed > 0.0
    }

    fn energy(&self) -> f64 {
        0.5 * self.speed * self.speed - self.at.cos()
    }

    /// The value of a method with `&mut self` is used, and is not.
    fn both(&mut self, dt: f64) -> f64 {
        let flag = self.damp(dt);
        let e = self.kick(self.at * dt);
        self.kick(e);
        if flag { e * self.speed } else { e + self.speed }
    }

    fn kick(&mut self, by: f64) -> f64 {
        let before = self.speed;
        self.speed += by * before;
        self.speed * by
    }

    fn runs(mut self, dt: f64, n: usize) -> f64 {
        let sum = self.run(dt, n);
        sum * self.both(dt) + self.energy()
    }

    /// `while`, by a method that answers and changes.
    fn until(&mut self, dt: f64) -> f64 {
        let mut n = 0;
        while self.damp(dt) && n < 3 {
            self.step(dt);
            n += 1;
        }
        self.at * self.speed
    }
}

#[gradient]
fn simulate(o: Oscillator, dt: f64, n: usize) -> f64 {
    let mut o = o;
    let first = o.energy();
    for _ in 0..n {
        o.step(dt);
        Oscillator::step(&mut o, dt);
    }
    let r = &mut o;
    r.step(dt);
    let again = r.both(dt);
    o.energy() - first + again
}

const AT: &[&[f64]] = &[
    &[0.7, 0.3, 0.2, 0.1],
    &[-0.4, 0.9, 0.5, 0.3],
    &[0.3, -0.5, -0.8, 0.2],
];

#[test]
fn state_is_recorded_and_put_back() {
    for n in [0, 1, 6] {
        check(
            |p| oscillator(p).runs(p[3], n),
            |p| {
                let (value, (o, dt)) = oscillator(p).runs_grad(p[3], n);
                (value, (vec![o.at, o.speed, o.damping], dt))
            },
            AT,
        );
        check(
            |p| simulate(oscillator(p), p[3], n),
            |p| {
                let (value, (o, dt)) = simulate_grad(oscillator(p), p[3], n);
                (value, (vec![o.at, o.speed, o.damping], dt))
            },
            AT,
        );
    }
}

#[gradient]
fn condition(o: Oscillator, dt: f64) -> f64 {
    let mut o = o;
    o.until(dt) + o.at
}

#[test]
fn methods_in_conditions() {
    check(
        |p| condition(oscillator(p), p[3]),
        |p| {
            let (value, (o, dt)) = condition_grad(oscillator(p), p[3]);
            (value, (vec![o.at, o.speed, o.damping], dt))
        },
        AT,
    );
}

#[test]
fn an_adjoint_puts_the_output_back() {
    let (mut tape, mut dt_bar) = (retrograde::Tape::new(), 0.0);
    let (mut o, mut after) = (oscillator(AT[0]), oscillator(AT[0]));
    let mut bar = retrograde::Differentiable::zero_tangent(&o);
    let value = o.run_adjoint(&mut tape, &mut bar, 0.1, &mut dt_bar, 5, 1.0);
    assert_eq!(value.to_bits(), after.run(0.1, 5).to_bits());
    assert_eq!(o, after);
    assert!(tape.is_empty() && dt_bar != 0.0 && bar.at != 0.0);
}

/// A cell of a bar that conducts heat.
#[derive(Clone, Debug, Differentiable, Record)]
struct Piece {
    heat: f64,
    conductance: f64,
}

#[derive(Clone, Debug, Differentiable, Record)]
struct Bar {
    pieces: Vec<Piece>,
    dt: f64,
}

#[gradient]
impl Piece {
    fn flux(&self, other: &Piece) -> f64 {
        (self.heat - other.heat) * self.conductance * other.conductance
    }

    fn add(&mut self, heat: f64) {
        self.heat += heat * self.conductance;
    }
}

#[gradient]
impl Bar {
    /// Two elements of one vector: the receiver beside a reference is only read.
    fn step(&mut self) {
        for i in 1..self.pieces.len() {
            let flux = self.pieces[i - 1].flux(&self.pieces[i]) * self.dt;
            self.pieces[i].add(flux);
            self.pieces[i - 1].add(-flux);
        }
    }

    fn run(mut self, n: usize) -> f64 {
        for _ in 0..n {
            self.step();
        }
        let mut sum = 0.0;
        for i in 0..self.pieces.len() {
            sum += self.pieces[i].heat * self.pieces[i].heat;
        }
        sum
    }
}

#[test]
fn elements_of_one_vector() {
    let bar = |p: &[f64]| Bar {
        pieces: p[..6]
            .chunks(2)
            .map(|p| Piece {
                heat: p[0],
                conductance: p[1],
            })
            .collect(),
        dt: p[6],
    };
    for n in [0, 1, 5] {
        check(
            |p| bar(p).run(n),
            |p| {
                let (value, d) = bar(p).run_grad(n);
                let pieces: Vec<[f64; 2]> =
                    d.pieces.iter().map(|d| [d.heat, d.conductance]).collect();
                (value, (pieces, d.dt))
            },
            &[&[1.0, 0.8, 2.5, 0.9, 0.3, 1.1, 0.1]],
        );
    }
}
