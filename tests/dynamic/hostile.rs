//! What a trait may be made of, and names that must not meet those of generated code.

use std::fmt::Debug;

use retrograde::{Differentiable, Flat, Record, Tape, gradient};

use crate::support::{check, check_exact, panic_message};

/// Methods of the names that generated code has, with supertraits and a `Self: Sized`.
#[gradient]
pub trait Layer: Debug + Send {
    fn forward(&self, x: f64) -> f64;
    fn update(&mut self, x: f64);
    fn name(&self) -> &'static str;
    fn boxed(&self, x: f64) -> f64 {
        self.forward(x) * self.object(x)
    }
    fn object(&self, x: f64) -> f64;
    fn copy(&self) -> Self
    where
        Self: Sized;
}

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct Scale {
    by: f64,
    calls: usize,
}

#[gradient]
impl Layer for Scale {
    fn forward(&self, x: f64) -> f64 {
        self.by * x
    }

    fn update(&mut self, x: f64) {
        self.by += x * x;
        self.calls += 1;
    }

    fn name(&self) -> &'static str {
        "scale"
    }

    fn object(&self, x: f64) -> f64 {
        self.by.sin() + x
    }

    fn copy(&self) -> Self {
        self.clone()
    }
}

#[gradient]
fn of_object(l: &dyn Layer, x: f64) -> f64 {
    l.forward(x) * l.boxed(x) + l.object(x)
}

#[gradient]
fn of_parameter<L: Layer>(l: &L, x: f64) -> f64 {
    l.forward(x) * l.boxed(x) + l.object(x)
}

#[test]
fn names_of_generated_code() {
    let at: &[&[f64]] = &[&[1.5, 0.4], &[-0.3, 2.0]];
    let of = |p: &[f64]| Scale { by: p[0], calls: 0 };
    check(
        |p| of_object(&of(p), p[1]),
        |p| {
            let (value, (l, x)) = of_object_grad(&of(p), p[1]);
            (value, [l.as_slice()[0], x])
        },
        at,
    );
    check(
        |p| of_parameter(&of(p), p[1]),
        |p| {
            let (value, (l, x)) = of_parameter_grad(&of(p), p[1]);
            (value, [l.by, x])
        },
        at,
    );
}

mod one {
    #[retrograde::gradient]
    pub trait Law {
        fn law(&self, x: f64) -> f64;
    }
}

mod other {
    #[retrograde::gradient]
    pub trait Law {
        fn law(&self, x: f64) -> f64;
    }
}

#[gradient]
impl one::Law for Scale {
    fn law(&self, x: f64) -> f64 {
        self.by * x
    }
}

/// By name and types it looks as if it had the derivative of the other one.
impl other::Law for Scale {
    fn law(&self, x: f64) -> f64 {
        self.by * x * x
    }
}

#[gradient]
fn of_one(law: &dyn one::Law, x: f64) -> f64 {
    law.law(x)
}

#[gradient]
fn of_other(law: &dyn other::Law, x: f64) -> f64 {
    law.law(x)
}

#[test]
fn two_traits_of_one_name() {
    let scale = Scale { by: 3.0, calls: 0 };
    assert_eq!(of_one_grad(&scale, 2.0).0, 6.0);
    let message = panic_message(|| {
        let _ = of_other_grad(&scale, 2.0);
    });
    assert!(
        message.contains("other::Law>::law` has no derivative"),
        "{message}"
    );
}

#[test]
fn a_trait_in_the_body_of_a_function() {
    #[gradient]
    trait Local {
        fn at(&self, x: f64) -> f64;
        fn count(&self) -> usize;
    }

    #[derive(Differentiable)]
    struct Two(f64, f64);

    #[gradient]
    impl Local for Two {
        fn at(&self, x: f64) -> f64 {
            self.0 * x + self.1
        }

        fn count(&self) -> usize {
            2
        }
    }

    #[gradient]
    fn mean(all: &[Box<dyn Local>], x: f64) -> f64 {
        let mut sum = 0.0;
        for one in all {
            sum += one.at(x) / one.count() as f64;
        }
        sum
    }

    let all: [Box<dyn Local>; 2] = [Box::new(Two(3.0, 4.0)), Box::new(Two(5.0, 6.0))];
    let (value, (d, dx)) = mean_grad(&all, 2.0);
    assert_eq!(
        (value, d.to_flat(), dx),
        (13.0, vec![1.0, 0.5, 1.0, 0.5], 4.0)
    );
}

/// Fields and structs that hold objects.
#[derive(Differentiable)]
struct Network {
    layers: Vec<Box<dyn Layer>>,
    last: Option<Box<dyn Layer>>,
    gain: f64,
}

#[gradient]
impl Network {
    fn run(&self, x: f64) -> f64 {
        let mut value = x;
        for layer in &self.layers {
            value = layer.forward(value) * self.gain;
        }
        if let Some(last) = &self.last {
            value += last.boxed(value);
        }
        value
    }

    fn train(&mut self, x: f64) {
        for layer in self.layers.iter_mut() {
            layer.update(x);
        }
        self.gain *= x;
    }
}

#[gradient]
fn trained(net: &mut Network, x: f64) -> f64 {
    net.train(x);
    let first = net.run(x);
    net.train(0.1 * first);
    first + net.run(x)
}

#[test]
fn objects_in_fields() {
    let net = |p: &[f64]| Network {
        layers: vec![
            Box::new(Scale { by: p[0], calls: 0 }),
            Box::new(Scale { by: p[1], calls: 0 }),
        ],
        last: Some(Box::new(Scale { by: p[0], calls: 0 })),
        gain: p[2],
    };
    let at: &[&[f64]] = &[&[1.5, 0.4, 0.7, 0.5], &[-0.3, 1.1, 0.2, 0.8]];
    check(
        |p| net(p).run(p[3]),
        |p| {
            let (value, (d, x)) = net(p).run_grad(p[3]);
            let d = d.to_flat();
            (value, [d[0] + d[2], d[1], d[3], x])
        },
        at,
    );
    check(
        |p| trained(&mut net(p), p[3]),
        |p| {
            let (mut of, mut tape, mut x) = (net(p), Tape::new(), 0.0);
            let mut d = of.zero_tangent();
            let value = trained_adjoint(&mut tape, &mut of, &mut d, p[3], &mut x, 1.0);
            let mut plain = net(p);
            trained(&mut plain, p[3]);
            assert_eq!(plain.to_flat(), of.to_flat());
            let d = d.to_flat();
            (value, [d[0] + d[2], d[1], d[3], x])
        },
        at,
    );
}

/// A tangent without a flat view.
#[derive(Differentiable)]
#[differentiable(flat = false)]
struct Hidden {
    a: f64,
}

#[gradient]
impl one::Law for Hidden {
    fn law(&self, x: f64) -> f64 {
        self.a * x
    }
}

#[test]
fn without_a_flat_view() {
    let message = panic_message(|| {
        let _ = of_one_grad(&Hidden { a: 1.0 }, 2.0);
    });
    assert!(message.contains("has a flat view"), "{message}");
    assert!(message.contains("Hidden"), "{message}");
}

#[gradient]
fn of_objects_and_numbers(laws: &[(Box<dyn one::Law>, f64)], x: f64) -> f64 {
    let mut sum = 0.0;
    for (law, weight) in laws {
        sum += weight * law.law(x * weight);
    }
    sum
}

#[test]
fn in_tuples() {
    check_exact(
        |p| of_objects_and_numbers(&[(Box::new(Scale { by: p[0], calls: 0 }), p[1])], p[2]),
        |p| {
            let laws: [(Box<dyn one::Law>, f64); 1] =
                [(Box::new(Scale { by: p[0], calls: 0 }), p[1])];
            let (value, (d, x)) = of_objects_and_numbers_grad(&laws, p[2]);
            (value, [d[0].0.as_slice()[0], d[0].1, x])
        },
        |p| {
            vec![
                p[1] * p[1] * p[2],
                2.0 * p[1] * p[0] * p[2],
                p[1] * p[1] * p[0],
            ]
        },
        &[&[2.0, 4.0, 0.5], &[-1.0, 0.5, 8.0]],
    );
}

#[gradient]
fn constant_object(#[constant] law: &dyn one::Law, x: f64) -> f64 {
    law.law(2.0) * x
}

#[test]
fn an_object_of_constants() {
    let law: &dyn one::Law = &Scale { by: 3.0, calls: 0 };
    assert_eq!(constant_object_grad(law, 2.0), (12.0, 6.0));
}

#[gradient]
fn panics(law: &dyn one::Law, x: f64) -> f64 {
    assert!(x > 0.0, "not positive");
    law.law(x)
}

#[test]
fn a_tape_is_usable_after_a_panic() {
    let law = Scale { by: 3.0, calls: 0 };
    let message = panic_message(|| {
        let _ = panics_grad(&law, -1.0);
    });
    assert!(message.contains("not positive"));
    assert_eq!(panics_grad(&law, 2.0).1.1, 3.0);
}

/// Traits of which there is no `dyn`: the attribute leaves them as they are.
mod without_objects {
    use retrograde::{Differentiable, gradient};

    #[gradient]
    pub trait Returned {
        fn at(&self, x: f64) -> f64;
        fn all(&self) -> impl Iterator<Item = f64>;
    }

    #[gradient]
    pub trait Taken {
        fn at(&self, x: f64) -> f64;
        fn with(&self, f: &impl Fn(f64) -> f64) -> f64;
    }

    #[gradient]
    pub trait Copied: Clone {
        fn at(&self, x: f64) -> f64;
    }

    #[gradient]
    pub trait Made {
        const ORDER: usize;
        fn make() -> Self;
        fn at(&self, x: f64) -> f64;
        fn cloned(&self) -> f64
        where
            Self: Clone;
    }

    #[derive(Differentiable)]
    pub struct Twice(pub f64);

    #[gradient]
    impl Returned for Twice {
        fn at(&self, x: f64) -> f64 {
            self.0 * x
        }

        fn all(&self) -> impl Iterator<Item = f64> {
            [self.0; 2].into_iter()
        }
    }

    #[gradient]
    pub fn returned<R: Returned>(r: &R, x: f64) -> f64 {
        r.at(x) * x
    }
}

#[test]
fn traits_without_objects() {
    let (value, (twice, x)) = without_objects::returned_grad(&without_objects::Twice(3.0), 2.0);
    assert_eq!((value, twice.0, x), (12.0, 4.0, 12.0));
}
