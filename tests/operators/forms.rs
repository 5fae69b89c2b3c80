//! Forms of `impl`s: generic types, aliases of lifetimes, matrices that own memory, operators on bits, macros.

use std::ops::{Add, BitXor, Mul, Neg, Not, Sub};

use retrograde::{Differentiable, Flat, Record, gradient};

use crate::support::check;

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct Matrix<const R: usize, const C: usize> {
    cells: [[f64; C]; R],
}

#[gradient]
impl<const R: usize, const C: usize, const K: usize> Mul<&Matrix<C, K>> for &Matrix<R, C> {
    type Output = Matrix<R, K>;
    fn mul(self, o: &Matrix<C, K>) -> Matrix<R, K> {
        let mut cells = [[0.0; K]; R];
        for i in 0..R {
            for j in 0..K {
                for l in 0..C {
                    cells[i][j] += self.cells[i][l] * o.cells[l][j];
                }
            }
        }
        Matrix { cells }
    }
}

#[gradient]
fn bilinear(a: &Matrix<2, 3>, b: &Matrix<3, 1>) -> f64 {
    let c = a * b;
    let d = &(a * b) * &Matrix { cells: [[0.5]] };
    c.cells[0][0] * d.cells[1][0] + d.cells[0][0]
}

#[test]
fn matrices() {
    let of = |p: &[f64]| {
        let a = Matrix {
            cells: [[p[0], p[1], p[2]], [p[3], p[4], p[5]]],
        };
        (
            a,
            Matrix {
                cells: [[p[6]], [p[7]], [p[8]]],
            },
        )
    };
    check(
        |p| bilinear(&of(p).0, &of(p).1),
        |p| {
            let (value, (a, b)) = bilinear_grad(&of(p).0, &of(p).1);
            (value, [a.to_flat(), b.to_flat()].concat())
        },
        &[&[0.7, 1.3, 0.4, -0.6, 0.1, 0.3, 0.9, -2.0, 1.0]],
    );
}

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
#[differentiable(tangent = Self)]
struct Series {
    terms: Vec<f64>,
}

#[gradient]
impl Add for Series {
    type Output = Series;
    fn add(mut self, o: Series) -> Series {
        for i in 0..self.terms.len() {
            self.terms[i] += o.terms[i];
        }
        self
    }
}

#[gradient]
impl Sub<Series> for &Series {
    type Output = Series;
    fn sub(self, o: Series) -> Series {
        let mut terms = self.terms.clone();
        for i in 0..terms.len() {
            terms[i] -= o.terms[i];
        }
        Series { terms }
    }
}

/// The inner product.
#[gradient]
impl BitXor<&Series> for Series {
    type Output = f64;
    fn bitxor(self, o: &Series) -> f64 {
        let mut sum = 0.0;
        for i in 0..self.terms.len() {
            sum += self.terms[i] * o.terms[i];
        }
        sum
    }
}

/// The sum of squares.
#[gradient]
impl Not for &Series {
    type Output = f64;
    fn not(self) -> f64 {
        let mut sum = 0.0;
        for x in &self.terms {
            sum += x * x;
        }
        sum
    }
}

#[gradient]
fn series(a: &Series, b: Series) -> f64 {
    let c = a - b.clone();
    let d = c.clone() + b.clone();
    let e = (d + c) ^ a;
    e * !a + (b ^ a)
}

#[test]
fn types_that_own_memory() {
    let of = |p: &[f64]| Series { terms: p.to_vec() };
    check(
        |p| series(&of(&p[..2]), of(&p[2..])),
        |p| {
            let (value, (a, b)) = series_grad(&of(&p[..2]), of(&p[2..]));
            (value, [a.terms, b.terms].concat())
        },
        &[&[0.7, 1.3, 0.4, -0.6], &[0.0, 1.0, -2.0, 0.5]],
    );
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Angle(f64);
#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Length(f64);

macro_rules! scaled {
    ($($ty:ident)*) => {$(
        #[gradient]
        impl Mul<f64> for $ty {
            type Output = $ty;
            fn mul(self, k: f64) -> $ty {
                $ty(self.0 * k)
            }
        }
        #[gradient]
        impl Neg for $ty {
            type Output = Self;
            fn neg(self) -> Self {
                Self(-self.0)
            }
        }
    )*};
}
scaled! { Angle Length }

#[gradient]
fn arc(a: Angle, l: Length, k: f64) -> f64 {
    let turned = -a * k;
    let longer = l * k * 2.0;
    turned.0.sin() * longer.0
}

#[test]
fn impls_by_macro() {
    check(
        |p| arc(Angle(p[0]), Length(p[1]), p[2]),
        |p| {
            let (value, (a, l, k)) = arc_grad(Angle(p[0]), Length(p[1]), p[2]);
            (value, [a.0, l.0, k])
        },
        &[&[0.7, 1.3, 0.4], &[-0.2, 2.0, 1.0]],
    );
}

/// A field of a type of its own, with the operators of a type that has a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Pair<T> {
    a: T,
    b: T,
}

#[gradient]
impl Add<Pair<f64>> for Pair<f64> {
    type Output = Pair<f64>;
    fn add(self, o: Self) -> Self {
        Self {
            a: self.a + o.a,
            b: self.b * o.b,
        }
    }
}

#[gradient]
fn pairs(a: f64, b: f64) -> f64 {
    let p = Pair { a, b };
    let q = p + Pair { a: b, b: 2.0 };
    (q + p).b * q.a
}

#[test]
fn types_with_parameters() {
    check(
        |p| pairs(p[0], p[1]),
        |p| {
            let (value, (a, b)) = pairs_grad(p[0], p[1]);
            (value, [a, b])
        },
        &[&[0.7, 1.3], &[-0.2, 2.0]],
    );
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Differentiable, Record)]
struct Point {
    x: f64,
    y: f64,
}

#[gradient]
impl From<[f64; 2]> for Point {
    fn from([x, y]: [f64; 2]) -> Self {
        Point { x, y: x * y }
    }
}

#[gradient]
impl std::ops::AddAssign<&Point> for Point {
    fn add_assign(&mut self, o: &Point) {
        self.x += o.x * o.y;
        self.y -= o.x;
    }
}

#[gradient]
fn conversions(a: f64, b: f64) -> f64 {
    let mut sum = Point::default();
    let p = Point::from([a, b]);
    for _ in 0..3 {
        sum += &p;
        sum += &Point::from([sum.x, b]);
    }
    sum.x * sum.y
}

#[test]
fn conversions_and_defaults() {
    check(
        |p| conversions(p[0], p[1]),
        |p| {
            let (value, (a, b)) = conversions_grad(p[0], p[1]);
            (value, [a, b])
        },
        &[&[0.7, 1.3], &[-0.2, 0.4]],
    );
}

/// Operators among the operands of operators, with an effect: each runs once, in the order of the text.
#[gradient]
fn effects(p: Point, q: Point, n: usize) -> f64 {
    let mut calls = 0;
    let mut sum = p;
    for i in 0..n {
        sum += {
            calls += 1;
            &q
        };
        if calls == 2 {
            break;
        }
    }
    assert!(calls <= 2);
    sum.x * sum.y + q.x
}

#[test]
fn effects_among_operands() {
    for n in [0, 1, 4] {
        check(
            |p| effects(Point { x: p[0], y: p[1] }, Point { x: p[2], y: p[3] }, n),
            |p| {
                let (value, (a, b)) =
                    effects_grad(Point { x: p[0], y: p[1] }, Point { x: p[2], y: p[3] }, n);
                (value, [a.x, a.y, b.x, b.y])
            },
            &[&[0.7, 1.3, 0.4, -0.5]],
        );
    }
}

/// A complex number, whose addition of a number is not what it looks like.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Odd {
    re: f64,
    im: f64,
}

#[gradient]
impl std::ops::AddAssign<f64> for Odd {
    fn add_assign(&mut self, k: f64) {
        self.re *= k;
        self.im += k * self.re;
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct Holder {
    odd: Odd,
    plain: f64,
}

#[gradient]
fn constant_on_the_right(h: Holder, o: Odd) -> f64 {
    let mut h = h;
    let mut o = o;
    h.odd += 3.0;
    h.plain += 1.0;
    h.plain -= 0.5;
    o += 2.0;
    o += h.plain;
    h.odd.re * h.odd.im * h.plain + o.re * o.im
}

#[test]
fn constants_on_the_right_of_an_assignment() {
    let of = |p: &[f64]| {
        let holder = Holder {
            odd: Odd { re: p[0], im: p[1] },
            plain: p[2],
        };
        (holder, Odd { re: p[3], im: p[4] })
    };
    check(
        |p| constant_on_the_right(of(p).0, of(p).1),
        |p| {
            let (value, (h, o)) = constant_on_the_right_grad(of(p).0, of(p).1);
            (value, [h.odd.re, h.odd.im, h.plain, o.re, o.im])
        },
        &[&[0.7, 1.3, 0.4, -0.5, 0.8], &[-1.0, 0.0, 2.0, 0.3, 0.1]],
    );
}

#[gradient]
impl Add for Odd {
    type Output = Odd;
    fn add(self, o: Odd) -> Odd {
        Odd {
            re: self.re + o.re,
            im: self.im * o.im,
        }
    }
}

#[gradient]
impl Add<Odd> for &Odd {
    type Output = Odd;
    fn add(self, o: Odd) -> Odd {
        Odd {
            re: self.re * o.re,
            im: self.im - o.im,
        }
    }
}

/// A reference behind which the operator is another one, beside operands with effects; a fold.
#[gradient]
fn copied_operands(odds: &[Odd], mut k: usize) -> f64 {
    let sum = &odds[k] + {
        k += 1;
        assert!(k < odds.len());
        odds[k]
    };
    let folded = odds.iter().fold(Odd { re: 0.5, im: 2.0 }, |a, o| a + *o);
    let mut by_index = sum;
    for i in 0..odds.len() {
        by_index = &odds[i] + by_index;
        let negated = by_index.re > 100.0;
        if negated {
            by_index = odds[0];
        }
    }
    sum.re * sum.im + folded.re * folded.im + by_index.re * by_index.im
}

#[test]
fn operands_that_are_copied() {
    let of = |p: &[f64]| {
        p.chunks(2)
            .map(|p| Odd { re: p[0], im: p[1] })
            .collect::<Vec<_>>()
    };
    check(
        |p| copied_operands(&of(p), 0),
        |p| {
            let (value, d) = copied_operands_grad(&of(p), 0);
            (value, d.to_flat())
        },
        &[
            &[0.7, 1.3, 0.4, -0.5, 0.8, 1.1],
            &[-1.0, 0.0, 2.0, 0.3, 0.1, 0.2],
        ],
    );
}
