//! Operators on types that the macro does not see: which rule an operator has, rustc finds out.
//!
//! A user's operator gets its [`Operator`] from `#[gradient]` on its `impl`; those of the language have theirs here.
//! None of both is a compile error at the user's token.

use crate::float::Float;
use crate::rules;
use crate::tape::Tape;

macro_rules! names {
    ($($name:ident)*) => {$(
        #[doc = concat!("The operator of std's trait `", stringify!($name), "`.")]
        #[derive(Clone, Copy, Debug)]
        pub enum $name {}
    )*};
}

names! {
    Add Sub Mul Div Rem BitAnd BitOr BitXor Shl Shr Neg Not
    AddAssign SubAssign MulAssign DivAssign RemAssign
    BitAndAssign BitOrAssign BitXorAssign ShlAssign ShrAssign
}

/// An operator with two operands that has a derivative. The left operand of one that assigns is the value before.
#[diagnostic::on_unimplemented(
    message = "the operator `{Op}` of `{Self}` and `{Rhs}` has no derivative",
    label = "a value with a derivative goes into this operator",
    note = "put `#[gradient]` above the `impl` of the operator, or write `no_gradient(…)` around what is constant",
    note = "where the operands are floats, say so: bind them with `let x: f64 = …`"
)]
pub trait Operator<Op, Rhs> {
    /// The adjoint of the left operand.
    type Left;
    /// The adjoint of the right operand.
    type Right;
    /// The adjoint of the result.
    type Seed: ?Sized;

    /// Adds to the adjoints of the operands.
    fn reverse(
        self,
        rhs: Rhs,
        left: &mut Self::Left,
        right: &mut Self::Right,
        seed: &Self::Seed,
        tape: &mut Tape,
    );
}

/// An operator with one operand that has a derivative.
#[diagnostic::on_unimplemented(
    message = "the operator `{Op}` of `{Self}` has no derivative",
    label = "a value with a derivative goes into this operator",
    note = "put `#[gradient]` above the `impl` of the operator, or write `no_gradient(…)` around what is constant"
)]
pub trait UnaryOperator<Op> {
    /// The adjoint of the operand.
    type Operand;
    /// The adjoint of the result.
    type Seed: ?Sized;

    /// Adds to the adjoint of the operand.
    fn reverse(self, operand: &mut Self::Operand, seed: &Self::Seed, tape: &mut Tape);
}

/// The reverse sweep of an operator. Without a seed there is nothing to be done.
#[inline(always)]
pub fn reverse<Op, A: Operator<Op, B>, B>(
    a: A,
    b: B,
    left: &mut A::Left,
    right: &mut A::Right,
    seed: Option<&A::Seed>,
    tape: &mut Tape,
) {
    if let Some(seed) = seed {
        a.reverse(b, left, right, seed, tape);
    }
}

/// As [`reverse`], of an operator with one operand.
#[inline(always)]
pub fn reverse_unary<Op, A: UnaryOperator<Op>>(
    a: A,
    operand: &mut A::Operand,
    seed: Option<&A::Seed>,
    tape: &mut Tape,
) {
    if let Some(seed) = seed {
        a.reverse(operand, seed, tape);
    }
}

/// The contributions of an operator on floats to the adjoints of its operands.
trait OnFloats {
    fn contributions<F: Float>(a: F, b: F, seed: F) -> (F, F);
}

macro_rules! floats {
    ($name:ident by $rule:ident: $($a:ty, $b:ty, $float:ty;)*) => {$(
        impl Operator<$name, $b> for $a {
            type Left = $float;
            type Right = $float;
            type Seed = $float;

            #[inline(always)]
            fn reverse(
                self,
                rhs: $b,
                left: &mut $float,
                right: &mut $float,
                seed: &$float,
                _: &mut Tape,
            ) {
                let (a, b): ($float, $float) = (self.to_owned(), rhs.to_owned());
                let (of_left, of_right) = <$rule as OnFloats>::contributions(a, b, *seed);
                *left += of_left;
                *right += of_right;
            }
        }
    )*};
}

macro_rules! on_floats {
    ($($name:ident $assigning:ident ($a:ident, $b:ident, $seed:ident) $contributions:expr;)*) => {$(
        impl OnFloats for $name {
            #[inline(always)]
            fn contributions<F: Float>($a: F, $b: F, $seed: F) -> (F, F) {
                $contributions
            }
        }
        floats! {
            $name by $name:
            f64, f64, f64; f64, &f64, f64; &f64, f64, f64; &f64, &f64, f64;
            f32, f32, f32; f32, &f32, f32; &f32, f32, f32; &f32, &f32, f32;
        }
        floats! {
            $assigning by $name:
            f64, f64, f64; f64, &f64, f64; f32, f32, f32; f32, &f32, f32;
        }
    )*};
}

on_floats! {
    Add AddAssign (_a, _b, seed) (seed, seed);
    Sub SubAssign (_a, _b, seed) (seed, -seed);
    Mul MulAssign (a, b, seed) (seed * b, seed * a);
    Div DivAssign (a, b, seed) (rules::div_lhs(seed, b), rules::div_rhs(seed, b, a / b));
    Rem RemAssign (a, b, seed) (seed, rules::rem_rhs(seed, a, b));
}

macro_rules! negated {
    ($($ty:ty, $float:ty;)*) => {$(
        impl UnaryOperator<Neg> for $ty {
            type Operand = $float;
            type Seed = $float;

            #[inline(always)]
            fn reverse(self, operand: &mut $float, seed: &$float, _: &mut Tape) {
                *operand -= *seed;
            }
        }
    )*};
}

negated! { f64, f64; &f64, f64; f32, f32; &f32, f32; }

/// Numbers without derivative.
macro_rules! constants {
    ($($ty:ident)*) => {$(
        constants! { $ty: Add Sub Mul Div Rem AddAssign SubAssign MulAssign DivAssign RemAssign }
        bits! { $ty }
        shifts! { $ty: Shl Shr ShlAssign ShrAssign }
        impl Bits for $ty {}

        impl UnaryOperator<Neg> for $ty {
            type Operand = ();
            type Seed = ();

            #[inline(always)]
            fn reverse(self, (): &mut (), (): &(), _: &mut Tape) {}
        }
    )*};
    ($ty:ident: $($name:ident)*) => {$(
        impl Operator<$name, $ty> for $ty {
            type Left = ();
            type Right = ();
            type Seed = ();

            #[inline(always)]
            fn reverse(self, _: $ty, (): &mut (), (): &mut (), (): &(), _: &mut Tape) {}
        }
    )*};
}

macro_rules! bits {
    ($($ty:ident)*) => {$(
        constants! { $ty: BitAnd BitOr BitXor BitAndAssign BitOrAssign BitXorAssign }

        impl UnaryOperator<Not> for $ty {
            type Operand = ();
            type Seed = ();

            #[inline(always)]
            fn reverse(self, (): &mut (), (): &(), _: &mut Tape) {}
        }
    )*};
}

/// How many bits a shift is by: any integer may say that.
pub trait Bits {}

macro_rules! shifts {
    ($ty:ident: $($name:ident)*) => {$(
        impl<By: Bits> Operator<$name, By> for $ty {
            type Left = ();
            type Right = ();
            type Seed = ();

            #[inline(always)]
            fn reverse(self, _: By, (): &mut (), (): &mut (), (): &(), _: &mut Tape) {}
        }
    )*};
}

bits! { bool }
constants! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }
