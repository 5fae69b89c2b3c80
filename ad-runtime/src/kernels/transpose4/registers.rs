//! Four numbers in a register, or in two halves where registers are short.

#![allow(unsafe_code)]

use std::arch::x86_64 as x;

use super::{Add, Div, FOUR, Mul, Neg, Sub, Vector4};

macro_rules! operators {
    ($vector:ident: $($operator:ident $method:ident $intrinsic:ident)*) => { $(
        impl $operator for $vector {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: the target has the instruction, as `vector4!` is told.
                Self(unsafe { x::$intrinsic(self.0, other.0) })
            }
        }
    )* };
}

/// Numbers in one register, by instructions that the target has: those of SSE2, which belongs to every x86-64, or
/// others under the condition of their feature.
macro_rules! vector4 {
    (
        $vector:ident $number:ident $register:ident: $add:ident $sub:ident $mul:ident $div:ident
        $xor:ident $sqrt:ident $set:ident $load:ident $store:ident, $columns:expr
    ) => {
        /// Four numbers.
        #[derive(Clone, Copy, Debug)]
        pub struct $vector(x::$register);

        operators!($vector: Add add $add Sub sub $sub Mul mul $mul Div div $div);

        impl Neg for $vector {
            type Output = Self;

            #[inline(always)]
            fn neg(self) -> Self {
                // SAFETY: the target has the instructions.
                Self(unsafe { x::$xor(self.0, x::$set(-0.0)) })
            }
        }

        impl Vector4 for $vector {
            type Number = $number;

            #[inline(always)]
            fn splat(value: $number) -> Self {
                // SAFETY: the target has the instruction.
                Self(unsafe { x::$set(value) })
            }

            #[inline(always)]
            fn load(from: &[$number; FOUR]) -> Self {
                // SAFETY: the target has the instruction, which reads four numbers at any address.
                Self(unsafe { x::$load(from.as_ptr()) })
            }

            #[inline(always)]
            fn store(self, to: &mut [$number; FOUR]) {
                // SAFETY: the target has the instruction, which writes four numbers at any address.
                unsafe { x::$store(to.as_mut_ptr(), self.0) }
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                // SAFETY: the target has the instruction.
                Self(unsafe { x::$sqrt(self.0) })
            }

            #[inline(always)]
            fn columns([a, b, c, d]: [Self; FOUR]) -> [Self; FOUR] {
                let [a, b, c, d] = $columns([a.0, b.0, c.0, d.0]);
                [Self(a), Self(b), Self(c), Self(d)]
            }
        }
    };
}

vector4! { F32x4 f32 __m128: _mm_add_ps _mm_sub_ps _mm_mul_ps _mm_div_ps
_mm_xor_ps _mm_sqrt_ps _mm_set1_ps _mm_loadu_ps _mm_storeu_ps, turned }

#[inline(always)]
fn turned([a, b, c, d]: [x::__m128; FOUR]) -> [x::__m128; FOUR] {
    // SAFETY: every x86-64 has the instructions.
    unsafe {
        let (ab, ab2) = (x::_mm_unpacklo_ps(a, b), x::_mm_unpackhi_ps(a, b));
        let (cd, cd2) = (x::_mm_unpacklo_ps(c, d), x::_mm_unpackhi_ps(c, d));
        [
            x::_mm_movelh_ps(ab, cd),
            x::_mm_movehl_ps(cd, ab),
            x::_mm_movelh_ps(ab2, cd2),
            x::_mm_movehl_ps(cd2, ab2),
        ]
    }
}

#[cfg(target_feature = "avx")]
vector4! { F64x4 f64 __m256d: _mm256_add_pd _mm256_sub_pd _mm256_mul_pd _mm256_div_pd
_mm256_xor_pd _mm256_sqrt_pd _mm256_set1_pd _mm256_loadu_pd _mm256_storeu_pd, turned_wide }

#[cfg(target_feature = "avx")]
#[inline(always)]
fn turned_wide([a, b, c, d]: [x::__m256d; FOUR]) -> [x::__m256d; FOUR] {
    // SAFETY: the target has AVX.
    unsafe {
        // Of both halves the first elements, and the second ones.
        let (ab, ab2) = (x::_mm256_unpacklo_pd(a, b), x::_mm256_unpackhi_pd(a, b));
        let (cd, cd2) = (x::_mm256_unpacklo_pd(c, d), x::_mm256_unpackhi_pd(c, d));
        [
            x::_mm256_permute2f128_pd::<0x20>(ab, cd),
            x::_mm256_permute2f128_pd::<0x20>(ab2, cd2),
            x::_mm256_permute2f128_pd::<0x31>(ab, cd),
            x::_mm256_permute2f128_pd::<0x31>(ab2, cd2),
        ]
    }
}

#[cfg(not(target_feature = "avx"))]
pub use halves::F64x4;

#[cfg(not(target_feature = "avx"))]
mod halves {
    use super::{Add, Div, FOUR, Mul, Neg, Sub, Vector4, x};

    /// Four numbers: two registers.
    #[derive(Clone, Copy, Debug)]
    pub struct F64x4([x::__m128d; 2]);

    macro_rules! operators {
        ($($operator:ident $method:ident $intrinsic:ident)*) => { $(
            impl $operator for F64x4 {
                type Output = Self;

                #[inline(always)]
                fn $method(self, other: Self) -> Self {
                    let ([a, b], [c, d]) = (self.0, other.0);
                    // SAFETY: every x86-64 has the instruction.
                    Self(unsafe { [x::$intrinsic(a, c), x::$intrinsic(b, d)] })
                }
            }
        )* };
    }
    operators!(Add add _mm_add_pd Sub sub _mm_sub_pd Mul mul _mm_mul_pd Div div _mm_div_pd);

    impl Neg for F64x4 {
        type Output = Self;

        #[inline(always)]
        fn neg(self) -> Self {
            let [a, b] = self.0;
            // SAFETY: every x86-64 has the instructions.
            Self(unsafe {
                let signs = x::_mm_set1_pd(-0.0);
                [x::_mm_xor_pd(a, signs), x::_mm_xor_pd(b, signs)]
            })
        }
    }

    impl Vector4 for F64x4 {
        type Number = f64;

        #[inline(always)]
        fn splat(value: f64) -> Self {
            // SAFETY: every x86-64 has the instruction.
            Self([unsafe { x::_mm_set1_pd(value) }; 2])
        }

        #[inline(always)]
        fn load([a, b, c, d]: &[f64; FOUR]) -> Self {
            let [first, second] = [[*a, *b], [*c, *d]];
            // SAFETY: every x86-64 has the instruction, which reads two numbers at any address.
            Self(unsafe {
                [
                    x::_mm_loadu_pd(first.as_ptr()),
                    x::_mm_loadu_pd(second.as_ptr()),
                ]
            })
        }

        #[inline(always)]
        fn store(self, to: &mut [f64; FOUR]) {
            let ([first, second], _) = to.as_chunks_mut::<2>() else {
                unreachable!("twice two numbers");
            };
            // SAFETY: every x86-64 has the instruction, which writes two numbers at any address.
            unsafe {
                x::_mm_storeu_pd(first.as_mut_ptr(), self.0[0]);
                x::_mm_storeu_pd(second.as_mut_ptr(), self.0[1]);
            }
        }

        #[inline(always)]
        fn sqrt(self) -> Self {
            let [a, b] = self.0;
            // SAFETY: every x86-64 has the instruction.
            Self(unsafe { [x::_mm_sqrt_pd(a), x::_mm_sqrt_pd(b)] })
        }

        #[inline(always)]
        fn columns([a, b, c, d]: [Self; FOUR]) -> [Self; FOUR] {
            // SAFETY: every x86-64 has the instructions.
            unsafe {
                [
                    F64x4([
                        x::_mm_unpacklo_pd(a.0[0], b.0[0]),
                        x::_mm_unpacklo_pd(c.0[0], d.0[0]),
                    ]),
                    F64x4([
                        x::_mm_unpackhi_pd(a.0[0], b.0[0]),
                        x::_mm_unpackhi_pd(c.0[0], d.0[0]),
                    ]),
                    F64x4([
                        x::_mm_unpacklo_pd(a.0[1], b.0[1]),
                        x::_mm_unpacklo_pd(c.0[1], d.0[1]),
                    ]),
                    F64x4([
                        x::_mm_unpackhi_pd(a.0[1], b.0[1]),
                        x::_mm_unpackhi_pd(c.0[1], d.0[1]),
                    ]),
                ]
            }
        }
    }
}
