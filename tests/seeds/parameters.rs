//! Parameters and results of all shapes.

use retrograde::{Differentiable, Record, Tape, gradient};

#[gradient(seeds)]
fn owned(x: Vec<f64>, rows: &[Vec<f64>], points: &[[f64; 2]], #[constant] scale: f64) -> Vec<f64> {
    let mut out = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        let mut sum = 0.0;
        for v in row {
            sum += v * v * x[i];
        }
        out.push(sum * scale);
    }
    for p in points {
        out.push(p[0] * p[1] + x[0]);
    }
    out
}

#[test]
fn vectors() {
    let (x, rows, points) = (
        vec![0.5, -1.5],
        vec![vec![1.0, 2.0], vec![3.0]],
        [[0.3, 0.7]],
    );
    let mut tape = Tape::new();
    let mut dx = [vec![0.0; 2], vec![0.0; 2]];
    let mut drows = [vec![vec![0.0; 2], vec![0.0]], vec![vec![0.0; 2], vec![0.0]]];
    let mut dpoints = [[[0.0; 2]; 1]; 2];
    let seeds = [vec![1.0, 0.0, 2.0], vec![0.5, -1.0, 0.25]];
    let value = owned_vjp_n(
        &mut tape,
        x.clone(),
        &rows,
        &points,
        3.0,
        seeds.clone(),
        dx.each_mut(),
        drows.each_mut().map(|rows| &mut rows[..]),
        dpoints.each_mut().map(|points| &mut points[..]),
    );
    assert_eq!(value, owned(x.clone(), &rows, &points, 3.0));
    for k in 0..2 {
        let (mut ex, mut erows, mut epoints) =
            (vec![0.0; 2], vec![vec![0.0; 2], vec![0.0]], [[0.0; 2]; 1]);
        let seed = seeds[k].clone();
        owned_adjoint(
            &mut tape,
            x.clone(),
            &mut ex,
            &rows,
            &mut erows,
            &points,
            &mut epoints,
            3.0,
            seed,
        );
        assert_eq!((&ex, &erows, &epoints), (&dx[k], &drows[k], &dpoints[k]));
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct Cloud {
    at: Vec<f64>,
    mass: f64,
    count: usize,
}

#[gradient(seeds)]
fn drift(cloud: &mut Cloud, wind: &[f64], steps: usize) -> f64 {
    let mut moved = 0.0;
    for _ in 0..steps {
        for i in 0..cloud.at.len() {
            cloud.at[i] += wind[i] * cloud.mass;
            moved += cloud.at[i] * cloud.at[i];
        }
        cloud.mass *= 0.9;
    }
    moved
}

#[test]
fn structs_whose_fields_are_known() {
    let cloud = Cloud {
        at: vec![0.2, 0.4, -0.3],
        mass: 1.5,
        count: 3,
    };
    let wind = [0.3, -0.2, 0.6];
    let mut tape = Tape::new();
    let start = |k: f64| CloudTangent {
        at: vec![k, 0.0, 1.0],
        mass: 0.5 * k,
        ..cloud.zero_tangent()
    };
    let (mut bars, mut dwind) = ([start(0.0), start(2.0)], [[0.0; 3]; 2]);
    let mut blown = cloud.clone();
    let lent = dwind.each_mut().map(|row| &mut row[..]);
    let value = drift_vjp_n(
        &mut tape,
        &mut blown,
        &wind,
        3,
        [1.0, -0.5],
        bars.each_mut(),
        lent,
    );
    let mut plain = cloud.clone();
    assert_eq!(value, drift(&mut plain, &wind, 3));
    assert_eq!(blown, plain);
    for (k, seed) in [1.0, -0.5].into_iter().enumerate() {
        let (mut bar, mut d, mut one) = (start(2.0 * k as f64), [0.0; 3], cloud.clone());
        drift_adjoint(&mut tape, &mut one, &mut bar, &wind, &mut d, 3, seed);
        super::close(&bars[k].at, &bar.at, 1e-14, "field");
        super::close(&[bars[k].mass], &[bar.mass], 1e-14, "field");
        super::close(&dwind[k], &d, 1e-14, "slice");
    }
}

#[gradient(seeds)]
fn either(x: Option<f64>, y: f64) -> (Option<f64>, Box<f64>) {
    let inner = match x {
        Some(x) => Some(x * y),
        None => None,
    };
    (inner, Box::new(y * y))
}

#[test]
fn options_and_boxes() {
    let (mut dx, mut dy) = ([Some(0.0), Some(0.0)], [0.0; 2]);
    let seeds = [(Some(1.0), Box::new(0.0)), (Some(2.0), Box::new(1.0))];
    either_vjp_n(
        &mut Tape::new(),
        Some(3.0),
        5.0,
        seeds,
        dx.each_mut(),
        dy.each_mut(),
    );
    assert_eq!((dx, dy), ([Some(5.0), Some(10.0)], [3.0, 16.0]));
    let (mut dx, mut dy) = ([None, None], [0.0; 2]);
    let seeds = [(Some(1.0), Box::new(0.0)), (None, Box::new(1.0))];
    either_vjp_n(
        &mut Tape::new(),
        None,
        5.0,
        seeds,
        dx.each_mut(),
        dy.each_mut(),
    );
    assert_eq!((dx, dy), ([None, None], [0.0, 10.0]));
}

#[gradient(seeds)]
fn fallible(x: f64, y: f64) -> Result<[f64; 2], String> {
    if x < 0.0 {
        return Err("negative".to_string());
    }
    let root = x.sqrt();
    Ok([root * y, y * y])
}

#[test]
fn results_that_may_be_errors() {
    let (mut dx, mut dy) = ([0.0; 2], [0.0; 2]);
    let seeds = [[1.0, 0.0], [0.0, 1.0]];
    let mut tape = Tape::new();
    let value = fallible_vjp_n(&mut tape, 4.0, 3.0, seeds, dx.each_mut(), dy.each_mut());
    assert_eq!(value, Ok([6.0, 9.0]));
    assert_eq!((dx, dy), ([0.75, 0.0], [2.0, 6.0]));
    let failed = fallible_vjp_n(&mut tape, -1.0, 3.0, seeds, dx.each_mut(), dy.each_mut());
    assert!(failed.is_err());
    assert_eq!((dx, dy), ([0.75, 0.0], [2.0, 6.0]));
}

#[gradient(seeds)]
fn generic<const N: usize, F: Fn(usize) -> f64>(
    x: &[f64; N],
    y: &mut f64,
    #[constant] weight: F,
) -> [f64; N] {
    let mut out = [0.0; N];
    for i in 0..N {
        out[i] = x[i] * weight(i) * *y;
        *y += x[i];
    }
    out
}

#[test]
fn generics_and_numbers_in_and_out() {
    let (x, weight) = ([1.0, 2.0], |i: usize| i as f64 + 1.0);
    let mut tape = Tape::new();
    let (mut dx, mut dy, mut y) = ([[0.0; 2]; 2], [1.0, 0.0], 3.0);
    let seeds = [[1.0, 0.0], [0.0, 1.0]];
    let value = generic_vjp_n(
        &mut tape,
        &x,
        &mut y,
        weight,
        seeds,
        dx.each_mut(),
        dy.each_mut(),
    );
    assert_eq!((value, y), ([3.0, 16.0], 6.0));
    assert_eq!(dx, [[3.0 + 1.0, 1.0], [4.0, 8.0]]);
    assert_eq!(dy, [1.0 + 1.0, 4.0]);
}

#[gradient(seeds)]
fn nothing(n: usize) -> [usize; 2] {
    [n, n + 1]
}

#[test]
fn no_parameter_with_a_derivative() {
    assert_eq!(nothing_vjp_n(&mut Tape::new(), 3, [[(), ()]; 2]), [3, 4]);
}
