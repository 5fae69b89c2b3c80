//! Numbers side by side in an array.

use super::{Add, Cell, Div, Mul, Neg, Simd, Sub};

macro_rules! operators {
    ($simd:ident: $($operator:ident $method:ident $symbol:tt)*) => { $(
        impl $operator for $simd {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(std::array::from_fn(|k| self.0[k] $symbol other.0[k]))
            }
        }
    )* };
}

macro_rules! simd {
    ($simd:ident $number:ident $lanes:literal) => {
        /// Numbers of so many iterations.
        #[derive(Clone, Copy, Debug)]
        pub struct $simd([$number; $lanes]);

        operators!($simd: Add add + Sub sub - Mul mul * Div div /);

        impl Neg for $simd {
            type Output = Self;

            #[inline(always)]
            fn neg(self) -> Self {
                Self(self.0.map(|a| -a))
            }
        }

        impl Simd for $simd {
            type Number = $number;

            const LANES: usize = $lanes;

            #[inline(always)]
            fn splat(value: $number) -> Self {
                Self([value; $lanes])
            }

            #[inline(always)]
            fn load(from: &[$number]) -> Self {
                Self(std::array::from_fn(|k| from[..$lanes][k]))
            }

            #[inline(always)]
            fn store(self, to: &mut [$number]) {
                to[..$lanes].copy_from_slice(&self.0);
            }

            #[inline(always)]
            fn load_cells(from: &[Cell<$number>]) -> Self {
                Self(std::array::from_fn(|k| from[..$lanes][k].get()))
            }

            #[inline(always)]
            fn store_cells(self, to: &[Cell<$number>]) {
                for (to, value) in to[..$lanes].iter().zip(self.0) {
                    to.set(value);
                }
            }

            #[inline(always)]
            fn root(self) -> Self {
                Self(self.0.map($number::sqrt))
            }

            #[inline(always)]
            fn magnitude(self) -> Self {
                Self(self.0.map($number::abs))
            }

            #[inline(always)]
            fn fused(self, b: Self, c: Self) -> Self {
                Self(std::array::from_fn(|k| {
                    crate::float::mul_add(self.0[k], b.0[k], c.0[k])
                }))
            }

            #[inline(always)]
            fn unless_dead(self, seed: Self) -> Self {
                Self(std::array::from_fn(|k| {
                    if seed.0[k] == 0.0 { 0.0 } else { self.0[k] }
                }))
            }

            #[inline(always)]
            fn total(self) -> $number {
                self.0.iter().sum()
            }

            #[inline(always)]
            fn behind(self, before: Self, by: usize) -> Self {
                let number = |k| if k < by { before.0[$lanes - by + k] } else { self.0[k - by] };
                Self(std::array::from_fn(number))
            }

            #[inline(always)]
            fn add_last(self, count: usize, to: &[Cell<$number>]) {
                super::add_each(&self.0[$lanes - count..], to);
            }
        }
    };
}
simd!(F32x4 f32 4);
simd!(F64x2 f64 2);
