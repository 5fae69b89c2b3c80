//! Struct literals, constructors of tuple structs, and `..base`.

use retrograde::{Differentiable, Tangent, Tape, gradient};

use crate::types::{Body, Pair, Polar, Series, SeriesTangent, Unit, Vec3, check, own_type};

#[gradient]
fn named(a: f64, y: f64) -> f64 {
    let p = Pair {
        a: a * y,
        b: y.sin(),
    };
    let q = Pair { b: p.a, a };
    let r = Polar(q.a, p.b * a);
    let _unit = Unit;
    let _braces = Unit {};
    p.a * p.b * q.a * q.b + r.0 * r.1
}

#[gradient]
fn nested(x: f64, y: f64) -> f64 {
    let b = Body {
        pos: Vec3 { x, y, z: x * y },
        vel: Vec3 {
            x: 1.0,
            y: x,
            z: 0.0,
        },
        mass: y,
    };
    b.pos.x * b.vel.y * b.mass + b.pos.z * b.vel.x
}

#[gradient]
fn path(x: f64, y: f64) -> f64 {
    let p = crate::types::Pair { a: x, b: y };
    let q = crate::types::Polar(p.b, x);
    q.0 * q.1 * p.a
}

const POINTS: [[f64; 2]; 3] = [[1.3, 0.7], [-0.4, 0.2], [0.0, 0.0]];

macro_rules! check_two {
    ($f:ident, $gradient:ident) => {
        check(
            |x| $f(x[0], x[1]),
            |x| {
                let (value, (dx, dy)) = $gradient(x[0], x[1]);
                (value, vec![dx, dy])
            },
            &POINTS,
        )
    };
}

#[test]
fn literals_by_name_and_by_position() {
    check_two!(named, named_grad);
    check_two!(nested, nested_grad);
    check_two!(path, path_grad);
}

#[gradient]
fn made(x: f64, y: f64) -> Pair {
    Pair {
        a: x * y,
        b: y.exp(),
    }
}

#[gradient]
fn series(x: &[f64], scale: f64) -> Series {
    let values = vec![scale * x[0], x[1], x[0] * x[1]];
    Series {
        values,
        scale: scale * scale,
        kind: x.len(),
    }
}

#[gradient]
fn uses(x: f64, y: f64) -> f64 {
    let p = made(x, y);
    let q = made(p.b, p.a);
    p.a * q.b + made(q.a, x).a
}

#[test]
fn results_have_adjoints_with_the_same_fields() {
    let mut tape = Tape::new();
    let (mut dx, mut dy) = (0.0, 0.0);
    let value = made_adjoint(
        &mut tape,
        1.3,
        &mut dx,
        0.7,
        &mut dy,
        Pair { a: 2.0, b: 3.0 },
    );
    assert_eq!(value, made(1.3, 0.7));
    assert_eq!((dx, dy), (2.0 * 0.7, 2.0 * 1.3 + 3.0 * 0.7_f64.exp()));

    let (x, mut dx, mut dscale) = ([1.5, -2.0], [0.0; 2], 0.0);
    let seed = SeriesTangent {
        values: vec![1.0, 10.0, 100.0],
        scale: 7.0,
        kind: (),
    };
    let value = series_adjoint(&mut tape, &x, &mut dx, 0.5, &mut dscale, seed);
    assert_eq!(value, series(&x, 0.5));
    assert_eq!((dx, dscale), ([0.5 - 200.0, 10.0 + 150.0], 1.5 + 7.0));
    check_two!(uses, uses_grad);
}

#[gradient]
fn from_parameter(p: &Pair, x: f64) -> f64 {
    let q = Pair { a: x * p.b, ..*p };
    q.a * q.b + p.a
}

#[gradient]
fn from_changed(x: f64, y: f64) -> f64 {
    let mut p = Pair { a: x, b: y };
    let q = Pair { a: y, ..p };
    p.b *= x;
    p.a += q.b;
    let r = Pair { b: x * p.a, ..p };
    p.a * p.b * q.a * q.b + r.a * r.b
}

#[gradient]
fn from_default(x: f64, y: f64) -> f64 {
    let p = Pair {
        a: x,
        ..Default::default()
    };
    let q = Pair {
        b: x * y,
        ..Pair::default()
    };
    let r = Pair { a: y, ..made(x, y) };
    (p.a + p.b) * (q.a + q.b) + r.a * r.b
}

#[gradient]
fn other_length(s: &Series, x: f64) -> f64 {
    let longer = Series {
        values: vec![x, s.values[0], x * x],
        ..s.clone()
    };
    let same = Series {
        kind: 7,
        ..longer.clone()
    };
    longer.values[2] * longer.scale + s.values[0] * same.values[1]
}

#[test]
fn the_base_has_what_is_not_named() {
    check(
        |x| from_parameter(&Pair { a: x[0], b: x[1] }, x[2]),
        |x| {
            let (value, (p, dx)) = from_parameter_grad(&Pair { a: x[0], b: x[1] }, x[2]);
            (value, vec![p.a, p.b, dx])
        },
        &[[0.3, 0.7, 1.1]],
    );
    check_two!(from_changed, from_changed_grad);
    check_two!(from_default, from_default_grad);
    let series = |x: &[f64]| Series {
        values: vec![x[0]],
        scale: x[1],
        kind: 3,
    };
    check(
        |x| other_length(&series(x), x[2]),
        |x| {
            let (value, (s, dx)) = other_length_grad(&series(x), x[2]);
            (value, vec![s.values[0], s.scale, dx])
        },
        &[[0.3, 0.7, 1.1]],
    );
}

#[gradient]
fn generic(x: f64, y: f64) -> f64 {
    let at = Two { a: 1usize, b: 0 };
    let p = Two { a: x, b: y };
    let q = Two::<f64> { a: p.b, b: 2.0 };
    let all = [x, y];
    p.a * all[at.a] * p.b * q.a * all[at.b] * q.b
}

#[derive(Clone, Copy, Debug, retrograde::Duplicate, retrograde::Record)]
struct Two<T> {
    a: T,
    b: T,
}

type TwoFloats = Two<f64>;
own_type!(TwoFloats, TwoFloats { a, b });

#[test]
fn one_generic_struct_with_and_without_derivative() {
    check_two!(generic, generic_grad);
}

#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Differentiable, retrograde::Record)]
struct At(f64, f64);

#[gradient]
fn compared(x: f64, y: f64) -> f64 {
    let a = At(x, y);
    let mut s = x * y;
    if a != At(2.0, x) {
        s += a.0 * a.1;
    }
    while a < At(s, y) && s < 100.0 {
        s = s * 0.5 + y - 1.0;
    }
    if a == At(x, y) && At(y, s) > At(x, 0.0) {
        s *= x;
    }
    s
}

#[test]
fn values_that_are_made_to_be_compared() {
    check(
        |x| compared(x[0], x[1]),
        |x| {
            let (value, (dx, dy)) = compared_grad(x[0], x[1]);
            (value, vec![dx, dy])
        },
        &[[1.5, 0.7], [-0.4, 2.0], [2.0, -1.3]],
    );
}
