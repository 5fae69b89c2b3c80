//! What stands in blocks: aliases in operators and traits, elements in operators of references, boxed errors, parts
//! that are lent by branches, operators that assign to elements.

use std::error::Error;
use std::ops::{AddAssign, Index, IndexMut, Mul, Sub};

use retrograde::{Differentiable, Record, gradient};

use crate::support::check;

type Fl = f64;
type Triple = [Fl; 3];

#[derive(Debug, Clone, Copy, PartialEq, Differentiable, Record)]
struct V(Triple);

#[gradient]
impl Mul<Fl> for V {
    type Output = V;
    fn mul(self, s: Fl) -> V {
        V(self.0.map(|c| c * s))
    }
}

#[gradient]
trait Hit {
    fn hit(&self, p: &Triple, t: Fl) -> Option<Fl>;
    fn doubled(&self, t: Fl) -> Fl {
        2.0 * t * t
    }
}

#[gradient]
impl Hit for V {
    fn hit(&self, p: &Triple, t: Fl) -> Option<Fl> {
        let mut sum = 0.0;
        for i in 0..3 {
            sum += (p[i] - self.0[i]).powi(2);
        }
        if sum > t { None } else { Some(sum.sqrt()) }
    }
}

#[gradient]
fn through<H: Hit>(h: &H, p: &Triple, t: Fl) -> Fl {
    h.hit(p, t).unwrap_or(t) + h.doubled(p[0])
}

#[gradient]
fn aliases(x: &[f64]) -> f64 {
    let v = V([x[0], x[1], 1.0]) * x[2];
    through(&v, &[x[1], 0.5, x[2]], 9.0) + through(&v, &[20.0, 0.5, x[2]], 9.0)
}

#[derive(Debug, Clone, PartialEq, Differentiable, Record)]
struct Matrix<const R: usize, const C: usize> {
    data: [[f64; C]; R],
}

impl<const R: usize, const C: usize> Index<(usize, usize)> for Matrix<R, C> {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.data[i][j]
    }
}

impl<const R: usize, const C: usize> IndexMut<(usize, usize)> for Matrix<R, C> {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.data[i][j]
    }
}

#[gradient]
impl<const R: usize, const K: usize, const C: usize> Mul<&Matrix<K, C>> for &Matrix<R, K> {
    type Output = Matrix<R, C>;
    fn mul(self, rhs: &Matrix<K, C>) -> Matrix<R, C> {
        let mut out = Matrix {
            data: [[0.0; C]; R],
        };
        for i in 0..R {
            for j in 0..C {
                for k in 0..K {
                    out[(i, j)] += self[(i, k)] * rhs[(k, j)];
                }
            }
        }
        out
    }
}

#[gradient]
fn product(x: &[f64]) -> f64 {
    let a = Matrix {
        data: [[x[0], x[1]]],
    };
    let b = Matrix {
        data: [[x[2], 2.0, x[0]], [x[1], x[1], 0.5]],
    };
    let c = &a * &b;
    c.data[0][0] * c.data[0][1] - c.data[0][2]
}

#[derive(Debug, Clone, Copy, Differentiable, Record)]
struct Polynomials {
    low: [f64; 3],
    high: [f64; 3],
    middle: f64,
}

#[gradient]
impl Polynomials {
    fn of(&self, t: f64) -> &[f64; 3] {
        if t < self.middle {
            &self.low
        } else {
            &self.high
        }
    }

    fn numbered(&self, n: usize) -> &[f64; 3] {
        match n {
            0 => &self.low,
            1 => &self.high,
            _ => panic!("there are two"),
        }
    }

    fn at(&self, t: f64) -> f64 {
        let a = self.of(t);
        a[0] + t * (a[1] + t * a[2]) + self.numbered(1)[0]
    }

    fn checked(&self, t: f64) -> Result<[f64; 2], Box<dyn Error>> {
        if t < 0.0 {
            return Err("below zero".into());
        }
        Ok([self.at(t), t * t])
    }

    fn both(&self, t: f64) -> Result<f64, Box<dyn Error + Send + Sync>> {
        let [a, b] = self.checked(t).map_err(|e| e.to_string())?;
        Ok(a * b)
    }
}

#[gradient]
fn lent(x: &[f64]) -> f64 {
    let p = Polynomials {
        low: [x[0], x[1], x[2]],
        high: [x[1], x[2], x[0]],
        middle: 1.0,
    };
    p.at(x[2]) * p.both(x[1]).unwrap_or(x[0])
}

#[derive(Debug, Clone, Copy, Differentiable, Record)]
struct P {
    x: f64,
    y: f64,
}

#[gradient]
impl Sub for P {
    type Output = P;
    fn sub(self, o: P) -> P {
        P {
            x: self.x - o.x,
            y: self.y - o.y,
        }
    }
}

#[gradient]
impl Mul<f64> for P {
    type Output = P;
    fn mul(self, s: f64) -> P {
        P {
            x: self.x * s,
            y: self.y * s,
        }
    }
}

#[gradient]
impl AddAssign for P {
    fn add_assign(&mut self, o: P) {
        self.x += o.x * o.y;
        self.y += o.y;
    }
}

#[derive(Debug, Clone, Differentiable, Record)]
struct Body {
    at: P,
    v: P,
    mass: f64,
    held: bool,
}

#[derive(Debug, Clone, Differentiable, Record)]
struct Bodies {
    all: Vec<Body>,
}

#[gradient]
impl Bodies {
    fn advance(&mut self, dt: f64) {
        for b in &mut self.all {
            if b.held {
                continue;
            }
            b.v += b.v * (dt / b.mass);
            b.at += b.v * dt;
            b.at += b.at;
        }
    }
}

#[gradient]
fn moved(x: &[f64]) -> f64 {
    let body = |at: f64, held: bool| Body {
        at: P { x: at, y: x[1] },
        v: P { x: x[2], y: at },
        mass: 1.5,
        held,
    };
    let mut bodies = Bodies {
        all: vec![body(x[0], false), body(x[1], true), body(0.3, false)],
    };
    bodies.advance(0.1);
    bodies.advance(x[0]);
    let mut sum = 0.0;
    for b in &bodies.all {
        sum += b.at.x * b.at.y + b.v.x;
    }
    sum
}

const INPUTS: &[&[f64]] = &[&[0.7, -0.3, 1.4], &[1.1, 0.6, -0.8], &[0.2, 0.4, 0.6]];

#[test]
fn aliases_in_operators_and_traits() {
    check(aliases, aliases_grad, INPUTS);
}

#[test]
fn elements_in_operators_of_references() {
    check(product, product_grad, INPUTS);
}

#[test]
fn parts_by_branches_and_boxed_errors() {
    check(lent, lent_grad, INPUTS);
    let p = Polynomials {
        low: [1.0; 3],
        high: [2.0; 3],
        middle: 0.0,
    };
    assert_eq!(p.both_grad(-1.0).unwrap_err().to_string(), "below zero");
    assert!(std::panic::catch_unwind(|| p.numbered(2).len()).is_err());
}

#[test]
fn operators_that_assign_to_elements() {
    check(moved, moved_grad, INPUTS);
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Differentiable, Record)]
struct Complex {
    re: f64,
    im: f64,
}

#[gradient]
impl std::ops::Add for Complex {
    type Output = Complex;
    fn add(self, o: Complex) -> Complex {
        Complex {
            re: self.re + o.re,
            im: self.im + o.im,
        }
    }
}

#[gradient]
impl Mul for Complex {
    type Output = Complex;
    fn mul(self, o: Complex) -> Complex {
        Complex {
            re: self.re * o.re - self.im * o.im,
            im: self.re * o.im + self.im * o.re,
        }
    }
}

#[gradient]
impl Complex {
    fn new(re: f64, im: f64) -> Self {
        Complex { re, im }
    }

    fn abs(self) -> f64 {
        self.re.hypot(self.im)
    }

    fn exp(self) -> Self {
        Complex::new(self.re.exp() * self.im.cos(), self.re.exp() * self.im.sin())
    }
}

#[gradient]
fn response(x: &[f64]) -> f64 {
    let z = Complex::new(0.0, -x[0]).exp();
    let num = x
        .iter()
        .rev()
        .fold(Complex::default(), |acc, &c| acc * z + Complex::new(c, 0.0));
    num.abs() + (num * z).abs()
}

#[test]
fn folds_of_values_of_ones_own() {
    check(response, response_grad, INPUTS);
}
