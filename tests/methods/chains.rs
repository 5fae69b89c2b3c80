//! Methods that return chains, called by other methods of their block.

use retrograde::{Differentiable, Record, gradient};

use crate::support::check;

#[derive(Clone, Debug, Differentiable, Record)]
struct Body {
    x: f64,
    mass: f64,
}

#[derive(Clone, Debug, Differentiable, Record)]
struct System {
    values: Vec<f64>,
    bodies: Vec<Body>,
    scale: f64,
}

const HALF: f64 = 0.5;

#[gradient]
fn scaled(x: f64, by: f64) -> f64 {
    x * by * HALF
}

#[gradient]
impl System {
    fn squares(&self) -> impl Iterator<Item = f64> + '_ {
        self.values.iter().map(move |x| scaled(x * x, self.scale))
    }

    fn all(&self) -> impl Iterator<Item = &f64> {
        self.values.iter()
    }

    fn heavy(&self) -> impl DoubleEndedIterator<Item = &Body> + '_ {
        self.bodies.iter().filter(|b| b.mass > 0.0)
    }

    /// A chain that begins with another one.
    fn products(&self) -> impl Iterator<Item = f64> + '_ {
        self.all()
            .zip(self.values.iter().skip(1))
            .map(|(a, b)| a * b)
    }

    /// A chain that has another one in a closure, whose variable has a name of that one's.
    fn sums(&self) -> impl Iterator<Item = f64> + '_ {
        self.bodies
            .iter()
            .map(|x| self.squares().map(|y| y * x.mass).sum::<f64>())
    }

    fn total(&self) -> f64 {
        self.squares().sum()
    }

    fn folded(&self, y: f64) -> f64 {
        let mut sum = 0.0;
        for v in self.all() {
            sum += v * y;
        }
        for (i, q) in self.squares().enumerate() {
            sum *= q + i as f64;
        }
        sum + self.all().map(|v| v.sin()).sum::<f64>()
            + self.all().copied().fold(f64::MIN, f64::max)
    }

    fn center(&self) -> f64 {
        let mass: f64 = self.heavy().map(|b| b.mass).sum();
        let squares = self.squares();
        let sum: f64 = squares.map(|v| v * mass).sum();
        self.heavy().rev().map(|b| b.x * b.mass).sum::<f64>() / mass * sum
    }

    fn nested(&self) -> f64 {
        self.products().sum::<f64>() * self.sums().product::<f64>()
    }
}

fn system(p: &[f64]) -> System {
    System {
        values: p[..3].to_vec(),
        bodies: p[3..7]
            .chunks(2)
            .map(|p| Body {
                x: p[0],
                mass: p[1],
            })
            .collect(),
        scale: p[7],
    }
}

fn numbers(s: &SystemTangent) -> Vec<f64> {
    let mut all = s.values.clone();
    all.extend(s.bodies.iter().flat_map(|b| [b.x, b.mass]));
    all.push(s.scale);
    all
}

#[test]
fn chains_that_methods_return() {
    let points: [&[f64]; 2] = [
        &[0.4, -1.2, 0.7, 1.0, 0.7, 2.0, 0.5, 0.9],
        &[1.4, 0.2, -0.3, 0.3, -0.7, -2.0, 1.5, -1.1],
    ];
    macro_rules! check_methods {
        ($($method:ident $gradient:ident)*) => {$(
            check(
                |p| system(p).$method(),
                |p| {
                    let (value, d) = system(p).$gradient();
                    (value, numbers(&d))
                },
                &points,
            );
        )*};
    }
    check_methods! { total total_grad center center_grad nested nested_grad }
    check(
        |p| system(p).folded(0.3),
        |p| {
            let (value, (d, _)) = system(p).folded_grad(0.3);
            (value, numbers(&d))
        },
        &points,
    );
}
