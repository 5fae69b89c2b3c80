//! Numbers side by side in a register of an x86-64.

#![allow(unsafe_code)]

use std::arch::x86_64 as x;

use super::{Add, Cell, Div, Element, Mul, Neg, Simd, Sub};

macro_rules! operators {
    ($simd:ident: $($operator:ident $method:ident $intrinsic:ident)*) => { $(
        impl $operator for $simd {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: the target has the instruction, as `simd!` is told.
                Self(unsafe { x::$intrinsic(self.0, other.0) })
            }
        }
    )* };
}

/// Numbers in one register, by instructions that the target has: those of SSE2, which belongs to every x86-64, or
/// others under the condition of their feature.
macro_rules! simd {
    (
        $simd:ident $number:ident $lanes:literal $register:ident: $add:ident $sub:ident $mul:ident $div:ident
        $xor:ident $and:ident $andnot:ident $sqrt:ident $set:ident $load:ident $store:ident $fused:ident, $differ:expr,
        $behind:ident
    ) => {
        /// Numbers of so many iterations.
        #[derive(Clone, Copy, Debug)]
        pub struct $simd(x::$register);

        operators!($simd: Add add $add Sub sub $sub Mul mul $mul Div div $div);

        impl Neg for $simd {
            type Output = Self;

            #[inline(always)]
            fn neg(self) -> Self {
                // SAFETY: the target has the instructions.
                Self(unsafe { x::$xor(self.0, x::$set(-0.0)) })
            }
        }

        impl $simd {
            #[inline(always)]
            fn numbers(self) -> [$number; $lanes] {
                let mut numbers = [0.0; $lanes];
                self.store(&mut numbers);
                numbers
            }
        }

        impl Simd for $simd {
            type Number = $number;

            const LANES: usize = $lanes;

            #[inline(always)]
            fn splat(value: $number) -> Self {
                // SAFETY: the target has the instruction.
                Self(unsafe { x::$set(value) })
            }

            #[inline(always)]
            fn load(from: &[$number]) -> Self {
                let from = &from[..$lanes];
                // SAFETY: the target has the instruction, which reads so many numbers at any address.
                Self(unsafe { x::$load(from.as_ptr()) })
            }

            #[inline(always)]
            fn store(self, to: &mut [$number]) {
                let to = &mut to[..$lanes];
                // SAFETY: the target has the instruction, which writes so many numbers at any address.
                unsafe { x::$store(to.as_mut_ptr(), self.0) }
            }

            #[inline(always)]
            fn load_cells(from: &[Cell<$number>]) -> Self {
                let from = &from[..$lanes];
                // SAFETY: the target has the instruction, which reads so many numbers at any address; a cell has the
                // layout of what is in it, and no other thread has these.
                Self(unsafe { x::$load(from.as_ptr().cast()) })
            }

            #[inline(always)]
            fn store_cells(self, to: &[Cell<$number>]) {
                let to = &to[..$lanes];
                // SAFETY: as for `load_cells`; what is in a cell can be written through a shared reference, and this
                // pointer is of all of them.
                unsafe { x::$store(to.as_ptr().cast_mut().cast(), self.0) }
            }

            #[inline(always)]
            fn root(self) -> Self {
                // SAFETY: the target has the instruction.
                Self(unsafe { x::$sqrt(self.0) })
            }

            #[inline(always)]
            fn magnitude(self) -> Self {
                // SAFETY: the target has the instructions.
                Self(unsafe { x::$andnot(x::$set(-0.0), self.0) })
            }

            #[cfg(target_feature = "fma")]
            #[inline(always)]
            fn fused(self, b: Self, c: Self) -> Self {
                // SAFETY: the target has the instruction.
                Self(unsafe { x::$fused(self.0, b.0, c.0) })
            }

            #[cfg(not(target_feature = "fma"))]
            #[inline(always)]
            fn fused(self, b: Self, c: Self) -> Self {
                self * b + c
            }

            #[inline(always)]
            fn unless_dead(self, seed: Self) -> Self {
                // SAFETY: the target has the instructions.
                Self(unsafe { x::$and($differ(seed.0, x::$set(0.0)), self.0) })
            }

            #[inline(always)]
            fn total(self) -> $number {
                self.numbers().iter().sum()
            }

            #[inline(always)]
            fn behind(self, before: Self, by: usize) -> Self {
                // SAFETY: the target has the instructions.
                Self(unsafe { $behind(before.0, self.0, by) })
            }

            #[inline(always)]
            fn add_last(self, count: usize, to: &[Cell<$number>]) {
                super::add_each(&self.numbers()[$lanes - count..], to);
            }
        }
    };
}

/// Two numbers, `by` places in front of `here`.
///
/// # Safety
///
/// The target has the instructions of the types, here and below.
#[inline(always)]
unsafe fn behind2(before: x::__m128d, here: x::__m128d, by: usize) -> x::__m128d {
    match by {
        0 => here,
        // SAFETY: as for this function.
        1 => unsafe { x::_mm_shuffle_pd::<0b01>(before, here) },
        2 => before,
        _ => panic!("{by} of 2"),
    }
}

/// Four numbers in each half of a register, `by` places in front of those in the same half of `here`.
macro_rules! behind_in_halves {
    ($shuffle:ident, $before:expr, $here:expr, $by:expr) => {{
        let (before, here) = ($before, $here);
        // Of each half, twice the last one before and twice the first one here.
        let between = x::$shuffle::<0b00_00_11_11>(before, here);
        match $by {
            0 => here,
            1 => x::$shuffle::<0b10_01_10_00>(between, here),
            2 => x::$shuffle::<0b01_00_11_10>(before, here),
            _ => x::$shuffle::<0b10_00_10_01>(before, between),
        }
    }};
}

#[inline(always)]
unsafe fn behind4_singles(before: x::__m128, here: x::__m128, by: usize) -> x::__m128 {
    match by {
        // SAFETY: as for this function.
        0..4 => unsafe { behind_in_halves!(_mm_shuffle_ps, before, here, by) },
        4 => before,
        _ => panic!("{by} of 4"),
    }
}

#[cfg(target_feature = "avx")]
#[inline(always)]
unsafe fn behind4(before: x::__m256d, here: x::__m256d, by: usize) -> x::__m256d {
    // SAFETY: as for this function.
    unsafe {
        let halfway = x::_mm256_permute2f128_pd::<0x21>(before, here);
        match by {
            0 => here,
            1 => x::_mm256_shuffle_pd::<0b0101>(halfway, here),
            2 => halfway,
            3 => x::_mm256_shuffle_pd::<0b0101>(before, halfway),
            4 => before,
            _ => panic!("{by} of 4"),
        }
    }
}

#[cfg(target_feature = "avx")]
#[inline(always)]
unsafe fn behind8(before: x::__m256, here: x::__m256, by: usize) -> x::__m256 {
    // SAFETY: as for this function.
    unsafe {
        let halfway = x::_mm256_permute2f128_ps::<0x21>(before, here);
        match by {
            0..4 => behind_in_halves!(_mm256_shuffle_ps, halfway, here, by),
            4..8 => behind_in_halves!(_mm256_shuffle_ps, before, halfway, by - 4),
            8 => before,
            _ => panic!("{by} of 8"),
        }
    }
}

simd! { F64x2 f64 2 __m128d: _mm_add_pd _mm_sub_pd _mm_mul_pd _mm_div_pd
_mm_xor_pd _mm_and_pd _mm_andnot_pd _mm_sqrt_pd _mm_set1_pd _mm_loadu_pd _mm_storeu_pd _mm_fmadd_pd,
x::_mm_cmpneq_pd, behind2 }

simd! { F32x4 f32 4 __m128: _mm_add_ps _mm_sub_ps _mm_mul_ps _mm_div_ps
_mm_xor_ps _mm_and_ps _mm_andnot_ps _mm_sqrt_ps _mm_set1_ps _mm_loadu_ps _mm_storeu_ps _mm_fmadd_ps,
x::_mm_cmpneq_ps, behind4_singles }

#[cfg(target_feature = "avx")]
simd! { F64x4 f64 4 __m256d: _mm256_add_pd _mm256_sub_pd _mm256_mul_pd _mm256_div_pd
_mm256_xor_pd _mm256_and_pd _mm256_andnot_pd _mm256_sqrt_pd _mm256_set1_pd _mm256_loadu_pd _mm256_storeu_pd
    _mm256_fmadd_pd,
x::_mm256_cmp_pd::<{ x::_CMP_NEQ_UQ }>, behind4 }

#[cfg(target_feature = "avx")]
simd! { F32x8 f32 8 __m256: _mm256_add_ps _mm256_sub_ps _mm256_mul_ps _mm256_div_ps
_mm256_xor_ps _mm256_and_ps _mm256_andnot_ps _mm256_sqrt_ps _mm256_set1_ps _mm256_loadu_ps _mm256_storeu_ps
    _mm256_fmadd_ps,
x::_mm256_cmp_ps::<{ x::_CMP_NEQ_UQ }>, behind8 }

#[cfg(target_feature = "avx")]
mod longest {
    impl super::Element for f64 {
        type Longest = super::F64x4;
        type Half = super::F64x2;
    }
    impl super::Element for f32 {
        type Longest = super::F32x8;
        type Half = super::F32x4;
    }
}

#[cfg(not(target_feature = "avx"))]
mod longest {
    impl super::Element for f64 {
        type Longest = super::F64x2;
        type Half = super::F64x2;
    }
    impl super::Element for f32 {
        type Longest = super::F32x4;
        type Half = super::F32x4;
    }
}
