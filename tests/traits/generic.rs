//! Traits with parameters, traits that ask for others, and types that hold what has the trait.

use retrograde::{Differentiable, Flat, Record, gradient};

use crate::support::{check, check_exact, panic_message};

const AT: &[&[f64]] = &[&[2.0, 0.5, 1.1, 0.7], &[0.3, -0.4, 2.0, -0.2]];

/// With a type parameter.
#[gradient]
pub trait System<V: Differentiable> {
    fn system(&self, t: f64, y: &V, dy: &mut V);
    fn dim(&self) -> usize;
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
pub struct State {
    pub x: f64,
    pub v: f64,
}

#[derive(Clone, Debug, Differentiable)]
pub struct Oscillator {
    pub stiffness: f64,
}

#[gradient]
impl System<State> for Oscillator {
    fn system(&self, t: f64, y: &State, dy: &mut State) {
        dy.x = y.v;
        dy.v = -self.stiffness * y.x + t.sin();
    }

    fn dim(&self) -> usize {
        2
    }
}

#[derive(Clone, Debug, Differentiable)]
pub struct Decay {
    pub rate: f64,
}

#[gradient]
impl System<[f64; 2]> for Decay {
    fn system(&self, t: f64, y: &[f64; 2], dy: &mut [f64; 2]) {
        dy[0] = -self.rate * y[0] * y[1];
        dy[1] = self.rate * y[0] - t * y[1];
    }

    fn dim(&self) -> usize {
        2
    }
}

#[gradient]
fn euler<S: System<State>>(system: &S, start: State, dt: f64, steps: usize) -> f64 {
    let mut y = start;
    let mut dy = State { x: 0.0, v: 0.0 };
    for k in 0..steps {
        system.system(k as f64 * dt, &y, &mut dy);
        y.x += dt * dy.x;
        y.v += dt * dy.v / system.dim() as f64;
    }
    y.x * y.v
}

#[gradient]
fn euler_of_arrays<S: System<[f64; 2]>>(system: &S, start: [f64; 2], dt: f64) -> f64 {
    let mut y = start;
    let mut dy = [0.0; 2];
    for k in 0..4 {
        system.system(k as f64 * dt, &y, &mut dy);
        for i in 0..2 {
            y[i] += dt * dy[i];
        }
    }
    y[0] * y[1]
}

#[gradient]
fn euler_of_object(system: &dyn System<State>, start: State, dt: f64) -> f64 {
    let mut y = start;
    let mut dy = State { x: 0.0, v: 0.0 };
    for k in 0..4 {
        system.system(k as f64 * dt, &y, &mut dy);
        y.x += dt * dy.x;
        y.v += dt * dy.v;
    }
    y.x * y.v
}

#[test]
fn a_type_parameter() {
    let state = |p: &[f64]| State { x: p[1], v: p[2] };
    let of = |p: &[f64]| Oscillator { stiffness: p[0] };
    check(
        |p| euler(&of(p), state(p), p[3], 5),
        |p| {
            let (value, (s, y, dt)) = euler_grad(&of(p), state(p), p[3], 5);
            (value, [s.stiffness, y.x, y.v, dt])
        },
        AT,
    );
    check(
        |p| euler_of_object(&of(p), state(p), p[3]),
        |p| {
            let (value, (s, y, dt)) = euler_of_object_grad(&of(p), state(p), p[3]);
            (value, [s.as_slice()[0], y.x, y.v, dt])
        },
        AT,
    );
    check(
        |p| euler_of_arrays(&Decay { rate: p[0] }, [p[1], p[2]], p[3]),
        |p| {
            let (value, (s, y, dt)) =
                euler_of_arrays_grad(&Decay { rate: p[0] }, [p[1], p[2]], p[3]);
            (value, [s.rate, y[0], y[1], dt])
        },
        AT,
    );
}

/// With a lifetime, a length, and a supertrait with derivatives.
#[gradient]
pub trait Energy {
    fn energy(&self, x: f64) -> f64;
}

#[gradient(dyn)]
pub trait Lookup<'t, const N: usize>: Energy {
    fn at(&self, table: &'t [f64; N], x: f64) -> f64;

    fn both(&self, table: &'t [f64; N], x: f64) -> f64 {
        self.at(table, x) * self.at(table, x * x)
    }
}

#[derive(Clone, Debug, Differentiable, Record)]
pub struct Power {
    pub by: f64,
}

#[gradient]
impl Energy for Power {
    fn energy(&self, x: f64) -> f64 {
        self.by * x * x
    }
}

#[gradient]
impl<'t> Lookup<'t, 3> for Power {
    fn at(&self, table: &'t [f64; 3], x: f64) -> f64 {
        let mut sum = 0.0;
        for i in 0..3 {
            sum = sum * x + table[i] * self.by;
        }
        sum
    }
}

#[gradient]
fn looked_up<'t, P: Lookup<'t, 3>>(power: &P, table: &'t [f64; 3], x: f64) -> f64 {
    power.at(table, x) * power.energy(x) + power.both(table, x)
}

#[gradient]
fn looked_up_of_object<'t>(power: &dyn Lookup<'t, 3>, table: &'t [f64; 3], x: f64) -> f64 {
    power.at(table, x) + power.both(table, x)
}

#[test]
fn a_lifetime_a_length_and_a_supertrait() {
    let of = |p: &[f64]| Power { by: p[0] };
    let table = |p: &[f64]| [p[1], p[2], 0.5];
    check(
        |p| looked_up(&of(p), &table(p), p[3]),
        |p| {
            let (value, (s, t, x)) = looked_up_grad(&of(p), &table(p), p[3]);
            (value, [s.by, t[0], t[1], x])
        },
        AT,
    );
    check(
        |p| looked_up_of_object(&of(p), &table(p), p[3]),
        |p| {
            let (value, (s, t, x)) = looked_up_of_object_grad(&of(p), &table(p), p[3]);
            (value, [s.as_slice()[0], t[0], t[1], x])
        },
        AT,
    );
}

/// What holds something of the trait.
#[derive(Clone, Debug, Differentiable)]
pub struct Scaled<M> {
    pub inner: M,
    pub by: f64,
}

#[gradient]
impl<M: Energy + Differentiable> Energy for Scaled<M> {
    fn energy(&self, x: f64) -> f64 {
        self.by * self.inner.energy(x * self.by)
    }
}

#[gradient]
fn work<M: Energy>(m: &M, x: f64) -> f64 {
    m.energy(x) * x
}

#[gradient]
fn work_of_object(m: &dyn Energy, x: f64) -> f64 {
    m.energy(x) * x
}

#[test]
fn what_holds_others() {
    let of = |p: &[f64]| Scaled {
        inner: Scaled {
            inner: Power { by: p[0] },
            by: p[1],
        },
        by: p[2],
    };
    check(
        |p| work(&of(p), p[3]),
        |p| {
            let (value, (s, x)) = work_grad(&of(p), p[3]);
            (value, [s.inner.inner.by, s.inner.by, s.by, x])
        },
        AT,
    );
    // Nothing says that the tangent of an `M` has a flat view.
    let message = panic_message(|| {
        let _ = work_of_object_grad(&of(AT[0]), 1.0);
    });
    assert!(message.contains("has a flat view"), "{message}");
}

/// A block that says of its parameter what its methods call, and nothing of derivatives.
#[derive(Clone, Debug, Differentiable, Record)]
pub struct Stage<const N: usize, E> {
    gains: [f64; N],
    source: E,
    more: Vec<E>,
}

#[gradient]
impl<const N: usize, M: Energy> Stage<N, M> {
    pub fn new(gains: [f64; N], source: M) -> Self {
        Self {
            gains,
            source,
            more: Vec::new(),
        }
    }

    pub fn output(&self, x: f64) -> f64 {
        let gain: f64 = self.gains.iter().product();
        let more: f64 = self.more.iter().map(|m| m.energy(x)).sum();
        gain * self.source.energy(x) + more
    }
}

#[gradient]
fn staged(gains: [f64; 2], by: f64, x: f64) -> f64 {
    let mut stage = Stage::new(gains, Power { by });
    stage.more.push(Power { by: gains[0] });
    stage.output(x) * stage.gains[1]
}

/// What a block asks for itself is enough: `Square` is no record, and the sweeps of `at` need none.
#[derive(Clone, Debug, Differentiable)]
pub struct Square;

#[gradient]
impl Energy for Square {
    fn energy(&self, x: f64) -> f64 {
        x * x
    }
}

#[derive(Clone, Debug, Differentiable)]
pub struct Weighted<M> {
    by: f64,
    of: M,
}

#[gradient]
impl<M: Energy + Differentiable> Weighted<M> {
    #[no_gradient]
    pub fn new(by: f64, of: M) -> Self {
        Self { by, of }
    }

    pub fn at(&self, x: f64) -> f64 {
        self.by * self.of.energy(x)
    }
}

#[test]
fn a_block_that_says_what_it_needs_is_left_as_it_is() {
    check(
        |p| Weighted::new(p[0], Square).at(p[3]),
        |p| {
            let (value, (s, x)) = Weighted::new(p[0], Square).at_grad(p[3]);
            (value, [s.by, 0.0, 0.0, x])
        },
        AT,
    );
}

#[test]
fn what_a_block_calls_on_its_parameter() {
    check(
        |p| staged([p[0], p[1]], p[2], p[3]),
        |p| staged_grad([p[0], p[1]], p[2], p[3]),
        AT,
    );
    let of = |p: &[f64]| Stage {
        gains: [p[0], p[1]],
        source: Power { by: p[2] },
        more: vec![Power { by: 0.5 }],
    };
    check(
        |p| of(p).output(p[3]),
        |p| {
            let (value, (s, x)) = of(p).output_grad(p[3]);
            (value, [s.gains[0], s.gains[1], s.source.by, x])
        },
        AT,
    );
}

#[derive(Clone, Debug, Differentiable)]
pub struct Flattened<M> {
    pub inner: M,
    pub by: f64,
}

#[gradient]
impl<M> Energy for Flattened<M>
where
    M: Energy + Differentiable,
    <M as Differentiable>::Tangent: Flat,
{
    fn energy(&self, x: f64) -> f64 {
        self.by * self.inner.energy(x)
    }
}

#[test]
fn what_holds_others_behind_an_object() {
    let of = |p: &[f64]| Flattened {
        inner: Power { by: p[0] },
        by: p[1],
    };
    check(
        |p| work_of_object(&of(p), p[2]),
        |p| {
            let (value, (s, x)) = work_of_object_grad(&of(p), p[2]);
            let [inner, by] = s.as_slice() else {
                panic!("{s:?}")
            };
            (value, [*inner, *by, x])
        },
        &[&[2.0, 0.5, 1.1], &[0.3, -0.4, 2.0]],
    );
}

#[gradient]
fn of_impl(m: &impl Energy, x: f64, other: impl Energy) -> f64 {
    m.energy(x) * other.energy(x)
}

#[gradient]
fn of_constant_impl(#[constant] m: &impl Energy, x: f64) -> f64 {
    m.energy(2.0) * x
}

#[gradient]
fn calls_impl(p: &Power, x: f64) -> f64 {
    of_impl(
        p,
        x,
        Scaled {
            inner: Power { by: x },
            by: 0.5,
        },
    )
}

#[test]
fn an_impl_in_argument_position() {
    check(
        |p| of_impl(&Power { by: p[0] }, p[1], Power { by: p[2] }),
        |p| {
            let (value, (s, x, other)) =
                of_impl_grad(&Power { by: p[0] }, p[1], Power { by: p[2] });
            (value, [s.by, x, other.by])
        },
        &[&[2.0, 0.5, 1.1], &[0.3, -0.4, 2.0]],
    );
    check(
        |p| calls_impl(&Power { by: p[0] }, p[1]),
        |p| {
            let (value, (s, x)) = calls_impl_grad(&Power { by: p[0] }, p[1]);
            (value, [s.by, x])
        },
        &[&[2.0, 0.5], &[0.3, -0.4]],
    );
    assert_eq!(of_constant_impl_grad(&Power { by: 3.0 }, 2.0), (24.0, 12.0));
}
