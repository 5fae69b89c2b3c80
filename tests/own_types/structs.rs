//! Structs of all forms: the tangent's fields, zeros, steps, shapes.

use std::collections::HashMap;
use std::marker::PhantomData;

use retrograde::{Differentiable, FixedShape, Tangent};

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Point {
    x: f64,
    y: f32,
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Pair(f64, Vec<Point>);

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Unit;

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct NoFields {}

#[derive(Differentiable, Clone, Debug)]
struct Everything {
    number: f64,
    list: Vec<[f64; 2]>,
    long: [f32; 40],
    perhaps: Option<Point>,
    boxed: Box<Pair>,
    tuple: (f64, usize, Unit),
    count: usize,
    flag: bool,
    letter: char,
    text: String,
    nothing: NoFields,
    kind: PhantomData<HashMap<u8, Point>>,
    #[constant]
    table: HashMap<u8, fn(f64) -> f64>,
    #[constant]
    shift: f64,
}

fn everything() -> Everything {
    let point = Point { x: 1.0, y: 2.0 };
    Everything {
        number: 3.0,
        list: vec![[4.0, 5.0]; 2],
        long: [6.0; 40],
        perhaps: Some(point.clone()),
        boxed: Box::new(Pair(7.0, vec![point])),
        tuple: (8.0, 9, Unit),
        count: 10,
        flag: true,
        letter: 'l',
        text: "text".to_owned(),
        nothing: NoFields {},
        kind: PhantomData,
        table: HashMap::from([(1, f64::sin as fn(f64) -> f64)]),
        shift: 11.0,
    }
}

fn zero() -> EverythingTangent {
    EverythingTangent {
        number: 0.0,
        list: vec![[0.0; 2]; 2],
        long: [0.0; 40],
        perhaps: Some(PointTangent { x: 0.0, y: 0.0 }),
        boxed: Box::new(PairTangent(0.0, vec![PointTangent { x: 0.0, y: 0.0 }])),
        tuple: (0.0, (), UnitTangent),
        count: (),
        flag: (),
        letter: (),
        text: (),
        nothing: NoFieldsTangent {},
        kind: (),
        table: (),
        shift: (),
    }
}

#[test]
fn the_tangent_has_the_fields_of_the_value() {
    assert_eq!(everything().zero_tangent(), zero());
}

#[test]
fn a_step_moves_what_has_numbers() {
    let mut value = everything();
    let mut tangent = zero();
    tangent.number = 1.0;
    tangent.list[1][0] = 2.0;
    tangent.long[39] = 3.0;
    tangent.boxed.1[0].y = 4.0;
    tangent.tuple.0 = 5.0;
    tangent.perhaps = Some(PointTangent { x: 6.0, y: 0.5 });
    value.step(-0.5, &tangent);
    assert_eq!(value.number, 2.5);
    assert_eq!(value.list, [[4.0, 5.0], [3.0, 5.0]]);
    assert_eq!((value.long[38], value.long[39]), (6.0, 4.5));
    assert_eq!(*value.boxed, Pair(7.0, vec![Point { x: 1.0, y: 0.0 }]));
    assert_eq!(value.tuple, (5.5, 9, Unit));
    assert_eq!(value.perhaps, Some(Point { x: -2.0, y: 1.75 }));
    assert_eq!((value.count, value.flag, value.letter), (10, true, 'l'));
    assert_eq!((&*value.text, value.shift), ("text", 11.0));
    assert_eq!((value.nothing, value.kind), (NoFields {}, PhantomData));
    assert!(value.table.contains_key(&1));
}

#[test]
fn a_shape_error_names_the_field() {
    let value = everything();
    let wrong = |change: &dyn Fn(&mut EverythingTangent)| {
        let mut tangent = zero();
        change(&mut tangent);
        value.check_shape(&tangent).unwrap_err().to_string()
    };
    assert!(value.check_shape(&zero()).is_ok());
    assert_eq!(
        wrong(&|t| t.boxed.1.clear()),
        "a value of length 1 has a tangent of length 0, at `.boxed.1`"
    );
    assert_eq!(
        wrong(&|t| t.perhaps = None),
        "a value that is `Some` has a tangent that is `None`, at `.perhaps`"
    );
}

#[test]
fn tangents_are_vectors() {
    let mut a = zero();
    a.number = f64::NAN;
    a.set_zero();
    assert_eq!(a, zero());
    a.number = 1.0;
    a.list[0][1] = 2.0;
    a.long[39] = 3.0;
    a.boxed.1[0].x = 4.0;
    let b = a.clone();
    a.accumulate(&b);
    a.scale(3.0);
    assert_eq!(a.boxed.1[0].x, 24.0);
    assert_eq!(a.dot(&b), 6.0 * (1.0 + 4.0 + 9.0 + 16.0));
    assert_eq!(b.norm(), 30.0_f64.sqrt());
    assert_ne!(a, b);
}

#[test]
#[should_panic(expected = "sum of tangents of length 2 and 1")]
fn sums_of_different_shapes_panic() {
    let mut other = zero();
    other.list.pop();
    zero().accumulate(&other);
}

#[derive(Differentiable, Clone, Debug)]
struct OfFixedShape {
    long: [f64; 1000],
    nested: [(Point, Box<Unit>); 50],
    count: usize,
    #[constant]
    name: String,
}

#[test]
fn a_fixed_shape_has_a_default() {
    let value = OfFixedShape {
        long: [1.0; 1000],
        nested: std::array::from_fn(|_| (Point { x: 1.0, y: 2.0 }, Box::new(Unit))),
        count: 3,
        name: String::new(),
    };
    let tangent = OfFixedShapeTangent::default();
    assert_eq!(tangent, value.zero_tangent());
    assert_eq!(tangent, OfFixedShapeTangent::zero());
    assert_eq!(PointTangent::default(), PointTangent { x: 0.0, y: 0.0 });
    assert_eq!(UnitTangent::default(), UnitTangent);
    assert_eq!(value.name, "");
}

#[test]
fn tangents_of_numbers_are_copied() {
    let a = PointTangent { x: 1.0, y: 2.0 };
    let b = a;
    assert_eq!(a, b);
}

#[test]
fn a_tangent_prints_as_a_struct() {
    let pair = Pair(1.0, vec![Point { x: 1.0, y: 1.0 }]);
    assert_eq!(
        format!("{:?} {:?}", pair.zero_tangent(), Unit.zero_tangent()),
        "PairTangent(0.0, [PointTangent { x: 0.0, y: 0.0 }]) UnitTangent"
    );
}

/// The numbers that a struct borrows.
#[derive(Differentiable, Clone, Debug)]
struct View<'a> {
    series: &'a [f64],
    one: &'a f64,
    rows: &'a [Vec<f64>],
    order: &'a [usize],
    name: &'a str,
    scale: f64,
}

#[test]
fn the_tangent_of_what_is_borrowed_owns() {
    let (series, rows) = (vec![1.0, 2.0], [vec![3.0]]);
    let view = View {
        series: &series,
        one: &series[0],
        rows: &rows,
        order: &[1, 0],
        name: "view",
        scale: 2.0,
    };
    // It outlives what the value borrows.
    let zero: ViewTangent = view.zero_tangent();
    let expected = ViewTangent {
        series: vec![0.0; 2],
        one: 0.0,
        rows: vec![vec![0.0]],
        order: vec![(); 2],
        name: (),
        scale: 0.0,
    };
    assert_eq!(zero, expected);
    let mut short = zero.clone();
    short.series.pop();
    assert_eq!(
        view.check_shape(&short).unwrap_err().to_string(),
        "a value of length 2 has a tangent of length 1, at `.series`"
    );
    let (mut moved, mut along) = (view.clone(), zero);
    along.scale = 1.0;
    moved.step(0.5, &along);
    assert_eq!(moved.scale, 2.5);
    assert_eq!(
        (moved.series, *moved.one, moved.name),
        (&[1.0, 2.0][..], 1.0, "view")
    );
    assert_eq!((moved.rows, moved.order), (&rows[..], &[1, 0][..]));
}

#[test]
#[should_panic(
    expected = "the field `series` is a shared reference, and a step cannot move what it refers to"
)]
fn a_step_does_not_move_what_is_borrowed() {
    let mut view = View {
        series: &[1.0, 2.0],
        one: &1.0,
        rows: &[],
        order: &[],
        name: "",
        scale: 2.0,
    };
    let mut along = view.zero_tangent();
    along.series[1] = 1e-300;
    view.step(0.5, &along);
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Node {
    value: f64,
    next: Option<Box<Node>>,
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
#[differentiable(tangent = Branches)]
struct Tree {
    value: f64,
    children: Vec<Self>,
}

#[test]
fn types_may_hold_themselves() {
    let list = |a, b| Node {
        value: a,
        next: Some(Box::new(Node {
            value: b,
            next: None,
        })),
    };
    let tangent = NodeTangent {
        value: 1.0,
        next: Some(Box::new(NodeTangent {
            value: 2.0,
            next: None,
        })),
    };
    let mut moved = list(3.0, 4.0);
    moved.step(10.0, &tangent);
    assert_eq!(moved, list(13.0, 24.0));
    assert_eq!(
        list(1.0, 2.0)
            .check_shape(&NodeTangent {
                value: 0.0,
                next: None
            })
            .unwrap_err()
            .to_string(),
        "a value that is `Some` has a tangent that is `None`, at `.next`"
    );

    let leaf = |value| Tree {
        value,
        children: vec![],
    };
    let mut tree = Tree {
        value: 1.0,
        children: vec![leaf(2.0), leaf(3.0)],
    };
    let zero: Branches = tree.zero_tangent();
    assert_eq!(zero.children.len(), 2);
    let along = Branches {
        value: 1.0,
        children: vec![
            Branches {
                value: 1.0,
                children: vec![],
            },
            Branches {
                value: 2.0,
                children: vec![],
            },
        ],
    };
    tree.step(1.0, &along);
    assert_eq!(
        tree,
        Tree {
            value: 2.0,
            children: vec![leaf(3.0), leaf(5.0)]
        }
    );
    assert_eq!(along.dot(&along), 6.0);
}
