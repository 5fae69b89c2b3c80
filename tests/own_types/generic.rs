//! Type, lifetime and const parameters.

use std::marker::PhantomData;

use retrograde::{Differentiable, FixedShape, Tangent};

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Matrix<const R: usize, const C: usize> {
    rows: [[f64; C]; R],
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Sized2<T: Copy, U = f64>
where
    U: Clone,
{
    first: [T; 2],
    rest: Vec<U>,
}

/// No number of the type parameter.
#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Tagged<T, Unit: ?Sized> {
    #[constant]
    source: Option<T>,
    value: f64,
    unit: PhantomData<Unit>,
}

trait Family {
    type State;
}

#[derive(Debug, Clone, PartialEq)]
struct Flow;

impl Family for Flow {
    type State = Vec<f64>;
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct System<F: Family> {
    state: F::State,
    before: Option<<F as Family>::State>,
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct List<T> {
    head: T,
    tail: Option<Box<List<T>>>,
}

#[derive(Differentiable, Clone, Debug)]
struct Slices<'a, 'b, T: 'a, const N: usize> {
    numbers: &'a [T],
    arrays: &'b [[f64; N]],
    inner: Inner<'a>,
}

#[derive(Differentiable, Clone, Debug)]
struct Inner<'a> {
    numbers: &'a [f64],
}

#[derive(Differentiable)]
struct Tail<T: ?Sized> {
    scale: f64,
    numbers: T,
}

#[test]
fn const_parameters() {
    let matrix = Matrix::<2, 3> {
        rows: [[1.0; 3]; 2],
    };
    let tangent: MatrixTangent<2, 3> = matrix.zero_tangent();
    assert_eq!(tangent, MatrixTangent::default());
    assert_eq!(tangent.rows, [[0.0; 3]; 2]);
    let big = MatrixTangent::<70, 80>::default();
    assert_eq!(big.dot(&big), 0.0);
}

#[test]
fn type_parameters() {
    let mut value = Sized2::<f32> {
        first: [1.0, 2.0],
        rest: vec![3.0, 4.0],
    };
    let tangent = Sized2Tangent::<f32> {
        first: [1.0, 0.0],
        rest: vec![0.0, 1.0],
    };
    value.step(2.0, &tangent);
    assert_eq!(
        value,
        Sized2 {
            first: [3.0, 2.0],
            rest: vec![3.0, 6.0]
        }
    );
    assert_eq!(
        format!("{tangent:?}"),
        "Sized2Tangent { first: [1.0, 0.0], rest: [0.0, 1.0] }"
    );
    let counts = Sized2 {
        first: [1_u8, 2],
        rest: vec![(1.0, 'c')],
    };
    assert_eq!(
        counts.zero_tangent(),
        Sized2Tangent::<u8, (f64, char)> {
            first: [(); 2],
            rest: vec![(0.0, ())]
        }
    );
}

#[test]
fn parameters_without_numbers_are_gone() {
    let tagged = Tagged::<String, str> {
        source: Some(String::new()),
        value: 1.0,
        unit: PhantomData,
    };
    let tangent: TaggedTangent = tagged.zero_tangent();
    assert_eq!(tangent, TaggedTangent::zero());
}

#[test]
fn associated_types() {
    let system = System::<Flow> {
        state: vec![1.0],
        before: None,
    };
    assert_eq!(
        system.zero_tangent(),
        SystemTangent::<Flow> {
            state: vec![0.0],
            before: None
        }
    );
}

#[test]
fn generic_types_may_hold_themselves() {
    let mut list = List {
        head: [1.0],
        tail: Some(Box::new(List {
            head: [2.0],
            tail: None,
        })),
    };
    let along = list.clone().zero_tangent();
    list.step(1.0, &along);
    assert_eq!(along.norm(), 0.0);
    assert_eq!(along, along.clone());
}

#[test]
fn lifetimes() {
    let slices = Slices {
        numbers: &[1.0_f32, 2.0],
        arrays: &[[1.0, 2.0]],
        inner: Inner { numbers: &[3.0] },
    };
    let tangent = slices.zero_tangent();
    assert_eq!(
        (&tangent.numbers[..], &tangent.arrays[..]),
        (&[0.0_f32; 2][..], &[[0.0; 2]][..])
    );
    assert_eq!(tangent.inner, InnerTangent { numbers: vec![0.0] });
}

#[test]
fn a_last_field_without_size() {
    let tail: &mut Tail<[f64]> = &mut Tail {
        scale: 1.0,
        numbers: [1.0, 2.0],
    };
    assert_eq!(
        tail.zero_tangent(),
        TailTangent {
            scale: 0.0,
            numbers: vec![0.0; 2]
        }
    );
    tail.step(
        1.0,
        &TailTangent {
            scale: 1.0,
            numbers: vec![1.0, 2.0],
        },
    );
    assert_eq!((tail.scale, &tail.numbers), (2.0, &[2.0, 4.0][..]));
}
