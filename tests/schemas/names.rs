//! Where the definition of a type is found by its name, and where it is not.

use retrograde::{Differentiable, gradient};

/// The sum of squares, and its gradient, whatever the type is called.
macro_rules! sum {
    ($name:ident, $ty:ty) => {
        #[gradient]
        fn $name(s: &$ty) -> f64 {
            let mut sum = 0.0;
            for i in 0..s.x.len() {
                sum += s.x[i] * s.x[i];
            }
            sum
        }
    };
}

pub mod first {
    use super::*;

    #[derive(Differentiable)]
    pub struct Domain {
        pub x: Vec<f64>,
    }

    #[gradient]
    pub fn sum(s: &Domain) -> f64 {
        let mut sum = 0.0;
        for i in 0..s.x.len() {
            sum += s.x[i] * s.x[i];
        }
        sum
    }
}

pub mod second {
    use super::*;

    /// The same name, and another type of field.
    #[derive(Differentiable)]
    pub struct Domain {
        pub x: [f32; 3],
        pub more: f64,
    }

    #[gradient]
    pub fn sum(s: &Domain) -> f32 {
        let mut sum = 0.0;
        for i in 0..3 {
            sum += s.x[i] * s.x[i];
        }
        sum
    }
}

#[test]
fn two_types_of_one_name() {
    let (value, d) = first::sum_grad(&first::Domain { x: vec![1.0, 2.0] });
    assert_eq!((value, d.x), (5.0, vec![2.0, 4.0]));
    let s = second::Domain {
        x: [1.0, 2.0, 3.0],
        more: 0.0,
    };
    let (value, d) = second::sum_grad(&s);
    assert_eq!((value, d.x, d.more), (14.0, [2.0, 4.0, 6.0], 0.0));
}

// Paths, globs, renamed imports and re-exports, before the definition and behind it.

mod deeper {
    pub mod again {
        pub use super::super::first::Domain as Renamed;
    }
    pub mod user {
        use retrograde::gradient;

        use super::super::second::*;
        use super::again::Renamed;

        #[gradient]
        pub(super) fn by_import(s: &Renamed) -> f64 {
            let mut sum = 0.0;
            for i in 0..s.x.len() {
                sum += s.x[i];
            }
            sum
        }

        #[gradient]
        pub(in super::super) fn by_glob(s: &Domain) -> f32 {
            let mut sum = 0.0;
            for i in 0..3 {
                sum += s.x[i];
            }
            sum
        }

        #[gradient]
        pub fn by_path(s: &super::super::first::Domain, t: &crate::names::second::Domain) -> f64 {
            let mut sum = t.more;
            for i in 0..s.x.len() {
                sum += s.x[i] * t.more;
            }
            sum
        }

        #[gradient]
        pub fn by_module(s: &super::again::Renamed) -> f64 {
            let mut sum = 0.0;
            for i in 0..s.x.len() {
                sum -= s.x[i];
            }
            sum
        }
    }

    #[test]
    fn imports() {
        let s = again::Renamed { x: vec![1.0, 2.0] };
        assert_eq!(user::by_import_grad(&s).1.x, [1.0, 1.0]);
        assert_eq!(user::by_module_grad(&s).1.x, [-1.0, -1.0]);
    }
}

#[gradient]
fn by_relative_path(s: &first::Domain) -> f64 {
    let mut sum = 0.0;
    for i in 0..s.x.len() {
        sum += 2.0 * s.x[i];
    }
    sum
}

#[gradient]
fn before(s: &Late) -> f64 {
    let mut sum = 0.0;
    for i in 0..s.x.len() {
        sum += s.x[i] * s.x[i];
    }
    sum
}

#[derive(Differentiable)]
struct Late {
    x: Vec<f64>,
}

#[test]
fn paths() {
    let s = first::Domain { x: vec![1.0, 2.0] };
    let t = second::Domain {
        x: [1.0, 2.0, 3.0],
        more: 4.0,
    };
    assert_eq!(deeper::user::by_glob_grad(&t).1.x, [1.0; 3]);
    let (value, (ds, dt)) = deeper::user::by_path_grad(&s, &t);
    assert_eq!((value, ds.x, dt.more), (16.0, vec![4.0, 4.0], 4.0));
    assert_eq!(by_relative_path_grad(&s).1.x, [2.0, 2.0]);
    assert_eq!(before_grad(&Late { x: vec![3.0] }).1.x, [6.0]);
}

// A type that hides one of the same name which comes by `*`.

#[allow(unused_imports)]
mod globbed {
    pub(super) use super::second::*;
    pub(super) const BESIDE: usize = 1;
}

mod hiding {
    use super::globbed::*;
    use retrograde::{Differentiable, gradient};

    pub(super) const OTHER: usize = BESIDE;

    #[derive(Differentiable)]
    pub(super) struct Domain {
        pub(super) x: Vec<f64>,
    }

    #[gradient]
    pub(super) fn sum(s: &Domain) -> f64 {
        let mut sum = 0.0;
        for i in 0..s.x.len() {
            sum += s.x[i];
        }
        sum
    }
}

#[test]
fn a_type_that_hides_another_one() {
    assert_eq!(hiding::OTHER, 1);
    let (value, d) = hiding::sum_grad(&hiding::Domain { x: vec![1.0, 2.0] });
    assert_eq!((value, d.x), (3.0, vec![1.0, 1.0]));
}

// No schema: aliases, types made by hand, without the argument, local ones, made by macros, enums, recursive ones.

type Alias = first::Domain;
sum!(of_alias, Alias);

#[derive(Differentiable)]
#[differentiable(schema = false)]
struct Unseen {
    x: Vec<f64>,
}
sum!(of_unseen, Unseen);

mod by_hand {
    use retrograde::{Differentiable, Duplicate};

    #[derive(Duplicate)]
    pub(super) struct Own {
        pub(super) x: Vec<f64>,
    }

    impl Differentiable for Own {
        type Tangent = super::first::DomainTangent;

        fn zero_tangent(&self) -> Self::Tangent {
            let x = vec![0.0; self.x.len()];
            super::first::Domain { x }.zero_tangent()
        }

        fn step(&mut self, scale: f64, tangent: &Self::Tangent) {
            self.x.step(scale, &tangent.x);
        }
    }
}
sum!(of_own, by_hand::Own);

macro_rules! made {
    ($name:ident, $sum:ident) => {
        #[derive(Differentiable)]
        struct $name {
            x: Vec<f64>,
        }

        #[gradient]
        fn $sum(s: &$name) -> f64 {
            let mut sum = 0.0;
            for i in 0..s.x.len() {
                sum += s.x[i];
            }
            sum
        }
    };
    () => {
        #[derive(Differentiable)]
        struct Inner {
            x: Vec<f64>,
        }

        #[gradient]
        fn of_inner(s: &Inner) -> f64 {
            let mut sum = 0.0;
            for i in 0..s.x.len() {
                sum += s.x[i] * 3.0;
            }
            sum
        }
    };
}
made!(Made, of_made);
made!();

#[derive(Differentiable)]
struct Node {
    x: Vec<f64>,
    next: Option<Box<Node>>,
}

#[gradient]
impl Node {
    fn total(&self) -> f64 {
        let mut sum = 0.0;
        for i in 0..self.x.len() {
            sum += self.x[i] * self.x[i];
        }
        match &self.next {
            Some(next) => sum + next.total(),
            None => sum,
        }
    }
}

/// Two that hold each other.
#[derive(Differentiable)]
struct Egg {
    x: Vec<f64>,
    hens: Vec<Hen>,
}

#[derive(Differentiable)]
struct Hen {
    x: Vec<f64>,
    eggs: Vec<Egg>,
}

#[gradient]
fn of_egg(egg: &Egg) -> f64 {
    let mut sum = 0.0;
    for i in 0..egg.hens.len() {
        sum += egg.hens[i].x[0] * egg.x[i];
    }
    sum
}

#[derive(Differentiable)]
enum Shape {
    Line(Vec<f64>),
    None,
}

/// An enum in a struct, and structs whose names are taken by macros.
#[derive(Differentiable)]
struct Holder {
    shape: Shape,
    x: Vec<f64>,
}

#[allow(non_camel_case_types)]
#[derive(Differentiable)]
struct vec {
    x: Vec<f64>,
}
sum!(of_vec, vec);

#[derive(Differentiable)]
struct Default {
    x: Vec<f64>,
}
sum!(of_default, Default);

#[gradient]
fn of_holder(h: &Holder, scale: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..h.x.len() {
        sum += h.x[i] * scale;
    }
    if let Shape::Line(line) = &h.shape {
        for i in 0..line.len() {
            sum += line[i] * scale;
        }
    }
    sum
}

#[test]
fn types_without_a_schema() {
    let x = || vec![1.0, 2.0];
    assert_eq!(of_alias_grad(&first::Domain { x: x() }).1.x, [2.0, 4.0]);
    assert_eq!(of_unseen_grad(&Unseen { x: x() }).1.x, [2.0, 4.0]);
    assert_eq!(of_own_grad(&by_hand::Own { x: x() }).1.x, [2.0, 4.0]);
    assert_eq!(of_made_grad(&Made { x: x() }).1.x, [1.0, 1.0]);
    assert_eq!(of_inner_grad(&Inner { x: x() }).1.x, [3.0, 3.0]);
    assert_eq!(of_vec_grad(&vec { x: x() }).1.x, [2.0, 4.0]);
    assert_eq!(of_default_grad(&Default { x: x() }).1.x, [2.0, 4.0]);
    let next = Some(Box::new(Node { x: x(), next: None }));
    let (value, d) = Node { x: x(), next }.total_grad();
    assert_eq!(
        (value, d.x, d.next.map(|n| n.x)),
        (10.0, vec![2.0, 4.0], Some(vec![2.0, 4.0]))
    );
    let hens = vec![Hen {
        x: vec![3.0],
        eggs: Vec::new(),
    }];
    let (value, d) = of_egg_grad(&Egg { x: vec![5.0], hens });
    assert_eq!((value, d.x, &d.hens[0].x), (15.0, vec![3.0], &vec![5.0]));
    let holder = Holder {
        shape: Shape::Line(x()),
        x: vec![3.0],
    };
    let (value, (d, scale)) = of_holder_grad(&holder, 2.0);
    assert_eq!((value, d.x, scale), (12.0, vec![2.0], 6.0));
}

/// Types that a function declares.
#[test]
fn local_types() {
    #[derive(Differentiable)]
    pub struct Local {
        x: Vec<f64>,
    }

    #[gradient]
    fn sum(s: &Local) -> f64 {
        let mut sum = 0.0;
        for i in 0..s.x.len() {
            sum += s.x[i] * s.x[i];
        }
        sum
    }

    #[gradient]
    impl Local {
        fn product(&self) -> f64 {
            let mut product = 1.0;
            for i in 0..self.x.len() {
                product *= self.x[i];
            }
            product
        }
    }

    let s = Local { x: vec![2.0, 3.0] };
    assert_eq!(sum_grad(&s).1.x, [4.0, 6.0]);
    assert_eq!(s.product_grad().1.x, [3.0, 2.0]);
}

// The attribute's arguments, visibilities, and a `const` function.

mod seen {
    use retrograde::{Differentiable, gradient};

    #[derive(Differentiable)]
    pub(in crate::names) struct Hidden {
        pub(super) x: Vec<f64>,
    }

    #[gradient(name = total, companion = total_of, crate = ::retrograde, no(reslice))]
    pub(super) fn sum(s: &Hidden) -> f64 {
        let mut sum = 0.0;
        for i in 0..s.x.len() {
            sum += s.x[i] * s.x[i];
        }
        sum
    }

    #[gradient]
    impl Hidden {
        pub(super) fn twice(&self, #[constant] factor: f64) -> f64 {
            let mut sum = 0.0;
            for x in self.x.iter() {
                sum += factor * x;
            }
            self.once(sum)
        }

        fn once(&self, sum: f64) -> f64 {
            sum * self.x[0]
        }
    }
}

#[test]
fn arguments_and_visibilities() {
    let s = seen::Hidden { x: vec![2.0, 3.0] };
    assert_eq!(seen::total_grad(&s).1.x, [4.0, 6.0]);
    let (value, d) = s.twice_grad(2.0);
    assert_eq!((value, d.x), (20.0, vec![14.0, 4.0]));
}
