//! The flat view: numbers and their names, in one order for a value and its tangent.

use std::collections::HashMap;

use retrograde::{Differentiable, Duplicate, Flat, gradient};

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
#[differentiable(tangent = Self)]
struct Vec3 {
    x: f64,
    y: f64,
    z: f32,
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Body {
    velocity: Vec3,
    r#type: u8,
    charge: Option<f64>,
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
enum Force {
    None,
    Constant(Vec3),
    Spring { stiffness: f64, rest: Box<[f64; 2]> },
}

#[derive(Differentiable, Clone, Debug)]
struct World {
    bodies: Vec<Body>,
    forces: [Force; 3],
    pair: (f64, Newtype),
    #[constant]
    names: HashMap<String, f64>,
    #[constant]
    fixed: f64,
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Newtype(f64);

fn world() -> World {
    let velocity = Vec3 {
        x: 1.0,
        y: 2.0,
        z: 3.0,
    };
    World {
        bodies: vec![
            Body {
                velocity,
                r#type: 1,
                charge: None,
            },
            Body {
                velocity,
                r#type: 2,
                charge: Some(4.0),
            },
        ],
        forces: [
            Force::Constant(velocity),
            Force::None,
            Force::Spring {
                stiffness: 5.0,
                rest: Box::new([6.0, 7.0]),
            },
        ],
        pair: (8.0, Newtype(9.0)),
        names: HashMap::from([(String::new(), 10.0)]),
        fixed: 11.0,
    }
}

const NAMES: [&str; 15] = [
    "bodies[0].velocity.x",
    "bodies[0].velocity.y",
    "bodies[0].velocity.z",
    "bodies[1].velocity.x",
    "bodies[1].velocity.y",
    "bodies[1].velocity.z",
    "bodies[1].charge",
    "forces[0].0.x",
    "forces[0].0.y",
    "forces[0].0.z",
    "forces[2].stiffness",
    "forces[2].rest[0]",
    "forces[2].rest[1]",
    "pair.0",
    "pair.1.0",
];

#[test]
fn a_value_and_its_tangent_have_one_order() {
    let mut value = world();
    let numbers = [
        1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 4.0, 1.0, 2.0, 3.0, 5.0, 6.0, 7.0, 8.0, 9.0,
    ];
    assert_eq!(value.to_flat(), numbers);
    assert_eq!(value.names_flat(), NAMES);
    assert_eq!(value.len_flat(), 15);
    let mut tangent = value.zero_tangent();
    assert_eq!(tangent.names_flat(), NAMES);
    assert_eq!(tangent.to_flat(), [0.0; 15]);

    // A step along a flat tangent is a step of the numbers.
    let along: Vec<f64> = (0..15).map(|k| f64::from(k) - 7.5).collect();
    tangent.set_flat(&along);
    assert_eq!(tangent.bodies[1].charge, Some(-1.5));
    assert_eq!(tangent.to_flat(), along);
    value.step(2.0, &tangent);
    let moved: Vec<f64> = numbers
        .iter()
        .zip(&along)
        .map(|(x, t)| x + 2.0 * t)
        .collect();
    assert_eq!(value.to_flat(), moved);
    assert_eq!(value.fixed, 11.0);
    assert_eq!(value.names[""], 10.0);

    let mut back = world();
    back.set_flat(&moved);
    assert_eq!(
        (back.bodies, back.forces, back.pair),
        (value.bodies, value.forces, value.pair)
    );
}

#[test]
fn an_f32_is_rounded() {
    let mut v = Vec3 {
        x: 0.0,
        y: 0.0,
        z: 0.0,
    };
    v.set_flat(&[0.1, 0.2, 0.3]);
    assert_eq!(
        v,
        Vec3 {
            x: 0.1,
            y: 0.2,
            z: 0.3_f32
        }
    );
    assert_eq!(v.to_flat()[2], f64::from(0.3_f32));
}

#[test]
#[should_panic(expected = "a value with 15 numbers has a flat view of length 15, not 14")]
fn another_length_is_refused() {
    world().set_flat(&[0.0; 14]);
}

#[derive(Differentiable, Clone, Debug)]
struct View<'a, T> {
    series: &'a [T],
    scale: T,
    count: &'a [usize],
}

#[test]
fn what_is_borrowed_is_listed_and_not_written() {
    let series = [1.0_f32, 2.0];
    let mut view = View {
        series: &series,
        scale: 3.0,
        count: &[1],
    };
    let tangent = view.zero_tangent();
    assert_eq!(view.names_flat(), ["series[0]", "series[1]", "scale"]);
    assert_eq!(tangent.names_flat(), view.names_flat());
    view.set_flat(&[1.0, 2.0, 5.0]);
    assert_eq!(
        (view.to_flat(), view.count),
        (vec![1.0, 2.0, 5.0], &[1][..])
    );
}

#[test]
#[should_panic(
    expected = "the field `series` is a shared reference, and `set_flat` cannot write what it refers to"
)]
fn what_is_borrowed_cannot_change() {
    View {
        series: &[1.0, 2.0],
        scale: 3.0,
        count: &[],
    }
    .set_flat(&[1.0, 2.5, 5.0]);
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct List<T> {
    head: T,
    tail: Option<Box<List<T>>>,
}

#[derive(Differentiable, Clone, Copy, Debug)]
enum Choice {
    Left,
    Right,
}

#[test]
fn types_that_hold_themselves() {
    let end = List {
        head: (Choice::Left, 2.0),
        tail: None,
    };
    let list = List {
        head: (Choice::Right, 1.0),
        tail: Some(Box::new(end)),
    };
    assert_eq!(list.names_flat(), ["head.1", "tail.head.1"]);
    assert_eq!(list.to_flat(), [1.0, 2.0]);
    assert_eq!(list.zero_tangent().to_flat(), [0.0; 2]);
}

/// A type of another library.
#[derive(Duplicate)]
struct Foreign(f64);

impl Differentiable for Foreign {
    type Tangent = f64;

    fn zero_tangent(&self) -> f64 {
        0.0
    }

    fn step(&mut self, scale: f64, tangent: &f64) {
        self.0.step(scale, tangent);
    }
}

#[derive(Differentiable)]
#[differentiable(flat = false, tangent = Slope)]
struct Around {
    foreign: Foreign,
}

#[test]
fn the_flat_view_can_be_left_out() {
    let mut around = Around {
        foreign: Foreign(1.0),
    };
    around.step(2.0, &Slope { foreign: 3.0 });
    assert_eq!(around.foreign.0, 7.0);
}

#[gradient]
fn distance(world: &World, target: &[f64]) -> f64 {
    let mut sum = (world.pair.0 - target[0]).powi(2);
    for i in 0..world.bodies.len() {
        let d = world.bodies[i].velocity.x - target[i];
        sum += d * d;
    }
    sum
}

#[test]
fn an_optimiser_of_slices_finds_the_minimum() {
    let mut world = world();
    let mut x = world.to_flat();
    for _ in 0..100 {
        world.set_flat(&x);
        let (_, (slope, _)) = distance_grad(&world, &[3.0, 4.0]);
        for (x, d) in x.iter_mut().zip(slope.to_flat()) {
            *x -= 0.3 * d;
        }
    }
    assert!((world.pair.0 - 3.0).abs() < 1e-9);
    assert!((world.bodies[1].velocity.x - 4.0).abs() < 1e-9);
    assert_eq!(world.bodies[1].charge, Some(4.0));
}
