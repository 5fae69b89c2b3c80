//! Methods, traits, generics, and values of own types.

use retrograde::{Differentiable, Record, gradient};

use super::Fault;
use super::support::check;

#[derive(Clone, Debug, Differentiable, Record)]
struct Spring {
    stiffness: f64,
    rest: f64,
    parts: Vec<f64>,
}

#[gradient]
impl Spring {
    fn new(stiffness: f64, rest: f64) -> Result<Self, Fault> {
        if stiffness <= 0.0 {
            return Err(Fault::Negative(stiffness));
        }
        Ok(Spring {
            stiffness,
            rest,
            parts: vec![rest, 2.0 * stiffness],
        })
    }

    fn check(&self, x: f64) -> Result<(), Fault> {
        if x > 100.0 { Err(Fault::Small) } else { Ok(()) }
    }

    fn energy(&self, x: f64) -> Result<f64, Fault> {
        self.check(x)?;
        let d = self.stretch(x)?;
        Ok(0.5 * self.stiffness * d * d + self.parts[1] * x)
    }

    fn stretch(&self, x: f64) -> Result<f64, Fault> {
        if x < self.rest {
            Err(Fault::Small)
        } else {
            Ok(x - self.rest)
        }
    }

    fn or_zero(&self, x: f64) -> f64 {
        self.energy(x).unwrap_or(0.0) + self.parts[0]
    }

    fn stiffen(&mut self, by: f64) -> Result<f64, Fault> {
        self.stiffness *= by;
        if self.stiffness > 50.0 {
            return Err(Fault::Small);
        }
        Ok(self.stiffness * self.rest)
    }
}

#[gradient]
fn energy(k: f64, rest: f64, x: f64) -> Result<f64, Fault> {
    let mut spring = Spring::new(k, rest)?;
    let before = spring.energy(x)?;
    let during = spring.stiffen(x)?;
    Ok(before * during + spring.energy(x)? + spring.or_zero(rest - 1.0))
}

#[test]
fn methods_and_constructors() {
    for p in [[2.0, 1.0, 3.0], [0.5, -1.0, 2.0]] {
        check(
            |p| energy(p[0], p[1], p[2]).unwrap(),
            |p| energy_grad(p[0], p[1], p[2]).unwrap(),
            &[&p],
        );
    }
    for (k, rest, x) in [
        (-1.0, 1.0, 3.0),
        (2.0, 4.0, 3.0),
        (30.0, 1.0, 3.0),
        (1.0, 1.0, 200.0),
    ] {
        assert_eq!(
            energy_grad(k, rest, x).unwrap_err(),
            energy(k, rest, x).unwrap_err()
        );
    }
    let spring = Spring::new(2.0, 1.0).unwrap();
    let (value, (dspring, dx)) = spring.energy_grad(3.0).unwrap();
    assert_eq!(
        (value, dspring.stiffness, dspring.rest, dx),
        (0.5 * 2.0 * 4.0 + 12.0, 2.0, -4.0, 8.0)
    );
    assert!(spring.energy_grad(0.0).is_err());
}

trait Law {
    fn force(&self, x: f64) -> Result<f64, Fault>;
}

#[gradient]
impl Law for Spring {
    fn force(&self, x: f64) -> Result<f64, Fault> {
        Ok(-self.stiffness * self.stretch(x)?)
    }
}

#[gradient]
fn work(spring: &Spring, x: f64) -> Result<f64, Fault> {
    Ok(spring.force(x)? * x)
}

#[test]
fn methods_of_traits() {
    let spring = Spring {
        stiffness: 2.0,
        rest: 1.0,
        parts: vec![],
    };
    let (value, (dspring, dx)) = work_grad(&spring, 3.0).unwrap();
    assert_eq!(
        (value, dspring.stiffness, dspring.rest, dx),
        (-12.0, -6.0, 6.0, -10.0)
    );
    assert_eq!(work_grad(&spring, 0.0).unwrap_err(), Fault::Small);
}

mod aliased {
    use super::*;

    pub type Result<T> = std::result::Result<T, Fault>;

    #[gradient]
    pub fn inverse(x: f64) -> Result<f64> {
        if x == 0.0 {
            return Err(Fault::Small);
        }
        Ok(1.0 / x)
    }

    #[gradient]
    pub fn twice(x: f64) -> std::result::Result<f64, Box<dyn std::error::Error>> {
        let y = inverse(x)?;
        if y > 10.0 {
            return Err("large".into());
        }
        Ok(inverse(y + x)?)
    }
}

#[test]
fn aliases_and_boxed_errors() {
    assert_eq!(aliased::inverse_grad(2.0), Ok((0.5, -0.25)));
    assert_eq!(aliased::inverse_grad(0.0), Err(Fault::Small));
    check(
        |p| aliased::twice(p[0]).unwrap(),
        |p| aliased::twice_grad(p[0]).unwrap(),
        &[&[2.0]],
    );
    assert_eq!(aliased::twice_grad(0.0).unwrap_err().to_string(), "Small");
    assert_eq!(aliased::twice_grad(0.01).unwrap_err().to_string(), "large");
}

mod generic {
    use num_traits::Float;
    use retrograde::gradient;

    #[gradient]
    pub fn root<T: Float>(x: T) -> Result<T, &'static str> {
        if x < T::zero() {
            Err("negative")
        } else {
            Ok(x.sqrt())
        }
    }

    #[gradient]
    pub fn sum<T: Float>(x: T, y: T) -> Result<T, String> {
        let a = root(x)?;
        Ok(a * y)
    }
}

#[test]
fn generic_over_the_float() {
    assert_eq!(generic::sum_grad(4.0, 3.0), Ok((6.0, (0.75, 2.0))));
    assert_eq!(generic::sum_grad(4.0f32, 3.0), Ok((6.0f32, (0.75, 2.0))));
    assert_eq!(generic::sum_grad(-4.0, 3.0), Err("negative".to_owned()));
}

#[gradient]
trait Model {
    fn potential(&self, x: f64) -> Result<f64, Fault>;

    fn doubled(&self, x: f64) -> Result<f64, Fault> {
        let half = self.potential(x)?;
        if half > 1e3 {
            Err(Fault::Small)
        } else {
            Ok(2.0 * half)
        }
    }
}

#[gradient]
impl Model for Spring {
    fn potential(&self, x: f64) -> Result<f64, Fault> {
        let d = self.stretch(x)?;
        Ok(self.stiffness * d * d)
    }
}

#[gradient]
fn of_model<M: Model>(model: &M, x: f64) -> Result<f64, String> {
    let a = model.doubled(x).map_err(|e| e.to_string())?;
    Ok(a * model.potential(x + 1.0).map_err(|e| e.to_string())?)
}

#[test]
fn methods_of_traits_of_ones_own() {
    let spring = Spring {
        stiffness: 2.0,
        rest: 1.0,
        parts: vec![],
    };
    let (value, (dspring, dx)) = of_model_grad(&spring, 3.0).unwrap();
    // 2 k (x - r)^2 * k (x + 1 - r)^2
    let (k, d) = (2.0, 2.0);
    assert_eq!(value, 2.0 * k * d * d * k * (d + 1.0) * (d + 1.0));
    assert_eq!(dspring.stiffness, 2.0 * value / k);
    assert_eq!(dx, 2.0 * value / d + 2.0 * value / (d + 1.0));
    assert_eq!(dspring.rest, -dx);
    assert_eq!(of_model_grad(&spring, 0.0).unwrap_err(), "Small");
}
