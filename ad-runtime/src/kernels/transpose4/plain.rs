//! Four numbers in an array.

use super::{Add, Div, FOUR, Fours, Mul, Neg, Sub};

macro_rules! operators {
    ($fours:ident: $($operator:ident $method:ident $symbol:tt)*) => { $(
        impl $operator for $fours {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(std::array::from_fn(|k| self.0[k] $symbol other.0[k]))
            }
        }
    )* };
}

macro_rules! fours {
    ($fours:ident $number:ident) => {
        /// Four numbers.
        #[derive(Clone, Copy, Debug)]
        pub struct $fours([$number; FOUR]);

        operators!($fours: Add add + Sub sub - Mul mul * Div div /);

        impl Neg for $fours {
            type Output = Self;

            #[inline(always)]
            fn neg(self) -> Self {
                Self(self.0.map(|a| -a))
            }
        }

        impl Fours for $fours {
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
fours!(F32s f32);
fours!(F64s f64);
