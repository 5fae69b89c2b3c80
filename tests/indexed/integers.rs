//! Indices that are no `usize`, and names of the body behind the dots of a range.

use std::ops::{Index, IndexMut};

use retrograde::{Differentiable, Record, gradient};

/// The rows begin at every 128th number of a byte.
#[derive(Clone, Differentiable, Record)]
struct Bytes {
    data: Vec<f64>,
}

impl Index<u8> for Bytes {
    type Output = [f64];

    fn index(&self, row: u8) -> &[f64] {
        &self.data[(row << 7) as usize..(row << 7) as usize + 3]
    }
}

/// The same for single numbers.
#[derive(Clone, Differentiable, Record)]
struct Singles {
    data: Vec<f64>,
}

impl Index<u8> for Singles {
    type Output = f64;

    fn index(&self, at: u8) -> &f64 {
        &self.data[(at << 7) as usize]
    }
}

impl IndexMut<u8> for Singles {
    fn index_mut(&mut self, at: u8) -> &mut f64 {
        &mut self.data[(at << 7) as usize]
    }
}

#[gradient]
fn of_bytes(b: &Bytes) -> f64 {
    b[3][0] * b[2][1] + b[1 as u8][2]
}

#[gradient]
fn of_singles(s: &Singles) -> f64 {
    let mut s = s.clone();
    let k = 3;
    s[2] *= 1.5;
    s[k] * s[2] + s[k + 1] * s[1]
}

#[test]
fn numbers_are_of_the_type_of_the_index() {
    let data: Vec<f64> = (0..400).map(|i| (f64::from(i) * 0.3).sin() + 2.0).collect();
    let bytes = Bytes { data: data.clone() };
    let (value, tangent) = of_bytes_grad(&bytes);
    assert_eq!(value.to_bits(), of_bytes(&bytes).to_bits());
    let mut want = vec![0.0; 400];
    want[128] = data[1];
    want[1] = data[128];
    want[130] = 1.0;
    assert_eq!(tangent.data, want);

    let singles = Singles { data: data.clone() };
    let (value, tangent) = of_singles_grad(&singles);
    assert_eq!(value.to_bits(), of_singles(&singles).to_bits());
    // s[k] is s[1], at 128; s[2] and s[4] are s[0].
    let mut want = vec![0.0; 400];
    want[128] = 2.0 * 1.5 * data[0];
    want[0] = 2.0 * 1.5 * data[128];
    assert_eq!(tangent.data, want);
}

/// A part whose end is a variable of the body.
#[derive(Clone, Differentiable, Record)]
struct Part {
    n: usize,
    data: Vec<f64>,
}

impl Index<usize> for Part {
    type Output = f64;

    fn index(&self, i: usize) -> &f64 {
        let n = self.n;
        assert!((0..n).contains(&i));
        &self.data[i]
    }
}

const END: usize = 3;

#[derive(Clone, Differentiable, Record)]
struct Ends {
    data: Vec<f64>,
}

impl Index<usize> for Ends {
    type Output = [f64];

    fn index(&self, row: usize) -> &[f64] {
        &self.data[row..END]
    }
}

#[gradient]
fn of_part(part: &Part) -> f64 {
    let n = 2;
    part[1] * part[n]
}

#[gradient]
fn of_ends(ends: &Ends) -> f64 {
    let mut sum = 0.0;
    for i in 0..2 {
        sum += ends[1][i] * ends[1][i];
    }
    sum
}

#[test]
fn names_behind_the_dots_of_ranges() {
    let data = vec![1.0, 2.0, 3.0, 4.0, 5.0];
    let part = Part {
        n: 4,
        data: data.clone(),
    };
    let (value, tangent) = of_part_grad(&part);
    assert_eq!((value, of_part(&part)), (6.0, 6.0));
    assert_eq!(tangent.data, [0.0, 3.0, 2.0, 0.0, 0.0]);
    let short = Part {
        n: 2,
        data: data.clone(),
    };
    assert!(std::panic::catch_unwind(|| of_part(&short)).is_err());
    assert!(std::panic::catch_unwind(|| of_part_grad(&short)).is_err());

    let ends = Ends { data };
    let (value, tangent) = of_ends_grad(&ends);
    assert_eq!((value, of_ends(&ends)), (13.0, 13.0));
    assert_eq!(tangent.data, [0.0, 4.0, 6.0, 0.0, 0.0]);
}
