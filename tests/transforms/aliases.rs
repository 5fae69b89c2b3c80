//! Aliases of the function's own module: as if what they stand for were written there.

use retrograde::gradient;

use crate::twins::{bits, numbers};

type Real = f64;
type Corners = [Real; 8];
type Table = [Corners];

#[gradient]
fn spread(x: &Corners, rows: &Table, weight: Real) -> Real {
    let mut corners: Corners = [0.0; 8];
    for i in 0..8 {
        corners[i] = x[i] * weight;
    }
    let mut sum = 0.0 as Real;
    for row in 0..rows.len() {
        for i in 0..8 {
            sum += corners[i] * corners[7 - i] * rows[row][i].sin();
        }
    }
    sum
}

#[gradient]
fn written_out(x: &[f64; 8], rows: &[[f64; 8]], weight: f64) -> f64 {
    let mut corners: [f64; 8] = [0.0; 8];
    for i in 0..8 {
        corners[i] = x[i] * weight;
    }
    let mut sum = 0.0 as f64;
    for row in 0..rows.len() {
        for i in 0..8 {
            sum += corners[i] * corners[7 - i] * rows[row][i].sin();
        }
    }
    sum
}

#[test]
fn are_written_out() {
    for n in [0, 1, 2, 5] {
        let x: Corners = numbers(8, 1).try_into().expect("eight");
        let rows: Vec<Corners> = (0..n)
            .map(|k| numbers(8, 2 + k).try_into().expect("eight"))
            .collect();
        let (value, (dx, drows, dw)) = spread_grad(&x, &rows, 0.7);
        let (same, (dx2, drows2, dw2)) = written_out_grad(&x, &rows, 0.7);
        assert_eq!(value.to_bits(), spread(&x, &rows, 0.7).to_bits());
        assert_eq!(value.to_bits(), same.to_bits());
        assert_eq!(bits(&dx), bits(&dx2));
        assert_eq!(bits(drows.as_flattened()), bits(drows2.as_flattened()));
        assert_eq!(dw.to_bits(), dw2.to_bits());
    }
}

mod elsewhere {
    pub(super) type Corners = [f32; 4];
    pub(super) mod inner {
        use super::Corners;
        /// Not the one of the file.
        #[retrograde::gradient]
        pub(crate) fn first(x: &Corners) -> f32 {
            x[0] * x[3]
        }
    }
}

#[test]
fn of_another_module_mean_what_they_mean_there() {
    let (value, dx) = elsewhere::inner::first_grad(&[2.0, 0.0, 0.0, 3.0]);
    assert_eq!((value, dx), (6.0, [3.0, 0.0, 0.0, 2.0]));
}

#[gradient]
fn with_its_own(x: &[f64; 3]) -> f64 {
    type Real = f32;
    let factor: Real = 1.5;
    let mut sum = 0.0;
    for i in 0..3 {
        sum += x[i] * f64::from(factor);
    }
    sum
}

#[gradient]
fn of_a_parameter<Real: num_traits::Float>(x: &[Real], a: Real) -> Real {
    let mut sum: Real = a * a;
    for i in 0..x.len() {
        sum = sum + x[i] * a;
    }
    sum
}

#[cfg(any())]
type Chosen = f32;
#[cfg(not(any()))]
type Chosen = f64;

#[gradient]
fn chosen(x: Chosen) -> f64 {
    x * x
}

#[derive(Clone, retrograde::Differentiable)]
struct Cell {
    corners: Corners,
}

#[gradient]
impl Cell {
    fn dot(&self, with: &Corners) -> Real {
        let mut sum: Real = 0.0;
        for i in 0..8 {
            sum += self.corners[i] * with[i];
        }
        sum
    }
}

#[test]
fn names_that_mean_something_else_are_left_alone() {
    assert_eq!(with_its_own_grad(&[1.0, 2.0, 4.0]), (10.5, [1.5; 3]));
    let (value, (dx, da)) = of_a_parameter_grad(&[1.0, 2.0], 3.0_f64);
    assert_eq!((value, &*dx, da), (18.0, &[3.0, 3.0][..], 9.0));
    assert_eq!(chosen_grad(3.0), (9.0, 6.0));
    let cell = Cell {
        corners: [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0],
    };
    let (value, (_, with)) = cell.dot_grad(&[0.5; 8]);
    assert_eq!((value, with), (18.0, cell.corners));
}

type Narrow = f32;

#[gradient]
fn cast(x: Narrow, y: Real) -> f64 {
    let wide = x as Real;
    (x * x) as f64 * wide + (y as Narrow) as f64
}

#[test]
fn casts_go_through_what_they_stand_for() {
    let x = 1.5_f32;
    let (value, (dx, dy)) = cast_grad(x, 0.25);
    assert_eq!(value, cast(x, 0.25));
    assert_eq!((dx, dy), (3.0 * x * x, 1.0));
}
