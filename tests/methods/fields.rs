//! Methods that lead to fields, constants of types as receivers, and names that std has as well.

use retrograde::{Differentiable, Record, gradient};

use crate::support::{check, check_exact};

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct Polynomial {
    coefficients: Vec<f64>,
    scale: Scale,
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Scale {
    by: f64,
}

#[gradient]
impl Polynomial {
    fn coefficients(&self) -> &[f64] {
        &self.coefficients
    }

    fn all(&self) -> &[f64] {
        &self.coefficients[..]
    }

    fn by(&self) -> &f64 {
        &self.scale.by
    }

    /// Another field each time it is called: no accessor.
    fn longest(&self) -> &[f64] {
        let all = &self.coefficients;
        all
    }

    fn eval(&self, x: f64) -> f64 {
        self.coefficients()
            .iter()
            .rev()
            .fold(0.0, |sum, c| sum * x + c)
            * *self.by()
    }

    fn sum(&self, x: f64) -> f64 {
        let all = self.all();
        let mut sum = 0.0;
        for i in (0..all.len()).rev() {
            sum = sum * x + all[i] * all[i];
        }
        sum + self.by().sin()
    }

    /// Where a trait could come first, calls are left as they are.
    fn changed(&mut self, x: f64) {
        self.scale.by += x;
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Quaternion {
    w: f64,
    x: f64,
}

#[gradient]
impl Quaternion {
    const IDENTITY: Self = Self { w: 1.0, x: 0.5 };

    fn mul(self, other: Quaternion) -> Quaternion {
        Quaternion {
            w: self.w * other.w - self.x * other.x,
            x: self.w * other.x + self.x * other.w,
        }
    }

    fn turned(self, n: usize) -> f64 {
        let mut turned = Self::IDENTITY.mul(self);
        for _ in 0..n {
            turned = Quaternion::IDENTITY.mul(turned.mul(self));
        }
        turned.w * turned.x
    }
}

/// `get` of what is no container.
trait Noise<const D: usize> {
    fn get(&self, at: [f64; D]) -> f64;
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Wave {
    frequency: f64,
}

#[gradient]
impl Noise<2> for Wave {
    fn get(&self, at: [f64; 2]) -> f64 {
        (self.frequency * at[0]).sin() * at[1]
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Turbulence {
    source: Wave,
    power: f64,
}

#[gradient]
impl Noise<2> for Turbulence {
    fn get(&self, at: [f64; 2]) -> f64 {
        let x = at[0] + self.source.get([at[1], at[0]]) * self.power;
        self.source.get([x, at[1]])
    }
}

#[gradient]
fn noise(t: &Turbulence, at: [f64; 2], table: &[f64]) -> f64 {
    let value = t.get(at) + t.source.get([at[0], 0.5]);
    value * table.get(1).unwrap()
}

/// What methods of fields and variables yield.
#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct Key {
    at: f64,
    value: f64,
}

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct Track {
    keys: Vec<Key>,
    fallback: Option<f64>,
}

#[gradient]
impl Track {
    fn sample(&self, t: f64) -> Option<f64> {
        let mut k = 0;
        while k + 1 < self.keys.len() {
            let (a, b) = (&self.keys[k], &self.keys[k + 1]);
            if a.at <= t && t < b.at {
                return Some(a.value + (b.value - a.value) * (t - a.at) / (b.at - a.at));
            }
            k += 1;
        }
        None
    }

    fn checked(&self, t: f64) -> Result<f64, String> {
        self.sample(t).ok_or("outside".to_owned())
    }

    fn clamped(&self, t: f64) -> Option<f64> {
        self.sample(t).or_else(|| {
            let first = self.keys.first().unwrap();
            if t <= first.at {
                Some(first.value * t)
            } else {
                self.fallback
            }
        })
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct Scene {
    track: Track,
}

#[gradient]
fn shown(scene: &Scene, t: f64) -> f64 {
    let track = &scene.track;
    let a = track.clamped(t).unwrap_or(2.0);
    let b = scene.track.sample(t).unwrap_or(t * t);
    let c = scene.track.checked(t).unwrap_or_default();
    let d = track.sample(t).map_or(1.0, |v| v * v);
    a * b + c * d
}

#[test]
fn accessors() {
    let polynomial = |p: &[f64]| Polynomial {
        coefficients: p[1..4].to_vec(),
        scale: Scale { by: p[0] },
    };
    let points: &[&[f64]] = &[&[2.0, 1.0, -0.5, 0.25, 1.5], &[0.5, 3.0, 2.0, -1.0, -0.5]];
    check(
        |p| polynomial(p).eval(p[4]),
        |p| {
            let (value, (d, x)) = polynomial(p).eval_grad(p[4]);
            (value, (d.scale.by, d.coefficients, x))
        },
        points,
    );
    check(
        |p| polynomial(p).sum(p[4]),
        |p| {
            let (value, (d, x)) = polynomial(p).sum_grad(p[4]);
            (value, (d.scale.by, d.coefficients, x))
        },
        points,
    );
}

#[test]
fn constants_of_types() {
    check(
        |p| Quaternion { w: p[0], x: p[1] }.turned(3),
        |p| {
            let (value, d) = Quaternion { w: p[0], x: p[1] }.turned_grad(3);
            (value, [d.w, d.x])
        },
        &[&[0.5, 0.25], &[1.0, -0.5], &[0.0, 0.0]],
    );
}

#[test]
fn names_of_containers() {
    let turbulence = |p: &[f64]| Turbulence {
        source: Wave { frequency: p[0] },
        power: p[1],
    };
    check(
        |p| noise(&turbulence(p), [p[2], p[3]], &p[4..]),
        |p| {
            let (value, (d, at, table)) = noise_grad(&turbulence(p), [p[2], p[3]], &p[4..]);
            (value, ([d.source.frequency, d.power], at, table))
        },
        &[
            &[1.5, 0.25, 0.3, -0.7, 1.0, 2.0],
            &[0.5, 2.0, 1.3, 0.4, 3.0, -1.0],
        ],
    );
}

#[test]
fn options_of_methods() {
    let scene = |p: &[f64], fallback: Option<f64>| Scene {
        track: Track {
            keys: (0..3)
                .map(|k| Key {
                    at: p[k],
                    value: p[k + 3],
                })
                .collect(),
            fallback,
        },
    };
    for fallback in [Some(3.0), None] {
        check(
            |p| shown(&scene(p, fallback), p[6]),
            |p| {
                let (value, (d, t)) = shown_grad(&scene(p, fallback), p[6]);
                let keys = d.track.keys;
                let at: Vec<f64> = keys.iter().map(|k| k.at).collect();
                let values: Vec<f64> = keys.iter().map(|k| k.value).collect();
                (value, (at, values, t))
            },
            &[
                &[0.0, 1.0, 2.5, 0.5, -1.0, 2.0, 0.3],
                &[0.0, 1.0, 2.5, 0.5, -1.0, 2.0, 1.7],
                &[0.0, 1.0, 2.5, 0.5, -1.0, 2.0, -0.5],
                &[0.0, 1.0, 2.5, 0.5, -1.0, 2.0, 4.5],
            ],
        );
    }
}
