//! Four numbers in an array.

use super::{Add, Div, FOUR, Mul, Neg, Sub, Vector4};

macro_rules! operators {
    ($vector:ident: $($operator:ident $method:ident $symbol:tt)*) => { $(
        impl $operator for $vector {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(std::array::from_fn(|k| self.0[k] $symbol other.0[k]))
            }
        }
    )* };
}

macro_rules! vector4 {
    ($vector:ident $number:ident) => {
        /// Four numbers.
        #[derive(Clone, Copy, Debug)]
        pub struct $vector([$number; FOUR]);

        operators!($vector: Add add + Sub sub - Mul mul * Div div /);

        impl Neg for $vector {
            type Output = Self;

            #[inline(always)]
            fn neg(self) -> Self {
                Self(self.0.map(|a| -a))
            }
        }

        impl Vector4 for $vector {
            type Number = $number;

            #[inline(always)]
            fn splat(value: $number) -> Self {
                Self([value; FOUR])
            }

            #[inline(always)]
            fn load(from: &[$number; FOUR]) -> Self {
                Self(*from)
            }

            #[inline(always)]
            fn store(self, to: &mut [$number; FOUR]) {
                *to = self.0;
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                Self(self.0.map($number::sqrt))
            }

            #[inline(always)]
            fn columns(rows: [Self; FOUR]) -> [Self; FOUR] {
                std::array::from_fn(|c| Self(std::array::from_fn(|r| rows[r].0[c])))
            }
        }
    };
}
vector4!(F32x4 f32);
vector4!(F64x4 f64);
