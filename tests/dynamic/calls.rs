//! Calls by reference, through boxes, in slices and vectors.

use retrograde::{Differentiable, DynTangent, Flat, Tangent, Tape, gradient};

use crate::models::{Layer, Model, Nothing, Spring, Sum, Weights};
use crate::support::check;

const AT: &[&[f64]] = &[&[2.0, 0.5, 1.1, 0.7], &[0.3, -0.4, 2.0, -0.2]];

fn spring(p: &[f64]) -> Spring {
    Spring {
        stiffness: p[0],
        steps: 0,
    }
}

fn layer(p: &[f64]) -> Layer {
    Layer {
        weights: vec![p[0], p[1]],
        bias: 0.5,
        half: None,
    }
}

#[gradient]
fn loss(m: &dyn Model, x: &[f64], k: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..3 {
        let part = m.energy(&x[..i]);
        sum += part * part + k * m.energy(x);
    }
    sum
}

#[test]
fn a_reference() {
    check(
        |p| loss(&spring(p), &p[1..3], p[3]),
        |p| {
            let (value, (m, x, k)) = loss_grad(&spring(p), &p[1..3], p[3]);
            assert_eq!(m.of(), std::any::type_name::<Spring>());
            (value, [m.as_slice()[0], x[0], x[1], k])
        },
        AT,
    );
    check(
        |p| loss(&layer(p), &p[1..3], p[3]),
        |p| {
            let (value, (m, x, k)) = loss_grad(&layer(p), &p[1..3], p[3]);
            let [a, b, _] = m.as_slice() else {
                panic!("{m:?}")
            };
            (value, [*a, b + x[0], x[1], k])
        },
        AT,
    );
    check(
        |p| {
            loss(
                &Weights {
                    w: &p[..2],
                    scale: p[3],
                },
                &p[1..3],
                0.3,
            )
        },
        |p| {
            let (value, (m, x, _)) = loss_grad(
                &Weights {
                    w: &p[..2],
                    scale: p[3],
                },
                &p[1..3],
                0.3,
            );
            let [a, b, scale] = m.as_slice() else {
                panic!("{m:?}")
            };
            (value, [*a, b + x[0], x[1], *scale])
        },
        AT,
    );
    let (_, (m, _, _)) = loss_grad(&Nothing, &[1.0, 2.0], 3.0);
    assert_eq!(m.as_slice(), [0.0; 0]);
}

#[gradient]
fn of_sendable(m: &(dyn Model + Send + Sync), x: &[f64]) -> f64 {
    m.energy(x) * m.size() as f64
}

#[gradient]
fn of_static(m: &Spring, x: &[f64]) -> f64 {
    m.energy(x) * m.size() as f64
}

#[test]
fn the_same_numbers_as_of_the_type_itself() {
    let m = spring(&[1.3]);
    let (value, (own, dx)) = of_static_grad(&m, &[0.3, 0.7]);
    let (same, (erased, also)) = of_sendable_grad(&m, &[0.3, 0.7]);
    assert_eq!(
        (value, dx, &[own.stiffness][..]),
        (same, also, erased.as_slice())
    );
}

#[gradient]
fn total(models: &[Box<dyn Model>], x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (i, m) in models.iter().enumerate() {
        let part = m.energy(x);
        sum += part * (i as f64 + 1.0) * part;
    }
    sum
}

#[gradient]
fn total_by_index(models: &Vec<Box<dyn Model + Send + Sync>>, x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..models.len() {
        sum += models[i].energy(x) * models[models.len() - 1 - i].energy(&x[1..]);
    }
    sum
}

#[test]
fn slices_and_vectors() {
    let models = |p: &[f64]| -> Vec<Box<dyn Model>> {
        vec![Box::new(spring(p)), Box::new(Nothing), Box::new(layer(p))]
    };
    check(
        |p| total(&models(p), &p[1..4]),
        |p| {
            let (value, (m, x)) = total_grad(&models(p), &p[1..4]);
            let d = m.to_flat();
            assert_eq!(d.len(), 4);
            (value, [d[0] + d[1], d[2] + x[0], x[1], x[2]])
        },
        AT,
    );
    let models = |p: &[f64]| -> Vec<Box<dyn Model + Send + Sync>> {
        vec![Box::new(layer(p)), Box::new(spring(p)), Box::new(Nothing)]
    };
    check(
        |p| total_by_index(&models(p), &p[1..4]),
        |p| {
            let (value, (m, x)) = total_by_index_grad(&models(p), &p[1..4]);
            let d = m.to_flat();
            (value, [d[0] + d[3], d[1] + x[0], x[1], x[2]])
        },
        AT,
    );
    let (value, (none, dx)) = total_grad(&[], &[1.0, 2.0]);
    assert_eq!((value, none.len(), dx), (0.0, 0, vec![0.0, 0.0]));
}

#[test]
fn what_holds_others() {
    let model = |p: &[f64]| Sum {
        parts: vec![
            Box::new(spring(p)),
            Box::new(Sum {
                parts: vec![Box::new(layer(p)), Box::new(Nothing), Box::new(spring(p))],
                scale: p[3],
            }),
        ],
        scale: p[0],
    };
    check(
        |p| loss(&model(p), &p[1..3], 0.5),
        |p| {
            let (value, (m, x, _)) = loss_grad(&model(p), &p[1..3], 0.5);
            let [a, b, c, _, d, scale, outer] = m.as_slice() else {
                panic!("{m:?}")
            };
            (value, [a + b + d + outer, c + x[0], x[1], *scale])
        },
        AT,
    );
}

#[gradient]
fn twice_of(m: &dyn Model, x: &[f64]) -> f64 {
    m.twice(x) * m.energy(x)
}

#[test]
fn methods_with_a_body_in_the_trait() {
    check(
        |p| twice_of(&spring(p), &p[1..3]),
        |p| {
            let (value, (m, x)) = twice_of_grad(&spring(p), &p[1..3]);
            (value, [m.as_slice()[0], x[0], x[1]])
        },
        &[&[2.0, 0.5, 1.1], &[0.3, -0.4, 2.0]],
    );
}

#[gradient]
fn moved(m: &mut dyn Model, x: &[f64], by: f64) -> f64 {
    m.kick(by);
    let first = m.energy(x);
    m.kick_twice(by * (0.1 * first).cos());
    first * m.energy(x)
}

#[gradient]
fn after(models: &mut Vec<Box<dyn Model>>, x: &[f64], by: f64) -> f64 {
    let mut sum = 0.0;
    for m in models.iter_mut() {
        sum += moved(&mut **m, x, by);
    }
    for i in 0..2 {
        models[i].kick((0.1 * sum).sin());
    }
    sum * models[0].energy(x) + models[2].energy(x)
}

#[test]
fn methods_that_change_the_receiver() {
    let models = |p: &[f64]| -> Vec<Box<dyn Model>> {
        vec![
            Box::new(spring(p)),
            Box::new(Nothing),
            Box::new(layer(p)),
            Box::new(Sum {
                parts: vec![Box::new(spring(p))],
                scale: 0.5,
            }),
        ]
    };
    check(
        |p| after(&mut models(p), &p[1..3], p[3]),
        |p| {
            let (mut of, mut tape) = (models(p), Tape::new());
            let (mut m, mut x, mut by) = (of.zero_tangent(), vec![0.0; 2], 0.0);
            let value = after_adjoint(
                &mut tape,
                &mut of,
                &mut m,
                &p[1..3],
                &mut x,
                p[3],
                &mut by,
                1.0,
            );
            let mut plain = models(p);
            assert_eq!(value.to_bits(), after(&mut plain, &p[1..3], p[3]).to_bits());
            assert_eq!(plain.to_flat(), of.to_flat());
            let d = m.to_flat();
            (value, [d[0] + d[1] + d[4], d[2] + x[0], x[1], by])
        },
        AT,
    );
}

#[gradient]
fn by_value(first: Box<dyn Model>, rest: Vec<Box<dyn Model + Send>>, x: &[f64]) -> f64 {
    let mut sum = first.energy(x);
    for m in rest.iter() {
        sum *= m.energy(x);
    }
    sum
}

#[gradient]
fn twice_by_value(first: Option<Box<dyn Model>>, one: &Box<dyn Model + Sync>, x: &[f64]) -> f64 {
    let mut sum = one.energy(x);
    if let Some(m) = &first {
        sum *= m.energy(x);
    }
    sum
}

#[test]
fn boxes_by_value_and_in_options() {
    check(
        |p| {
            by_value(
                Box::new(spring(p)),
                vec![Box::new(layer(p)), Box::new(Nothing)],
                &p[1..3],
            )
        },
        |p| {
            let rest: Vec<Box<dyn Model + Send>> = vec![Box::new(layer(p)), Box::new(Nothing)];
            let (value, (first, rest, x)) = by_value_grad(Box::new(spring(p)), rest, &p[1..3]);
            let d = [first.to_flat(), rest.to_flat()].concat();
            (value, [d[0] + d[1], d[2] + x[0], x[1]])
        },
        &[&[2.0, 0.5, 1.1], &[0.3, -0.4, 2.0]],
    );
    for is_some in [false, true] {
        let first = |p: &[f64]| is_some.then(|| Box::new(spring(p)) as Box<dyn Model>);
        let one = |p: &[f64]| Box::new(layer(p)) as Box<dyn Model + Sync>;
        check(
            |p| twice_by_value(first(p), &one(p), &p[1..3]),
            |p| {
                let (value, (first, one, x)) = twice_by_value_grad(first(p), &one(p), &p[1..3]);
                let d = [first.to_flat(), one.to_flat()].concat();
                let spring = if is_some { d[0] } else { 0.0 };
                let at = usize::from(is_some);
                (value, [spring + d[at], d[at + 1] + x[0], x[1]])
            },
            &[&[2.0, 0.5, 1.1], &[0.3, -0.4, 2.0]],
        );
    }
}

#[gradient]
fn checkpointed(models: &[Box<dyn Model>], x: f64, steps: usize) -> f64 {
    let mut state = x;
    #[checkpoint]
    for _ in 0..steps {
        for m in models {
            state += 0.01 * m.energy(&[state]);
        }
    }
    state
}

#[test]
fn a_checkpointed_loop() {
    let models = |p: &[f64]| -> Vec<Box<dyn Model>> {
        vec![
            Box::new(spring(p)),
            Box::new(layer(&p[1..])),
            Box::new(Nothing),
        ]
    };
    for steps in [0, 1, 7] {
        check(
            |p| checkpointed(&models(p), p[3], steps),
            |p| {
                let (value, (m, x)) = checkpointed_grad(&models(p), p[3], steps);
                let d = m.to_flat();
                (value, [d[0], d[1], d[2], x])
            },
            AT,
        );
    }
}

#[gradient]
fn twice_one(a: &dyn Model, b: &dyn Model, x: &[f64]) -> f64 {
    a.energy(x) * b.energy(&x[1..]) + a.energy(x)
}

#[gradient]
fn squared(a: &dyn Model, x: &[f64]) -> f64 {
    twice_one(a, a, x)
}

#[test]
fn the_same_object_twice() {
    check(
        |p| squared(&layer(p), &p[1..4]),
        |p| {
            let (value, (m, x)) = squared_grad(&layer(p), &p[1..4]);
            let [a, b, _] = m.as_slice() else {
                panic!("{m:?}")
            };
            (value, [*a, b + x[0], x[1], x[2]])
        },
        AT,
    );
}

#[test]
fn an_output_is_put_back() {
    let (mut a, mut b) = (layer(&[0.3, 0.4]), layer(&[0.3, 0.4]));
    let value = moved(&mut a, &[0.2, 0.1], 1.2);
    let mut bar = (&b as &dyn Model).zero_tangent();
    let (mut dx, mut by) = (vec![0.0; 2], 0.0);
    let mut tape = retrograde::Tape::new();
    let same = moved_adjoint(
        &mut tape,
        &mut b,
        &mut bar,
        &[0.2, 0.1],
        &mut dx,
        1.2,
        &mut by,
        1.0,
    );
    assert_eq!((value, a), (same, b));
    assert!(bar.norm() > 0.0 && by != 0.0);
}

#[test]
fn a_step() {
    let mut model: Box<dyn Model + Send> = Box::new(layer(&[1.0, 2.0]));
    assert_eq!(model.names_flat(), ["weights[0]", "weights[1]", "bias"]);
    let mut slope = model.zero_tangent();
    let tangent: &mut DynTangent = &mut slope;
    tangent.set_flat(&[1.0, 2.0, 4.0]);
    model.step(-0.5, &slope);
    assert_eq!(model.to_flat(), [0.5, 1.0, -1.5]);
    model.set_flat(&[3.0, 2.0, 1.0]);
    assert_eq!(model.to_flat(), [3.0, 2.0, 1.0]);
    let other = Spring {
        stiffness: 1.0,
        steps: 0,
    };
    let error = (&other as &dyn Model)
        .check_shape(&slope)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("Spring") && error.contains("Layer"),
        "{error}"
    );
}

#[gradient]
fn of_known_types(a: &Spring, b: &mut Layer, x: &[f64]) -> f64 {
    let first = 0.1 * moved(b, x, 0.3) * loss(a, x, 0.5);
    first + loss(&*b, x, (0.01 * first).sin())
}

#[test]
fn a_caller_that_knows_the_type() {
    check(
        |p| of_known_types(&spring(p), &mut layer(p), &p[1..3]),
        |p| {
            let (mut b, mut tape) = (layer(p), Tape::new());
            let (mut da, mut db, mut dx) =
                (spring(p).zero_tangent(), b.zero_tangent(), vec![0.0; 2]);
            let value = of_known_types_adjoint(
                &mut tape,
                &spring(p),
                &mut da,
                &mut b,
                &mut db,
                &p[1..3],
                &mut dx,
                1.0,
            );
            (
                value,
                [da.stiffness + db.weights[0], db.weights[1] + dx[0], dx[1]],
            )
        },
        &[&[2.0, 0.5, 1.1], &[0.3, -0.4, 2.0]],
    );
}

#[gradient]
fn both_moved(a: &mut dyn Model, b: &mut dyn Model, x: &[f64]) -> f64 {
    a.kick(x[0]);
    b.kick(0.1 * a.energy(x));
    a.energy(x) * b.energy(x)
}

#[test]
fn two_outputs_are_put_back() {
    check(
        |p| both_moved(&mut spring(p), &mut layer(p), &p[1..3]),
        |p| {
            let (mut a, mut b, mut tape) = (spring(p), layer(p), Tape::new());
            let (mut da, mut db) = (a.zero_tangent(), b.zero_tangent());
            let mut erased = [
                (&a as &dyn Model).zero_tangent(),
                (&b as &dyn Model).zero_tangent(),
            ];
            let mut dx = vec![0.0; 2];
            let [one, two] = &mut erased;
            let value =
                both_moved_adjoint(&mut tape, &mut a, one, &mut b, two, &p[1..3], &mut dx, 1.0);
            da.set_flat(one.as_slice());
            db.set_flat(two.as_slice());
            let (mut c, mut d) = (spring(p), layer(p));
            both_moved(&mut c, &mut d, &p[1..3]);
            assert_eq!((a, b), (c, d));
            (
                value,
                [da.stiffness + db.weights[0], db.weights[1] + dx[0], dx[1]],
            )
        },
        &[&[2.0, 0.5, 1.1], &[0.3, -0.4, 2.0]],
    );
}
