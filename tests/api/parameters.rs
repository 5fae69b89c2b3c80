//! Parameter types and the shape of their gradients.

use retrograde::{Differentiable, Tape, gradient};

#[gradient]
fn arrays(a: [f64; 2], b: &[f64; 2], m: [[f64; 2]; 2], n: &[[f64; 2]]) -> f64 {
    a[0] * b[1] * m[1][0] * n[0][1]
}

#[test]
fn arrays_give_arrays() {
    let (value, g) = arrays_grad(
        [2.0, 1.0],
        &[1.0, 3.0],
        [[1.0, 1.0], [5.0, 1.0]],
        &[[1.0, 7.0]],
    );
    assert_eq!(value, 210.0);
    let want: ([f64; 2], [f64; 2], [[f64; 2]; 2], Vec<[f64; 2]>) = (
        [105.0, 0.0],
        [0.0, 70.0],
        [[0.0, 0.0], [42.0, 0.0]],
        vec![[0.0, 30.0]],
    );
    assert_eq!(g, want);
    let mut buffers = ([9.0; 2], [9.0; 2], [[9.0; 2]; 2], vec![[9.0; 2]]);
    arrays_grad_into(
        &mut Tape::new(),
        [2.0, 1.0],
        &mut buffers.0,
        &[1.0, 3.0],
        &mut buffers.1,
        [[1.0, 1.0], [5.0, 1.0]],
        &mut buffers.2,
        &[[1.0, 7.0]],
        &mut buffers.3,
    );
    assert_eq!(buffers, want);
}

#[gradient]
fn pairs(t: (f64, [f64; 2]), o: Option<f64>, u: &(f64, usize), r: &f64) -> f64 {
    t.0 * t.1[1] + if let Some(v) = o { v * v } else { 1.0 } + u.0 * u.1 as f64 * r
}

#[test]
fn tuples_and_options_keep_their_shape() {
    let (value, g) = pairs_grad((2.0, [1.0, 3.0]), Some(4.0), &(0.5, 6), &2.0);
    assert_eq!(value, 6.0 + 16.0 + 6.0);
    assert_eq!(g, ((3.0, [0.0, 2.0]), Some(8.0), (12.0, ()), 3.0));
    let (_, g) = pairs_grad((2.0, [1.0, 3.0]), None, &(0.5, 6), &2.0);
    assert_eq!(g.1, None);
}

#[gradient]
fn vectors(v: Vec<f64>, w: &Vec<f64>, rows: &[Vec<f64>], nested: Vec<Vec<f64>>) -> f64 {
    v[0] * w[1] * rows[1][0] * nested[0][0]
}

#[test]
fn vectors_give_vectors_of_the_same_shape() {
    let rows = vec![vec![], vec![3.0, 1.0]];
    let (value, g) = vectors_grad(vec![2.0], &vec![1.0, 5.0], &rows, vec![vec![7.0]]);
    assert_eq!(value, 210.0);
    assert_eq!(
        g,
        (
            vec![105.0],
            vec![0.0, 42.0],
            vec![vec![], vec![70.0, 0.0]],
            vec![vec![30.0]]
        )
    );
}

#[gradient]
fn passive(
    x: f64,
    n: usize,
    k: i32,
    flag: bool,
    letter: char,
    text: &str,
    index: &[usize],
    bytes: [u8; 2],
) -> f64 {
    let s = if flag && letter == 'a' { x } else { 2.0 * x };
    s * (n + index[0] + text.len() + bytes[1] as usize) as f64 * f64::from(k)
}

#[test]
fn integers_flags_and_text_have_no_gradient() {
    let (value, dx) = passive_grad(1.5, 1, 2, true, 'a', "ab", &[3], [0, 4]);
    assert_eq!((value, dx), (30.0, 20.0));
    let mut d = 0.0;
    passive_grad_into(
        &mut Tape::new(),
        1.5,
        &mut d,
        1,
        2,
        true,
        'b',
        "ab",
        &[3],
        [0, 4],
    );
    assert_eq!(d, 40.0);
}

/// Not differentiable, and not asked about.
struct Settings {
    scale: f64,
}

#[gradient]
fn constants(
    x: f64,
    #[constant] scale: f64,
    #[constant] table: &[f64],
    #[constant] settings: &Settings,
) -> f64 {
    x * scale * table[0] * settings.scale
}

#[test]
fn constant_parameters_have_no_gradient() {
    let (value, dx): (f64, f64) = constants_grad(1.5, 2.0, &[3.0], &Settings { scale: 0.5 });
    assert_eq!((value, dx), (4.5, 3.0));
}

#[derive(Clone, Copy, PartialEq, Debug, Differentiable)]
enum Mode {
    Up,
    Down,
}

type Real = f64;

#[gradient]
fn path_types(x: Real, mode: Mode) -> f64 {
    if mode == Mode::Up { x * x } else { -x }
}

#[test]
fn path_types_have_the_gradient_of_their_tangent() {
    assert_eq!(path_types_grad(3.0, Mode::Up), (9.0, (6.0, ())));
    assert_eq!(path_types_grad(3.0, Mode::Down), (-3.0, (-1.0, ())));
}

#[gradient]
fn single(x: f32, v: &[f32], k: f64) -> f32 {
    let mut s = x;
    for t in v {
        s = s * 0.1 + t * t;
    }
    s * k as f32
}

#[gradient]
fn rounding(x: f32) -> f32 {
    let big = x * 16_777_216.0;
    big + x
}

#[test]
fn single_precision_adjoints_are_single_precision() {
    let (value, (dx, dv, dk)): (f32, (f32, Vec<f32>, f64)) = single_grad(0.5, &[1.5, 2.0], 2.0);
    assert_eq!(value, single(0.5, &[1.5, 2.0], 2.0));
    assert!((dx - 0.02).abs() < 1e-7 && (dv[0] - 0.6).abs() < 1e-6 && (dv[1] - 8.0).abs() < 1e-5);
    assert!((dk - f64::from(0.5_f32 * 0.01 + 0.225 + 4.0)).abs() < 1e-6);
    assert_eq!(
        rounding_grad(1.0).1,
        16_777_216.0,
        "rounded like the primal's own arithmetic"
    );
    let (mut dx, mut dv, mut dk) = (9.0_f32, [9.0_f32; 2], 9.0_f64);
    single_grad_into(
        &mut Tape::new(),
        0.5,
        &mut dx,
        &[1.5, 2.0],
        &mut dv,
        2.0,
        &mut dk,
    );
    assert_eq!(dv.len(), 2);
    single_adjoint(
        &mut Tape::new(),
        0.5,
        &mut dx,
        &[1.5, 2.0],
        &mut dv,
        2.0,
        &mut dk,
        1.0_f32,
    );
    assert!((dv[1] - 16.0).abs() < 1e-4);
}

#[gradient]
fn conversions(x: f32, y: f64) -> f64 {
    let a = f64::from(x) * y;
    let b = x as f64;
    let c = (a * b) as f32;
    let d = c as f64;
    let truncated = y as i32 as f64;
    d * 2.0 + truncated
}

#[test]
fn casts_between_floats_are_active_and_to_integers_are_not() {
    let (x, y) = (1.5_f32, 2.5_f64);
    let (value, (dx, dy)) = conversions_grad(x, y);
    assert_eq!(value, conversions(x, y));
    assert_eq!((dx, dy), (2.0 * 2.0 * 1.5 * 2.5, 2.0 * 2.25));
}

#[gradient]
fn patterns((x, y): (f64, f64), [a, b]: [f64; 2], mut z: f64) -> f64 {
    z *= a;
    x * y + b * z
}

#[test]
fn patterns_in_parameters() {
    assert_eq!(
        patterns_grad((2.0, 3.0), [4.0, 5.0], 6.0),
        (126.0, ((3.0, 2.0), [30.0, 24.0], 20.0))
    );
}
