//! What functions of the library take and return: drawn, lifted to dual numbers, and flattened.

use crate::rng::Rng;

use super::subject::{Input, Outcome};
use super::{number, number32};

/// A stream of drawn values for one parameter.
pub(crate) struct Draw {
    pub(crate) rng: Rng,
    /// The size that the subject runs at.
    pub(crate) n: usize,
    /// The side of matrices, about the root of `n`.
    pub(crate) side: usize,
    /// The next length of a `Vec`.
    pub(crate) length: usize,
    /// Rows of rows have lengths of their own.
    pub(crate) ragged: bool,
    /// What an integer is, where it is not an index.
    pub(crate) integer: Option<usize>,
    /// Lower end and width of floats.
    pub(crate) range: (f64, f64),
}

impl Draw {
    fn float(&mut self) -> f64 {
        let (low, width) = self.range;
        low + width * ((self.rng.next() >> 11) as f64 / (1_u64 << 53) as f64)
    }
}

/// Marks the `k`th differentiable entry, and adds up derivatives.
pub(crate) struct Seeder {
    k: usize,
    seen: usize,
    on: bool,
    derivative: f64,
    outcome: Outcome,
}

impl Seeder {
    pub(crate) fn new(k: usize) -> Self {
        Self {
            k,
            seen: 0,
            on: true,
            derivative: 0.0,
            outcome: Outcome::default(),
        }
    }

    pub(crate) fn lift<A: Argument>(&mut self, value: &A, differentiable: bool) -> A::Dual {
        self.on = differentiable;
        value.lift(self)
    }

    fn is_next_marked(&mut self) -> bool {
        let marked = self.on && self.seen == self.k;
        self.seen += usize::from(self.on);
        marked
    }

    /// Adds what `value` contributes, each entry weighted as the adjoint that it gets in reverse.
    pub(crate) fn collect<A: Argument>(
        &mut self,
        value: &A::Dual,
        weight: &mut dyn FnMut() -> f64,
    ) {
        A::collect(value, &mut |value, derivative| {
            self.outcome.value.push(value);
            self.derivative += weight() * derivative;
        });
    }

    pub(crate) fn finish(self) -> (Outcome, f64) {
        (self.outcome, self.derivative)
    }
}

/// A parameter's owned value, or a result.
pub(crate) trait Argument: Sized {
    /// The type of its gradient.
    type Tangent;
    /// The same over dual numbers.
    type Dual;

    fn draw(draw: &mut Draw) -> Self;
    fn tangent(&self, fill: &mut dyn FnMut() -> f64) -> Self::Tangent;
    fn lift(&self, seeder: &mut Seeder) -> Self::Dual;
    /// The adjoint to begin with, for results.
    fn seed(weight: &mut dyn FnMut() -> f64) -> Self::Tangent;
    fn flatten(&self, out: &mut Vec<f64>);
    fn flatten_tangent(tangent: &Self::Tangent, out: &mut Vec<f64>);
    /// Value and derivative of each float.
    fn collect(dual: &Self::Dual, each: &mut dyn FnMut(f64, f64));
}

macro_rules! float {
    ($float:ident, $number:ident) => {
        impl Argument for $float {
            type Tangent = $float;
            type Dual = $number::D;

            fn draw(draw: &mut Draw) -> Self {
                draw.float() as $float
            }
            fn tangent(&self, fill: &mut dyn FnMut() -> f64) -> $float {
                fill() as $float
            }
            fn lift(&self, seeder: &mut Seeder) -> $number::D {
                if seeder.is_next_marked() {
                    $number::variable(*self)
                } else {
                    $number::num(*self)
                }
            }
            fn seed(weight: &mut dyn FnMut() -> f64) -> $float {
                weight() as $float
            }
            fn flatten(&self, out: &mut Vec<f64>) {
                out.push(f64::from(*self));
            }
            fn flatten_tangent(tangent: &$float, out: &mut Vec<f64>) {
                out.push(f64::from(*tangent));
            }
            fn collect(dual: &$number::D, each: &mut dyn FnMut(f64, f64)) {
                each(f64::from(dual.value()), dual.derivative());
            }
        }
    };
}

float!(f64, number);
float!(f32, number32);

impl Argument for usize {
    type Tangent = ();
    type Dual = usize;

    fn draw(draw: &mut Draw) -> Self {
        draw.integer
            .unwrap_or_else(|| draw.rng.below(draw.n.max(1)))
    }
    fn tangent(&self, _fill: &mut dyn FnMut() -> f64) {}
    fn lift(&self, _seeder: &mut Seeder) -> usize {
        *self
    }
    fn seed(_weight: &mut dyn FnMut() -> f64) {}
    fn flatten(&self, out: &mut Vec<f64>) {
        out.push(*self as f64);
    }
    fn flatten_tangent((): &(), _out: &mut Vec<f64>) {}
    fn collect(dual: &usize, each: &mut dyn FnMut(f64, f64)) {
        each(*dual as f64, 0.0);
    }
}

impl Argument for () {
    type Tangent = ();
    type Dual = ();

    fn draw(_draw: &mut Draw) -> Self {}
    fn tangent(&self, _fill: &mut dyn FnMut() -> f64) {}
    fn lift(&self, _seeder: &mut Seeder) {}
    fn seed(_weight: &mut dyn FnMut() -> f64) {}
    fn flatten(&self, _out: &mut Vec<f64>) {}
    fn flatten_tangent((): &(), _out: &mut Vec<f64>) {}
    fn collect((): &(), _each: &mut dyn FnMut(f64, f64)) {}
}

impl<A: Argument, B: Argument> Argument for (A, B) {
    type Tangent = (A::Tangent, B::Tangent);
    type Dual = (A::Dual, B::Dual);

    fn draw(draw: &mut Draw) -> Self {
        (A::draw(draw), B::draw(draw))
    }
    fn tangent(&self, fill: &mut dyn FnMut() -> f64) -> Self::Tangent {
        (self.0.tangent(fill), self.1.tangent(fill))
    }
    fn lift(&self, seeder: &mut Seeder) -> Self::Dual {
        (self.0.lift(seeder), self.1.lift(seeder))
    }
    fn seed(weight: &mut dyn FnMut() -> f64) -> Self::Tangent {
        (A::seed(weight), B::seed(weight))
    }
    fn flatten(&self, out: &mut Vec<f64>) {
        self.0.flatten(out);
        self.1.flatten(out);
    }
    fn flatten_tangent(tangent: &Self::Tangent, out: &mut Vec<f64>) {
        A::flatten_tangent(&tangent.0, out);
        B::flatten_tangent(&tangent.1, out);
    }
    fn collect(dual: &Self::Dual, each: &mut dyn FnMut(f64, f64)) {
        A::collect(&dual.0, each);
        B::collect(&dual.1, each);
    }
}

impl<A: Argument> Argument for Option<A> {
    type Tangent = Option<A::Tangent>;
    type Dual = Option<A::Dual>;

    fn draw(draw: &mut Draw) -> Self {
        draw.rng.percent(70).then(|| A::draw(draw))
    }
    fn tangent(&self, fill: &mut dyn FnMut() -> f64) -> Self::Tangent {
        self.as_ref().map(|a| a.tangent(fill))
    }
    fn lift(&self, seeder: &mut Seeder) -> Self::Dual {
        self.as_ref().map(|a| a.lift(seeder))
    }
    fn seed(weight: &mut dyn FnMut() -> f64) -> Self::Tangent {
        Some(A::seed(weight))
    }
    fn flatten(&self, out: &mut Vec<f64>) {
        self.iter().for_each(|a| a.flatten(out));
    }
    fn flatten_tangent(tangent: &Self::Tangent, out: &mut Vec<f64>) {
        tangent.iter().for_each(|t| A::flatten_tangent(t, out));
    }
    fn collect(dual: &Self::Dual, each: &mut dyn FnMut(f64, f64)) {
        dual.iter().for_each(|d| A::collect(d, each));
    }
}

impl<A: Argument, const N: usize> Argument for [A; N] {
    type Tangent = [A::Tangent; N];
    type Dual = [A::Dual; N];

    fn draw(draw: &mut Draw) -> Self {
        std::array::from_fn(|_| A::draw(draw))
    }
    fn tangent(&self, fill: &mut dyn FnMut() -> f64) -> Self::Tangent {
        std::array::from_fn(|i| self[i].tangent(fill))
    }
    fn lift(&self, seeder: &mut Seeder) -> Self::Dual {
        std::array::from_fn(|i| self[i].lift(seeder))
    }
    fn seed(weight: &mut dyn FnMut() -> f64) -> Self::Tangent {
        std::array::from_fn(|_| A::seed(weight))
    }
    fn flatten(&self, out: &mut Vec<f64>) {
        self.iter().for_each(|a| a.flatten(out));
    }
    fn flatten_tangent(tangent: &Self::Tangent, out: &mut Vec<f64>) {
        tangent.iter().for_each(|t| A::flatten_tangent(t, out));
    }
    fn collect(dual: &Self::Dual, each: &mut dyn FnMut(f64, f64)) {
        dual.iter().for_each(|d| A::collect(d, each));
    }
}

impl<A: Argument> Argument for Vec<A> {
    type Tangent = Vec<A::Tangent>;
    type Dual = Vec<A::Dual>;

    fn draw(draw: &mut Draw) -> Self {
        let length = draw.length;
        let rows = (0..length).map(|_| {
            if draw.ragged {
                draw.length = draw.rng.below(draw.side + 4);
            }
            A::draw(draw)
        });
        rows.collect()
    }
    fn tangent(&self, fill: &mut dyn FnMut() -> f64) -> Self::Tangent {
        self.iter().map(|a| a.tangent(fill)).collect()
    }
    fn lift(&self, seeder: &mut Seeder) -> Self::Dual {
        self.iter().map(|a| a.lift(seeder)).collect()
    }
    fn seed(_weight: &mut dyn FnMut() -> f64) -> Self::Tangent {
        unreachable!("no function of the library returns a vector")
    }
    fn flatten(&self, out: &mut Vec<f64>) {
        self.iter().for_each(|a| a.flatten(out));
    }
    fn flatten_tangent(tangent: &Self::Tangent, out: &mut Vec<f64>) {
        tangent.iter().for_each(|t| A::flatten_tangent(t, out));
    }
    fn collect(dual: &Self::Dual, each: &mut dyn FnMut(f64, f64)) {
        dual.iter().for_each(|d| A::collect(d, each));
    }
}

impl Input {
    /// The values of the parameter `name`: its name says how long it is, and what its entries mean.
    pub(crate) fn named(&self, name: &str) -> Draw {
        let side = self.n.isqrt();
        let salt = name
            .bytes()
            .fold(self.data, |s, b| s.wrapping_mul(31) + u64::from(b));
        Draw {
            rng: Rng::for_program(salt, 0),
            n: self.n,
            side,
            length: match name {
                "w" | "v" => side * side,
                "b" | "rows" => side,
                "padded" => self.n + 8,
                _ => self.n,
            },
            ragged: name == "rows",
            integer: match name {
                "n" => Some(self.n),
                "m" => Some(side),
                "at" => Some(self.panic_at.unwrap_or(usize::MAX)),
                _ => None,
            },
            range: match name {
                "p" => (0.3, 0.6),
                "positive" => (0.5, 1.0),
                _ => (-1.0, 2.0),
            },
        }
    }

    /// What adjoints hold before the reverse sweep: 1 for results, something for in-out arguments.
    pub(crate) fn weights(&self, name: &str) -> impl FnMut() -> f64 + use<> {
        let mut rng = Rng::for_program(self.data ^ 0x5eed, 1);
        let one = name == "result";
        let mut count = 0;
        move || {
            count += 1;
            if one && count == 1 {
                1.0
            } else {
                (rng.below(33) as f64 - 16.0) / 8.0
            }
        }
    }
}
