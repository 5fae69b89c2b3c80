//! The float functions that have a derivative.

use super::{Cost, Entry, entry};

macro_rules! math_fns {
    ($($variant:ident $name:literal $cost:ident $terms:tt)*) => {
        /// A method of `f32`/`f64`, the receiver being the first argument.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub(crate) enum MathFn { $($variant),* }

        impl MathFn {
            #[cfg(test)]
            pub(crate) const ALL: &[MathFn] = &[$(MathFn::$variant),*];

            /// The method's name in `core`/`std`.
            pub(crate) fn name(self) -> &'static str {
                match self { $(MathFn::$variant => $name),* }
            }

            pub(crate) fn from_name(name: &str) -> Option<MathFn> {
                match name { $($name => Some(MathFn::$variant),)* _ => None }
            }

            /// What the table says.
            pub(crate) fn entry(self) -> &'static Entry {
                match self { $(MathFn::$variant => entry!($cost $terms)),* }
            }
        }
    };
}

math_fns! {
    Sin           "sin"             Libm  [Sin(x)]
    Cos           "cos"             Libm  [Cos(x)]
    Tan           "tan"             Libm  [Tan(r)]
    Asin          "asin"            Libm  [Asin(x)]
    Acos          "acos"            Libm  [Acos(x)]
    Atan          "atan"            Libm  [Atan(x)]
    Atan2         "atan2"           Libm  [Atan2Lhs(x, y), Atan2Rhs(x, y)]
    Sinh          "sinh"            Libm  [Sinh(x)]
    Cosh          "cosh"            Libm  [Cosh(x)]
    Tanh          "tanh"            Libm  [Tanh(r)]
    Asinh         "asinh"           Libm  [Asinh(x)]
    Acosh         "acosh"           Libm  [Acosh(x)]
    Atanh         "atanh"           Libm  [Atanh(x)]
    Exp           "exp"             Libm  [Exp(r)]
    Exp2          "exp2"            Libm  [Exp2(r)]
    ExpM1         "exp_m1"          Libm  [ExpM1(r)]
    Ln            "ln"              Libm  [Ln(x)]
    Ln1p          "ln_1p"           Libm  [Ln1p(x)]
    Log2          "log2"            Libm  [Log2(x)]
    Log10         "log10"           Libm  [Log10(x)]
    Log           "log"             Libm  [LogArg(x, y), LogBase(x, y, r)]
    Sqrt          "sqrt"            Cheap [Sqrt(r)]
    Cbrt          "cbrt"            Libm  [Cbrt(r)]
    Powi          "powi"            Libm  [Powi(x, y), zero]
    Powf          "powf"            Libm  [PowfBase(x, y, r), PowfExponent(x, y, r)]
    Hypot         "hypot"           Libm  [HypotLhs(x, r), HypotRhs(y, r)]
    MulAdd        "mul_add"         Cheap [times(y), times(x), seed]
    Recip         "recip"           Cheap [Recip(r)]
    RemEuclid     "rem_euclid"      Cheap [seed, RemEuclidRhs(x, y)]
    DivEuclid     "div_euclid"      Cheap [zero, zero]
    Abs           "abs"             Cheap [Abs(x)]
    Signum        "signum"          Cheap [zero]
    Copysign      "copysign"        Cheap [Copysign(x, y), zero]
    Min           "min"             Cheap [MinLhs(x, y), MinRhs(x, y)]
    Max           "max"             Cheap [MaxLhs(x, y), MaxRhs(x, y)]
    Clamp         "clamp"           Cheap [Clamp(x, y, z), ClampLo(x, y, z), ClampHi(x, y, z)]
    Midpoint      "midpoint"        Cheap [Half, Half]
    Fract         "fract"           Cheap [seed]
    Floor         "floor"           Cheap [zero]
    Ceil          "ceil"            Cheap [zero]
    Round         "round"           Cheap [zero]
    RoundTiesEven "round_ties_even" Cheap [zero]
    Trunc         "trunc"           Cheap [zero]
    ToDegrees     "to_degrees"      Cheap [ToDegrees]
    ToRadians     "to_radians"      Cheap [ToRadians]
}

impl MathFn {
    /// Number of arguments, the receiver included.
    pub(crate) fn arity(self) -> usize {
        self.entry().terms.len()
    }

    /// Whether it calls into libm (rule 7 of the IR).
    pub(crate) fn is_expensive(self) -> bool {
        self.entry().cost == Cost::Libm
    }

    /// Whether integers have a method of the same name.
    pub(crate) fn is_shared_with_integers(self) -> bool {
        matches!(
            self,
            MathFn::Abs
                | MathFn::Signum
                | MathFn::Min
                | MathFn::Max
                | MathFn::Clamp
                | MathFn::RemEuclid
                | MathFn::DivEuclid
                | MathFn::Midpoint
        )
    }
}
