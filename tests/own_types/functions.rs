//! Gradients with respect to parameters of derived types.

use std::hint::black_box;

use retrograde::{Differentiable, Tape, gradient};

use crate::support::assert_same_value;

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Params {
    a: f64,
    b: f64,
}

#[gradient]
fn product(p: &Params) -> f64 {
    p.a * p.b
}

#[test]
fn fields_are_read() {
    for (a, b) in [(2.0, 3.0), (-1.5, 0.0), (f64::INFINITY, 1e-3)] {
        let p = Params { a, b };
        let (value, dp) = product_grad(black_box(&p));
        assert_same_value(value, product(black_box(&p)));
        assert_eq!(dp, ParamsTangent { a: b, b: a });
        let mut tape = Tape::new();
        let mut dp = ParamsTangent {
            a: f64::NAN,
            b: f64::NAN,
        };
        product_grad_into(&mut tape, &p, &mut dp);
        assert_eq!(dp, ParamsTangent { a: b, b: a });
        product_adjoint(&mut tape, &p, &mut dp, 2.0);
        assert_eq!(
            dp,
            ParamsTangent {
                a: b + 2.0 * b,
                b: a + 2.0 * a
            }
        );
    }
}

#[derive(Differentiable, Clone, Debug)]
struct Layer {
    weights: Vec<Vec<f64>>,
    bias: [f64; 2],
    #[constant]
    rate: f64,
    size: usize,
}

#[derive(Differentiable, Clone, Debug)]
struct Network {
    layers: Vec<Layer>,
    scale: (f64, Option<f64>),
}

#[gradient]
fn output(net: &Network, x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for l in 0..net.layers.len() {
        for i in 0..net.layers[l].size {
            let mut s = net.layers[l].bias[i];
            for j in 0..x.len() {
                s += net.layers[l].weights[i][j] * x[j];
            }
            sum += s.sin() * retrograde::no_gradient(net.layers[l].rate) * net.scale.0;
        }
    }
    sum
}

#[test]
fn structs_nest() {
    let layer = |k: f64| Layer {
        weights: vec![vec![0.1 * k, 0.2, 0.3], vec![0.4, -0.5 * k, 0.6]],
        bias: [0.7, k],
        rate: 1.5,
        size: 2,
    };
    let net = Network {
        layers: vec![layer(1.0), layer(2.0), layer(-3.0)],
        scale: (0.5, Some(1.0)),
    };
    let x = [1.0, -2.0, 0.5];
    let (value, (dn, dx)) = output_grad(black_box(&net), black_box(&x));
    assert_same_value(value, output(black_box(&net), black_box(&x)));
    assert!(net.check_shape(&dn).is_ok());
    assert_eq!(dn.scale.1, Some(0.0));
    let mut expected_dx = [0.0; 3];
    for (layer, dl) in net.layers.iter().zip(&dn.layers) {
        for i in 0..2 {
            let s: f64 = layer.bias[i] + (0..3).map(|j| layer.weights[i][j] * x[j]).sum::<f64>();
            let slope = s.cos() * 1.5 * 0.5;
            assert!((dl.bias[i] - slope).abs() < 1e-14);
            for j in 0..3 {
                assert!((dl.weights[i][j] - slope * x[j]).abs() < 1e-14);
                expected_dx[j] += slope * layer.weights[i][j];
            }
        }
    }
    for j in 0..3 {
        assert!((dx[j] - expected_dx[j]).abs() < 1e-14);
    }
    assert!((dn.scale.0 - value / 0.5).abs() < 1e-14);
}

#[derive(Differentiable, Clone, Debug)]
struct Data<'a> {
    series: &'a [f64],
    order: &'a [usize],
    scale: f64,
    #[constant]
    map: fn(f64) -> f64,
}

#[gradient]
fn ordered<'a>(data: &Data<'a>, k: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..data.order.len() {
        sum += data.series[data.order[i]] * data.scale * k.powi(i as i32);
    }
    sum
}

#[test]
fn what_a_struct_borrows_has_a_gradient() {
    let (series, order) = ([1.0, 2.0, 3.0], [2, 0, 2]);
    let data = Data {
        series: &series,
        order: &order,
        scale: 2.0,
        map: f64::sin,
    };
    let (value, (d, dk)) = ordered_grad(black_box(&data), 0.5);
    assert_same_value(value, ordered(black_box(&data), black_box(0.5)));
    assert_eq!(d.series, [2.0 * 0.5, 0.0, 2.0 * 1.25]);
    assert_eq!(d.order, [(); 3]);
    assert_eq!(
        (d.scale, dk),
        (3.0 + 0.5 + 0.75, 2.0 * (1.0 + 2.0 * 0.5 * 3.0))
    );
    assert_eq!((data.map)(0.0), 0.0);
}

#[test]
#[should_panic(
    expected = "argument `net` has length 2 at `.layers[0].weights[1]`, but its gradient buffer has length 3 \
                           there; they must be equal"
)]
fn a_buffer_of_another_shape_is_refused() {
    let layer = |n| Layer {
        weights: vec![vec![1.0; n]; 2],
        bias: [0.0; 2],
        rate: 1.0,
        size: 2,
    };
    let mut net = Network {
        layers: vec![layer(3)],
        scale: (1.0, None),
    };
    let mut buffer = net.zero_tangent();
    net.layers[0].weights[1].pop();
    output_grad_into(
        &mut Tape::new(),
        &net,
        &mut buffer,
        &[1.0; 2],
        &mut [0.0; 2],
    );
}

#[gradient]
fn moved(p: &mut Params, q: Params, k: f64) {
    p.a *= k;
    p.b = p.a * q.b + p.b;
}

#[test]
fn fields_are_written() {
    let mut p = Params { a: 2.0, b: 3.0 };
    let q = Params { a: 5.0, b: 7.0 };
    let mut dp = ParamsTangent { a: 10.0, b: 100.0 };
    let (mut dq, mut dk) = (q.zero_tangent(), 0.0);
    moved_adjoint(
        &mut Tape::new(),
        &mut p,
        &mut dp,
        q,
        &mut dq,
        0.5,
        &mut dk,
        (),
    );
    assert_eq!(p, Params { a: 1.0, b: 10.0 });
    assert_eq!(
        dp,
        ParamsTangent {
            a: (10.0 + 700.0) * 0.5,
            b: 100.0
        }
    );
    assert_eq!((dq, dk), (ParamsTangent { a: 0.0, b: 100.0 }, 2.0 * 710.0));
}

#[derive(Differentiable, Clone, Debug)]
struct Around<'a> {
    data: Data<'a>,
    factor: f64,
}

#[gradient]
fn first(data: &Data<'_>, around: Around<'_>) -> f64 {
    data.scale * data.series[0] * around.factor
}

#[test]
fn a_lifetime_need_not_have_a_name() {
    let data = |series| Data {
        series,
        order: &[],
        scale: 2.0,
        map: f64::sin,
    };
    let slope = {
        let series = vec![3.0, 4.0];
        let around = Around {
            data: data(&[]),
            factor: 5.0,
        };
        let (value, (slope, around)) = first_grad(&data(&series), around);
        assert_eq!((value, around.factor), (30.0, 6.0));
        slope
    };
    // The gradient outlives what the value borrows.
    assert_eq!((slope.series, slope.scale), (vec![10.0, 0.0], 15.0));
}
