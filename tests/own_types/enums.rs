//! Enums with data: the tangent follows the variant.

use retrograde::{Differentiable, Tangent};

#[derive(Differentiable, Clone, Debug, PartialEq)]
enum Law {
    Linear(f64),
    Polynomial {
        coefficients: Vec<f64>,
        degree: usize,
        inner: Option<Box<Law>>,
    },
    Square,
    Named(#[constant] &'static str, [f32; 2]),
}

fn polynomial(inner: Option<Law>) -> Law {
    Law::Polynomial {
        coefficients: vec![1.0, 2.0],
        degree: 1,
        inner: inner.map(Box::new),
    }
}

#[test]
fn the_tangent_has_the_variant_of_the_value() {
    assert_eq!(Law::Linear(1.0).zero_tangent(), LawTangent::Linear(0.0));
    assert_eq!(Law::Square.zero_tangent(), LawTangent::Square);
    assert_eq!(
        Law::Named("a", [1.0; 2]).zero_tangent(),
        LawTangent::Named((), [0.0; 2])
    );
    let tangent = LawTangent::Polynomial {
        coefficients: vec![0.0; 2],
        degree: (),
        inner: Some(Box::new(LawTangent::Linear(0.0))),
    };
    assert_eq!(polynomial(Some(Law::Linear(3.0))).zero_tangent(), tangent);
    assert_eq!(
        format!("{tangent:?}"),
        "Polynomial { coefficients: [0.0, 0.0], degree: (), inner: Some(Linear(0.0)) }"
    );
}

#[test]
fn a_step_moves_the_data() {
    let mut law = polynomial(Some(Law::Named("b", [1.0, 2.0])));
    let along = LawTangent::Polynomial {
        coefficients: vec![1.0, 0.5],
        degree: (),
        inner: Some(Box::new(LawTangent::Named((), [1.0, -1.0]))),
    };
    law.step(2.0, &along);
    let expected = Law::Polynomial {
        coefficients: vec![3.0, 3.0],
        degree: 1,
        inner: Some(Box::new(Law::Named("b", [3.0, 0.0]))),
    };
    assert_eq!(law, expected);
    Law::Square.step(1.0, &LawTangent::Square);
}

#[test]
fn tangents_of_one_variant_are_vectors() {
    let mut a = LawTangent::Linear(2.0);
    a.accumulate(&LawTangent::Linear(3.0));
    a.scale(2.0);
    assert_eq!(a, LawTangent::Linear(10.0));
    assert_eq!(a.dot(&LawTangent::Linear(0.5)), 5.0);
    a.set_zero();
    assert_eq!(a, LawTangent::Linear(0.0));
    assert_ne!(a, LawTangent::Square);
    let mut unit = LawTangent::Square;
    unit.accumulate(&LawTangent::Square);
    assert_eq!((unit.dot(&unit), unit.norm()), (0.0, 0.0));
    assert_eq!(unit, LawTangent::Square);
}

#[test]
fn a_shape_error_names_the_variants() {
    let value = (1.0, vec![polynomial(Some(Law::Square))]);
    let mut tangent = value.zero_tangent();
    let LawTangent::Polynomial { inner, .. } = &mut tangent.1[0] else {
        panic!("another variant");
    };
    *inner = Some(Box::new(LawTangent::Linear(0.0)));
    assert_eq!(
        value.check_shape(&tangent).unwrap_err().to_string(),
        "a value that is `Square` has a tangent that is `Linear`, at `.1[0].inner`"
    );
}

#[test]
#[should_panic(expected = "sum of tangents of `Square` and `Linear`; they must be alike")]
fn sums_of_different_variants_panic() {
    LawTangent::Square.accumulate(&LawTangent::Linear(1.0));
}

#[test]
#[should_panic(expected = "scalar product of tangents of `Linear` and `Named`")]
fn products_of_different_variants_panic() {
    let _ = LawTangent::Linear(1.0).dot(&LawTangent::Named((), [0.0; 2]));
}

#[test]
#[should_panic(expected = "step of a value by a tangent of `Square` and `Linear`")]
fn a_step_along_another_variant_panics() {
    Law::Square.step(1.0, &LawTangent::Linear(1.0));
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
enum Generic<'a, T, const N: usize> {
    Owned([T; N]),
    Borrowed(&'a [T]),
    r#None,
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
#[differentiable(tangent = Self)]
enum Own {
    Plane { x: f64, y: f64 },
    Line(f64),
}

/// As before, the tangent of an enum without data is `()`.
#[derive(Differentiable, Clone, Copy, Debug)]
enum Choice {
    Left,
    Right,
}

#[test]
fn parameters_and_arguments() {
    let tangent: GenericTangent<f64, 2> = Generic::Owned([1.0, 2.0]).zero_tangent();
    assert_eq!(tangent, GenericTangent::Owned([0.0; 2]));
    let borrowed = Generic::<f64, 2>::Borrowed(&[1.0; 3]);
    assert_eq!(
        borrowed.zero_tangent(),
        GenericTangent::Borrowed(vec![0.0; 3])
    );
    assert_eq!(Generic::<f64, 0>::None.zero_tangent(), GenericTangent::None);
    let mut own = Own::Plane { x: 1.0, y: 2.0 };
    own.step(2.0, &own.clone());
    assert_eq!(own, Own::Plane { x: 3.0, y: 6.0 });
    assert_eq!(Own::Line(3.0).zero_tangent(), Own::Line(0.0));
    let ((), ()) = (Choice::Left.zero_tangent(), Choice::Right.zero_tangent());
}
