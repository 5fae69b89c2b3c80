//! Types that derive `Differentiable` are records where their fields are, and the text does not say so already.

use std::cell::Cell;
use std::collections::HashMap;
use std::marker::PhantomData;
use std::rc::Rc;

use retrograde::{Differentiable, Duplicate, Encoding, Record, Tape, gradient};

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Inner {
    x: f64,
    counts: Vec<usize>,
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Outer<T> {
    inner: Inner,
    more: Option<Box<Inner>>,
    scale: (T, [f32; 2]),
    unit: Unit,
    side: Side,
    name: String,
    what: PhantomData<Cell<u8>>,
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Unit;

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
enum Side {
    Left,
    Right,
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
enum Tree {
    Leaf(f64),
    Node {
        left: Box<Tree>,
        right: Box<Tree>,
        rest: Vec<Tree>,
    },
}

/// No record, nor is what holds one; both have tangents all the same.
#[derive(Differentiable, Clone)]
struct Shared {
    curve: Rc<Vec<f64>>,
    #[constant]
    labels: HashMap<u32, f64>,
}

#[derive(Differentiable, Clone)]
struct Owner {
    shared: Shared,
    x: f64,
}

#[derive(Differentiable)]
struct Borrowed<'a>(&'a [f64]);

/// Each is a part of the other. Neither is asked for.
#[derive(Differentiable)]
struct Even(Option<Box<Odd>>, f64);
#[derive(Differentiable)]
struct Odd(Option<Box<Even>>, f64);

// Where it is derived as well, in whatever way, there is one implementation.
#[derive(Differentiable, Record, Debug, PartialEq)]
struct Both(f64);
#[derive(Differentiable, retrograde::Record, Debug, PartialEq)]
struct ByPath(f64);
#[derive(Differentiable)]
/// A comment; with a semicolon { and a brace.
#[cfg_attr(all(), derive(Record))]
struct Configured(f64);
#[derive(Differentiable)]
struct ByHand(f64);
impl Record for ByHand {
    type Encoding = retrograde::__rt::fields::ByFields;
}
impl retrograde::__rt::fields::Fields for ByHand {
    const FIXED: Option<usize> = Some(8);
    fn write<S: retrograde::__rt::fields::Sink>(&self, sink: &mut S) {
        sink.put(&self.0, |_| ());
    }
    fn read<S: retrograde::__rt::fields::Source>(source: &mut S) -> Self {
        ByHand(source.take())
    }
}

macro_rules! made {
    ($name:ident) => {
        #[derive(Differentiable, Record)]
        struct $name {
            x: f64,
        }
    };
}
made!(Made);

const fn size<T: Record>() -> Option<usize> {
    <T::Encoding as Encoding<T>>::FIXED
}

fn is_duplicate<T: Duplicate>() {}

#[test]
fn records_are_those_of_the_derive() {
    assert_eq!(size::<Unit>(), Some(0));
    assert_eq!(size::<Side>(), Some(1));
    assert_eq!(size::<Inner>(), None);
    assert_eq!(size::<Tree>(), None);
    assert_eq!(size::<Both>(), Some(8));
    assert_eq!(size::<ByPath>(), Some(8));
    assert_eq!(size::<Configured>(), Some(8));
    assert_eq!(size::<ByHand>(), Some(8));
    assert_eq!(size::<Made>(), Some(8));
    is_duplicate::<Owner>();
    is_duplicate::<Even>();
    let made = Made { x: 1.0 };
    assert_eq!(made.x + Borrowed(&[2.0]).0[0] + Odd(None, 1.0).1, 4.0);
    let even = Even(None, 1.0);
    assert!(even.0.is_none() && Odd(Some(Box::new(even)), 2.0).0.is_some());
}

#[test]
fn values_come_back() {
    let inner = || Inner {
        x: 1.5,
        counts: vec![1, 2],
    };
    super::comes_back(|| Outer {
        inner: inner(),
        more: Some(Box::new(inner())),
        scale: (2.5_f64, [1.0, 2.0]),
        unit: Unit,
        side: Side::Right,
        name: "é".to_owned(),
        what: PhantomData,
    });
    super::comes_back(|| Tree::Node {
        left: Box::new(Tree::Leaf(1.0)),
        right: Box::new(Tree::Leaf(2.0)),
        rest: vec![Tree::Leaf(3.0)],
    });
}

/// The loop overwrites what it needs again.
#[gradient]
fn stepped(x: f64, steps: usize) -> Inner {
    let mut state = Inner {
        x,
        counts: Vec::new(),
    };
    for k in 0..steps {
        let next = advanced(&state, k);
        state = next;
    }
    state
}

#[gradient]
fn advanced(state: &Inner, k: usize) -> Inner {
    let mut counts = state.counts.clone();
    counts.push(k);
    Inner {
        x: state.x * state.x,
        counts,
    }
}

#[gradient]
fn total(tree: &Tree, by: f64) -> f64 {
    match scaled(tree, by) {
        Tree::Leaf(x) => x * x,
        Tree::Node { left, right, rest } => {
            let sides = total(&left, by) * total(&right, by);
            sides + rest.len() as f64 * by
        }
    }
}

#[gradient]
fn scaled(tree: &Tree, by: f64) -> Tree {
    match tree {
        Tree::Leaf(x) => Tree::Leaf(*x * by),
        Tree::Node { left, right, rest } => Tree::Node {
            left: Box::new(scaled(left, by)),
            right: Box::new(scaled(right, by)),
            rest: rest.clone(),
        },
    }
}

#[gradient]
fn read(owner: &Owner) -> f64 {
    owner.x * owner.shared.curve[0] * owner.shared.labels.len() as f64
}

#[test]
fn sweeps_keep_values() {
    for x in [0.5, 1.25, -2.0_f64] {
        let mut slope = 0.0;
        let seed = InnerTangent {
            x: 1.0,
            counts: vec![(); 3],
        };
        let value = stepped_adjoint(&mut Tape::new(), x, &mut slope, 3, seed);
        assert_eq!(value, stepped(x, 3));
        assert_eq!(slope, 8.0 * x.powi(7));
    }
    let tree = Tree::Node {
        left: Box::new(Tree::Leaf(2.0)),
        right: Box::new(Tree::Leaf(3.0)),
        rest: vec![Tree::Leaf(5.0)],
    };
    for by in [0.5, 1.5_f64] {
        // Each leaf is scaled by both calls.
        let (value, (_, slope)) = total_grad(&tree, by);
        assert_eq!(value, total(&tree, by));
        assert!((value - (36.0 * by.powi(8) + by)).abs() < 1e-12 * value);
        let expected = 288.0 * by.powi(7) + 1.0;
        assert!((slope - expected).abs() < 1e-12 * expected, "{slope}");
    }
    let shared = Shared {
        curve: Rc::new(vec![3.0]),
        labels: HashMap::from([(1, 2.0)]),
    };
    let (value, slope) = read_grad(&Owner { shared, x: 2.0 });
    assert_eq!((value, slope.x, slope.shared.curve), (6.0, 3.0, vec![2.0]));
}
