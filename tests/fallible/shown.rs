//! What the text of the file shows of what a call yields: an `Option`, a `Result`, a container, a value of an own type.

use retrograde::{Differentiable, Record, gradient};

use super::outcomes::{Of, Taken, adjoint, compare};

#[gradient]
fn positive(x: f64) -> Result<f64, String> {
    if x > 0.9 {
        Ok(x * x)
    } else {
        Err(format!("small: {x}"))
    }
}

#[gradient]
fn large(x: f64) -> Option<f64> {
    if x > 0.8 { Some(x * x * x) } else { None }
}

#[gradient]
fn powers(x: f64) -> Vec<f64> {
    vec![x, x * x, x.sin()]
}

#[gradient]
fn bounds(x: &[f64]) -> (Option<f64>, [f64; 2]) {
    (large(x[0]), [x[1] * x[2], x[3]])
}

#[gradient]
fn mapped(x: &[f64]) -> f64 {
    large(x[0]).map(f64::sqrt).unwrap_or_default() + large(x[1]).map(|v| v * x[2]).unwrap_or(x[3])
}

#[test]
fn mapped_has_its_derivative() {
    compare(|x| mapped(x).value(), |x| mapped_grad(x).outcome());
}

#[gradient]
fn chained(x: &[f64]) -> Option<f64> {
    large(x[0])
        .and_then(|a| large(x[1]).map(|b| a * b))
        .or(large(x[2]))
        .filter(|v| *v < 1e9)
}

#[test]
fn chained_has_its_derivative() {
    compare(|x| chained(x).value(), |x| adjoint(chained_adjoint, x));
}

#[gradient]
fn elements(x: &[f64]) -> f64 {
    let last = powers(x[0]).last().copied().unwrap();
    let all = powers(x[1]);
    all.iter().map(|v| v * last).sum::<f64>() + *powers(x[2]).first().unwrap()
}

#[test]
fn elements_has_its_derivative() {
    compare(|x| elements(x).value(), |x| elements_grad(x).outcome());
}

#[gradient]
fn parts(x: &[f64]) -> f64 {
    let (first, rest) = bounds(x);
    rest.iter().product::<f64>() + first.map_or(0.0, |v| v * rest[0])
}

#[test]
fn parts_has_its_derivative() {
    compare(|x| parts(x).value(), |x| parts_grad(x).outcome());
}

#[gradient]
fn of_branch(x: &[f64]) -> f64 {
    let found = positive(x[0]);
    if x[1] > 1.0 {
        found.unwrap_or(x[2]) * x[1]
    } else {
        found.map_or(x[3], |v| v + x[4])
    }
}

#[test]
fn of_branch_has_its_derivative() {
    compare(|x| of_branch(x).value(), |x| of_branch_grad(x).outcome());
}

#[gradient]
fn given_on(x: &[f64]) -> Result<f64, String> {
    let first = positive(x[0]);
    let second = positive(x[1]);
    if x[2] > 1.0 {
        return second;
    }
    first.and_then(|a| positive(a + x[3]))
}

#[test]
fn given_on_has_its_derivative() {
    compare(|x| given_on(x).value(), |x| given_on_grad(x).outcome());
}

#[gradient]
fn looped(x: &[f64]) -> Result<f64, String> {
    let (mut a, mut k) = (x[0], 0);
    loop {
        a += 0.5 * x[1] * a;
        k += 1;
        for v in x {
            if *v < -2.0 {
                break;
            }
            a += 0.01 * v;
        }
        if a > 3.0 {
            break Ok(a * x[2]);
        }
        if k > 4 {
            break Err(format!("no end after {k}"));
        }
    }
}

#[test]
fn looped_has_its_derivative() {
    compare(|x| looped(x).value(), |x| looped_grad(x).outcome());
}

#[gradient]
fn bound_loop(x: &[f64]) -> f64 {
    let mut k = 0;
    let found = 'search: loop {
        for v in x {
            if *v > 1.25 {
                break 'search Ok(v * x[0]);
            }
        }
        k += 1;
        if k > 2 {
            break Err(k);
        }
    };
    match found {
        Ok(v) => v * v,
        Err(_) => x[1] * f64::from(k),
    }
}

#[test]
fn bound_loop_has_its_derivative() {
    compare(|x| bound_loop(x).value(), |x| bound_loop_grad(x).outcome());
}

#[gradient]
fn labelled(x: &[f64]) -> Result<f64, String> {
    'a: {
        if x[0] > 1.0 {
            break 'a positive(x[1]);
        }
        if x[0] < 0.0 {
            break 'a Err(String::new());
        }
        Ok(x[0] * x[2])
    }
}

#[test]
fn labelled_has_its_derivative() {
    compare(|x| labelled(x).value(), |x| labelled_grad(x).outcome());
}

#[gradient]
fn nested_options(x: &[f64]) -> Option<f64> {
    let inner: Option<Option<f64>> = if x[0] > 0.5 { Some(large(x[1])) } else { None };
    inner.flatten().map(|v| v * x[2])
}

#[test]
fn nested_options_has_its_derivative() {
    compare(
        |x| nested_options(x).value(),
        |x| adjoint(nested_options_adjoint, x),
    );
}

#[derive(Clone, Debug, Default, Differentiable, Record)]
struct Running {
    n: u32,
    mean: f64,
    most: Option<f64>,
}

#[gradient]
impl Running {
    fn new() -> Self {
        Running {
            n: 0,
            mean: 0.0,
            most: None,
        }
    }

    fn push(&mut self, x: f64) -> &mut Self {
        self.n += 1;
        self.mean += (x - self.mean) / f64::from(self.n);
        self.most = Some(self.most.map_or(x, |m| m.max(x)));
        self
    }

    fn spread(&self) -> Option<f64> {
        Some(self.most? - self.mean)
    }

    fn scaled(&self, by: f64) -> Result<f64, String> {
        if by > 0.5 {
            Ok(self.mean * by)
        } else {
            Err("too little".to_owned())
        }
    }
}

#[gradient]
fn collected(x: &[f64]) -> f64 {
    let mut running = Running::new();
    for v in x {
        running.push(*v);
    }
    let scaled = running.scaled(x[3]);
    running.spread().map(|s| s * s).unwrap_or_default() + scaled.unwrap_or(x[0])
}

#[test]
fn collected_has_its_derivative() {
    compare(|x| collected(x).value(), |x| collected_grad(x).outcome());
}

#[gradient]
fn power(x: f64, n: f64) -> f64 {
    x.powf(n)
}

#[gradient]
fn converted(x: &[f64]) -> f64 {
    let n = x.len() as u32;
    power(x[0].abs(), n.into()) + power(2_f32.into(), x[1])
}

#[test]
fn converted_has_its_derivative() {
    compare(|x| converted(x).value(), |x| converted_grad(x).outcome());
}

// What the text shows elsewhere must not hide what a name means here.

mod other {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn twice(x: f64) -> Option<f64> {
        Some(2.0 * x)
    }

    #[gradient]
    pub(super) fn thrice(x: f64) -> Result<f64, String> {
        if x > 1.0 {
            Ok(3.0 * x)
        } else {
            Err(String::new())
        }
    }
}

#[gradient]
fn twice(x: f64) -> f64 {
    x + x
}

#[gradient]
fn several_of_a_name(x: &[f64]) -> f64 {
    fn large(x: f64) -> f64 {
        x * 4.0
    }
    let positive = |v: f64| v * x[1];
    let root = twice(x[0]).abs().sqrt();
    let thrice = other::thrice(x[2]);
    large(root) + positive(x[3]) + other::twice(x[0]).unwrap() + thrice.unwrap_or(x[4])
}

#[test]
fn several_of_a_name_mean_what_is_nearest() {
    compare(
        |x| several_of_a_name(x).value(),
        |x| several_of_a_name_grad(x).outcome(),
    );
}
