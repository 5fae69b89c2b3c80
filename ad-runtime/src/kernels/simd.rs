//! Numbers of several iterations side by side, in a register.
//!
//! A reverse loop that adds to many elements in each iteration keeps few of its contributions in registers if each is
//! collected in a row first, and a row of few iterations is stored, loaded and added in pieces. With the numbers of
//! some iterations in a register each, a contribution goes where it belongs as soon as it is there. The compiler would
//! make such registers of arrays by itself, but not of all iterations of so long a body.
//!
//! Generated code runs the body in the longest registers, then in half as long ones, then in plain numbers, as far as
//! there are iterations.

mod neighbours;
#[cfg(any(test, not(target_arch = "x86_64")))]
#[cfg_attr(test, allow(unreachable_pub, reason = "the tests compare both"))]
mod plain;
#[cfg(target_arch = "x86_64")]
mod registers;
mod rules;

use std::cell::Cell;
use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::float::Float;

pub use neighbours::{Near, Waiting};
pub use rules::{
    div_lhs, div_lhs_by, div_rhs, div_rhs_by, inverse, mul_add, number, recip, sqrt, sqrt_by,
    sqrt_times,
};

/// Numbers of neighbouring iterations. Each operation is that of the numbers one by one, to the bit.
pub trait Simd:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The numbers.
    type Number: Float + Default;

    /// Of how many iterations.
    const LANES: usize;

    /// The same number for all.
    fn splat(value: Self::Number) -> Self;

    /// The first elements.
    ///
    /// # Panics
    ///
    /// If there are too few.
    fn load(from: &[Self::Number]) -> Self;

    /// Overwrites the first elements.
    ///
    /// # Panics
    ///
    /// If there are too few.
    fn store(self, to: &mut [Self::Number]);

    /// The first cells' numbers.
    ///
    /// # Panics
    ///
    /// If there are too few.
    fn load_cells(from: &[Cell<Self::Number>]) -> Self;

    /// Overwrites the first cells' numbers.
    ///
    /// # Panics
    ///
    /// If there are too few.
    fn store_cells(self, to: &[Cell<Self::Number>]);

    /// Of each number the root.
    #[must_use]
    fn root(self) -> Self;

    /// Of each number the magnitude.
    #[must_use]
    fn magnitude(self) -> Self;

    /// `self * b + c`, rounded once where the target has an instruction for it, else twice: for adjoints only.
    #[must_use]
    fn fused(self, b: Self, c: Self) -> Self;

    /// Where the seed is zero: zero.
    #[must_use]
    fn unless_dead(self, seed: Self) -> Self;

    /// The sum of the numbers, in any order.
    fn total(self) -> Self::Number;

    /// Of the numbers of `before` and those of `self` in a row: as many as a register has, `by` in front of `self`.
    ///
    /// # Panics
    ///
    /// If `by` is more than there are.
    #[must_use]
    fn behind(self, before: Self, by: usize) -> Self;

    /// Adds the last `count` numbers to the first cells.
    ///
    /// # Panics
    ///
    /// If there are too few.
    fn add_last(self, count: usize, to: &[Cell<Self::Number>]);
}

/// A number, and what holds several of it.
pub trait Element: Float {
    /// As many as there are in the longest registers of the target.
    type Longest: Simd<Number = Self>;
    /// Half as many, or as many where there are no shorter registers.
    type Half: Simd<Number = Self>;
}

/// `to[at + i] += value[i]`. Cells, as elements that are added to can be those that another sum is added to.
///
/// # Panics
///
/// If there are too few elements.
#[inline(always)]
pub fn add<W: Simd>(to: &[Cell<W::Number>], at: usize, value: W) {
    let to = part::<W, _>(to, at);
    (W::load_cells(to) + value).store_cells(to);
}

/// `to[at + i] -= value[i]`.
///
/// # Panics
///
/// If there are too few elements.
#[inline(always)]
pub fn sub<W: Simd>(to: &[Cell<W::Number>], at: usize, value: W) {
    let to = part::<W, _>(to, at);
    (W::load_cells(to) - value).store_cells(to);
}

/// The elements from `at` on.
///
/// # Panics
///
/// If there are too few.
#[inline(always)]
#[must_use]
pub fn load<W: Simd>(of: &[W::Number], at: usize) -> W {
    W::load(part::<W, _>(of, at))
}

/// Overwrites the elements from `at` on.
///
/// # Panics
///
/// If there are too few.
#[inline(always)]
pub fn store<W: Simd>(to: &mut [W::Number], at: usize, value: W) {
    value.store(&mut to[at..][..W::LANES]);
}

#[inline(always)]
fn part<W: Simd, T>(of: &[T], at: usize) -> &[T] {
    &of[at..][..W::LANES]
}

/// An array whose elements are added to in several places at once.
#[inline(always)]
#[must_use]
pub fn cells<T>(of: &mut [T]) -> &[Cell<T>] {
    Cell::from_mut(of).as_slice_of_cells()
}

/// Whether there is another block of iterations, of which `done` of `n` are done.
///
/// # Panics
///
/// If more are done than there are.
#[inline(always)]
#[must_use]
pub fn goes_on<W: Simd>(done: usize, n: usize) -> bool {
    assert!(done <= n, "iterations that a loop has");
    n - done >= W::LANES
}

/// Adds numbers to as many cells, one by one.
#[inline(always)]
fn add_each<T: Float>(numbers: &[T], to: &[Cell<T>]) {
    for (cell, number) in to[..numbers.len()].iter().zip(numbers) {
        cell.set(cell.get() + *number);
    }
}

/// One number, for the iterations that are left.
macro_rules! one {
    ($number:ident) => {
        impl Simd for $number {
            type Number = Self;

            const LANES: usize = 1;

            #[inline(always)]
            fn splat(value: Self) -> Self {
                value
            }

            #[inline(always)]
            fn load(from: &[Self]) -> Self {
                from[0]
            }

            #[inline(always)]
            fn store(self, to: &mut [Self]) {
                to[0] = self;
            }

            #[inline(always)]
            fn load_cells(from: &[Cell<Self>]) -> Self {
                from[0].get()
            }

            #[inline(always)]
            fn store_cells(self, to: &[Cell<Self>]) {
                to[0].set(self);
            }

            #[inline(always)]
            fn root(self) -> Self {
                self.sqrt()
            }

            #[inline(always)]
            fn magnitude(self) -> Self {
                self.abs()
            }

            #[inline(always)]
            fn fused(self, b: Self, c: Self) -> Self {
                crate::float::mul_add(self, b, c)
            }

            #[inline(always)]
            fn unless_dead(self, seed: Self) -> Self {
                if seed == 0.0 { 0.0 } else { self }
            }

            #[inline(always)]
            fn total(self) -> Self {
                self
            }

            #[inline(always)]
            fn behind(self, before: Self, by: usize) -> Self {
                [self, before][by]
            }

            #[inline(always)]
            fn add_last(self, count: usize, to: &[Cell<Self>]) {
                add_each(&[self][1 - count..], to);
            }
        }
    };
}
one!(f32);
one!(f64);

#[cfg(not(target_arch = "x86_64"))]
mod targets {
    use super::{Element, plain};

    impl Element for f32 {
        type Longest = plain::F32x4;
        type Half = plain::F32x4;
    }
    impl Element for f64 {
        type Longest = plain::F64x2;
        type Half = plain::F64x2;
    }
}

#[cfg(test)]
mod tests;
